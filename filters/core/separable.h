/* Matrices that are a column times a row, on a device, in two passes: along the rows of the picture
 * into sums of 32 bits, then along its columns. For stages; belongs to the device thread. */
#ifndef RN_SEPARABLE_H
#define RN_SEPARABLE_H

#include "filters/core/opencl.h"

/* What is computed: S(x, y) = sum over i of column[i] * sum over j of
 * row[j] * in(x + j - w / 2, y + i - h / 2), and out = clamp(S * scale + bias), two roundings in
 * fp32, then half to even. */
struct rn_factors {
    const double *row, *column; /* read by rn_separable_prepare only */
    int w, h;                   /* their lengths, odd */
    /* true: all values are integers, S is exact, and the sum of |column| * |row| * (largest sample)
     * is below 2^31. false: S is summed in fp32, weights rounded to fp32, every operation rounded,
     * zero weights left out: the sums along the rows first, from left to right, then from top to
     * bottom; or as paired says. */
    bool whole;
    /* fp32 only. Both row and column are symmetric, and each sum is taken from the middle outwards:
     * s = k[0] * v(0), then s = s + k[d] * (v(-d) + v(d)) for d = 1, 2, ... */
    bool paired;
};

/* Zeroed: nothing was made. */
struct rn_separable {
    cl_mem taps[2], mid; /* of the row and the column; the sums along the rows */
    int ntaps[2], reach; /* reach: rows above and below that the column needs */
    int group;           /* taps of the row that 16-bit sums hold; 0: those are not used */
    size_t tap_bytes[2], mid_bytes;
    struct rn_kernel *row, *column;
};

/* Makes the tables, scratch memory for planes up to geom's size, and the kernels, for these
 * factors. May be called again with others. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged); what
 * was made is released with rn_separable_release in any case. */
int rn_separable_prepare(struct rn_separable *s, struct rn_device *dev, const struct rn_geom *geom,
                         const struct rn_factors *factors);

/* Enqueues both passes. src's margin is filled, w / 2 samples left and right and h / 2 rows above
 * and below. bytes: per sample. Returns 0 or RN_EDEVICE. */
int rn_separable_enqueue(struct rn_separable *s, struct rn_cmd *cmd, const struct rn_dplane *src,
                         const struct rn_dplane *dst, int bytes, float scale, float bias,
                         float max);

/* Releases what was made and zeroes s. */
void rn_separable_release(struct rn_separable *s, struct rn_device *dev);

#endif
