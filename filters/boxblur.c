/* Box blur: the mean over a square of (2 * radius + 1)^2 samples.
 *
 * Definition, the same on every device: the exact sum, divided by the number of samples and rounded
 * to the nearest integer. The number is odd, so no mean lies halfway between two integers.
 *
 * On a device running sums make the time independent of the radius, but for the start of each run:
 * one along the columns into sums of 2 * radius + 1 samples, then one along the rows of those. A
 * work-item runs along a segment, and the segments grow with the radius, so that a start never
 * takes longer than the run itself. The largest sum is 65535 * 255^2 < 2^32. */
#include <stdlib.h>

#include "filters/core/opencl.h"
#include "filters/core/stage.h"

#define MAX_RADIUS 127 /* with 128 the sums would not fit 16 bits per column, and 32 in all */

struct boxblur {
    int radius, border, planes;
};

static const struct rn_param params[] = {
    RN_P_INT(struct boxblur, radius, 1, MAX_RADIUS, 1, 1, "px", "reach of the square"),
    RN_P_BORDER(struct boxblur),
    RN_P_PLANES(struct boxblur),
    RN_P_END,
};

struct priv {
    cl_mem sums;
    size_t sums_bytes;
    struct rn_kernel *columns, *rows;
};

static int check(struct rn_stage *stage, const struct rn_geom *in, struct rn_geom *out)
{
    (void)in, (void)out;
    stage->margin = MAX_RADIUS; /* the radius changes while running */
    return 0;
}

/* ---- reference */

/* The sum of 2 * radius + 1 values around `at` in a line of n, step values apart; values without a
 * counterpart in the picture are 0. */
static uint32_t sum_at(const uint32_t *line, ptrdiff_t step, int n, int at, int radius,
                       enum rn_border border)
{
    uint32_t sum = 0;
    for (int i = at - radius; i <= at + radius; i++) {
        int k = rn_border_index(border, i, n);
        sum += k < 0 ? 0 : line[k * step];
    }
    return sum;
}

static int ref(struct rn_stage *stage, const struct rn_call *call, const struct rn_image *src,
               struct rn_image *dst, int p)
{
    (void)call;
    const struct boxblur *b = stage->params;
    const struct rn_plane *s = &src->plane[p];
    int bytes = rn_format_bytes(&src->geom.fmt), w = s->w, h = s->h, side = 2 * b->radius + 1;
    uint64_t count = (uint64_t)side * (uint64_t)side;
    enum rn_border border = (enum rn_border)b->border;
    size_t n = (size_t)w * (size_t)h;
    uint32_t *samples = calloc(n, sizeof *samples), *columns = calloc(n, sizeof *columns);
    for (int i = 0; samples && i < (int)n; i++)
        samples[i] = (uint32_t)rn_plane_get(s, bytes, i % w, i / w);
    for (int i = 0; samples && columns && i < (int)n; i++)
        columns[i] = sum_at(samples + i % w, w, h, i / w, b->radius, border);
    for (int i = 0; samples && columns && i < (int)n; i++) {
        uint64_t sum = sum_at(columns + i / w * w, 1, w, i % w, b->radius, border);
        rn_plane_put(&dst->plane[p], bytes, i % w, i / w, (int)((sum + count / 2) / count));
    }
    int err = samples && columns ? 0 : rn_fail_memory();
    free(samples);
    free(columns);
    return err;
}

/* ---- device */

/* Where the sums of columns lie: from radius + 1 columns left of the picture to radius right of it,
 * no rows above and below. */
static struct rn_dplane sums_plane(const struct rn_stage *stage, const struct rn_device *dev, int w,
                                   int h)
{
    const struct priv *priv = stage->priv;
    int bytes = rn_format_bytes(&stage->in.fmt), margin = MAX_RADIUS + 1;
    struct rn_layout layout = rn_layout(&dev->form, w, h, bytes, margin);
    int left = layout.origin - margin * layout.stride;
    return (struct rn_dplane){priv->sums, left, layout.stride, w, h};
}

static int prepare(struct rn_stage *stage, struct rn_device *dev)
{
    struct priv *priv = stage->priv;
    int bytes = rn_format_bytes(&stage->in.fmt), err = 0;
    struct rn_dplane plane = sums_plane(stage, dev, stage->in.w, stage->in.h);
    size_t need = (size_t)plane.stride * (size_t)plane.h * (size_t)(2 * bytes);
    if (need > priv->sums_bytes) {
        rn_buffer_release(dev, &priv->sums);
        priv->sums_bytes = 0;
        err = rn_buffer_create(dev, CL_MEM_READ_WRITE, need, &priv->sums);
        /* The column left of the first sum and what is right of the last are read, though they do
         * not matter: they need a value. */
        err = err ? err : rn_buffer_clear(dev, priv->sums, need);
        priv->sums_bytes = err ? 0 : need;
    }
    err = err ? err : rn_kernel_get(dev, "boxblur.cl", "columns", bytes, &priv->columns);
    return err ? err : rn_kernel_get(dev, "boxblur.cl", "rows", bytes, &priv->rows);
}

/* Length of a run: a power of two, so that vectors fit, not below the start of it and not below
 * `least`. A GPU wants many work-items. */
static int segment(const struct rn_device *dev, int radius, int least)
{
    int n = dev->form.local_x > 1 ? 32 : least;
    while (n < 2 * radius)
        n *= 2;
    return n;
}

static int enqueue(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dimage *src,
                   struct rn_dimage *dst, int p)
{
    const struct boxblur *b = stage->params;
    const struct priv *priv = stage->priv;
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    int r = b->radius, side = 2 * r + 1;
    int down = segment(cmd->dev, r, 128), along = segment(cmd->dev, r, 4096);
    struct rn_dplane sums = sums_plane(stage, cmd->dev, s->w, s->h);
    int err =
        rn_fill_border(cmd, s, rn_format_bytes(&stage->in.fmt), r, r, (enum rn_border)b->border, 0);
    struct rn_arg columns[] = {RN_ARG_PLANE(s), RN_ARG_PLANE(&sums), RN_ARG_INT(r),
                               RN_ARG_INT(down)};
    int width = priv->columns->width;
    err = err ? err
              : rn_launch_items(cmd, priv->columns, (s->w + 2 * r + width - 1) / width,
                                (s->h + down - 1) / down, 0, 0, columns, 6);
    struct rn_arg rows[] = {RN_ARG_PLANE(&sums),     RN_ARG_PLANE(d),
                            RN_ARG_INT(r),           RN_ARG_INT(along),
                            RN_ARG_INT(side * side), RN_ARG_FLOAT(1 / (float)(side * side))};
    return err ? err
               : rn_launch_items(cmd, priv->rows, (s->w + along - 1) / along, s->h, 0, 0, rows, 8);
}

static void release(struct rn_stage *stage, struct rn_device *dev)
{
    struct priv *priv = stage->priv;
    rn_buffer_release(dev, &priv->sums);
    priv->sums_bytes = 0;
}

const struct rn_stage_desc rn_boxblur = {
    .name = "boxblur",
    .help = "mean over a square, as fast for every radius",
    .params = params,
    .params_size = sizeof(struct boxblur),
    .priv_size = sizeof(struct priv),
    .check = check,
    .ref = ref,
    .prepare = prepare,
    .enqueue = enqueue,
    .release = release,
};
