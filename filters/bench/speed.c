/* SPDX-License-Identifier: MIT */
#include "filters/base/owned.h"
#include "filters/bench/bench.h"

#include "filters/base/clock.h"

#define MIB         (1LL << 20)
#define SHARED_SIZE (128 * MIB) /* beyond the caches, below what small machines have */
#define OWN_SIZE    (256 * MIB)
#define LAUNCHES    200
#define PROBE_SIDE  64

enum { UP = 1, DOWN = 2, BOTH = UP | DOWN };

/* The memory, kernels and commands of a measurement. */
struct bench {
    struct rn_device *dev;
    struct rn_linear *linear;
    struct rn_cmd cmd;
    cl_mem a, b, pinned[2];
    struct rn_kernel kernel;
    void *host[RN_SPEED_MEMORIES][2]; /* to read, and to write */
    size_t bytes;
    int n;    /* floats of them */
    int ways; /* of a transfer: UP, DOWN or BOTH */
};

/* One thing to be timed, once. Returns 0 or an error (logged). */
typedef int work_fn(struct bench *bench, int memory);

static int repeat(struct bench *bench, work_fn *work, int memory, int repeats,
                  struct rn_times *spread)
{
    double seconds[RN_MAX_TIMES];
    int err = 0;
    for (int i = -1; i < repeats && !err; i++) { /* one before those that count */
        double t = rn_clock();
        err = work(bench, memory);
        if (i >= 0)
            seconds[i] = rn_clock() - t;
    }
    *spread = rn_times_of(seconds, err ? 0 : repeats);
    return err;
}

/* ---- memory and the bus */

static int copy_by_command(struct bench *d, int memory)
{
    cl_int code = clEnqueueCopyBuffer(d->dev->run, d->a, d->b, 0, 0, d->bytes, 0, NULL, NULL);
    return code ? rn_cl_check(code, "copying a buffer") : rn_linear_finish(d->linear);
}

static int copy_by_kernel(struct bench *d, int memory)
{
    int err = rn_linear_copy(d->linear, d->a, d->b, d->n);
    return err ? err : rn_linear_finish(d->linear);
}

/* Transfers in the directions of d->ways: they overlap if both start before one is waited for. */
static int transfer(struct bench *d, int memory)
{
    void *const *host = d->host[memory];
    struct rn_device *dev = d->dev;
    cl_int code = 0;
    if (d->ways & UP)
        code = clEnqueueWriteBuffer(dev->up, d->a, CL_FALSE, 0, d->bytes, host[0], 0, NULL, NULL);
    if (!code && d->ways & DOWN)
        code = clEnqueueReadBuffer(dev->down, d->b, CL_FALSE, 0, d->bytes, host[1], 0, NULL, NULL);
    code = code ? code : clFlush(dev->up);
    code = code ? code : clFlush(dev->down);
    return code ? rn_cl_check(code, "starting a transfer") : rn_linear_finish(d->linear);
}

static int map(struct bench *d, int memory)
{
    cl_int code;
    void *at = clEnqueueMapBuffer(d->dev->run, d->a, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                  d->bytes, 0, NULL, NULL, &code);
    code = code ? code : clEnqueueUnmapMemObject(d->dev->run, d->a, at, 0, NULL, NULL);
    return code ? rn_cl_check(code, "mapping a buffer") : rn_linear_finish(d->linear);
}

static int open_memory(struct bench *d)
{
    struct rn_device *dev = d->dev;
    int err = rn_buffer_create(dev, CL_MEM_READ_WRITE, d->bytes, &d->a);
    err = err ? err : rn_buffer_create(dev, CL_MEM_READ_WRITE, d->bytes, &d->b);
    err = err ? err : rn_buffer_clear(dev, d->a, d->bytes);
    err = err ? err : rn_buffer_clear(dev, d->b, d->bytes);
    for (int i = 0; i < 2 && !err; i++) {
        cl_int code;
        d->host[RN_SPEED_PAGEABLE][i] = malloc(d->bytes);
        if (!d->host[RN_SPEED_PAGEABLE][i])
            return rn_fail_memory();
        memset(d->host[RN_SPEED_PAGEABLE][i], i, d->bytes);
        err = rn_buffer_create(dev, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, d->bytes,
                               &d->pinned[i]);
        if (err)
            return err;
        d->host[RN_SPEED_PINNED][i] =
            clEnqueueMapBuffer(dev->run, d->pinned[i], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                               d->bytes, 0, NULL, NULL, &code);
        if (code)
            return rn_cl_check(code, "mapping page-locked memory");
        memset(d->host[RN_SPEED_PINNED][i], i, d->bytes);
    }
    return err;
}

static void close_memory(struct bench *d)
{
    for (int i = 0; i < 2; i++) {
        if (d->host[RN_SPEED_PINNED][i])
            clEnqueueUnmapMemObject(d->dev->run, d->pinned[i], d->host[RN_SPEED_PINNED][i], 0, NULL,
                                    NULL);
        clFinish(d->dev->run);
        rn_buffer_release(d->dev, &d->pinned[i]);
        free(d->host[RN_SPEED_PAGEABLE][i]);
    }
    rn_buffer_release(d->dev, &d->a);
    rn_buffer_release(d->dev, &d->b);
}

static int measure_memory(struct bench *d, struct rn_speed *s)
{
    struct rn_times kernel;
    int err = repeat(d, copy_by_command, 0, s->repeats, &s->copy);
    err = err ? err : repeat(d, copy_by_kernel, 0, s->repeats, &kernel);
    if (!err && kernel.median < s->copy.median)
        s->copy = kernel;
    for (int m = 0; m < RN_SPEED_MEMORIES; m++) {
        struct rn_times *const spreads[] = {
            [UP] = &s->up[m], [DOWN] = &s->down[m], [BOTH] = &s->both[m]};
        for (d->ways = UP; d->ways <= BOTH && !err; d->ways++)
            err = repeat(d, transfer, m, s->repeats, spreads[d->ways]);
    }
    if (!err && d->dev->info.shared_memory)
        err = repeat(d, map, 0, s->repeats, &s->map);
    return err;
}

/* ---- launches and the compiler */

static int launch(struct bench *d, int times)
{
    int err = 0;
    const struct rn_range one = {1, 1, 1};
    for (int i = 0; i < times && !err; i++)
        err = RN_LAUNCH_ITEMS(&d->cmd, &d->kernel, one, one, RN_ARG_MEM(d->a));
    return rn_first_error(err, rn_linear_finish(d->linear));
}

static int measure_launches(struct bench *d, struct rn_speed *s)
{
    int err = rn_linear_build(d->dev, "", "bench.cl", "empty", &d->kernel);
    err = err ? err : repeat(d, launch, 1, s->repeats, &s->answer);
    err = err ? err : repeat(d, launch, LAUNCHES, s->repeats, &s->launch);
    rn_times_scale(&s->launch, 1.0 / LAUNCHES);
    rn_kernel_release(d->dev, &d->kernel);
    return err;
}

static int measure_build(struct bench *d, struct rn_speed *s)
{
    char salt[64]; /* makes it another program than those that are kept */
    const struct rn_range items = {PROBE_SIDE, PROBE_SIDE, 1};
    unsigned number = (unsigned)(1e6 * rn_clock()) ^ (unsigned)getpid() << 16;
    snprintf(salt, sizeof salt, "#define RN_SALT 0x%xu\n", number);
    double t = rn_clock();
    int err = rn_linear_build(d->dev, salt, "bench.cl", "build_probe", &d->kernel);
    err = err ? err
              : RN_LAUNCH_ITEMS(&d->cmd, &d->kernel, items, RN_OWN_GROUP, RN_ARG_MEM(d->a),
                                RN_ARG_MEM(d->b), RN_ARG_INT(PROBE_SIDE), RN_ARG_INT(PROBE_SIDE));
    err = rn_first_error(err, rn_linear_finish(d->linear));
    s->build = rn_clock() - t;
    rn_kernel_release(d->dev, &d->kernel);
    return err;
}

/* ---- all of it */

static int copy_on_host(struct bench *d, int memory)
{
    memcpy(d->host[memory][1], d->host[memory][0], d->bytes);
    return 0;
}

static int measure_host(struct bench *d, struct rn_speed *s)
{
    void **host = d->host[RN_SPEED_PAGEABLE];
    host[0] = calloc(1, d->bytes);
    host[1] = malloc(d->bytes);
    int err = host[0] && host[1] ? 0 : rn_fail_memory();
    if (!err)
        memset(host[0], 1, d->bytes);
    err = err ? err : repeat(d, copy_on_host, RN_SPEED_PAGEABLE, s->repeats, &s->copy);
    free(host[0]);
    free(host[1]);
    return err;
}

int rn_speed_measure(struct rn_device *dev, int64_t bytes, int repeats, struct rn_speed *speed)
{
    struct bench bench = {.dev = dev, .cmd = {.dev = dev, .stage = -1}};
    int64_t fitting = dev && !dev->info.shared_memory ? OWN_SIZE : SHARED_SIZE;
    if (dev && dev->info.global_memory / 8 < fitting)
        fitting = dev->info.global_memory / 8;
    if (dev && dev->info.max_allocation < fitting)
        fitting = dev->info.max_allocation;
    *speed = (struct rn_speed){.bytes = bytes ? bytes : fitting / 1024 * 1024, .repeats = repeats};
    bench.bytes = (size_t)speed->bytes;
    bench.n = (int)(speed->bytes / (int64_t)sizeof(cl_float));
    if (!dev)
        return measure_host(&bench, speed);
    int err = rn_linear_open(&bench.linear, dev);
    err = err ? err : open_memory(&bench);
    err = err ? err : measure_memory(&bench, speed);
    err = err ? err : measure_launches(&bench, speed);
    err = err ? err : measure_build(&bench, speed);
    close_memory(&bench);
    rn_linear_close(&bench.linear);
    return err;
}

int rn_speed_copy(struct rn_device *dev, int64_t bytes, double *seconds)
{
    cl_mem a = NULL, b = NULL;
    cl_int code = 0;
    int err = rn_buffer_create(dev, CL_MEM_READ_WRITE, (size_t)bytes, &a);
    err = err ? err : rn_buffer_create(dev, CL_MEM_READ_WRITE, (size_t)bytes, &b);
    *seconds = 0;
    for (int i = 0; i < 50 && !err && !code; i++) {
        cl_event event = NULL;
        code = clEnqueueCopyBuffer(dev->run, a, b, 0, 0, (size_t)bytes, 0, NULL, &event);
        code = code ? code : clWaitForEvents(1, &event);
        double t = code ? 0 : rn_event_seconds(event);
        if (event)
            clReleaseEvent(event);
        *seconds = i && *seconds < t ? *seconds : t;
    }
    rn_buffer_release(dev, &a);
    rn_buffer_release(dev, &b);
    return code ? rn_cl_check(code, "copying a buffer") : err;
}
