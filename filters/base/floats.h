/* SPDX-License-Identifier: MIT */
/* Float samples: NaN, the infinities and the two zeros, by one rule on every device.
 *
 * Every NaN that a filter writes is the quiet one, 7fc00000; planes that a filter does not process
 * keep their bits. Filters that only select samples (the order of values) do so by their bits, as
 * numpy.sort orders them: -Inf < ... < -0 < +0 < ... < +Inf < NaN. All others compute in fp32 as
 * IEEE 754 says, each operation rounded, with denormal numbers where the device has them
 * (CL_FP_DENORM); results are neither rounded to integers nor saturated.
 *
 *   filter                        NaN                               Inf
 *   erosion, dilation, opening,   above every number: an erosion    a number like any other
 *     closing, median               passes it only where all samples
 *                                   of the window are NaN, a
 *                                   dilation spreads it, a closing
 *                                   keeps it; median: sorted last
 *   gradient, tophat, blackhat    a difference with NaN is NaN      Inf - Inf is NaN
 *   convolution, blur, boxblur,   spreads over the window; samples  spreads, and is NaN where
 *     sharpen, emboss,              whose weight is 0 are not read    two of them cancel out
 *     laplacian, prewitt, sobel,
 *     roberts
 *   invert, gray, gaussian noise  stays NaN                         stays Inf
 *   noise (salt-and-pepper)       stays NaN, unless drawn           stays Inf, unless drawn
 *   levels                        stays NaN                         limited to low, high
 *   threshold                     black                             +Inf white, -Inf black
 *   otsu=1, equalize (histogram)  not counted; black, stays NaN     in the first or last bin
 *   format, to floats             stays NaN                         stays Inf
 *   format, to integers           the smallest value                saturated
 *   stats                         counted in no column; of a plane  counted: norms and moments
 *                                   of nothing else there are no      become Inf or NaN
 *                                   numbers (nan, in JSON null)
 *   custom                        as the user's file computes; in integers NaN becomes the
 *                                   smallest value
 *
 * Histograms of floats have RN_FLOAT_BINS bins over the declared range low..high: see rn_bin();
 * for the entropy, from the smallest to the largest finite sample of the plane itself. */
#pragma once

#include <stdint.h>

#define RN_FLOAT_BINS 65536

union rn_float_bits {
    float value;
    int32_t bits;
};

/* v, or the quiet NaN if v is any NaN. */
static inline float rn_quiet(float v)
{
    union rn_float_bits nan;
    nan.bits = 0x7fc00000;
    return v != v ? nan.value : v;
}

/* The place of v in the order above, as an integer that compares alike; and the value back. */
static inline int32_t rn_order_of(float v)
{
    union rn_float_bits f;
    f.value = rn_quiet(v);
    return f.bits ^ (f.bits < 0 ? 0x7fffffff : 0);
}

static inline float rn_order_value(int32_t order)
{
    union rn_float_bits f;
    f.bits = order ^ (order < 0 ? 0x7fffffff : 0);
    return f.value;
}
