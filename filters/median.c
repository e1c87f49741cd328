/* Median and other percentiles of a square window.
 *
 * Definition, the same on every device: of the n samples of the window, sorted, the one of index
 *   min(floor(n * percentile / 100), n - 1)
 * in double precision, as scipy.ndimage.percentile_filter takes it; at 50 that is the median.
 *
 * On devices: radius 1 and 2 by sorting networks; wider windows on CPUs tile by tile, at a cost
 * that hardly grows with the radius; on GPUs bit by bit (kernels/median.cl). */
#include <math.h>
#include <stdlib.h>

#include "filters/core/opencl.h"
#include "filters/core/stage.h"

#define MAX_RADIUS 15
#define MAX_PLANES 15 /* that a window may consist of */

struct median {
    int radius;
    float percentile;
    int planes, border;
};

static const struct rn_param params[] = {
    RN_P_INT(struct median, radius, 1, MAX_RADIUS, 1, 1, "px", "reach of the square window"),
    RN_P_FLOAT(struct median, percentile, 0, 100, 5, 50, "%",
               "0 = the smallest sample of the window, 50 = the median, 100 = the largest"),
    RN_P_BORDER(struct median),
    RN_P_PLANES(struct median),
    RN_P_END,
};

struct priv {
    /* device */
    cl_mem scratch;
    size_t scratch_bytes;
    struct rn_kernel *kernel;
};

/* The planes of a window: indices into a stack of planes, -1 = a plane of zeros. */
struct stack {
    int count;
    int index[16];
};

static struct stack stack_of(const struct rn_stage *stage)
{
    (void)stage;
    return (struct stack){.count = 1};
}

static int check(struct rn_stage *stage, const struct rn_geom *in, struct rn_geom *out)
{
    (void)out;
    const struct median *m = stage->params;
    stage->planes = rn_geom_planes(in, m->planes);
    stage->margin = MAX_RADIUS; /* the radius changes while running */
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

static int ref(struct rn_stage *stage, const struct rn_call *call, const struct rn_image *src,
               struct rn_image *dst, int p)
{
    (void)call;
    const struct median *m = stage->params;
    const struct rn_plane *s = &src->plane[p];
    int bytes = rn_format_bytes(&src->geom.fmt), depth = src->geom.fmt.depth;
    int side = 2 * m->radius + 1, count = side * side, rank = rank_of(m, count);
    uint16_t *window = malloc((size_t)count * sizeof *window);
    if (!window)
        return rn_fail_memory();
    for (int y = 0; y < s->h; y++) {
        for (int x = 0; x < s->w; x++) {
            collect_window(&s, 1, bytes, x, y, m->radius, (enum rn_border)m->border, window);
            rn_plane_put(&dst->plane[p], bytes, x, y, select_rank(window, count, rank, depth));
        }
    }
    free(window);
    return 0;
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
    return dev->form.local_x * dev->form.local_y == 1;
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

static int prepare(struct rn_stage *stage, struct rn_device *dev)
{
    const struct median *m = stage->params;
    struct priv *priv = stage->priv;
    struct stack stack = stack_of(stage);
    int bytes = rn_format_bytes(&stage->in.fmt), err = 0;
    int side = 2 * m->radius + 1, n = side * side * stack.count;
    bool small = m->radius <= 2 && stack.count == 1, median = rank_of(m, n) == n / 2;
    const char *name = small && m->radius == 1 ? (median ? "median3" : "rank3")
                       : small                 ? (median ? "median5" : "rank5")
                       : in_tiles(dev)         ? "rank_tiles"
                                               : "rank_bits";
    size_t need = (size_t)tile_items(dev) * (size_t)tile_bytes(stack.count);
    if (in_tiles(dev) && !small && need > priv->scratch_bytes) {
        rn_buffer_release(dev, &priv->scratch);
        err = rn_buffer_create(dev, CL_MEM_READ_WRITE, need, &priv->scratch);
        priv->scratch_bytes = err ? 0 : need;
    }
    return err ? err : rn_kernel_get(dev, "median.cl", name, bytes, &priv->kernel);
}

/* log2 of the ranks in a bucket of a tile: as few as bytes can number. */
static int bucket_shift(int planes)
{
    int shift = 6;
    while (TILE_SIDE * TILE_SIDE * planes > TILE_BUCKETS << shift)
        shift++;
    return shift;
}

#define STACK_ARGS(plane, size, stack)                                                             \
    RN_ARG_PLANE(plane), RN_ARG_INT(size), RN_ARG_INT((stack).count), QUAD(stack, 0),              \
        QUAD(stack, 4), QUAD(stack, 8), QUAD(stack, 12)
#define QUAD(stack, i)                                                                             \
    RN_ARG_INT4((stack).index[i], (stack).index[(i) + 1], (stack).index[(i) + 2],                  \
                (stack).index[(i) + 3])

static int enqueue_wide(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dplane *s,
                        int size, const struct stack *stack, const struct rn_dplane *d)
{
    const struct median *m = stage->params;
    struct priv *priv = stage->priv;
    int side = 2 * m->radius + 1, rank = rank_of(m, side * side * stack->count);
    int depth = stage->in.fmt.depth;
    if (!in_tiles(cmd->dev)) {
        struct rn_arg args[] = {
            STACK_ARGS(s, size, *stack), RN_ARG_PLANE(d), RN_ARG_INT(m->radius), RN_ARG_INT(rank),
            RN_ARG_INT(depth),
        };
        int rows = (d->h + BITS_OUTPUTS - 1) / BITS_OUTPUTS;
        return rn_launch_items(cmd, priv->kernel, d->w, rows, 0, 0, args,
                               (int)(sizeof args / sizeof args[0]));
    }
    struct rn_arg args[] = {
        STACK_ARGS(s, size, *stack),
        RN_ARG_PLANE(d),
        RN_ARG_INT(m->radius),
        RN_ARG_INT(rank),
        RN_ARG_INT(depth == 8 ? 8 : depth / 2),
        RN_ARG_INT(bucket_shift(stack->count)),
        RN_ARG_MEM(priv->scratch),
        RN_ARG_INT(tile_bytes(stack->count)),
    };
    return rn_launch_items(cmd, priv->kernel, 1, tile_items(cmd->dev), 1, 1, args,
                           (int)(sizeof args / sizeof args[0]));
}

static int enqueue(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dimage *src,
                   struct rn_dimage *dst, int p)
{
    const struct median *m = stage->params;
    struct priv *priv = stage->priv;
    const struct rn_dplane *s = &src->plane[p], *d = &dst->plane[p];
    struct stack stack = stack_of(stage);
    int side = 2 * m->radius + 1;
    int err = rn_fill_border(cmd, s, rn_format_bytes(&stage->in.fmt), m->radius, m->radius,
                             (enum rn_border)m->border, 0);
    if (err)
        return err;
    if (m->radius > 2 || stack.count > 1)
        return enqueue_wide(stage, cmd, s, 0, &stack, d);
    return RN_LAUNCH(cmd, priv->kernel, ((struct rn_area){0, 0, s->w, s->h}), RN_ARG_PLANE(s),
                     RN_ARG_PLANE(d), RN_ARG_INT(rank_of(m, side * side)));
}

static void release(struct rn_stage *stage, struct rn_device *dev)
{
    struct priv *priv = stage->priv;
    rn_buffer_release(dev, &priv->scratch);
    priv->scratch_bytes = 0;
}

const struct rn_stage_desc rn_median = {
    .name = "median",
    .help = "median, or another percentile, of a square window",
    .params = params,
    .params_size = sizeof(struct median),
    .priv_size = sizeof(struct priv),
    .check = check,
    .ref = ref,
    .prepare = prepare,
    .enqueue = enqueue,
    .release = release,
};
