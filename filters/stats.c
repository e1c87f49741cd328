/* SPDX-License-Identifier: MIT */
/* Measures every frame and passes it on unchanged.
 *
 * Integers: the device counts a histogram and one dot product, both exact; the host derives
 * everything else from them. So every number is the same on every device, and p of the Lp norm may
 * be any natural number. Floats: the device only hands the samples over, because many have no fp64
 * arithmetic; the host sums in double, row by row from left to right, which is the same everywhere.
 *
 * Per plane, with n samples x, and y those of the previous frame (of a scan: in the same stack, so
 * that channels and points in time are never mixed; without slices, at the point in time before):
 *   mean = sum x / n   variance = sum (x - mean)^2 / n, of the population
 *   l1 = sum |x|       l2 = sqrt(sum x^2)       lp = (sum |x|^p)^(1/p), scaled by the maximum
 *   linf = max |x|     entropy = -sum h/n * log2(h/n), bits per sample, h as in parts/histogram.h,
 *                      or of floats in bins over the plane's own range
 *   dot_prev = sum x*y ncc_prev = dot_prev / (l2(x) * l2(y)), the normalized correlation
 * NaN is counted nowhere. If the input has a rescale slope, x and y in all columns but entropy are
 * the rescaled values, slope * sample + intercept:
 *   mean' = slope * mean + intercept, variance' = slope^2 * variance, l1' = sum over the bins (or
 *   samples) of |slope * v + intercept|, l2', lp', linf' likewise,
 *   dot' = slope^2 * dot + slope * intercept * (sum x + sum y) + n * intercept^2
 * and three more columns follow: slope, intercept, unit. Floats have the count of NaN: nan. A scan
 * with a spacing has z_mm, where the slice lies along the normal of its rows and columns; area_mm2,
 * volume_mm3 = area * distance of slices, and nonzero, the number, of stored samples that are not
 * zero; and time_s, by the step in time that the scan says. One of several channels or points in
 * time has two more behind all others: channel, time_index, as --channel and --time count.
 *
 * Complex samples have a row for each part and a third one (plane 2), of their moduli: its norms
 * are those of the complex values, sum |z|^p. Slope and intercept apply to the parts.
 *
 * The table is written as CSV, or as JSON lines whose keys are the columns. */
#include "filters/parts/texts.h"

#include "filters/parts/histogram.h"
#include "filters/parts/measure.h"
#include "filters/base/output/textout.h"
#include "filters/base/owned.h"
#include "filters/core/runner/relay.h"

struct stats {
    const char *file;
    int p, planes;
    enum format { FORMAT_CSV, FORMAT_JSON } format;
};

static const char *const format_names[] = {"csv", "json", NULL};

static const struct rn_param params[] = {
    RN_P_WRITES(struct stats, file, "table to write, - for stdout, nothing = only measure"),
    RN_P_INT(struct stats, p, 1, 1000, 1, 3, "", "order of the norm in the column lp"),
    RN_P_INT(struct stats, planes, 0, 15, 1, 0, "mask", "planes to measure, 1 = first; 0 = all"),
    RN_P_FIXED_CHOICE(struct stats, format, format_names, 2, FORMAT_CSV,
                      "of the table: CSV, or one JSON object a line"),
    RN_P_END,
};

#define DOT_GROUPS RN_HISTOGRAM_GROUPS

/* The block is zeroed beforehand; which planes are measured may change from frame to frame. */
enum plane_state { NOT_MEASURED, MEASURED, MEASURED_AND_DOT };

/* The block of results of one frame: for each plane of the format a head with sums of the dot
 * product, then the tables that add up to the histogram, or all samples if they are floats. */
struct head {
    uint64_t state; /* enum plane_state; from bit 8 on the order of the norm, as it was then */
    uint64_t dot[DOT_GROUPS];
};

/* A plane of a frame that was measured, and unless they are floats its samples: one of the two. */
struct kept {
    int64_t tick;           /* of the frame, from 1; 0: none */
    struct rn_dplane plane; /* device */
    struct rn_plane host;   /* reference path; owned */
};

struct priv {
    struct rn_histogram histogram; /* no tables: reference path, which has one */
    /* Where no relay hands frames on: room for as many as come until the next one of a stack, and
     * for one that is written meanwhile. */
    struct kept *kept[RN_MAX_PLANES];
    int nkept;
    struct rn_kernel *kernel; /* device */
    /* output */
    struct rn_textout *table;
    struct rn_measure_columns columns;
    struct rn_measured (*previous)[RN_MAX_PLANES]; /* a ring of frames, as many as take turns */
    int nprevious;
    int64_t collected; /* frames */
    rn_measure_fn *listener;
    void *listener_arg;
    /* overlay */
    bool shown; /* an overlay is in use */
    uint64_t *seen;
    int nseen, first_seen; /* bins of seen: how many, and the first that is shown */
    char text[256];
};

static int tables_of(const struct rn_bound *bound)
{
    const struct priv *priv = bound->priv;
    return priv->histogram.tables ? priv->histogram.tables : 1;
}

static bool are_floats(const struct rn_snapshot *now)
{
    return now->in.fmt.number == RN_NUMBER_FLOAT;
}

/* The distance in frames to the previous one, with which a frame is compared. */
static int previous_distance(const struct rn_snapshot *now)
{
    return now->in.turns > 1 ? now->in.turns : 1;
}

static size_t plane_samples(const struct rn_snapshot *now)
{
    return (size_t)now->in.w * (size_t)now->in.h;
}

static size_t plane_result_bytes(const struct rn_bound *bound, const struct rn_snapshot *now)
{
    size_t words = are_floats(now)
                       ? (plane_samples(now) + 1) / 2 * 2
                       : (size_t)tables_of(bound) * (size_t)rn_binning_of(&now->in).bins;
    return sizeof(struct head) + sizeof(uint32_t) * words;
}

static size_t result_bytes(const struct rn_bound *bound, const struct rn_snapshot *now)
{
    return plane_result_bytes(bound, now) * (size_t)rn_format_planes(&now->in.fmt);
}

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    const struct stats *s = stage->params;
    unsigned all = rn_geom_all_planes(in);
    traits->planes = s->planes ? (unsigned)s->planes & all : all;
    traits->before = in->turns > 1 ? in->turns : 1; /* for the dot product */
    traits->relays = true;
    traits->batches = traits->before == 1; /* each frame has the one before it beside it */
    return 0;
}

static int state_of(const struct stats *s, bool follows)
{
    return (follows ? MEASURED_AND_DOT : MEASURED) | s->p << 8;
}

/* The frame before; NULL: there is none, or the plane was not measured in it. */
static struct kept *find_previous(const struct priv *priv, const struct rn_snapshot *now, int p,
                                  int64_t tick)
{
    int64_t wanted = tick + 1 - previous_distance(now);
    for (int k = 0; k < priv->nkept && wanted > 0; k++)
        if (priv->kept[p][k].tick == wanted)
            return &priv->kept[p][k];
    return NULL;
}

/* The place for this frame: that of the oldest, which no later one is measured against. */
static struct kept *keep(struct priv *priv, int p, int64_t tick)
{
    struct kept *oldest = priv->kept[p];
    for (int k = 1; k < priv->nkept; k++)
        if (priv->kept[p][k].tick < oldest->tick)
            oldest = &priv->kept[p][k];
    oldest->tick = tick + 1;
    return oldest;
}

static int make_kept(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    int w, h, bytes = rn_format_bytes(&now->in.fmt), err = 0;
    priv->nkept = previous_distance(now) + 1;
    for (int p = 0; p < rn_format_planes(&now->in.fmt) && !err; p++) {
        if (!priv->kept[p])
            priv->kept[p] = calloc((size_t)priv->nkept, sizeof *priv->kept[p]);
        err = priv->kept[p] ? 0 : rn_fail_memory();
        rn_geom_plane_size(&now->in, p, &w, &h);
        ptrdiff_t stride = rn_row_stride(w, bytes);
        for (int k = 0; k < priv->nkept && !err && !are_floats(now); k++) {
            struct kept *kept = &priv->kept[p][k];
            if (bound->dev && !kept->plane.mem)
                err = rn_dplane_create(bound->dev, &kept->plane, w, h, bytes, 0);
            if (bound->dev || kept->host.data)
                continue;
            kept->host = (struct rn_plane){malloc((size_t)stride * (size_t)h), stride, w, h};
            err = kept->host.data ? 0 : rn_fail_memory();
        }
    }
    return err;
}

/* ---- reference */

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    struct priv *priv = bound->priv;
    struct head *head = (void *)((char *)call->result + (size_t)p * plane_result_bytes(bound, now));
    uint32_t *table = (void *)(head + 1);
    const struct rn_plane *s = &src->plane[p];
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    const struct kept *previous = find_previous(priv, now, p, call->tick);
    struct kept *kept = keep(priv, p, call->tick);
    head->state = (uint64_t)state_of(now->params, previous);
    if (are_floats(now)) {
        for (int y = 0; y < s->h; y++)
            memcpy((float *)(void *)table + (size_t)y * (size_t)s->w, s->data + y * s->stride,
                   (size_t)s->w * sizeof(float));
        return 0;
    }
    rn_histogram_ref(s, &now->in, table);
    if (previous)
        RN_EACH_SAMPLE (s, x, y)
            head->dot[0] += (uint64_t)((int64_t)rn_sample_get(s, sample, x, y) *
                                       (int64_t)rn_sample_get(&previous->host, sample, x, y));
    rn_plane_copy(s, &kept->host, rn_format_bytes(&now->in.fmt));
    return 0;
}

static void reset(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    for (int p = 0; p < RN_MAX_PLANES; p++)
        for (int k = 0; k < priv->nkept && priv->kept[p]; k++)
            priv->kept[p][k].tick = 0;
}

/* ---- device */

/* On GPUs one kernel measures it all. */
static bool by_group(const struct rn_device *dev)
{
    return dev && !rn_form_alone(&dev->form);
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    bool floats = are_floats(now);
    const char *name = floats ? "hand_over" : by_group(bound->dev) ? "measure" : "dot_previous";
    int err = bound->dev ? rn_kernel_get(bound->dev, "stats.cl", name,
                                         rn_format_sample(&now->in.fmt), &priv->kernel)
                         : 0;
    err = err ? err : make_kept(bound, now);
    /* Once: what is measured keeps its format, and the thread that collects reads the tables'
     * number. */
    return err || !bound->dev || floats || priv->histogram.merge
               ? err
               : rn_histogram_prepare(&priv->histogram, bound, &now->in, false);
}

/* In a relay: passes the plane on and gets the previous frame's. *state, for the results, says
 * whether any lane measured the plane in that frame. */
static int follow_relay(const struct rn_snapshot *now, struct rn_cmd *cmd, int p, int *state,
                        struct rn_dplane *previous)
{
    bool follows = false;
    int err = cmd->relay ? rn_relay_pass(cmd, p, previous_distance(now)) : 0;
    if (err || !cmd->relay)
        return err;
    err = rn_relay_follow(cmd, p, previous_distance(now), &follows, previous);
    *state = state_of(now->params, follows);
    return err;
}

/* at: where the plane's results begin, in bytes. */
static int hand_over(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                     const struct rn_dplane *s, int p, size_t at)
{
    struct priv *priv = bound->priv;
    struct rn_dplane nothing;
    int state = state_of(now->params, find_previous(priv, now, p, cmd->tick));
    keep(priv, p, cmd->tick);
    int err = follow_relay(now, cmd, p, &state, &nothing);
    return err ? err
               : RN_LAUNCH(cmd, priv->kernel, rn_area_of(s), RN_ARG_PLANE(s),
                           RN_ARG_MEM(cmd->result), RN_ARG_INT((int)(at / sizeof(uint32_t))),
                           RN_ARG_INT((int)(sizeof(struct head) / sizeof(uint32_t))),
                           RN_ARG_INT(state));
}

/* All pictures at once. */
static int measure_by_group(struct rn_bound *bound, const struct rn_snapshot *now,
                            struct rn_cmd *cmd, const struct rn_dplane *s, int p, int dot_at,
                            int table_at)
{
    struct priv *priv = bound->priv;
    const struct rn_histogram *h = &priv->histogram;
    struct rn_histogram_share share = rn_histogram_share(h, cmd->dev, s);
    size_t sums = sizeof(cl_ulong) * (size_t)share.group.x;
    const struct kept *previous = find_previous(priv, now, p, cmd->tick);
    const struct kept *kept = keep(priv, p, cmd->tick + cmd->pictures - 1);
    int first = state_of(now->params, previous), others = state_of(now->params, true);
    if (!previous) /* what comes of another one counts for nothing */
        previous = &priv->kept[p][kept == priv->kept[p]];
    return RN_LAUNCH_PICTURES(
        cmd, priv->kernel, share.items, share.group, RN_ARG_PLANE(s),
        RN_ARG_PLANE(&previous->plane), RN_ARG_PLANE(&kept->plane), RN_ARG_MEM(cmd->result),
        RN_ARG_INT(dot_at), RN_ARG_INT2(first, others), RN_ARG_INT(table_at), RN_ARG_INT(h->bins),
        RN_ARG_LOCAL(share.fast > sums ? share.fast : sums), share.share,
        RN_ARG_INT2(cmd->step * s->stride, (int)(cmd->result_step / sizeof(uint64_t))));
}

static int measure_by_bands(struct rn_bound *bound, const struct rn_snapshot *now,
                            struct rn_cmd *cmd, const struct rn_dplane *s, int p, int dot_at,
                            int table_at)
{
    struct priv *priv = bound->priv;
    struct rn_range items = {1, priv->histogram.tables, 1};
    struct rn_dplane previous = {.mem = NULL}, kept;
    int err = 0;
    if (cmd->relay) { /* keeps planes for all lanes: this one needs its own no more */
        for (int k = 0; k < priv->nkept; k++)
            rn_dplane_release(bound->dev, &priv->kept[p][k].plane);
        err = rn_relay_place(cmd, p, s, rn_format_sample(&now->in.fmt), &kept);
    } else {
        const struct kept *before = find_previous(priv, now, p, cmd->tick);
        kept = keep(priv, p, cmd->tick)->plane;
        if (before)
            previous = before->plane;
    }
    int state = state_of(now->params, previous.mem);
    err = err ? err : rn_histogram_count(&priv->histogram, cmd, s, &kept, cmd->result, table_at);
    err = err ? err : follow_relay(now, cmd, p, &state, &previous);
    if (!err && !previous.mem) /* what comes of it counts for nothing */
        previous = *s;
    return err ? err
               : RN_LAUNCH_ITEMS(cmd, priv->kernel, items, RN_OWN_GROUP, RN_ARG_PLANE(s),
                                 RN_ARG_PLANE(&previous), RN_ARG_MEM(cmd->result),
                                 RN_ARG_INT(dot_at), RN_ARG_INT(state));
}

/* The kernels write 32- and 64-bit words at these places of the block. The offsets are arguments
 * because sub-buffers would have to be aligned to the device's requirements. */
static int enqueue_picture(struct rn_bound *bound, const struct rn_snapshot *now,
                           struct rn_cmd *cmd, const struct rn_dplane *s, int p)
{
    size_t at = cmd->result_at + (size_t)p * plane_result_bytes(bound, now);
    if (are_floats(now))
        return hand_over(bound, now, cmd, s, p, at);
    int dot_at = (int)(at / sizeof(uint64_t));
    int table_at = (int)((at + sizeof(struct head)) / sizeof(uint32_t));
    return by_group(cmd->dev) ? measure_by_group(bound, now, cmd, s, p, dot_at, table_at)
                              : measure_by_bands(bound, now, cmd, s, p, dot_at, table_at);
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    struct rn_dplane s = src->plane[p];
    int n = cmd->pictures, err = 0;
    if (n < 2 || (by_group(cmd->dev) && !are_floats(now)))
        return enqueue_picture(bound, now, cmd, &s, p);
    cmd->pictures = 1;
    for (int k = 0; k < n && !err; k++, cmd->tick++) {
        err = enqueue_picture(bound, now, cmd, &s, p);
        rn_dplane_move(&s, cmd, 1);
        cmd->result_at += cmd->result_step;
    }
    cmd->pictures = n; /* for the next plane, too */
    cmd->tick -= n;
    cmd->result_at -= (size_t)n * cmd->result_step;
    return err;
}

static void release(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    free(priv->seen);
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        for (int k = 0; k < priv->nprevious; k++)
            free(priv->previous[k][p].samples);
        for (int k = 0; k < priv->nkept && priv->kept[p]; k++) {
            rn_dplane_release(bound->dev, &priv->kept[p][k].plane);
            free(priv->kept[p][k].host.data);
        }
        free(priv->kept[p]);
    }
    free(priv->previous);
}

/* ---- results */

static bool is_sized(const struct rn_geom *geom)
{
    return geom->scan && geom->spacing[0] > 0 && geom->spacing[1] > 0;
}

static int start(struct rn_bound *bound, const struct rn_snapshot *now)
{
    const struct stats *s = now->params;
    struct priv *priv = bound->priv;
    if (!*s->file)
        return 0;
    int err = strcmp(s->file, "-") != 0 ? rn_textout_check(s->file) : 0;
    err = err ? err : rn_textout_open(&priv->table, s->file);
    if (err)
        return err;
    priv->columns = (struct rn_measure_columns){.json = s->format == FORMAT_JSON,
                                                .units = now->in.rescale.slope != 0,
                                                .floats = are_floats(now),
                                                .sized = is_sized(&now->in),
                                                .several = now->in.several};
    rn_measure_print_head(priv->table->stream, &priv->columns);
    return 0;
}

/* Keeps the histogram of the first measured plane for the overlay: that of a scan from the smallest
 * to the largest sample, since few of the 65536 values occur. Takes over h. */
static void keep_for_overlay(struct priv *priv, uint64_t *h, const struct rn_measure *m,
                             const struct rn_geom *geom)
{
    free(priv->seen);
    priv->seen = h;
    priv->first_seen = 0;
    priv->nseen = m->bins;
    while (geom->scan && priv->nseen > 1 && !h[priv->nseen - 1])
        priv->nseen--;
    while (geom->scan && priv->first_seen < priv->nseen - 1 && !h[priv->first_seen])
        priv->first_seen++;
    rn_measure_describe(m, priv->text, sizeof priv->text);
}

static int measure_plane(struct rn_bound *bound, const struct rn_snapshot *now,
                         const struct rn_frame *frame, int p, const struct head *head, bool first)
{
    struct priv *priv = bound->measurer->priv;
    struct rn_measure m = {.frame = frame,
                           .fmt = &now->in.fmt,
                           .plane = p,
                           .order = (int)(head->state >> 8),
                           .has_previous =
                               (head->state & 0xff) == MEASURED_AND_DOT && !frame->first};
    rn_measure_bins(&m, &now->in);
    RN_OWNED(rn_free_owned) uint64_t *h = calloc((size_t)m.bins, sizeof *h);
    if (!h)
        return rn_fail_memory();
    m.histogram = h;
    /* What the previous frame left of the plane; the measuring replaces it. */
    struct rn_measured *previous = &priv->previous[priv->collected % priv->nprevious][p];
    int err = 0;
    if (are_floats(now)) {
        const float *samples = (const void *)(head + 1);
        err = rn_measure_floats(&m, previous, &now->in, samples, plane_samples(now), h);
    } else {
        const uint32_t *table = (const void *)(head + 1);
        for (int t = 0; t < tables_of(bound); t++)
            for (int v = 0; v < m.bins; v++)
                h[v] += table[(size_t)t * (size_t)m.bins + (size_t)v];
        for (int g = 0; g < DOT_GROUPS && m.has_previous; g++)
            m.whole_dot += head->dot[g];
        rn_measure_integers(&m, previous, &now->in);
    }
    const double *spacing = now->in.spacing;
    m.area_mm2 = is_sized(&now->in) ? (double)m.nonzero * spacing[0] * spacing[1] : 0;
    m.volume_mm3 = m.area_mm2 * spacing[2];
    if (!err && priv->table)
        rn_measure_print_row(priv->table->stream, &priv->columns, &m, &now->in.rescale);
    err = err || !priv->listener ? err : priv->listener(priv->listener_arg, &m);
    if (priv->shown && first)
        keep_for_overlay(priv, rn_take_owned(&h), &m, &now->in);
    return err;
}

/* Measures a third plane, of the moduli of the other two. */
static int measure_moduli(struct rn_bound *bound, const struct rn_snapshot *now,
                          const struct rn_frame *frame, const struct head *re,
                          const struct head *im)
{
    const struct rn_rescale *r = &now->in.rescale;
    double slope = r->slope != 0 ? r->slope : 1, intercept = r->slope != 0 ? r->intercept : 0;
    struct rn_snapshot rescaled = *now;
    if (re->state == NOT_MEASURED || im->state == NOT_MEASURED)
        return 0;
    size_t n = plane_samples(now);
    RN_OWNED(rn_free_owned) struct head *head = malloc(sizeof *head + n * sizeof(float));
    if (!head)
        return rn_fail_memory();
    const float *x = (const void *)(re + 1), *y = (const void *)(im + 1);
    float *to = (void *)(head + 1);
    *head = *re;
    if ((im->state & 0xff) != MEASURED_AND_DOT)
        head->state = im->state;
    for (size_t i = 0; i < n; i++)
        to[i] = (float)hypot(slope * (double)x[i] + intercept, slope * (double)y[i] + intercept);
    rescaled.in.rescale.slope = 0;
    return measure_plane(bound, &rescaled, frame, 2, head, false);
}

static int collect(struct rn_bound *bound, const struct rn_snapshot *now,
                   const struct rn_frame *frame, const void *result)
{
    struct priv *priv = bound->measurer->priv;
    if (!priv->table && !priv->shown && !priv->listener)
        return 0;
    if (!priv->previous) {
        priv->nprevious = previous_distance(now);
        priv->previous = calloc((size_t)priv->nprevious, sizeof *priv->previous);
        if (!priv->previous)
            return rn_fail_memory();
    }
    const struct head *head[RN_MAX_PLANES];
    bool first = true;
    int err = 0;
    for (int p = 0; p < rn_format_planes(&now->in.fmt) && !err; p++) {
        head[p] = (const void *)((const char *)result + (size_t)p * plane_result_bytes(bound, now));
        if (head[p]->state == NOT_MEASURED)
            continue;
        err = measure_plane(bound, now, frame, p, head[p], first);
        first = false;
    }
    if (!err && now->in.fmt.complex)
        err = measure_moduli(bound, now, frame, head[0], head[1]);
    priv->collected++;
    return err || !priv->table ? err : rn_textout_update(priv->table);
}

static int stop(struct rn_bound *bound, bool complete)
{
    struct priv *priv = bound->priv;
    return rn_textout_close(&priv->table, complete ? RN_TEXT_COMPLETE : RN_TEXT_PARTIAL);
}

static void show(struct rn_bound *bound, char *text, size_t size, const uint64_t **histogram,
                 int *nbins)
{
    struct priv *priv = bound->priv;
    priv->shown = true;
    snprintf(text, size, "%s", priv->text);
    *histogram = priv->seen ? priv->seen + priv->first_seen : NULL;
    *nbins = priv->nseen - priv->first_seen;
}

static void listen(struct rn_bound *bound, rn_measure_fn *fn, void *arg)
{
    struct priv *priv = bound->priv;
    priv->listener = fn;
    priv->listener_arg = arg;
}

static const struct rn_measuring measuring = {
    .bytes = result_bytes,
    .start = start,
    .collect = collect,
    .stop = stop,
    .show = show,
    .listen = listen,
};

RN_FILTER(stats) = {
    .name = RN_NAMED(stats),
    RN_SETTINGS(struct stats, params),
    RN_FUNCTIONS(struct priv),
    .reset = reset,
    .measuring = &measuring,
    .numbered = true,
};
