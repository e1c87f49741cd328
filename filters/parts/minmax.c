/* SPDX-License-Identifier: MIT */
#include "filters/parts/minmax.h"

#include <limits.h>

#include "filters/base/owned.h"
#include "filters/parts/tile.h"

/* Elements of up to this many samples are read directly: one pass costs less than several. */
#define DIRECT 25

/* ---- structuring elements, and the passes over them */

static bool has(const struct rn_element *e, int dx, int dy, int dz)
{
    const double *w = e->weight;
    if (abs(dx) > e->rx || abs(dy) > e->ry || abs(dz) > e->slices)
        return false;
    switch (e->shape) {
    case RN_CROSS:
        return (dx == 0) + (dy == 0) + (dz == 0) >= 2;
    case RN_SQUARE:
        return true;
    case RN_DISK:
        return dx * dx * w[0] + dy * dy * w[1] + dz * dz * w[2] <= 1 + 1e-6;
    }
    return false;
}

/* Whether it has so few samples that they are best read one by one. */
static bool is_small(const struct rn_element *e)
{
    int n = 0;
    for (int dz = -e->slices; dz <= e->slices; dz++)
        for (int dy = -e->ry; dy <= e->ry; dy++)
            for (int dx = -e->rx; dx <= e->rx; dx++)
                n += has(e, dx, dy, dz);
    return n <= DIRECT;
}

int rn_element_half_width(const struct rn_element *e, int dy, int dz)
{
    int half = -1;
    while (has(e, half + 1, dy, dz))
        half++;
    return half;
}

/* Whether the cross-section at distance dz equals the one before. They never grow with it. */
static bool is_same_section(const struct rn_element *e, int dz)
{
    bool same = dz > 0;
    for (int dy = 0; dy <= e->ry && same; dy++)
        same = rn_element_half_width(e, dy, dz - 1) == rn_element_half_width(e, dy, dz);
    return same;
}

static struct rn_pass *begin(struct rn_passes *ps, int to)
{
    struct rn_pass *pass = &ps->pass[ps->npasses++];
    *pass = (struct rn_pass){.first = ps->ntaps, .to = to};
    if (to >= ps->nplanes)
        ps->nplanes = to + 1;
    return pass;
}

static void tap(struct rn_passes *ps, int dx, int dy, int plane)
{
    ps->tap[ps->ntaps++] = (struct rn_tap){dx, dy, plane};
    ps->pass[ps->npasses - 1].count++;
}

static void direct(struct rn_passes *ps, const struct rn_element *e, int dz)
{
    begin(ps, -1);
    for (int dy = -e->ry; dy <= e->ry; dy++)
        for (int dx = -e->rx; dx <= e->rx; dx++)
            if (has(e, dx, dy, dz))
                tap(ps, dx, dy, -1);
}

/* The minimum or maximum over a line of 2r+1 samples centred on each sample: first over windows of
 * about the square root of its length, in plane 0, then over as many windows as cover the line.
 * from: the plane that is read; along_x: the lines run along rows, otherwise along columns; across:
 * how far beyond the edge the result is needed, perpendicular to the line. */
static void line(struct rn_passes *ps, int r, bool along_x, int from, int to, int across)
{
    int length = 2 * r + 1, window = 1;
    if (length > 8) {
        while (window * window < length)
            window++;
        struct rn_pass *pass = begin(ps, 0);
        pass->left = along_x ? r : across;
        pass->right = along_x ? r - window + 1 : across;
        pass->up = along_x ? across : r;
        pass->down = along_x ? across : r - window + 1;
        for (int i = 0; i < window; i++)
            tap(ps, along_x ? i : 0, along_x ? 0 : i, from);
        from = 0;
    }
    struct rn_pass *pass = begin(ps, to);
    pass->left = pass->right = along_x ? 0 : across;
    pass->up = pass->down = along_x ? across : 0;
    for (int i = 0; i < length; i += window) {
        int at = i + window > length ? r - window + 1 : i - r;
        tap(ps, along_x ? at : 0, along_x ? 0 : at, from);
    }
}

/* Plane k holds windows of 2^(k+1) samples, one starting at each sample. */
static void disk(struct rn_passes *ps, const struct rn_element *e, int dz)
{
    int levels = 0, rx = e->rx, ry = e->ry, widest = rn_element_half_width(e, 0, dz);
    while (2 << levels <= 2 * widest + 1)
        levels++;
    for (int k = 0; k < levels; k++) {
        struct rn_pass *pass = begin(ps, k);
        pass->left = rx;
        pass->up = pass->down = ry;
        pass->right = rx - (2 << k) + 1;
        tap(ps, 0, 0, k - 1);
        tap(ps, 1 << k, 0, k - 1);
    }
    begin(ps, -1);
    /* Taps of the source come first. */
    for (int dy = -ry; dy <= ry; dy++)
        if (rn_element_half_width(e, dy, dz) == 0)
            tap(ps, 0, dy, -1);
    for (int dy = -ry; dy <= ry; dy++) {
        int half = rn_element_half_width(e, dy, dz), k = 0;
        if (half < 1)
            continue;
        while (4 << k <= 2 * half + 1)
            k++;
        tap(ps, -half, dy, k);
        tap(ps, half - (2 << k) + 1, dy, k);
    }
}

/* Computes the passes for the cross-section at distance dz, 0..slices. */
static void make_passes(struct rn_passes *ps, const struct rn_element *e, int dz)
{
    int area = 0;
    memset(ps, 0, sizeof *ps);
    for (int dy = -e->ry; dy <= e->ry; dy++) {
        int width = 2 * rn_element_half_width(e, dy, dz) + 1;
        area += width > 0 ? width : 0;
    }
    if (area <= (e->shape == RN_SQUARE ? 9 : DIRECT)) {
        direct(ps, e, dz);
    } else if (e->shape == RN_SQUARE) {
        line(ps, e->rx, true, -1, 1, e->ry);
        line(ps, e->ry, false, 1, -1, 0);
    } else if (e->shape == RN_CROSS) {
        line(ps, e->rx, true, -1, 1, 0);
        line(ps, e->ry, false, -1, 2, 0);
        begin(ps, -1);
        tap(ps, 0, 0, 1);
        tap(ps, 0, 0, 2);
    } else {
        disk(ps, e, dz);
    }
}

/* Half the length of the section's column dx; -1 if it has none. */
static int half_height(const struct rn_element *e, int dx, int dz)
{
    int half = -1;
    while (has(e, dx, half + 1, dz))
        half++;
    return half;
}

/* The chords of one length: those of half that length that the part at dz + 1 has not. */
static void add_chord(struct rn_chords *c, const struct rn_element *e, int dz, int half)
{
    int *item = c->item[c->n], from = e->rx + 1, to = -1;
    for (int dx = 0; dx <= e->rx; dx++) {
        if (half_height(e, dx, dz) != half || half_height(e, dx, dz + 1) == half)
            continue;
        from = dx < from ? dx : from;
        to = dx;
    }
    if (to < 0)
        return;
    item[0] = 2 * half + 1;
    item[1] = from;
    item[2] = to;
    item[3] = half;
    c->n++;
}

/* Computes the chords of an element. shape: RN_DISK. */
static void make_chords(struct rn_chords *c, const struct rn_element *e)
{
    memset(c, 0, sizeof *c);
    c->n = e->slices + 1;
    for (int dz = 0; dz <= e->slices; dz++) {
        int *part = c->item[dz];
        part[0] = c->n;
        for (int half = 0; half <= e->ry; half++)
            add_chord(c, e, dz, half);
        part[1] = c->n;
        part[2] = half_height(e, 0, dz);
    }
}

/* ---- what one stage needs */

/* Squares, and disks and balls that are not small, go through one kernel each where a work-item has
 * fast memory of its own and a wide strip to itself (CPUs): see kernels/morphology.cl. */
static bool in_strips(const struct rn_minmax *ex, const struct rn_form *form)
{
    return ex->element.shape == RN_SQUARE && rn_form_alone(form);
}

/* Squares and crosses of 3x3 on GPUs, where one kernel finds what lies outside by index. */
static bool is_nine(const struct rn_element *e, const struct rn_form *form)
{
    return e->rx == 1 && e->ry == 1 && rn_form_by_index(form);
}

static int make_groups(struct rn_minmax *ex, struct rn_bound *bound, const struct rn_element *e)
{
    /* 8 groups of 512 taps at most. */
    static const size_t most = (RN_SLICES_MAX + 1) * RN_MAX_TAPS;
    ex->ngroups = ex->planes = 0;
    for (int dz = 0; dz <= e->slices; dz++) {
        if (is_same_section(e, dz)) {
            ex->group[ex->ngroups - 1].to = dz;
            continue;
        }
        struct rn_group *g = &ex->group[ex->ngroups++];
        g->from = g->to = dz;
        make_passes(&g->passes, e, dz);
        ex->planes = g->passes.nplanes > ex->planes ? g->passes.nplanes : ex->planes;
    }
    RN_OWNED(rn_free_owned) cl_int4 *taps = calloc(most, sizeof *taps);
    if (!taps)
        return rn_fail_memory();
    for (int k = 0; k < ex->ngroups; k++) {
        const struct rn_passes *ps = &ex->group[k].passes;
        for (int i = 0; i < ps->ntaps; i++)
            taps[k * RN_MAX_TAPS + i] =
                (cl_int4){.s = {ps->tap[i].dx, ps->tap[i].dy, ps->tap[i].plane, 0}};
    }
    return rn_buffer_from(bound->dev, taps, most * sizeof *taps, &rn_held(bound, &ex->list)->mem);
}

/* The section is the 3x3 samples or the plus sign among them. */
static bool is_at_once(const struct rn_group *g)
{
    return g->passes.npasses == 1 && (g->passes.ntaps == 9 || g->passes.ntaps == 5);
}

static int get_kernels(struct rn_minmax *ex, struct rn_device *dev)
{
    static const char *const names[5][2] = {{"erode", "dilate"},
                                            {"erode_square", "dilate_square"},
                                            {"erode_frames", "dilate_frames"},
                                            {"erode_chords", "dilate_chords"},
                                            {"erode_nine", "dilate_nine"}};
    struct rn_kernel **kernels[5] = {ex->taps_kernel, ex->square_kernel, ex->frames_kernel,
                                     ex->chords_kernel, ex->nine_kernel};
    bool nine = is_nine(&ex->element, &dev->form), flat = !ex->element.slices;
    bool point = !ex->element.rx && !ex->element.ry;
    const bool needs[5] = {!(nine && flat && ex->ngroups == 1 && is_at_once(&ex->group[0])),
                           in_strips(ex, &dev->form), !flat || point, ex->chords, nine};
    int err = 0;
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 2 && needs[k] && !err; i++)
            err = rn_kernel_get(dev, "morphology.cl", names[k][i], ex->sample, &kernels[k][i]);
    return err;
}

static int radius_of(const struct rn_element *e)
{
    return e->rx > e->ry ? e->rx : e->ry;
}

bool rn_minmax_joins(const struct rn_form *form, const struct rn_element *e)
{
    return rn_tile_pays(form) && !e->slices &&
           (e->shape == RN_DISK || radius_of(e) <= RN_TILE_RADIUS);
}

int rn_minmax_prepare(struct rn_minmax *ex, struct rn_bound *bound, const struct rn_element *e,
                      int w, int h, enum rn_sample sample, int margin)
{
    struct rn_device *dev = bound->dev;
    int err = 0;
    const struct rn_element *old = &ex->element;
    bool same = ex->made && old->shape == e->shape && old->rx == e->rx && old->ry == e->ry &&
                old->slices == e->slices && old->weight[0] == e->weight[0] &&
                old->weight[1] == e->weight[1] && old->weight[2] == e->weight[2];
    ex->element = *e;
    ex->sample = sample;
    if (!same) {
        ex->chords = e->shape == RN_DISK && rn_form_alone(&dev->form) && !is_small(e);
        if (ex->chords) {
            struct rn_chords chords;
            make_chords(&chords, e);
            ex->ngroups = ex->planes = 0;
            err = rn_buffer_from(dev, chords.item, sizeof chords.item,
                                 &rn_held(bound, &ex->list)->mem);
        } else {
            err = make_groups(ex, bound, e);
        }
        ex->made = !err;
    }
    int planes = ex->chords ? 0 : ex->planes + (e->slices > 0);
    if (in_strips(ex, &dev->form))
        planes -= ex->planes;
    size_t one = rn_layout(&dev->form, w, h, rn_sample_bytes(sample), margin).bytes;
    size_t need = planes ? one * (size_t)planes : 8;
    err = err ? err : rn_scratch_reserve(dev, rn_held(bound, &ex->scratch), need);
    err = err ? err : get_kernels(ex, dev);
    if (err || !rn_minmax_joins(&dev->form, e))
        return err;
    cl_int halves[RN_RADIUS_MAX + 1] = {0};
    for (int dy = 0; dy <= e->ry; dy++)
        halves[dy] = rn_element_half_width(e, dy, 0);
    err = rn_buffer_from(dev, halves, sizeof halves, &rn_held(bound, &ex->halves)->mem);
    return err ? err : rn_kernel_get(dev, "morphology_tile.cl", "tile", sample, &ex->tile_kernel);
}

/* ---- one operation */

/* The data that all steps of one operation share. */
struct job {
    struct rn_minmax *ex;
    struct rn_cmd *cmd;
    const struct rn_frame_window *window;
    struct rn_dplane scratch; /* plane 0 */
    struct rn_dplane dst;     /* in the coordinates of the window's planes */
    struct rn_area area;      /* the part of dst that is computed */
    enum rn_border border;
    int dilate;
    int accumulate; /* dst holds the result over earlier groups */
};

/* The bits of the samples that change no minimum or maximum: the largest or the smallest there are.
 * Of floats those are NaN and -Inf. */
static int neutral(const struct job *j)
{
    static const int least[] = {0, 0, -32768, (int)0xff800000};
    static const int greatest[] = {255, 65535, 32767, 0x7fc00000};
    return (j->dilate ? least : greatest)[j->ex->sample];
}

static int combine(const struct job *j, const int *list, int n, const struct rn_dplane *to,
                   struct rn_area area, int accumulate)
{
    cl_short16 index = {{0}};
    for (int i = 0; i < n; i++)
        index.s[i] = (cl_short)list[i];
    return RN_LAUNCH(j->cmd, j->ex->frames_kernel[j->dilate], area, RN_ARG_PLANE(&j->window->plane),
                     RN_ARG_INT(j->window->plane.pitch), RN_ARG_SHORT16(index), RN_ARG_INT(n),
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
        struct rn_dplane to = last ? j->dst : rn_dplane_at(j->scratch, pass->to);
        int from_source = 0;
        while (from_source < pass->count && tap[from_source].plane < 0)
            from_source++;
        struct rn_arg list = RN_ARG_INT4(group * RN_MAX_TAPS + pass->first, from_source,
                                         pass->count - from_source, last && j->accumulate);
        err = RN_LAUNCH(j->cmd, j->ex->taps_kernel[j->dilate], last ? j->area : area,
                        RN_ARG_PLANE(src), RN_ARG_PLANE(&j->scratch), RN_ARG_INT(j->scratch.pitch),
                        RN_ARG_PLANE(&to), RN_ARG_MEM(j->ex->list.mem), list);
    }
    return err;
}

static struct rn_range strips_of(const struct job *j, const struct rn_kernel *kernel)
{
    int columns = RN_STRIP_VECTORS * kernel->width;
    return (struct rn_range){(j->area.x1 - j->area.x0 + columns - 1) / columns,
                             (j->area.y1 - j->area.y0 + RN_STRIP_ROWS - 1) / RN_STRIP_ROWS, 1};
}

static int run_square(const struct job *j, const struct rn_dplane *src)
{
    const struct rn_element *e = &j->ex->element;
    struct rn_kernel *kernel = j->ex->square_kernel[j->dilate];
    /* Windows grow to the full length by factors of about its square or cube root. levels: the
     * lengths in between, 0 for none. */
    int length = 2 * e->rx + 1, levels[2] = {length > 5 ? 2 : 0, 0};
    if (length > 20) {
        while (levels[0] * levels[0] * levels[0] < length)
            levels[0]++;
        levels[1] = levels[0] * levels[0];
    } else if (length > 5) {
        while (levels[0] * levels[0] < length)
            levels[0]++;
    }
    return RN_LAUNCH_ITEMS(j->cmd, kernel, strips_of(j, kernel), RN_OWN_GROUP,
                           RN_ARG_INT4(j->area.x0, j->area.y0, j->area.x1, j->area.y1),
                           RN_ARG_PLANE(src), RN_ARG_PLANE(&j->dst),
                           RN_ARG_INT4(e->rx, e->ry, levels[0], levels[1]));
}

/* Frames that do not exist are zeros, or take no part. */
static int run_chords(const struct job *j)
{
    const struct rn_element *e = &j->ex->element;
    const struct rn_dplane *src = &j->window->plane;
    struct rn_kernel *kernel = j->ex->chords_kernel[j->dilate];
    cl_short16 index = {{0}};
    for (int i = 0; i < j->window->n; i++)
        index.s[i] = (cl_short)(j->window->index[i] >= 0 ? j->window->index[i]
                                : j->border == RN_ZERO   ? -1
                                                         : -2);
    return RN_LAUNCH_ITEMS(j->cmd, kernel, strips_of(j, kernel), RN_OWN_GROUP,
                           RN_ARG_INT4(j->area.x0, j->area.y0, j->area.x1, j->area.y1),
                           RN_ARG_PLANE(src), RN_ARG_PLANE(&j->dst), RN_ARG_INT(src->pitch),
                           RN_ARG_SHORT16(index), RN_ARG_MEM(j->ex->list.mem),
                           RN_ARG_INT4(e->rx, e->slices, (int)j->border, 0));
}

/* The frames of a group that take part; repeated frames count once. */
static int group_frames(const struct job *j, const struct rn_group *g, int list[])
{
    int n = 0, slices = j->ex->element.slices;
    bool zero_is_least = j->ex->sample == RN_SAMPLE_U8 || j->ex->sample == RN_SAMPLE_U16;
    bool zeros_count = j->border == RN_ZERO && !(j->dilate && zero_is_least);
    for (int dz = -g->to; dz <= g->to; dz++) {
        int index = j->window->index[slices + dz];
        if ((dz < 0 ? -dz : dz) < g->from || (index < 0 && !zeros_count))
            continue;
        bool known = false;
        for (int i = 0; i < n; i++)
            known |= list[i] == index;
        if (!known)
            list[n++] = index;
    }
    return n;
}

static int run_nine(const struct job *j, bool square, const struct rn_dplane *src)
{
    struct rn_kernel *kernel = j->ex->nine_kernel[j->dilate];
    struct rn_area area = j->area;
    area.x0 -= area.x0 % kernel->width; /* in words; what is too much falls into dst's margin */
    return RN_LAUNCH(j->cmd, kernel, area, RN_ARG_PLANE(src), RN_ARG_PLANE(&j->dst),
                     RN_ARG_INT2((cl_int)j->border, j->border == RN_IGNORE ? neutral(j) : 0),
                     RN_ARG_INT(square));
}

static int run_group(struct job *j, int group)
{
    const struct rn_group *g = &j->ex->group[group];
    int list[RN_WINDOW_MAX], n = group_frames(j, g, list), err = 0;
    struct rn_dplane src = j->window->plane;
    if (!n)
        return 0;
    if (g->passes.npasses == 1 && g->passes.ntaps == 1) { /* a point */
        err = combine(j, list, n, &j->dst, j->area, j->accumulate);
        j->accumulate = 1;
        return err;
    }
    if (n == 1 && list[0] >= 0) {
        src = rn_dplane_at(src, list[0]);
    } else {
        src = rn_dplane_at(j->scratch, in_strips(j->ex, &j->cmd->dev->form) ? 0 : j->ex->planes);
        err = combine(j, list, n, &src, rn_area_of(&src), 0);
    }
    if (is_nine(&j->ex->element, &j->cmd->dev->form) && !j->accumulate && is_at_once(g)) {
        err = err ? err : run_nine(j, g->passes.ntaps == 9, &src);
        j->accumulate = 1;
        return err;
    }
    err = err ? err
              : rn_fill_border(j->cmd, &src, j->ex->sample, j->ex->element.rx, j->ex->element.ry,
                               j->border, neutral(j));
    if (!err)
        err =
            in_strips(j->ex, &j->cmd->dev->form) ? run_square(j, &src) : run_passes(j, group, &src);
    j->accumulate = 1;
    return err;
}

int rn_minmax_enqueue(struct rn_minmax *ex, struct rn_cmd *cmd, bool dilate,
                      const struct rn_frame_window *window, const struct rn_dplane *dst, int inset,
                      enum rn_border border, int margin)
{
    const struct rn_dplane *p = &window->plane;
    struct job j = {
        .ex = ex,
        .cmd = cmd,
        .window = window,
        .scratch =
            rn_dplane_of(cmd, ex->scratch.mem, p->w, p->h, rn_sample_bytes(ex->sample), margin),
        .dst = *dst,
        .area = {inset, inset, p->w - inset, p->h - inset},
        .border = border,
        .dilate = dilate,
    };
    j.dst.origin -= inset * dst->stride + inset;
    if (ex->chords)
        return run_chords(&j);
    int err = 0;
    for (int k = 0; k < ex->ngroups && !err; k++)
        err = run_group(&j, k);
    return err;
}

/* ---- joined operations: kernels/morphology_tile.cl */

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
    struct rn_tile tile =
        rn_tile_choose(cmd->dev, src->w, src->h, e->ry, 2 * bytes, RN_TILE_WIDE / bytes);
    return RN_LAUNCH_ITEMS(
        cmd, ex->tile_kernel, rn_tile_range(&tile, src->w, src->h), RN_OWN_GROUP, RN_ARG_PLANE(src),
        RN_ARG_PLANE(dst), RN_ARG_INT2(tile.columns, tile.rows),
        RN_ARG_INT4(e->rx, e->ry, operations, (int)step->join), RN_ARG_MEM(ex->halves.mem),
        RN_ARG_INT2(flip, second),
        RN_ARG_INT2(outside(ex->sample, border, flip), outside(ex->sample, border, second)),
        RN_ARG_INT(unbounded), RN_ARG_INT(e->shape == RN_SQUARE && radius_of(e) >= RN_TILE_SQUARE));
}
