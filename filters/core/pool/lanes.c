/* SPDX-License-Identifier: MIT */
/* A launch that all cores share costs 60 to 100 us on 16 of them, and what one core has written is
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
#include "filters/base/threads/thread.h"
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

/* Frames under way for a lane: one is computed, one is read or written. */
#define USUAL_SLOTS 2
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

/* A stage that a file of the user's defines is built once for each lane; one that remembers frames
 * sees others in each lane, where some are whole and some come as fields. */
static bool is_divisible(const struct rn_analysis *a, bool by_field)
{
    bool divisible = a->n && !(by_field && a->before);
    for (int i = 0; i < a->n && divisible; i++)
        divisible = !a->stage[i].desc->reload;
    return divisible;
}

static int64_t bytes_under_way(const struct rn_analysis *a)
{
    return rn_geom_samples(&a->in) * rn_format_bytes(&a->in.fmt) +
           rn_geom_samples(&a->out) * rn_format_bytes(&a->out.fmt);
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

int rn_lanes_run(const struct rn_analysis *a, bool by_field, int n, int inflight)
{
    if (n == 1 || !is_divisible(a, by_field))
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

struct rn_lanes rn_lanes_undivided(const struct rn_device *dev, const struct rn_analysis *a,
                                   const struct rn_pool_opts *opts)
{
    int inflight = opts->inflight;
    struct rn_lanes lanes = {.n = 1, .batch = batch_of(dev, a, inflight, opts->batch)};
    lanes.slots = inflight ? inflight : lanes.batch > 1 ? BATCHES * lanes.batch : USUAL_INFLIGHT;
    return lanes;
}

struct rn_lanes rn_lanes_choose(const struct rn_device *dev, const struct rn_analysis *a,
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
    while (n > 1 && !(run = rn_lanes_run(a, opts->by_field, n, inflight)))
        n /= 2;
    if (n < 2)
        return rn_lanes_undivided(dev, a, opts);
    int slots = a->before              ? run
                : inflight             ? inflight / n
                : cores < FEWEST_CORES ? FEW_SLOTS
                                       : USUAL_SLOTS;
    return (struct rn_lanes){.n = n, .units = cores / n, .slots = slots, .batch = 1};
}
