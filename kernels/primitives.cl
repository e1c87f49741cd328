/* SPDX-License-Identifier: MIT */
/* The primitives of dense and convolutional networks, naive: what one of their items computes. C
 * compiles this text, too, as the reference (filters/linear/plain.c). Sums have the order that
 * stands here, and products are added by fma, so that all devices have the same bits.
 * size: of matrices rows, columns and the products of each sum; else pictures, their rows, columns
 * and channels, which lie side by side: [picture][y][x][channel]. Row operations treat a
 * picture as one row. k: a factor. In backward primitives x is the output of the forward one
 * (max_pool_back: its input), y the gradient of that output. */
#ifdef __OPENCL_VERSION__
#pragma OPENCL FP_CONTRACT OFF
#define RN_INLINE static inline
#define RN_UNROLL _Pragma("unroll")
#define RN_GLOBAL __global
#define rn_fma    fma
#endif
#include "sigmoid.clh"

#define RN_IN RN_GLOBAL const float *

RN_SIGMOID(rn_logistic, float)

RN_INLINE float rn_sum(RN_IN x, int step, int n)
{
    float sum = 0.0f;
    for (int j = 0; j < n; j++)
        sum = sum + x[j * step];
    return sum;
}

RN_INLINE float rn_dot(RN_IN x, int x_step, RN_IN y, int y_step, int n)
{
    float sum = 0.0f;
    for (int j = 0; j < n; j++)
        sum = rn_fma(x[j * x_step], y[j * y_step], sum);
    return sum;
}

/* The place at tap t of the 3 x 3 around a place; -1: outside of the picture. Places are counted
 * through all pictures. */
RN_INLINE int rn_tap(int4 size, int place, int t)
{
    const int dx = t % 3 - 1, dy = t / 3 - 1;
    const int u = place % size.z + dx, v = place / size.z % size.y + dy;
    return u >= 0 && u < size.z && v >= 0 && v < size.y ? place + dy * size.z + dx : -1;
}

/* The sum of all that im2col made of sample i: at tap t it is for the place at the opposite tap. */
RN_INLINE float rn_col2im_sum(RN_IN x, int4 size, int i)
{
    float sum = 0.0f;
    for (int t = 0; t < 9; t++) {
        const int from = rn_tap(size, i / size.w, 8 - t);
        sum = sum + (from < 0 ? 0.0f : x[(from * 9 + t) * size.w + i % size.w]);
    }
    return sum;
}

/* Sample t of the 2 x 2 that become sample i; size is that of the result. */
RN_INLINE int rn_pooled_index(int4 size, int i, int t)
{
    const int place = i / size.w, row = place / size.z * 2 + t / 2;
    return (row * 2 * size.z + place % size.z * 2 + t % 2) * size.w + i % size.w;
}

/* The first of the largest ones. */
RN_INLINE int rn_index_of_max(RN_IN x, int4 size, int i)
{
    int largest = rn_pooled_index(size, i, 0);
    for (int t = 1; t < 4; t++) {
        const int next = rn_pooled_index(size, i, t);
        largest = x[next] > x[largest] ? next : largest;
    }
    return largest;
}

/* n floats become their softmax. What lies 16 or more below the largest gets exp(-16). The sum is
 * brought below 2 by halving, which rounds nothing. */
RN_INLINE void rn_softmax(RN_IN x, RN_GLOBAL float *out, int n)
{
    float largest = x[0], factor = 1.0f;
    for (int j = 1; j < n; j++)
        largest = x[j] > largest ? x[j] : largest;
    for (int j = 0; j < n; j++)
        out[j] = rn_logistic_exp(largest - x[j]);
    float sum = rn_sum(out, 1, n);
    for (; sum >= 2.0f; sum *= 0.5f)
        factor *= 0.5f;
    factor *= rn_logistic_reciprocal(sum);
    for (int j = 0; j < n; j++)
        out[j] *= factor;
}

RN_INLINE void rn_softmax_back(RN_IN x, RN_IN y, RN_GLOBAL float *out, int n)
{
    const float sum = rn_dot(x, 1, y, 1, n);
    for (int j = 0; j < n; j++)
        out[j] = x[j] * (y[j] - sum);
}

RN_INLINE void rn_pool_back(RN_IN x, RN_IN y, RN_GLOBAL float *out, int4 size, int i)
{
    for (int t = 0, largest = rn_index_of_max(x, size, i); t < 4; t++)
        out[rn_pooled_index(size, i, t)] = rn_pooled_index(size, i, t) == largest ? y[i] : 0.0f;
}

/* Name; the floats of x, of y, of out, and the items, as products of what stands in size and of
 * numbers; what item i does. A row of what im2col makes has the channels of tap 0, of tap 1... */
#define RN_ROW (size.y * size.z * size.w)
#define RN_PRIMITIVES(EACH)                                                                        \
    EACH(matmul, X | Z, Z | Y, X | Y, X | Y,                                                       \
         out[i] = rn_dot(x + i / size.y * size.z, 1, y + i % size.y, size.y, size.z))              \
    EACH(matmul_at, X | Z, Z | Y, X | Y, X | Y,                                                    \
         out[i] = rn_dot(x + i / size.y, size.x, y + i % size.y, size.y, size.z))                  \
    EACH(matmul_bt, X | Z, Z | Y, X | Y, X | Y,                                                    \
         out[i] = rn_dot(x + i / size.y * size.z, 1, y + i % size.y * size.z, 1, size.z))          \
    EACH(add, ALL, ALL, ALL, ALL, out[i] = x[i] + y[i])                                            \
    EACH(add_row, ALL, W, ALL, ALL, out[i] = x[i] + y[i % size.w])                                 \
    EACH(multiply, ALL, ALL, ALL, ALL, out[i] = x[i] * y[i])                                       \
    EACH(axpy, ALL, ALL, ALL, ALL, out[i] = rn_fma(k, x[i], y[i]))                                 \
    EACH(row_sum, ALL, 0, X, X, out[i] = rn_sum(x + i * RN_ROW, 1, RN_ROW))                        \
    EACH(col_sum, ALL, 0, Y | Z | W, Y | Z | W, out[i] = rn_sum(x + i, RN_ROW, size.x))            \
    EACH(im2col, ALL, 0, ALL | NINE, ALL | NINE,                                                   \
         const int from = rn_tap(size, i / size.w / 9, i / size.w % 9);                            \
         out[i] = from < 0 ? 0.0f : x[from * size.w + i % size.w])                                 \
    EACH(col2im, ALL | NINE, 0, ALL, ALL, out[i] = rn_col2im_sum(x, size, i))                      \
    EACH(max_pool, ALL | FOUR, 0, ALL, ALL, out[i] = x[rn_index_of_max(x, size, i)])               \
    EACH(max_pool_back, ALL | FOUR, ALL, ALL | FOUR, ALL, rn_pool_back(x, y, out, size, i))        \
    EACH(relu, ALL, 0, ALL, ALL, out[i] = x[i] > 0.0f ? x[i] : 0.0f)                               \
    EACH(relu_back, ALL, ALL, ALL, ALL, out[i] = x[i] > 0.0f ? y[i] : 0.0f)                        \
    EACH(sigmoid, ALL, 0, ALL, ALL, out[i] = rn_logistic(x[i]))                                    \
    EACH(sigmoid_back, ALL, ALL, ALL, ALL, out[i] = y[i] * (x[i] * (1.0f - x[i])))                 \
    EACH(softmax, ALL, 0, ALL, X, rn_softmax(x + i * RN_ROW, out + i * RN_ROW, RN_ROW))            \
    EACH(softmax_back, ALL, ALL, ALL, X,                                                           \
         rn_softmax_back(x + i * RN_ROW, y + i * RN_ROW, out + i * RN_ROW, RN_ROW))

#ifdef __OPENCL_VERSION__
#define RN_AS_KERNEL(name, of_x, of_y, of_out, of_items, body)                                     \
    __kernel void name(RN_IN x, RN_IN y, __global float *out, int4 size, float k, int items)       \
    {                                                                                              \
        const int i = (int)get_global_id(0);                                                       \
        if (i < items) {                                                                           \
            body;                                                                                  \
        }                                                                                          \
    }
RN_PRIMITIVES(RN_AS_KERNEL)
#endif
