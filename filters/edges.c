/* Edges: the magnitude of the gradient, as FFmpeg 5.1's filters of these names compute it.
 *
 * Definition, the same on every device (the picture's samples by points of the compass, C in the
 * middle):
 *   prewitt  a = (SW + S + SE) - (NW + N + NE)          b = (NE + E + SE) - (NW + W + SW)
 *   sobel    a = (SW + 2 S + SE) - (NW + 2 N + NE)      b = (NE + 2 E + SE) - (NW + 2 W + SW)
 *   roberts  a = NW - N                                 b = C - W
 *   result   sqrt(a * a + b * b) * scale + delta, clipped to the samples, its fraction dropped
 * a and b are exact integers; every operation after them is one in fp32, rounded, in this order.
 * The fraction is dropped, not rounded, because FFmpeg's conversion to integers drops it. roberts
 * is FFmpeg's as well, which takes its differences along the rows and not along the diagonals.
 * Inside the image the samples are FFmpeg's; beyond its edge there is the border rule. */
#include <math.h>

#include "filters/core/opencl.h"
#include "filters/core/stage.h"

struct edges {
    float scale, delta;
    int border, planes;
};

static const struct rn_param params[] = {
    /* With 1000 the largest magnitude of 16-bit samples stays below 2^31, where FFmpeg's conversion
     * to integers ends. */
    RN_P_FLOAT(struct edges, scale, 0, 1000, 0.1, 1, "", "multiplies the magnitude"),
    RN_P_FLOAT(struct edges, delta, -255, 255, 1, 0, "8-bit units", "added after that"),
    RN_P_BORDER(struct edges),
    RN_P_PLANES(struct edges),
    RN_P_END,
};

struct priv {
    struct rn_kernel *kernel;
};

static int check(struct rn_stage *stage, const struct rn_geom *in, struct rn_geom *out)
{
    (void)in, (void)out;
    stage->margin = 1;
    return 0;
}

static float delta_of(const struct rn_stage *stage)
{
    const struct edges *e = stage->params;
    return e->delta * (float)(1 << (stage->in.fmt.depth - 8));
}

/* ---- reference */

extern const struct rn_stage_desc rn_prewitt, rn_sobel, rn_roberts;

/* s: the 3x3 samples, row by row. */
static void gradient(const struct rn_stage_desc *desc, const int s[9], int *a, int *b)
{
    if (desc == &rn_roberts) {
        *a = s[0] - s[1];
        *b = s[4] - s[3];
        return;
    }
    int middle = desc == &rn_sobel ? 2 : 1;
    *a = (s[6] + middle * s[7] + s[8]) - (s[0] + middle * s[1] + s[2]);
    *b = (s[2] + middle * s[5] + s[8]) - (s[0] + middle * s[3] + s[6]);
}

static void neighbours(const struct rn_plane *src, int bytes, int x, int y, enum rn_border border,
                       int s[9])
{
    for (int i = 0; i < 9; i++) {
        int sx = rn_border_index(border, x + i % 3 - 1, src->w);
        int sy = rn_border_index(border, y + i / 3 - 1, src->h);
        s[i] = sx < 0 || sy < 0 ? 0 : rn_plane_get(src, bytes, sx, sy);
    }
}

static int ref(struct rn_stage *stage, const struct rn_call *call, const struct rn_image *src,
               struct rn_image *dst, int p)
{
    (void)call;
    const struct edges *e = stage->params;
    const struct rn_plane *from = &src->plane[p];
    int bytes = rn_format_bytes(&src->geom.fmt);
    float delta = delta_of(stage), max = (float)rn_format_max(&src->geom.fmt);
    for (int y = 0; y < from->h; y++) {
        for (int x = 0; x < from->w; x++) {
            int s[9], ia, ib;
            neighbours(from, bytes, x, y, (enum rn_border)e->border, s);
            gradient(stage->desc, s, &ia, &ib);
            float a = (float)ia, b = (float)ib;
            float v = sqrtf(a * a + b * b) * e->scale + delta;
            v = v > 0 ? v : 0;
            rn_plane_put(&dst->plane[p], bytes, x, y, (int)(v < max ? v : max));
        }
    }
    return 0;
}

/* ---- device */

static int prepare(struct rn_stage *stage, struct rn_device *dev)
{
    struct priv *priv = stage->priv;
    return rn_kernel_get(dev, "edges.cl", stage->desc->name, rn_format_bytes(&stage->in.fmt),
                         &priv->kernel);
}

static int enqueue(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dimage *src,
                   struct rn_dimage *dst, int p)
{
    const struct edges *e = stage->params;
    const struct priv *priv = stage->priv;
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    int bytes = rn_format_bytes(&stage->in.fmt);
    int err = rn_fill_border(cmd, s, bytes, 1, 1, (enum rn_border)e->border, 0);
    if (err)
        return err;
    return RN_LAUNCH(cmd, priv->kernel, ((struct rn_area){0, 0, s->w, s->h}), RN_ARG_PLANE(s),
                     RN_ARG_PLANE(d), RN_ARG_FLOAT(e->scale), RN_ARG_FLOAT(delta_of(stage)),
                     RN_ARG_FLOAT((float)rn_format_max(&stage->in.fmt)));
}

#define EDGES(name_, help_)                                                                        \
    const struct rn_stage_desc rn_##name_ = {                                                      \
        .name = #name_,                                                                            \
        .help = help_,                                                                             \
        .params = params,                                                                          \
        .params_size = sizeof(struct edges),                                                       \
        .priv_size = sizeof(struct priv),                                                          \
        .check = check,                                                                            \
        .ref = ref,                                                                                \
        .prepare = prepare,                                                                        \
        .enqueue = enqueue,                                                                        \
    }

EDGES(prewitt, "edges: gradient magnitude with Prewitt's operator");
EDGES(sobel, "edges: gradient magnitude with Sobel's operator");
EDGES(roberts, "edges: gradient magnitude of neighbouring differences, FFmpeg's roberts");
