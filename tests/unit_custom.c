/* SPDX-License-Identifier: MIT */
/* The filter that runs a user's own kernel: what it computes, and what happens when its file
 * changes under a running chain. WHOLE=1: every border with every format, and a hundred reloads. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "tests/unit.h"

#include <dlfcn.h>

#include "app/process/environment.h"
#include "filters/core/device/opencl.h"
#include "filters/core/runner/runner.h"
#include "tests/pictures.h"

static bool whole;
static int reloads;
static struct rn_device *dev;
static char path[64];  /* of the kernel under test; no character needs an escape */
static char root[512]; /* where the tests were started */

static struct rn_chain *parse(const char *options)
{
    return unit_chain(formatted("custom=%s%s", path, options));
}

static void expect_no_runner(struct rn_device *device, const char *text)
{
    struct rn_geom geom = geometry("gray", 4, 4);
    struct rn_runner *runner = NULL;
    unit_write(path, text);
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse("");
    assert_int_equal(rn_runner_open(&runner, device, chain, &geom, 1), RN_EDEVICE);
    assert_null(runner);
}

TEST(needs_a_device)
{
    expect_no_runner(NULL, "float filter(IN) { return PIXEL(0, 0); }\n");
}

/* ---- a running chain */

struct rig {
    struct rn_chain *chain;
    struct rn_analysis analysis;
    struct rn_runner *runner;
    struct rn_slot *slot;
    int64_t frame;
};

static struct rig rig_open(const char *text, const struct rn_geom *geom)
{
    struct rig rig = {.chain = unit_chain(text)};
    assert_int_equal(rn_chain_check(rig.chain, geom, &rig.analysis), 0);
    assert_int_equal(rn_runner_open(&rig.runner, dev, rig.chain, geom, 1), 0);
    rig.slot = rn_runner_slot(rig.runner, 0);
    return rig;
}

static struct rig rig_custom(const char *options, const struct rn_geom *geom)
{
    return rig_open(formatted("custom=%s%s", path, options), geom);
}

/* A chain of this kernel on 8-bit pictures of 3x2. */
static struct rig rig_of(const char *text, const char *options)
{
    struct rn_geom geom = geometry("gray", 3, 2);
    unit_write(path, text);
    return rig_custom(options, &geom);
}

static void rig_close(struct rig *rig)
{
    rn_runner_close(&rig->runner);
    rn_chain_destroy(&rig->chain);
}

/* Sample (x, y) of plane p that every frame shows. */
static int pattern(const struct rn_format *fmt, int p, int x, int y)
{
    struct rng rng = rng_seed((uint64_t)(p * 1000003 + y * 1009 + x));
    return rng_below(&rng, rn_format_max(fmt) + 1);
}

/* Passes what is in the slot as the next frame. */
static void rig_pass(struct rig *rig)
{
    rig->slot->frame = (struct rn_frame){.index = rig->frame++};
    assert_int_equal(rn_runner_submit(rig->runner, rig->slot), 0);
    if (rn_runner_delay(rig->runner))
        assert_int_equal(rn_runner_drain(rig->runner), 0);
    assert_int_equal(rn_runner_wait(rig->runner, rig->slot), 0);
}

static void rig_run(struct rig *rig)
{
    struct rn_image *in = &rig->slot->in;
    int bytes = rn_format_bytes(&in->geom.fmt);
    for (int p = 0; p < rn_format_planes(&in->geom.fmt); p++)
        for (int y = 0; y < in->plane[p].h; y++)
            for (int x = 0; x < in->plane[p].w; x++)
                rn_plane_put(&in->plane[p], bytes, x, y, pattern(&in->geom.fmt, p, x, y));
    rig_pass(rig);
}

static void rig_done(struct rig *rig)
{
    assert_int_equal(rn_runner_recycle(rig->runner, rig->slot), 0);
}

/* Of signed samples, floats and scans, PIXEL is the stored value. */
static void expect_scan(const char *format, bool scan, const float in[5], const float want[5])
{
    struct rn_geom geom = geometry(format, 5, 1);
    geom.scan = scan;
    geom.low = -1;
    geom.high = 1;
    enum rn_sample sample = rn_format_sample(&geom.fmt);
    OWNED(rig_close) struct rig rig = rig_custom("", &geom);
    for (int x = 0; x < 5; x++)
        rn_sample_put(&rig.slot->in.plane[0], sample, x, 0, in[x]);
    rig_pass(&rig);
    for (int x = 0; x < 5; x++) {
        float got = rn_sample_get(&rig.slot->out.plane[0], sample, x, 0);
        if (memcmp(&got, &want[x], sizeof got) != 0)
            fail_msg("%s: %g becomes %g, not %g", format, (double)in[x], (double)got,
                     (double)want[x]);
    }
    rig_done(&rig);
}

TEST(values_of_scans)
{
    static const char text[] = "float filter(IN) { return PIXEL(0, 0) * 1.5f + 1; }\n";
    static const char none[] = "float filter(IN) { return nan(0u); }\n";
    const float s16[] = {-30000, -1, 0, 1, 30000}, s16_out[] = {-32768, 0, 1, 2, 32767};
    const float f32[] = {-30000, INFINITY, 0.25f, 1, 1e30f};
    const float f32_out[] = {-44999, INFINITY, 1.375f, 2.5f, 1.5f * 1e30f};
    const float u12[] = {0, 1, 2, 1000, 4000}, u12_out[] = {1, 2, 4, 1501, 4095};
    unit_write(path, text);
    expect_scan("grays16", false, s16, s16_out);
    expect_scan("grayf32", false, f32, f32_out);
    expect_scan("gray12", true, u12, u12_out);
    unit_write(path, none);
    expect_scan("grays16", true, s16, (const float[]){-32768, -32768, -32768, -32768, -32768});
    expect_scan("gray12", true, u12, (const float[]){0, 0, 0, 0, 0});
    float n = rn_quiet(NAN);
    expect_scan("grayf32", true, f32, (const float[]){n, n, n, n, n});
}

/* ---- what it computes */

struct here {
    const struct rn_geom *geom;
    enum rn_border border;
    int p, x, y, frame;
};

typedef float filter_fn(const struct here *here);

/* PIXEL, in C. */
static float pixel(const struct here *here, int dx, int dy)
{
    int w, h;
    rn_geom_plane_size(here->geom, here->p, &w, &h);
    int x = rn_border_index(here->border, here->x + dx, w);
    int y = rn_border_index(here->border, here->y + dy, h);
    float step = 1 / (float)(1 << (here->geom->fmt.depth - 8));
    return x < 0 || y < 0 ? 0 : step * (float)pattern(&here->geom->fmt, here->p, x, y);
}

static int rounded(const struct rn_format *fmt, float v)
{
    float scaled = v * (float)(1 << (fmt->depth - 8)), max = (float)rn_format_max(fmt);
    return !(scaled > 0) ? 0 : (int)rintf(scaled < max ? scaled : max);
}

static void compare(const char *text, const char *options, filter_fn *fn, const char *format, int w,
                    int h, enum rn_border border)
{
    struct rn_geom geom = geometry(format, w, h);
    unit_write(path, text);
    OWNED(rig_close) struct rig rig = rig_custom(options, &geom);
    for (int frame = 0; frame < 2; frame++) {
        rig_run(&rig);
        for (int p = 0; p < rn_format_planes(&geom.fmt); p++) {
            const struct rn_plane *out = &rig.slot->out.plane[p];
            for (int y = 0; y < out->h; y++) {
                for (int x = 0; x < out->w; x++) {
                    struct here here = {&geom, border, p, x, y, frame};
                    bool done = rig.analysis.stage[0].traits.planes >> p & 1;
                    int got = rn_plane_get(out, rn_format_bytes(&geom.fmt), x, y);
                    int want = done ? rounded(&geom.fmt, fn(&here)) : pattern(&geom.fmt, p, x, y);
                    if (got != want)
                        fail_msg("%s %dx%d '%s': plane %d x %d y %d is %d, not %d", format, w, h,
                                 options, p, x, y, got, want);
                }
            }
        }
        rig_done(&rig);
    }
}

static const char *const formats[] = {"gray", "gray10", "gray16", "yuv420p", "gbrp12", "yuv422p16"};

static float unsharp(const struct here *here)
{
    float blur = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            blur += pixel(here, dx, dy);
    blur *= 1.0f / 9;
    float detail = pixel(here, 0, 0) - blur;
    if (fabsf(detail) < 3)
        detail = 0;
    return pixel(here, 0, 0) + 1.7f * detail;
}

static char *example(const char *name)
{
    static char text[8192];
    OWNED(rn_close_file_owned) FILE *f = fopen(formatted("%s/media/%s", root, name), "r");
    if (!f)
        return NULL;
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    return text;
}

/* Whether format i of n is taken with this border: each pair means another build, so the quick test
 * has every border and every format, and only the long one all pairs. */
static bool is_paired(int border, int i, int n)
{
    return whole || i % (RN_WRAP - RN_CLAMP + 1) == border - RN_CLAMP ||
           (border - RN_CLAMP) % n == i;
}

/* The example runs as it stands, with every border. */
TEST(example_sharpen)
{
    const char *text = example("sharpen.cl");
    if (!text)
        skip();
    for (int border = RN_CLAMP; border <= RN_WRAP; border++) {
        for (int i = 0; i < (whole ? 6 : 3); i++) {
            if (!is_paired(border, i, whole ? 6 : 3))
                continue;
            const char *options = formatted(":amount=1.7:threshold=3:border=%s:planes=%d",
                                            rn_border_names[border], i % 2 ? 7 : 0);
            compare(text, options, unsharp, formats[i], 37 + border, 19, (enum rn_border)border);
        }
    }
}

TEST(example_vignette)
{
    const char *text = example("vignette.cl");
    struct rn_geom geom = geometry("gray", 65, 33);
    if (!text)
        skip();
    unit_write(path, text);
    OWNED(rig_close) struct rig rig = rig_custom("", &geom);
    rig_run(&rig);
    const struct rn_plane *out = &rig.slot->out.plane[0];
    int x = geom.w / 2, y = geom.h / 2, corner = pattern(&geom.fmt, 0, 0, 0);
    assert_int_equal(rn_plane_get(out, 1, x, y), pattern(&geom.fmt, 0, x, y));
    assert_in_range(rn_plane_get(out, 1, 0, 0), corner / 2 - 1, corner * 2 / 3 + 1);
}

static float constants(const struct here *here)
{
    int w, h;
    rn_geom_plane_size(here->geom, here->p, &w, &h);
    return (float)(here->x + 2 * here->y + 3 * w + 5 * h + 7 * here->p + 11 * here->frame);
}

TEST(constants_and_helpers)
{
    for (int i = 0; i < (whole ? 6 : 2); i++)
        compare("//@param k 0 20 1 7\n"
                "float sum(IN, int a) { return X + 2 * Y + a * W + 5 * H + k * PLANE; }\n"
                "float filter(IN) { return sum(ARGS, 3) + 11 * FRAME; }\n",
                ":planes=15", constants, formats[i], 9, 4, RN_CLAMP);
}

static float far(const struct here *here)
{
    return pixel(here, -64, 0) * 0.5f + pixel(here, 64, 64) * 0.25f + pixel(here, 0, -64) * 0.125f;
}

TEST(far_reach)
{
    for (int border = RN_CLAMP; border <= RN_WRAP; border++) {
        const char *options = formatted(":border=%s", rn_border_names[border]);
        for (int i = 0; i < 3; i++)
            if (is_paired(border, i, 3))
                compare("//@reach 64\n"
                        "float filter(IN) {\n"
                        "  return PIXEL(-64, 0) * 0.5f + PIXEL(999 + 0 * X, 64) * 0.25f +\n"
                        "         PIXEL(0, -65 + 0 * X) * 0.125f;\n"
                        "}\n",
                        options, far, formats[i], 70, 67, (enum rn_border)border);
    }
}

static float half_steps(const struct here *here)
{
    float step = 1 / (float)(1 << (here->geom->fmt.depth - 8));
    return (float)here->x * 0.5f * step;
}

static float not_a_number(const struct here *here)
{
    return here->x % 3 == 0 ? 0 : here->x % 3 == 1 ? 300.0f : -300.0f;
}

TEST(rounding)
{
    compare("float filter(IN) { return X * 0.5f; }", "", half_steps, "gray", 20, 2, RN_CLAMP);
    compare("float filter(IN) { return X * 0.125f; }", "", half_steps, "gray10", 20, 2, RN_CLAMP);
    compare("float filter(IN) { return X * 0.001953125f; }", "", half_steps, "gray16", 20, 2,
            RN_CLAMP);
    for (int i = 0; i < (whole ? 3 : 1); i++)
        compare(
            "float filter(IN) { return X % 3 == 0 ? NAN : X % 3 == 1 ? 1e38f * 1e3f : -1e30f; }",
            "", not_a_number, formats[i], 20, 2, RN_CLAMP);
}

/* ---- knobs */

static int first_sample(struct rig *rig)
{
    rig_run(rig);
    int got = rn_plane_get(&rig->slot->out.plane[0], 1, 0, 0);
    rig_done(rig);
    return got;
}

TEST(knobs)
{
    OWNED(rig_close)
    struct rig rig = rig_of("//@param level 0 255 1 10\nfloat filter(IN) { return level; }\n", "");
    for (int i = 0; i < 20; i++) {
        assert_int_equal(rn_chain_set(rig.chain, 0, "level", formatted("%d", i * 12)), 0);
        assert_int_equal(rn_runner_update(rig.runner, rig.chain), 0);
        assert_int_equal(first_sample(&rig), i * 12);
    }
}

/* The kernel fits the samples it gets, also after the stage in front of it was switched off. */
TEST(depth_changes)
{
    struct rn_geom geom = geometry("gray", 3, 2);
    unit_write(path, "float filter(IN) { return X * 100; }\n");
    OWNED(rig_close)
    struct rig rig = rig_open(formatted("format=gray16,custom=%s,format=gray", path), &geom);
    for (int i = 0; i < 4; i++) {
        rn_chain_stage(rig.chain, 0)->on = !(i & 1);
        assert_int_equal(rn_runner_update(rig.runner, rig.chain), 0);
        rig_run(&rig);
        const struct rn_plane *out = &rig.slot->out.plane[0];
        assert_int_equal(rn_plane_get(out, 1, 0, 1), 0);
        assert_in_range(rn_plane_get(out, 1, 1, 1), 99, 100);
        assert_in_range(rn_plane_get(out, 1, 2, 1), 199, 200);
        rig_done(&rig);
    }
}

/* A kernel that gives a number, and one that adds another. */
static struct rn_chain *adding(int first, int second)
{
    int pid = (int)getpid(); /* nobody has built them before */
    const char *other = formatted("%s.other", path);
    unit_write(path, formatted("float filter(IN) { return %d + 0 * %d; }\n", first, pid));
    unit_write(other,
               formatted("float filter(IN) { return PIXEL(0, 0) + %d + 0 * %d; }\n", second, pid));
    struct rn_chain *chain = unit_chain(formatted("custom=%s,custom=%s", path, other));
    unlink(other);
    return chain;
}

/* The first kernel was replaced by one that was kept from before when the second one proves to be
 * unbuilt: the first one is built again. */
TEST(unbuilt)
{
    struct rn_geom geom = geometry("gray", 3, 2);
    OWNED(rn_chain_destroy)
    struct rn_chain *before = adding(1, 2), *kept = adding(3, 2), *other = adding(3, 4);
    bool taken = true;
    for (int i = 0; i < 2; i++) {
        OWNED(rn_runner_close) struct rn_runner *runner = NULL;
        assert_int_equal(rn_runner_open(&runner, dev, before, &geom, 1), 0);
        struct rig rig = {.runner = runner, .slot = rn_runner_slot(runner, 0)};
        if (i == 0)
            assert_int_equal(rn_runner_update(runner, kept), 0);
        else
            assert_int_equal(rn_runner_try(runner, other, false, &taken), 0);
        assert_int_equal(first_sample(&rig), i == 0 ? 5 : 3);
    }
    assert_false(taken);
}

/* ---- reloading */

/* Frames go on until the new file was noticed; each shows before or after, nothing else. */
static void await(struct rig *rig, int before, int after)
{
    bool changed = false;
    for (int i = 0; i < 500 && !changed; i++) {
        assert_int_equal(rn_runner_poll(rig->runner, rig->chain, &changed), 0);
        int got = first_sample(rig);
        if (changed ? got != after : got != before)
            fail_msg("the frame shows %d, %s", got, changed ? "after the reload" : "before it");
        if (!changed)
            usleep(10000);
    }
    assert_true(changed);
}

/* Saved in place and by renaming, good and bad in turn, all of the same length, so that only times,
 * the inode or the contents tell them apart. */
TEST(many_reloads)
{
    int shown = 0;
    OWNED(rig_close) struct rig rig = rig_of("float filter(IN) { return 000; }\n", "");
    assert_int_equal(first_sample(&rig), 0);
    for (int i = 1; i <= reloads; i++) {
        bool good = i % 3 != 0; /* three digits, like the name of what does not exist */
        const char *text = good ? formatted("float filter(IN) { return %d; }\n", 100 + i)
                                : "float filter(IN) { return abc; }\n";
        const char *saved = i & 1 ? formatted("%s~", path) : path;
        unit_write(saved, text);
        assert_int_equal(rename(saved, path), 0); /* of a file to itself: does nothing */
        int next = good ? 100 + i : shown;
        await(&rig, shown, next);
        shown = next;
        const char *alert = rn_runner_alert(rig.runner);
        if (good != !alert)
            fail_msg("round %d: alert '%s'", i, alert ? alert : "");
    }
}

/* Back to an earlier text: PoCL has it in its cache, among others. */
TEST(to_and_fro)
{
    OWNED(rig_close) struct rig rig = rig_of("float filter(IN) { return 7; }\n", "");
    for (int i = 0, shown = 7; i < 6; i++) {
        int next = i & 1 ? 7 : 9;
        unit_write(path, formatted("float filter(IN) { return %d; }\n", next));
        await(&rig, shown, next);
        shown = next;
    }
}

TEST(alerts)
{
    static const struct {
        const char *text, *says;
    } bad[] = {{"\n\nfloat filter(IN) { return nothing; }\n", ":3:"},
               {"float filter(IN) { return 1; \n", NULL},
               {"typedef int nothing;\n", "filter"},
               {"//@param gain 1 0 1 1\nfloat filter(IN) { return gain; }\n", ":1: //@param gain"},
               {"float away(float);\nfloat filter(IN) { return away(1); }\n", "away"},
               {"/* not closed\nfloat filter(IN) { return 1; }\n", NULL},
               {"float filter(IN)\n{\n    return 1\n}\n", ":3:"}};
    OWNED(rig_close) struct rig rig = rig_of("float filter(IN) { return 42; }\n", "");
    for (int i = 0; i < (whole ? 7 : 3); i++) {
        unit_write(path, bad[i].text);
        await(&rig, 42, 42);
        const char *says = bad[i].says, *alert = rn_runner_alert(rig.runner);
        if (!alert || (says && !strstr(alert, says)))
            fail_msg("'%s' gives '%s'", bad[i].text, alert ? alert : "(no alert)");
        if (says && says[0] == ':' && !strstr(alert, path))
            fail_msg("'%s' names no file", alert);
    }
    /* A file that is away or empty is no news. */
    bool changed;
    for (int i = 0; i < 2; i++) {
        if (i)
            unit_write(path, "");
        else
            unlink(path);
        usleep(110000);
        assert_int_equal(rn_runner_poll(rig.runner, rig.chain, &changed), 0);
        assert_false(changed);
        assert_int_equal(first_sample(&rig), 42);
    }
    unit_write(path, "float filter(IN) { return 43; }\n");
    await(&rig, 42, 43);
    assert_null(rn_runner_alert(rig.runner));
}

TEST(parameters_stay)
{
    OWNED(rig_close)
    struct rig rig = rig_of("//@param a 0 100 1 1\n//@param b 0 100 1 2\n//@param c 0 100 1 3\n"
                            "float filter(IN) { return a + b + c; }\n",
                            ":a=80:b=50");
    const struct rn_stage *stage = rn_chain_stage(rig.chain, 0);
    const struct rn_param *before = stage->table;
    assert_int_equal(first_sample(&rig), 133);
    /* b has become narrower and stands elsewhere, c has another default, d is new */
    unit_write(path, "//@param d 0 9 1 4 new\n//@param b 0 20 1 2\n//@param a 0 100 1 1\n"
                     "//@param c 0 100 1 5\nfloat filter(IN) { return a + b + c + d; }\n");
    await(&rig, 133, 80 + 20 + 5 + 4);
    assert_ptr_not_equal(stage->table, before);
    assert_string_equal(before[1].name, "a"); /* still readable */
    assert_string_equal(stage->table[1].name, "d");
    assert_true(unit_value(rig.chain, 0, "a") == 80 && unit_value(rig.chain, 0, "b") == 20);
    assert_true(unit_value(rig.chain, 0, "c") == 5);
    char *text = rn_chain_format(rig.chain);
    if (!text || !strstr(text, ":b=20:a=80"))
        fail_msg("the chain is %s", text);
    free(text);
    /* the same declarations keep their table; border and planes stay, a is gone */
    before = stage->table;
    unit_write(path, "//@param d 0 9 1 4 new\n//@param b 0 20 1 2\n//@param a 0 100 1 1\n"
                     "//@param c 0 100 1 5\nfloat filter(IN) { return 1; }\n");
    await(&rig, 109, 1);
    assert_ptr_equal(stage->table, before);
    assert_true(unit_value(rig.chain, 0, "a") == 80);
    unit_write(path, "//@reach 64\n//@param b 0 20 1 2\nfloat filter(IN) { return b; }\n");
    await(&rig, 1, 20);
    assert_null(rn_param_find(stage->table, "a"));
    assert_non_null(rn_param_find(stage->table, "planes"));
}

static int sources;

/* In place of OpenCL's own, which it calls. */
cl_program clCreateProgramWithSource(cl_context context, cl_uint n, const char **texts,
                                     const size_t *lengths, cl_int *code)
{
    __typeof__(&clCreateProgramWithSource) make;
    *(void **)&make = dlsym(RTLD_NEXT, "clCreateProgramWithSource");
    sources++;
    return make(context, n, texts, lengths, code);
}

TEST(bad_at_the_start)
{
    sources = 0;
    expect_no_runner(dev, "float filter(IN) { return nothing; }\n");
    assert_in_range(sources, 0, 1); /* what does not compile once is not tried again */
}

/* A change that does not build leaves the kernel and its parameters as they were. */
TEST(refused_changes)
{
    static const char *const behind[] = {"", ",closing=slices=1"};
    struct rn_geom geom = geometry("gray", 9, 5);
    for (int i = 0; i < 2; i++) {
        unit_write(path, "//@param level 0 255 1 40\nfloat filter(IN) { return level; }\n");
        OWNED(rig_close) struct rig rig = rig_custom(behind[i], &geom);
        unit_write(path, "//@param a 0 1 1 0\n//@param b 0 1 1 0\n//@reach 3\n"
                         "float filter(IN) { return nothing; }\n");
        OWNED(rn_chain_destroy) struct rn_chain *draft = parse(behind[i]);
        assert_int_equal(rn_runner_update(rig.runner, draft), RN_EDEVICE);
        for (int n = 0; n < 3; n++)
            assert_int_equal(first_sample(&rig), 40);
    }
}

static int open_device(void **state)
{
    whole = is_whole();
    reloads = whole ? 100 : 4; /* good by either way to save, and bad */
    rn_app_environment_prepare(0);
    if (!getcwd(root, sizeof root) || unit_enter_folder(state) || rn_device_open(&dev, NULL))
        return -1;
    snprintf(path, sizeof path, "%s/kernel.cl", unit_folder);
    return 0;
}

static int close_device(void **state)
{
    return unit_leave_folder(state) || rn_device_close(&dev);
}

GROUP(.quiet = true, .before_all = open_device, .after_all = close_device);
