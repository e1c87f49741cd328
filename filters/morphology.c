/* Erosion, dilation, opening and closing with flat structuring elements.
 *
 * One operation is an erosion or a dilation: the minimum or maximum over the element; `iterations`
 * repeats it with the border rule applied anew each time. An opening is all erosions, then all
 * dilations; a closing the reverse. Where border=zero the image lies on an infinite plane of zeros:
 * a closing must then remember what the dilations put outside the image, so it is computed on an
 * image extended by radius * iterations. The others need no extension: the elements shrink towards
 * their axes, so a path of dilations between two points of the image can stay inside it. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "filters/core/opencl.h"
#include "filters/core/stage.h"
#include "filters/core/element.h"

#define MAX_ITERATIONS 16

struct morphology {
    int shape, radius, iterations, border, planes;
};

static const char *const shape_names[] = {"cross", "square", "disk", NULL};

static const struct rn_param params[] = {
    RN_P_CHOICE(struct morphology, shape, shape_names, 3, RN_SQUARE,
                "structuring element: plus sign, square or disk"),
    RN_P_INT(struct morphology, radius, 1, RN_RADIUS_MAX, 1, 1, "px",
             "reach of the structuring element"),
    RN_P_INT(struct morphology, iterations, 1, MAX_ITERATIONS, 1, 1, "",
             "how often each operation is repeated"),
    RN_P_BORDER_MORPH(struct morphology),
    RN_P_PLANES(struct morphology),
    RN_P_END,
};

enum op { NONE, ERODE, DILATE };

/* The two halves of each filter. */
struct priv {
    struct rn_passes passes;
    int made_shape, made_radius;
    /* device */
    cl_mem taps;
    cl_mem image[2]; /* images between operations */
    cl_mem scratch;
    size_t image_bytes, scratch_bytes;
    struct rn_kernel *erode, *dilate;
};

struct halves {
    enum op first, second;
};

static struct halves halves_of(const struct rn_stage *stage);

static int extension(const struct rn_stage *stage)
{
    const struct morphology *m = stage->params;
    struct halves halves = halves_of(stage);
    bool closing = halves.first == DILATE && halves.second == ERODE;
    return closing && m->border == RN_ZERO ? m->radius * m->iterations : 0;
}

static int check(struct rn_stage *stage, const struct rn_geom *in, struct rn_geom *out)
{
    (void)in, (void)out;
    stage->margin = RN_RADIUS_MAX; /* the radius changes while running */
    return 0;
}

/* ---- reference */

/* One operation. outside: pixels without a counterpart take part with the value 0 (zero) or not
 * (ignore). */
static void operate(const struct morphology *m, enum op op, const struct rn_plane *src,
                    struct rn_plane *dst, int bytes)
{
    enum rn_border border = (enum rn_border)m->border;
    for (int y = 0; y < src->h; y++) {
        for (int x = 0; x < src->w; x++) {
            int best = rn_plane_get(src, bytes, x, y); /* the centre is part of every element */
            for (int dy = -m->radius; dy <= m->radius; dy++) {
                int sy = rn_border_index(border, y + dy, src->h);
                for (int dx = -m->radius; dx <= m->radius; dx++) {
                    if (!rn_element_has((enum rn_shape)m->shape, m->radius, dx, dy))
                        continue;
                    int sx = rn_border_index(border, x + dx, src->w);
                    bool outside = sx < 0 || sy < 0;
                    if (outside && border == RN_IGNORE)
                        continue;
                    int v = outside ? 0 : rn_plane_get(src, bytes, sx, sy);
                    if (op == ERODE ? v < best : v > best)
                        best = v;
                }
            }
            rn_plane_put(dst, bytes, x, y, best);
        }
    }
}

/* The part of a plane that begins e samples inside. */
static struct rn_plane inner(const struct rn_plane *plane, int e, int bytes, int w, int h)
{
    return (struct rn_plane){plane->data + e * plane->stride + e * bytes, plane->stride, w, h};
}

static int ref(struct rn_stage *stage, const struct rn_call *call, const struct rn_image *src,
               struct rn_image *dst, int p)
{
    (void)call;
    const struct morphology *m = stage->params;
    struct halves halves = halves_of(stage);
    int bytes = rn_format_bytes(&src->geom.fmt), e = extension(stage);
    const struct rn_plane *s = &src->plane[p];
    /* Two gray images of the extended size, between which the operations go to and fro. */
    struct rn_geom geom = {.fmt = {.model = RN_GRAY, .depth = src->geom.fmt.depth},
                           .w = s->w + 2 * e,
                           .h = s->h + 2 * e};
    struct rn_image a = {0}, b = {0};
    int err = rn_image_alloc(&a, &geom);
    err = err ? err : rn_image_alloc(&b, &geom);
    if (!err) {
        struct rn_plane middle = inner(&a.plane[0], e, bytes, s->w, s->h);
        rn_plane_copy(s, &middle, bytes);
        for (int i = 0; i < 2 * m->iterations; i++) {
            enum op op = i < m->iterations ? halves.first : halves.second;
            if (op == NONE)
                break;
            operate(m, op, &a.plane[0], &b.plane[0], bytes);
            struct rn_image swap = a;
            a = b;
            b = swap;
        }
        middle = inner(&a.plane[0], e, bytes, s->w, s->h);
        rn_plane_copy(&middle, &dst->plane[p], bytes);
    }
    rn_image_free(&a);
    rn_image_free(&b);
    return err;
}

/* ---- device */

static int reserve(struct rn_device *dev, cl_mem *mem, size_t *have, size_t need, int count)
{
    if (need <= *have)
        return 0;
    if (need > INT_MAX) /* kernels count samples in 32 bits */
        return rn_fail(RN_EDEVICE,
                       "the pictures are too large for this structuring element on a device");
    *have = 0;
    for (int i = 0; i < count; i++) {
        rn_buffer_release(dev, &mem[i]);
        int err = rn_buffer_create(dev, CL_MEM_READ_WRITE, need, &mem[i]);
        /* Slack samples are read, though never used: they need a value. */
        err = err ? err : rn_buffer_clear(dev, mem[i], need);
        if (err)
            return err;
    }
    *have = need;
    return 0;
}

static int make_taps(struct priv *priv, struct rn_device *dev, const struct morphology *m)
{
    cl_int4 taps[RN_MAX_TAPS] = {{{0}}};
    rn_element_passes(&priv->passes, (enum rn_shape)m->shape, m->radius);
    for (int i = 0; i < priv->passes.ntaps; i++) {
        const struct rn_tap *t = &priv->passes.tap[i];
        taps[i] = (cl_int4){.s = {t->dx, t->dy, t->plane, 0}};
    }
    if (priv->taps)
        return rn_buffer_update(dev, priv->taps, taps, sizeof taps);
    return rn_buffer_from(dev, taps, sizeof taps, &priv->taps);
}

static int prepare(struct rn_stage *stage, struct rn_device *dev)
{
    const struct morphology *m = stage->params;
    struct priv *priv = stage->priv;
    int bytes = rn_format_bytes(&stage->in.fmt), e = extension(stage), err = 0;
    if (!priv->taps || priv->made_shape != m->shape || priv->made_radius != m->radius) {
        err = make_taps(priv, dev, m);
        priv->made_shape = m->shape;
        priv->made_radius = m->radius;
    }
    struct rn_layout layout =
        rn_layout(&dev->form, stage->in.w + 2 * e, stage->in.h + 2 * e, bytes, stage->margin);
    struct halves halves = halves_of(stage);
    bool several = m->iterations > 1 || halves.second != NONE;
    err = err ? err : reserve(dev, priv->image, &priv->image_bytes, several ? layout.bytes : 1, 2);
    int planes = priv->passes.nplanes ? priv->passes.nplanes : 1;
    err = err ? err
              : reserve(dev, &priv->scratch, &priv->scratch_bytes,
                        priv->passes.nplanes ? layout.bytes * (size_t)planes : 1, 1);
    err = err ? err : rn_kernel_get(dev, "morphology.cl", "erode", bytes, &priv->erode);
    return err ? err : rn_kernel_get(dev, "morphology.cl", "dilate", bytes, &priv->dilate);
}

/* One operation from src to dst, on the device. inset: dst is smaller than src by so many samples
 * on each side; only that part is computed. */
static int operate_device(struct rn_stage *stage, struct rn_cmd *cmd, enum op op,
                          const struct rn_dplane *src, const struct rn_dplane *dst, int inset)
{
    const struct morphology *m = stage->params;
    struct priv *priv = stage->priv;
    int bytes = rn_format_bytes(&stage->in.fmt), max = rn_format_max(&stage->in.fmt);
    struct rn_kernel *kernel = op == ERODE ? priv->erode : priv->dilate;
    struct rn_layout layout = rn_layout(&cmd->dev->form, src->w, src->h, bytes, stage->margin);
    struct rn_dplane scratch = {priv->scratch, layout.origin, layout.stride, src->w, src->h};
    int size = (int)(layout.bytes / (size_t)bytes);
    int err = rn_fill_border(cmd, src, bytes, m->radius, m->radius, (enum rn_border)m->border,
                             op == ERODE ? max : 0);
    for (int i = 0; i < priv->passes.npasses && !err; i++) {
        const struct rn_pass *pass = &priv->passes.pass[i];
        struct rn_area area = {-pass->left, -pass->up, src->w + pass->right, src->h + pass->down};
        struct rn_dplane to = scratch;
        if (pass->to < 0) {
            to = *dst;
            to.origin -= inset * to.stride + inset;
            area = (struct rn_area){inset, inset, src->w - inset, src->h - inset};
        } else {
            to.origin += pass->to * size;
        }
        int from_source = 0;
        while (from_source < pass->count && priv->passes.tap[pass->first + from_source].plane < 0)
            from_source++;
        struct rn_arg first = RN_ARG_INT4(pass->first, from_source, pass->count - from_source, 0);
        err = RN_LAUNCH(cmd, kernel, area, RN_ARG_PLANE(src), RN_ARG_PLANE(&scratch),
                        RN_ARG_INT(size), RN_ARG_PLANE(&to), RN_ARG_MEM(priv->taps), first);
    }
    return err;
}

static int enqueue(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dimage *src,
                   struct rn_dimage *dst, int p)
{
    const struct morphology *m = stage->params;
    struct priv *priv = stage->priv;
    struct halves halves = halves_of(stage);
    int bytes = rn_format_bytes(&stage->in.fmt), e = extension(stage), err = 0;
    struct rn_dplane from = src->plane[p], last = dst->plane[p], image[2];
    int w = from.w + 2 * e, h = from.h + 2 * e;
    struct rn_layout layout = rn_layout(&cmd->dev->form, w, h, bytes, stage->margin);
    for (int i = 0; i < 2; i++)
        image[i] = (struct rn_dplane){priv->image[i], layout.origin, layout.stride, w, h};
    if (e) {
        err = rn_embed(cmd, &from, &image[1], bytes, e);
        from = image[1];
    }
    int count = m->iterations * (halves.second == NONE ? 1 : 2);
    for (int i = 0; i < count && !err; i++) {
        bool final = i == count - 1;
        enum op op = i < m->iterations ? halves.first : halves.second;
        err = operate_device(stage, cmd, op, &from, final ? &last : &image[i % 2], final ? e : 0);
        from = image[i % 2];
    }
    return err;
}

static void release(struct rn_stage *stage, struct rn_device *dev)
{
    struct priv *priv = stage->priv;
    rn_buffer_release(dev, &priv->taps);
    rn_buffer_release(dev, &priv->image[0]);
    rn_buffer_release(dev, &priv->image[1]);
    rn_buffer_release(dev, &priv->scratch);
    priv->image_bytes = priv->scratch_bytes = 0;
}

#define MORPHOLOGY(name_, help_)                                                                   \
    const struct rn_stage_desc rn_##name_ = {                                                      \
        .name = #name_,                                                                            \
        .help = help_,                                                                             \
        .params = params,                                                                          \
        .params_size = sizeof(struct morphology),                                                  \
        .priv_size = sizeof(struct priv),                                                          \
        .check = check,                                                                            \
        .ref = ref,                                                                                \
        .prepare = prepare,                                                                        \
        .enqueue = enqueue,                                                                        \
        .release = release,                                                                        \
    }

MORPHOLOGY(erosion, "minimum over a structuring element");
MORPHOLOGY(dilation, "maximum over a structuring element");
MORPHOLOGY(opening, "erosion, then dilation: removes bright specks");
MORPHOLOGY(closing, "dilation, then erosion: closes dark holes");

static struct halves halves_of(const struct rn_stage *stage)
{
    const struct rn_stage_desc *desc = stage->desc;
    return desc == &rn_erosion    ? (struct halves){ERODE, NONE}
           : desc == &rn_dilation ? (struct halves){DILATE, NONE}
           : desc == &rn_opening  ? (struct halves){ERODE, DILATE}
                                  : (struct halves){DILATE, ERODE};
}
