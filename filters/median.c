/* SPDX-License-Identifier: MIT */
/* Median and other percentiles of a square window or, with `slices`, of a box that reaches across
 * frames.
 *
 * Definition, the same on every device: of the n samples of the window, sorted, the one of index
 *   min(floor(n * percentile / 100), n - 1)
 * in double precision, as in scipy.ndimage.percentile_filter; at 50 that is the median. Floats are
 * sorted in the order of filters/base/floats.h. The border rule replaces pixels outside the image,
 * and frames outside the stream; each replacement counts as a sample of its own.
 *
 * On a device, windows in one frame of radius 1 and 2 are computed by networks of comparators;
 * wider ones by larger networks (parts/rank/rank.h): on CPUs as programs, on GPUs, for
 * medians up to radius 8, as kernels of their own, else from sorted columns
 * (kernels/rank_columns.clh). Boxes are computed on CPUs tile by tile, at a cost that hardly grows
 * with the radius, and on GPUs bit by bit (kernels/median.cl). */
#include "filters/base/owned.h"
#include "filters/core/chain/length.h"
#include "filters/parts/rank/rank.h"
#include "filters/parts/ring.h"
#include "filters/parts/texts.h"

#define MAX_RADIUS 15
#define MAX_STACK  (2 * RN_SLICES_MAX + 1) /* the most planes in a window */

struct median {
    struct rn_length radius;
    float percentile;
    struct rn_length slices;
    enum rn_border border;
    int planes;
};

static const struct rn_param params[] = {
    RN_P_LENGTH(struct median, radius, 1, MAX_RADIUS, 1, 1, "px", "reach of the square window"),
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
    struct rn_scratch stack[RN_MAX_PLANES]; /* the same, planes one after the other */
    struct rn_scratch scratch;
    struct rn_rank_program program[RN_MAX_PLANES];
    struct rn_rank_compiled compiled[RN_RANK_COMPILED_MAX + 1]; /* by radius */
};

/* The planes of a window: places in the ring, or 0 for the source itself; -1 = a plane of zeros. */
struct window {
    int count;
    int place[MAX_STACK + 1];
};

/* The settings for an input, in samples and frames. */
struct reach {
    int radius, slices;
    double percentile;
    enum rn_border border;
};

static struct reach reach_of(const struct median *m, const struct rn_geom *geom)
{
    return (struct reach){rn_length_reach(&m->radius, geom, 0),
                          rn_length_reach(&m->slices, geom, 2), (double)m->percentile, m->border};
}

static int planes_of(const struct reach *m)
{
    return 2 * m->slices + 1;
}

/* The window of the frame that a call gives. */
static struct window window_at(const struct priv *priv, const struct reach *m, int p, int64_t tick)
{
    struct window window = {.count = planes_of(m)};
    for (int i = 0; i < window.count && m->slices; i++)
        window.place[i] = rn_ring_find(&priv->ring[p], tick - 2 * m->slices + i, m->border);
    return window;
}

static void reset(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    for (int p = 0; p < RN_MAX_PLANES; p++)
        rn_ring_reset(&priv->ring[p], priv->ring[p].size);
}

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    const struct median *m = stage->params;
    const struct reach reach = reach_of(m, in);
    int down = rn_length_reach(&m->radius, in, 1);
    traits->margin = MAX_RADIUS; /* the radius changes while running */
    traits->delay = reach.slices;
    traits->shift_invariant = !reach.slices;
    if (!reach.radius || reach.radius != down)
        return rn_fail(RN_EUSAGE,
                       "median: the window is a square of 1..%d px: radius=%.6gmm is %d along rows "
                       "and %d along columns",
                       MAX_RADIUS, (double)m->radius.mm, reach.radius, down);
    return rn_stage_check_slices(stage, reach.slices, m->border);
}

/* Index of the wanted sample among n sorted ones. */
static int rank_of(const struct reach *m, int n)
{
    /* Uses the decimal number that the user wrote, not the nearest float: 33.6 of 625 is 210. */
    double percentile = rint(m->percentile * 1e4) / 1e4;
    int rank = (int)((double)n * percentile / 100.0);
    return rank < n ? rank : n - 1;
}

/* ---- reference */

/* Samples as unsigned integers that compare alike. */
static uint32_t key_of(int32_t order, const struct rn_format *fmt)
{
    return fmt->number == RN_NUMBER_FLOAT ? (uint32_t)order ^ 0x80000000
                                          : (uint32_t)(order - rn_format_min(fmt));
}

static int32_t order_of(uint32_t key, const struct rn_format *fmt)
{
    return fmt->number == RN_NUMBER_FLOAT ? (int32_t)(key ^ 0x80000000)
                                          : (int32_t)key + rn_format_min(fmt);
}

/* The largest value below which there are at most rank samples, found bit by bit. */
static uint32_t select_rank(const uint32_t *v, int n, int rank, int depth)
{
    uint32_t value = 0;
    for (uint32_t bit = 1u << (depth - 1); bit; bit >>= 1) {
        int below = 0;
        for (int i = 0; i < n; i++)
            below += v[i] < (value | bit);
        if (below <= rank)
            value |= bit;
    }
    return value;
}

/* Collects the samples of the window around (x, y). plane: n planes, NULL = zeros. */
static void collect_window(const struct rn_plane *const plane[], int n, const struct rn_format *fmt,
                           int x, int y, int radius, enum rn_border border, uint32_t *v)
{
    enum rn_sample sample = rn_format_sample(fmt);
    int k = 0, sx[2 * MAX_RADIUS + 1];
    for (int i = 0; i < n; i++) {
        for (int dx = -radius; dx <= radius && plane[i]; dx++)
            sx[dx + radius] = rn_border_index(border, x + dx, plane[i]->w);
        for (int dy = -radius; dy <= radius; dy++) {
            int sy = plane[i] ? rn_border_index(border, y + dy, plane[i]->h) : -1;
            for (int dx = 0; dx <= 2 * radius; dx++)
                v[k++] = key_of(
                    sy < 0 || sx[dx] < 0 ? 0 : rn_order_get(plane[i], sample, sx[dx], sy), fmt);
        }
    }
}

static int filter(const struct rn_snapshot *now, const struct rn_plane *const plane[], int n,
                  struct rn_plane *dst)
{
    const struct reach reach = reach_of(now->params, &now->in), *m = &reach;
    const struct rn_format *fmt = &now->in.fmt;
    enum rn_sample sample = rn_format_sample(fmt);
    int side = 2 * m->radius + 1, count = side * side * n, rank = rank_of(m, count);
    RN_OWNED(rn_free_owned) uint32_t *v = malloc((size_t)count * sizeof *v);
    if (!v)
        return rn_fail_memory();
    RN_EACH_SAMPLE (dst, x, y) {
        collect_window(plane, n, fmt, x, y, m->radius, m->border, v);
        uint32_t key = select_rank(v, count, rank, fmt->depth);
        rn_order_put(dst, sample, x, y, order_of(key, fmt));
    }
    return 0;
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    const struct reach reach = reach_of(now->params, &now->in), *m = &reach;
    struct priv *priv = bound->priv;
    const struct rn_plane *plane[MAX_STACK];
    if (!m->slices) {
        plane[0] = &src->plane[p];
        return filter(now, plane, 1, &dst->plane[p]);
    }
    int err = 0;
    if (src)
        err = rn_image_keep_plane(&priv->kept[p][rn_ring_push(&priv->ring[p], call->tick)], src, p);
    if (err || !dst)
        return err;
    struct window window = window_at(priv, m, p, call->tick);
    for (int i = 0; i < window.count; i++)
        plane[i] = window.place[i] < 0 ? NULL : &priv->kept[p][window.place[i]].plane[0];
    return filter(now, plane, window.count, &dst->plane[p]);
}

/* ---- device */

enum {
    ITEMS_PER_UNIT = 4, /* work-items that share out the tiles, so that none waits long */
    /* rank_columns: */
    COLUMN_ITEMS = 128, /* columns of a group, so that few are sorted twice */
    COLUMN_GROUPS = 8,  /* groups that a unit should have, if they are not too low */
    MIN_ROWS = 16,      /* of a group: the first takes as long as sorting all its columns */
    MAX_ROWS = 32,
};

enum kernel { MEDIAN3, MEDIAN5, RANK3, RANK5, RANK_TILES, RANK_BITS, RANK_PROGRAM, RANK_COLUMNS };

static bool in_tiles(const struct rn_device *dev)
{
    return rn_form_alone(&dev->form);
}

static int tile_items(const struct rn_device *dev)
{
    return dev->info.compute_units * ITEMS_PER_UNIT;
}

/* The scratch memory of one work-item, for windows of this many planes. */
static int tile_bytes(int planes, const struct rn_format *fmt)
{
    int n = RN_TILE_SIDE * RN_TILE_SIDE * planes;
    int value = rn_format_bytes(fmt) > 2 ? (int)sizeof(cl_uint) : (int)sizeof(cl_ushort);
    int bytes = n * (value + 2 * (int)sizeof(cl_ushort)) + n * 3; /* places; three kinds of bytes */
    return bytes + (RN_TILE_SIDE + 1) * RN_TILE_BUCKETS * (int)sizeof(cl_short);
}

/* The work-items of a group of rank_columns; 0: the device does not take it. */
static int column_items(const struct rn_device *dev)
{
    int n = COLUMN_ITEMS < dev->info.max_work_group ? COLUMN_ITEMS : dev->info.max_work_group;
    bool fits = (size_t)dev->info.local_memory >= (size_t)n * (2 * MAX_RADIUS + 3) * sizeof(cl_int);
    return fits && n > 2 * MAX_RADIUS ? n : 0;
}

static enum kernel kernel_of(const struct rn_device *dev, const struct reach *m,
                             const struct rn_geom *in)
{
    int side = 2 * m->radius + 1, n = side * side;
    if (!m->slices && m->radius <= 2)
        return (rank_of(m, n) == n / 2 ? MEDIAN3 : RANK3) + (m->radius == 2);
    if (!m->slices && rn_rank_program_fits(dev, rn_format_sample(&in->fmt)))
        return RANK_PROGRAM;
    if (in_tiles(dev))
        return RANK_TILES;
    return !m->slices && column_items(dev) ? RANK_COLUMNS : RANK_BITS;
}

/* A network that is a kernel is built for one radius and rank, so only for medians: turning the
 * percentile must build nothing. The device may refuse it; then `kernel` does. */
static bool by_compiled(const struct rn_device *dev, const struct reach *m, enum kernel kernel)
{
    int side = 2 * m->radius + 1;
    return kernel > RANK5 && !m->slices && !in_tiles(dev) && m->radius <= RN_RANK_COMPILED_MAX &&
           rank_of(m, side * side) == side * side / 2;
}

static unsigned needs(const struct rn_bound *bound, const struct rn_snapshot *now)
{
    const struct reach reach = reach_of(now->params, &now->in);
    return 1U << kernel_of(bound->dev, &reach, &now->in);
}

/* Prepares each plane's stack of frames, or without slices its program. */
static int prepare_planes(struct rn_bound *bound, const struct rn_snapshot *now,
                          const struct reach *m)
{
    struct priv *priv = bound->priv;
    int side = 2 * m->radius + 1, bytes = rn_format_bytes(&now->in.fmt), err = 0;
    for (int p = 0; p < rn_format_planes(&now->in.fmt) && !err; p++) {
        int w, h;
        rn_geom_plane_size(&now->in, p, &w, &h);
        if (!(now->traits.planes >> p & 1))
            continue;
        if (m->slices)
            err = rn_scratch_reserve(bound->dev, rn_held(bound, &priv->stack[p]),
                                     rn_layout(&bound->dev->form, w, h, bytes, MAX_RADIUS).bytes *
                                         (size_t)planes_of(m));
        else
            err = rn_rank_program_prepare(&priv->program[p], bound, side, rank_of(m, side * side),
                                          w, rn_format_sample(&now->in.fmt));
    }
    return err;
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    const struct reach reach = reach_of(now->params, &now->in), *m = &reach;
    struct priv *priv = bound->priv;
    for (int p = 0; p < RN_MAX_PLANES; p++)
        rn_ring_reset(&priv->ring[p], planes_of(m));
    if (!bound->dev)
        return 0;
    enum kernel kernel = kernel_of(bound->dev, m, &now->in);
    int err = m->slices || kernel == RANK_PROGRAM ? prepare_planes(bound, now, m) : 0;
    if (err)
        return err;
    if (by_compiled(bound->dev, m, kernel))
        return rn_rank_compiled_prepare(&priv->compiled[m->radius], bound->dev, 2 * m->radius + 1,
                                        rn_format_sample(&now->in.fmt));
    return kernel != RANK_TILES
               ? 0
               : rn_scratch_reserve(bound->dev, rn_held(bound, &priv->scratch),
                                    (size_t)tile_items(bound->dev) *
                                        (size_t)tile_bytes(planes_of(m), &now->in.fmt));
}

static int enqueue_window(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                          const struct rn_dplane *s, const struct window *window,
                          const struct rn_dplane *d)
{
    const struct reach reach = reach_of(now->params, &now->in), *m = &reach;
    const struct priv *priv = bound->priv;
    int side = 2 * m->radius + 1, rank = rank_of(m, side * side * window->count);
    int depth = now->in.fmt.depth;
    /* log2 of the ranks in a bucket of a tile: the fewest for which bytes can number the buckets */
    int bucket_shift = 6;
    while (RN_TILE_SIDE * RN_TILE_SIDE * window->count > RN_TILE_BUCKETS << bucket_shift)
        bucket_shift++;
    struct rn_range rows = {d->w, (d->h + RN_BITS_OUTPUTS - 1) / RN_BITS_OUTPUTS, 1};
    struct rn_range tiles = {1, tile_items(cmd->dev), 1}, one = {1, 1, 1};
    cl_short16 place = {{0}};
    for (int i = 0; i < window->count; i++)
        place.s[i] = (cl_short)window->place[i];
    if (!in_tiles(cmd->dev))
        return RN_LAUNCH_ITEMS(cmd, bound->kernel[RANK_BITS], rows, RN_OWN_GROUP, RN_ARG_PLANE(s),
                               RN_ARG_INT(s->pitch), RN_ARG_INT(window->count),
                               RN_ARG_SHORT16(place), RN_ARG_PLANE(d), RN_ARG_INT(m->radius),
                               RN_ARG_INT(rank), RN_ARG_INT(depth));
    return RN_LAUNCH_ITEMS(
        cmd, bound->kernel[RANK_TILES], tiles, one, RN_ARG_PLANE(s), RN_ARG_INT(s->pitch),
        RN_ARG_INT(window->count), RN_ARG_SHORT16(place), RN_ARG_PLANE(d), RN_ARG_INT(m->radius),
        RN_ARG_INT(rank), RN_ARG_INT(depth == 8 ? 8 : depth / 2), RN_ARG_INT(bucket_shift),
        RN_ARG_MEM(priv->scratch.mem), RN_ARG_INT(tile_bytes(window->count, &now->in.fmt)));
}

static int enqueue_columns(struct rn_bound *bound, struct rn_cmd *cmd, const struct reach *m,
                           const struct rn_dplane *s, const struct rn_dplane *d)
{
    int side = 2 * m->radius + 1, items = column_items(cmd->dev), useful = items - 2 * m->radius;
    int middle = side <= 7 ? 4 : side <= 15 ? 8 : 16;
    int across = (d->w + useful - 1) / useful;
    int rows = d->h * across / (cmd->dev->info.compute_units * COLUMN_GROUPS);
    rows = rows < MIN_ROWS ? MIN_ROWS : rows > MAX_ROWS ? MAX_ROWS : rows;
    struct rn_range all = {across * items, (d->h + rows - 1) / rows, 1}, group = {items, 1, 1};
    return RN_LAUNCH_ITEMS(cmd, bound->kernel[RANK_COLUMNS], all, group, RN_ARG_PLANE(s),
                           RN_ARG_PLANE(d), RN_ARG_INT2((cl_int)m->border, 0),
                           RN_ARG_INT(m->radius), RN_ARG_INT(rank_of(m, side * side)),
                           RN_ARG_INT(middle), RN_ARG_INT(rows),
                           RN_ARG_LOCAL((size_t)items * (size_t)(2 * middle + 1) * sizeof(cl_int)));
}

static int enqueue_slices(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                          const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    struct priv *priv = bound->priv;
    int w, h;
    rn_geom_plane_size(&now->in, p, &w, &h);
    struct rn_dplane kept = rn_dplane_in(&cmd->dev->form, priv->stack[p].mem, w, h,
                                         rn_format_bytes(&now->in.fmt), MAX_RADIUS);
    const struct reach reach = reach_of(now->params, &now->in);
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    int err = 0;
    if (src) {
        struct rn_dplane to = rn_dplane_at(kept, rn_ring_push(&priv->ring[p], cmd->tick));
        err = rn_embed(cmd, &src->plane[p], &to, sample, 0);
        err = err ? err : rn_fill_border(cmd, &to, sample, MAX_RADIUS, MAX_RADIUS, reach.border, 0);
    }
    if (err || !dst)
        return err;
    struct window window = window_at(priv, &reach, p, cmd->tick);
    return enqueue_window(bound, now, cmd, &kept, &window, &dst->plane[p]);
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct reach reach = reach_of(now->params, &now->in), *m = &reach;
    struct priv *priv = bound->priv;
    if (m->slices)
        return enqueue_slices(bound, now, cmd, src, dst, p);
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    int side = 2 * m->radius + 1, n = side * side, rank = rank_of(m, n);
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    enum kernel kernel = kernel_of(bound->dev, m, &now->in);
    bool compiled = by_compiled(bound->dev, m, kernel) && priv->compiled[m->radius].kernel.cl;
    bool by_index = kernel <= RANK5 || (kernel == RANK_COLUMNS && !compiled);
    int err = (by_index ? rn_window_border : rn_fill_border)(cmd, s, sample, m->radius, m->radius,
                                                             m->border, 0);
    if (err)
        return err;
    if (compiled)
        return rn_rank_compiled_enqueue(&priv->compiled[m->radius], cmd, s, d);
    if (kernel == RANK_PROGRAM)
        return rn_rank_program_enqueue(&priv->program[p], cmd, bound->kernel[kernel], s, d);
    if (kernel == RANK_COLUMNS)
        return enqueue_columns(bound, cmd, m, s, d);
    if (kernel == RANK_TILES || kernel == RANK_BITS)
        return enqueue_window(bound, now, cmd, s, &(struct window){.count = 1}, d);
    return RN_LAUNCH(cmd, bound->kernel[kernel], rn_area_of(s), RN_ARG_PLANE(s), RN_ARG_PLANE(d),
                     RN_ARG_INT2((cl_int)m->border, 0), RN_ARG_INT(rank));
}

static void release(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    for (int i = 0; i < RN_MAX_PLANES * MAX_STACK; i++)
        rn_image_free(&priv->kept[i / MAX_STACK][i % MAX_STACK]);
    for (int i = 0; i <= RN_RANK_COMPILED_MAX; i++)
        rn_kernel_release(bound->dev, &priv->compiled[i].kernel);
}

RN_FILTER(median) = {
    .name = RN_NAMED(median),
    RN_SETTINGS(struct median, params),
    RN_FUNCTIONS(struct priv),
    .source = "median.cl",
    .kernels = {"median3", "median5", "rank3", "rank5", "rank_tiles", "rank_bits", "rank_program",
                "rank_columns"},
    .needs = needs,
    .reset = reset,
};
