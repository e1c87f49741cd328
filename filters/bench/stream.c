/* SPDX-License-Identifier: MIT */
#include "filters/base/owned.h"
#include "filters/bench/bench.h"

#include "filters/base/clock.h"
#include "filters/base/threads/queue.h"
#include "filters/base/threads/thread.h"
#include "filters/core/pool/exchange.h"

#include <math.h>

#define THREE "convolution=preset=sharpen,closing=shape=disk:radius=2,stats"

const struct rn_stream_case rn_stream_cases[RN_STREAM_CASES] = {
    {"", "yuv420p", 1280, 720, 2000},
    {"convolution=preset=outline", "yuv420p", 1280, 720, 2000},
    {THREE, "gray", 512, 512, 4000},
    {THREE, "yuv420p", 1280, 720, 2000},
    {THREE, "yuv420p", 1920, 1080, 1000},
    {THREE, "yuv420p", 3840, 2160, 300},
    {THREE, "yuv420p10", 1280, 720, 1000},
    {"convolution=preset=outline", "yuv420p", 1920, 1080, 1000},
    {"convolution=preset=outline:planes=7", "yuv420p", 3840, 2160, 300},
    {"convolution=preset=outline", "yuv420p10", 1920, 1080, 1000},
    {"closing=shape=cross:radius=1:border=zero", "gray", 512, 512, 771},
    {"closing=shape=disk:radius=2:slices=2:border=zero", "gray", 512, 512, 771},
};

/* Of pictures of the caller's, on each side: more than a processor's cache holds. */
#define CALLERS_BYTES (512 << 20)

struct streaming {
    struct rn_pool *pool;
    struct rn_exchange *exchange; /* NULL: the slots hold their pictures already */
    struct rn_image *in, *out;    /* the caller's, `images` of each */
    int images;
    struct rn_queue *idle, *running;
    int frames;
    int err; /* of the thread that submits; read after it was joined */
};

static void give_ready(struct streaming *s)
{
    struct rn_slot *ready;
    while (!s->err && (ready = rn_pool_ready(s->pool)) != NULL)
        if (rn_queue_push(s->running, ready))
            break;
}

static void *submit_slots(void *arg)
{
    struct streaming *s = arg;
    void *slot;
    for (int i = 0; i < s->frames && !s->err && !rn_queue_pop(s->idle, &slot); i++) {
        ((struct rn_slot *)slot)->frame = (struct rn_frame){.index = i, .pts = i};
        s->err = rn_pool_submit(s->pool, slot);
        give_ready(s);
    }
    s->err = s->err ? s->err : rn_pool_drain(s->pool);
    give_ready(s);
    rn_queue_close(s->running);
    return NULL;
}

/* Submits in a thread of its own and collects in this one. */
static int run_threads(struct streaming *s)
{
    struct rn_thread submitter;
    void *slot;
    int err = rn_thread_start(&submitter, "submit", submit_slots, s);
    if (err)
        return err;
    while (!err && !rn_queue_pop(s->running, &slot)) {
        err = rn_pool_wait(s->pool, slot);
        err = err ? err : rn_pool_recycle(s->pool, slot);
        rn_queue_push(s->idle, slot);
    }
    rn_queue_abort(s->idle);
    rn_queue_abort(s->running);
    rn_thread_join(&submitter);
    return err ? err : s->err;
}

/* From pictures of the caller's, and into others. */
static int pass_callers(struct streaming *s, double *wall)
{
    int64_t number = 0;
    double start = rn_clock();
    int err = 0;
    for (int i = 0; i < s->frames && !err; i++) /* numbers go on from pass to pass */
        err = rn_exchange_submit(s->exchange, &s->in[i % s->images], &s->out[i % s->images], NULL,
                                 &number);
    rn_exchange_drain(s->exchange);
    for (int64_t i = number - s->frames + 1; i <= number && !err; i++)
        err = rn_exchange_wait(s->exchange, i);
    *wall = rn_clock() - start;
    return err;
}

/* wall: takes the seconds. */
static int pass(struct streaming *s, double *wall)
{
    if (s->exchange)
        return pass_callers(s, wall);
    int err = 0, nslots = rn_pool_nslots(s->pool);
    s->idle = rn_queue_create(nslots, 1);
    s->running = rn_queue_create(nslots, 1);
    if (!s->idle || !s->running)
        err = rn_fail_memory();
    for (int i = 0; i < nslots && !err; i++)
        rn_queue_push(s->idle, rn_pool_slot(s->pool, i));
    double start = rn_clock();
    err = err ? err : run_threads(s);
    *wall = rn_clock() - start;
    rn_queue_destroy(&s->idle);
    rn_queue_destroy(&s->running);
    return err;
}

/* Warms up with short passes and sets how many frames fit the time: two frames, then more if these
 * were quick. */
static int warm_up(struct streaming *s, const struct rn_stream_case *c, double seconds)
{
    double wall = 0;
    s->frames = 2;
    int err = pass(s, &wall);
    if (!err && wall < seconds / 10) {
        double fit = seconds / 10 * s->frames / wall;
        s->frames = fit < c->frames / 20.0 ? (int)fit + 2 : c->frames / 20 + 2;
        err = pass(s, &wall);
    }
    double fit = wall > 0 ? seconds * s->frames / wall : c->frames;
    s->frames = fit < c->frames ? (int)fit + 1 : c->frames;
    return err;
}

/* walls: of each pass, seconds a frame. */
static int repeat(struct streaming *s, int repeats, double *walls)
{
    int err = 0;
    for (int i = 0; i < repeats && !err; i++) {
        err = pass(s, &walls[i]);
        walls[i] /= s->frames;
    }
    return err;
}

static int open_stream(struct streaming *s, const struct rn_stream_case *c,
                       const struct rn_stream_opts *opts)
{
    const struct rn_pool_opts pool = {RN_SIZED(struct rn_pool_opts), .inflight = opts->inflight,
                                      .threads = 1};
    struct rn_geom geom = rn_synthetic_geom(c->format, c->w, c->h);
    RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    int err = rn_chain_parse(&chain, c->chain);
    err = err ? err : rn_pool_open(&s->pool, opts->devs, opts->ndevs, chain, &geom, &pool);
    for (int i = 0; !err && i < rn_pool_nslots(s->pool); i++)
        rn_synthetic_paint(&rn_pool_slot(s->pool, i)->in);
    return err ? err : rn_pool_start(s->pool);
}

/* Lays pictures into one array, close together, and fills it with 0. The caller frees images[0]'s
 * first plane. bytes: of a picture. */
static int lay(struct rn_image *images, int n, const struct rn_geom *geom, size_t bytes)
{
    uint8_t *data = aligned_alloc(64, ((size_t)n * bytes + 63) / 64 * 64);
    if (!data)
        return rn_fail_memory();
    memset(data, 0, (size_t)n * bytes);
    for (int i = 0; i < n; i++) {
        images[i].geom = *geom;
        for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
            struct rn_plane *pl = &images[i].plane[p];
            rn_geom_plane_size(geom, p, &pl->w, &pl->h);
            pl->stride = (ptrdiff_t)pl->w * rn_format_bytes(&geom->fmt);
            pl->data = data;
            data += pl->stride * pl->h;
        }
    }
    return 0;
}

/* From now on frames come from memory of the caller's. */
static int open_callers(struct streaming *s, const struct rn_stream_case *c)
{
    const struct rn_geom *in = &rn_pool_slot(s->pool, 0)->in.geom, *out = rn_pool_output(s->pool);
    size_t bytes = (size_t)rn_geom_bytes(in);
    s->images =
        bytes * (size_t)c->frames < CALLERS_BYTES ? c->frames : (int)(CALLERS_BYTES / bytes) + 1;
    s->in = calloc((size_t)s->images, sizeof *s->in);
    s->out = calloc((size_t)s->images, sizeof *s->out);
    int err = s->in && s->out ? 0 : rn_fail_memory();
    err = err ? err : lay(s->in, s->images, in, bytes);
    err = err ? err : lay(s->out, s->images, out, (size_t)rn_geom_bytes(out));
    for (int i = 0; i < s->images && !err; i++)
        rn_synthetic_paint(&s->in[i]);
    return err ? err : rn_exchange_open(&s->exchange, s->pool, 0);
}

static void close_callers(struct streaming *s)
{
    if (s->in)
        free(s->in[0].plane[0].data);
    if (s->out)
        free(s->out[0].plane[0].data);
    free(s->in);
    free(s->out);
}

static int lock_callers(struct streaming *s)
{
    int err = 0;
    for (int i = 0; i < 2 && !err; i++) {
        const struct rn_image *first = i ? s->out : s->in;
        err = rn_exchange_lock(s->exchange, first->plane[0].data,
                               (size_t)rn_geom_bytes(&first->geom) * (size_t)s->images);
    }
    return err;
}

/* times: seconds a frame. */
static int measure_callers(struct streaming *s, const struct rn_stream_case *c,
                           const struct rn_stream_opts *opts, struct rn_times *times)
{
    double walls[RN_MAX_TIMES];
    int err = warm_up(s, c, opts->seconds);
    err = err ? err : repeat(s, opts->repeats, walls);
    if (!err)
        *times = rn_times_of(walls, opts->repeats);
    return err;
}

/* Frames in the caller's memory, before it is locked and after. */
static int measure_memory(struct streaming *s, const struct rn_stream_case *c,
                          const struct rn_stream_opts *opts, struct rn_stream_result *r)
{
    int err = open_callers(s, c);
    err = err ? err : measure_callers(s, c, opts, &r->callers);
    err = err ? err : lock_callers(s);
    err = err ? err : measure_callers(s, c, opts, &r->locked);
    err = rn_first_error(err, rn_exchange_close(&s->exchange));
    close_callers(s);
    return err;
}

/* *parts, walls: seconds a frame. */
static int measure(const struct rn_stream_case *c, const struct rn_stream_opts *opts,
                   struct rn_stream_parts *parts, double *walls, struct rn_stream_result *r)
{
    struct streaming s = {.pool = NULL};
    struct rn_timings before, after;
    int err = open_stream(&s, c, opts);
    err = err ? err : warm_up(&s, c, opts->seconds);
    if (!err)
        rn_pool_timings(s.pool, &before);
    err = err ? err : repeat(&s, opts->repeats, walls);
    if (!err) {
        struct rn_pool_meter meter;
        rn_pool_timings(s.pool, &after);
        rn_pool_meter(s.pool, &meter);
        const struct rn_timings t = rn_timings_between(&before, &after);
        double n = (double)s.frames * opts->repeats;
        *parts = (struct rn_stream_parts){t.upload / n, rn_timings_kernels(&t) / n, t.download / n};
        r->frames = s.frames;
        r->inflight = rn_pool_nslots(s.pool);
        r->lanes = meter.lanes;
        r->up_bytes = (double)t.uploaded / n;
        r->down_bytes = (double)t.downloaded / n;
    }
    if (!err && opts->callers)
        err = measure_memory(&s, c, opts, r);
    err = err ? err : rn_pool_stop(s.pool, true);
    return rn_first_error(err, rn_pool_close(&s.pool));
}

int rn_stream_measure(const struct rn_stream_case *what, const struct rn_stream_opts *opts,
                      struct rn_stream_result *result)
{
    const struct rn_stream_opts alone = {.devs = opts->devs,
                                         .ndevs = opts->ndevs > 0,
                                         .inflight = 1,
                                         .repeats = 1,
                                         .seconds = opts->seconds};
    double walls[RN_MAX_TIMES];
    *result = (struct rn_stream_result){.frames = 0};
    int err = measure(what, &alone, &result->alone, walls, result);
    result->wall_alone = walls[0];
    err = err ? err : measure(what, opts, &result->together, walls, result);
    if (!err)
        result->wall = rn_times_of(walls, opts->repeats);
    return err;
}

double rn_stream_slowest(const struct rn_stream_parts *parts, const char **name)
{
    double most = fmax(parts->run, fmax(parts->upload, parts->download));
    *name = parts->run == most ? "kernels" : parts->upload == most ? "upload" : "download";
    return most;
}
