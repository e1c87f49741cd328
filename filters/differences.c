/* SPDX-License-Identifier: MIT */
/* Differences between a sample and its neighbours: laplacian, sharpen, emboss.
 *
 * Definition, the same on every device (samples are named by points of the compass, C is the middle
 * one): R is an exact integer,
 *   laplacian  R = N + E + S + W - 4 C, or with eight neighbours their sum - 8 C
 *   sharpen    R = 4 C - N - E - S - W
 *   emboss     R = 2 A + B + D - 2 A' - B' - D', where A is the neighbour in `direction`, B and D
 *              are those beside A on the ring of eight, and a prime marks the opposite neighbour
 * and the result is clamp(R * factor + base), rounded half to even: two roundings in fp32. R is
 * exact for integers; of floats it is summed in fp32 as (N + S) + (W + E) - 4 C; ((NW + N + NE) +
 * (SW + S + SE)) + (W + E) - 8 C; (A - A') + (A - A') + (B - B') + (D - D'), and the result is
 * neither rounded nor saturated. factor
 * is `scale` or `amount`; base is `delta` (laplacian), C (sharpen, and emboss with the picture) or
 * mid-gray, 2^(depth - 1), 0 for signed samples, the middle of the range of floats (emboss alone).
 * With default parameters these equal the `convolution` presets of the same names. */

#include "filters/core/chain/level.h"
#include "filters/core/device/opencl.h"
#include "filters/core/chain/stage.h"
#include "filters/parts/texts.h"

enum { FOUR, EIGHT };
enum { ON_PICTURE, ON_GRAY };

struct laplacian {
    float scale;
    struct rn_level delta;
    int neighbours;
    enum rn_border border;
    int planes;
};

struct sharpen {
    float amount;
    enum rn_border border;
    int planes;
};

struct emboss {
    float amount;
    int direction, relief;
    enum rn_border border;
    int planes;
};

static const char *const neighbour_names[] = {"4", "8", NULL};
static const char *const direction_names[] = {"n", "ne", "e", "se", "s", "sw", "w", "nw", NULL};
static const char *const relief_names[] = {"picture", "gray", NULL};

static const struct rn_param laplacian_params[] = {
    RN_P_FLOAT(struct laplacian, scale, -1000, 1000, 0.1, 1, "",
               "multiplies the sum; below 0 the middle weighs positive"),
    RN_P_LEVEL(struct laplacian, delta, RN_DISTANCE, -255, 255, 1, 0,
               "added after that; 128 is mid-scale at every depth"),
    RN_P_CHOICE(struct laplacian, neighbours, neighbour_names, 2, FOUR,
                "neighbours in the matrix: those with a common side, or all"),
    RN_P_BORDER(struct laplacian),
    RN_P_PLANES(struct laplacian),
    RN_P_END,
};

static const struct rn_param sharpen_params[] = {
    RN_P_FLOAT(struct sharpen, amount, 0, 100, 0.1, 1, "",
               "how much of the difference to the neighbours is added"),
    RN_P_BORDER(struct sharpen),
    RN_P_PLANES(struct sharpen),
    RN_P_END,
};

static const struct rn_param emboss_params[] = {
    RN_P_FLOAT(struct emboss, amount, 0, 100, 0.1, 1, "", "height of the relief"),
    RN_P_CHOICE(struct emboss, direction, direction_names, 8, 3,
                "where it must get brighter for the relief to be bright"),
    RN_P_CHOICE(struct emboss, relief, relief_names, 2, ON_PICTURE,
                "what the relief is added to: the picture, or mid-gray"),
    RN_P_BORDER(struct emboss),
    RN_P_PLANES(struct emboss),
    RN_P_END,
};

/* Each in two forms; [1]: integers only. */
enum kernel { KERNEL_FOUR = 0, KERNEL_EIGHT = 2, KERNEL_RELIEF = 4 };

/* The weights of R, row by row, and how R is used. */
struct sum {
    int weight[9];
    float factor, bias;
    bool keep; /* C is part of the base */
    enum rn_border border;
    int ring[3][2]; /* relief: (dx, dy) of A, B, D */
    int direction;  /* of A */
    enum kernel kernel;
};

/* The ring of eight, clockwise from the north, as in direction_names. */
static const int ring[8][2] = {{0, -1}, {1, -1}, {1, 0},  {1, 1},
                               {0, 1},  {-1, 1}, {-1, 0}, {-1, -1}};

static void set_neighbours(struct sum *sum, bool eight)
{
    sum->kernel = eight ? KERNEL_EIGHT : KERNEL_FOUR;
    for (int i = 0; i < 9; i++)
        sum->weight[i] = i == 4 ? (eight ? -8 : -4) : i % 2 || eight;
}

static struct sum laplacian_sum(const void *params, const struct rn_geom *geom)
{
    const struct laplacian *l = params;
    float delta = (float)rn_level_distance(&l->delta, geom);
    struct sum sum = {.factor = l->scale, .bias = delta, .border = l->border};
    set_neighbours(&sum, l->neighbours == EIGHT);
    return sum;
}

static struct sum sharpen_sum(const void *params, const struct rn_geom *geom)
{
    const struct sharpen *s = params;
    struct sum sum = {.factor = -s->amount, .keep = true, .border = s->border};
    set_neighbours(&sum, false);
    return sum;
}

static struct sum emboss_sum(const void *params, const struct rn_geom *geom)
{
    const struct emboss *e = params;
    static const int weight[3] = {2, 1, 1};
    bool keep = e->relief == ON_PICTURE;
    struct sum sum = {.kernel = KERNEL_RELIEF,
                      .direction = e->direction,
                      .factor = e->amount,
                      .keep = keep,
                      .bias = keep ? 0 : rn_geom_middle(geom),
                      .border = e->border};
    for (int i = 0; i < 3; i++) {
        const int *at = ring[(e->direction + (i == 0 ? 0 : i == 1 ? 1 : 7)) % 8];
        sum.ring[i][0] = at[0];
        sum.ring[i][1] = at[1];
        sum.weight[4 + 3 * at[1] + at[0]] = weight[i];
        sum.weight[4 - 3 * at[1] - at[0]] = -weight[i];
    }
    return sum;
}

struct variant {
    struct sum (*sum)(const void *params, const struct rn_geom *geom);
};
static const struct variant laplacian = {laplacian_sum}, sharpen = {sharpen_sum},
                            emboss = {emboss_sum};

static struct sum sum_of(const struct rn_snapshot *now)
{
    const struct variant *variant = now->desc->variant;
    return variant->sum(now->params, &now->in);
}

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    const struct variant *variant = stage->desc->variant;
    traits->shift_invariant = true;
    traits->margin = 1;
    if (!variant->sum(stage->params, in).keep)
        rn_traits_drop_unit(traits);
    return 0;
}

/* ---- reference */

static float difference(const struct sum *sum, const float v[9], int i)
{
    int at = 3 * sum->ring[i][1] + sum->ring[i][0];
    return v[4 + at] - v[4 - at];
}

/* R of the 3x3 samples v, row by row. */
static float sum_of_samples(const struct sum *sum, const float v[9], bool floats)
{
    int total = 0;
    for (int i = 0; i < 9 && !floats; i++)
        total += sum->weight[i] * (int)v[i];
    if (!floats)
        return (float)total;
    if (sum->kernel == KERNEL_FOUR)
        return ((v[1] + v[7]) + (v[3] + v[5])) - v[4] * 4;
    if (sum->kernel == KERNEL_EIGHT)
        return ((((v[0] + v[1]) + v[2]) + ((v[6] + v[7]) + v[8])) + (v[3] + v[5])) - v[4] * 8;
    float first = difference(sum, v, 0);
    return ((first + first) + difference(sum, v, 1)) + difference(sum, v, 2);
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    const struct sum sum = sum_of(now);
    const struct rn_plane *from = &src->plane[p];
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    RN_EACH_SAMPLE (from, x, y) {
        float at[9];
        for (int i = 0; i < 9; i++)
            at[i] = rn_sample_around(from, sample, sum.border, x + i % 3 - 1, y + i / 3 - 1);
        float v = sum_of_samples(&sum, at, sample == RN_SAMPLE_F32) * sum.factor +
                  (sum.keep ? at[4] + sum.bias : sum.bias);
        rn_sample_put(&dst->plane[p], sample, x, y, rn_round_sample(&now->in.fmt, v));
    }
    return 0;
}

/* ---- device */

/* Integers suffice if all values are integers and the sums of 8-bit samples fit 16 bits. */
static bool is_whole(const struct sum *sum, const struct rn_geom *in)
{
    return in->fmt.number != RN_NUMBER_FLOAT && sum->factor == rintf(sum->factor) &&
           fabsf(sum->factor) < 16 && sum->bias == rintf(sum->bias);
}

static unsigned needs(const struct rn_bound *bound, const struct rn_snapshot *now)
{
    const struct sum sum = sum_of(now);
    return 1U << (sum.kernel + is_whole(&sum, &now->in));
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct sum sum = sum_of(now);
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    float max = rn_geom_white(&now->in);
    int keep = sum.keep ? 1 : 0;
    int err = rn_window_border(cmd, s, rn_format_sample(&now->in.fmt), 1, 1, sum.border, 0);
    if (err)
        return err;
    bool whole = is_whole(&sum, &now->in);
    float factor = sum.direction & 4 ? -sum.factor : sum.factor; /* as RELIEFS expects it */
    struct rn_arg k = whole ? RN_ARG_INT4((int)factor, keep, (int)sum.bias, (int)max)
                            : RN_ARG_FLOAT4(factor, (float)keep, sum.bias, max);
    return RN_LAUNCH(cmd, bound->kernel[sum.kernel + whole], rn_area_of(s), RN_ARG_PLANE(s),
                     RN_ARG_PLANE(d), RN_ARG_INT2((cl_int)sum.border, 0), k,
                     RN_ARG_INT(sum.direction & 3));
}

#define DIFFERENCES(name_)                                                                         \
    RN_FILTER(name_) = {                                                                           \
        .name = RN_NAMED(name_),                                                                   \
        RN_SETTINGS(struct name_, name_##_params),                                                 \
        .variant = &name_,                                                                         \
        .source = "differences.cl",                                                                \
        .kernels = {"four", "four_whole", "eight", "eight_whole", "relief", "relief_whole"},       \
        .needs = needs,                                                                            \
        RN_COMPUTING,                                                                              \
    }

DIFFERENCES(laplacian);
DIFFERENCES(sharpen);
DIFFERENCES(emboss);
