#include "pixel.clh"

/* One plane in another format: out = round(k.x * c0 + k.y * c1 + k.z * c2 + k.w), where ci is plane
 * i of the source at the same place. Planes with weight 0 are not read. */

#if RN_WIDTH == 1
typedef uchar uchars;
typedef ushort ushorts;
#define STORE_8(p, v)  (*(p) = (uchar)(v))
#define STORE_16(p, v) (*(p) = (ushort)(v))
#elif RN_CLANG
typedef uchar uchars __attribute__((ext_vector_type(RN_WIDTH)));
typedef ushort ushorts __attribute__((ext_vector_type(RN_WIDTH)));
typedef uchars uchars_anywhere __attribute__((aligned(1)));
typedef ushorts ushorts_anywhere __attribute__((aligned(2)));
#define STORE_8(p, v)  (*(__global uchars_anywhere *)(p) = __builtin_convertvector(v, uchars))
#define STORE_16(p, v) (*(__global ushorts_anywhere *)(p) = __builtin_convertvector(v, ushorts))
#else
#define STORE_8(p, v)  RN_CAT(vstore, RN_WIDTH)(RN_CAT(convert_uchar, RN_WIDTH)(v), 0, p)
#define STORE_16(p, v) RN_CAT(vstore, RN_WIDTH)(RN_CAT(convert_ushort, RN_WIDTH)(v), 0, p)
#endif

/* The mean of the source's samples at x, y of the output. to: log2 of how much finer (> 0: a block
 * of samples is averaged) or coarser (< 0: a sample is repeated) the source's plane is, in x and
 * y. */
RN_INLINE float sample_mean(__global const sample *src, int4 sp, int x, int y, int2 to)
{
    int nx = 1 << max(to.x, 0), ny = 1 << max(to.y, 0);
    int x0 = to.x < 0 ? x >> -to.x : x << to.x, y0 = to.y < 0 ? y >> -to.y : y << to.y;
    int sum = 0;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            sum += *RN_AT(src, sp, min(x0 + i, sp.z - 1), min(y0 + j, sp.w - 1));
    /* 1, 2 or 4 samples: an exact factor instead of a division, which OpenCL may round. */
    return (float)sum * (nx * ny == 4 ? 0.25f : nx * ny == 2 ? 0.5f : 1.0f);
}

RN_INLINE floats means(__global const sample *src, int4 sp, int x, int y, int2 to)
{
    if (to.x == 0 && to.y == 0)
        return rn_to_floats(rn_load(RN_AT(src, sp, x, y)));
#if RN_WIDTH == 1
    return sample_mean(src, sp, x, y, to);
#else
    union {
        floats v;
        float lane[RN_WIDTH];
    } out;
    for (int i = 0; i < RN_WIDTH; i++)
        out.lane[i] = sample_mean(src, sp, x + i, y, to);
    return out.v;
#endif
}

/* to0, to1, to2: for the source's planes, as in sample_mean. */
#define CONVERT(name, out_t, store)                                                                \
    __kernel void name(int4 area, __global const sample *s0, int4 p0, __global const sample *s1,   \
                       int4 p1, __global const sample *s2, int4 p2, int2 to0, int2 to1, int2 to2,  \
                       __global out_t *dst, int4 dp, float4 k, float max)                          \
    {                                                                                              \
        RN_EACH_ROW(area, x, y)                                                                    \
        {                                                                                          \
            floats v = (floats)0.0f;                                                               \
            if (k.x != 0)                                                                          \
                v = v + k.x * means(s0, p0, x, y, to0);                                            \
            if (k.y != 0)                                                                          \
                v = v + k.y * means(s1, p1, x, y, to1);                                            \
            if (k.z != 0)                                                                          \
                v = v + k.z * means(s2, p2, x, y, to2);                                            \
            store(RN_AT(dst, dp, x, y), rn_to_ints(rn_round_f(v + k.w, max)));                     \
        }                                                                                          \
    }

CONVERT(convert_to_8, uchar, STORE_8)
CONVERT(convert_to_16, ushort, STORE_16)
