/* SPDX-License-Identifier: MIT */
/* Parameters, image formats, borders: the small parts that everything stands on. */
#include "tests/unit.h"

#include <sys/resource.h>

#include "filters/parts/ring.h"
#include "filters/core/chain/chain.h"
#include "filters/base/text/words.h"
#include "filters/base/output/path.h"
#include "filters/base/sanitized.h"
#include "tests/pictures.h"

struct values {
    int radius, shape;
    float sigma;
    const char *text;
};
static const char *const shapes[] = {"cross", "square", "disk", NULL};
static const struct rn_param table[] = {
    RN_P_INT(struct values, radius, 1, 31, 2, 3, "px", "how far"),
    RN_P_FLOAT(struct values, sigma, 0.1, 20, 0.1, 1, "px", "how soft"),
    RN_P_CHOICE(struct values, shape, shapes, 3, 1, "the form"),
    RN_P_TEXT(struct values, text, "abc", "words"), RN_P_END};
enum { RADIUS, SIGMA, SHAPE, TEXT };

TEST(defaults)
{
    struct values v;
    rn_params_defaults(table, &v);
    assert_int_equal(v.radius, 3);
    assert_int_equal(v.shape, 1);
    assert_true(v.sigma == 1.0f);
    assert_string_equal(v.text, "abc");
    for (int i = 0; table[i].name; i++)
        assert_true(rn_param_is_default(&table[i], &v));
    assert_ptr_equal(rn_param_find(table, "sigma"), &table[SIGMA]);
    assert_null(rn_param_find(table, "sigm"));
}

TEST(parse_accepts)
{
    struct values v;
    rn_params_defaults(table, &v);
    assert_int_equal(rn_param_parse(&table[RADIUS], "t", "31", &v), 0);
    assert_int_equal(v.radius, 31);
    assert_int_equal(rn_param_parse(&table[SIGMA], "t", "2.5", &v), 0);
    assert_true(v.sigma == 2.5f);
    assert_int_equal(rn_param_parse(&table[SIGMA], "t", "0.1", &v), 0);
    assert_int_equal(rn_param_parse(&table[SHAPE], "t", "disk", &v), 0);
    assert_int_equal(v.shape, 2);
    assert_int_equal(rn_param_parse(&table[TEXT], "t", "", &v), 0);
    assert_string_equal(v.text, "");
}

TEST(parse_refuses)
{
    static const struct {
        int row;
        const char *text;
    } bad[] = {{RADIUS, "0"},   {RADIUS, "32"},     {RADIUS, "3.5"}, {RADIUS, "3x"},
               {RADIUS, ""},    {RADIUS, " "},      {RADIUS, "nan"}, {RADIUS, "1e9"},
               {SIGMA, "nan"},  {SIGMA, "inf"},     {SIGMA, "-inf"}, {SIGMA, "0.0999"},
               {SIGMA, "20.1"}, {SIGMA, "1,5"},     {SIGMA, ""},     {SIGMA, "1e999"},
               {SHAPE, "dis"},  {SHAPE, "square "}, {SHAPE, "Disk"}, {SHAPE, "2"}};
    for (int i = 0; i < COUNT(bad); i++) {
        struct values v, before;
        memset(&v, 0, sizeof v);
        rn_params_defaults(table, &v);
        memcpy(&before, &v, sizeof v);
        if (rn_param_parse(&table[bad[i].row], "t", bad[i].text, &v) != RN_EUSAGE)
            fail_msg("%s='%s' was accepted", table[bad[i].row].name, bad[i].text);
        assert_memory_equal(&v, &before, sizeof v);
    }
}

TEST(steps_stay_on_the_grid)
{
    static const struct {
        int row;
        float sigma; /* that it begins with; 0: what it was */
        int steps, times;
        const char *text;
    } cases[] = {
        {SIGMA, 0.1f, 1, 9, "1"},     {SIGMA, 0, 10, 1, "2"},        {SIGMA, 0, 1, 1000, "20"},
        {SIGMA, 0, -1, 1, "19.9"},    {SIGMA, 0, -100000, 1, "0.1"}, {SIGMA, 0.25f, 1, 1, "0.3"},
        {SIGMA, 0.25f, -1, 1, "0.2"}, {RADIUS, 0, 1, 1, "5"},        {RADIUS, 0, -10, 1, "1"},
        {RADIUS, 0, 100, 1, "31"},    {SHAPE, 0, 1, 1, "disk"},      {SHAPE, 0, 1, 1, "cross"},
        {SHAPE, 0, -4, 1, "disk"},    {TEXT, 0, 1, 1, "abc"}};
    struct values v;
    rn_params_defaults(table, &v);
    for (int i = 0; i < COUNT(cases); i++) {
        const struct rn_param *row = &table[cases[i].row];
        char text[32];
        if (cases[i].sigma > 0)
            v.sigma = cases[i].sigma;
        for (int k = 0; k < cases[i].times; k++)
            rn_param_step(row, &v, cases[i].steps);
        rn_param_format(row, &v, text, sizeof text);
        if (strcmp(text, cases[i].text) != 0)
            fail_msg("step %d: %s is %s, not %s", (int)i, row->name, text, cases[i].text);
        if (!strcmp(text, "20") || !strcmp(text, "0.1"))
            assert_true(v.sigma == (text[0] == '2' ? 20.0f : 0.1f));
    }
}

TEST(nearest)
{
    static const char *const names[] = {"closing", "convolution", "dilation", "erosion", NULL};
    assert_string_equal(rn_nearest("convolutoin", names), "convolution");
    assert_string_equal(rn_nearest("closin", names), "closing");
    assert_string_equal(rn_nearest("errosion", names), "erosion");
    assert_null(rn_nearest("xyzzy", names));
    assert_null(rn_nearest("", names));
}

TEST(interned)
{
    char a[] = "some text";
    const char *x = rn_intern(a);
    assert_ptr_not_equal(x, a);
    assert_ptr_equal(x, rn_intern("some text"));
    assert_string_equal(rn_intern(""), "");
}

/* The limit leaves room for small allocations in the heap that there is, not for a long text. */
TEST(no_memory_for_a_text)
{
#if RN_SANITIZED
    skip(); /* the sanitizers end the process instead */
#else
    enum { LENGTH = 64 << 20 };
    struct rlimit before, little;
    struct values v;
    rn_params_defaults(table, &v);
    char *text = malloc(LENGTH + 1);
    assert_non_null(text);
    memset(text, 'x', LENGTH);
    text[LENGTH] = '\0';
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    little = (struct rlimit){1 << 20, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &little), 0);
    const char *kept = rn_intern(text);
    int err = rn_param_parse(&table[TEXT], "t", text, &v);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    free(text);
    assert_null(kept);
    assert_int_equal(err, RN_EINTERNAL);
    assert_string_equal(v.text, "abc");
#endif
}

static bool found(const char *format)
{
    assert_int_equal(setenv("PATH", formatted(format, unit_folder), 1), 0);
    return rn_path_has("tool");
}

static void make_tool(const char *path, mode_t mode)
{
    unit_write(path, "");
    assert_int_equal(chmod(path, mode), 0);
}

TEST(programs_in_path)
{
    OWNED(rn_free_owned) char *before = strdup(getenv("PATH"));
    assert_true(before && !unit_enter_folder(NULL));
    assert_int_equal(mkdir("a", 0777) | mkdir("b", 0777) | mkdir("b/tool", 0777), 0);
    make_tool("a/tool", 0755);
    make_tool("tool", 0755);
    assert_true(found("%s/a"));
    assert_true(found("/none:%s/a:/none"));
    assert_false(found("%s/b")); /* a folder */
    make_tool("a/tool", 0644);
    assert_false(found("%s/a"));
    assert_false(found(":/none::")); /* though the current folder has one */
    assert_false(found(""));
    unsetenv("PATH");
    assert_false(rn_path_has("tool"));
    setenv("PATH", before, 1);
    assert_int_equal(unit_leave_folder(NULL), 0);
}

static void check_row(const struct rn_stage_desc *desc, const struct rn_param *row)
{
    if (!row->help || !*row->help || row->help[strlen(row->help) - 1] == '.')
        fail_msg("%s.%s: help", desc->name, row->name);
    if (!row->unit)
        fail_msg("%s.%s: unit", desc->name, row->name);
    for (const struct rn_param *other = desc->params; other < row; other++)
        if (!strcmp(other->name, row->name) || !strcmp(other->help, row->help))
            fail_msg("%s.%s: name or help twice", desc->name, row->name);
    if (row->type == RN_TEXT) {
        assert_true(row->fixed);
        assert_non_null(row->def_text);
        return;
    }
    if (!(row->min < row->max && row->min <= row->def && row->def <= row->max && row->step > 0))
        fail_msg("%s.%s: %g..%g step %g default %g", desc->name, row->name, row->min, row->max,
                 row->step, row->def);
    if (row->type != RN_CHOICE &&
        fabs(remainder(row->def - row->min, row->step)) > 1e-6 * row->step)
        fail_msg("%s.%s: %g is no whole number of steps of %g above %g", desc->name, row->name,
                 row->def, row->step, row->min);
    if (row->type == RN_CHOICE)
        for (int i = 0; i <= (int)row->max; i++)
            assert_non_null(row->choices[i]);
    assert_true(row->off + 4 <= desc->params_size);
}

TEST(registry_is_sound)
{
    for (int i = 0; rn_registry[i]; i++) {
        const struct rn_stage_desc *desc = rn_registry[i];
        if (i && strcmp(rn_registry[i - 1]->name, desc->name) >= 0)
            fail_msg("%s is out of order", desc->name);
        bool own = !strcmp(desc->name, "custom"); /* the user's arithmetic */
        if (!desc->ref != own || !desc->enqueue || !desc->help || !*desc->help)
            fail_msg("%s lacks its reference, device form or help", desc->name);
        if (desc->help[strlen(desc->help) - 1] == '.')
            fail_msg("%s: help ends with a full stop", desc->name);
        for (int j = 0; j < i; j++)
            if (!strcmp(rn_registry[j]->help, desc->help))
                fail_msg("%s and %s have the same help", rn_registry[j]->name, desc->name);
        for (const struct rn_param *row = desc->params; row->name; row++)
            check_row(desc, row);
        assert_ptr_equal(rn_registry_find(desc->name), desc);
    }
    assert_null(rn_registry_find("nothing"));
}

/* Sets the row to a value within its range. */
static void randomize(struct rng *rng, const struct rn_param *row, void *values)
{
    char *field = (char *)values + row->off;
    if (row->type == RN_FLOAT) {
        float v = (float)(row->min + rng_unit(rng) * (row->max - row->min));
        memcpy(field, &v, sizeof v);
    } else if (row->type != RN_TEXT) {
        int v = (int)row->min + rng_below(rng, (int)(row->max - row->min) + 1);
        memcpy(field, &v, sizeof v);
    }
}

TEST(values_survive_text)
{
    struct rng rng = rng_seed(1);
    for (int i = 0; rn_registry[i]; i++) {
        const struct rn_stage_desc *desc = rn_registry[i];
        struct rn_stage *a = rn_stage_create(desc), *b = rn_stage_create(desc);
        for (const struct rn_param *row = desc->params; row->name; row++) {
            for (int k = 0; k < 200; k++) {
                char buf[256];
                if (row->type == RN_TEXT)
                    continue;
                randomize(&rng, row, a->params);
                rn_param_format(row, a->params, buf, sizeof buf);
                if (rn_param_parse(row, desc->name, buf, b->params) ||
                    memcmp((char *)a->params + row->off, (char *)b->params + row->off, 4) != 0)
                    fail_msg("%s.%s: '%s' does not survive", desc->name, row->name, buf);
            }
        }
        rn_stage_destroy(&a);
        rn_stage_destroy(&b);
        assert_null(a);
    }
}

TEST(format_names)
{
    static const struct {
        const char *name;
        struct rn_format fmt;
        int planes, bytes, max;
    } good[] = {{"gray", {RN_GRAY, 8, 0, 0, false, RN_NUMBER_UNSIGNED, false}, 1, 1, 255},
                {"gray10", {RN_GRAY, 10, 0, 0, false, RN_NUMBER_UNSIGNED, false}, 1, 2, 1023},
                {"gray16", {RN_GRAY, 16, 0, 0, false, RN_NUMBER_UNSIGNED, false}, 1, 2, 65535},
                {"yuv420p", {RN_YUV, 8, 1, 1, false, RN_NUMBER_UNSIGNED, false}, 3, 1, 255},
                {"yuv422p10", {RN_YUV, 10, 1, 0, false, RN_NUMBER_UNSIGNED, false}, 3, 2, 1023},
                {"yuv444p9", {RN_YUV, 9, 0, 0, false, RN_NUMBER_UNSIGNED, false}, 3, 2, 511},
                {"yuva444p12", {RN_YUV, 12, 0, 0, true, RN_NUMBER_UNSIGNED, false}, 4, 2, 4095},
                {"gbrp", {RN_RGB, 8, 0, 0, false, RN_NUMBER_UNSIGNED, false}, 3, 1, 255},
                {"gbrap16", {RN_RGB, 16, 0, 0, true, RN_NUMBER_UNSIGNED, false}, 4, 2, 65535},
                {"grays16", {RN_GRAY, 16, 0, 0, false, RN_NUMBER_SIGNED, false}, 1, 2, 32767},
                {"gbraps16", {RN_RGB, 16, 0, 0, true, RN_NUMBER_SIGNED, false}, 4, 2, 32767},
                {"grayf32", {RN_GRAY, 32, 0, 0, false, RN_NUMBER_FLOAT, false}, 1, 4, 0},
                {"gbrpf32", {RN_RGB, 32, 0, 0, false, RN_NUMBER_FLOAT, false}, 3, 4, 0}};
    for (int i = 0; i < COUNT(good); i++) {
        char buf[24];
        struct rn_format f;
        assert_string_equal(rn_format_name(&good[i].fmt, buf), good[i].name);
        assert_true(rn_format_parse(good[i].name, &f) && rn_format_equal(&f, &good[i].fmt));
        bool le = rn_format_parse(formatted("%sle", good[i].name), &f);
        assert_int_equal(le, good[i].fmt.depth > 8);
        assert_int_equal(rn_format_planes(&good[i].fmt), good[i].planes);
        assert_int_equal(rn_format_bytes(&good[i].fmt), good[i].bytes);
        if (good[i].max)
            assert_int_equal(rn_format_max(&good[i].fmt), good[i].max);
    }
    char list[512], *rest = NULL; /* what is said is what is read */
    snprintf(list, sizeof list, "%.*s", (int)strcspn(rn_format_names, ";"), rn_format_names);
    for (char *name = strtok_r(list, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
        char buf[24];
        struct rn_format f;
        assert_true(rn_format_parse(name, &f));
        assert_string_equal(rn_format_name(&f, buf), name);
    }
    static const char *const bad[] = {
        "",       "gra",      "grayx",    "rgb24",        "nv12",       "yuv411p", "gray7",
        "gray17", "gray16be", "yuv420p8", "yuv420p10lex", "yuv444ps16", "grayf16", "grays8"};
    for (int i = 0; i < COUNT(bad); i++) {
        struct rn_format f;
        if (rn_format_parse(bad[i], &f))
            fail_msg("'%s' was taken for a format", bad[i]);
    }
}

TEST(plane_sizes)
{
    static const struct {
        const char *format;
        int w, h, plane, plane_w, plane_h;
    } cases[] = {{"yuva420p", 17, 5, 0, 17, 5},
                 {"yuva420p", 17, 5, 1, 9, 3},
                 {"yuva420p", 17, 5, 3, 17, 5},
                 {"yuv422p10", 17, 5, 2, 9, 5},
                 {"yuv420p", 1, 1, 2, 1, 1}};
    for (int i = 0; i < COUNT(cases); i++) {
        struct rn_geom g = geometry(cases[i].format, cases[i].w, cases[i].h);
        int w, h;
        rn_geom_plane_size(&g, cases[i].plane, &w, &h);
        if (w != cases[i].plane_w || h != cases[i].plane_h)
            fail_msg("%s: plane %d is %dx%d", cases[i].format, cases[i].plane, w, h);
    }
}

TEST(plane_masks)
{
    static const struct {
        const char *format;
        int mask, planes;
    } cases[] = {{"yuva420p", 0, 1}, {"yuva420p", 10, 10}, {"yuva420p", 15, 15},
                 {"gbrap", 0, 7},    {"gray", 0, 1},       {"gray", 14, 0}};
    struct rn_geom g = geometry("yuva420p", 8, 8);
    assert_int_equal(rn_geom_all_planes(&g), 15);
    for (int i = 0; i < COUNT(cases); i++) {
        g = geometry(cases[i].format, 8, 8);
        assert_int_equal(rn_geom_planes(&g, cases[i].mask), cases[i].planes);
    }
}

TEST(images)
{
    struct rn_geom g = geometry("yuv420p10", 17, 5);
    struct rn_image a = unit_image(&g), b = unit_image(&g), zero = {.geom.w = 0};
    for (int p = 0; p < 3; p++) {
        assert_int_equal((uintptr_t)a.plane[p].data % 64, 0);
        assert_true(a.plane[p].stride % 64 == 0 && a.plane[p].stride >= a.plane[p].w * 2);
        for (int y = 0; y < a.plane[p].h; y++)
            for (int x = 0; x < a.plane[p].w; x++)
                rn_plane_put(&a.plane[p], 2, x, y, p * 300 + y * 20 + x);
    }
    rn_image_copy(&a, &b);
    for (int p = 0; p < 3; p++)
        for (int y = 0; y < a.plane[p].h; y++)
            for (int x = 0; x < a.plane[p].w; x++)
                assert_int_equal(rn_plane_get(&b.plane[p], 2, x, y), p * 300 + y * 20 + x);
    rn_image_free(&a);
    rn_image_free(&b);
    rn_image_free(&zero);
    assert_null(a.plane[0].data);
}

TEST(border_table)
{
    /* Worked by hand for i = -7..10 over a row of 4 (a b c d = 0 1 2 3). */
    static const int clamp[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3};
    static const int mirror[] = {1, 0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2};
    static const int wrap[] = {1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2};
    for (int i = -7; i <= 10; i++) {
        int inside = i >= 0 && i < 4 ? i : -1;
        assert_int_equal(rn_border_index(RN_CLAMP, i, 4), clamp[i + 7]);
        assert_int_equal(rn_border_index(RN_MIRROR, i, 4), mirror[i + 7]);
        assert_int_equal(rn_border_index(RN_WRAP, i, 4), wrap[i + 7]);
        assert_int_equal(rn_border_index(RN_ZERO, i, 4), inside);
        assert_int_equal(rn_border_index(RN_IGNORE, i, 4), inside);
    }
}

TEST(border_of_one_and_two)
{
    static const int two[] = {0, 1, 0, 1, 0, 1, 0}; /* i = -2..4, mirror and wrap alike */
    for (int i = -5; i <= 5; i++) {
        assert_int_equal(rn_border_index(RN_CLAMP, i, 1), 0);
        assert_int_equal(rn_border_index(RN_MIRROR, i, 1), 0);
        assert_int_equal(rn_border_index(RN_WRAP, i, 1), 0);
        assert_int_equal(rn_border_index(RN_ZERO, i, 1), i ? -1 : 0);
    }
    for (int i = -2; i <= 4; i++) {
        assert_int_equal(rn_border_index(RN_MIRROR, i, 2), two[i + 2]);
        assert_int_equal(rn_border_index(RN_WRAP, i, 2), two[i + 2]);
    }
}

TEST(border_far_away)
{
    for (int k = 0; k < 5; k++) {
        enum rn_border b = (enum rn_border)k;
        static const int far[] = {-(1 << 30), 1 << 30};
        for (int i = 0; i < 2; i++) {
            int at = rn_border_index(b, far[i], RN_MAX_SIDE);
            assert_true(at < RN_MAX_SIDE && at >= (b == RN_ZERO || b == RN_IGNORE ? -1 : 0));
        }
    }
}

/* The frame that stands for `frame`; -1: none. */
static int64_t stands_for(const struct rn_ring *ring, const int64_t kept[], int64_t frame,
                          enum rn_border border)
{
    int place = rn_ring_find(ring, frame, border);
    return place < 0 ? -1 : kept[place];
}

TEST(ring_keeps_the_last)
{
    struct rn_ring ring;
    int64_t kept[5];
    rn_ring_reset(&ring, 5);
    assert_int_equal(rn_ring_find(&ring, 0, RN_CLAMP), -1);
    for (int64_t t = 0; t < 12; t++) {
        kept[rn_ring_push(&ring, t)] = t;
        for (int64_t k = t < 4 ? 0 : t - 4; k <= t; k++)
            assert_int_equal(stands_for(&ring, kept, k, RN_IGNORE), k);
    }
    /* behind the last */
    assert_int_equal(stands_for(&ring, kept, 13, RN_CLAMP), 11);
    assert_int_equal(stands_for(&ring, kept, 13, RN_MIRROR), 9);
    assert_int_equal(stands_for(&ring, kept, 13, RN_ZERO), -1);
    assert_int_equal(stands_for(&ring, kept, 13, RN_WRAP), -1);
}

TEST(ring_begins)
{
    struct rn_ring ring;
    int64_t kept[5];
    rn_ring_reset(&ring, 5);
    for (int64_t t = -1; t < 2; t++) /* three frames, the first is -1 */
        kept[rn_ring_push(&ring, t)] = t;
    assert_int_equal(stands_for(&ring, kept, -3, RN_MIRROR), 1);
    assert_int_equal(stands_for(&ring, kept, -6, RN_MIRROR), 0); /* to and fro */
    assert_int_equal(rn_ring_find(&ring, -2, RN_IGNORE), -1);
    /* a gap begins anew */
    kept[rn_ring_push(&ring, 40)] = 40;
    assert_int_equal(stands_for(&ring, kept, 39, RN_CLAMP), 40);
    assert_int_equal(rn_ring_find(&ring, 1, RN_ZERO), -1);
    for (int i = 0; i < 5; i++)
        assert_int_equal(stands_for(&ring, kept, 38 + i, RN_MIRROR), 40);
}

GROUP(.quiet = true);
