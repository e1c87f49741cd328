/* Details against the neighbours: laplacian, sharpen, emboss.
 *
 * Definition, the same on every device (the picture's samples by points of the compass, C in the
 * middle): R is an exact integer,
 *   laplacian  R = N + E + S + W - 4 C, or with all eight neighbours the sum of them - 8 C
 *   sharpen    R = 4 C - N - E - S - W
 *   emboss     R = 2 A + B + D - 2 A' - B' - D', A the neighbour in `direction`, B and D those
 *              beside A on the ring of eight, each with a prime the opposite one
 * and the result is clamp(R * factor + base), rounded half to even: two roundings in fp32. factor
 * is `scale` or `amount`; base is `delta` (laplacian), C (sharpen, emboss on the picture) or
 * mid-gray, 2^(depth - 1) (emboss alone).
 * With the defaults these are the presets of those names of `convolution`. */
#include <math.h>
#include <string.h>

#include "filters/core/opencl.h"
#include "filters/core/stage.h"

enum { FOUR, EIGHT };
enum { ON_PICTURE, ON_GRAY };

struct laplacian {
    float scale, delta;
    int neighbours, border, planes;
};

struct sharpen {
    float amount;
    int border, planes;
};

struct emboss {
    float amount;
    int direction, relief, border, planes;
};

static const char *const neighbour_names[] = {"4", "8", NULL};
static const char *const direction_names[] = {"n", "ne", "e", "se", "s", "sw", "w", "nw", NULL};
static const char *const relief_names[] = {"picture", "gray", NULL};

static const struct rn_param laplacian_params[] = {
    RN_P_FLOAT(struct laplacian, scale, -1000, 1000, 0.1, 1, "",
               "multiplies the sum; below 0 the middle weighs positive"),
    RN_P_FLOAT(struct laplacian, delta, -255, 255, 1, 0, "8-bit units",
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

extern const struct rn_stage_desc rn_laplacian, rn_sharpen, rn_emboss;

enum kernel { KERNEL_FOUR, KERNEL_EIGHT, KERNEL_RELIEF, KERNELS };

/* The weights of R, row by row, and what is done with it. */
struct priv {
    int weight[9];
    float factor, bias;
    bool keep; /* C is part of the base */
    enum rn_border border;
    int ring[3][2]; /* relief: (dx, dy) of A, B, D */
    enum kernel which;
    struct rn_kernel *kernel[KERNELS][2]; /* [1]: all in integers */
};

/* The ring of eight, clockwise from the north, as in direction_names. */
static const int ring[8][2] = {{0, -1}, {1, -1}, {1, 0},  {1, 1},
                               {0, 1},  {-1, 1}, {-1, 0}, {-1, -1}};

static void set_relief(struct priv *priv, int direction)
{
    static const int weight[3] = {2, 1, 1};
    priv->which = KERNEL_RELIEF;
    for (int i = 0; i < 3; i++) {
        const int *at = ring[(direction + (i == 0 ? 0 : i == 1 ? 1 : 7)) % 8];
        priv->ring[i][0] = at[0];
        priv->ring[i][1] = at[1];
        priv->weight[4 + 3 * at[1] + at[0]] = weight[i];
        priv->weight[4 - 3 * at[1] - at[0]] = -weight[i];
    }
}

static void set_neighbours(struct priv *priv, bool eight)
{
    priv->which = eight ? KERNEL_EIGHT : KERNEL_FOUR;
    for (int i = 0; i < 9; i++)
        priv->weight[i] = i == 4 ? (eight ? -8 : -4) : i % 2 || eight;
}

static int check(struct rn_stage *stage, const struct rn_geom *in, struct rn_geom *out)
{
    (void)out;
    struct priv *priv = stage->priv;
    float unit = (float)(1 << (in->fmt.depth - 8));
    stage->margin = 1;
    memset(priv->weight, 0, sizeof priv->weight);
    if (stage->desc == &rn_laplacian) {
        const struct laplacian *l = stage->params;
        set_neighbours(priv, l->neighbours == EIGHT);
        priv->factor = l->scale;
        priv->bias = l->delta * unit;
        priv->border = (enum rn_border)l->border;
    } else if (stage->desc == &rn_sharpen) {
        const struct sharpen *s = stage->params;
        set_neighbours(priv, false);
        priv->factor = -s->amount;
        priv->keep = true;
        priv->border = (enum rn_border)s->border;
    } else {
        const struct emboss *e = stage->params;
        set_relief(priv, e->direction);
        priv->factor = e->amount;
        priv->keep = e->relief == ON_PICTURE;
        priv->bias = priv->keep ? 0 : 128 * unit;
        priv->border = (enum rn_border)e->border;
    }
    return 0;
}

/* ---- reference */

static int ref(struct rn_stage *stage, const struct rn_call *call, const struct rn_image *src,
               struct rn_image *dst, int p)
{
    (void)call;
    const struct priv *priv = stage->priv;
    const struct rn_plane *from = &src->plane[p];
    int bytes = rn_format_bytes(&src->geom.fmt);
    float max = (float)rn_format_max(&src->geom.fmt);
    for (int y = 0; y < from->h; y++) {
        for (int x = 0; x < from->w; x++) {
            int sum = 0;
            for (int i = 0; i < 9; i++) {
                int sx = rn_border_index(priv->border, x + i % 3 - 1, from->w);
                int sy = rn_border_index(priv->border, y + i / 3 - 1, from->h);
                if (sx >= 0 && sy >= 0)
                    sum += priv->weight[i] * rn_plane_get(from, bytes, sx, sy);
            }
            float base = priv->keep ? (float)rn_plane_get(from, bytes, x, y) : priv->bias;
            float v = (float)sum * priv->factor + base;
            rn_plane_put(&dst->plane[p], bytes, x, y, rn_round_sample(v, max));
        }
    }
    return 0;
}

/* ---- device */

static int prepare(struct rn_stage *stage, struct rn_device *dev)
{
    /* Both of each pair: the values change while running, and a build takes longer than a frame. */
    static const char *const names[KERNELS][2] = {
        {"four", "four_whole"}, {"eight", "eight_whole"}, {"relief", "relief_whole"}};
    struct priv *priv = stage->priv;
    int bytes = rn_format_bytes(&stage->in.fmt), err = 0;
    for (int i = 0; i < KERNELS; i++)
        for (int k = 0; k < 2 && !err; k++)
            err = rn_kernel_get(dev, "details.cl", names[i][k], bytes, &priv->kernel[i][k]);
    return err;
}

static int enqueue(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dimage *src,
                   struct rn_dimage *dst, int p)
{
    const struct priv *priv = stage->priv;
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    int bytes = rn_format_bytes(&stage->in.fmt), max = rn_format_max(&stage->in.fmt);
    int err = rn_fill_border(cmd, s, bytes, 1, 1, priv->border, 0);
    if (err)
        return err;
    /* Integers do where all is whole and the sums of 8-bit samples fit 16 bits. */
    float factor = priv->factor, bias = priv->bias, keep = priv->keep ? 1 : 0;
    bool whole = factor == rintf(factor) && fabsf(factor) < 16 && bias == rintf(bias);
    struct rn_arg k = whole ? RN_ARG_INT4((int)factor, (int)keep, (int)bias, max)
                            : RN_ARG_FLOAT4(factor, keep, bias, (float)max);
    int at[3];
    for (int i = 0; i < 3; i++)
        at[i] = priv->ring[i][1] * s->stride + priv->ring[i][0];
    return RN_LAUNCH(cmd, priv->kernel[priv->which][whole], ((struct rn_area){0, 0, s->w, s->h}),
                     RN_ARG_PLANE(s), RN_ARG_PLANE(d), k, RN_ARG_INT4(at[0], at[1], at[2], 0));
}

#define DETAILS(name_, help_)                                                                      \
    const struct rn_stage_desc rn_##name_ = {                                                      \
        .name = #name_,                                                                            \
        .help = help_,                                                                             \
        .params = name_##_params,                                                                  \
        .params_size = sizeof(struct name_),                                                       \
        .priv_size = sizeof(struct priv),                                                          \
        .check = check,                                                                            \
        .ref = ref,                                                                                \
        .prepare = prepare,                                                                        \
        .enqueue = enqueue,                                                                        \
    }

DETAILS(laplacian, "second derivative: the neighbours less the middle");
DETAILS(sharpen, "adds the difference of every pixel to its neighbours");
DETAILS(emboss, "makes a relief that is lit from one side");
