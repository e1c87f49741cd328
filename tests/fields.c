/* SPDX-License-Identifier: MIT */
/* Interlaced frames: every filter that mixes lines gives the pixels of the separated fields, each
 * filtered as a picture of its own on the C reference path, and woven again; all others give those
 * of the whole frame. Both backends, every filter of the registry. WHOLE=1: optimized kernels.
 *
 *   fields [--device SEL] [--filter NAME] */
#include "tests/engine.h"
#include "tests/pictures.h"

enum { MOST = 7 }; /* frames */

static struct check check;
static struct rn_device *device;
static const char *only;
static bool expected; /* both kinds of frames are, from the start */

static const int heights[] = {18, 1, 5, 2, 7, 3, 6, 4, 33};
static const char *const formats[] = {"yuv420p", "gray16", "gbrp", "yuv422p10", "yuva420p"};

/* ---- pictures */

struct stream {
    struct rn_geom geom;
    int n;
    struct rn_image img[MOST];
    bool by_field[MOST];
};

static void make(struct stream *s, const struct rn_geom *geom, int n)
{
    *s = (struct stream){.geom = *geom, .n = n};
    for (int i = 0; i < n; i++) {
        if (rn_image_alloc(&s->img[i], geom))
            exit(1);
        paint(&s->img[i], 100 * geom->h + i);
    }
}

static void clear(struct stream *s)
{
    for (int i = 0; i < s->n; i++)
        rn_image_free(&s->img[i]);
    s->n = 0;
}

/* The even (0) or odd (1) lines of a plane as a plane of their own; h may become 0. */
static struct rn_plane lines_of(struct rn_plane p, int odd)
{
    return (struct rn_plane){p.data + odd * p.stride, 2 * p.stride, p.w, (p.h + 1 - odd) / 2};
}

/* ---- running */

/* Passes the frames from the first one on through a chain; out: of the chain's geometry. */
static int pass(struct rn_device *dev, const char *text, const struct stream *in, int first,
                bool by_field, struct stream *out)
{
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, text);
    struct rn_runner *r = NULL;
    struct rn_slot *slot = NULL;
    int err = chain ? rn_runner_open(&r, dev, chain, &in->geom, 1) : RN_EUSAGE;
    if (!err && by_field && expected)
        err = rn_runner_expect_fields(r, true);
    if (!err)
        make(out, rn_runner_output(r), in->n);
    for (int i = first; i <= in->n && !err; i++) {
        if (i < in->n) {
            slot = rn_runner_slot(r, i % rn_runner_nslots(r));
            rn_image_copy(&in->img[i], &slot->in);
            slot->frame = (struct rn_frame){
                .index = i, .pts = i, .time = i, .by_field = by_field && in->by_field[i]};
        }
        err = i < in->n ? rn_runner_submit(r, slot) : rn_runner_drain(r);
        while (!err && (slot = rn_runner_ready(r)) != NULL) {
            err = rn_runner_wait(r, slot);
            if (!err)
                rn_image_copy(&slot->out, &out->img[slot->frame.index]);
            err = err ? err : rn_runner_recycle(r, slot);
        }
    }
    rn_runner_close(&r);
    return err;
}

static void compare(const struct stream *got, const struct stream *want, const char *text,
                    const char *who)
{
    char name[24];
    struct rn_format fmt = want->geom.fmt;
    for (int i = 0, p, x, y; i < want->n; i++)
        if (find_difference(&got->img[i], &want->img[i], &p, &x, &y)) {
            check_bad(&check, "%s, %s %dx%d, %s: frame %d plane %d x %d y %d is %d, not %d", text,
                      rn_format_name(&fmt, name), want->geom.w, want->geom.h, who, i, p, x, y,
                      rn_plane_get(&got->img[i].plane[p], rn_format_bytes(&fmt), x, y),
                      rn_plane_get(&want->img[i].plane[p], rn_format_bytes(&fmt), x, y));
            return;
        }
}

/* first: 0 = the reference path and the device, 1 = the device alone. */
static int check_from(int first, const char *text, const struct stream *in,
                      const struct stream *want)
{
    int err = 0;
    for (int k = first; k < 2 && !err; k++) {
        OWNED(clear) struct stream got = {.n = 0};
        err = pass(k ? device : NULL, text, in, 0, true, &got);
        if (!err)
            compare(&got, want, text, k ? "device" : "reference");
    }
    return err;
}

/* ---- what is wanted */

/* Filters one field of one plane of all frames from the first that is marked on, as gray pictures,
 * and puts the frames that are marked into want. */
static int filter_field(struct rn_device *dev, const char *text, const struct stream *in, int p,
                        int odd, struct stream *want)
{
    struct stream field, out = {.n = 0};
    int first = 0, bytes = rn_format_bytes(&in->geom.fmt);
    struct rn_plane one = lines_of(in->img[0].plane[p], odd);
    struct rn_geom geom = geometry("gray", one.w, one.h);
    geom.fmt.depth = in->geom.fmt.depth;
    while (first < in->n && !in->by_field[first] && !expected)
        first++;
    if (!one.h || first == in->n)
        return 0;
    make(&field, &geom, in->n);
    for (int i = 0; i < in->n; i++) {
        one = lines_of(in->img[i].plane[p], odd);
        rn_plane_copy(&one, &field.img[i].plane[0], bytes);
    }
    int err = pass(dev, text, &field, first, false, &out);
    for (int i = first; i < in->n && !err; i++) {
        one = lines_of(want->img[i].plane[p], odd);
        if (in->by_field[i])
            rn_plane_copy(&out.img[i].plane[0], &one, bytes);
    }
    clear(&field);
    clear(&out);
    return err;
}

/* What a filter of all planes gives that keeps the format. dev: of the truth. */
static int filter_fields(struct rn_device *dev, const char *text, const struct stream *in,
                         struct stream *want)
{
    int first = 0, err;
    while (first < in->n && in->by_field[first] && !expected)
        first++;
    err = pass(dev, text, in, first, false, want); /* leaves room for the others */
    for (int p = 0; p < rn_format_planes(&in->geom.fmt); p++)
        for (int odd = 0; odd < 2 && !err; odd++)
            err = filter_field(dev, text, in, p, odd, want);
    return err;
}

static bool mixes_lines(const char *text, const struct rn_geom *geom)
{
    OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    struct rn_analysis a = {.n = 0};
    return !rn_chain_parse(&chain, text) && !rn_chain_check(chain, geom, &a) &&
           rn_mixes_lines(a.stage);
}

/* flags: of the frames, f = by field; over and over. */
static void try(struct rn_device *truth, const char *text, const char *format, int h,
                const char *flags)
{
    struct rn_geom geom = geometry(format, 21, h);
    OWNED(clear) struct stream in, want = {.n = 0};
    make(&in, &geom, (int)strlen(flags));
    for (int i = 0; i < in.n; i++)
        in.by_field[i] = flags[i] == 'f';
    int err = mixes_lines(text, &geom) ? filter_fields(truth, text, &in, &want)
                                       : pass(truth, text, &in, 0, false, &want);
    err = err ? err : check_from(truth != NULL, text, &in, &want);
    if (err)
        check_bad(&check, "%s, %s, %d lines: error %d", text, format, h, err);
}

/* ---- all filters */

/* Each value of the row, or a few that matter; "" after the last. */
static const char *value(const struct rn_param *row, int i, char buf[32])
{
    static const char *const small[] = {"2", "3"};
    if (row->type == RN_CHOICE)
        return i <= row->max ? row->choices[i] : "";
    if (row->type == RN_INT && row->max >= 3 && row->min <= 2)
        return i < 1 + !strcmp(row->name, "radius") ? small[i] : "";
    if (i > 0 || row->type != RN_FLOAT)
        return "";
    snprintf(buf, 32, "%.6g", row->def + row->step > row->max ? row->def : row->def + row->step);
    return buf;
}

static void one_filter(const struct rn_stage_desc *desc, int *turn)
{
    char buf[32];
    const struct rn_geom geom = geometry("gray", 21, 18);
    if (mixes_lines(desc->name, &geom) != (rn_param_find(desc->params, "border") != NULL))
        check_bad(&check, "%s: a filter with a border mixes lines, and no other", desc->name);
    for (int i = 0; i < COUNT(heights); i++)
        try(NULL, formatted("%s=planes=15", desc->name), formats[(*turn)++ % COUNT(formats)],
            heights[i], "fwf");
    for (const struct rn_param *row = desc->params; row->name; row++) {
        if (!strcmp(row->name, "planes"))
            continue;
        for (int i = 0; *value(row, i, buf); i++, ++*turn) {
            const char *text =
                formatted("%s=planes=15:%s=%s", desc->name, row->name, value(row, i, buf));
            bool across = !strcmp(row->name, "slices");
            try(NULL, text, formats[*turn % COUNT(formats)], heights[*turn % COUNT(heights)],
                across ? "ffffff" : "ff");
        }
    }
    check_end(&check, "%s", desc->name);
}

/* But conversions of formats, which have no planes and a test of their own. */
static void each_filter(void)
{
    int turn = 0;
    for (int i = 0; rn_registry[i]; i++)
        if (!rn_registry[i]->reload && rn_param_find(rn_registry[i]->params, "planes") &&
            (!only || !strcmp(only, rn_registry[i]->name)))
            one_filter(rn_registry[i], &turn);
}

static void combinations(void)
{
    static const char *const texts[] = {
        "closing=planes=15:radius=2:iterations=2:border=zero",
        "opening=planes=15:shape=cross:radius=2:border=mirror",
        "median=planes=15:radius=2:border=wrap",
        "network=planes=15:file=media/denoise.safetensors",
        "boxblur=planes=15:radius=30:border=mirror",
        "convolution=planes=15:size=1x7:matrix='1 -6 15 20 15 6 1':border=wrap",
        "convolution=planes=15:matrix='1 4 6 4 1 4 16 24 16 4 6 24 36 24 6 4 16 24 16 4 1 4 6 4 "
        "1'"};
    for (int i = 0; i < COUNT(texts); i++)
        for (int k = 0; k < 3; k++)
            try(NULL, texts[i], formats[(i + k) % COUNT(formats)], heights[(2 * i + k) % 9], "fwf");
    check_end(&check, "larger elements, iterations, borders");
}

static void across_frames(bool both)
{
    static const char *const texts[] = {
        "closing=planes=15:slices=1",
        "erosion=planes=15:slices=2:shape=disk:radius=2:border=clamp",
        "opening=planes=15:slices=1:iterations=2:border=zero",
        "closing=planes=15:slices=1:border=zero",
        "tophat=planes=15:slices=1:border=mirror",
        "median=planes=15:slices=1:percentile=30"};
    static const char *const flags[] = {"fffffff", "wffwwfw", "fwwwwff", "wwwff"};
    expected = both;
    for (int i = 0; i < COUNT(texts); i++)
        for (int k = 0; k < COUNT(flags); k++)
            try(NULL, texts[i], formats[(i + k) % COUNT(formats)], heights[(i + 3 * k) % 9],
                flags[k]);
    check_end(&check, "across frames: the same fields of the neighbours%s",
              both ? ", whatever those are" : " since the first such frame");
    expected = false;
}

/* ---- conversions: fields as pictures of three planes */

static void convert(const char *from, const char *text, int h)
{
    struct rn_geom geom = geometry(from, 22, h);
    OWNED(clear) struct stream in, want = {.n = 0};
    make(&in, &geom, 1);
    in.by_field[0] = true;
    int err = pass(NULL, text, &in, 0, false, &want);
    for (int odd = 0; odd < 2 && !err; odd++) {
        struct rn_geom half = geometry(from, 22, (h + 1 - odd) / 2);
        OWNED(clear) struct stream field, out = {.n = 0};
        make(&field, &half, 1);
        for (int p = 0; p < rn_format_planes(&geom.fmt); p++) {
            struct rn_plane one = lines_of(in.img[0].plane[p], odd);
            rn_plane_copy(&one, &field.img[0].plane[p], rn_format_bytes(&geom.fmt));
        }
        err = pass(NULL, text, &field, 0, false, &out);
        for (int p = 0; p < rn_format_planes(&want.geom.fmt) && !err; p++) {
            struct rn_plane one = lines_of(want.img[0].plane[p], odd);
            rn_plane_copy(&out.img[0].plane[p], &one, rn_format_bytes(&want.geom.fmt));
        }
    }
    err = err ? err : check_from(0, text, &in, &want);
    if (err)
        check_bad(&check, "%s of %s, %d lines: error %d", text, from, h, err);
}

static void conversions(void)
{
    static const char *const pairs[][2] = {
        {"yuv420p", "format=gbrp"},      {"yuv420p", "format=yuv444p"},
        {"yuv422p10", "format=yuv420p"}, {"yuv444p", "format=yuv420p"},
        {"yuv420p", "format=gray"},      {"gbrp", "format=yuv422p"}};
    static const int lines[] = {3, 4, 5, 7, 8, 12};
    for (int i = 0; i < COUNT(pairs); i++)
        for (int k = 0; k < COUNT(lines); k++)
            convert(pairs[i][0], pairs[i][1], lines[k]);
    check_end(&check, "chroma goes with the lines of its own field");
}

/* ---- the user's kernels */

static void custom(void)
{
    static const struct {
        const char *text, *what;
    } kernels[] = {
        {"//@reach 1\nfloat filter(IN) { return (PIXEL(0, -1) + 3 * PIXEL(0, 1)) / 4; }\n",
         "custom with a reach"},
        {"float filter(IN) { return PIXEL(0, 0) * Y / H; }\n", "custom without: whole pictures"}};
    for (int i = 0; i < COUNT(kernels) && device; i++) {
        char path[] = "/tmp/runnel-fields-XXXXXX";
        int fd = mkstemp(path);
        FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
        if (!f || fputs(kernels[i].text, f) < 0 || fclose(f))
            check_bad(&check, "cannot write %s", path);
        for (int k = 0; k < 3; k++)
            try(device, formatted("custom=%s:planes=15", path), formats[k], heights[k], "fwf");
        unlink(path);
        check_end(&check, "%s", kernels[i].what);
    }
}

/* ---- chains, changes, counts */

/* A chain is the same as its filters one after the other. */
static void chained(void)
{
    static const char *const stages[] = {"blur=1.5:planes=15", "noise=sigma=20:planes=15",
                                         "erosion=slices=1:planes=15", "equalize=planes=15",
                                         "sharpen"};
    struct rn_geom geom = geometry("yuv420p", 21, 13);
    struct stream in, now;
    char text[256] = "";
    int err = 0;
    make(&in, &geom, 4);
    make(&now, &geom, 4);
    for (int i = 0; i < in.n; i++)
        in.by_field[i] = i != 1; /* both streams are painted alike */
    for (int i = 0; i < COUNT(stages) && !err; i++) {
        struct stream next = {.n = 0};
        memcpy(now.by_field, in.by_field, sizeof now.by_field);
        err = pass(NULL, stages[i], &now, 0, true, &next);
        clear(&now);
        now = next;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? "," : "", stages[i]);
    }
    err = err ? err : check_from(0, text, &in, &now);
    CHECK_EQ(&check, err, 0);
    clear(&in);
    clear(&now);
    check_end(&check, "a chain");
}

/* What the counts say of two frames, the second of which is interlaced. */
static int64_t counted(const char *text)
{
    struct rn_geom geom = geometry("gray", 16, 16);
    struct rn_timings t = {0};
    OWNED(rn_chain_destroy) struct rn_chain *chain = parse_chain(&check, text);
    OWNED(rn_runner_close) struct rn_runner *r = NULL;
    int err = chain ? rn_runner_open(&r, NULL, chain, &geom, 1) : RN_EUSAGE;
    for (int i = 0; i < 2 && !err; i++) {
        struct rn_slot *slot = rn_runner_slot(r, 0);
        slot->frame = (struct rn_frame){.index = i, .by_field = i > 0};
        err = rn_runner_submit(r, slot);
        err = err ? err : rn_runner_wait(r, slot);
        if (!err && rn_runner_by_field(r, slot) != (i > 0 && strstr(text, "blur=1")))
            check_bad(&check, "%s: frame %d is told wrongly", text, i);
        err = err ? err : rn_runner_recycle(r, slot);
    }
    CHECK_EQ(&check, err, 0);
    if (r)
        rn_runner_timings(r, &t);
    return t.by_field;
}

static void counts(void)
{
    CHECK_EQ(&check, counted("blur=1"), 1);
    CHECK_EQ(&check, counted("invert,blur=1,stats"), 1);
    CHECK_EQ(&check, counted("invert,stats,noise"), 0);
    CHECK_EQ(&check, counted("blur=enable=0"), 0);
    CHECK_EQ(&check, counted(""), 0);
    check_end(&check, "only frames count whose fields some filter took one by one");
}

/* A parameter that changes between frames, with fields bound already: those of a fresh runner. */
static void change(struct rn_device *dev)
{
    struct rn_geom geom = geometry("gray", 21, 9);
    struct stream in, want = {.n = 0};
    OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    OWNED(rn_runner_close) struct rn_runner *r = NULL;
    struct rn_slot *slot;
    make(&in, &geom, 3);
    memset(in.by_field, 1, sizeof in.by_field);
    int err = pass(NULL, "erosion=radius=3:slices=1", &in, 0, true, &want);
    err = err ? err : rn_chain_parse(&chain, "erosion=radius=1:slices=1");
    err = err ? err : rn_runner_open(&r, dev, chain, &geom, 4);
    for (int round = 0; round < 2 && !err; round++) {
        for (int i = 0; i < in.n && !err; i++) {
            slot = rn_runner_slot(r, i);
            rn_plane_copy(&in.img[i].plane[0], &slot->in.plane[0], 1);
            slot->frame = (struct rn_frame){.index = i, .by_field = true};
            err = rn_runner_submit(r, slot);
        }
        err = err ? err : rn_runner_drain(r);
        while (!err && (slot = rn_runner_ready(r)) != NULL) {
            err = rn_runner_wait(r, slot);
            if (round && !err && hash(&slot->out) != hash(&want.img[slot->frame.index]))
                check_bad(&check, "frame %d is another one", (int)slot->frame.index);
            err = err ? err : rn_runner_recycle(r, slot);
        }
        err = err ? err : rn_chain_set(chain, 0, "radius", "3");
        err = err ? err : rn_runner_update(r, chain);
    }
    CHECK_EQ(&check, err, 0);
    clear(&in);
    clear(&want);
    check_end(&check, "a change of a parameter%s", dev ? ", on the device" : "");
}

int main(int argc, char **argv)
{
    only = option(argc, argv, "--filter");
    if (open_device(&device, option(argc, argv, "--device")))
        return 5;
    each_filter();
    if (!only) {
        combinations();
        across_frames(false);
        across_frames(true);
        conversions();
        custom();
        chained();
        counts();
        change(NULL);
        change(device);
    }
    return close_device(&device, &check);
}
