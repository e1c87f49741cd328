/* SPDX-License-Identifier: MIT */
#define RN_VIEW RN_VIEW_ORDER
#include "pixel.clh"
#include "tile.clh"

/* One or two erosions and dilations, and a difference, in one launch, for work-items with fast
 * private memory (CPUs): one of them walks down a tile. An input row joins the results of all rows
 * that it reaches: it grows in a register, two samples at a time, to each width that the element
 * has, and is taken into the results above and below at the distances of that width. So a row costs
 * 2 rx loads and 2 ry + 1 results, whatever the area; the results that are not complete are a ring
 * in private memory, and complete ones go on into the second operation.
 *
 * Everything is a maximum: an erosion is one of the samples' complements. flip: of the first and
 * second operation, 0 or -1. outside: what lies outside the picture, as flipped samples; the second
 * is not looked at if `unbounded`: then the first operation's results out there count.
 *
 * shape: (rx, ry, operations, how they are joined). halves: half the width of the element's row dy,
 * 0..ry; it does not grow with dy. square: the element is one, and goes by join_squares. */
enum { JOIN_RESULT, JOIN_SOURCE_MINUS, JOIN_MINUS_SOURCE, JOIN_BOTH };

/* Two vectors at a time: the loops' own work counts. */
#if RN_CLANG && RN_WIDTH > 1
#define PAIR (2 * RN_WIDTH)
typedef sample pair __attribute__((ext_vector_type(PAIR)));
typedef pair pair_anywhere __attribute__((aligned(1)));
#define load_pair(p)     (*(const __private pair_anywhere *)(p))
#define store_pair(p, v) (*(__private pair_anywhere *)(p) = (v))
#else
#define PAIR RN_WIDTH
typedef samples pair;
#define load_pair  rn_load_private
#define store_pair rn_store_private
#endif

RN_INLINE pair larger(pair a, pair b)
{
    return rn_max(a, b);
}

#define ROWS_MOST (2 * RN_RADIUS_MAX + 1)
#define LINE_ROOM (RN_TILE_WIDE / RN_BYTES + 6 * RN_RADIUS_MAX + 2 * PAIR)

/* The samples x0..x0 + n - 1 of a row of w, flipped. */
#define ROW(name, space, load, fetch)                                                              \
    RN_INLINE void name(space const sample *s, int stride, int x0, int n, int w, sample flip,      \
                        sample outside, sample *line)                                              \
    {                                                                                              \
        const int begin = max(0, -x0), end = min(n, w - x0);                                       \
        for (int i = 0; i < begin; i += RN_WIDTH)                                                  \
            rn_store_private(line + i, (samples)outside);                                          \
        for (int i = begin; i < end; i += RN_WIDTH) {                                              \
            fetch(s + AHEAD * stride + i, 0);                                                      \
            rn_store_private(line + i, load(s + i) ^ flip);                                        \
        }                                                                                          \
        for (int i = end; i < n; i += RN_WIDTH)                                                    \
            rn_store_private(line + i, (samples)outside);                                          \
    }
#define NO_FETCH(p, to_write)
ROW(take_row, __global, rn_load, rn_fetch)
ROW(pass_row, __private, rn_load_private, NO_FETCH)

RN_INLINE void fill_row(sample outside, int n, sample *line)
{
    for (int i = 0; i < n; i += RN_WIDTH)
        rn_store_private(line + i, (samples)outside);
}

/* v joins the result at p, or begins it. */
RN_INLINE void join_result(sample *p, pair v, bool begin)
{
    store_pair(p, begin ? v : larger(v, load_pair(p)));
}

/* Takes rows y and y + 1 into the results: a result between two distances loads and stores once for
 * both. at: where the results y - ry..y + ry + 1 are in the ring; the last two begin. */
RN_INLINE void join_rows(const sample *line, int line_pitch, int n, int rx, int ry,
                         __global const int *halves, const int *at, sample *ring)
{
    for (int x = 0; x < n; x += PAIR) {
        const sample *middle = line + rx + x;
        pair v = load_pair(middle), w = load_pair(middle + line_pitch);
        pair wider_v = v, wider_w = w; /* at the distance dy; v and w: at dy + 1 */
        sample *result = ring + x;
        int reached = 0;
        for (int dy = ry; dy >= 0; dy--) {
            for (const int wanted = halves[dy]; reached < wanted;) {
                reached++;
                wider_v = larger(wider_v, load_pair(middle - reached));
                wider_v = larger(wider_v, load_pair(middle + reached));
                wider_w = larger(wider_w, load_pair(middle + line_pitch - reached));
                wider_w = larger(wider_w, load_pair(middle + line_pitch + reached));
            }
            v = dy == ry ? wider_w : larger(v, wider_w);
            w = dy == ry ? wider_v : larger(w, wider_v);
            join_result(result + at[ry + 1 + dy], v, dy >= ry - 1);
            join_result(result + at[ry - dy], w, ry == 0);
            v = wider_v;
            w = wider_w;
        }
    }
}

/* Takes a row into the results of a square, and writes the one that is complete: first windows
 * along the row, which double in place; then along columns by the algorithm of van Herk (see
 * morphology.cl) as rows come in. Of each block of `length` rows, the ring holds the extrema from
 * each row to the block's last; i: the row's number in its block; so_far: the extrema from the
 * block's first row on. */
RN_INLINE void join_square(sample *line, int n, int rx, int length, int i, int pitch, sample *ring,
                           sample *so_far, sample *out)
{
    const int width = 2 * rx + 1;
    int window = 1;
    for (; 2 * window <= width; window *= 2)
        for (int x = 0; x < n + width - 2 * window; x += PAIR)
            join_result(line + x, load_pair(line + x + window), false);
    for (int x = 0; x < n; x += PAIR) {
        pair v = larger(load_pair(line + x), load_pair(line + x + width - window));
        store_pair(ring + i * pitch + x, v);
        if (i > 0)
            v = larger(v, load_pair(so_far + x));
        store_pair(so_far + x, v);
        if (i < length - 1)
            v = larger(v, load_pair(ring + (i + 1) * pitch + x));
        store_pair(out + x, v);
    }
    for (int k = length - 2; k >= 0 && i == length - 1; k--)
        for (int x = 0; x < n; x += PAIR)
            join_result(ring + k * pitch + x, load_pair(ring + (k + 1) * pitch + x), false);
}

/* Takes rows y and y + 1 of a square's lines; `rows` of them came before. */
RN_INLINE void join_squares(sample *line, int n, int rx, int ry, int rows, int pitch, sample *ring)
{
    const int length = 2 * ry + 1;
    sample *so_far = ring + length * pitch;
    for (int i = 0; i < 2; i++)
        join_square(line + i * LINE_ROOM, n, rx, length, (rows + i) % length, pitch, ring, so_far,
                    so_far + (i + 1) * pitch);
}

/* The places of the results around rows y and y + 1, y >= 0. */
RN_INLINE void place(int y, int ry, int pitch, int *at)
{
    const int rows = 2 * ry + 2;
    int slot = y % rows;
    for (int i = 0; i < rows; i++) {
        at[i] = slot * pitch;
        slot = slot == rows - 1 ? 0 : slot + 1;
    }
}

__kernel void tile(RN_PLANES, int2 tile, int4 shape, __global const int *halves, int2 flips,
                   int2 outsides, int unbounded, int square)
{
    LINE sample first[RN_TILE_BYTES / RN_BYTES], second[RN_TILE_BYTES / RN_BYTES];
    LINE sample in[2 * LINE_ROOM], between[2 * LINE_ROOM];
    int at[ROWS_MOST + 1]; /* the results that are complete come first */
    const int rx = shape.x, ry = shape.y, join = shape.w;
    const bool serial = shape.z == 2 && join != JOIN_BOTH;
    const int left = (int)get_global_id(0) * tile.x, top = (int)get_global_id(1) * tile.y;
    const int rows = min(tile.y, sp.w - top), columns = min(tile.x, sp.z - left);
    if (rows <= 0 || columns <= 0)
        return;
    const sample flip = (sample)flips.x, flip2 = (sample)flips.y;
    const sample outside = (sample)outsides.x, outside2 = (sample)outsides.y;
    const int beyond = serial ? 2 : 1; /* how often the element reaches beyond the tile */
    const int n1 = columns + (beyond - 1) * 2 * rx, n0 = n1 + 2 * rx, x0 = left - beyond * rx;
    const int pitch = (n1 + PAIR - 1) / PAIR * PAIR;
    const int begin = top - beyond * ry, end = top + rows + beyond * ry;
    if (square) {
        at[0] = (2 * ry + 2) * pitch;
        at[1] = (2 * ry + 3) * pitch;
    }
    for (int y = begin; y < end; y += 2) {
        for (int i = 0; i < 2; i++) {
            if (y + i >= 0 && y + i < sp.w)
                take_row(RN_AT(src, sp, x0, y + i), sp.y, x0, n0, sp.z, flip, outside,
                         in + i * LINE_ROOM);
            else
                fill_row(outside, n0, in + i * LINE_ROOM);
        }
        if (join == JOIN_BOTH) {
            for (int i = 0; i < 2; i++) {
                if (y + i >= 0 && y + i < sp.w)
                    pass_row(in + i * LINE_ROOM, 0, x0, n0, sp.z, flip ^ flip2, outside2,
                             between + i * LINE_ROOM);
                else
                    fill_row(outside2, n0, between + i * LINE_ROOM);
            }
        }
        if (square) {
            join_squares(in, n1, rx, ry, y - begin, pitch, first);
        } else {
            place(y - begin, ry, pitch, at);
            join_rows(in, LINE_ROOM, n1, rx, ry, halves, at, first);
        }
        const sample *results = first;
        int done = y - ry; /* this row and the next are complete */
        sample out_flip = flip;
        if (serial) {
            if (y < begin + 2 * ry)
                continue;
            for (int i = 0; i < 2; i++) {
                sample *line = between + i * LINE_ROOM;
                if (unbounded)
                    pass_row(first + at[i], 0, 0, n1, n1, flip ^ flip2, outside2, line);
                else if (done + i >= 0 && done + i < sp.w)
                    pass_row(first + at[i], 0, left - rx, n1, sp.z, flip ^ flip2, outside2, line);
                else
                    fill_row(outside2, n1, line);
            }
            results = second;
            done -= ry;
            out_flip = flip2;
        }
        if (serial || join == JOIN_BOTH) {
            const int n = serial ? columns : n1;
            if (square)
                join_squares(between, n, rx, ry, y - begin, pitch, second);
            else
                join_rows(between, LINE_ROOM, n, rx, ry, halves, at, second);
        }
        for (int i = 0; i < 2; i++) {
            if (done + i < top || done + i >= top + rows)
                continue;
            const sample *result = results + at[i], *other = second + at[i];
            __global const sample *source = RN_AT(src, sp, left, done + i);
            __global sample *d = RN_AT(dst, dp, left, done + i);
            for (int x = 0; x < columns; x += RN_WIDTH) {
                rn_fetch(d + AHEAD * dp.y + x, 1);
                samples v = rn_load_private(result + x) ^ out_flip;
                if (join == JOIN_SOURCE_MINUS)
                    v = rn_flip(rn_minus(rn_flip(rn_load(source + x)), rn_flip(v)));
                else if (join == JOIN_MINUS_SOURCE)
                    v = rn_flip(rn_minus(rn_flip(v), rn_flip(rn_load(source + x))));
                else if (join == JOIN_BOTH)
                    v = rn_flip(rn_minus(rn_flip(v), rn_flip(rn_load_private(other + x) ^ flip2)));
                rn_store(d + x, v);
            }
        }
    }
}
