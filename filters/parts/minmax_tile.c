/* Joined operations: see kernels/morphology_tile.cl. */
#include "filters/parts/minmax.h"
#include "filters/parts/tile.h"

#include <limits.h>

static int radius_of(const struct rn_element *e)
{
    return e->rx > e->ry ? e->rx : e->ry;
}

bool rn_minmax_joins(const struct rn_form *form, const struct rn_element *e)
{
    return rn_tile_pays(form) && !e->slices &&
           (e->shape == RN_DISK || radius_of(e) <= RN_TILE_RADIUS);
}

int rn_minmax_prepare_joined(struct rn_minmax *ex, struct rn_device *dev)
{
    cl_int halves[RN_RADIUS_MAX + 1] = {0};
    if (!rn_minmax_joins(&dev->form, &ex->element))
        return 0;
    for (int dy = 0; dy <= ex->element.ry; dy++)
        halves[dy] = rn_element_half_width(&ex->element, dy, 0);
    int err = rn_buffer_from(dev, halves, sizeof halves, &ex->halves);
    return err ? err
               : rn_kernel_get(dev, "morphology_tile.cl", "tile", ex->sample, &ex->tile_kernel);
}

/* What lies outside, for a maximum of flipped samples. */
static int outside(enum rn_sample sample, enum rn_border border, int flip)
{
    static const int least[] = {0, 0, -32768, INT_MIN};
    return border == RN_ZERO ? flip : least[sample];
}

int rn_minmax_enqueue_joined(struct rn_minmax *ex, struct rn_cmd *cmd,
                             const struct rn_schedule_step *step, const struct rn_dplane *src,
                             const struct rn_dplane *dst, enum rn_border border, bool unbounded)
{
    const struct rn_element *e = &ex->element;
    int bytes = rn_sample_bytes(ex->sample);
    int operations = step->kind == RN_STEP_JOINED ? 2 : 1;
    int flip = step->op == RN_ERODE ? -1 : 0, second = step->second == RN_ERODE ? -1 : 0;
    struct rn_tile tile = rn_tile_choose(cmd->dev, src->w, src->h, e->ry, 2 * bytes, RN_TILE_LEAST,
                                         RN_TILE_WIDE / bytes);
    return RN_LAUNCH_ITEMS(
        cmd, ex->tile_kernel, rn_tile_range(&tile, src->w, src->h), RN_OWN_GROUP, RN_ARG_PLANE(src),
        RN_ARG_PLANE(dst), RN_ARG_INT2(tile.columns, tile.rows),
        RN_ARG_INT4(e->rx, e->ry, operations, (int)step->join), RN_ARG_MEM(ex->halves),
        RN_ARG_INT2(flip, second),
        RN_ARG_INT2(outside(ex->sample, border, flip), outside(ex->sample, border, second)),
        RN_ARG_INT(unbounded), RN_ARG_INT(e->shape == RN_SQUARE && radius_of(e) >= RN_TILE_SQUARE));
}
