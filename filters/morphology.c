/* SPDX-License-Identifier: MIT */
/* Erosion, dilation and the filters composed of them, with flat structuring elements, within a
 * frame or, with `slices`, across frames.
 *
 * One operation is an erosion or a dilation, the minimum or maximum over the element; `iterations`
 * repeats it, applying the border rule anew each time. An opening is all erosions, then all
 * dilations; a closing is the reverse. gradient = dilation - erosion, tophat = source - opening,
 * blackhat = closing - source (P. Soille, Morphological Image Analysis, 2nd ed., 2003, chapters 3
 * and 4). Differences are exact for unsigned samples, saturate for signed ones and are rounded in
 * fp32 for floats, whose minimum and maximum are exact, in the order of filters/base/floats.h.
 *
 * With border=zero the image lies on an infinite plane of zeros or, with `slices`, in a volume of
 * zeros. A closing must then keep what its dilations write outside the image, so it is computed on
 * an image extended by radius * iterations, and on frames before the first and after the last; so
 * must an opening where samples may be less than 0. The other filters need no extension: the
 * elements shrink towards their axes, so a path of dilations between two points of the image can
 * stay inside it. */
#include <stdlib.h>
#include <string.h>

#include "filters/parts/minmax.h"
#include "filters/core/chain/length.h"
#include "filters/parts/texts.h"

struct morphology {
    enum rn_shape shape;
    struct rn_length radius, slices;
    int iterations;
    enum rn_border border;
    int planes;
};

static const char *const shape_names[] = {"cross", "square", "disk", NULL};

static const struct rn_param params[] = {
    RN_P_CHOICE(struct morphology, shape, shape_names, 3, RN_SQUARE,
                "structuring element: plus sign, square or disk"),
    RN_P_LENGTH(struct morphology, radius, 1, RN_RADIUS_MAX, 1, 1, "px",
                "reach of the structuring element"),
    RN_P_INT(struct morphology, iterations, 1, RN_ITERATIONS_MAX, 1, 1, "",
             "how often each operation is repeated"),
    RN_P_SLICES(struct morphology),
    RN_P_BORDER_MORPH(struct morphology),
    RN_P_PLANES(struct morphology),
    RN_P_END,
};

/* The operations of a filter: two paths of up to two halves, each half repeated. */
struct recipe {
    const char *path[2]; /* 'e' and 'd' per half; NULL: there is no second path */
};

struct priv {
    struct rn_schedule schedule[RN_MAX_PLANES];
    uint8_t *images[RN_MAX_PLANES]; /* reference: the schedule's images, one after the other */
    size_t room[RN_MAX_PLANES];     /* bytes for them */
    /* device */
    struct rn_scratch memory[RN_MAX_PLANES]; /* the schedule's images, one after the other */
    struct rn_minmax minmax;
    struct calls *calls; /* where slices come in batches */
};

/* The steps of a call. */
struct calls {
    struct rn_schedule_step step[RN_MAX_STEPS];
    int n;
};

/* The most that the rings of images of a filter across frames may take on a device, and how many
 * batches they hold. */
#define RING_BYTES   (256 << 20)
#define RING_BATCHES 4

static const struct recipe erosion = {{"e"}}, dilation = {{"d"}}, opening = {{"ed"}},
                           closing = {{"de"}}, gradient = {{"d", "e"}}, tophat = {{"", "ed"}},
                           blackhat = {{"de", ""}};

static struct rn_element element_of(const struct morphology *m, const struct rn_geom *geom)
{
    return (struct rn_element){.shape = m->shape,
                               .rx = rn_length_reach(&m->radius, geom, 0),
                               .ry = rn_length_reach(&m->radius, geom, 1),
                               .slices = rn_length_reach(&m->slices, geom, 2),
                               .weight = {rn_length_weight(&m->radius, geom, 0),
                                          rn_length_weight(&m->radius, geom, 1),
                                          rn_length_weight(&m->slices, geom, 2)}};
}

static bool is_unbounded(const struct recipe *recipe, const struct morphology *m,
                         const struct rn_format *fmt)
{
    bool opens =
        !strcmp(recipe->path[0], "ed") || (recipe->path[1] && !strcmp(recipe->path[1], "ed"));
    return m->border == RN_ZERO &&
           (!strcmp(recipe->path[0], "de") || (opens && fmt->number != RN_NUMBER_UNSIGNED));
}

/* How much larger than the picture the stage's own images are on each side. */
static int extension_of(const struct recipe *recipe, const struct morphology *m,
                        const struct rn_geom *geom)
{
    const struct rn_element e = element_of(m, geom);
    bool larger = is_unbounded(recipe, m, &geom->fmt);
    return larger ? (e.rx > e.ry ? e.rx : e.ry) * m->iterations : 0;
}

static int extension(const struct rn_snapshot *now)
{
    return extension_of(now->desc->variant, now->params, &now->in);
}

static void plan(struct rn_schedule *q, const struct recipe *recipe, const struct morphology *m,
                 const struct rn_geom *geom, int ahead)
{
    memset(q, 0, sizeof *q);
    q->ahead = ahead;
    q->slices = rn_length_reach(&m->slices, geom, 2);
    q->border = m->border;
    q->unbounded = is_unbounded(recipe, m, &geom->fmt);
    q->npaths = recipe->path[1] ? 2 : 1;
    for (int k = 0; k < q->npaths; k++)
        for (const char *half = recipe->path[k]; *half; half++)
            for (int i = 0; i < m->iterations; i++)
                q->path[k].op[q->path[k].n++] = *half == 'e' ? RN_ERODE : RN_DILATE;
    rn_schedule_plan(q);
}

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    const struct morphology *m = stage->params;
    struct rn_schedule schedule;
    int err = rn_stage_check_slices(stage, rn_length_reach(&m->slices, in, 2), m->border);
    if (err)
        return err;
    plan(&schedule, stage->desc->variant, m, in, 0);
    if (schedule.npaths > 1)
        traits->out.rescale.intercept = 0; /* it falls away in differences */
    traits->margin = RN_RADIUS_MAX;        /* the radius changes while running */
    traits->delay = schedule.delay;
    traits->shift_invariant = extension_of(stage->desc->variant, m, in) <= traits->margin;
    return 0;
}

static void reset(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    for (int p = 0; p < RN_MAX_PLANES; p++)
        rn_schedule_reset(&priv->schedule[p]);
}

/* ---- reference */

/* The part of a plane that begins e samples inside it. */
static struct rn_plane inner(const struct rn_plane *plane, int e, int bytes, int w, int h)
{
    return (struct rn_plane){plane->data + e * plane->stride + e * bytes, plane->stride, w, h};
}

/* The window of a step; where there is no such frame, the plane has no data. */
struct frames {
    struct rn_plane plane[RN_WINDOW_MAX];
    enum rn_sample sample;
    struct rn_element element;
    int half[RN_SLICES_MAX + 1][RN_RADIUS_MAX + 1]; /* widths of its rows, by |dz| and |dy| */
    enum rn_border border;
};

static int32_t extremum_at(enum rn_op op, const struct frames *f, int x, int y, int w, int h)
{
    const struct rn_element *e = &f->element;
    enum rn_border border = f->border;
    bool found = false;
    int32_t best = 0;
    for (int dz = -e->slices; dz <= e->slices; dz++) {
        const struct rn_plane *plane = &f->plane[e->slices + dz];
        if (!plane->data && border != RN_ZERO)
            continue;
        for (int dy = -e->ry; dy <= e->ry; dy++) {
            int sy = rn_border_index(border, y + dy, h);
            int half = f->half[abs(dz)][abs(dy)];
            for (int dx = -half; dx <= half; dx++) {
                int sx = x + dx >= 0 && x + dx < w ? x + dx : rn_border_index(border, x + dx, w);
                bool outside = !plane->data || sx < 0 || sy < 0;
                if (outside && border == RN_IGNORE)
                    continue;
                int32_t v = outside ? 0 : rn_order_get(plane, f->sample, sx, sy);
                if (!found || (op == RN_ERODE ? v < best : v > best))
                    best = v;
                found = true;
            }
        }
    }
    return best;
}

struct reference {
    struct priv *priv;
    const struct morphology *m;
    const struct rn_plane *src; /* NULL: the input has ended */
    struct rn_plane *dst;       /* NULL: nothing is wanted */
    const struct rn_format *fmt;
    struct rn_element element;
    int p, w, h, e, bytes;
};

/* Room for the schedule's images. */
static int make_images(const struct reference *r)
{
    size_t row = (size_t)rn_row_stride(r->w + 2 * r->e, r->bytes);
    size_t need = (size_t)r->priv->schedule[r->p].images * row * (size_t)(r->h + 2 * r->e);
    if (need <= r->priv->room[r->p])
        return 0;
    free(r->priv->images[r->p]);
    r->priv->images[r->p] = malloc(need);
    r->priv->room[r->p] = r->priv->images[r->p] ? need : 0;
    return r->priv->images[r->p] ? 0 : rn_fail_memory();
}

static struct rn_plane image(const struct reference *r, int i)
{
    int w = r->w + 2 * r->e, h = r->h + 2 * r->e;
    ptrdiff_t row = rn_row_stride(w, r->bytes);
    return (struct rn_plane){r->priv->images[r->p] + i * h * row, row, w, h};
}

static void do_step(const struct reference *r, const struct rn_schedule_step *step)
{
    int e = r->e, bytes = r->bytes;
    enum rn_sample sample = rn_format_sample(r->fmt);
    if (step->kind == RN_STEP_TAKE) {
        struct rn_plane to = image(r, step->to), middle = inner(&to, e, bytes, r->w, r->h);
        memset(to.data, 0, (size_t)to.stride * (size_t)to.h);
        rn_plane_copy(r->src, &middle, bytes);
    } else if (step->kind == RN_STEP_OPERATE) {
        struct frames f = {.sample = sample, .element = r->element, .border = r->m->border};
        for (int dz = 0; dz <= f.element.slices; dz++)
            for (int dy = 0; dy <= f.element.ry; dy++)
                f.half[dz][dy] = rn_element_half_width(&f.element, dy, dz);
        for (int i = 0; i < 2 * r->element.slices + 1; i++)
            f.plane[i] = step->in[i] == RN_SOURCE ? *r->src
                         : step->in[i] >= 0       ? image(r, step->in[i])
                                                  : (struct rn_plane){.data = NULL};
        bool last = step->to == RN_RESULT;
        struct rn_plane to = last ? *r->dst : image(r, step->to);
        int inset = last ? e : 0, w = to.w + 2 * inset, h = to.h + 2 * inset;
        RN_EACH_SAMPLE (&to, x, y)
            rn_order_put(&to, sample, x, y, extremum_at(step->op, &f, x + inset, y + inset, w, h));
    } else {
        struct rn_plane in[2];
        for (int i = 0; i < 2; i++) {
            in[i] = step->in[i] == RN_SOURCE ? *r->src : image(r, step->in[i]);
            if (step->in[i] != RN_SOURCE)
                in[i] = inner(&in[i], e, bytes, r->w, r->h);
        }
        RN_EACH_SAMPLE (r->dst, x, y) {
            float v = rn_sample_get(&in[0], sample, x, y) - rn_sample_get(&in[1], sample, x, y);
            rn_sample_put(r->dst, sample, x, y, rn_round_sample(r->fmt, v));
        }
    }
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    struct priv *priv = bound->priv;
    struct rn_schedule_step steps[RN_MAX_STEPS];
    struct reference r = {.priv = priv,
                          .m = now->params,
                          .src = src ? &src->plane[p] : NULL,
                          .dst = dst ? &dst->plane[p] : NULL,
                          .p = p,
                          .e = extension(now),
                          .fmt = &now->in.fmt,
                          .element = element_of(now->params, &now->in),
                          .bytes = rn_format_bytes(&now->in.fmt)};
    rn_geom_plane_size(&now->in, p, &r.w, &r.h);
    int err = make_images(&r);
    int n = rn_schedule_next(&priv->schedule[p], call->tick, src != NULL, dst != NULL, steps);
    for (int i = 0; i < n && !err; i++)
        do_step(&r, &steps[i]);
    return err;
}

/* ---- device */

enum { DIFFERENCE }; /* kernels */

/* The steps of a frame on a device; several may be one launch. */
static int device_steps(const struct rn_bound *bound, const struct rn_snapshot *now, int p,
                        int64_t tick, bool has_source, bool wanted, struct rn_schedule_step *steps)
{
    struct priv *priv = bound->priv;
    struct rn_element element = element_of(now->params, &now->in);
    int n = rn_schedule_next(&priv->schedule[p], tick, has_source, wanted, steps);
    return rn_minmax_joins(&bound->dev->form, &element)
               ? rn_schedule_join(&priv->schedule[p], steps, n)
               : n;
}

/* How many of the schedule's images the device uses: joined steps need fewer. */
static int device_images(const struct rn_bound *bound, const struct rn_snapshot *now, int p)
{
    const struct priv *priv = bound->priv;
    struct rn_schedule_step steps[RN_MAX_STEPS];
    int images = 0;
    if (priv->schedule[p].slices)
        return priv->schedule[p].images;
    int n = device_steps(bound, now, p, 0, true, true, steps);
    for (int i = 0; i < n; i++)
        images = steps[i].to >= images ? steps[i].to + 1 : images;
    return images;
}

/* Filters across frames take a batch by listing the steps of all its calls first: those that are
 * the same for the next image each are one launch. */
static bool takes_batches(const struct rn_bound *bound, const struct rn_snapshot *now)
{
    return bound->batch > 1 && now->traits.delay && now->traits.shift_invariant;
}

/* The schedule's images of w x h samples and the extension, one after the other; those of a batch
 * lie as its frames do. */
static struct rn_dplane images_of(const struct rn_bound *bound, const struct rn_snapshot *now,
                                  cl_mem mem, int w, int h)
{
    int e = extension(now), bytes = rn_format_bytes(&now->in.fmt);
    struct rn_dplane plane =
        rn_dplane_in(&bound->dev->form, mem, w + 2 * e, h + 2 * e, bytes, now->traits.margin);
    if (takes_batches(bound, now))
        plane.pitch = rn_batch_step(h, bound->margin) * plane.stride;
    return plane;
}

/* How many calls may be ahead of the first whose steps are not done: the more, the fewer launches
 * are parted where a ring of images ends. */
static int calls_ahead(const struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct rn_schedule q;
    if (!bound->dev || !takes_batches(bound, now))
        return 0;
    plan(&q, now->desc->variant, now->params, &now->in, 0);
    int rings = q.images;
    plan(&q, now->desc->variant, now->params, &now->in, 1);
    rings = q.images - rings;
    int64_t image = (int64_t)images_of(bound, now, NULL, now->in.w, now->in.h).pitch *
                    rn_format_bytes(&now->in.fmt);
    int64_t fit = RING_BYTES / (rings * image), most = RING_BATCHES * bound->batch;
    return (int)(fit < most ? fit : most);
}

static int prepare_device(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    struct rn_device *dev = bound->dev;
    const struct rn_element element = element_of(now->params, &now->in);
    int bytes = rn_format_bytes(&now->in.fmt), e = extension(now), err = 0;
    int margin = now->traits.margin, more = 0;
    for (int p = 0; p < rn_format_planes(&now->in.fmt) && !err; p++) {
        int w, h, images = device_images(bound, now, p);
        rn_geom_plane_size(&now->in, p, &w, &h);
        if (!(now->traits.planes >> p & 1) || !images)
            continue;
        size_t need = (size_t)images_of(bound, now, NULL, w, h).pitch * (size_t)bytes;
        err = rn_scratch_reserve(dev, rn_held(bound, &priv->memory[p]), need * (size_t)images);
    }
    if (takes_batches(bound, now)) {
        more = (bound->batch - 1) * rn_batch_step(now->in.h, bound->margin);
        if (!priv->calls && !(priv->calls = calloc((size_t)bound->batch, sizeof *priv->calls)))
            err = err ? err : rn_fail_memory();
    }
    return err ? err
               : rn_minmax_prepare(&priv->minmax, bound, &element, now->in.w + 2 * e,
                                   now->in.h + 2 * e + more, rn_format_sample(&now->in.fmt),
                                   margin);
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    int ahead = calls_ahead(bound, now);
    for (int p = 0; p < RN_MAX_PLANES; p++)
        plan(&priv->schedule[p], now->desc->variant, now->params, &now->in, ahead);
    return bound->dev ? prepare_device(bound, now) : 0;
}

struct device_job {
    struct rn_bound *bound;
    const struct rn_snapshot *now;
    struct rn_cmd *cmd;
    const struct rn_dplane *src, *dst; /* as above */
    struct rn_dplane images;           /* the schedule's image 0, and the pitch to the next */
    int w, h, e;
    bool alone; /* single operations go as joined ones do */
};

static int enqueue_operation(const struct device_job *j, const struct rn_schedule_step *step)
{
    const struct morphology *m = j->now->params;
    struct priv *priv = j->bound->priv;
    bool from_source = step->in[0] == RN_SOURCE, last = step->to == RN_RESULT;
    struct rn_frame_window window = {.plane = from_source ? *j->src : j->images,
                                     .n = 2 * rn_length_reach(&m->slices, &j->now->in, 2) + 1};
    for (int i = 0; i < window.n; i++)
        window.index[i] = from_source ? 0 : step->in[i] >= 0 ? step->in[i] : -1;
    struct rn_dplane to = last ? *j->dst : rn_dplane_at(j->images, step->to);
    return rn_minmax_enqueue(&priv->minmax, j->cmd, step->op == RN_DILATE, &window, &to,
                             last ? j->e : 0, m->border, j->now->traits.margin);
}

static int enqueue_difference(const struct device_job *j, const struct rn_schedule_step *step)
{
    struct rn_dplane in[2];
    for (int i = 0; i < 2; i++) {
        in[i] = step->in[i] == RN_SOURCE ? *j->src : rn_dplane_at(j->images, step->in[i]);
        if (step->in[i] != RN_SOURCE)
            in[i].origin += j->e * in[i].stride + j->e;
    }
    return RN_LAUNCH(j->cmd, j->bound->kernel[DIFFERENCE], ((struct rn_area){0, 0, j->w, j->h}),
                     RN_ARG_PLANE(&in[0]), RN_ARG_PLANE(&in[1]), RN_ARG_PLANE(j->dst));
}

static int enqueue_joined(const struct device_job *j, const struct rn_schedule_step *step)
{
    const struct morphology *m = j->now->params;
    struct priv *priv = j->bound->priv;
    struct rn_dplane from =
        step->in[0] == RN_SOURCE ? *j->src : rn_dplane_at(j->images, step->in[0]);
    struct rn_dplane to = step->to == RN_RESULT ? *j->dst : rn_dplane_at(j->images, step->to);
    return rn_minmax_enqueue_joined(&priv->minmax, j->cmd, step, &from, &to, m->border,
                                    is_unbounded(j->now->desc->variant, m, &j->now->in.fmt));
}

static int enqueue_step(const struct device_job *j, const struct rn_schedule_step *step)
{
    struct rn_dplane to;
    switch (step->kind) {
    case RN_STEP_TAKE:
        to = rn_dplane_at(j->images, step->to);
        return rn_embed(j->cmd, j->src, &to, rn_format_sample(&j->now->in.fmt), j->e);
    case RN_STEP_OPERATE:
        return j->alone ? enqueue_joined(j, step) : enqueue_operation(j, step);
    case RN_STEP_SUBTRACT:
        return enqueue_difference(j, step);
    case RN_STEP_JOINED:
        return enqueue_joined(j, step);
    }
    return 0;
}

/* The plane of a frame that follows `frames` later in the batch; NULL stays NULL. */
static const struct rn_dplane *plane_at(const struct rn_dplane *plane, const struct rn_cmd *cmd,
                                        int frames, struct rn_dplane *moved)
{
    if (!plane)
        return NULL;
    *moved = *plane;
    rn_dplane_move(moved, cmd, frames);
    return moved;
}

/* Step number i of n calls, from call `first` on, which are alike. */
static int enqueue_alike(const struct device_job *j, const struct rn_schedule *q, int first, int n,
                         int i)
{
    const struct calls *calls = ((const struct priv *)j->bound->priv)->calls;
    int err = 0;
    for (int at = first, k; at < first + n && !err; at += k) {
        struct rn_dplane src, dst;
        struct device_job part = *j;
        for (k = 1; at + k < first + n; k++)
            if (!rn_schedule_advances(q, &calls[at].step[i], &calls[at + k].step[i], k))
                break;
        part.src = plane_at(j->src, j->cmd, at, &src);
        part.dst = plane_at(j->dst, j->cmd, at, &dst);
        part.cmd->pictures = k;
        err = enqueue_step(&part, &calls[at].step[i]);
    }
    return err;
}

/* n calls, from number `first` of the batch on, of which as many may be listed. */
static int enqueue_calls(const struct device_job *j, struct rn_schedule *q, int first, int n)
{
    struct calls *calls = ((struct priv *)j->bound->priv)->calls;
    int err = 0, to;
    for (int k = first; k < first + n; k++)
        calls[k].n =
            rn_schedule_next(q, j->cmd->tick + k, j->src != NULL, j->dst != NULL, calls[k].step);
    for (int from = first; from < first + n && !err; from = to) {
        for (to = from + 1; to < first + n; to++)
            if (!rn_schedule_alike(calls[from].step, calls[from].n, calls[to].step, calls[to].n))
                break;
        for (int i = 0; i < calls[from].n && !err; i++)
            err = enqueue_alike(j, q, from, to - from, i);
    }
    return err;
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    struct priv *priv = bound->priv;
    struct rn_schedule_step steps[RN_MAX_STEPS];
    struct device_job j = {.bound = bound,
                           .now = now,
                           .cmd = cmd,
                           .src = src ? &src->plane[p] : NULL,
                           .dst = dst ? &dst->plane[p] : NULL,
                           .e = extension(now)};
    int err = 0;
    rn_geom_plane_size(&now->in, p, &j.w, &j.h);
    if (takes_batches(bound, now)) {
        struct rn_schedule *q = &priv->schedule[p];
        int pictures = cmd->pictures;
        j.images = images_of(bound, now, priv->memory[p].mem, j.w, j.h);
        for (int first = 0; first < pictures && !err; first += q->ahead + 1)
            err = enqueue_calls(&j, q, first,
                                pictures - first > q->ahead ? q->ahead + 1 : pictures - first);
        cmd->pictures = pictures;
        return err;
    }
    j.images = rn_dplane_of(cmd, priv->memory[p].mem, j.w + 2 * j.e, j.h + 2 * j.e,
                            rn_format_bytes(&now->in.fmt), now->traits.margin);
    struct rn_element element = element_of(now->params, &now->in);
    j.alone = ((const struct morphology *)now->params)->border != RN_WRAP && !j.e &&
              rn_minmax_joins(&cmd->dev->form, &element);
    int n = device_steps(bound, now, p, cmd->tick, src != NULL, dst != NULL, steps);
    for (int i = 0; i < n && !err; i++)
        err = enqueue_step(&j, &steps[i]);
    return err;
}

static void release(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    for (int p = 0; p < RN_MAX_PLANES; p++)
        free(priv->images[p]);
    free(priv->calls);
}

#define MORPHOLOGY(name_)                                                                          \
    RN_FILTER(name_) = {                                                                           \
        .name = RN_NAMED(name_),                                                                   \
        RN_SETTINGS(struct morphology, params),                                                    \
        .variant = &name_,                                                                         \
        .source = "morphology.cl",                                                                 \
        .kernels = {[DIFFERENCE] = "difference"},                                                  \
        RN_FUNCTIONS(struct priv),                                                                 \
        .reset = reset,                                                                            \
    }

MORPHOLOGY(erosion);
MORPHOLOGY(dilation);
MORPHOLOGY(opening);
MORPHOLOGY(closing);
MORPHOLOGY(gradient);
MORPHOLOGY(tophat);
MORPHOLOGY(blackhat);
