/* SPDX-License-Identifier: MIT */
/* The text of chains: its tokens against FFmpeg's own tokenizer, its round trip, its refusals. */
#include "tests/unit.h"

#include <libavutil/avstring.h>
#include <libavutil/mem.h>

#include "filters/core/chain/chain_internal.h"
#include "filters/core/chain/level.h"
#include "tests/pictures.h"

static const char *const stops[] = {"=,;[", "[],;", ":", ",", ""};

static void compare_tokens(const char *text, const char *stop)
{
    const char *p = text, *q = text;
    for (int i = 0; i < 100; i++) {
        char *ours = rn_token(&p, stop), *theirs = av_get_token(&q, stop);
        assert_non_null(ours);
        assert_non_null(theirs);
        if (strcmp(ours, theirs) != 0 || p != q)
            fail_msg("'%s' stop '%s': '%s' then '%s', FFmpeg '%s' then '%s'", text, stop, ours, p,
                     theirs, q);
        free(ours);
        av_free(theirs);
        if (!*p)
            break;
        p++;
        q++;
    }
}

TEST(tokens_by_hand)
{
    static const char *const shorter[] = {
        "",      " ",      "  \t\n ", "a",     " a ",     "a b",    " a b  ", "a,b",    "a , b",
        "'a'",   "'a b'",  "' a '",   "'a,b'", "'a'b",    "a'b'",   "a'b'c",  "a''b",   "''",
        "' '",   "'",      "a'",      "'a",    "'a,b",    "\\",     "a\\",    "\\a",    "\\\\",
        "\\,",   "a\\,b",  "\\'",     "'\\'",  "'a\\'b'", "'\\\\'", "a\\ ",   "a\\  ",  " \\ a",
        "\\ ",   "a \\ b", "a' '",    "a' ' ", "a ' ' b", "' a'  ", "\\ \\ ", "a\\\nb", "a\tb",
        "\r\na", "a\r\n",  "a;b",     "a[b]",  "[in]a",   "a==b",   "=,;",    ",,",     "::",
        "'::',", "'''",    "''''",    "a'b,c", "\\\\\\,x"};
    static const char *const longer[] = {"a=b:c=d,e",
                                         "a='b:c':d",
                                         "a=b\\:c:d",
                                         "a=b\\\\:c",
                                         "'a'\\''b'",
                                         "\\'a,b\\'",
                                         " ' \\ ' , b",
                                         "file=C\\\\:/x",
                                         "file='C\\:/x'",
                                         "\xc3\xa4,\xc3\xb6",
                                         "name=matrix='1 2 3':div=4"};
    for (int k = 0; k < COUNT(stops); k++) {
        for (int i = 0; i < COUNT(shorter); i++)
            compare_tokens(shorter[i], stops[k]);
        for (int i = 0; i < COUNT(longer); i++)
            compare_tokens(longer[i], stops[k]);
    }
}

TEST(tokens_at_random)
{
    static const char alphabet[] = "ab '\\':,;=[] \t\n\\'@1.";
    struct rng rng = rng_seed(7);
    for (int i = 0; i < 100000; i++) {
        char text[24];
        int n = rng_below(&rng, (int)sizeof text);
        for (int k = 0; k < n; k++)
            text[k] = alphabet[rng_below(&rng, (int)sizeof alphabet - 1)];
        text[n] = '\0';
        compare_tokens(text, stops[rng_below(&rng, 5)]);
    }
}

/* ---- chains */

static void assert_value(const struct rn_stage *stage, const char *name, const char *want)
{
    char buf[256];
    const struct rn_param *row = rn_param_find(stage->desc->params, name);
    if (!row)
        fail_msg("%s has no %s", stage->desc->name, name);
    assert_string_equal(rn_param_format(row, stage->params, buf, sizeof buf), want);
}

TEST(empty_chains)
{
    static const char *const texts[] = {NULL, "", "  ", "\n"};
    for (int i = 0; i < 4; i++) {
        OWNED(rn_chain_destroy) struct rn_chain *c = unit_chain(texts[i]);
        assert_int_equal(c->n, 0);
        unit_expect_chain(c, "");
        rn_chain_destroy(&c);
        assert_null(c);
    }
}

TEST(names_labels_values)
{
    OWNED(rn_chain_destroy)
    struct rn_chain *c = unit_chain(" closing@holes=shape=disk:radius=4 , erosion ,"
                                    "convolution=matrix='1 2 1 2 4 2 1 2 1':div=0:border=mirror");
    assert_int_equal(c->n, 3);
    assert_string_equal(c->stage[0]->label, "holes");
    assert_value(c->stage[0], "shape", "disk");
    assert_value(c->stage[0], "radius", "4");
    assert_value(c->stage[0], "border", "ignore");
    assert_null(c->stage[1]->label);
    assert_value(c->stage[2], "matrix", "1 2 1 2 4 2 1 2 1");
    assert_value(c->stage[2], "border", "mirror");
    rn_chain_destroy(&c);
    c = unit_chain("erosion=radius=2:"); /* FFmpeg takes a colon at the end */
    assert_value(c->stage[0], "radius", "2");
}

TEST(positional_values)
{
    for (int i = 0; rn_registry[i]; i++) {
        const struct rn_param *row = rn_registry[i]->params;
        char value[64];
        if (!row->name || rn_registry[i]->reload) /* its file is not there */
            continue;
        struct rn_stage *s = rn_stage_create(rn_registry[i]);
        rn_param_format(row, s->params, value, sizeof value);
        rn_stage_destroy(&s);
        OWNED(rn_chain_destroy)
        struct rn_chain *c = unit_chain(
            formatted("%s=%s", rn_registry[i]->name, row->type == RN_TEXT ? "xyz" : value));
        if (row->type == RN_TEXT)
            assert_value(c->stage[0], row->name, "xyz");
    }
}

/* Every filter can be off; nothing but the switch changes, and the text says so. */
TEST(switched_off)
{
    for (int i = 0; rn_registry[i]; i++) {
        const char *text = formatted("%s@a=enable=0", rn_registry[i]->name);
        OWNED(rn_chain_destroy) struct rn_chain *c = unit_chain(text);
        assert_int_equal(c->stage[0]->on, 0);
        unit_expect_chain(c, text);
        assert_int_equal(rn_chain_set(c, 0, "enable", "1"), 0);
        assert_int_equal(c->stage[0]->on, 1);
        unit_expect_chain(c, formatted("%s@a", rn_registry[i]->name));
    }
}

/* A line of a text that begins with # would be a comment in a chain file. */
TEST(no_line_is_a_comment)
{
    OWNED(rn_chain_destroy) struct rn_chain *c = unit_chain("stats=file='a\n#b#c'");
    OWNED(rn_free_owned) char *printed = rn_chain_format(c);
    assert_null(strstr(printed, "\n#"));
    OWNED(rn_chain_destroy) struct rn_chain *again = unit_chain(printed);
    assert_value(again->stage[0], "file", "a\n#b#c");
}

/* Off or on, the parameters are checked for the input; off, its format stays. */
TEST(checked_when_off)
{
    struct rn_geom geom = geometry("yuv420p", 64, 48);
    struct rn_analysis analysis;
    OWNED(rn_chain_destroy) struct rn_chain *c = unit_chain("format=gray:enable=0,erosion");
    assert_int_equal(rn_chain_check(c, &geom, &analysis), 0);
    assert_true(rn_geom_equal(&analysis.out, &geom));
    rn_chain_destroy(&c);
    c = unit_chain("convolution=matrix='1 2':enable=0");
    assert_int_equal(rn_chain_check(c, &geom, &analysis), RN_EUSAGE);
}

static void random_text(struct rng *rng, char *out, int size)
{
    static const char alphabet[] = "ab 12'\\:,;=[]@\t#%\n";
    int n = rng_below(rng, size);
    for (int i = 0; i < n; i++)
        out[i] = alphabet[rng_below(rng, (int)sizeof alphabet - 1)];
    out[n] = '\0';
}

static void fill_at_random(struct rng *rng, struct rn_stage *s)
{
    for (const struct rn_param *row = s->desc->params; row->name; row++) {
        char *at = (char *)s->params + row->off, text[24];
        if (rng_below(rng, 2))
            continue;
        if (row->type == RN_TEXT) {
            if (row->contents) /* such a file has to exist */
                strcpy(text, "/dev/null");
            else
                random_text(rng, text, (int)sizeof text);
            assert_int_equal(rn_param_parse(row, "t", text, s->params), 0);
        } else if (row->type == RN_FLOAT) {
            float v = (float)(row->min + rng_unit(rng) * (row->max - row->min));
            memcpy(at, &v, sizeof v);
        } else {
            int v = (int)row->min + rng_below(rng, (int)(row->max - row->min) + 1);
            memcpy(at, &v, sizeof v);
        }
    }
}

TEST(chains_survive_text)
{
    struct rng rng = rng_seed(3);
    int nstages = 0;
    while (rn_registry[nstages])
        nstages++;
    for (int round = 0; round < 2000; round++) {
        OWNED(rn_chain_destroy) struct rn_chain *a = unit_chain(NULL);
        int n = rng_below(&rng, 5);
        for (int i = 0; i < n; i++) {
            const struct rn_stage_desc *desc = rn_registry[rng_below(&rng, nstages)];
            if (desc->reload) /* takes names of files that exist: see unit_custom.c */
                continue;
            struct rn_stage *s = rn_chain_append(a, desc->name);
            assert_non_null(s);
            fill_at_random(&rng, s);
            s->on = rng_below(&rng, 2);
            if (!rng_below(&rng, 3))
                s->label = strdup("label1");
        }
        unit_expect_read_back(a);
    }
}

/* geom: checking for it may refuse what parsing has not, before anything is built. */
static void expect_refused(const char *text, const struct rn_geom *geom)
{
    OWNED(rn_chain_destroy) struct rn_chain *c;
    struct rn_analysis analysis;
    int err = rn_chain_parse(&c, text);
    err = err || !geom ? err : rn_chain_check(c, geom, &analysis);
    if (err != RN_EUSAGE)
        fail_msg("'%s' gives %d", text, err);
}

TEST(refusals)
{
    static const char *const texts[] = {"nothing",      "convolutoin",     "erosion,",
                                        ",erosion",     "erosion;erosion", "[in]erosion",
                                        "erosion[out]", "gray=0"};
    static const char *const longer[] = {"erosion,,erosion", "erosion,enable=0",
                                         "@/nonexistent/file", "convolution=border=ignore"};
    static const char *const of_erosion[] = {
        "radius=0",   "radius=32",         "radius=x",          "radius=",        "radius=nan",
        "radius=1.5", "raduis=1",          "shape=round",       "border=none",    "radius=1:square",
        "planes=16",  "planes=-1",         "enable=2",          "enable=-1",      "enable=0.5",
        "enable=",    "enable=0:enable=0", "radius=0:enable=0", "enable=0:square"};
    for (int i = 0; i < COUNT(texts); i++)
        expect_refused(texts[i], NULL);
    for (int i = 0; i < COUNT(longer); i++)
        expect_refused(longer[i], NULL);
    for (int i = 0; i < COUNT(of_erosion); i++)
        expect_refused(formatted("erosion=%s", of_erosion[i]), NULL);
}

TEST(convolution_refusals)
{
    static const char *const options[] = {"matrix='1 2'",
                                          "matrix='1 2 3 4'",
                                          "matrix='1 2 3 4 5 6 7 8 9 10'",
                                          "matrix='1 2 3 nan 5 6 7 8 9'",
                                          "matrix='1 2 3 inf 5 6 7 8 9'",
                                          "matrix='1 2 3 x 5 6 7 8 9'",
                                          "matrix='1,2,3'",
                                          "preset=outlin",
                                          "size=2x2:matrix='1 2 3 4'",
                                          "size=3x3:matrix='1 2 3'",
                                          "size=131x1:matrix='1'",
                                          "size=3:matrix='1 2 3'",
                                          "size=0x0:matrix='1'",
                                          "size=-1x-1:matrix='1'",
                                          "file=/nonexistent/matrix.txt",
                                          "matrix='1e39 0 0 0 0 0 0 0 0'",
                                          "div=nan",
                                          "bias=inf"};
    struct rn_geom geom = geometry("gray", 64, 48);
    char eighty_two[400] = "convolution=matrix='";
    for (int i = 0; i < 82; i++)
        strcat(eighty_two, "1 ");
    expect_refused(strcat(eighty_two, "'"), &geom);
    for (int i = 0; i < COUNT(options); i++)
        expect_refused(formatted("convolution=%s", options[i]), &geom);
}

TEST(too_many_stages)
{
    char text[40 * 8] = "gray";
    struct rn_chain *c;
    for (int i = 1; i < RN_MAX_STAGES; i++)
        strcat(text, ",gray");
    c = unit_chain(text);
    assert_int_equal(c->n, RN_MAX_STAGES);
    assert_null(rn_chain_append(c, "gray"));
    rn_chain_destroy(&c);
    strcat(text, ",gray");
    assert_int_equal(rn_chain_parse(&c, text), RN_EUSAGE);
}

TEST(chain_files)
{
    assert_int_equal(unit_enter_folder(NULL), 0);
    unit_write("f", "# a comment\nerosion=radius=2,\n# another, with 'quotes\ndilation\n");
    OWNED(rn_chain_destroy) struct rn_chain *c = unit_chain("@f");
    assert_int_equal(c->n, 2);
    assert_value(c->stage[0], "radius", "2");
    assert_string_equal(c->stage[1]->desc->name, "dilation");
    assert_int_equal(unit_leave_folder(NULL), 0);
}

TEST(other_stages)
{
    OWNED(rn_chain_destroy)
    struct rn_chain *c = unit_chain("erosion@e=radius=2,invert"), *was = rn_chain_copy(c);
    assert_int_equal(rn_chain_insert(c, 2, "blur=sigma=3,median"), 0);
    unit_expect_chain(c, "erosion@e=radius=2,invert,blur=sigma=3,median");
    assert_false(rn_chain_binds_alike(c, was));
    assert_int_equal(rn_chain_insert(c, 0, "blur=sigma=-3"), RN_EUSAGE);
    assert_int_equal(rn_chain_insert(c, 0, " "), RN_EUSAGE);
    assert_int_equal(rn_chain_move(c, 0, 3), 0);
    unit_expect_chain(c, "invert,blur=sigma=3,median,erosion@e=radius=2");
    assert_int_equal(rn_chain_move(c, 2, 0), 0);
    unit_expect_chain(c, "median,invert,blur=sigma=3,erosion@e=radius=2");
    assert_int_equal(rn_chain_move(c, 0, 4), RN_EUSAGE);
    assert_int_equal(rn_chain_move(c, -1, 0), RN_EUSAGE);
    assert_int_equal(rn_chain_duplicate(c, 3), 0);
    assert_int_equal(rn_chain_remove(c, 0), 0);
    assert_int_equal(rn_chain_remove(c, 1), 0);
    assert_int_equal(rn_chain_remove(c, 3), RN_EUSAGE);
    unit_expect_chain(c, "invert,erosion@e=radius=2,erosion@e=radius=2");
    while (c->n < RN_MAX_STAGES)
        assert_int_equal(rn_chain_duplicate(c, 0), 0);
    assert_int_equal(rn_chain_duplicate(c, 0), RN_EUSAGE);
    assert_int_equal(rn_chain_insert(c, 0, "invert"), RN_EUSAGE);
    assert_int_equal(c->n, RN_MAX_STAGES);
    rn_chain_destroy(&c);
    c = rn_chain_copy(was);
    c->stage[0]->on = 0;
    assert_true(rn_chain_binds_alike(c, was));
    assert_int_equal(rn_chain_set(c, 0, "slices", "1"), 0); /* fixed */
    assert_false(rn_chain_binds_alike(c, was));
}

TEST(names_of_others)
{
    assert_string_equal(rn_registry_alias("negate")->name, "invert");
    assert_string_equal(rn_registry_alias("gaussian blur")->name, "blur");
    assert_null(rn_registry_alias("gaussian"));
    assert_null(rn_registry_alias(""));
    for (int i = 0; rn_registry[i]; i++) {
        assert_non_null(rn_registry[i]->aliases);
        assert_null(rn_registry_alias(rn_registry[i]->name));
    }
}

/* Every place of a slider is a value that the row takes, and no other is nearer to it. */
static void slide_row(const struct rn_param *row, struct rn_stage *stage,
                      const struct rn_geom *geom)
{
    double place = rn_level_place(row, stage->params, geom), last = -1;
    for (int i = 0; i <= 10 && !isnan(place); i++) {
        char text[64];
        rn_level_slide(row, stage->params, geom, 0.1 * i);
        place = rn_level_place(row, stage->params, geom);
        assert_true(place >= last);
        last = place;
        rn_param_format(row, stage->params, text, sizeof text);
        assert_int_equal(rn_stage_set(stage, row, text), 0);
        if (i % 10 == 0)
            assert_true(fabs(place - 0.1 * i) < 0.02);
    }
}

TEST(sliders)
{
    const struct rn_geom geom = geometry("gray", 64, 48);
    for (int i = 0; rn_registry[i]; i++) {
        OWNED(rn_stage_destroy) struct rn_stage *stage = rn_stage_create(rn_registry[i]);
        for (const struct rn_param *row = stage->table; row->name; row++)
            slide_row(row, stage, &geom);
    }
    OWNED(rn_chain_destroy) struct rn_chain *c = unit_chain("blur");
    const struct rn_param *sigma = rn_param_find(c->stage[0]->table, "sigma");
    rn_level_slide(sigma, c->stage[0]->params, &geom, 0.5);
    double middle = rn_param_number(sigma, c->stage[0]->params);
    assert_true(fabs(middle - sqrt(sigma->min * sigma->max)) <= sigma->step);
}

/* No text may crash the parser; what it accepts has to survive a round trip. */
TEST(rubbish)
{
    static const char *const words[] = {
        "erosion", "convolution", "stats", "=",    ":", ",", "'", "\\",     " ",
        "radius",  "3",           "shape", "disk", "@", ";", "[", "matrix", "1 2"};
    struct rng rng = rng_seed(11);
    for (int i = 0; i < 20000; i++) {
        char text[256] = "";
        int n = rng_below(&rng, 12);
        for (int k = 0; k < n; k++)
            strcat(text, words[rng_below(&rng, 18)]);
        if (text[0] == '@')
            continue;
        OWNED(rn_chain_destroy) struct rn_chain *chain;
        if (rn_chain_parse(&chain, text))
            continue;
        unit_expect_read_back(chain);
    }
}

GROUP(.quiet = true);
