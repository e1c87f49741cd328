/* Median and other percentiles of a square window, with `slices` of a box that reaches across
 * frames.
 *
 * Definition, the same on every device: of the n samples of the window, sorted, the one of index
 *   min(floor(n * percentile / 100), n - 1)
 * in double precision, as scipy.ndimage.percentile_filter takes it; at 50 that is the median.
 * Pixels outside the image, and frames outside the stream, are replaced by the border rule, each
 * of them a sample of its own.
 *
 * On devices: radius 1 and 2 by sorting networks; wider windows on CPUs tile by tile, at a cost
 * that hardly grows with the radius; on GPUs bit by bit (kernels/median.cl). */
#include <math.h>
#include <stdlib.h>

#include "filters/core/opencl.h"
#include "filters/core/ring.h"
#include "filters/core/stage.h"

#define MAX_RADIUS 15
#define MAX_STACK  (2 * RN_SLICES_MAX + 1) /* planes that a window may consist of */

struct median {
    int radius;
    float percentile;
    int slices, border, planes;
};

static const struct rn_param params[] = {
    RN_P_INT(struct median, radius, 1, MAX_RADIUS, 1, 1, "px", "reach of the square window"),
    RN_P_FLOAT(struct median, percentile, 0, 100, 5, 50, "%",
               "0 = the smallest sample of the window, 50 = the median, 100 = the largest"),
    RN_P_SLICES(struct median),
    RN_P_BORDER(struct median),
    RN_P_PLANES(struct median),
    RN_P_END,
};

struct priv {
    struct rn_ring ring[RN_MAX_PLANES]; /* of the frames that are kept, where slices > 0 */
    struct rn_image kept[RN_MAX_PLANES][MAX_STACK]; /* reference path: as gray images */
    /* device */
    cl_mem stack[RN_MAX_PLANES]; /* the same: planes one behind the other */
    size_t stack_bytes[RN_MAX_PLANES];
    cl_mem scratch;
    size_t scratch_bytes;
    struct rn_kernel *kernel;
};

/* The planes of a window: places in the ring, or 0 for the source itself; -1 = a plane of zeros. */
struct window {
    int count;
    int place[MAX_STACK + 1];
};

static int planes_of(const struct median *m)
{
    return 2 * m->slices + 1;
}

/* The window of the frame that a call gives. */
static struct window window_at(const struct rn_stage *stage, int p, int64_t tick)
{
    const struct median *m = stage->params;
    const struct priv *priv = stage->priv;
    struct window window = {.count = planes_of(m)};
    for (int i = 0; i < window.count && m->slices; i++)
        window.place[i] =
            rn_ring_find(&priv->ring[p], tick - 2 * m->slices + i, (enum rn_border)m->border);
    return window;
}

static void reset(struct rn_stage *stage)
{
    const struct median *m = stage->params;
    struct priv *priv = stage->priv;
    for (int p = 0; p < RN_MAX_PLANES; p++)
        rn_ring_reset(&priv->ring[p], planes_of(m));
}

static int check(struct rn_stage *stage, const struct rn_geom *in, struct rn_geom *out)
{
    (void)in, (void)out;
    const struct median *m = stage->params;
    const struct priv *priv = stage->priv;
    int err = rn_stage_check_slices(stage, m->slices, (enum rn_border)m->border);
    if (err)
        return err;
    if (priv->ring[0].size != planes_of(m))
        reset(stage);
    stage->margin = MAX_RADIUS; /* the radius changes while running */
    stage->delay = m->slices;
    return 0;
}

/* Index of the wanted sample among n sorted ones. */
static int rank_of(const struct median *m, int n)
{
    /* The decimal number that the user wrote, not the nearest float: 33.6 of 625 is 210. */
    double percentile = rint((double)m->percentile * 1e4) / 1e4;
    int rank = (int)((double)n * percentile / 100.0);
    return rank < n ? rank : n - 1;
}

/* ---- reference */

/* The largest value that no more than rank samples are below of, found bit by bit. */
static int select_rank(const uint16_t *v, int n, int rank, int depth)
{
    int value = 0;
    for (int bit = 1 << (depth - 1); bit; bit >>= 1) {
        int below = 0;
        for (int i = 0; i < n; i++)
            below += v[i] < (value | bit);
        if (below <= rank)
            value |= bit;
    }
    return value;
}

/* Collects the samples of the window around (x, y). plane: n planes, NULL = zeros. Returns their
 * number. */
static int collect_window(const struct rn_plane *const plane[], int n, int bytes, int x, int y,
                          int radius, enum rn_border border, uint16_t *v)
{
    int k = 0, sx[2 * MAX_RADIUS + 1];
    for (int i = 0; i < n; i++) {
        for (int dx = -radius; dx <= radius && plane[i]; dx++)
            sx[dx + radius] = rn_border_index(border, x + dx, plane[i]->w);
        for (int dy = -radius; dy <= radius; dy++) {
            int sy = plane[i] ? rn_border_index(border, y + dy, plane[i]->h) : -1;
            for (int dx = 0; dx <= 2 * radius; dx++)
                v[k++] =
                    sy < 0 || sx[dx] < 0 ? 0 : (uint16_t)rn_plane_get(plane[i], bytes, sx[dx], sy);
        }
    }
    return k;
}

/* Keeps plane p of a frame. */
static int keep(struct rn_stage *stage, const struct rn_image *src, int p, int64_t tick)
{
    struct priv *priv = stage->priv;
    const struct rn_plane *s = &src->plane[p];
    struct rn_image *kept = &priv->kept[p][rn_ring_push(&priv->ring[p], tick)];
    struct rn_geom geom = {
        .fmt = {.model = RN_GRAY, .depth = src->geom.fmt.depth}, .w = s->w, .h = s->h};
    if (!rn_geom_equal(&kept->geom, &geom)) {
        rn_image_free(kept);
        int err = rn_image_alloc(kept, &geom);
        if (err)
            return err;
    }
    rn_plane_copy(s, &kept->plane[0], rn_format_bytes(&geom.fmt));
    return 0;
}

static int filter(const struct rn_stage *stage, const struct rn_plane *const plane[], int n,
                  struct rn_plane *dst)
{
    const struct median *m = stage->params;
    int bytes = rn_format_bytes(&stage->in.fmt), depth = stage->in.fmt.depth;
    int side = 2 * m->radius + 1, count = side * side * n, rank = rank_of(m, count);
    uint16_t *v = malloc((size_t)count * sizeof *v);
    if (!v)
        return rn_fail_memory();
    for (int y = 0; y < dst->h; y++) {
        for (int x = 0; x < dst->w; x++) {
            collect_window(plane, n, bytes, x, y, m->radius, (enum rn_border)m->border, v);
            rn_plane_put(dst, bytes, x, y, select_rank(v, count, rank, depth));
        }
    }
    free(v);
    return 0;
}

static int ref(struct rn_stage *stage, const struct rn_call *call, const struct rn_image *src,
               struct rn_image *dst, int p)
{
    const struct median *m = stage->params;
    struct priv *priv = stage->priv;
    const struct rn_plane *plane[MAX_STACK];
    if (!m->slices) {
        plane[0] = &src->plane[p];
        return filter(stage, plane, 1, &dst->plane[p]);
    }
    int err = src ? keep(stage, src, p, call->tick) : 0;
    if (err || !dst)
        return err;
    struct window window = window_at(stage, p, call->tick);
    for (int i = 0; i < window.count; i++)
        plane[i] = window.place[i] < 0 ? NULL : &priv->kept[p][window.place[i]].plane[0];
    return filter(stage, plane, window.count, &dst->plane[p]);
}

static void destroy(struct rn_stage *stage)
{
    struct priv *priv = stage->priv;
    for (int p = 0; p < RN_MAX_PLANES; p++)
        for (int i = 0; i < MAX_STACK; i++)
            rn_image_free(&priv->kept[p][i]);
}

/* ---- device */

enum {
    TILE_SIDE = 64, /* as in the kernel */
    TILE_BUCKETS = 256,
    ITEMS_PER_UNIT = 4, /* work-items that share out the tiles, so that none waits long */
    BITS_OUTPUTS = 4,   /* outputs of a work-item of rank_bits */
};

static bool in_tiles(const struct rn_device *dev)
{
    return rn_form_alone(&dev->form);
}

static int tile_items(const struct rn_device *dev)
{
    return dev->info.compute_units * ITEMS_PER_UNIT;
}

/* The scratch memory of one work-item for windows of so many planes. */
static int tile_bytes(int planes)
{
    int n = TILE_SIDE * TILE_SIDE * planes;
    int bytes =
        n * 3 * (int)sizeof(cl_ushort) + n * 3; /* places and values; three kinds of bytes */
    return bytes + (TILE_SIDE + 1) * TILE_BUCKETS * (int)sizeof(cl_short);
}

static int prepare_stacks(struct rn_stage *stage, struct rn_device *dev)
{
    const struct median *m = stage->params;
    struct priv *priv = stage->priv;
    int bytes = rn_format_bytes(&stage->in.fmt), err = 0;
    for (int p = 0; p < rn_format_planes(&stage->in.fmt) && !err; p++) {
        int w, h;
        rn_geom_plane_size(&stage->in, p, &w, &h);
        size_t need = rn_layout(&dev->form, w, h, bytes, MAX_RADIUS).bytes * (size_t)planes_of(m);
        if (stage->planes >> p & 1)
            err = rn_buffer_reserve(dev, &priv->stack[p], &priv->stack_bytes[p], need);
    }
    return err;
}

static bool by_networks(const struct median *m)
{
    return m->radius <= 2 && !m->slices;
}

static int prepare(struct rn_stage *stage, struct rn_device *dev)
{
    const struct median *m = stage->params;
    struct priv *priv = stage->priv;
    int side = 2 * m->radius + 1, n = side * side * planes_of(m), err = 0;
    bool networks = by_networks(m), median = rank_of(m, n) == n / 2;
    const char *name = networks && m->radius == 1 ? (median ? "median3" : "rank3")
                       : networks                 ? (median ? "median5" : "rank5")
                       : in_tiles(dev)            ? "rank_tiles"
                                                  : "rank_bits";
    if (m->slices)
        err = prepare_stacks(stage, dev);
    if (!err && in_tiles(dev) && !networks)
        err = rn_buffer_reserve(dev, &priv->scratch, &priv->scratch_bytes,
                                (size_t)tile_items(dev) * (size_t)tile_bytes(planes_of(m)));
    return err ? err
               : rn_kernel_get(dev, "median.cl", name, rn_format_bytes(&stage->in.fmt),
                               &priv->kernel);
}

/* log2 of the ranks in a bucket of a tile: as few as bytes can number. */
static int bucket_shift(int planes)
{
    int shift = 6;
    while (TILE_SIDE * TILE_SIDE * planes > TILE_BUCKETS << shift)
        shift++;
    return shift;
}

/* Filters windows that consist of several planes of s, size samples from each to the next. */
static int enqueue_window(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dplane *s,
                          int size, const struct window *window, const struct rn_dplane *d)
{
    const struct median *m = stage->params;
    struct priv *priv = stage->priv;
    int side = 2 * m->radius + 1, rank = rank_of(m, side * side * window->count);
    int depth = stage->in.fmt.depth;
    cl_short16 place = {{0}};
    for (int i = 0; i < window->count; i++)
        place.s[i] = (cl_short)window->place[i];
    if (!in_tiles(cmd->dev)) {
        struct rn_arg args[] = {
            RN_ARG_PLANE(s),       RN_ARG_INT(size),  RN_ARG_INT(window->count),
            RN_ARG_SHORT16(place), RN_ARG_PLANE(d),   RN_ARG_INT(m->radius),
            RN_ARG_INT(rank),      RN_ARG_INT(depth),
        };
        int rows = (d->h + BITS_OUTPUTS - 1) / BITS_OUTPUTS;
        return rn_launch_items(cmd, priv->kernel, d->w, rows, 0, 0, args,
                               (int)(sizeof args / sizeof args[0]));
    }
    struct rn_arg args[] = {
        RN_ARG_PLANE(s),
        RN_ARG_INT(size),
        RN_ARG_INT(window->count),
        RN_ARG_SHORT16(place),
        RN_ARG_PLANE(d),
        RN_ARG_INT(m->radius),
        RN_ARG_INT(rank),
        RN_ARG_INT(depth == 8 ? 8 : depth / 2),
        RN_ARG_INT(bucket_shift(window->count)),
        RN_ARG_MEM(priv->scratch),
        RN_ARG_INT(tile_bytes(window->count)),
    };
    return rn_launch_items(cmd, priv->kernel, 1, tile_items(cmd->dev), 1, 1, args,
                           (int)(sizeof args / sizeof args[0]));
}

/* Keeps plane p of a frame. first: of the kept planes; size: samples from each to the next. */
static int keep_device(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dplane *src,
                       const struct rn_dplane *first, int size, int p)
{
    const struct median *m = stage->params;
    struct priv *priv = stage->priv;
    int bytes = rn_format_bytes(&stage->in.fmt);
    struct rn_dplane to = *first;
    to.origin += rn_ring_push(&priv->ring[p], cmd->tick) * size;
    int err = rn_embed(cmd, src, &to, bytes, 0);
    return err ? err
               : rn_fill_border(cmd, &to, bytes, MAX_RADIUS, MAX_RADIUS, (enum rn_border)m->border,
                                0);
}

static int enqueue_slices(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dimage *src,
                          struct rn_dimage *dst, int p)
{
    struct priv *priv = stage->priv;
    int w, h, bytes = rn_format_bytes(&stage->in.fmt);
    rn_geom_plane_size(&stage->in, p, &w, &h);
    struct rn_layout layout = rn_layout(&cmd->dev->form, w, h, bytes, MAX_RADIUS);
    struct rn_dplane first = {priv->stack[p], layout.origin, layout.stride, w, h};
    int size = (int)(layout.bytes / (size_t)bytes);
    int err = src ? keep_device(stage, cmd, &src->plane[p], &first, size, p) : 0;
    if (err || !dst)
        return err;
    struct window window = window_at(stage, p, cmd->tick);
    return enqueue_window(stage, cmd, &first, size, &window, &dst->plane[p]);
}

static int enqueue(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dimage *src,
                   struct rn_dimage *dst, int p)
{
    const struct median *m = stage->params;
    struct priv *priv = stage->priv;
    if (m->slices)
        return enqueue_slices(stage, cmd, src, dst, p);
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    int side = 2 * m->radius + 1;
    int err = rn_fill_border(cmd, s, rn_format_bytes(&stage->in.fmt), m->radius, m->radius,
                             (enum rn_border)m->border, 0);
    if (err)
        return err;
    if (!by_networks(m)) {
        struct window window = {.count = 1};
        return enqueue_window(stage, cmd, s, 0, &window, d);
    }
    return RN_LAUNCH(cmd, priv->kernel, ((struct rn_area){0, 0, s->w, s->h}), RN_ARG_PLANE(s),
                     RN_ARG_PLANE(d), RN_ARG_INT(rank_of(m, side * side)));
}

static void release(struct rn_stage *stage, struct rn_device *dev)
{
    struct priv *priv = stage->priv;
    rn_buffer_release(dev, &priv->scratch);
    priv->scratch_bytes = 0;
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        rn_buffer_release(dev, &priv->stack[p]);
        priv->stack_bytes[p] = 0;
    }
}

const struct rn_stage_desc rn_median = {
    .name = "median",
    .help = "median, or another percentile, of a square window or a box",
    .params = params,
    .params_size = sizeof(struct median),
    .priv_size = sizeof(struct priv),
    .check = check,
    .ref = ref,
    .prepare = prepare,
    .enqueue = enqueue,
    .release = release,
    .destroy = destroy,
    .reset = reset,
};
