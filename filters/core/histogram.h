/* Histograms of planes, counted exactly: by the host for references, by the device into tables.
 *
 * A device counts into `tables` tables of 2^depth bins, which add up to the histogram: work-items
 * of a CPU each have one of their own. Who reads them back adds them up (stats); who goes on on the
 * device has them measured: added up, with the sums of each block of RN_HISTOGRAM_BLOCK bins, from
 * which the kernels of kernels/histogram.clh get cumulative sums in parallel (threshold, equalize).
 *
 * Samples above the largest value count as that. A bin holds up to 2^32 - 1, and no plane has more
 * samples. */
#ifndef RN_HISTOGRAM_H
#define RN_HISTOGRAM_H

#include "filters/core/image.h"
#include "filters/core/opencl.h"

#define RN_HISTOGRAM_BLOCK 256

struct rn_histogram {
    int bins, tables; /* after rn_histogram_prepare */
    struct rn_kernel *count, *merge;
    /* After rn_histogram_reserve. One plane at a time: the next measurement overwrites them. */
    cl_mem mem;    /* uint: the tables; the first is the histogram once measured */
    cl_mem blocks; /* ulong2 per block: number of samples, their sum */
    int reserved;  /* bins that mem and blocks are made for */
};

/* Chooses tables and gets the kernels. May be called again with another format. Returns 0 or
 * RN_EDEVICE (logged). */
int rn_histogram_prepare(struct rn_histogram *h, struct rn_device *dev,
                         const struct rn_format *fmt);

/* Bytes of all tables of a plane. */
size_t rn_histogram_bytes(const struct rn_histogram *h);

/* Enqueues the counting of a plane into the tables that begin at word `at` (of 4 bytes) of mem and
 * hold zeros. Returns 0 or RN_EDEVICE (logged). */
int rn_histogram_count(const struct rn_histogram *h, struct rn_cmd *cmd,
                       const struct rn_dplane *plane, cl_mem mem, int at);

/* Makes mem and blocks, after rn_histogram_prepare. Returns 0 or RN_EDEVICE (logged). */
int rn_histogram_reserve(struct rn_histogram *h, struct rn_device *dev);
void rn_histogram_release(struct rn_histogram *h, struct rn_device *dev);

/* Enqueues the histogram of a plane: the first table of h->mem, and h->blocks. Returns 0 or
 * RN_EDEVICE (logged). */
int rn_histogram_measure(struct rn_histogram *h, struct rn_cmd *cmd, const struct rn_dplane *plane);

/* Runs a kernel with one work-group of the device's shape per block of bins. Local memory: see
 * rn_histogram_items. Returns 0 or RN_EDEVICE (logged). */
int rn_histogram_launch(const struct rn_histogram *h, struct rn_cmd *cmd, struct rn_kernel *kernel,
                        const struct rn_arg *args, int nargs);

/* Work-items of such a group, a power of two. */
size_t rn_histogram_items(const struct rn_cmd *cmd);

/* The reference: adds the samples of a plane to table, of 2^depth bins. */
void rn_histogram_ref(const struct rn_plane *plane, const struct rn_format *fmt, uint32_t *table);

#endif
