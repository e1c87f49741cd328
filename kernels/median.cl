/* SPDX-License-Identifier: MIT */
/* Kernels: median3 median5 rank3 rank5 rank_tiles rank_bits rank_program rank_columns */
#define RN_VIEW RN_VIEW_ORDER
#include "window.clh"
#include "rank_columns.clh"
#include "rank_network.clh"

/* The sample of a given rank (0 = the smallest) in a square window. filters/median.c says which of
 * the three kinds of kernels computes what. */

/* ---- radius 1 and 2: sorting networks
 *
 * Each row of the window is sorted once and used for every window that contains it. Two outputs,
 * one above the other, share all rows except the first row of the one and the last of the other:
 * the shared rows are merged into one sorted list, and the sample of the rank is picked from this
 * list and the remaining sorted row. Batcher's merge exchange sorts, his odd-even merge merges
 * (Knuth, The Art of Computer Programming vol. 3, 5.2.2 algorithm M and 5.3.4); the inputs of the
 * merges are placed so that the outputs come out in order. */

#define CE(i, j)                                                                                   \
    {                                                                                              \
        const nears low = rn_min(v[i], v[j]);                                                      \
        v[j] = rn_max(v[i], v[j]);                                                                 \
        v[i] = low;                                                                                \
    }

#define LIST(n)                                                                                    \
    typedef struct {                                                                               \
        nears v[n];                                                                                \
    } list##n;
LIST(3) LIST(5) LIST(10)

RN_INLINE list3 sorted3(nears a, nears b, nears c)
{
    list3 list;
    nears *v = list.v;
    v[0] = a, v[1] = b, v[2] = c;
    CE(0, 2) CE(0, 1) CE(1, 2)
    return list;
}

RN_INLINE list5 sorted5(nears a, nears b, nears c, nears d, nears e)
{
    list5 list;
    nears *v = list.v;
    v[0] = a, v[1] = b, v[2] = c, v[3] = d, v[4] = e;
    CE(0, 4) CE(0, 2) CE(1, 3) CE(2, 4) CE(0, 1) CE(2, 3) CE(1, 4) CE(1, 2) CE(3, 4)
    return list;
}

RN_INLINE void merge3(const list3 *a, const list3 *b, nears *v)
{
    v[0] = a->v[0], v[1] = a->v[1], v[2] = a->v[2];
    v[4] = b->v[0], v[3] = b->v[1], v[5] = b->v[2];
    CE(0, 4) CE(2, 5) CE(2, 4) CE(1, 3) CE(1, 2) CE(3, 4)
}

RN_INLINE list10 merge5(const list5 *a, const list5 *b)
{
    list10 list;
    nears *v = list.v;
    v[0] = a->v[0], v[1] = a->v[1], v[2] = a->v[2], v[3] = a->v[3], v[4] = a->v[4];
    v[8] = b->v[0], v[5] = b->v[1], v[6] = b->v[2], v[7] = b->v[3], v[9] = b->v[4];
    CE(0, 8) CE(4, 9) CE(4, 8) CE(2, 6) CE(2, 4) CE(6, 8) CE(1, 5) CE(3, 7) CE(3, 5) CE(1, 2)
    CE(3, 4) CE(5, 6) CE(7, 8)
    return list;
}

RN_INLINE void merge10(const list10 *a, const list10 *b, nears *v)
{
    v[0] = a->v[0], v[1] = a->v[1], v[2] = a->v[2], v[3] = a->v[3], v[4] = a->v[4];
    v[5] = a->v[5], v[6] = a->v[6], v[7] = a->v[7], v[8] = a->v[8], v[9] = a->v[9];
    v[16] = b->v[0], v[17] = b->v[1], v[10] = b->v[2], v[11] = b->v[3], v[12] = b->v[4];
    v[13] = b->v[5], v[14] = b->v[6], v[15] = b->v[7], v[18] = b->v[8], v[19] = b->v[9];
    CE(0, 16) CE(8, 18) CE(8, 16) CE(4, 12) CE(4, 8) CE(12, 16) CE(2, 10) CE(6, 14) CE(6, 10)
    CE(2, 4) CE(6, 8) CE(10, 12) CE(14, 16) CE(1, 17) CE(9, 19) CE(9, 17) CE(5, 13) CE(5, 9)
    CE(13, 17) CE(3, 11) CE(7, 15) CE(7, 11) CE(3, 5) CE(7, 9) CE(11, 13) CE(15, 17) CE(1, 2)
    CE(3, 4) CE(5, 6) CE(7, 8) CE(9, 10) CE(11, 12) CE(13, 14) CE(15, 16) CE(17, 18)
}

/* The sample of a rank in the union of two sorted lists: the minimum, over all j, of the maximum if
 * j samples of b, and otherwise samples of v, are among those up to the rank. v[at] is the sample
 * of that rank in the first list; it is preceded by as many of the smallest values as b has
 * samples, and followed by as many of the largest. */
#define PICK(j)                                                                                    \
    {                                                                                              \
        const nears most = rn_max(v[at - 1 - j], b->v[j]);                                         \
        best = rn_min(best, most);                                                                 \
    }

RN_INLINE nears pick3(const nears *v, const list3 *b, int at)
{
    nears best = v[at];
    PICK(0) PICK(1) PICK(2)
    return best;
}

RN_INLINE nears pick5(const nears *v, const list5 *b, int at)
{
    nears best = v[at];
    PICK(0) PICK(1) PICK(2) PICK(3) PICK(4)
    return best;
}

/* rank_: an expression, possibly the argument: if it is a constant, the compiler drops what does
 * not affect the result. */
#define SMALL_KERNEL(name, rank_)                                                                  \
    RN_KERNEL(name)(rn_area area, RN_PLANES, int2 edge, int rank)                                  \
    {                                                                                              \
        const int x = area.x0 + (int)get_global_id(0) * RN_WIDTH, at = rank_;                      \
        const int first = area.y0 + (int)get_global_id(1) * RN_ROWS;                               \
        const int last = min(first + RN_ROWS, area.y1);                                            \
        if (x >= area.x1 || first >= last)                                                         \
            return;                                                                                \
        sp = rn_picture(sp, area);                                                                 \
        dp = rn_picture(dp, area);

/* Row k of the windows of a work-item, sorted. */
#define LINE1(k)                                                                                   \
    sorted3(rn_window1_near(&window, k, -1), rn_window1_near(&window, k, 0),                       \
            rn_window1_near(&window, k, 1))
#define LINE2(k)                                                                                   \
    sorted5(rn_window2_near(&window, k, -2), rn_window2_near(&window, k, -1),                      \
            rn_window2_near(&window, k, 0), rn_window2_near(&window, k, 1),                        \
            rn_window2_near(&window, k, 2))

/* Two rows at a time, written out where windows are in registers. */
#if RN_BY_INDEX
#define EACH_PAIR                                                                                  \
    RN_UNROLL for (int k = 0, y = first; k < RN_ROWS; k += 2, y += 2)                              \
        if (y < last)
#else
#define EACH_PAIR for (int k = 0, y = first; y < last; k += 2, y += 2)
#endif

#define SMALLEST ((nears)(near_t)RN_LEAST)
#define LARGEST  ((nears)(near_t)RN_GREATEST)

#define NETWORK3(name, rank_)                                                                      \
    SMALL_KERNEL(name, 3 + rank_)                                                                  \
    const rn_window1 window = rn_window1_at(src, sp, x, first, edge);                              \
    nears v[12];                                                                                   \
    v[0] = v[1] = v[2] = SMALLEST;                                                                 \
    v[9] = v[10] = v[11] = LARGEST;                                                                \
    list3 above = LINE1(-1), here = LINE1(0);                                                      \
    EACH_PAIR {                                                                                    \
        const list3 next = LINE1(k + 1), below = LINE1(k + 2);                                     \
        rn_fetch_next(RN_AT(src, sp, x, y + 1), RN_AT(dst, dp, x, y));                             \
        rn_fetch_next(RN_AT(src, sp, x, y + 2), RN_AT(dst, dp, x, y + 1));                         \
        merge3(&here, &next, v + 3);                                                               \
        rn_store(RN_AT(dst, dp, x, y), rn_to_samples(pick3(v, &above, at)));                       \
        if (y + 1 < last)                                                                          \
            rn_store(RN_AT(dst, dp, x, y + 1), rn_to_samples(pick3(v, &below, at)));               \
        above = next;                                                                              \
        here = below;                                                                              \
    }                                                                                              \
    }

#define NETWORK5(name, rank_)                                                                      \
    SMALL_KERNEL(name, 5 + rank_)                                                                  \
    const rn_window2 window = rn_window2_at(src, sp, x, first, edge);                              \
    nears v[30];                                                                                   \
    v[0] = v[1] = v[2] = v[3] = v[4] = SMALLEST;                                                   \
    v[25] = v[26] = v[27] = v[28] = v[29] = LARGEST;                                               \
    list5 above = LINE2(-2), before = LINE2(-1), here = LINE2(0), next = LINE2(1);                 \
    list10 upper = merge5(&before, &here);                                                         \
    EACH_PAIR {                                                                                    \
        const list5 third = LINE2(k + 2), below = LINE2(k + 3);                                    \
        rn_fetch_next(RN_AT(src, sp, x, y + 2), RN_AT(dst, dp, x, y));                             \
        rn_fetch_next(RN_AT(src, sp, x, y + 3), RN_AT(dst, dp, x, y + 1));                         \
        const list10 lower = merge5(&next, &third);                                                \
        merge10(&upper, &lower, v + 5);                                                            \
        rn_store(RN_AT(dst, dp, x, y), rn_to_samples(pick5(v, &above, at)));                       \
        if (y + 1 < last)                                                                          \
            rn_store(RN_AT(dst, dp, x, y + 1), rn_to_samples(pick5(v, &below, at)));               \
        above = here;                                                                              \
        here = third;                                                                              \
        next = below;                                                                              \
        upper = lower;                                                                             \
    }                                                                                              \
    }

NETWORK3(median3, 4)
NETWORK3(rank3, rank)
NETWORK5(median5, 12)
NETWORK5(rank5, rank)

/* ---- any window: the planes that it consists of */

/* The planes that the window consists of, in one buffer, size samples apart: count indices, -1 = a
 * plane of zeros. */
#define STACK_ARGS                                                                                 \
    __global const sample *src, int4 sp, int size, int count, short16 places
#define STACK_LIST                                                                                 \
    short planes[16];                                                                              \
    vstore16(places, 0, planes);

/* A sample as an unsigned integer that compares alike, and back; the bits of samples are read. */
#if RN_IS_ORDER
typedef uint value_t;
#define key_of(v)    ((uint)rn_int_of(v) ^ 0x80000000u)
#define sample_of(v) rn_sample_of((int)((v) ^ 0x80000000u))
#elif RN_SAMPLE == RN_SAMPLE_S16
typedef ushort value_t;
#define key_of(v)    ((ushort)(v) ^ 0x8000u)
#define sample_of(v) ((sample)(ushort)((v) ^ 0x8000u))
#else
typedef sample value_t;
#define key_of(v)    (v)
#define sample_of(v) ((sample)(v))
#endif
#define KEY_OF_ZERO ((value_t)key_of((sample)0))

/* ---- CPUs: tiles
 *
 * All samples that the windows of a tile of outputs read are sorted once (radix sort), so that each
 * has a rank of its own within the tile: the ordinal transform of B. Weiss, Fast Median and
 * Bilateral Filtering, SIGGRAPH 2006. The ranks are divided into buckets of 64 (or a few times 64).
 * Every column of the window keeps, for each bucket, the number of its samples in it or below;
 * moving down by a row changes these counts in two steps, moving right by a column changes the
 * window's counts by two columns. The number of counts that do not exceed the wanted rank is the
 * index of the sample's bucket. Which samples of that bucket belong to the window follows from
 * their coordinates, kept in order of rank. So a wider window costs more samples to sort per
 * output, and little else. */

/* Samples of a tile in a row, and rows: a place is 6 bits and 6 bits. */
#define SIDE    RN_TILE_SIDE
#define PLACES  (SIDE * SIDE)
#define BUCKETS RN_TILE_BUCKETS /* at most, so that one byte numbers them */

#if RN_CLANG && defined(__has_builtin)
#if __has_builtin(__builtin_reduce_add) /* clang 15 */
#define WIDE 1
#endif
#endif
#ifndef WIDE
#define WIDE 0
#endif

#if WIDE
#define LANES 64
typedef short lanes __attribute__((ext_vector_type(64)));
typedef uchar lane_bytes __attribute__((ext_vector_type(64)));
typedef lanes lanes_anywhere __attribute__((aligned(2)));
typedef lane_bytes lane_bytes_anywhere __attribute__((aligned(1)));
#define load_lanes(p)       (*(const __global lanes_anywhere *)(p))
#define store_lanes(p, v)   (*(__global lanes_anywhere *)(p) = (v))
#define store_private(p, v) (*(lanes *)(p) = (v))
#define store_bytes(p, v)   (*(__global lane_bytes_anywhere *)(p) = (v))
#define lanes_to_bytes(v)   __builtin_convertvector(v, lane_bytes)
#define LANE_NUMBERS                                                                               \
    ((lanes)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, \
             24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44,   \
             45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63))
#else
#define LANES 16
typedef short16 lanes;
#define load_lanes(p)       vload16(0, p)
#define store_lanes(p, v)   vstore16(v, 0, p)
#define store_private(p, v) vstore16(v, 0, p)
#define store_bytes(p, v)   vstore16(v, 0, p)
#define lanes_to_bytes(v)   convert_uchar16(v)
#define LANE_NUMBERS        ((lanes)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#endif

/* How many lanes of a comparison are true. */
RN_INLINE int count_true(lanes v)
{
#if WIDE
    return -(int)__builtin_reduce_add(v);
#else
    const short8 a = v.lo + v.hi;
    const short4 b = a.lo + a.hi;
    const short2 c = b.lo + b.hi;
    return -(c.x + c.y);
#endif
}

/* The memory of one work-item. */
typedef struct {
    __global value_t *value; /* key of the sample at a place; places: plane, row, column */
    __global ushort *first;  /* places in the order of the lower digit */
    __global ushort *order;  /* places in the order of the ranks */
    __global uchar *col;     /* column of a rank, 255 where there is none */
    __global uchar *row;     /* row of a rank */
    __global uchar *bucket;  /* bucket of a place */
    __global short *below;   /* per column: of each bucket, the samples up to it */
    int samples, chunks;     /* samples of the tile; vectors of buckets */
    int w, h;                /* samples of the tile in a row, and rows */
} tile;

RN_INLINE tile tile_at(__global uchar *mem, int count)
{
    const int n = PLACES * count;
    tile t;
    t.value = (__global value_t *)mem;
    t.first = (__global ushort *)mem + (sizeof(value_t) > 2 ? 2 : 1) * n;
    t.order = t.first + n;
    t.below = (__global short *)(t.order + n);
    t.col = (__global uchar *)(t.below + (SIDE + 1) * BUCKETS);
    t.row = t.col + n;
    t.bucket = t.row + n;
    return t;
}

RN_INLINE void start_at(uint *digits, int n)
{
    uint sum = 0;
    for (int i = 0; i < n; i++) {
        const uint here = digits[i];
        digits[i] = sum;
        sum += here;
    }
}

#if RN_IS_ORDER
/* Sorts places by one digit of 8 bits of their keys. */
RN_INLINE void sort_by(const tile *t, __global const ushort *from, __global ushort *to, int digit)
{
    uint start[256];
    for (int i = 0; i < 256; i++)
        start[i] = 0;
    for (int i = 0; i < t->samples; i++)
        start[t->value[from[i]] >> digit & 255]++;
    start_at(start, 256);
    for (int i = 0; i < t->samples; i++) {
        const ushort place = from[i];
        to[start[t->value[place] >> digit & 255]++] = place;
    }
}
#endif

/* Sorts the samples: order, bucket. low, high: how often each digit occurs. */
RN_INLINE void sort_tile(const tile *t, int count, uint *low, uint *high, int digit, int shift)
{
#if RN_IS_ORDER
    int n = 0;
    for (int p = 0; p < count; p++)
        for (int y = 0; y < t->h; y++)
            for (int x = 0; x < t->w; x++)
                t->order[n++] = (ushort)(p * PLACES + y * SIDE + x);
    sort_by(t, t->order, t->first, 0);
    sort_by(t, t->first, t->order, 8);
    sort_by(t, t->order, t->first, 16);
    sort_by(t, t->first, t->order, 24);
    for (int rank = 0; rank < t->samples; rank++)
        t->bucket[t->order[rank]] = (uchar)(rank >> shift);
#else
    start_at(low, 1 << digit);
#if RN_BYTES == 2
    start_at(high, 256);
#endif
    for (int p = 0; p < count; p++) {
        for (int y = 0; y < t->h; y++) {
            const int start = p * PLACES + y * SIDE;
            for (int place = start; place < start + t->w; place++) {
                const uint v = t->value[place];
#if RN_BYTES == 1
                const uint rank = low[v]++;
                t->order[rank] = (ushort)place;
                t->bucket[place] = (uchar)(rank >> shift);
#else
                t->first[low[v & ((1u << digit) - 1)]++] = (ushort)place;
#endif
            }
        }
    }
#if RN_BYTES == 2
    for (int i = 0; i < t->samples; i++) {
        const int place = t->first[i];
        const uint rank = high[t->value[place] >> digit]++;
        t->order[rank] = (ushort)place;
        t->bucket[place] = (uchar)(rank >> shift);
    }
#endif
#endif
    int i = 0;
    for (; i + LANES <= t->samples; i += LANES) {
        const lanes place = load_lanes((__global short *)t->order + i);
        store_bytes(t->col + i, lanes_to_bytes(place & (short)(SIDE - 1)));
        store_bytes(t->row + i, lanes_to_bytes(place >> (short)6 & (short)(SIDE - 1)));
    }
    for (; i < t->samples; i++) {
        t->col[i] = (uchar)(t->order[i] % SIDE);
        t->row[i] = (uchar)(t->order[i] / SIDE % SIDE);
    }
    for (; i % 64; i++)
        t->col[i] = t->row[i] = 255;
}

/* Copies the samples of the tile whose first output is (x, y), and sorts them. */
RN_INLINE void fill_tile(tile *t, __global const sample *src, int4 sp, int size, int count,
                         const short *planes, int digit, int shift)
{
    uint low[256], high[256];
    for (int i = 0; i < 256; i++)
        low[i] = high[i] = 0;
    t->samples = count * t->w * t->h;
    for (int p = 0; p < count; p++) {
        for (int y = 0; y < t->h; y++) {
            __global const sample *s = src + planes[p] * size + y * sp.y;
            __global value_t *d = t->value + p * PLACES + y * SIDE;
            for (int x = 0; x < t->w; x++) {
                const value_t v = planes[p] < 0 ? KEY_OF_ZERO : (value_t)key_of(s[x]);
                d[x] = v;
#if RN_BYTES == 1
                low[v]++;
#elif RN_BYTES == 2
                low[v & ((1u << digit) - 1)]++;
                high[v >> digit]++;
#endif
            }
        }
    }
    sort_tile(t, count, low, high, digit, shift);
}

/* A row enters the columns' counts, another leaves them; -1: none. */
RN_INLINE void move_columns(const tile *t, int count, int enters, int leaves, int chunks)
{
    __global const uchar *in = t->bucket + enters * SIDE, *out = t->bucket + leaves * SIDE;
    for (int x = 0; x < t->w; x++) {
        __global short *below = t->below + (x + 1) * BUCKETS;
        for (int c = 0; c < chunks; c++) {
            const lanes number = LANE_NUMBERS + (short)(c * LANES);
            lanes sum = load_lanes(below + c * LANES);
            for (int p = 0; p < count; p++) {
                sum -= number >= (short)in[p * PLACES + x];
                if (leaves >= 0)
                    sum += number >= (short)out[p * PLACES + x];
            }
            store_lanes(below + c * LANES, sum);
        }
    }
}

#define ONES 0x0101010101010101ul
#define TOPS 0x8080808080808080ul

/* Which of 64 ranks lie in the window whose first sample is (x, y): a byte 1 or 0 for each. */
RN_INLINE void find_members(const tile *t, int rank, int x, int y, int side, ulong *in)
{
#if WIDE
    const lane_bytes col = *(const __global lane_bytes_anywhere *)(t->col + rank);
    const lane_bytes row = *(const __global lane_bytes_anywhere *)(t->row + rank);
    const lane_bytes dx = col - (uchar)x, dy = row - (uchar)y;
    *(lane_bytes *)in = __builtin_convertvector(
        (dx < (uchar)side) & (dy < (uchar)side) & (char)1, lane_bytes);
#else
    for (int i = 0; i < 8; i++) {
        const uchar8 dx = vload8(i, t->col + rank) - (uchar)x;
        const uchar8 dy = vload8(i, t->row + rank) - (uchar)y;
        in[i] = as_ulong((dx < (uchar8)(uchar)side) & (dy < (uchar8)(uchar)side) & (char8)1);
    }
#endif
}

/* Of eight times eight such bytes, byte i of the result: the ones in the first i + 1 words. */
RN_INLINE ulong sum_words(const ulong *in)
{
    ulong sums = 0;
#if WIDE
    typedef ulong words __attribute__((ext_vector_type(8)));
    union {
        uchar8 bytes;
        ulong word;
    } all;
    all.bytes = __builtin_convertvector(*(const words *)in * ONES >> 56, uchar8);
    sums = all.word;
#else
    for (int i = 0; i < 8; i++)
        sums |= (in[i] * ONES >> 56) << 8 * i;
#endif
    return sums * ONES;
}

/* The place of the sample of a rank among the window's samples in a bucket: all byte comparisons
 * stay below 128, and subtracting from a byte with its top bit set never borrows. */
RN_INLINE int find_place(const tile *t, int rank, int x, int y, int side, int k)
{
    union {
#if WIDE
        lane_bytes align;
#endif
        ulong in[8];
    } of;
    ulong sums;
    for (;; rank += 64) {
        find_members(t, rank, x, y, side, of.in);
        sums = sum_words(of.in);
        const int all = (int)(sums >> 56);
        if (k < all)
            break;
        k -= all;
    }
    const int word = (int)popcount(((ulong)k * ONES | TOPS) - sums & TOPS);
    k -= (int)(sums << 8 >> 8 * word & 255);
    const int byte = (int)popcount(((ulong)k * ONES | TOPS) - of.in[word] * ONES & TOPS);
    return t->order[rank + 8 * word + byte];
}

RN_INLINE void filter_row(const tile *t, __global sample *d, int w, int y, int side, int rank,
                          int shift, int chunks)
{
    lanes sum[BUCKETS / LANES];
    /* The counts once more, to be looked up; nothing is below the first bucket. */
    union {
        lanes align;
        short at[LANES + BUCKETS];
    } below;
    below.at[LANES - 1] = 0;
    for (int c = 0; c < chunks; c++) {
        sum[c] = (lanes)(short)0;
        for (int x = 1; x < side; x++)
            sum[c] += load_lanes(t->below + x * BUCKETS + c * LANES);
    }
    for (int x = 0; x < w; x++) {
        __global const short *leaves = t->below + x * BUCKETS, *enters = leaves + side * BUCKETS;
        int bucket = 0;
            for (int c = 0; c < chunks; c++) {
            sum[c] += load_lanes(enters + c * LANES) - load_lanes(leaves + c * LANES);
            store_private(below.at + LANES + c * LANES, sum[c]);
            bucket += count_true(sum[c] <= (short)rank);
        }
        const int k = rank - below.at[LANES - 1 + bucket];
        d[x] = sample_of(t->value[find_place(t, bucket << shift, x, y, side, k)]);
    }
}

RN_INLINE void filter_tile(const tile *t, __global sample *dst, int4 dp, int w, int h, int count,
                           int side, int rank, int shift, int chunks)
{
    for (int x = 0; x <= t->w; x++)
        for (int c = 0; c < chunks; c++)
            store_lanes(t->below + x * BUCKETS + c * LANES, (lanes)(short)0);
    for (int y = 0; y < side - 1; y++)
        move_columns(t, count, y, -1, chunks);
    for (int y = 0; y < h; y++) {
        move_columns(t, count, y + side - 1, y - 1, chunks);
        filter_row(t, dst + y * dp.y, w, y, side, rank, shift, chunks);
    }
}

/* A row of work-items in dimension 1, each with `bytes` of scratch, shares out the tiles. shift:
 * log2 of the ranks in a bucket. digit: bits of the lower digit of the sort. */
RN_KERNEL(rank_tiles)(STACK_ARGS, __global sample *dst, int4 dp, int radius, int rank,
                      int digit, int shift, __global uchar *scratch, int bytes)
{
    STACK_LIST
    tile t = tile_at(scratch + (long)get_global_id(1) * bytes, count);
    const int side = 2 * radius + 1, step = SIDE - 2 * radius;
    const int across = (dp.z + step - 1) / step, tiles = across * ((dp.w + step - 1) / step);
    for (int i = (int)get_global_id(1); i < tiles; i += (int)get_global_size(1)) {
        const int x = i % across * step, y = i / across * step;
        const int w = min(step, dp.z - x), h = min(step, dp.w - y);
        t.w = w + 2 * radius;
        t.h = h + 2 * radius;
        fill_tile(&t, RN_AT(src, sp, x - radius, y - radius), sp, size, count, planes, digit,
                  shift);
        const int chunks = ((t.samples - 1 >> shift) + LANES) / LANES;
        __global sample *d = RN_AT(dst, dp, x, y);
        if (count == 1 && chunks == 1) /* constants that loops vanish with */
            filter_tile(&t, d, dp, w, h, 1, side, rank, shift, 1);
        else
            filter_tile(&t, d, dp, w, h, count, side, rank, shift, chunks);
    }
}

/* ---- GPUs: bit by bit
 *
 * The sample of a rank is the largest value below which there are no more samples than the rank. A
 * work-item computes a few outputs, one above the other, whose windows share most of their rows. */

#define OUTPUTS RN_BITS_OUTPUTS

RN_KERNEL(rank_bits)(STACK_ARGS, __global sample *dst, int4 dp, int radius, int rank, int depth)
{
    STACK_LIST
    const int x = (int)get_global_id(0), y = (int)get_global_id(1) * OUTPUTS;
    if (x >= dp.z || y >= dp.w)
        return;
    const int outputs = min(OUTPUTS, dp.w - y);
    uint value[OUTPUTS];
    for (int i = 0; i < OUTPUTS; i++)
        value[i] = 0;
    for (uint bit = 1u << (depth - 1); bit; bit >>= 1) {
        int below[OUTPUTS];
        for (int i = 0; i < OUTPUTS; i++)
            below[i] = 0;
        for (int p = 0; p < count; p++) {
            for (int dy = -radius; dy < radius + outputs; dy++) {
                uint limit[OUTPUTS]; /* 0 where the row is not in the window */
                for (int i = 0; i < OUTPUTS; i++)
                    limit[i] = dy - i >= -radius && dy - i <= radius ? value[i] | bit : 0;
                __global const sample *s = RN_AT(src, sp, x, y + dy) + planes[p] * size;
                for (int dx = -radius; dx <= radius; dx++) {
                    const uint v = planes[p] < 0 ? KEY_OF_ZERO : key_of(s[dx]);
                    for (int i = 0; i < OUTPUTS; i++)
                        below[i] += v < limit[i];
                }
            }
        }
        for (int i = 0; i < OUTPUTS; i++)
            if (below[i] <= rank)
                value[i] |= bit;
    }
    for (int i = 0; i < outputs; i++)
        *RN_AT(dst, dp, x, y + i) = sample_of(value[i]);
}
