/* SPDX-License-Identifier: MIT */
/* Kernels: prewitt sobel roberts */
#include "window.clh"

/* ---- the square root, correctly rounded on every device
 *
 * OpenCL 1.2 allows an error of 3 units in the last place. With RN_EXACT_SQRT the host has built
 * the program for correct rounding. OpenCL's functions take vectors of at most 16. */
#if RN_WIDTH > 16
#define PIECE 16
typedef float16 piece;
#else
#define PIECE RN_WIDTH
typedef floats piece;
#endif

#if RN_EXACT_SQRT
#define mend(s, v) (s)
#else
#if PIECE == 1
#define next_float(v, n) as_float(as_int(v) + (n))
#else
#define next_float(v, n) RN_CAT(as_float, PIECE)(RN_CAT(as_int, PIECE)(v) + (n))
#endif

/* Moves s, which is up to 3 steps from the root of v, to the float nearest to the root. v: 0, or at
 * least 1. The residual v - s * s is exact wherever it is near the thresholds, since it is a
 * multiple of the square of the last place of s. (s + step / 2)^2 = s^2 + s * step + step^2 / 4, so
 * the root is above the midpoint between s and its upper neighbour if residual > s * step, and
 * below the midpoint to its lower neighbour if residual <= -s * step. The two steps differ where s
 * is a power of two. */
RN_INLINE piece mend(piece s, piece v)
{
    for (int i = 0; i < 3; i++) {
        const piece up = next_float(s, 1), down = next_float(s, -1), residual = fma(-s, s, v);
        const piece low = residual <= s * (down - s) ? down : s;
        s = residual > s * (up - s) ? up : low;
    }
    return v > (piece)0.0f ? s : (piece)0.0f;
}
#endif

RN_INLINE piece root_of_piece(piece v)
{
#if RN_IS_FLOAT && !RN_EXACT_SQRT
    /* Small ones are scaled, which is exact, so that the residual is no denormal. */
    const piece up = (piece)0x1p64f, down = (piece)0x1p-32f, one = (piece)1.0f;
    const piece large = v < (piece)0x1p-64f ? v * up : v, s = mend(sqrt(large), large);
    const piece root = s * (v < (piece)0x1p-64f ? down : one);
    return v == v ? root : v;
#else
    const piece s = sqrt(v);
    return mend(s, v);
#endif
}

#define BY_HALVES(name, T, root_of_half)                                                           \
    RN_INLINE T name(T v)                                                                          \
    {                                                                                              \
        v.lo = root_of_half(v.lo);                                                                 \
        v.hi = root_of_half(v.hi);                                                                 \
        return v;                                                                                  \
    }
#if RN_WIDTH > 32
typedef float floats32 __attribute__((ext_vector_type(32)));
BY_HALVES(root_of_32, floats32, root_of_piece)
BY_HALVES(root, floats, root_of_32)
#elif RN_WIDTH > 16
BY_HALVES(root, floats, root_of_piece)
#else
#define root(v) root_of_piece(v)
#endif

/* ---- the gradient: filters/edges.c has the definition */

#if RN_IS_FLOAT || RN_BY_INDEX /* GPUs add floats at twice the rate of integers */
typedef floats sums;
#define sums_to_floats(v) (v)
#define AT(dx, dy)        rn_near_floats(dx, dy)
#elif RN_BYTES == 1
typedef shorts sums; /* +-1020 at most */
#define sums_to_floats(v) rn_to_floats(v)
#define AT(dx, dy)        rn_to_shorts(rn_near(dx, dy))
#else
typedef ints sums;
#define sums_to_floats(v) rn_to_floats(v)
#define AT(dx, dy)        rn_to_ints(rn_near(dx, dy))
#endif

#if RN_BY_INDEX && RN_BYTES == 1
/* What magnitude() gives where it neither scales nor adds. All values are whole, and a root of less
 * than 256 is never rounded up to the next integer. half_sqrt() is off by 2^-10 of it at most, so
 * the nearest integer is the root without its fraction, or one more. */
RN_INLINE samples whole_magnitude(floats a, floats b)
{
    const floats n = fmin(fma(a, a, b * b), (floats)65535.0f);
    const floats near = (half_sqrt(n) + 8388608.0f) - 8388608.0f, over = fma(near, near, -n);
    return rn_to_samples(rn_as(int, (over > 0.0f ? near - 1.0f : near) + 8388608.0f));
}
#endif

RN_INLINE samples magnitude(sums ia, sums ib, float scale, float delta, float max)
{
#if RN_BY_INDEX && RN_BYTES == 1
    if (scale == 1.0f && delta == 0.0f && max == 255.0f)
        return whole_magnitude(ia, ib);
#endif
    const floats a = sums_to_floats(ia), b = sums_to_floats(ib);
    const floats aa = a * a, bb = b * b, n = aa + bb;
    const floats v = root(n) * scale + delta;
#if RN_SAMPLE == RN_SAMPLE_S16 || RN_IS_FLOAT
    return rn_round(v, max);
#else
    return rn_to_samples(rn_to_ints(rn_within(v, 0.0f, max))); /* drops the fraction */
#endif
}

#define EDGES(name, gradient)                                                                      \
    RN_KERNEL(name)(rn_area area, RN_PLANES, int2 edge, float scale, float delta, float max)       \
    {                                                                                              \
        RN_EACH_WINDOW(area, src, sp, edge, x, y)                                                  \
        {                                                                                          \
            rn_fetch_next(RN_AT(src, sp, x, y), RN_AT(dst, dp, x, y));                             \
            sums a, b;                                                                             \
            gradient;                                                                              \
            rn_put(RN_AT(dst, dp, x, y), magnitude(a, b, scale, delta, max));                      \
        }                                                                                          \
    }

#if RN_BY_INDEX && !RN_IS_FLOAT
/* The exact sums line by line, which the rows of a work-item share. */
#define SMOOTH(middle, dy) (AT(-1, dy) + middle(AT(0, dy)) + AT(1, dy))
#define SLOPE(dy)          (AT(1, dy) - AT(-1, dy))
#define DIFFERENCES(middle)                                                                        \
    a = SMOOTH(middle, 1) - SMOOTH(middle, -1);                                                    \
    b = SLOPE(-1) + middle(SLOPE(0)) + SLOPE(1)
#else
#define DIFFERENCES(middle)                                                                        \
    const sums nw = AT(-1, -1), ne = AT(1, -1), sw = AT(-1, 1), se = AT(1, 1);                     \
    const sums ns = AT(0, 1) - AT(0, -1), we = AT(1, 0) - AT(-1, 0);                               \
    const sums falling = se - nw, rising = ne - sw;                                                \
    a = falling - rising + middle(ns);                                                             \
    b = falling + rising + middle(we)
#endif
#define ONCE(v)  (v)
#define TWICE(v) ((v) + (v))

EDGES(prewitt, DIFFERENCES(ONCE))
EDGES(sobel, DIFFERENCES(TWICE))
EDGES(roberts, a = AT(-1, -1) - AT(0, -1); b = AT(0, 0) - AT(-1, 0))
