/* SPDX-License-Identifier: MIT */
#include "filters/parts/histogram.h"

#define MAX_BANDS 64

/* Of a work-group on a GPU. */
enum {
    FEW_WORDS = 4096, /* of counters: several groups fit a unit, and setting them to zero and adding
                        * them up costs little; */
    MANY_WORDS = 8192, /* for more bins, as many as every device has local memory for, or */
    MAX_WORDS = 11264, /* 3 ranges of 16 bits */
    MAX_COPIES = 16,
    MAX_ITEMS = 512,
    GROUPS = 4, /* of a unit */
};

/* On CPUs each work-item counts a band of rows on its own; GPUs share a table through atomics. */
static bool in_bands(const struct rn_device *dev)
{
    return rn_form_alone(&dev->form);
}

struct rn_binning rn_binning_of(const struct rn_geom *geom)
{
    const struct rn_format *fmt = &geom->fmt;
    if (fmt->number != RN_NUMBER_FLOAT)
        return (struct rn_binning){.bins = rn_format_max(fmt) - rn_format_min(fmt) + 1};
    double range = (double)geom->high - (double)geom->low;
    return (struct rn_binning){RN_FLOAT_BINS, geom->low, (float)(RN_FLOAT_BINS / range)};
}

int rn_bin_of(const struct rn_binning *b, const struct rn_format *fmt, float v)
{
    if (fmt->number != RN_NUMBER_FLOAT)
        return (int)v - rn_format_min(fmt);
    if (v != v)
        return -1;
    float t = (v - b->low) * b->scale, last = (float)(b->bins - 1);
    t = t > 0 ? t : 0;
    return (int)(t < last ? t : last);
}

static int reserve(struct rn_histogram *h, struct rn_bound *bound)
{
    struct rn_device *dev = bound->dev;
    if (h->reserved == h->bins)
        return 0;
    size_t blocks = (size_t)(h->bins / RN_HISTOGRAM_BLOCK);
    size_t bytes = sizeof(cl_uint) * (size_t)h->tables * (size_t)h->bins;
    int err = rn_scratch_reserve(dev, rn_held(bound, &h->mem), bytes);
    size_t sums = sizeof(cl_ulong2) * blocks;
    err = err ? err : rn_scratch_reserve(dev, rn_held(bound, &h->blocks), sums);
    if (!in_bands(dev)) { /* which clear their own tables, all at the same time */
        err = err ? err : rn_scratch_reserve(dev, rn_held(bound, &h->other), bytes);
        err = err ? err : rn_buffer_clear(dev, h->mem.mem, bytes);
        err = err ? err : rn_buffer_clear(dev, h->other.mem, bytes);
    }
    h->reserved = err ? 0 : h->bins;
    return err;
}

int rn_histogram_prepare(struct rn_histogram *h, struct rn_bound *bound, const struct rn_geom *geom,
                         bool measures)
{
    struct rn_device *dev = bound->dev;
    int units = dev->info.compute_units;
    enum rn_sample sample = rn_format_sample(&geom->fmt);
    h->sample = sample;
    h->binning = rn_binning_of(geom);
    h->bins = h->binning.bins;
    h->tables = !in_bands(dev) ? 1 : units < MAX_BANDS ? units : MAX_BANDS;
    int64_t most = dev->info.local_memory / (int64_t)sizeof(cl_uint);
    h->range = h->bins <= FEW_WORDS ? h->bins : 2 * (most < MAX_WORDS ? MANY_WORDS : MAX_WORDS);
    h->copies = h->bins <= FEW_WORDS; /* 0: two counters share a word */
    while (h->copies && h->copies < MAX_COPIES && 2 * h->copies * h->range <= FEW_WORDS)
        h->copies *= 2;
    int err =
        rn_kernel_get(dev, "histogram.cl", in_bands(dev) ? "histogram_bands" : "histogram_shared",
                      sample, &h->count);
    err = err ? err : rn_kernel_get(dev, "histogram.cl", "histogram_merge", sample, &h->merge);
    return err || !measures ? err : reserve(h, bound);
}

struct rn_histogram_share rn_histogram_share(const struct rn_histogram *h,
                                             const struct rn_device *dev,
                                             const struct rn_dplane *plane)
{
    int bytes = rn_sample_bytes(h->sample), most = dev->info.max_work_group, items = MAX_ITEMS;
    while (items > most)
        items /= 2;
    int ranges = (h->bins + h->range - 1) / h->range,
        vectors = (plane->w * bytes + 15) / 16 * plane->h;
    int slices = (vectors + items - 1) / items, groups = dev->info.compute_units * GROUPS;
    groups = groups > RN_HISTOGRAM_GROUPS ? RN_HISTOGRAM_GROUPS : groups;
    int enough = groups / ranges > 0 ? groups / ranges : 1;
    slices = slices > enough ? enough : slices;
    int words = h->copies ? h->copies * h->range : h->range / 2;
    return (struct rn_histogram_share){
        .items = {items * ranges * slices, 1, 1},
        .group = {items, 1, 1},
        .share = RN_ARG_INT4(h->copies, h->range, ranges, slices),
        .fast = sizeof(cl_uint) * (size_t)words,
    };
}

int rn_histogram_count(const struct rn_histogram *h, struct rn_cmd *cmd,
                       const struct rn_dplane *plane, const struct rn_dplane *kept, cl_mem mem,
                       int at)
{
    if (!in_bands(cmd->dev)) {
        struct rn_histogram_share s = rn_histogram_share(h, cmd->dev, plane);
        return RN_LAUNCH_ITEMS(cmd, h->count, s.items, s.group, RN_ARG_PLANE(plane),
                               RN_ARG_MEM(mem), RN_ARG_INT(at), RN_ARG_INT(h->bins),
                               RN_ARG_FLOAT(h->binning.low), RN_ARG_FLOAT(h->binning.scale),
                               RN_ARG_LOCAL(s.fast), s.share);
    }
    struct rn_range items = {1, h->tables, 1};
    return RN_LAUNCH_ITEMS(
        cmd, h->count, items, RN_OWN_GROUP, RN_ARG_PLANE(plane), RN_ARG_PLANE(kept ? kept : plane),
        RN_ARG_INT(kept != NULL), RN_ARG_MEM(mem), RN_ARG_INT(at), RN_ARG_INT(h->bins),
        RN_ARG_FLOAT(h->binning.low), RN_ARG_FLOAT(h->binning.scale),
        RN_ARG_LOCAL(sizeof(cl_uint) * RN_HISTOGRAM_TABLES * 256), RN_ARG_INT(h->tables));
}

int rn_histogram_measure(struct rn_histogram *h, struct rn_cmd *cmd, const struct rn_dplane *plane)
{
    cl_mem cleared = h->other.mem;
    if (cleared) {
        h->other.mem = h->mem.mem;
        h->mem.mem = cleared;
    }
    int err = rn_histogram_count(h, cmd, plane, NULL, h->mem.mem, 0);
    return err ? err
               : rn_histogram_launch(
                     h, cmd, h->merge,
                     RN_ARGS(RN_ARG_MEM(h->mem.mem), RN_ARG_INT(h->bins), RN_ARG_INT(h->tables),
                             RN_ARG_MEM(h->blocks.mem),
                             RN_ARG_LOCAL(sizeof(cl_ulong2) * rn_histogram_items(cmd)),
                             RN_ARG_MEM(cleared ? h->other.mem : h->mem.mem),
                             RN_ARG_INT(cleared != NULL)));
}

int rn_histogram_launch(const struct rn_histogram *h, struct rn_cmd *cmd, struct rn_kernel *kernel,
                        const struct rn_arg *args, int nargs)
{
    const struct rn_form *form = &cmd->dev->form;
    struct rn_range items = {form->local_x, h->bins / RN_HISTOGRAM_BLOCK * form->local_y, 1};
    return rn_launch_items(cmd, kernel, items, RN_OWN_GROUP, args, nargs);
}

uint32_t rn_histogram_ref(const struct rn_plane *plane, const struct rn_geom *geom, uint32_t *table)
{
    const struct rn_binning b = rn_binning_of(geom);
    enum rn_sample sample = rn_format_sample(&geom->fmt);
    uint32_t n = 0;
    RN_EACH_SAMPLE (plane, x, y) {
        int bin = rn_bin_of(&b, &geom->fmt, rn_sample_get(plane, sample, x, y));
        if (bin < 0)
            continue;
        table[bin < b.bins ? bin : b.bins - 1]++;
        n++;
    }
    return n;
}
