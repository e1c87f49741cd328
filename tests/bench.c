/* Measures the engine with synthetic frames; needs neither FFmpeg nor a window.
 *
 *   bench [--device SEL] [--json FILE] [--seconds S] [CHAIN...]
 *
 * Kernels: milliseconds per frame by the device's own clock, the best of several batches, and their
 * ratio to a copy of the same plane, which is the floor. Streaming: frames through the slots with
 * one thread each to fill, submit and collect, as the program does it; overlap is the time of
 * upload, kernels and download added up, divided by the time that passed. */
#include "app/environment.h"
#include "filters/core/chain_internal.h"
#include "filters/core/opencl.h"
#include "filters/base/queue.h"
#include "filters/core/pool.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

#define ROW31 "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 "

/* What is worth measuring of the filters whose default says little. */
static const char *const chains[] = {
    "convolution=preset=outline",
    "convolution=matrix='1 4 6 4 1 4 16 24 16 4 6 24 36 24 6 4 16 24 16 4 1 4 6 4 1'",
    "convolution=matrix='1 2 0 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7'",
    "convolution=matrix='.1 .2 .3 .4 .5 .6 .7 .8 .9'",
    "convolution=matrix='" ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31
        ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31 ROW31
            ROW31 ROW31 ROW31 ROW31 "'",
    "blur=1",
    "blur=5",
    "boxblur=1",
    "boxblur=127",
    "laplacian=neighbours=8",
    "sharpen=0.5",
    "dilation=radius=1",
    "closing=shape=square:radius=1",
    "closing=shape=square:radius=7",
    "closing=shape=disk:radius=2",
    "closing=shape=disk:radius=15",
    "closing=shape=cross:radius=1:border=zero",
    "median=radius=1",
    "median=radius=2",
    "median=radius=3",
    "median=radius=7",
    "median=radius=15",
    "median=radius=2:percentile=25",
    "noise=type=gaussian",
    "noise=type=salt-and-pepper",
    "threshold=128",
    "threshold=otsu=1",
};
static const struct {
    const char *name;
    int w, h;
} sizes[] = {{"720p", 1280, 720}, {"1080p", 1920, 1080}, {"2160p", 3840, 2160}};

struct stream_case {
    const char *chain, *format;
    int w, h, frames;
};
static const struct stream_case streams[] = {
    {"", "yuv420p", 1280, 720, 2000},
    {"convolution=preset=outline", "yuv420p", 1280, 720, 2000},
    {"convolution=preset=sharpen,closing=shape=disk:radius=2,stats", "yuv420p", 1280, 720, 1000},
    {"convolution=preset=outline", "yuv420p", 1920, 1080, 1000},
    {"convolution=preset=outline:planes=7", "yuv420p", 3840, 2160, 300},
    {"convolution=preset=outline", "yuv420p10", 1920, 1080, 1000},
    {"closing=shape=cross:radius=1:border=zero", "gray", 512, 512, 771},
    {"closing=shape=disk:radius=2:slices=2:border=zero", "gray", 512, 512, 771},
};

struct bench {
    struct rn_device *dev; /* the first of those that stream */
    struct rn_device *devs[RN_MAX_DEVICES];
    int ndevs;
    FILE *json;
    bool first; /* nothing printed to json yet */
    double seconds;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void paint(struct rn_image *img)
{
    uint32_t s = 1;
    const struct rn_format *fmt = &img->geom.fmt;
    enum rn_sample sample = rn_format_sample(fmt);
    int max = fmt->number == RN_NUMBER_UNSIGNED ? rn_format_max(fmt) : 65535;
    float least = fmt->number == RN_NUMBER_SIGNED ? (float)rn_format_min(fmt) : 0;
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++)
        for (int y = 0; y < img->plane[p].h; y++)
            for (int x = 0; x < img->plane[p].w; x++)
                rn_sample_put(&img->plane[p], sample, x, y,
                              (float)(((s = s * 1664525 + 1013904223) >> 16) & (uint32_t)max) +
                                  least);
}

static struct rn_geom geometry(const char *format, int w, int h)
{
    struct rn_geom geom = {.w = w, .h = h, .low = 0, .high = 65535};
    rn_format_parse(format, &geom.fmt);
    return geom;
}

/* A JSON object; fields is printed as it is. */
__attribute__((format(printf, 2, 3))) static void json(struct bench *b, const char *fields, ...)
{
    if (!b->json)
        return;
    va_list args;
    va_start(args, fields);
    fputs(b->first ? "[\n  {" : ",\n  {", b->json);
    vfprintf(b->json, fields, args);
    fputc('}', b->json);
    va_end(args);
    b->first = false;
}

/* Text for JSON and for one line of a table. */
static const char *quoted(const char *text, char buf[512])
{
    size_t n = 0;
    for (; *text && n < 500; text++) {
        if (*text == '"' || *text == '\\')
            buf[n++] = '\\';
        buf[n++] = (unsigned char)*text < ' ' ? ' ' : *text;
    }
    buf[n] = '\0';
    return buf;
}

/* ---- kernels */

/* Seconds that the device takes to copy w x h samples within its memory; < 0 on failure. */
static double copy_time(struct rn_device *dev, int w, int h, int bytes)
{
    size_t n = (size_t)w * (size_t)h * (size_t)bytes;
    cl_mem a = NULL, b = NULL;
    double best = -1;
    if (rn_buffer_create(dev, CL_MEM_READ_WRITE, n, &a) ||
        rn_buffer_create(dev, CL_MEM_READ_WRITE, n, &b))
        goto end;
    for (int i = 0; i < 50; i++) {
        cl_event event;
        cl_ulong start, stop;
        if (clEnqueueCopyBuffer(dev->run, a, b, 0, 0, n, 0, NULL, &event))
            goto end;
        clWaitForEvents(1, &event);
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof stop, &stop, NULL);
        clReleaseEvent(event);
        double t = 1e-9 * (double)(stop - start);
        if (best < 0 || t < best)
            best = t;
    }
end:
    rn_buffer_release(dev, &a);
    rn_buffer_release(dev, &b);
    return best;
}

static double stage_sum(const struct rn_timings *t)
{
    double sum = 0;
    for (int i = 0; i < RN_MAX_STAGES; i++)
        sum += t->stage[i];
    return sum;
}

/* Submits frame i, and waits for the one that is complete then, if any. */
static int one_frame(struct rn_runner *runner, int i)
{
    int err = rn_runner_submit(runner, rn_runner_slot(runner, i % rn_runner_nslots(runner)));
    struct rn_slot *ready = err ? NULL : rn_runner_ready(runner);
    if (ready)
        err = rn_runner_wait(runner, ready);
    if (ready && !err)
        err = rn_runner_recycle(runner, ready);
    return err;
}

static void paint_slots(struct rn_runner *runner)
{
    for (int i = 0; i < rn_runner_nslots(runner); i++)
        paint(&rn_runner_slot(runner, i)->in);
}

/* Seconds of kernel time per frame, the best batch; < 0 on failure. */
static double kernel_time(struct bench *b, const char *text, const struct rn_geom *geom)
{
    struct rn_chain *chain = NULL;
    struct rn_runner *runner = NULL;
    double best = -1, last = 0;
    int err = rn_chain_parse(&chain, text);
    if (!err)
        err = rn_runner_open(&runner, b->dev, chain, geom, 1);
    if (!err)
        err = rn_runner_start(runner);
    double end = now() + b->seconds;
    for (int batch = 0; !err && (batch < 3 || now() < end); batch++) {
        enum { BATCH = 8 };
        struct rn_timings times;
        if (!batch)
            paint_slots(runner);
        for (int i = 0; i < BATCH && !err; i++)
            err = one_frame(runner, batch * BATCH + i);
        rn_runner_timings(runner, &times);
        double t = (stage_sum(&times) - last) / BATCH;
        last = stage_sum(&times);
        if (batch && (best < 0 || t < best))
            best = t;
    }
    if (!err)
        err = rn_runner_stop(runner, true);
    rn_runner_close(&runner);
    rn_chain_destroy(&chain);
    return err ? -1 : best;
}

static int bench_chain(struct bench *b, const char *text)
{
    static const char *const formats[] = {"gray", "gray16", "grays16", "grayf32"};
    char name[512];
    for (int f = 0; f < COUNT(formats); f++) {
        printf("%-8s", formats[f]);
        for (int s = 0; s < COUNT(sizes); s++) {
            struct rn_geom geom = geometry(formats[f], sizes[s].w, sizes[s].h);
            double t = kernel_time(b, text, &geom);
            double copy =
                b->dev ? copy_time(b->dev, geom.w, geom.h, rn_format_bytes(&geom.fmt)) : 0;
            if (t < 0 || copy < 0)
                return RN_EDEVICE;
            printf("  %9.3f ms %6.1fx", t * 1e3, copy > 0 ? t / copy : 0);
            json(b,
                 "\"kind\": \"kernel\", \"chain\": \"%s\", \"format\": \"%s\", \"width\": %d, "
                 "\"height\": %d, \"ms\": %.6f, \"copy_ms\": %.6f",
                 quoted(text, name), formats[f], geom.w, geom.h, t * 1e3, copy * 1e3);
        }
        printf("  %s\n", quoted(text, name));
        fflush(stdout);
    }
    return 0;
}

/* Does the chain begin with this filter? */
static bool is_of(const char *chain, const char *name)
{
    size_t n = strcspn(chain, "=,@");
    return n == strlen(name) && !strncmp(chain, name, n);
}

static int bench_kernels(struct bench *b, char **given, int ngiven)
{
    int err = 0;
    printf("\nms per frame and ratio to a copy of the plane:\n%-8s", "");
    for (int s = 0; s < COUNT(sizes); s++)
        printf("  %20s", sizes[s].name);
    printf("  chain\n");
    for (int i = 0; i < ngiven && !err; i++)
        err = bench_chain(b, given[i]);
    if (ngiven)
        return err;
    for (int i = 0; i < COUNT(chains) && !err; i++)
        err = bench_chain(b, chains[i]);
    for (int i = 0; rn_registry[i] && !err; i++) {
        bool listed = rn_registry[i]->reload != NULL; /* has no use without a file of the user's */
        for (int k = 0; k < COUNT(chains); k++)
            listed |= is_of(chains[k], rn_registry[i]->name);
        if (!listed)
            err = bench_chain(b, rn_registry[i]->name);
    }
    return err;
}

/* ---- streaming */

struct stream {
    struct rn_pool *pool;
    struct rn_queue *idle, *running;
    int frames;
    int err; /* of the thread that submits */
};

static void give_ready(struct stream *s)
{
    struct rn_slot *slot;
    while ((slot = rn_pool_ready(s->pool)) != NULL)
        rn_queue_push(s->running, slot);
}

/* The slots hold their picture already. */
static void *submit_slots(void *arg)
{
    struct stream *s = arg;
    void *slot;
    for (int i = 0; i < s->frames && !s->err && !rn_queue_pop(s->idle, &slot); i++) {
        ((struct rn_slot *)slot)->frame.index = i;
        s->err = rn_pool_submit(s->pool, slot);
        give_ready(s);
    }
    s->err = s->err ? s->err : rn_pool_drain(s->pool);
    give_ready(s);
    rn_queue_close(s->running);
    return NULL;
}

/* One pass of the frames through the slots; *wall: the seconds it took. */
static int pass(struct stream *s, double *wall)
{
    pthread_t submitter;
    int err = 0, nslots = rn_pool_nslots(s->pool);
    void *slot;
    s->idle = rn_queue_create(nslots);
    s->running = rn_queue_create(nslots);
    if (!s->idle || !s->running)
        return rn_fail_memory();
    for (int i = 0; i < nslots; i++)
        rn_queue_push(s->idle, rn_pool_slot(s->pool, i));
    double start = now();
    pthread_create(&submitter, NULL, submit_slots, s);
    while (!err && !rn_queue_pop(s->running, &slot)) {
        err = rn_pool_wait(s->pool, slot);
        if (!err)
            err = rn_pool_recycle(s->pool, slot);
        rn_queue_push(s->idle, slot);
    }
    rn_queue_abort(s->idle);
    rn_queue_abort(s->running);
    pthread_join(submitter, NULL);
    *wall = now() - start;
    rn_queue_destroy(&s->idle);
    rn_queue_destroy(&s->running);
    return err ? err : s->err;
}

static int bench_stream(struct bench *b, const struct stream_case *c, int inflight)
{
    struct stream s = {.frames = c->frames};
    struct rn_geom geom = geometry(c->format, c->w, c->h);
    struct rn_chain *chain = NULL;
    struct rn_timings t;
    double wall = 0;
    char name[512];
    int err = rn_chain_parse(&chain, c->chain);
    if (!err)
        err = rn_pool_open(&s.pool, b->devs, b->ndevs, chain, &geom,
                           &(struct rn_pool_opts){.inflight = inflight});
    if (!err)
        err = rn_pool_start(s.pool);
    if (!err)
        for (int i = 0; i < rn_pool_nslots(s.pool); i++)
            paint(&rn_pool_slot(s.pool, i)->in);
    /* a short pass tells how many frames fit the time, and warms up */
    s.frames = c->frames / 20 + 1;
    if (!err)
        err = pass(&s, &wall);
    double fit = 4 * b->seconds * s.frames / wall;
    s.frames = fit < c->frames ? (int)fit + 1 : c->frames;
    struct rn_timings before;
    if (!err)
        rn_pool_timings(s.pool, &before);
    if (!err)
        err = pass(&s, &wall);
    if (!err)
        err = rn_pool_stop(s.pool, true);
    if (err)
        goto end;
    rn_pool_timings(s.pool, &t);
    struct rn_pool_meter meter;
    rn_pool_meter(s.pool, &meter);
    double n = s.frames, up = (t.upload - before.upload) / n,
           run = (stage_sum(&t) - stage_sum(&before)) / n,
           down = (t.download - before.download) / n;
    double up_bytes = (double)(t.uploaded - before.uploaded) / n,
           down_bytes = (double)(t.downloaded - before.downloaded) / n;
    printf("%4dx%-4d %-10s %2d/%-2d %9.1f %8.3f %8.3f %8.3f %8.3f %6.2f %7.2f %7.2f  %s\n", c->w,
           c->h, c->format, rn_pool_nslots(s.pool), meter.lanes, n / wall, wall / n * 1e3, up * 1e3,
           run * 1e3, down * 1e3, (up + run + down) * n / wall, up > 0 ? 1e-9 * up_bytes / up : 0,
           down > 0 ? 1e-9 * down_bytes / down : 0, quoted(c->chain, name));
    fflush(stdout);
    json(b,
         "\"kind\": \"stream\", \"chain\": \"%s\", \"format\": \"%s\", \"width\": %d, \"height\": "
         "%d, "
         "\"slots\": %d, \"frames\": %d, \"seconds\": %.6f, \"upload_ms\": %.6f, \"run_ms\": %.6f, "
         "\"download_ms\": %.6f, \"upload_bytes\": %.0f, \"download_bytes\": %.0f",
         quoted(c->chain, name), c->format, c->w, c->h, inflight, s.frames, wall, up * 1e3,
         run * 1e3, down * 1e3, up_bytes, down_bytes);
end:
    int closed = rn_pool_close(&s.pool);
    rn_chain_destroy(&chain);
    return err ? err : closed;
}

static int bench_streams(struct bench *b, char **given, int ngiven)
{
    int err = 0;
    printf("\nstreaming, ms per frame:\n%-9s %-10s %-5s %9s %8s %8s %8s %8s %6s %7s %7s  %s\n",
           "size", "format", "N", "fps", "wall", "upload", "run", "download", "ovlp", "up GB/s",
           "dn GB/s", "chain (N = frames in flight / at once)");
    for (int i = 0; i < (ngiven ? ngiven : COUNT(streams)) && !err; i++) {
        struct stream_case c =
            ngiven ? (struct stream_case){given[i], "yuv420p", 1280, 720, 2000} : streams[i];
        err = bench_stream(b, &c, 1);
        if (!err)
            err = bench_stream(b, &c, 0);
    }
    return err;
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
    struct bench b = {.first = true, .seconds = 0.25};
    const char *device = NULL, *path = NULL;
    int i = 1;
    for (; i + 1 < argc && !strncmp(argv[i], "--", 2); i += 2) {
        if (!strcmp(argv[i], "--device"))
            device = argv[i + 1];
        else if (!strcmp(argv[i], "--json"))
            path = argv[i + 1];
        else if (!strcmp(argv[i], "--seconds"))
            b.seconds = atof(argv[i + 1]);
        else
            break;
    }
    if (i < argc && !strncmp(argv[i], "--", 2)) {
        fprintf(stderr, "usage: bench [--device SEL] [--json FILE] [--seconds S] [CHAIN...]\n");
        return 2;
    }
    rn_environment_prepare(0);
    int err = open_devices(&b, device);
    if (err)
        return -err;
    if (path && !(b.json = fopen(path, "w"))) {
        perror(path);
        return 4;
    }
    printf("device: %s, %d units, driver %s\n", b.dev ? rn_device_info(b.dev)->name : "none (C)",
           b.dev ? rn_device_info(b.dev)->compute_units : 1,
           b.dev ? rn_device_info(b.dev)->driver : "-");
    err = bench_kernels(&b, argv + i, argc - i);
    if (!err)
        err = bench_streams(&b, argv + i, argc - i);
    if (b.json) {
        fputs(b.first ? "[]\n" : "\n]\n", b.json);
        fclose(b.json);
    }
    for (int d = b.ndevs - 1; d >= 0; d--) {
        int closed = rn_device_close(&b.devs[d]);
        err = err ? err : closed;
    }
    return -err;
}
