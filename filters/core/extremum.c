#include "filters/core/extremum.h"

#include <limits.h>
#include <string.h>

/* Squares go through one kernel where a work-item has fast memory of its own
 * and a wide strip to itself (CPUs): see kernels/morphology.cl. */
static bool in_strips(const struct rn_extremum *ex, const struct rn_form *form)
{
    return ex->element.shape == RN_SQUARE && rn_form_alone(form);
}

static int make_groups(struct rn_extremum *ex, struct rn_device *dev, const struct rn_element *e)
{
    /* 8 groups of 512 taps at most. */
    static const size_t most = (RN_SLICES_MAX + 1) * RN_MAX_TAPS;
    ex->ngroups = ex->planes = 0;
    for (int dz = 0; dz <= e->slices; dz++) {
        if (rn_element_section(e, dz) != dz) {
            ex->group[ex->ngroups - 1].to = dz;
            continue;
        }
        struct rn_group *g = &ex->group[ex->ngroups++];
        g->from = g->to = dz;
        rn_element_passes(&g->passes, e, dz);
        ex->planes = g->passes.nplanes > ex->planes ? g->passes.nplanes : ex->planes;
    }
    cl_int4 *taps = calloc(most, sizeof *taps);
    if (!taps)
        return rn_fail_memory();
    for (int k = 0; k < ex->ngroups; k++) {
        const struct rn_passes *ps = &ex->group[k].passes;
        for (int i = 0; i < ps->ntaps; i++)
            taps[k * RN_MAX_TAPS + i] =
                (cl_int4){.s = {ps->tap[i].dx, ps->tap[i].dy, ps->tap[i].plane, 0}};
    }
    int err = ex->taps ? rn_buffer_update(dev, ex->taps, taps, most * sizeof *taps)
                       : rn_buffer_from(dev, taps, most * sizeof *taps, &ex->taps);
    free(taps);
    return err;
}

static int get_kernels(struct rn_extremum *ex, struct rn_device *dev)
{
    static const char *const names[3][2] = {
        {"erode", "dilate"}, {"erode_square", "dilate_square"}, {"erode_frames", "dilate_frames"}};
    struct rn_kernel **kernels[3] = {ex->taps_kernel, ex->square_kernel, ex->frames_kernel};
    int err = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2 && !err; i++)
            err = rn_kernel_get(dev, "morphology.cl", names[k][i], ex->bytes, &kernels[k][i]);
    return err;
}

int rn_extremum_prepare(struct rn_extremum *ex, struct rn_device *dev, const struct rn_element *e,
                        int w, int h, int bytes, int margin)
{
    int err = 0;
    if (!ex->taps || memcmp(&ex->element, e, sizeof *e) != 0)
        err = make_groups(ex, dev, e);
    ex->element = *e;
    ex->bytes = bytes;
    int planes = ex->planes + (e->slices > 0);
    if (in_strips(ex, &dev->form))
        planes -= ex->planes;
    size_t need = planes ? rn_layout(&dev->form, w, h, bytes, margin).bytes * (size_t)planes : 8;
    err = err ? err : rn_buffer_reserve(dev, &ex->scratch, &ex->scratch_bytes, need);
    return err ? err : get_kernels(ex, dev);
}

void rn_extremum_release(struct rn_extremum *ex, struct rn_device *dev)
{
    rn_buffer_release(dev, &ex->taps);
    rn_buffer_release(dev, &ex->scratch);
    ex->scratch_bytes = 0;
}

/* ---- one operation */

/* What all steps of one operation share. */
struct job {
    struct rn_extremum *ex;
    struct rn_cmd *cmd;
    const struct rn_window *window;
    struct rn_dplane scratch; /* plane 0 */
    int size;                 /* samples from scratch plane to scratch plane */
    struct rn_dplane dst;     /* in the coordinates of the window's planes */
    struct rn_area area;      /* of dst that is computed */
    enum rn_border border;
    int dilate, max;
    int accumulate; /* dst holds the extremum over the groups before */
};

static struct rn_dplane shifted(struct rn_dplane plane, int samples)
{
    plane.origin += samples;
    return plane;
}

static int fill_border(const struct job *j, const struct rn_dplane *src)
{
    int r = j->ex->element.radius;
    return rn_fill_border(j->cmd, src, j->ex->bytes, r, r, j->border, j->dilate ? 0 : j->max);
}

/* The extremum over frames, pixel by pixel. */
static int combine(const struct job *j, const int *list, int n, const struct rn_dplane *to,
                   struct rn_area area, int accumulate)
{
    cl_short16 index = {{0}};
    for (int i = 0; i < n; i++)
        index.s[i] = (cl_short)list[i];
    return RN_LAUNCH(j->cmd, j->ex->frames_kernel[j->dilate], area, RN_ARG_PLANE(&j->window->plane),
                     RN_ARG_INT(j->window->size), RN_ARG_SHORT16(index), RN_ARG_INT(n),
                     RN_ARG_PLANE(to), RN_ARG_INT(accumulate));
}

static int run_passes(const struct job *j, int group, const struct rn_dplane *src)
{
    const struct rn_passes *passes = &j->ex->group[group].passes;
    int err = 0;
    for (int i = 0; i < passes->npasses && !err; i++) {
        const struct rn_pass *pass = &passes->pass[i];
        const struct rn_tap *tap = &passes->tap[pass->first];
        struct rn_area area = {-pass->left, -pass->up, src->w + pass->right, src->h + pass->down};
        bool last = pass->to < 0;
        struct rn_dplane to = last ? j->dst : shifted(j->scratch, pass->to * j->size);
        int from_source = 0;
        while (from_source < pass->count && tap[from_source].plane < 0)
            from_source++;
        struct rn_arg list = RN_ARG_INT4(group * RN_MAX_TAPS + pass->first, from_source,
                                         pass->count - from_source, last && j->accumulate);
        err = RN_LAUNCH(j->cmd, j->ex->taps_kernel[j->dilate], last ? j->area : area,
                        RN_ARG_PLANE(src), RN_ARG_PLANE(&j->scratch), RN_ARG_INT(j->size),
                        RN_ARG_PLANE(&to), RN_ARG_MEM(j->ex->taps), list);
    }
    return err;
}

/* Windows that grow to 2r+1 samples: about the root, or the cube root, of it samples at a time. */
static void window_levels(int radius, int levels[3])
{
    int length = 2 * radius + 1, first = length, second = 0;
    if (length > 20) {
        for (first = 2; first * first * first < length; first++)
            ;
        second = first * first;
    } else if (length > 5) {
        for (first = 2; first * first < length; first++)
            ;
    }
    levels[0] = first;
    levels[1] = second ? second : first < length ? length : 0;
    levels[2] = second ? length : 0;
}

static int run_square(const struct job *j, const struct rn_dplane *src)
{
    int radius = j->ex->element.radius, levels[3];
    struct rn_kernel *kernel = j->ex->square_kernel[j->dilate];
    enum { STRIP = 4, ROWS = 32 }; /* as in kernels/morphology.cl */
    int gx = (j->area.x1 - j->area.x0 + STRIP * kernel->width - 1) / (STRIP * kernel->width);
    int gy = (j->area.y1 - j->area.y0 + ROWS - 1) / ROWS;
    window_levels(radius, levels);
    struct rn_arg args[] = {
        RN_ARG_INT4(j->area.x0, j->area.y0, j->area.x1, j->area.y1),
        RN_ARG_PLANE(src),
        RN_ARG_PLANE(&j->dst),
        RN_ARG_INT4(radius, levels[0], levels[1], levels[2]),
    };
    return rn_launch_items(j->cmd, kernel, gx, gy, 0, 0, args, (int)(sizeof args / sizeof args[0]));
}

/* The frames of a group that take part; frames that are named twice count once. */
static int group_frames(const struct job *j, const struct rn_group *g, int list[])
{
    int n = 0, slices = j->ex->element.slices;
    for (int dz = -g->to; dz <= g->to; dz++) {
        int index = j->window->index[slices + dz];
        if ((dz < 0 ? -dz : dz) < g->from || (index < 0 && (j->dilate || j->border != RN_ZERO)))
            continue;
        bool known = false;
        for (int i = 0; i < n; i++)
            known |= list[i] == index;
        if (!known)
            list[n++] = index;
    }
    return n;
}

static bool is_point(const struct rn_passes *passes)
{
    return passes->npasses == 1 && passes->ntaps == 1;
}

static int run_group(struct job *j, int group)
{
    const struct rn_group *g = &j->ex->group[group];
    int list[RN_WINDOW_MAX], n = group_frames(j, g, list), err = 0;
    struct rn_dplane src = j->window->plane;
    if (!n)
        return 0;
    if (is_point(&g->passes)) {
        err = combine(j, list, n, &j->dst, j->area, j->accumulate);
        j->accumulate = 1;
        return err;
    }
    if (n == 1 && list[0] >= 0) {
        src = shifted(src, list[0] * j->window->size);
    } else {
        bool strips = in_strips(j->ex, &j->cmd->dev->form);
        src = shifted(j->scratch, (strips ? 0 : j->ex->planes) * j->size);
        err = combine(j, list, n, &src, (struct rn_area){0, 0, src.w, src.h}, 0);
    }
    err = err ? err : fill_border(j, &src);
    if (!err)
        err =
            in_strips(j->ex, &j->cmd->dev->form) ? run_square(j, &src) : run_passes(j, group, &src);
    j->accumulate = 1;
    return err;
}

int rn_extremum_enqueue(struct rn_extremum *ex, struct rn_cmd *cmd, bool dilate,
                        const struct rn_window *window, const struct rn_dplane *dst, int inset,
                        enum rn_border border, int max, int margin)
{
    const struct rn_dplane *p = &window->plane;
    struct rn_layout layout = rn_layout(&cmd->dev->form, p->w, p->h, ex->bytes, margin);
    struct job j = {
        .ex = ex,
        .cmd = cmd,
        .window = window,
        .scratch = {ex->scratch, layout.origin, layout.stride, p->w, p->h},
        .size = (int)(layout.bytes / (size_t)ex->bytes),
        .dst = shifted(*dst, -inset * dst->stride - inset),
        .area = {inset, inset, p->w - inset, p->h - inset},
        .border = border,
        .dilate = dilate,
        .max = max,
    };
    int err = 0;
    for (int k = 0; k < ex->ngroups && !err; k++)
        err = run_group(&j, k);
    return err;
}
