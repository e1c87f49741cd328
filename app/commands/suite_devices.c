/* SPDX-License-Identifier: MIT */
#include "app/commands/bench_report.h"

#include "filters/base/owned.h"
#include "filters/base/text/printable.h"

#define USUAL_CHAIN "convolution=preset=sharpen,closing=shape=disk:radius=2,stats"
#define QUICK_BYTES (1 << 20)
#define NAME_WIDTH  28
#define WIDTH       11 /* of a column, after a blank */
#define BLOCK       4  /* columns side by side: 76 characters */

/* A device, or plain C. */
struct column {
    char select[24]; /* what -d takes */
    struct rn_device_info info;
    bool plain, failed;
    struct rn_speed speed;
    struct rn_tick tick;
    struct rn_stream_result stream;
};

struct table {
    struct column *column;
    int n;
    struct rn_stream_case stream;
};

/* ---- measuring */

static int measure(const struct rn_app_suite *s, const struct table *t, struct column *c)
{
    struct rn_device *dev = NULL;
    const struct rn_stream_opts opts = {.devs = &dev,
                                        .ndevs = !c->plain,
                                        .inflight = s->cli->inflight,
                                        .repeats = s->repeats,
                                        .seconds = s->cli->quick ? 0.02 : 1.0};
    char what[64];
    snprintf(what, sizeof what, "device %s", c->select);
    rn_app_suite_show_status(what);
    int err = rn_device_open(&dev, c->select);
    err = err ? err : rn_speed_measure(dev, s->cli->quick ? QUICK_BYTES : 0, s->repeats, &c->speed);
    err = err ? err : rn_tick(dev, &c->tick);
    err = err ? err : rn_stream_measure(&t->stream, &opts, &c->stream);
    err = rn_first_error(err, rn_device_close(&dev));
    c->failed = err != 0;
    return err;
}

/* info: NULL = plain C. */
static void add_column(struct table *t, const struct rn_device_info *info)
{
    struct column *c = &t->column[t->n++];
    *c = (struct column){.plain = !info, .select = "none", .info.name = "plain C"};
    if (!info)
        return;
    c->info = *info;
    snprintf(c->select, sizeof c->select, "%d", info->index);
}

/* Adds all devices, or those of -d; plain C without -d or for none. */
static int find_columns(struct rn_app_suite *s, struct table *t)
{
    RN_OWNED(rn_free_owned) struct rn_device_info *list = NULL;
    int n = rn_app_suite_list_devices(&s->session, &list), err = n < 0 ? n : 0;
    t->column = err ? NULL : calloc((size_t)n + 1, sizeof *t->column);
    err = err || t->column ? err : rn_fail_memory();
    for (int i = 0; i < n && !err; i++)
        add_column(t, &list[i]);
    if (!err && (!n || !s->cli->device))
        add_column(t, NULL);
    return err;
}

/* The fastest column with correct results; NULL: none. */
static const struct column *find_best(const struct table *t)
{
    const struct column *best = NULL;
    for (int i = 0; i < t->n; i++) {
        const struct column *c = &t->column[i];
        if (!c->failed && !c->tick.differing &&
            (!best || c->stream.wall.median < best->stream.wall.median))
            best = c;
    }
    return best;
}

/* ---- the table */

static void print_name(const char *name)
{
    printf("%-*s", NAME_WIDTH, name);
}

static void print_value(double value, const char *alternative)
{
    if (value > 0)
        printf(" %*.*f", WIDTH, value < 100 ? 2 : 0, value);
    else
        printf(" %*s", WIDTH, alternative);
}

/* GB/s of `bytes` in the median of a spread, or the median times factor. */
struct line {
    const char *name, *key; /* in the table, in JSON */
    size_t spread;          /* within struct column */
    int times;              /* how often the bytes are moved; 0: a time, no speed */
    double factor;
};
#define LINE(name, key, field, times, factor)                                                      \
    {                                                                                              \
        name, key, offsetof(struct column, field), times, factor                                   \
    }

static const struct line lines[] = {
    LINE("copy, GB/s read and written", "copy_s", speed.copy, 2, 1),
    LINE("upload, pageable, GB/s", "upload_pageable_s", speed.up[RN_SPEED_PAGEABLE], 1, 1),
    LINE("upload, page-locked", "upload_pinned_s", speed.up[RN_SPEED_PINNED], 1, 1),
    LINE("download, pageable", "download_pageable_s", speed.down[RN_SPEED_PAGEABLE], 1, 1),
    LINE("download, page-locked", "download_pinned_s", speed.down[RN_SPEED_PINNED], 1, 1),
    LINE("both at once, pageable", "both_pageable_s", speed.both[RN_SPEED_PAGEABLE], 2, 1),
    LINE("both at once, page-locked", "both_pinned_s", speed.both[RN_SPEED_PINNED], 2, 1),
    LINE("map and unmap, us", "map_s", speed.map, 0, 1e6),
    LINE("launch, us", "launch_s", speed.launch, 0, 1e6),
    LINE("launch and answer, us", "answer_s", speed.answer, 0, 1e6),
};

static const struct rn_times *spread_of(const struct column *c, const struct line *l)
{
    return (const void *)((const char *)c + l->spread);
}

static void print_block(const struct column *c, int n, const struct rn_stream_case *stream)
{
    char text[40];
    printf("\n");
    print_name("");
    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "-d %s", c[i].select);
        printf(" %*.*s", WIDTH, WIDTH, text);
    }
    printf("\n");
    for (const struct line *l = lines; l < lines + sizeof lines / sizeof *lines; l++) {
        print_name(l->name);
        for (int i = 0; i < n; i++) {
            const struct rn_times *s = spread_of(&c[i], l);
            double value = s->median * l->factor;
            if (l->times && s->median > 0)
                value = 1e-9 * l->times * (double)c[i].speed.bytes / s->median;
            print_value(value, c[i].failed ? "failed" : "-");
        }
        printf("\n");
    }
    print_name("build and first run, ms");
    for (int i = 0; i < n; i++)
        print_value(1e3 * c[i].speed.build, c[i].failed ? "failed" : "-");
    printf("\n");
    print_name("as the references compute");
    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%d of %d", c[i].tick.cases - c[i].tick.differing,
                 c[i].tick.cases);
        printf(" %*.*s", WIDTH, WIDTH, c[i].failed ? "failed" : c[i].plain ? "reference" : text);
    }
    printf("\n");
    snprintf(text, sizeof text, "frames/s, %dx%d %s", stream->w, stream->h, stream->format);
    print_name(text);
    for (int i = 0; i < n; i++) {
        double wall = c[i].stream.wall.median;
        print_value(wall > 0 ? 1 / wall : 0, "failed");
    }
    printf("\n");
}

static void print_table(const struct rn_app_suite *s, const struct table *t)
{
    char name[sizeof t->column->info.name];
    printf("%-8s devices%s\n", "suite", s->cli->quick ? ", --quick: the figures say little" : "");
    RN_OWNED(rn_free_owned) char *chain = rn_printable(strdup(t->stream.chain), false);
    printf("%-8s %s\n", "chain", chain ? chain : "");
    for (int i = 0; i < t->n; i++) {
        snprintf(name, sizeof name, "%s", t->column[i].info.name);
        printf("%-8s -d %s: %s\n", i ? "" : "devices", t->column[i].select,
               rn_printable(name, false));
    }
    for (int i = 0; i < t->n; i += BLOCK)
        print_block(&t->column[i], t->n - i < BLOCK ? t->n - i : BLOCK, &t->stream);
    const struct column *best = find_best(t);
    if (best)
        printf("\nrecommended: -d %s, the fastest of those that compute as the references do\n",
               best->select);
    else
        printf("\nrecommended: none: all fail\n");
}

/* ---- JSON */

static void add_row(struct rn_app_suite *s, const struct table *t, const struct column *c)
{
    json_t *o = json_object();
    rn_app_json_fill(
        &o, "select:t name:t type:t driver:t compute_units:i? shares_memory:b? failed:b bytes:I",
        c->select, c->info.name, c->plain ? NULL : c->info.type, c->plain ? NULL : c->info.driver,
        !c->plain, c->info.compute_units, !c->plain, c->info.shared_memory, c->failed,
        c->speed.bytes);
    for (const struct line *l = lines; l < lines + sizeof lines / sizeof *lines; l++)
        rn_app_json_put(&o, l->key, rn_app_suite_spread(spread_of(c, l), 1));
    rn_app_json_fill(
        &o,
        "build_s:f? checked:i differing:i stream_chain:t stream_format:t stream_width:i "
        "stream_height:i stream_frame_s:o",
        c->speed.build > 0, c->speed.build, c->tick.cases, c->tick.differing, t->stream.chain,
        t->stream.format, t->stream.w, t->stream.h, rn_app_suite_spread(&c->stream.wall, 1));
    rn_app_json_append(&s->rows, o);
}

int rn_app_suite_devices(struct rn_app_suite *s)
{
    struct table t = {.stream = {USUAL_CHAIN, "yuv420p", 1280, 720, 2000}};
    int failed = 0;
    if (s->cli->quick)
        t.stream = (struct rn_stream_case){USUAL_CHAIN, "yuv420p", 160, 90, 20};
    if (s->cli->filters)
        t.stream.chain = s->cli->filters;
    int err = find_columns(s, &t);
    for (int i = 0; i < t.n && !err; i++) {
        int worked = measure(s, &t, &t.column[i]);
        err = worked == RN_EDEVICE ? 0 : worked; /* goes on with the others */
        failed = worked ? worked : failed;
        if (t.column[i].tick.differing)
            failed = rn_fail(RN_EDEVICE, "-d %s does not compute as the C reference does: %s",
                             t.column[i].select, t.column[i].tick.first);
        add_row(s, &t, &t.column[i]);
    }
    rn_app_suite_show_status(NULL);
    const struct column *best = err ? NULL : find_best(&t);
    if (best)
        snprintf(s->recommended, sizeof s->recommended, "%s", best->select);
    if (!err && s->table)
        print_table(s, &t);
    free(t.column);
    return err ? err : failed;
}
