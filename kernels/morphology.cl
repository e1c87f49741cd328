/* SPDX-License-Identifier: MIT */
/* Kernels: dilate erode dilate_nine erode_nine dilate_frames erode_frames dilate_square
 * erode_square dilate_chords erode_chords difference */
#define RN_VIEW RN_VIEW_ORDER
#include "window.clh"
#include "tile.clh"

/* The operations are the same but for this; `dilate` is a constant in each kernel. */
RN_INLINE samples join(samples a, samples b, const bool dilate)
{
    if (dilate)
        return rn_max(a, b);
    return rn_min(a, b);
}

/* The minimum or maximum over a list of taps: int4 (dx, dy, plane, 0). list: (first tap, number of
 * taps that read src, number of taps after them that read the scratch planes, whether dst takes
 * part too). The scratch planes lie one after the other, scratch_size samples apart.
 * filters/parts/minmax.h says how a structuring element becomes a few such passes. */
#define EXTREMUM(name, dilate)                                                                     \
    RN_KERNEL(name)(rn_area area, __global const sample *src, int4 sp,                             \
                    __global const sample *scratch, int4 cp, int scratch_size,                     \
                    __global sample *dst, int4 dp, __global const int4 *taps, int4 list)           \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            __global const sample *c = RN_AT(scratch, cp, x, y);                                   \
            __global const int4 *t = taps + list.x;                                                \
            int i;                                                                                 \
            samples v = list.y ? FROM_SOURCE(0) : FROM_SCRATCH(0);                                 \
            for (i = 1; i < list.y; i++)                                                           \
                v = join(v, FROM_SOURCE(i), dilate);                                               \
            for (; i < list.y + list.z; i++)                                                       \
                v = join(v, FROM_SCRATCH(i), dilate);                                              \
            if (list.w)                                                                            \
                v = join(v, rn_load(RN_AT(dst, dp, x, y)), dilate);                                \
            rn_store(RN_AT(dst, dp, x, y), v);                                                     \
        }                                                                                          \
    }
#define FROM_SOURCE(i)  rn_load_apart(s + t[i].y * sp.y + t[i].x)
#define FROM_SCRATCH(i) rn_load_apart(c + t[i].z * scratch_size + t[i].y * cp.y + t[i].x)

EXTREMUM(dilate, true)
EXTREMUM(erode, false)

#if RN_BY_INDEX
RN_INLINE nears join_three(nears a, nears b, nears c, const bool dilate)
{
    const nears two = dilate ? rn_max(a, b) : rn_min(a, b);
    return dilate ? rn_max(two, c) : rn_min(two, c);
}

/* GPUs, 3x3: a square or the plus sign. */
#define NINE(name, dilate)                                                                         \
    RN_KERNEL(name)(rn_area area, RN_PLANES, int2 edge, int square)                                \
    {                                                                                              \
        RN_EACH_WINDOW(area, src, sp, edge, x, y)                                                  \
        {                                                                                          \
            const nears middle = join_three(rn_near(-1, 0), rn_near(0, 0), rn_near(1, 0), dilate); \
            nears above = rn_near(0, -1), below = rn_near(0, 1);                                   \
            if (square) {                                                                          \
                above = join_three(rn_near(-1, -1), above, rn_near(1, -1), dilate);                \
                below = join_three(rn_near(-1, 1), below, rn_near(1, 1), dilate);                  \
            }                                                                                      \
            rn_put(RN_AT(dst, dp, x, y), rn_to_samples(join_three(above, middle, below, dilate))); \
        }                                                                                          \
    }

NINE(dilate_nine, true)
NINE(erode_nine, false)
#endif

/* The minimum or maximum over n planes of src, pixel by pixel: plane index[i] begins index[i] *
 * size samples after the first, -1 is a plane of zeros. n >= 1. accumulate: dst takes part too. */
#define FRAME(i) (list[i] >= 0 ? rn_load(s + (int)list[i] * size) : (samples)(sample)0)
#define FRAMES(name, dilate)                                                                       \
    RN_KERNEL(name)(rn_area area, __global const sample *src, int4 sp, int size, short16 index,    \
                    int n, __global sample *dst, int4 dp, int accumulate)                          \
    {                                                                                              \
        short list[16];                                                                            \
        vstore16(index, 0, list);                                                                  \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            __global const sample *s = RN_AT(src, sp, x, y);                                       \
            samples v = FRAME(0);                                                                  \
            for (int i = 1; i < n; i++)                                                            \
                v = join(v, FRAME(i), dilate);                                                     \
            if (accumulate)                                                                        \
                v = join(v, rn_load(RN_AT(dst, dp, x, y)), dilate);                                \
            rn_store(RN_AT(dst, dp, x, y), v);                                                     \
        }                                                                                          \
    }

FRAMES(dilate_frames, true)
FRAMES(erode_frames, false)

/* Squares, for work-items with fast private memory (CPUs). One work-item computes a strip of
 * RN_STRIP_VECTORS vectors by RN_STRIP_ROWS rows. It first computes the extrema along columns, into
 * private memory, by the algorithm of M. van Herk, A fast algorithm for local minimum and maximum
 * filters on rectangular and octagonal kernels, Pattern Recognition Letters 13(7), 1992 (and J. Gil
 * and M. Werman, 1993): all windows of a block of rows share the extremum of the rows they have in
 * common, so a row costs about three reads at any radius. Then it works along the rows, where
 * windows grow in up to two levels before the last: window is (radius along rows, along columns,
 * length after level 1, 2); a level of 0 is skipped. */
#define STRIP RN_STRIP_VECTORS
#define ROWS  RN_STRIP_ROWS
/* Vectors that hold twice the largest radius. */
#define REACH ((2 * RN_RADIUS_MAX + RN_WIDTH - 1) / RN_WIDTH)
#define ACROSS (STRIP + REACH + 1)

RN_INLINE void join_columns(__global const sample *s, int stride, int length, int rows, sample *out,
                            const bool dilate)
{
    samples suffix[ROWS];
    for (int done = 0; done < rows;) {
        const int block = min(rows - done, length);
        __global const sample *t = s + done * stride;
        samples v = rn_load(t + (block - 1) * stride), w;
        for (int i = block; i < length; i++)
            v = join(v, rn_load(t + i * stride), dilate);
        suffix[block - 1] = v;
        for (int i = block - 2; i >= 0; i--)
            suffix[i] = v = join(v, rn_load(t + i * stride), dilate);
        rn_store_private(out + done * (ACROSS * RN_WIDTH), v);
        for (int i = 1; i < block; i++) {
            const samples u = rn_load(t + (length + i - 1) * stride);
            w = i == 1 ? u : join(w, u, dilate);
            rn_store_private(out + (done + i) * (ACROSS * RN_WIDTH), join(suffix[i], w, dilate));
        }
        done += block;
    }
}

/* The extremum over `to` samples from x on, given those over `from` samples. */
RN_INLINE samples join_window(const sample *in, int from, int to, const bool dilate)
{
    samples v = rn_load_private(in);
    for (int i = from; i < to; i += from)
        v = join(v, rn_load_private(in + min(i, to - from)), dilate);
    return v;
}

RN_INLINE void join_square(int4 area, RN_PLANES, int4 window, const bool dilate)
{
    sample strip[ROWS * ACROSS * RN_WIDTH];
    const int r = window.x, length = 2 * r + 1;
    const int left = area.x + (int)get_global_id(0) * STRIP * RN_WIDTH;
    const int top = area.y + (int)get_global_id(1) * ROWS;
    const int rows = min(ROWS, area.w - top), columns = min(STRIP * RN_WIDTH, area.z - left);
    if (rows <= 0 || columns <= 0)
        return;
    const int out = (columns + RN_WIDTH - 1) / RN_WIDTH;
    const int in = (columns + 2 * r + RN_WIDTH - 1) / RN_WIDTH;
    for (int i = 0; i < in; i++)
        join_columns(RN_AT(src, sp, left - r + i * RN_WIDTH, top - window.y), sp.y,
                     2 * window.y + 1, rows, strip + i * RN_WIDTH, dilate);
    /* Whole vectors are read, so samples after the last column need a value. */
    for (int j = 0; j < rows; j++)
        rn_store_private(strip + (j * ACROSS + in) * RN_WIDTH, (samples)(sample)0);
    int from = 1;
    for (int level = 0; level < 2; level++) {
        const int to = level == 0 ? window.z : window.w;
        if (to == 0 || to == length)
            break;
        const int n = min(in, (columns + length - to + RN_WIDTH - 1) / RN_WIDTH);
        for (int j = 0; j < rows; j++) {
            sample *row = strip + j * (ACROSS * RN_WIDTH);
            for (int i = 0; i < n; i++)
                rn_store_private(row + i * RN_WIDTH,
                                 join_window(row + i * RN_WIDTH, from, to, dilate));
        }
        from = to;
    }
    for (int j = 0; j < rows; j++) {
        const sample *row = strip + j * (ACROSS * RN_WIDTH);
        __global sample *d = RN_AT(dst, dp, left, top + j);
        for (int i = 0; i < out; i++)
            rn_store(d + i * RN_WIDTH, join_window(row + i * RN_WIDTH, from, length, dilate));
    }
}

#define SQUARE(name, dilate)                                                                       \
    RN_KERNEL(name)(int4 area, RN_PLANES, int4 window)                                             \
    {                                                                                              \
        join_square(area, src, sp, dst, dp, window, dilate);                                       \
    }
SQUARE(dilate_square, true)
SQUARE(erode_square, false)

/* Disks, ellipsoids and balls, for such work-items: one of them computes the same strip in one go,
 * from the frames themselves: chord by chord, as E. Urbach and M. Wilkinson do within a picture
 * (filters/parts/minmax.h has the paper, and how the list of chords is made). `whole` holds the
 * extrema over the frames up to distance dz, which grow with it, and the border rule's samples
 * around them; `part` holds windows along columns, whose vectors are aligned, and which grow from
 * chord to chord; `best` is the result so far. All of it stays in the caches of one core, at most
 * 120 KiB, and nothing else is written: neither margins nor scratch planes.
 *
 * index: the frame at each distance -slices..slices: its place in src, size samples apart; -1: a
 * frame of zeros; -2: none. shape: (rx, slices, border, 0).
 *
 * A ball of radius 5 on two cores, and the same by sections with planes between them, ms for a
 * closing of 512x512: 0.51-0.7 and 1.1-1.2 in 8 bits, 1.3 and 2.6-3 in 16, 2.1-4.2 and 8-15 in
 * floats. Half of what is left is reading the 11 frames. */
#define TALL (ROWS + 2 * RN_RADIUS_MAX)
#define ROOM ((TALL * (STRIP + REACH + 1) + STRIP) * RN_WIDTH)
#define NO_FRAME (-2)

#if STRIP != 4
#error "JOIN4 and collect_chords take strips of four vectors"
#endif

#if RN_WIDTH == 1
#define rn_first(v) (v)
#else
#define rn_first(v) (v).s0
#endif

/* A strip: where it begins, its size, and that of what surrounds it. */
struct strip {
    int left, top, columns, rows;
    int rx, ry, slices, border;
    int vectors;    /* of a row with its surroundings */
    int pitch;      /* samples from row to row in private memory */
    sample outside; /* what lies there for border rules without a sample */
};

/* A row of two frames joins `row`, or of one, which is the first. A frame of zeros: NULL. */
RN_INLINE void join_frames(const struct strip *s, __global const sample *a,
                           __global const sample *b, bool begin, sample *row, const bool dilate)
{
    for (int i = 0; i < s->vectors * RN_WIDTH; i += RN_WIDTH) {
        samples v = (samples)(sample)0, w = v;
        if (a)
            v = rn_load(a + i);
        if (!begin) {
            if (b)
                w = rn_load(b + i);
            v = join(join(v, w, dilate), rn_load_private(row + i), dilate);
        }
        rn_store_private(row + i, v);
    }
}

/* The samples x0..x1 - 1 outside the picture. Wrapped ones come from src, which is then the only
 * frame, the others from the row. */
RN_INLINE void fill_side(const struct strip *s, __global const sample *src, int w, sample *row,
                         int x0, int x1)
{
    const int at = s->left - s->rx;
    for (int x = x0; x < x1; x++) {
        const int from = border_index(s->border, x, w);
        if (from < 0) {
            row[x - at] = s->outside;
        } else if (s->border == RN_WRAP) {
            samples v = rn_load(src + from);
            row[x - at] = rn_first(v);
        } else {
            row[x - at] = row[from - at];
        }
    }
}

/* The frames at -dz and dz join those that are nearer. */
RN_INLINE void take_frames(const struct strip *s, __global const sample *src, int4 sp, int size,
                           const short *list, int dz, int high, sample *whole, const bool dilate)
{
    const int x0 = s->left - s->rx, x1 = s->left + s->columns + s->rx;
    for (int j = s->ry - high; j < s->ry + s->rows + high; j++) {
        const int y = border_index(s->border, s->top + j - s->ry, sp.w);
        sample *row = whole + j * s->pitch;
        int a = list[s->slices - dz], b = list[s->slices + dz];
        a = a == NO_FRAME ? b : a;
        b = b == NO_FRAME ? a : b;
        for (int i = 0; dz == 0 && (y < 0 || a == NO_FRAME) && i < s->vectors; i++)
            rn_store_private(row + i * RN_WIDTH, (samples)s->outside);
        if (y < 0)
            continue;
        __global const sample *from = RN_AT(src, sp, x0, y);
        if (a != NO_FRAME)
            join_frames(s, a < 0 ? 0 : from + a * size, b < 0 ? 0 : from + b * size, dz == 0, row,
                        dilate);
        from += max((int)list[s->slices], 0) * size - x0;
        fill_side(s, from, sp.z, row, x0, min(x1, 0));
        fill_side(s, from, sp.z, row, max(x0, sp.z), x1);
    }
}

/* Windows of three rows, in the rows up to `high` from the strip. */
RN_INLINE void begin_windows(const struct strip *s, const sample *in, sample *out, int high,
                             const bool dilate)
{
    const int first = (s->ry - high) * s->pitch, pitch = s->pitch;
    const int end = first + (s->rows + 2 * high - 2) * pitch;
    for (int i = first; i < end; i += RN_WIDTH) {
        const samples v = join(rn_load_private(in + i), rn_load_private(in + i + pitch), dilate);
        rn_store_private(out + i, join(v, rn_load_private(in + i + 2 * pitch), dilate));
    }
}

/* Windows of `from` rows become windows of `to`, at most twice as many. */
RN_INLINE void widen_windows(const struct strip *s, sample *part, int from, int to, int high,
                             const bool dilate)
{
    const int first = (s->ry - high) * s->pitch, ahead = (to - from) * s->pitch;
    const int end = first + (s->rows + 2 * high + 1 - to) * s->pitch;
    for (int i = first; i < end; i += RN_WIDTH)
        rn_store_private(part + i, join(rn_load_private(part + i),
                                        rn_load_private(part + i + ahead), dilate));
}

/* Four vectors at p join a, b, c and d. */
#define JOIN4(p)                                                                                   \
    {                                                                                              \
        a = join(a, rn_load_private(p), dilate);                                                   \
        b = join(b, rn_load_private((p) + RN_WIDTH), dilate);                                      \
        c = join(c, rn_load_private((p) + 2 * RN_WIDTH), dilate);                                  \
        d = join(d, rn_load_private((p) + 3 * RN_WIDTH), dilate);                                  \
    }

/* The chords x1..x2 columns to the left and to the right join the result. PoCL leaves loops of four
 * steps as they are, and arrays in memory. */
RN_INLINE void collect_chords(const struct strip *s, const sample *in, int x1, int x2, int reach,
                              bool begin, sample *best, const bool dilate)
{
    const sample *middle = in + (s->ry - reach) * s->pitch + s->rx;
    for (int j = 0; j < s->rows; j++) {
        samples a = rn_load_private(middle + x2), b = rn_load_private(middle + x2 + RN_WIDTH);
        samples c = rn_load_private(middle + x2 + 2 * RN_WIDTH);
        samples d = rn_load_private(middle + x2 + 3 * RN_WIDTH);
        if (!begin)
            JOIN4(best)
        for (const sample *p = middle + x1; p < middle + x2; p++)
            JOIN4(p)
        for (const sample *p = middle - x2; p <= middle - max(x1, 1); p++)
            JOIN4(p)
        rn_store_private(best, a);
        rn_store_private(best + RN_WIDTH, b);
        rn_store_private(best + 2 * RN_WIDTH, c);
        rn_store_private(best + 3 * RN_WIDTH, d);
        middle += s->pitch;
        best += STRIP * RN_WIDTH;
    }
}

RN_INLINE void join_chords(int4 area, RN_PLANES, int size, short16 index, __global const int4 *list,
                           int4 shape, const bool dilate)
{
    LINE sample whole[ROOM], part[ROOM], best[ROWS * STRIP * RN_WIDTH];
    short frames[16];
    struct strip s;
    vstore16(index, 0, frames);
    s.left = area.x + (int)get_global_id(0) * STRIP * RN_WIDTH;
    s.top = area.y + (int)get_global_id(1) * ROWS;
    s.columns = min(STRIP * RN_WIDTH, area.z - s.left);
    s.rows = min(ROWS, area.w - s.top);
    if (s.rows <= 0 || s.columns <= 0)
        return;
    s.rx = shape.x;
    s.slices = shape.y;
    s.border = shape.z;
    s.ry = list[0].z;
    s.vectors = (s.columns + 2 * s.rx + RN_WIDTH - 1) / RN_WIDTH;
    s.pitch = s.vectors * RN_WIDTH;
    s.outside = s.border == RN_ZERO ? 0 : dilate ? RN_LEAST : RN_GREATEST;
    bool begin = true;
    for (int dz = 0; dz <= s.slices; dz++) {
        const int4 section = list[dz];
        int length = 1;
        take_frames(&s, src, sp, size, frames, dz, section.z, whole, dilate);
        for (int i = section.x; i < section.y; i++) {
            const int4 chord = list[i];
            if (length == 1 && chord.x > 1) {
                begin_windows(&s, whole, part, section.z, dilate);
                length = 3;
            }
            while (length < chord.x) {
                const int to = min(chord.x, 2 * length);
                widen_windows(&s, part, length, to, section.z, dilate);
                length = to;
            }
            collect_chords(&s, length == 1 ? whole : part, chord.y, chord.z, chord.w, begin, best,
                           dilate);
            begin = false;
        }
    }
    for (int j = 0; j < s.rows; j++)
        for (int i = 0; i < s.columns; i += RN_WIDTH)
            rn_store(RN_AT(dst, dp, s.left + i, s.top + j),
                     rn_load_private(best + j * (STRIP * RN_WIDTH) + i));
}

#define CHORDS(name, dilate)                                                                       \
    RN_KERNEL(name)(int4 area, RN_PLANES, int size, short16 index, __global const int4 *list,      \
                    int4 shape)                                                                    \
    {                                                                                              \
        join_chords(area, src, sp, dst, dp, size, index, list, shape, dilate);                     \
    }
CHORDS(dilate_chords, true)
CHORDS(erode_chords, false)

/* dst = a - b. Unsigned, a is nowhere below b: a dilation or closing is never below its source, an
 * erosion or opening never above it, whatever the border rule. */
RN_KERNEL(difference)(rn_area area, __global const sample *a, int4 ap, __global const sample *b,
                      int4 bp, __global sample *dst, int4 dp)
{
    RN_EACH_ROW(area, x, y)
        rn_store_bits(RN_AT(dst, dp, x, y), rn_minus(rn_load_bits(RN_AT(a, ap, x, y)),
                                                     rn_load_bits(RN_AT(b, bp, x, y))));
}
