/* A wide Gaussian on a coarser grid, so that its cost hardly grows with its width: the picture is
 * reduced to every factor-th sample of every factor-th row, blurred there, and interpolated. For
 * stages; the tables also for their references.
 *
 * Definition. b is the cubic B-spline, b(t) = 2/3 - t^2 + |t|^3 / 2 for |t| < 1, (2 - |t|)^3 / 6
 * for |t| < 2, else 0; f the factor; v the picture, continued by its border rule. All sums are in
 * fp32, over weights that were computed in double precision and rounded.
 *   reduce       column sums at the rows f * j, then row sums at the columns f * i: from the middle
 *                outwards, s = k[0] * v(0), then s = fma(k[d], v(-d) + v(d), s) for d = 1 ..
 *                2 f - 1, with k[d] = b(d / f) / f
 *   blur         the sums of filters/parts/separable.h, `paired`, row first, over -reach..reach,
 *                times 1, plus 0. The weights make all three steps together a Gaussian: they are,
 *                but for a factor that makes their sum 1, the sum over the frequencies w = 2 pi n /
 *                512, n = -256..255, of cos(w d) * exp(-(sigma / f * w)^2 / 2) / (sin(w / 2) / (w /
 *                2))^8
 *   interpolate  along rows, then along columns; with x = f * i + p: s = q[p][0] * u(i - 1), then
 *                s = fma(q[p][k], u(i - 1 + k), s) for k = 1..3, with q[p][k] = b(p / f - k + 1)
 * What the coarse grid cannot show is less than 2e-4 of the range away from the Gaussian. */
#ifndef RN_FILTERS_PARTS_COARSE_H
#define RN_FILTERS_PARTS_COARSE_H

#include "filters/core/device/kernel_constants.h"
#include "filters/parts/separable.h"

#define RN_COARSE_FACTOR 8  /* the most */
#define RN_COARSE_REACH  16 /* of the blur on the grid, the most */
#define RN_COARSE_REDUCE (2 * RN_COARSE_FACTOR)
#define RN_COARSE_MARGIN 112 /* the most samples that are read beyond the edge */

struct rn_coarse {
    int factor, reach;
    float reduce[2 * RN_COARSE_FACTOR];     /* k */
    double weight[2 * RN_COARSE_REACH + 1]; /* of the blur, at -reach..reach */
    float interpolate[4][RN_COARSE_LANES];  /* q[i % factor][k] at [k][i] */
    /* device */
    struct rn_separable blur;
    struct rn_kernel *kernel[4];
    cl_mem tables;                   /* k, then q */
    cl_mem partial, reduced, result; /* sums of columns, later of rows; the grid, and blurred */
    size_t partial_bytes, reduced_bytes, result_bytes;
};

/* The factor for a Gaussian: 1, if it does without the grid. */
int rn_coarse_factor(double sigma);

/* Makes the tables for a Gaussian whose factor is above 1. */
void rn_coarse_set(struct rn_coarse *c, double sigma);

/* Makes what a device needs, for planes up to geom's size, after rn_coarse_set. May be called
 * again. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged); call rn_coarse_release in any case. */
int rn_coarse_prepare(struct rn_coarse *c, struct rn_device *dev, const struct rn_geom *geom);

/* Enqueues the blur of a plane. Overwrites src's margin of RN_COARSE_MARGIN samples. Returns 0 or
 * an error (logged). */
int rn_coarse_enqueue(struct rn_coarse *c, struct rn_cmd *cmd, const struct rn_dplane *src,
                      const struct rn_dplane *dst, const struct rn_geom *geom,
                      enum rn_border border);

/* The reference. Returns 0 or RN_EINTERNAL (logged). */
int rn_coarse_ref(const struct rn_coarse *c, const struct rn_plane *src, struct rn_plane *dst,
                  const struct rn_format *fmt, enum rn_border border);

/* Releases what rn_coarse_prepare made. */
void rn_coarse_release(struct rn_coarse *c, struct rn_device *dev);

#endif
