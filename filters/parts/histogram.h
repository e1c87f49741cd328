/* SPDX-License-Identifier: MIT */
/* Exact histograms of planes, on the host for the references and on the device.
 *
 * Integers have a bin for each value, from the smallest on. Floats have RN_FLOAT_BINS bins over the
 * declared range low..high: a sample v has the bin (v - low) * scale, both operations in fp32, its
 * fraction dropped, where scale = RN_FLOAT_BINS / (high - low); samples outside count in the first
 * and the last bin, NaN not at all.
 *
 * A device counts into `tables` tables of those bins each, whose sum is the histogram: on a CPU
 * every work-item has a table of its own. Callers that read the tables back add them up on the host
 * (stats). Callers that continue on the device use rn_histogram_measure, which adds the tables up
 * and also computes, for each block of RN_HISTOGRAM_BLOCK bins, the sums from which the functions
 * of kernels/histogram.clh derive cumulative sums in parallel (threshold, equalize).
 *
 * Samples above the largest value are counted as the largest value. A bin holds up to 2^32 - 1, and
 * no plane has more samples than that. */
#pragma once

#include "filters/core/device/kernel_constants.h"
#include "filters/core/chain/stage.h"
#include "filters/core/device/opencl.h"

#define RN_HISTOGRAM_GROUPS 512

/* The bins of samples. */
struct rn_binning {
    int bins;
    float low, scale; /* of floats */
};

struct rn_histogram {
    int bins, tables; /* set by rn_histogram_prepare, as is binning */
    struct rn_binning binning;
    enum rn_sample sample;
    int range, copies; /* on GPUs: as in kernels/histogram.clh, share.y and share.x */
    struct rn_kernel *count, *merge;
    /* For rn_histogram_measure. They serve one plane at a time; the next call overwrites them. */
    struct rn_scratch mem;    /* uint: the tables; after a measurement the first is the histogram */
    struct rn_scratch other;  /* on GPUs: a table of zeros, for the next measurement */
    struct rn_scratch blocks; /* ulong2 per block: number of samples and their sum */
    int reserved;             /* the number of bins that they were last prepared for */
};

/* Chooses the number of tables and gets the kernels; measures: also the memory that
 * rn_histogram_measure needs. h: in bound->priv. May be called again for another format. Returns 0,
 * RN_EDEVICE or RN_EINTERNAL (logged). */
int rn_histogram_prepare(struct rn_histogram *h, struct rn_bound *bound, const struct rn_geom *geom,
                         bool measures);

struct rn_binning rn_binning_of(const struct rn_geom *geom);

/* The bin of a sample of geom, whose binning is b; -1: it is NaN. */
int rn_bin_of(const struct rn_binning *b, const struct rn_format *fmt, float v);

/* How work-groups share out the counting of a plane on a GPU: kernels/histogram.clh. */
struct rn_histogram_share {
    struct rn_range items, group;
    struct rn_arg share;
    size_t fast; /* bytes of local memory */
};

/* For a kernel that counts by rn_count; it has RN_HISTOGRAM_GROUPS groups at most. */
struct rn_histogram_share rn_histogram_share(const struct rn_histogram *h,
                                             const struct rn_device *dev,
                                             const struct rn_dplane *plane);

/* Enqueues the counting of a plane. kept: of the same size, becomes a copy of it; NULL: none. Only
 * where work-groups are one work-item. at: the 4-byte word of mem at which the tables begin; they
 * hold zeros. Returns 0 or RN_EDEVICE (logged). */
int rn_histogram_count(const struct rn_histogram *h, struct rn_cmd *cmd,
                       const struct rn_dplane *plane, const struct rn_dplane *kept, cl_mem mem,
                       int at);

/* Enqueues the measurement of a plane: its histogram goes to the first table of h->mem, its block
 * sums to h->blocks. Returns 0 or RN_EDEVICE (logged). */
int rn_histogram_measure(struct rn_histogram *h, struct rn_cmd *cmd, const struct rn_dplane *plane);

/* Enqueues a kernel with one work-group of the device's own shape per block of bins. For the size
 * of its local memory see rn_histogram_items. Returns 0 or RN_EDEVICE (logged). */
int rn_histogram_launch(const struct rn_histogram *h, struct rn_cmd *cmd, struct rn_kernel *kernel,
                        const struct rn_arg *args, int nargs);

/* The number of work-items in such a group, a power of two. */
static inline size_t rn_histogram_items(const struct rn_cmd *cmd)
{
    return (size_t)cmd->dev->form.local_x * (size_t)cmd->dev->form.local_y;
}

/* The reference: counts a plane's samples into table, which has all bins. Returns their number. */
uint32_t rn_histogram_ref(const struct rn_plane *plane, const struct rn_geom *geom,
                          uint32_t *table);
