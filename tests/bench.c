/* SPDX-License-Identifier: MIT */
/* Measures the engine with synthetic frames; needs neither FFmpeg nor a window.
 *
 *   bench [--device SEL] [--seconds S] [--suite NAME] [CHAIN...]
 *
 * Kernels: milliseconds per frame by the device's own clock, the best of several batches, and their
 * ratio to a copy of the same plane, which is the floor. Streaming: frames through the slots with
 * one thread each to fill, submit and collect, as the program does it; overlap is the time of
 * upload, kernels and download added up, divided by the time that passed.
 *
 * --suite device and --suite linear are those of `runnel bench`, for machines without FFmpeg. */
#include "app/process/environment.h"
#include "filters/bench/bench.h"
#include "tests/check.h"

struct bench {
    struct rn_device *dev; /* the first of those that stream */
    struct rn_device *devs[RN_MAX_DEVICES];
    int ndevs;
    double seconds;
};

/* ---- kernels */

static int bench_case(struct bench *b, const char *text, const char *format,
                      const struct rn_filtertime_size *size)
{
    struct rn_geom geom = rn_synthetic_geom(format, size->w, size->h);
    struct rn_filtertime r;
    int err = rn_filtertime_measure(b->dev, text, &geom, b->seconds, &r);
    if (err)
        return err;
    double t = r.frame.min;
    printf("  %9.3f ms %6.1fx", t * 1e3, r.copy > 0 ? t / r.copy : 0);
    return 0;
}

static int bench_chain(struct bench *b, const char *text)
{
    int err = 0;
    for (const char *const *format = rn_filtertime_formats; !err && *format; format++) {
        printf("%-8s", *format);
        for (const struct rn_filtertime_size *s = rn_filtertime_sizes; !err && s->name; s++)
            err = bench_case(b, text, *format, s);
        printf("  %s\n", text);
        fflush(stdout);
    }
    return err;
}

static int bench_kernels(struct bench *b, char **given, int ngiven)
{
    const char *text;
    int err = 0;
    printf("\nms per frame and ratio to a copy of the plane:\n%-8s", "");
    for (const struct rn_filtertime_size *s = rn_filtertime_sizes; s->name; s++)
        printf("  %20s", s->name);
    printf("  chain\n");
    for (int i = 0;
         !err && (text = ngiven ? i < ngiven ? given[i] : NULL : rn_filtertime_chain(i)) != NULL;
         i++)
        err = bench_chain(b, text);
    return err;
}

/* ---- streaming */

static void print_stream(const struct rn_stream_case *c, const struct rn_stream_result *r,
                         bool together)
{
    const struct rn_stream_parts *p = together ? &r->together : &r->alone;
    double wall = together ? r->wall.min : r->wall_alone;
    int inflight = together ? r->inflight : 1, lanes = together ? r->lanes : 1;
    printf("%4dx%-4d %-10s %3d/%-2d %9.1f %9.1f %8.3f %8.3f %8.3f %8.3f %6.2f %7.2f %7.2f  %s\n",
           c->w, c->h, c->format, inflight, lanes, together ? 1 / r->callers.min : 0, 1 / wall,
           wall * 1e3, p->upload * 1e3, p->run * 1e3, p->download * 1e3,
           (p->upload + p->run + p->download) / wall,
           p->upload > 0 ? 1e-9 * r->up_bytes / p->upload : 0,
           p->download > 0 ? 1e-9 * r->down_bytes / p->download : 0, c->chain);
    fflush(stdout);
}

static int bench_streams(struct bench *b, char **given, int ngiven)
{
    int err = 0;
    const struct rn_stream_opts opts = {.devs = b->devs,
                                        .ndevs = b->ndevs,
                                        .repeats = 1,
                                        .seconds = 4 * b->seconds,
                                        .callers = true};
    printf("\nstreaming, ms per frame; fps from the caller's memory, and in slots:\n%-9s %-10s "
           "%-6s %9s %9s %8s %8s %8s %8s %6s %7s %7s  %s\n",
           "size", "format", "N", "memory", "slots", "wall", "upload", "run", "download", "ovlp",
           "up GB/s", "dn GB/s", "chain (N = frames in flight / at once)");
    for (int i = 0; i < (ngiven ? ngiven : RN_STREAM_CASES) && !err; i++) {
        struct rn_stream_case c =
            ngiven ? (struct rn_stream_case){given[i], "yuv420p", 1280, 720, 2000}
                   : rn_stream_cases[i];
        struct rn_stream_result r;
        err = rn_stream_measure(&c, &opts, &r);
        for (int together = 0; together < 2 && !err; together++)
            print_stream(&c, &r, together);
    }
    return err;
}

/* ---- the device */

static void print_spread(const char *name, const struct rn_times *s, double bytes)
{
    if (s->max <= 0)
        return;
    printf("%-28s %12.3f us (%.3f to %.3f)", name, 1e6 * s->median, 1e6 * s->min, 1e6 * s->max);
    if (bytes > 0)
        printf(" %10.2f GB/s", 1e-9 * bytes / s->median);
    printf("\n");
}

static int bench_device(struct bench *b)
{
    static const char *const kinds[] = {"pageable", "page-locked"};
    struct rn_speed s;
    struct rn_tick tick;
    int err = rn_speed_measure(b->dev, 0, 10, &s);
    err = err ? err : rn_tick(b->dev, &tick);
    if (err)
        return err;
    double bytes = (double)s.bytes;
    print_spread("copy, read and written", &s.copy, 2 * bytes);
    for (int m = 0; m < RN_SPEED_MEMORIES; m++) {
        print_spread(formatted("upload, %s", kinds[m]), &s.up[m], bytes);
        print_spread(formatted("download, %s", kinds[m]), &s.down[m], bytes);
        print_spread(formatted("both at once, %s", kinds[m]), &s.both[m], 2 * bytes);
    }
    print_spread("map and unmap", &s.map, 0);
    print_spread("launch", &s.launch, 0);
    print_spread("launch and answer", &s.answer, 0);
    printf("%-28s %12.3f us\n", "build and first run", 1e6 * s.build);
    printf("as the references compute: %d of %d %s\n", tick.cases - tick.differing, tick.cases,
           tick.first);
    return tick.differing ? RN_EDEVICE : 0;
}

/* ---- vectors and matrices */

static int print_measure(void *arg, const struct rn_figure *m)
{
    (void)arg;
    double scale = m->unit[0] == 'G' ? 1e-9 * m->work : m->work, times[5] = {m->plain};
    bool right = m->exact ? m->error == 0 : m->error <= m->tolerance;
    memcpy(times + 1, m->peer, sizeof m->peer);
    printf("%-46s %-26s %12.3f", m->name, m->size, scale / m->ours.median);
    for (int i = 0; i < 4; i++)
        printf(" %10.3f", times[i] > 0 ? scale / times[i] : 0);
    printf(" %-8s %5.2f  %s", m->unit, m->of_copy, right ? "right" : "WRONG");
    if (m->up > 0 || m->down > 0 || m->kernels > 0)
        printf("  ms: %.3f; in %.3f, kernel %.3f, out %.3f", 1e3 * m->ours.median, 1e3 * m->up,
               1e3 * m->kernels, 1e3 * m->down);
    printf("\n");
    fflush(stdout);
    return right ? 0 : rn_fail(RN_EDEVICE, "%s, %s: differs from plain C", m->name, m->size);
}

static int bench_linear(struct bench *b)
{
    const struct rn_measure_opts opts = {.repeats = 5, .inflight = 0, .quick = b->seconds < 0.01};
    int threads;
    if (!b->dev)
        return rn_fail(RN_EUSAGE, "the suite linear needs an OpenCL device");
    printf("%-46s %-26s %12s %10s %10s %10s %10s %-8s %5s\n", "", "size", "ours", "plain",
           "OpenBLAS", "CLBlast", "FFTW", "", "copy");
    return rn_measures(b->dev, &opts, &threads, print_measure, NULL);
}

/* Names are parted by commas. */
static int open_devices(struct bench *b, const char *names)
{
    char list[256], *rest = NULL;
    int err = 0;
    snprintf(list, sizeof list, "%s", names ? names : "");
    char *name = strtok_r(list, ",", &rest);
    do {
        struct rn_device **dev = &b->devs[b->ndevs];
        err = b->ndevs < RN_MAX_DEVICES ? rn_device_open(dev, name) : RN_EUSAGE;
        b->ndevs += !err && *dev;
        name = strtok_r(NULL, ",", &rest);
    } while (name && !err);
    b->dev = b->devs[0];
    return err;
}

int main(int argc, char **argv)
{
    struct bench b = {.seconds = 0.25};
    const char *device = NULL, *suite = "filters";
    int i = 1;
    for (; i + 1 < argc && !strncmp(argv[i], "--", 2); i += 2) {
        if (!strcmp(argv[i], "--device"))
            device = argv[i + 1];
        else if (!strcmp(argv[i], "--suite"))
            suite = argv[i + 1];
        else if (!strcmp(argv[i], "--seconds"))
            b.seconds = atof(argv[i + 1]);
        else
            break;
    }
    if (i < argc && !strncmp(argv[i], "--", 2)) {
        fprintf(stderr, "usage: bench [--device SEL] [--seconds S] "
                        "[--suite filters|streaming|device|linear] [CHAIN...]\n");
        return 2;
    }
    rn_app_environment_prepare(0);
    int err = open_devices(&b, device);
    if (err)
        return -err;
    printf("device: %s, %d units, driver %s\n", b.dev ? rn_device_info(b.dev)->name : "none (C)",
           b.dev ? rn_device_info(b.dev)->compute_units : 1,
           b.dev ? rn_device_info(b.dev)->driver : "-");
    if (!strcmp(suite, "device"))
        err = bench_device(&b);
    else if (!strcmp(suite, "linear"))
        err = bench_linear(&b);
    else if (strcmp(suite, "streaming"))
        err = bench_kernels(&b, argv + i, argc - i);
    if (!err && (!strcmp(suite, "filters") || !strcmp(suite, "streaming")))
        err = bench_streams(&b, argv + i, argc - i);
    for (int d = b.ndevs - 1; d >= 0; d--) {
        int closed = rn_device_close(&b.devs[d]);
        err = err ? err : closed;
    }
    return -err;
}
