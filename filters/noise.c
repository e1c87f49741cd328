/* SPDX-License-Identifier: MIT */
/* Noise for tests and film grain, the same on every device: each sample draws 16 random bits that
 * depend only on seed, frame, plane and position.
 *
 * One call of the generator (parts/threefry.h) serves four neighbours in a row:
 *   key     (seed, high half of the frame's index)
 *   counter (y * 2^16 + plane * 2^14 + x / 4, low half of the frame's index)
 * Sample x takes the low (x even) or high (x odd) half of word x / 2 % 2.
 *
 * gaussian: the lower 15 bits are a sign and an index into 2^14 quantiles of the positive half of
 * the normal distribution, computed on the host in multiples of 2^-12 so that differences between
 * maths libraries do not show. out = v + sigma * quantile in fp32; integers are rounded half to
 * even and saturated. The largest quantile is 4.17 sigma.
 *
 * salt-and-pepper: the lowest of the 2^16 possible draws give black, the highest white. */

#include "filters/core/chain/level.h"
#include "filters/core/device/opencl.h"
#include "filters/core/chain/stage.h"
#include "filters/parts/texts.h"
#include "filters/parts/threefry.h"

enum type { GAUSSIAN, SALT_AND_PEPPER };

struct noise {
    enum type type;
    int seed, planes;
    struct rn_level sigma;
    float amount;
};

static const char *const types[] = {"gaussian", "salt-and-pepper", NULL};

static const struct rn_param params[] = {
    RN_P_CHOICE(struct noise, type, types, 2, GAUSSIAN,
                "added to all samples, or extremes in some"),
    RN_P_LEVEL(struct noise, sigma, RN_DISTANCE, 0, 255, 1, 10, "gaussian: standard deviation"),
    RN_P_FLOAT(struct noise, amount, 0, 1, 0.01, 0.05, "",
               "salt-and-pepper: share of the samples, half black, half white"),
    RN_P_INT(struct noise, seed, 0, 999999999, 1, 0, "", "another seed, another noise"),
    RN_P_PLANES(struct noise),
    RN_P_END,
};

#define QUANTILES (1 << 14)
#define FRACTION  4096.0 /* of a standard deviation */

struct priv {
    int16_t quantile[QUANTILES];
    struct rn_scratch quantiles;
};

/* quantile[i]: that of probability 1/2 + (i + 1/2) / (2 * QUANTILES), by Newton's method on the
 * distribution function, from one to the next. */
static void make_quantiles(int16_t *quantile)
{
    double z = 0;
    for (int i = 0; i < QUANTILES; i++) {
        double tail = 0.5 - (i + 0.5) / (2.0 * QUANTILES), step;
        int rounds = 0;
        do {
            double density = exp(-z * z / 2) / sqrt(2 * 3.14159265358979323846);
            step = (erfc(z / sqrt(2)) / 2 - tail) / density;
            z += step;
        } while (fabs(step) > 1e-12 && ++rounds < 50);
        quantile[i] = (int16_t)rint(z * FRACTION);
    }
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    const size_t bytes = sizeof priv->quantile;
    if (!priv->quantile[QUANTILES - 1])
        make_quantiles(priv->quantile);
    cl_mem *mem = &rn_held(bound, &priv->quantiles)->mem;
    return bound->dev && !*mem ? rn_buffer_from(bound->dev, priv->quantile, bytes, mem) : 0;
}

static float scale_of(const struct noise *n, const struct rn_geom *geom)
{
    return fabsf((float)rn_level_distance(&n->sigma, geom)) / (float)FRACTION;
}

/* Draws below *black give black, those above *white give white. */
static void limits_of(const struct noise *n, int *black, int *white)
{
    int draws = (int)rintf(n->amount * 65536);
    *black = draws / 2;
    *white = 65535 - (draws - draws / 2);
}

/* ---- reference */

static int draw(uint32_t seed, int64_t frame, int p, int x, int y)
{
    uint32_t key[2] = {seed, (uint32_t)((uint64_t)frame >> 32)};
    uint32_t counter[2] = {(uint32_t)y << 16 | (uint32_t)p << 14 | (uint32_t)x / 4,
                           (uint32_t)frame};
    uint32_t word[2];
    rn_threefry(key, counter, word);
    return (int)(word[x / 2 % 2] >> (x % 2 * 16) & 0xffff);
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    const struct noise *n = now->params;
    const struct priv *priv = bound->priv;
    const struct rn_plane *s = &src->plane[p];
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    float scale = scale_of(n, &now->in);
    int black, white;
    limits_of(n, &black, &white);
    RN_EACH_SAMPLE (s, x, y) {
        int bits = draw((uint32_t)n->seed, call->frame, p, x, y);
        float v = rn_sample_get(s, sample, x, y);
        if (n->type == GAUSSIAN) {
            int z = priv->quantile[bits % QUANTILES], sign = bits / QUANTILES % 2 ? -1 : 1;
            v = rn_round_sample(&now->in.fmt, v + scale * (float)(sign * z));
        } else if (bits < black || bits > white) {
            v = bits < black ? rn_geom_black(&now->in) : rn_geom_white(&now->in);
        }
        rn_sample_put(&dst->plane[p], sample, x, y, v);
    }
    return 0;
}

/* ---- device */

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct noise *n = now->params;
    struct priv *priv = bound->priv;
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    struct rn_arg from =
        RN_ARG_INT4(n->seed, (cl_int)(cmd->frame >> 32), (cl_int)cmd->frame, p << 14);
    float dark = rn_geom_black(&now->in), bright = rn_geom_white(&now->in);
    int black, white;
    limits_of(n, &black, &white);
    if (n->type == GAUSSIAN)
        return RN_LAUNCH(cmd, bound->kernel[GAUSSIAN], rn_area_of(s), RN_ARG_PLANE(s),
                         RN_ARG_PLANE(d), from, RN_ARG_MEM(priv->quantiles.mem),
                         RN_ARG_FLOAT(scale_of(n, &now->in)), RN_ARG_FLOAT(bright));
    return RN_LAUNCH(cmd, bound->kernel[SALT_AND_PEPPER], rn_area_of(s), RN_ARG_PLANE(s),
                     RN_ARG_PLANE(d), from, RN_ARG_INT2(black, white), RN_ARG_FLOAT(dark),
                     RN_ARG_FLOAT(bright));
}

RN_FILTER(noise) = {
    .name = RN_NAMED(noise),
    RN_SETTINGS(struct noise, params),
    .priv_size = sizeof(struct priv),
    .source = "noise.cl",
    .kernels = {[GAUSSIAN] = "gaussian", [SALT_AND_PEPPER] = "salt_and_pepper"},
    .ref = ref,
    .prepare = prepare,
    .enqueue = enqueue,
    .numbered = true,
    .in_place = true,
};
