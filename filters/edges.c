/* Edges: the magnitude of the gradient, as computed by FFmpeg 5.1's filters of these names.
 *
 * Definition, the same on every device (samples are named by points of the compass, C is the middle
 * one):
 *   prewitt  a = (SW + S + SE) - (NW + N + NE)          b = (NE + E + SE) - (NW + W + SW)
 *   sobel    a = (SW + 2 S + SE) - (NW + 2 N + NE)      b = (NE + 2 E + SE) - (NW + 2 W + SW)
 *   roberts  a = NW - N                                 b = C - W
 *   result   sqrt(a * a + b * b) * scale + delta, saturated, its fraction dropped
 * a and b are exact integers; every later operation is rounded in fp32, in this order. The fraction
 * is dropped because FFmpeg's conversion to integers drops it. roberts is FFmpeg's too: it takes
 * differences along the rows, not along the diagonals. Inside the image the samples equal FFmpeg's;
 * at its edges the border rule applies. */
#include <math.h>

#include "filters/core/opencl.h"
#include "filters/core/stage.h"

struct edges {
    float scale, delta;
    enum rn_border border;
    int planes;
};

static const struct rn_param params[] = {
    /* Up to 1000, the largest magnitude of 16-bit samples stays below 2^31, the limit of FFmpeg's
     * conversion to integers. */
    RN_P_FLOAT(struct edges, scale, 0, 1000, 0.1, 1, "", "multiplies the magnitude"),
    RN_P_FLOAT(struct edges, delta, -255, 255, 1, 0, "8-bit units", "added after that"),
    RN_P_BORDER(struct edges),
    RN_P_PLANES(struct edges),
    RN_P_END,
};

/* Weights of the 3x3 samples, row by row, in a and b. */
struct gradient {
    int a[9], b[9];
};
static const struct gradient prewitt = {{-1, -1, -1, 0, 0, 0, 1, 1, 1},
                                        {-1, 0, 1, -1, 0, 1, -1, 0, 1}},
                             sobel = {{-1, -2, -1, 0, 0, 0, 1, 2, 1},
                                      {-1, 0, 1, -2, 0, 2, -1, 0, 1}},
                             roberts = {{1, -1, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, -1, 1, 0, 0, 0, 0}};

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    (void)stage, (void)in;
    traits->margin = 1;
    return 0;
}

static float delta_of(const struct rn_snapshot *now)
{
    const struct edges *e = now->params;
    return e->delta * (float)(1 << (now->in.fmt.depth - 8));
}

/* ---- reference */

/* The sums a and b around (x, y). */
static void differentiate(const struct gradient *g, const struct rn_plane *src, int bytes, int x,
                          int y, enum rn_border border, int *a, int *b)
{
    *a = *b = 0;
    for (int i = 0; i < 9; i++) {
        int sx = rn_border_index(border, x + i % 3 - 1, src->w);
        int sy = rn_border_index(border, y + i / 3 - 1, src->h);
        int v = sx < 0 || sy < 0 ? 0 : rn_plane_get(src, bytes, sx, sy);
        *a += g->a[i] * v;
        *b += g->b[i] * v;
    }
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    (void)bound, (void)call;
    const struct edges *e = now->params;
    const struct rn_plane *from = &src->plane[p];
    int bytes = rn_format_bytes(&src->geom.fmt);
    float delta = delta_of(now), max = (float)rn_format_max(&src->geom.fmt);
    for (int y = 0; y < from->h; y++) {
        for (int x = 0; x < from->w; x++) {
            int ia, ib;
            differentiate(now->desc->variant, from, bytes, x, y, e->border, &ia, &ib);
            float a = (float)ia, b = (float)ib;
            float v = sqrtf(a * a + b * b) * e->scale + delta;
            v = v > 0 ? v : 0;
            rn_plane_put(&dst->plane[p], bytes, x, y, (int)(v < max ? v : max));
        }
    }
    return 0;
}

/* ---- device */

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct edges *e = now->params;
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    int err = rn_fill_border(cmd, s, rn_format_sample(&now->in.fmt), 1, 1, e->border, 0);
    if (err)
        return err;
    return RN_LAUNCH(cmd, bound->kernel[0], rn_area_of(s), RN_ARG_PLANE(s), RN_ARG_PLANE(d),
                     RN_ARG_FLOAT(e->scale), RN_ARG_FLOAT(delta_of(now)),
                     RN_ARG_FLOAT((float)rn_format_max(&now->in.fmt)));
}

#define EDGES(name_, help_)                                                                        \
    const struct rn_stage_desc rn_##name_ = {                                                      \
        .name = #name_,                                                                            \
        .help = help_,                                                                             \
        .params = params,                                                                          \
        .params_size = sizeof(struct edges),                                                       \
        .variant = &name_,                                                                         \
        .source = "edges.cl",                                                                      \
        .kernels = {#name_},                                                                       \
        .check = check,                                                                            \
        .ref = ref,                                                                                \
        .enqueue = enqueue,                                                                        \
    }

EDGES(prewitt, "edges: gradient magnitude with Prewitt's operator");
EDGES(sobel, "edges: gradient magnitude with Sobel's operator");
EDGES(roberts, "edges: gradient magnitude of neighbouring differences, FFmpeg's roberts");
