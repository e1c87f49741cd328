/* SPDX-License-Identifier: MIT */
/* The lanes of a pool and their turns: how devices are divided, and which share of the frames each
 * lane gets. */
#include <string.h>

#include "filters/base/clock.h"
#include "filters/core/pool/pool_internal.h"

#define TRIAL_FRAMES 8 /* to see which of several devices is faster */
#define USUAL_ROUNDS 2 /* of slots: one is computed while the next is filled */
#define DEVICE_SLOTS 3 /* of each of two whole devices */
/* Of runs, where filters depend on earlier frames. Two GPUs do sharpen, closing and stats at 720p
 * at 1.0 times the frames per second of one with one round of 32 frames, 1.4 with two of 24 or 32,
 * 1.2 with three of 16, 0.9 with four of 12. */
#define BEFORE_ROUNDS 2

static int add_lane(struct rn_pool *pool, struct rn_device *dev, struct rn_lanes form)
{
    struct rn_lane *lane = &pool->lane[pool->n];
    if (pool->n == RN_MAX_LANES)
        return rn_fail(RN_EINTERNAL, "there are more than %d lanes", RN_MAX_LANES);
    pool->n++;
    lane->pool = pool;
    lane->dev = dev;
    lane->device = pool->ndevs;
    lane->own = form.slots;
    lane->batch = form.batch;
    lane->share = 1;
    rn_gather_init(&lane->wake);
    return 0;
}

/* The lanes of one device; where it cannot be divided after all, there is one. */
static int add_device(struct rn_pool *pool, struct rn_device *dev,
                      const struct rn_analysis *analysis, struct rn_lanes form)
{
    int err = 0, made = 0, first = pool->nparts;
    if (dev && form.n > 1)
        err = rn_device_divide(dev, form.units, form.n, pool->part + first, &made);
    pool->nparts += made;
    if (dev && form.n > 1 && made < 2 && !err)
        form = rn_lanes_undivided(dev, analysis, &pool->opts);
    form.n = made ? made : form.n;
    for (int k = 0; k < form.n && !err; k++)
        err = add_lane(pool, made ? pool->part[first + k] : dev, form);
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

/* Spreads the runs of each lane evenly over the round: always the one that is furthest behind its
 * share comes next. */
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
static void choose_forms(const struct rn_pool *pool, struct rn_device *const devs[], int ndevs,
                         const struct rn_analysis *a, struct rn_lanes form[])
{
    const struct rn_pool_opts *opts = &pool->opts;
    int all = 0;
    for (int d = 0; d < ndevs; d++) {
        form[d] = rn_lanes_choose(devs[d], a, opts);
        all += form[d].n;
    }
    bool fits = all <= RN_MAX_LANES && rn_lanes_run(a, opts->by_field, all, opts->inflight);
    for (int d = 0; d < ndevs && !fits; d++)
        form[d] = rn_lanes_undivided(devs[d], a, opts);
}

/* The same with as many frames in flight as fit the memory. */
static void fit_forms(struct rn_pool *pool, struct rn_device *const devs[], int ndevs,
                      const struct rn_analysis *a, struct rn_lanes form[])
{
    for (;;) {
        int64_t bytes = 0;
        int slots = 0;
        choose_forms(pool, devs, ndevs, a, form);
        for (int d = 0; d < ndevs; d++) {
            bytes += form[d].n * rn_pool_bytes(a, form[d].slots + (form[d].n > 1 ? a->before : 0));
            slots += form[d].n * form[d].slots;
        }
        if (!pool->opts.memory || bytes <= pool->opts.memory || slots <= 1)
            return;
        /* In one step near to what fits, and then one by one. */
        int64_t fit = slots * pool->opts.memory / bytes;
        pool->opts.inflight = fit < 1 ? 1 : fit + 1 < slots ? (int)fit + 1 : slots - 1;
    }
}

int rn_pool_make_lanes(struct rn_pool *pool, struct rn_device *const devs[], int ndevs,
                       const struct rn_analysis *analysis)
{
    const struct rn_pool_opts *opts = &pool->opts;
    struct rn_analysis dealt = *analysis;
    const struct rn_analysis *a = &dealt;
    struct rn_lanes form[RN_MAX_DEVICES];
    int first[RN_MAX_DEVICES + 1] = {0}, err = 0;
    if (ndevs > 1 && !rn_lanes_run(a, opts->by_field, ndevs, opts->inflight)) {
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
    pool->run_frames = rn_lanes_run(a, opts->by_field, pool->n, opts->inflight);
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
