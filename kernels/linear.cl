/* SPDX-License-Identifier: MIT */
/* Vectors and matrices of 32-bit floats, for `bench --suite linear`. Complex numbers lie as
 * their real part and their imaginary one, and count as two floats.
 *
 * The host says how the device works (filters/linear/linear.c):
 *   RN_LINEAR_WIDTH     floats of a vector: those of a register on CPUs, 4 on GPUs
 *   RN_LINEAR_GROUP     work-items of a group that goes over a vector; 1 on CPUs
 *   RN_LINEAR_ROWS, RN_LINEAR_VECTORS   the tile of a product that a CPU keeps in registers:
 *                       rows, and vectors a row
 *   RN_LINEAR_BLOCK_M, RN_LINEAR_BLOCK_N, RN_LINEAR_BLOCK_K   what a CPU keeps in its caches
 *   RN_LINEAR_SIDE      GPUs: a group of so many work-items squared makes a tile 8 times as wide
 *   RN_LINEAR_STEP      of so many products at a time
 *
 * Products of real matrices have the same bits on every device: each of their sums takes its terms
 * in order, by fma. Other sums are made in whatever order is fast. */
#ifndef RN_LINEAR_WIDTH
#define RN_LINEAR_WIDTH   4
#define RN_LINEAR_GROUP   64
#define RN_LINEAR_ROWS    6
#define RN_LINEAR_VECTORS 4
#define RN_LINEAR_BLOCK_M 96
#define RN_LINEAR_BLOCK_N 256
#define RN_LINEAR_BLOCK_K 256
#define RN_LINEAR_SIDE    8
#define RN_LINEAR_STEP    8
#endif
#ifndef RN_CLANG
#define RN_CLANG 0
#endif
#pragma OPENCL FP_CONTRACT ON

#define RN_CAT_(a, b) a##b
#define RN_CAT(a, b)  RN_CAT_(a, b)
#define RN_UNROLL     _Pragma("unroll")

typedef RN_CAT(float, RN_LINEAR_WIDTH) vec;
#define RN_ALIGNED(p)  (*(const __global vec *)(p))
#define RN_ANYWHERE(p) RN_CAT(vload, RN_LINEAR_WIDTH)(0, p)

#if RN_LINEAR_WIDTH == 4
#define RN_SWAP(v) (v).s1032
#define RN_PAIR(v) ((v).lo + (v).hi)
#elif RN_LINEAR_WIDTH == 8
#define RN_SWAP(v) (v).s10325476
#define RN_PAIR(v) ((v).lo.lo + (v).lo.hi + (v).hi.lo + (v).hi.hi)
#else
#define RN_SWAP(v) (v).s1032547698badcfe
#define RN_QUAD(v) ((v).lo.lo + (v).lo.hi + (v).hi.lo + (v).hi.hi)
#define RN_PAIR(v) (RN_QUAD(v).lo + RN_QUAD(v).hi)
#endif

/* Memory that is written and not read again soon need not come through the cache of a CPU first. */
#if RN_CLANG && RN_LINEAR_GROUP == 1
#define RN_STREAM(p, v) __builtin_nontemporal_store(v, (__global vec *)(p))
#else
#define RN_STREAM(p, v) (*(__global vec *)(p) = (v))
#endif

/* ---- element by element
 *
 * A group goes over a block of floats, a multiple of the vectors of its items; so do the sums. */
#define RN_EACH(name, value)                                                                       \
    __kernel void name(__global const float *x, __global const float *y, __global float *out,      \
                       int n, int block)                                                           \
    {                                                                                              \
        const int from = (int)get_group_id(0) * block, to = min(from + block, n);                  \
        const int step = RN_LINEAR_GROUP * RN_LINEAR_WIDTH;                                        \
        int i = from + (int)get_local_id(0) * RN_LINEAR_WIDTH;                                     \
        for (; i + RN_LINEAR_WIDTH <= to; i += step) {                                             \
            const vec a = RN_ALIGNED(x + i), b = RN_ALIGNED(y + i);                                \
            RN_STREAM(out + i, value);                                                             \
        }                                                                                          \
        for (; i < to; i++) {                                                                      \
            const float a = x[i], b = y[i];                                                        \
            out[i] = value;                                                                        \
        }                                                                                          \
    }
RN_EACH(vector_copy, a)
RN_EACH(vector_add, a + b)

/* ---- sums */

/* The first `left` floats at p, and zeros. */
static inline vec rn_some(__global const float *p, int left)
{
    float v[RN_LINEAR_WIDTH];
    for (int i = 0; i < RN_LINEAR_WIDTH; i++)
        v[i] = i < left ? p[i] : 0.0f;
    return RN_CAT(vload, RN_LINEAR_WIDTH)(0, v);
}

/* v to a power >= 0; the branches are the same for all, and the usual ones come first. */
static inline vec rn_power(vec v, int p)
{
    if (p == 1)
        return v;
    if (p == 2)
        return v * v;
    if (p == 3)
        return v * v * v;
    vec product = (vec)1.0f;
    for (; p > 1; p >>= 1) {
        product = p & 1 ? product * v : product;
        v = v * v;
    }
    return p ? product * v : product;
}

/* The moduli to the power p of the complex numbers of two vectors, which fill one then: a root is
 * what takes longest. */
static inline vec rn_moduli(vec x, vec y, int p)
{
    x *= x;
    y *= y;
    if (p == 2)
        return x + y; /* the same sum */
    const vec m = (vec)(x.even + x.odd, y.even + y.odd);
    const vec even = rn_power(m, p >> 1);
    return p & 1 ? even * sqrt(m) : even;
}

/* Four vectors at a time: of a GPU's group those that follow each other, so that its items read
 * neighbours; of a CPU those of four parts of the block, because a core fetches several streams
 * faster than one (16 GB/s and 12 where it copies 18). */
#if RN_LINEAR_GROUP == 1
#define RN_APART(n, step)        ((n) / (4 * RN_LINEAR_WIDTH) * RN_LINEAR_WIDTH)
#define RN_LAST(from, to, apart) ((from) + 4 * (apart))
#define RN_NEXT(step)            RN_LINEAR_WIDTH
#define RN_JUMP(apart)           (3 * (apart))
#else
#define RN_APART(n, step)        (step)
#define RN_LAST(from, to, apart) (to)
#define RN_NEXT(step)            (4 * (step))
#define RN_JUMP(apart)           0
#endif

/* The loads of vector k of four, and what is done with them. */
#define RN_TAKE(k, load, take)                                                                     \
    {                                                                                              \
        const vec xv = load(x + i + (k)*apart), yv = load(y + i + (k)*apart);                      \
        vec a = as[k], b = bs[k];                                                                  \
        take;                                                                                      \
        as[k] = a;                                                                                 \
        bs[k] = b;                                                                                 \
    }
#define RN_FOUR(load, take)                                                                        \
    RN_TAKE(0, load, take)                                                                         \
    RN_TAKE(1, load, take) RN_TAKE(2, load, take) RN_TAKE(3, load, take)

/* partial[group]: the sum over the block of the group. four: adds what four vectors of x and y are
 * to as and bs; take: adds what x and y are to a and b. fold: float2 of pairs a2 and b2, the sums
 * of the even and of the odd floats. */
#define RN_SUM(name, load, take, fold) RN_SUM_BY(name, RN_FOUR(load, take), take, fold)
#define RN_SUM_BY(name, four, take, fold)                                                          \
    __kernel void name(__global const float *x, __global const float *y, __global float2 *partial, \
                       int n, int block, int p)                                                    \
    {                                                                                              \
        const int from = (int)get_group_id(0) * block, to = min(from + block, n);                  \
        const int item = (int)get_local_id(0), step = RN_LINEAR_GROUP * RN_LINEAR_WIDTH;           \
        const int apart = RN_APART(to - from, step), last = RN_LAST(from, to, apart);              \
        vec as[4] = {(vec)0.0f, (vec)0.0f, (vec)0.0f, (vec)0.0f};                                  \
        vec bs[4] = {(vec)0.0f, (vec)0.0f, (vec)0.0f, (vec)0.0f};                                  \
        int i = from + item * RN_LINEAR_WIDTH;                                                     \
        for (; i + 3 * apart + RN_LINEAR_WIDTH <= last; i += RN_NEXT(step)) {                      \
            four                                                                                   \
        }                                                                                          \
        vec a = (as[0] + as[1]) + (as[2] + as[3]), b = (bs[0] + bs[1]) + (bs[2] + bs[3]);          \
        for (i += RN_JUMP(apart); i < to; i += step) {                                             \
            const vec xv = rn_some(x + i, to - i), yv = rn_some(y + i, to - i);                    \
            take;                                                                                  \
        }                                                                                          \
        const float2 a2 = RN_PAIR(a), b2 = RN_PAIR(b);                                             \
        rn_gather(fold, partial);                                                                  \
    }

/* Sums over the items of a group. */
#if RN_LINEAR_GROUP == 1
#define rn_gather(sum, partial) (partial)[get_group_id(0)] = (sum)
#else
#define rn_gather(sum, partial)                                                                    \
    __local float2 shared[RN_LINEAR_GROUP];                                                        \
    shared[item] = (sum);                                                                          \
    for (int half_ = RN_LINEAR_GROUP / 2; half_; half_ /= 2) {                                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                                              \
        if (item < half_)                                                                          \
            shared[item] += shared[item + half_];                                                  \
    }                                                                                              \
    if (!item)                                                                                     \
        (partial)[get_group_id(0)] = shared[0];
#endif

#define RN_BOTH(v) (float2)((v).x + (v).y, 0.0f)
RN_SUM(vector_sum, RN_ALIGNED, a += xv, p ? a2 : RN_BOTH(a2)) /* p: complex */
RN_SUM(row_sum, RN_ANYWHERE, a += xv, p ? a2 : RN_BOTH(a2))
RN_SUM(vector_dot, RN_ALIGNED, a += xv * yv, RN_BOTH(a2))
RN_SUM(complex_dot, RN_ALIGNED, a += xv * yv;
       b += xv * RN_SWAP(yv), (float2)(a2.x + a2.y, b2.x - b2.y))
RN_SUM(vector_norm, RN_ALIGNED, a += rn_power(fabs(xv), p), RN_BOTH(a2))
RN_SUM_BY(complex_norm, as[0] += rn_moduli(RN_ALIGNED(x + i), RN_ALIGNED(x + i + apart), p);
          as[1] += rn_moduli(RN_ALIGNED(x + i + 2 * apart), RN_ALIGNED(x + i + 3 * apart), p);
          , a += rn_moduli(xv, (vec)0.0f, p), RN_BOTH(a2))

/* ---- products of matrices
 *
 * Both factors are packed first: into panels, `wide` rows of the left one or columns of the
 * right one, that lie one product after the other, [panel][k][wide], filled up with zeros. So
 * the products know nothing of sizes, strides and transposition. Nor of complex numbers: with
 *   (re im) as row of the left one, and  (re im) over (-im re)  for each number of the right one
 *                       they are products of floats, in which every number of the result comes
 *                       as (re im). */

enum { RN_REAL, RN_COMPLEX_LEFT, RN_COMPLEX_RIGHT };

/* What stands at place r of the panels, product k. by_k: the matrix lies k by k. */
static inline float rn_entry(__global const float *from, int r, int k, int ld, int by_k, int kind)
{
    if (kind == RN_REAL)
        return from[by_k ? (size_t)k * ld + r : (size_t)r * ld + k];
    const int row = kind == RN_COMPLEX_RIGHT ? r >> 1 : r, part = k & 1;
    const size_t at = by_k ? (size_t)(k >> 1) * ld + row : (size_t)row * ld + (k >> 1);
    if (kind == RN_COMPLEX_LEFT)
        return from[2 * at + part];
    const float v = from[2 * at + (part ^ (r & 1))];
    return part && !(r & 1) ? -v : v;
}

/* CPUs: an item packs RN_LINEAR_BLOCK_K products of a panel. size: places and products there
 * are, ld of the matrix, floats of a panel for each k; wide of them. */
__kernel void pack_panels(__global const float *from, __global float *to, int4 size, int wide,
                          int by_k, int kind)
{
    const int r0 = (int)get_global_id(0) * wide, n = min(wide, size.x - r0);
    const int k0 = (int)get_global_id(1) * RN_LINEAR_BLOCK_K,
              k1 = min(k0 + RN_LINEAR_BLOCK_K, size.y);
    __global float *panel = to + (size_t)get_global_id(0) * wide * size.w;
    for (int k = k0; k < k1; k++) {
        for (int r = 0; r < n; r++)
            panel[(size_t)k * wide + r] = rn_entry(from, r0 + r, k, size.z, by_k, kind);
        for (int r = n; r < wide; r++)
            panel[(size_t)k * wide + r] = 0.0f;
    }
}

/* GPUs: a group turns a square, so that neighbouring items read and write neighbours. */
__kernel void pack_squares(__global const float *from, __global float *to, int4 size, int wide,
                           int by_k, int kind)
{
    __local float square[RN_LINEAR_SIDE][RN_LINEAR_SIDE + 1];
    const int x = (int)get_local_id(0), y = (int)get_local_id(1);
    const int r0 = (int)get_group_id(0) * RN_LINEAR_SIDE,
              k0 = (int)get_group_id(1) * RN_LINEAR_SIDE;
    const int r = r0 + (by_k ? x : y), k = k0 + (by_k ? y : x);
    const bool there = r < size.x && k < size.y;
    square[by_k ? y : x][by_k ? x : y] = there ? rn_entry(from, r, k, size.z, by_k, kind) : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k0 + y < size.w)
        to[((size_t)((r0 + x) / wide) * size.w + k0 + y) * wide + (r0 + x) % wide] = square[y][x];
}

/* The upper left part of a matrix: size: its rows and columns, and the ld of from. */
__kernel void crop(__global const float *from, __global float *to, int4 size)
{
    const int x = (int)get_global_id(0), y = (int)get_global_id(1);
#if RN_LINEAR_GROUP == 1
    for (int i = 0; i < size.y; i++)
        to[(size_t)x * size.y + i] = from[(size_t)x * size.z + i];
    (void)y;
#else
    if (x < size.y && y < size.x)
        to[(size_t)y * size.y + x] = from[(size_t)y * size.z + x];
#endif
}

#define RN_TILE_N (RN_LINEAR_VECTORS * RN_LINEAR_WIDTH)

/* The tile at c, in registers, plus `products` products of two panels. */
static inline void rn_tile(__global const float *a, __global const float *b, int products,
                           __global float *c, int ld, bool first)
{
    vec sum[RN_LINEAR_ROWS][RN_LINEAR_VECTORS];
    RN_UNROLL for (int i = 0; i < RN_LINEAR_ROWS; i++)
        RN_UNROLL for (int j = 0; j < RN_LINEAR_VECTORS; j++)
            sum[i][j] = first ? (vec)0.0f : RN_ALIGNED(c + (size_t)i * ld + j * RN_LINEAR_WIDTH);
    for (int k = 0; k < products; k++) {
        vec right[RN_LINEAR_VECTORS];
        RN_UNROLL for (int j = 0; j < RN_LINEAR_VECTORS; j++)
            right[j] = RN_ALIGNED(b + k * RN_TILE_N + j * RN_LINEAR_WIDTH);
        RN_UNROLL for (int i = 0; i < RN_LINEAR_ROWS; i++) {
            const vec left = (vec)a[k * RN_LINEAR_ROWS + i];
            RN_UNROLL for (int j = 0; j < RN_LINEAR_VECTORS; j++)
                sum[i][j] = fma(left, right[j], sum[i][j]);
        }
    }
    RN_UNROLL for (int i = 0; i < RN_LINEAR_ROWS; i++)
        RN_UNROLL for (int j = 0; j < RN_LINEAR_VECTORS; j++)
            *(__global vec *)(c + (size_t)i * ld + j * RN_LINEAR_WIDTH) = sum[i][j];
}

/* CPUs. size: rows, columns (whole tiles of both) and products; c has size.y floats a row. */
__kernel void product_blocks(__global const float *a, __global const float *b, __global float *c,
                             int4 size)
{
    const int j0 = (int)get_group_id(0) * RN_LINEAR_BLOCK_N,
              j1 = min(j0 + RN_LINEAR_BLOCK_N, size.y);
    const int i0 = (int)get_group_id(1) * RN_LINEAR_BLOCK_M,
              i1 = min(i0 + RN_LINEAR_BLOCK_M, size.x);
    for (int k = 0; k < size.z; k += RN_LINEAR_BLOCK_K)
        for (int j = j0; j < j1; j += RN_TILE_N)
            for (int i = i0; i < i1; i += RN_LINEAR_ROWS)
                rn_tile(a + (size_t)i * size.z + (size_t)k * RN_LINEAR_ROWS,
                        b + (size_t)j * size.z + (size_t)k * RN_TILE_N,
                        min(RN_LINEAR_BLOCK_K, size.z - k), c + (size_t)i * size.y + j, size.y,
                        k == 0);
}

/* GPUs: an item makes 8 x 8 results, four times 4 x 4, so that neighbours read neighbouring
 * words of local memory; what comes next is on its way to registers while this step is computed,
 * and is then put where nobody reads. size.z: a multiple of RN_LINEAR_STEP. */
#define RN_QUADS (2 * RN_LINEAR_SIDE) /* float4 of a panel for each k */
#define RN_ITEMS (RN_LINEAR_SIDE * RN_LINEAR_SIDE)
#define RN_LOADS (RN_LINEAR_STEP * RN_QUADS / RN_ITEMS)

__kernel __attribute__((reqd_work_group_size(RN_LINEAR_SIDE, RN_LINEAR_SIDE, 1))) void
product_tiles(__global const float4 *a, __global const float4 *b, __global float4 *c, int4 size)
{
    __local float4 lefts[2][RN_LINEAR_STEP * RN_QUADS], rights[2][RN_LINEAR_STEP * RN_QUADS];
    const int x = (int)get_local_id(0), y = (int)get_local_id(1), item = y * RN_LINEAR_SIDE + x;
    const __global float4 *left = a + (size_t)get_group_id(1) * RN_QUADS * size.z + item;
    const __global float4 *right = b + (size_t)get_group_id(0) * RN_QUADS * size.z + item;
    float4 sum[8][2], next_left[RN_LOADS], next_right[RN_LOADS];
    RN_UNROLL for (int i = 0; i < 8; i++)
        sum[i][0] = sum[i][1] = (float4)0.0f;
    RN_UNROLL for (int i = 0; i < RN_LOADS; i++) {
        lefts[0][item + i * RN_ITEMS] = left[i * RN_ITEMS];
        rights[0][item + i * RN_ITEMS] = right[i * RN_ITEMS];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int now = 0;
    for (int k = 0; k < size.z; k += RN_LINEAR_STEP) {
        const bool more = k + RN_LINEAR_STEP < size.z;
        left += RN_LINEAR_STEP * RN_QUADS;
        right += RN_LINEAR_STEP * RN_QUADS;
        if (more) {
            RN_UNROLL for (int i = 0; i < RN_LOADS; i++) {
                next_left[i] = left[i * RN_ITEMS];
                next_right[i] = right[i * RN_ITEMS];
            }
        }
        RN_UNROLL for (int s = 0; s < RN_LINEAR_STEP; s++) {
            const float4 a0 = lefts[now][s * RN_QUADS + y];
            const float4 a1 = lefts[now][s * RN_QUADS + RN_LINEAR_SIDE + y];
            const float4 b0 = rights[now][s * RN_QUADS + x];
            const float4 b1 = rights[now][s * RN_QUADS + RN_LINEAR_SIDE + x];
            const float column[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            RN_UNROLL for (int i = 0; i < 8; i++) {
                sum[i][0] = fma((float4)column[i], b0, sum[i][0]);
                sum[i][1] = fma((float4)column[i], b1, sum[i][1]);
            }
        }
        if (more) {
            now = 1 - now;
            RN_UNROLL for (int i = 0; i < RN_LOADS; i++) {
                lefts[now][item + i * RN_ITEMS] = next_left[i];
                rights[now][item + i * RN_ITEMS] = next_right[i];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    const int ld = size.y / 4, top = (int)get_group_id(1) * 8 * RN_LINEAR_SIDE + 4 * y;
    c += (size_t)get_group_id(0) * RN_QUADS + x;
    RN_UNROLL for (int i = 0; i < 8; i++) {
        const size_t row = (size_t)(top + (i & 3) + (i >> 2) * 4 * RN_LINEAR_SIDE) * ld;
        c[row] = sum[i][0];
        c[row + RN_LINEAR_SIDE] = sum[i][1];
    }
}
