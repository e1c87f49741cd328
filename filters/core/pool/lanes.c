/* SPDX-License-Identifier: MIT */
/* The lanes of a pool and their turns: how devices are divided, and which share of the frames each
 * lane gets.
 *
 * A launch that all cores share costs 60 to 100 us on 16 of them, and what one core has written is
 * not in the cache of the next. So on CPUs each core takes a frame of its own through the whole
 * chain. Frames per second, four 3x3 passes:
 *                                    512x512    720p   1080p   2160p
 *   16 cores, one frame a launch       2,610   2,190   1,880   1,020
 *             1 core a frame          33,900  12,100   4,730   1,280
 *             2 cores a frame         15,100   8,690   4,610   1,550
 *    2 cores, one frame a launch       7,040   2,350     950     460
 *             1 core a frame          15,700   4,660   2,100     430
 * A frame that is larger than a core's cache goes to more cores. */
#include "filters/core/pool/pool_internal.h"

#include <string.h>

#include "filters/base/arguments.h"
#include "filters/base/clock.h"
#include "filters/core/runner/revision.h"

/* Up to so many bytes of input and output a frame goes to so many cores. 1080p in 8 bit has 6 MB,
 * 2160p 25 MB. */
static const struct {
    int64_t bytes;
    int units;
} units_of_frame[] = {{16 << 20, 1}, {64 << 20, 2}, {INT64_MAX, 4}};

/* Fewer cores share a launch at little cost, and each has more to fetch for a frame of its own. On
 * two of them sharpen, closing and stats run at 1.4 (512x512) and 1.2 times (720p) the frames per
 * second by a frame a core; but where a decoder fills what a shared launch leaves idle, it takes
 * 3 % more time, and where frames are computed again for their neighbours 20 %. */
#define FEWEST_CORES 4

/* Frames under way for a lane: one is computed, one is read, one is written. */
#define USUAL_SLOTS 3
#define FEW_SLOTS   4 /* on few cores, where threads wake each other less often for it */
/* The frames that lie ready for a device that computes one after the other: two that are read or
 * written, and two that it has, so that threads wake each other for two at a time. */
#define USUAL_INFLIGHT 4

/* A GPU takes 5 us for a launch, in which the bus moves 256 KiB, so small frames go together. Both
 * ways at once an H200 moves, in GB/s each way, 26 in transfers of 256 KiB, 44 of 1 MiB, 48 of
 * 4 MiB and 50 from 8 MiB on. Frames per second of sharpen, closing and stats by the bytes of a
 * batch:
 *                 one in flight   4 MiB    8 MiB   16 MiB   32 MiB
 *   512x512               6,900  112,900  164,000  168,500  163,000
 *   720p yuv420p          4,300   18,000   28,300   35,800   36,900
 *   1080p yuv420p         2,800    6,100   10,300   15,900   16,100 */
#define BATCH_BYTES (16 << 20)
/* One batch is filled or written, one uploaded, one computed, one downloaded. */
#define BATCHES 4
/* Where filters depend on other frames, so many bytes of frames may lie ready in each round, and a
 * run is so many times as long as what is computed twice for it. */
#define RUN_BYTES  (192 << 20)
#define RUN_FACTOR 4
#define RUN_FRAMES 24

#define TRIAL_FRAMES 8 /* to see which of several devices is faster */
#define USUAL_ROUNDS 2 /* of slots: one is computed while the next is filled */
#define DEVICE_SLOTS 3 /* of each of two whole devices */
/* Of runs, where filters depend on earlier frames. Two GPUs do sharpen, closing and stats at 720p
 * at 1.0 times the frames per second of one with one round of 32 frames, 1.4 with two of 24 or 32,
 * 1.2 with three of 16, 0.9 with four of 12. */
#define BEFORE_ROUNDS 2

/* How a device is divided. */
struct form {
    int n;     /* lanes of the device; 1: the whole of it computes one frame after the other */
    int units; /* compute units of each, if n > 1 */
    int slots; /* frames under way in each, of its own */
    int batch; /* frames that may be transferred and computed together */
};

static int64_t bytes_under_way(const struct rn_analysis *a)
{
    return rn_geom_bytes(&a->in) + rn_geom_bytes(&a->out);
}

/* A slot has memory for input and output, and with a delay for what lies between, which the slots
 * of a lane else share. */
int64_t rn_pool_bytes(const struct rn_analysis *a, int slots)
{
    RN_NEED(0, "analysis", a);
    if (rn_argument_within("rn_pool_bytes", "slots", slots, 0, RN_MAX_SLOTS))
        return 0;
    size_t bytes[RN_MAX_PLANES], frame = 0;
    int between = rn_placement_temporaries(a), all = slots + a->delay;
    rn_placement_sizes(a, rn_plane_host_bytes, NULL, bytes);
    for (int p = 0; p < RN_MAX_PLANES; p++)
        frame += bytes[p];
    return (int64_t)frame * (2 * all + between * (a->delay ? all : 1));
}

/* Frames in a row for one of n lanes, >= 1. Where filters depend on other frames, a lane computes
 * those in front of a run and behind it besides. 0: the chain cannot be dealt out to so many. */
static int run_length(const struct rn_analysis *a, bool by_field, int n, int inflight)
{
    /* A stage that a file of the user's defines is built once for each lane; one that remembers
     * frames sees others in each lane, where some are whole and some come as fields. */
    bool divisible = a->n && !(by_field && a->before);
    for (int i = 0; i < a->n && divisible; i++)
        divisible = !a->stage[i].desc->reload;
    if (n == 1 || !divisible)
        return n == 1;
    if (!a->before)
        return 1;
    int least = RUN_FACTOR * (a->before + a->delay);
    int most = least > RUN_FRAMES ? least : RUN_FRAMES;
    int64_t room = inflight ? inflight / n : RUN_BYTES / (n * bytes_under_way(a));
    int run = room < most ? (int)room : most;
    return run >= least ? run : 0;
}

/* Devices that share the host's memory are handed frames without a copy: that is one by one. */
static int batch_of(const struct rn_device *dev, const struct rn_analysis *a, int inflight,
                    int batch)
{
    if (!dev || !a->n)
        return 1;
    int64_t fit = 2 * BATCH_BYTES / bytes_under_way(a), most = RN_MOST_BATCH;
    if (batch)
        fit = batch;
    else if (rn_device_info(dev)->shared_memory)
        fit = 1;
    most = inflight && inflight / 2 < most ? inflight / 2 : most;
    return fit < 1 || most < 1 ? 1 : fit < most ? (int)fit : (int)most;
}

/* The whole device, frame after frame or batch after batch. */
static struct form undivided(const struct rn_device *dev, const struct rn_analysis *a,
                             const struct rn_pool_opts *opts)
{
    int inflight = opts->inflight;
    struct form form = {.n = 1, .batch = batch_of(dev, a, inflight, opts->batch)};
    form.slots = inflight ? inflight : form.batch > 1 ? BATCHES * form.batch : USUAL_INFLIGHT;
    return form;
}

/* dev: NULL = the C reference path; only its description is looked at. */
static struct form choose_form(const struct rn_device *dev, const struct rn_analysis *a,
                               const struct rn_pool_opts *opts)
{
    int64_t bytes = bytes_under_way(a);
    int inflight = opts->inflight, i = 0, run = 1;
    const struct rn_device_info *info = dev ? rn_device_info(dev) : NULL;
    int cores = opts->threads ? opts->threads : rn_cores();
    if (info)
        cores = strcmp(info->type, "cpu") ? 1 : info->compute_units;
    while (bytes > units_of_frame[i].bytes)
        i++;
    int n = dev ? cores / units_of_frame[i].units : cores;
    n = inflight && n > inflight ? inflight : n > RN_MAX_LANES ? RN_MAX_LANES : n;
    /* Whether a frame a core is worth it where the caller asks for no frames in flight. */
    bool pays = cores >= FEWEST_CORES || (cores > 1 && !a->before && !opts->busy);
    n = dev && ((!inflight && !pays) || opts->batch > 1) ? 1 : n;
    while (n > 1 && !(run = run_length(a, opts->by_field, n, inflight)))
        n /= 2;
    if (n < 2)
        return undivided(dev, a, opts);
    int slots = a->before              ? run
                : inflight             ? inflight / n
                : cores < FEWEST_CORES ? FEW_SLOTS
                                       : USUAL_SLOTS;
    return (struct form){.n = n, .units = cores / n, .slots = slots, .batch = 1};
}

/* ---- their turns */

/* The lanes of one device; where it cannot be divided after all, there is one. */
static int add_device(struct rn_pool *pool, struct rn_device *dev,
                      const struct rn_analysis *analysis, struct form form)
{
    int err = 0, made = 0, first = pool->nparts;
    if (dev && form.n > 1)
        err = rn_device_divide(dev, form.units, form.n, pool->part + first, &made);
    pool->nparts += made;
    if (dev && form.n > 1 && made < 2 && !err)
        form = undivided(dev, analysis, &pool->opts);
    form.n = made ? made : form.n;
    for (int k = 0; k < form.n && !err; k++) {
        if (pool->n == RN_MAX_LANES)
            return rn_fail(RN_EINTERNAL, "there are more than %d lanes", RN_MAX_LANES);
        struct rn_lane *lane = &pool->lane[pool->n++];
        lane->pool = pool;
        lane->dev = made ? pool->part[first + k] : dev;
        lane->device = pool->ndevs;
        lane->own = form.slots;
        lane->batch = form.batch;
        lane->share = 1;
        rn_gather_init(&lane->wake);
    }
    return err;
}

/* Seconds for a frame on the lane's device, by itself. */
static int try_lane(struct rn_lane *lane, double *seconds)
{
    struct rn_runner *runner = NULL;
    int err = rn_lane_open_runner(lane, 2, &runner);
    double t0 = rn_clock();
    for (int i = 0; i < TRIAL_FRAMES && !err; i++) {
        struct rn_slot *slot = rn_runner_slot(runner, i % rn_runner_nslots(runner)), *ready;
        err = rn_runner_submit(runner, slot);
        if (!err && (ready = rn_runner_ready(runner)) != NULL)
            err = rn_runner_discard(runner, ready);
    }
    *seconds = (rn_clock() - t0) / TRIAL_FRAMES;
    rn_runner_close(&runner);
    return err;
}

/* The faster of different devices get more: so many runs of each round as they compute while the
 * slowest computes one. first: the first lane of each device. */
static int share_out(struct rn_pool *pool, const int first[], int ndevs)
{
    double seconds[RN_MAX_DEVICES], slowest = 0;
    int err = 0;
    for (int d = 0; d < ndevs && !err; d++) {
        err = try_lane(&pool->lane[first[d]], &seconds[d]);
        slowest = seconds[d] > slowest ? seconds[d] : slowest;
    }
    for (int d = 0; d < ndevs && !err; d++) {
        int share = seconds[d] > 0 ? (int)(slowest / seconds[d] + 0.5) : RN_MAX_SHARE;
        for (int k = first[d]; k < first[d + 1]; k++)
            pool->lane[k].share = share < RN_MAX_SHARE ? share : RN_MAX_SHARE;
    }
    return err;
}

/* Spreads the runs of lanes evenly over the round: the one furthest behind its share comes next. */
static void take_turns(struct rn_pool *pool)
{
    int behind[RN_MAX_LANES] = {0}, all = 0;
    for (int k = 0; k < pool->n; k++)
        all += pool->lane[k].share;
    for (pool->nturns = 0; pool->nturns < all; pool->nturns++) {
        int next = 0;
        for (int k = 0; k < pool->n; k++) {
            behind[k] += pool->lane[k].share;
            next = behind[k] > behind[next] ? k : next;
        }
        behind[next] -= all;
        pool->turn[pool->nturns] = next;
    }
}

/* Slots come in whole rounds, so that a slot is always the same lane's. */
static void set_slots(struct rn_pool *pool, bool several, int inflight)
{
    if (pool->n == 1)
        return;
    for (int k = 0; k < pool->n; k++) {
        struct rn_lane *lane = &pool->lane[k];
        int rounds = lane->own / pool->run_frames;
        if (several)
            rounds = pool->before   ? (inflight ? 1 : BEFORE_ROUNDS)
                     : inflight     ? (inflight + pool->nturns - 1) / pool->nturns
                     : pool->n == 2 ? DEVICE_SLOTS
                                    : USUAL_ROUNDS;
        lane->own = rounds * lane->share * pool->run_frames;
        if (several && !pool->before && !inflight)
            lane->own *= lane->batch;
    }
}

/* How each device is divided; not at all where they have more lanes together than the chain can be
 * dealt out to. */
static void choose_forms(const struct rn_pool_opts *opts, struct rn_device *const devs[], int ndevs,
                         const struct rn_analysis *a, struct form form[])
{
    int all = 0;
    for (int d = 0; d < ndevs; d++) {
        form[d] = choose_form(devs[d], a, opts);
        all += form[d].n;
    }
    bool fits = all <= RN_MAX_LANES && run_length(a, opts->by_field, all, opts->inflight);
    for (int d = 0; d < ndevs && !fits; d++)
        form[d] = undivided(devs[d], a, opts);
}

/* The same with as many frames in flight as fit the memory. */
static void fit_forms(struct rn_pool *pool, struct rn_device *const devs[], int ndevs,
                      const struct rn_analysis *a, struct form form[])
{
    const struct rn_pool_opts *opts = &pool->opts;
    for (;;) {
        int64_t bytes = 0;
        int slots = 0;
        choose_forms(opts, devs, ndevs, a, form);
        for (int d = 0; d < ndevs; d++) {
            bytes += form[d].n * rn_pool_bytes(a, form[d].slots + (form[d].n > 1 ? a->before : 0));
            slots += form[d].n * form[d].slots;
        }
        if (!opts->memory || bytes <= opts->memory || slots <= 1)
            return;
        /* In one step near to what fits, and then one by one. */
        int64_t fit = slots * opts->memory / bytes;
        pool->opts.inflight = fit < 1 ? 1 : fit + 1 < slots ? (int)fit + 1 : slots - 1;
    }
}

int rn_pool_make_lanes(struct rn_pool *pool, struct rn_device *const devs[], int ndevs,
                       const struct rn_analysis *analysis)
{
    const struct rn_pool_opts *opts = &pool->opts;
    struct rn_analysis dealt = *analysis;
    const struct rn_analysis *a = &dealt;
    struct form form[RN_MAX_DEVICES];
    int first[RN_MAX_DEVICES + 1] = {0}, err = 0;
    if (ndevs > 1 && !run_length(a, opts->by_field, ndevs, opts->inflight)) {
        if (a->n)
            rn_log(RN_LOG_WARNING,
                   "this chain cannot be dealt out to several devices: '%s' "
                   "computes alone",
                   rn_device_info(devs[0])->name);
        ndevs = 1;
    }
    /* Stages hand frames on where a work-item is a work-group: on CPUs. */
    bool relayed = ndevs == 1 && devs[0] && rn_form_alone(&devs[0]->form) && analysis->before &&
                   analysis->relays;
    if (relayed) /* as far as the lanes are concerned, each frame is one by itself */
        dealt.before = 0;
    fit_forms(pool, devs, ndevs, a, form);
    for (int d = 0; d < ndevs && !err; d++) {
        err = add_device(pool, devs[d], a, form[d]);
        pool->ndevs++;
        first[d + 1] = pool->n;
    }
    bool alike = true;
    for (int d = 1; d < ndevs; d++)
        alike &= !strcmp(rn_device_info(devs[d])->name, rn_device_info(devs[0])->name);
    if (!err && !alike)
        err = share_out(pool, first, ndevs);
    take_turns(pool);
    pool->before = a->before;
    pool->behind = a->delay;
    pool->run_frames = run_length(a, opts->by_field, pool->n, opts->inflight);
    if (!err && !pool->run_frames)
        err = rn_fail(RN_EINTERNAL, "the frames cannot be dealt out to %d lanes", pool->n);
    if (!err)
        set_slots(pool, ndevs > 1, opts->inflight);
    int slots = 0;
    for (int k = 0; k < pool->n; k++)
        slots += pool->lane[k].own;
    return err || !relayed || pool->n == 1
               ? err
               : rn_relay_open(&pool->relay, pool->n, slots, analysis->before);
}
