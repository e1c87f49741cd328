/* SPDX-License-Identifier: MIT */
/* The suites filters and streaming. */
#include "app/commands/bench_report.h"

#include "app/process/terminal.h"
#include "filters/base/text/printable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_WIDTH    76 /* of a chain in a table */
#define SECONDS       0.25
#define QUICK_SECONDS 0.005

static void print_chain(const char *text)
{
    char *line = strdup(*text ? text : "(no filter)");
    if (line)
        rn_printable(line, false);
    printf("\n%.*s%s\n", NAME_WIDTH, line ? line : "",
           line && strlen(line) > NAME_WIDTH ? "..." : "");
    free(line);
}

/* ---- filters */

static int measure_filter(struct rn_app_suite *s, const char *chain, const char *format, int w,
                          int h)
{
    struct rn_geom geom = rn_synthetic_geom(format, w, h);
    struct rn_filtertime r;
    int err =
        rn_filtertime_measure(s->device, chain, &geom, s->cli->quick ? QUICK_SECONDS : SECONDS, &r);
    /* of the bytes read and written once */
    double speed = r.frame.median > 0 ? 2e-9 * (double)r.bytes / r.frame.median : 0;
    rn_app_json_append(
        &s->rows, rn_app_json_make(
                      "chain:t format:t width:i height:i frame_s:o gb_per_s:f copy_s:f? copies:o",
                      chain, format, w, h, rn_app_suite_spread(&r.frame, 1), speed, r.copy > 0,
                      r.copy, rn_app_suite_spread(&r.frame, r.copy > 0 ? 1 / r.copy : 0)));
    if (err || !s->table)
        return err;
    printf("  %-8s %4dx%-4d %10.4f %10.4f %10.4f %8.1f", format, w, h, 1e3 * r.frame.min,
           1e3 * r.frame.median, 1e3 * r.frame.max, speed);
    if (r.copy > 0)
        printf(" %8.1f %8.1f\n", r.frame.median / r.copy, r.frame.max / r.copy);
    else
        printf(" %8s %8s\n", "-", "-");
    return rn_app_standard_io_flush();
}

static int measure_formats(struct rn_app_suite *s, const char *chain)
{
    static const struct rn_filtertime_size quick[] = {{"quick", 160, 90}, {NULL, 0, 0}};
    int err = 0;
    rn_app_suite_show_status(chain);
    if (s->table)
        print_chain(chain);
    for (const char *const *format = rn_filtertime_formats; !err && *format; format++)
        for (const struct rn_filtertime_size *size = s->cli->quick ? quick : rn_filtertime_sizes;
             !err && size->name; size++)
            err = measure_filter(s, chain, *format, size->w, size->h);
    return err;
}

int rn_app_suite_filters(struct rn_app_suite *s)
{
    const char *chain;
    int err = 0;
    if (s->table)
        printf("\n  %-8s %-9s %10s %10s %10s %8s %8s %8s\n", "format", "size", "min ms", "median",
               "max", "GB/s", "copies", "(max)");
    if (s->cli->filters)
        return measure_formats(s, s->cli->filters);
    for (int i = 0; !err && (chain = rn_filtertime_chain(i)) != NULL; i++)
        err = measure_formats(s, chain);
    return err;
}

/* ---- streaming */

static json_t *parts_record(const struct rn_stream_parts *parts)
{
    return rn_app_json_make("upload_s:f kernels_s:f download_s:f", parts->upload, parts->run,
                            parts->download);
}

static void report_stream(struct rn_app_suite *s, const struct rn_stream_case *c,
                          const struct rn_stream_result *r)
{
    const char *name;
    double slowest = rn_stream_slowest(&r->alone, &name);
    rn_app_json_append(
        &s->rows,
        rn_app_json_make("chain:t format:t width:i height:i frames:i inflight:i lanes:i frame_s:o "
                         "frame_callers_s:o frame_alone_s:f alone:o together:o slowest:t "
                         "of_slowest:f? upload_bytes:f download_bytes:f",
                         c->chain, c->format, c->w, c->h, r->frames, r->inflight, r->lanes,
                         rn_app_suite_spread(&r->wall, 1), rn_app_suite_spread(&r->callers, 1),
                         r->wall_alone, parts_record(&r->alone), parts_record(&r->together), name,
                         slowest > 0, r->wall.median / slowest, r->up_bytes, r->down_bytes));
    if (!s->table)
        return;
    print_chain(c->chain);
    printf("%dx%d %s, %d frames in flight, %d of them computed at once\n", c->w, c->h, c->format,
           r->inflight, r->lanes);
    printf("  %9.1f %9.1f %9.4f %9.4f %9.4f %9.4f", 1 / r->callers.median, 1 / r->wall.median,
           1e3 * r->wall_alone, 1e3 * r->alone.upload, 1e3 * r->alone.run, 1e3 * r->alone.download);
    if (slowest > 0)
        printf(" %6.2f %s\n", r->wall.median / slowest, name);
    else
        printf(" %6s\n", "-");
}

static int measure_stream(struct rn_app_suite *s, struct rn_stream_case c)
{
    const struct rn_stream_opts opts = {.devs = s->session.device,
                                        .ndevs = s->session.ndevices,
                                        .inflight = s->cli->inflight,
                                        .repeats = s->repeats,
                                        .callers = true,
                                        .seconds = s->cli->quick ? 0.01 : 0.5};
    struct rn_stream_result r;
    rn_app_suite_show_status(c.chain);
    if (s->cli->quick)
        c = (struct rn_stream_case){c.chain, c.format, c.w / 8, c.h / 8, 20};
    int err = rn_stream_measure(&c, &opts, &r);
    if (!err)
        report_stream(s, &c, &r);
    return err ? err : rn_app_standard_io_flush();
}

int rn_app_suite_streaming(struct rn_app_suite *s)
{
    int err = 0;
    const struct rn_stream_case own = {s->cli->filters, "yuv420p", 1280, 720, 2000};
    if (s->table)
        printf("\nframes a second: from a program's memory and back; in slots filled already\n"
               "ms a frame: of one slot at a time, and of each part of it;\n"
               "slowest: the slots take so many times the slowest part alone\n"
               "  %9s %9s %9s %9s %9s %9s %s\n",
               "memory/s", "slots/s", "one", "upload", "kernels", "download", " slowest");
    if (s->cli->filters)
        return measure_stream(s, own);
    for (int i = 0; i < RN_STREAM_CASES && !err; i++)
        err = measure_stream(s, rn_stream_cases[i]);
    return err;
}
