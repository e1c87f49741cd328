#define RN_VIEW RN_VIEW_ORDER
#include "pixel.clh"

/* The minimum or maximum over a list of taps: int4 (dx, dy, plane, 0). list: (first tap, number of
 * taps that read src, number of taps after them that read the scratch planes, whether dst takes
 * part too). The scratch planes lie one after the other, scratch_size samples apart.
 * filters/parts/element.h says how a structuring element becomes a few such passes. */
#define EXTREMUM(name, better)                                                                     \
    __kernel void name(int4 area, __global const sample *src, int4 sp,                             \
                       __global const sample *scratch, int4 cp, int scratch_size,                  \
                       __global sample *dst, int4 dp, __global const int4 *taps, int4 list)        \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            __global const sample *c = RN_AT(scratch, cp, x, y);                                   \
            __global const int4 *t = taps + list.x;                                                \
            int i;                                                                                 \
            samples v = list.y ? rn_load(s + t[0].y * sp.y + t[0].x)                               \
                               : rn_load(c + t[0].z * scratch_size + t[0].y * cp.y + t[0].x);      \
            for (i = 1; i < list.y; i++) {                                                         \
                samples w = rn_load(s + t[i].y * sp.y + t[i].x);                                   \
                v = better(v, w);                                                                  \
            }                                                                                      \
            for (; i < list.y + list.z; i++) {                                                     \
                samples w = rn_load(c + t[i].z * scratch_size + t[i].y * cp.y + t[i].x);           \
                v = better(v, w);                                                                  \
            }                                                                                      \
            if (list.w) {                                                                          \
                samples w = rn_load(RN_AT(dst, dp, x, y));                                         \
                v = better(v, w);                                                                  \
            }                                                                                      \
            rn_store(RN_AT(dst, dp, x, y), v);                                                     \
        }                                                                                          \
    }

EXTREMUM(dilate, rn_max)
EXTREMUM(erode, rn_min)

/* The minimum or maximum over n planes of src, pixel by pixel: plane index[i] begins index[i] *
 * size samples after the first, -1 is a plane of zeros. n >= 1. accumulate: dst takes part too. */
#define FRAMES(name, better)                                                                       \
    __kernel void name(int4 area, __global const sample *src, int4 sp, int size, short16 index,    \
                       int n, __global sample *dst, int4 dp, int accumulate)                       \
    {                                                                                              \
        short list[16];                                                                            \
        vstore16(index, 0, list);                                                                  \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            samples v = (samples)(sample)0;                                                        \
            if (list[0] >= 0)                                                                      \
                v = rn_load(s + (int)list[0] * size);                                              \
            for (int i = 1; i < n; i++) {                                                          \
                samples w = (samples)(sample)0;                                                    \
                if (list[i] >= 0)                                                                  \
                    w = rn_load(s + (int)list[i] * size);                                          \
                v = better(v, w);                                                                  \
            }                                                                                      \
            if (accumulate) {                                                                      \
                samples w = rn_load(RN_AT(dst, dp, x, y));                                         \
                v = better(v, w);                                                                  \
            }                                                                                      \
            rn_store(RN_AT(dst, dp, x, y), v);                                                     \
        }                                                                                          \
    }

FRAMES(dilate_frames, rn_max)
FRAMES(erode_frames, rn_min)

/* Squares, for work-items with fast private memory (CPUs). One work-item computes a strip of
 * RN_STRIP_VECTORS vectors by RN_STRIP_ROWS rows. It first computes the extrema along columns, into
 * private memory, by the algorithm of M. van Herk, A fast algorithm for local minimum and maximum
 * filters on rectangular and octagonal kernels, Pattern Recognition Letters 13(7), 1992 (and J. Gil
 * and M. Werman, 1993): all windows of a block of rows share the extremum of the rows they have in
 * common, so a row costs about three reads at any radius. Then it works along the rows, where
 * windows grow in up to three levels. window: (radius, length after level 1, 2, 3); a level of 0 is
 * skipped; the last one is 2 * radius + 1. */
#define STRIP RN_STRIP_VECTORS
#define ROWS  RN_STRIP_ROWS
/* Vectors that hold twice the largest radius. */
#define REACH ((2 * RN_RADIUS_MAX + RN_WIDTH - 1) / RN_WIDTH)
#define ACROSS (STRIP + REACH + 1)

#if RN_WIDTH == 1
#define rn_load_private(p)     (*(p))
#define rn_store_private(p, v) (*(p) = (v))
#elif RN_CLANG
#define rn_load_private(p)     (*(const __private samples_anywhere *)(p))
#define rn_store_private(p, v) (*(__private samples_anywhere *)(p) = (v))
#else
#define rn_load_private  rn_load
#define rn_store_private rn_store
#endif

#define SQUARE(name, better)                                                                       \
    RN_INLINE void name##_columns(__global const sample *s, int stride, int length, int rows,      \
                                  sample *out)                                                     \
    {                                                                                              \
        samples suffix[ROWS];                                                                      \
        for (int done = 0; done < rows;) {                                                         \
            const int block = min(rows - done, length);                                            \
            __global const sample *t = s + done * stride;                                          \
            samples v = rn_load(t + (block - 1) * stride), w;                                      \
            for (int i = block; i < length; i++) {                                                 \
                w = rn_load(t + i * stride);                                                       \
                v = better(v, w);                                                                  \
            }                                                                                      \
            suffix[block - 1] = v;                                                                 \
            for (int i = block - 2; i >= 0; i--) {                                                 \
                w = rn_load(t + i * stride);                                                       \
                v = better(v, w);                                                                  \
                suffix[i] = v;                                                                     \
            }                                                                                      \
            rn_store_private(out + done * (ACROSS * RN_WIDTH), v);                                 \
            for (int i = 1; i < block; i++) {                                                      \
                samples u = rn_load(t + (length + i - 1) * stride);                                \
                w = i == 1 ? u : better(w, u);                                                     \
                v = suffix[i];                                                                     \
                v = better(v, w);                                                                  \
                rn_store_private(out + (done + i) * (ACROSS * RN_WIDTH), v);                       \
            }                                                                                      \
            done += block;                                                                         \
        }                                                                                          \
    }                                                                                              \
    /* The extremum over `to` samples from x on, given those over `from` samples. */               \
    RN_INLINE samples name##_window(const sample *in, int from, int to)                            \
    {                                                                                              \
        samples v = rn_load_private(in);                                                           \
        for (int i = from; i < to; i += from) {                                                    \
            samples w = rn_load_private(in + min(i, to - from));                                   \
            v = better(v, w);                                                                      \
        }                                                                                          \
        return v;                                                                                  \
    }                                                                                              \
    __kernel void name##_square(int4 area, __global const sample *src, int4 sp,                    \
                                __global sample *dst, int4 dp, int4 window)                        \
    {                                                                                              \
        sample strip[ROWS * ACROSS * RN_WIDTH];                                                    \
        const int r = window.x, length = 2 * r + 1;                                                \
        const int left = area.x + (int)get_global_id(0) * STRIP * RN_WIDTH;                        \
        const int top = area.y + (int)get_global_id(1) * ROWS;                                     \
        const int rows = min(ROWS, area.w - top);                                                  \
        const int columns = min(STRIP * RN_WIDTH, area.z - left);                                  \
        if (rows <= 0 || columns <= 0)                                                             \
            return;                                                                                \
        const int out = (columns + RN_WIDTH - 1) / RN_WIDTH;                                       \
        const int in = (columns + 2 * r + RN_WIDTH - 1) / RN_WIDTH;                                \
        for (int i = 0; i < in; i++)                                                               \
            name##_columns(RN_AT(src, sp, left - r + i * RN_WIDTH, top - r), sp.y, length, rows,   \
                           strip + i * RN_WIDTH);                                                  \
        /* Whole vectors are read, so samples after the last column need a value. */               \
        for (int j = 0; j < rows; j++)                                                             \
            rn_store_private(strip + (j * ACROSS + in) * RN_WIDTH, (samples)(sample)0);            \
        int from = 1;                                                                              \
        for (int level = 0; level < 2; level++) {                                                  \
            const int to = level == 0 ? window.y : window.z;                                       \
            if (to == 0 || to == length)                                                           \
                break;                                                                             \
            const int n = min(in, (columns + length - to + RN_WIDTH - 1) / RN_WIDTH);              \
            for (int j = 0; j < rows; j++) {                                                       \
                sample *row = strip + j * (ACROSS * RN_WIDTH);                                     \
                for (int i = 0; i < n; i++)                                                        \
                    rn_store_private(row + i * RN_WIDTH,                                           \
                                     name##_window(row + i * RN_WIDTH, from, to));                 \
            }                                                                                      \
            from = to;                                                                             \
        }                                                                                          \
        for (int j = 0; j < rows; j++) {                                                           \
            const sample *row = strip + j * (ACROSS * RN_WIDTH);                                   \
            __global sample *d = RN_AT(dst, dp, left, top + j);                                    \
            for (int i = 0; i < out; i++)                                                          \
                rn_store(d + i * RN_WIDTH, name##_window(row + i * RN_WIDTH, from, length));       \
        }                                                                                          \
    }

SQUARE(dilate, rn_max)
SQUARE(erode, rn_min)

/* dst = a - b. Unsigned, a is nowhere below b: a dilation or closing is never below its source, an
 * erosion or opening never above it, whatever the border rule. */
__kernel void difference(int4 area, __global const sample *a, int4 ap, __global const sample *b,
                         int4 bp, __global sample *dst, int4 dp)
{
    RN_EACH_ROW(area, x, y)
    {
        samples v = rn_load_bits(RN_AT(a, ap, x, y)), w = rn_load_bits(RN_AT(b, bp, x, y));
#if RN_IS_ORDER
        rn_store_bits(RN_AT(dst, dp, x, y), rn_bits_of(rn_quiet(rn_float_of(v) - rn_float_of(w))));
#elif RN_SAMPLE == RN_SAMPLE_S16
        const ints exact = rn_to_ints(v) - rn_to_ints(w);
        rn_store(RN_AT(dst, dp, x, y), rn_to_samples(rn_clamp(exact, (ints)-32768, (ints)32767)));
#else
        rn_store(RN_AT(dst, dp, x, y), v - w);
#endif
    }
}
