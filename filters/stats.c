/* Measures every frame and passes it on unchanged.
 *
 * Integers: the device counts a histogram and one dot product, both exact; the host derives
 * everything else from them. So every number is the same on every device, and p of the Lp norm may
 * be any natural number. Floats: the device only hands the samples over, because many have no fp64
 * arithmetic; the host sums in double, row by row from left to right, which is the same everywhere.
 *
 * Per plane, with n samples x, and y those of the previous frame:
 *   mean = sum x / n   variance = sum (x - mean)^2 / n, of the population
 *   l1 = sum |x|       l2 = sqrt(sum x^2)       lp = (sum |x|^p)^(1/p), scaled by the maximum
 *   linf = max |x|     entropy = -sum h/n * log2(h/n), bits per sample, h as in parts/histogram.h
 *   dot_prev = sum x*y ncc_prev = dot_prev / (l2(x) * l2(y)), the normalized correlation
 * NaN is counted nowhere. If the input has a rescale slope, x and y in all columns but entropy are
 * the rescaled values, slope * sample + intercept:
 *   mean' = slope * mean + intercept, variance' = slope^2 * variance, l1' = sum over the bins (or
 *   samples) of |slope * v + intercept|, l2', lp', linf' likewise,
 *   dot' = slope^2 * dot + slope * intercept * (sum x + sum y) + n * intercept^2
 * and three more columns follow: slope, intercept, unit.
 *
 * Complex samples have a row for each part and a third one (plane 2), of their moduli: its norms
 * are those of the complex values, sum |z|^p. Slope and intercept apply to the parts.
 *
 * The table is written as CSV, or as JSON lines whose keys are the columns. */
#include "filters/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters/parts/histogram.h"
#include "filters/base/number.h"
#include "filters/base/textout.h"
#include "filters/core/relay.h"

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
    {.name = "format",
     .unit = "",
     .help = "of the table: CSV, or one JSON object a line",
     .type = RN_CHOICE,
     .fixed = true,
     .off = RN_OFF_ENUM(struct stats, format),
     .max = FORMAT_JSON,
     .step = 1,
     .choices = format_names},
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

struct priv {
    struct rn_histogram histogram;   /* no tables: reference path, which has one */
    int64_t measured[RN_MAX_PLANES]; /* tick after which each plane was measured last, from 1; 0:
                                        never */
    struct rn_image kept;            /* reference path */
    /* device */
    struct rn_dplane previous[2][RN_MAX_PLANES]; /* one is read and the other written */
    int kept_in[RN_MAX_PLANES];                  /* which has the previous frame */
    struct rn_kernel *kernel;
    /* output */
    struct rn_textout *table;
    bool json, units; /* one format for all of it; columns for the unit */
    struct rn_measured last[RN_MAX_PLANES];
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
    traits->before = 1; /* for the dot product */
    traits->relays = true;
    traits->batches = true;
    return 0;
}

static int state_of(const struct stats *s, bool follows)
{
    return (follows ? MEASURED_AND_DOT : MEASURED) | s->p << 8;
}

/* Marks a plane as measured in this frame. Returns the state that goes with its results. */
static int mark(struct rn_bound *bound, const struct rn_snapshot *now, int p, int64_t tick)
{
    const struct stats *s = now->params;
    struct priv *priv = bound->priv;
    bool follows = tick > 0 && priv->measured[p] == tick;
    priv->measured[p] = tick + 1;
    return state_of(s, follows);
}

/* ---- reference */

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    (void)dst;
    struct priv *priv = bound->priv;
    struct head *head = (void *)((char *)call->result + (size_t)p * plane_result_bytes(bound, now));
    uint32_t *table = (void *)(head + 1);
    const struct rn_plane *s = &src->plane[p];
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    head->state = (uint64_t)mark(bound, now, p, call->tick);
    if (are_floats(now)) {
        for (int y = 0; y < s->h; y++)
            memcpy((float *)(void *)table + (size_t)y * (size_t)s->w, s->data + y * s->stride,
                   (size_t)s->w * sizeof(float));
        return 0;
    }
    if (!priv->kept.plane[0].data && rn_image_alloc(&priv->kept, &src->geom))
        return RN_EINTERNAL;
    rn_histogram_ref(s, &now->in, table);
    for (int y = 0; y < s->h; y++)
        for (int x = 0; x < s->w; x++)
            head->dot[0] += (uint64_t)((int64_t)rn_sample_get(s, sample, x, y) *
                                       (int64_t)rn_sample_get(&priv->kept.plane[p], sample, x, y));
    rn_plane_copy(s, &priv->kept.plane[p], rn_format_bytes(&now->in.fmt));
    return 0;
}

static void reset(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    memset(priv->measured, 0, sizeof priv->measured);
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
    for (int p = 0; p < rn_format_planes(&now->in.fmt) && !err && bound->dev && !floats; p++) {
        int w, h;
        rn_geom_plane_size(&now->in, p, &w, &h);
        for (int k = 0; k < 2 && !err; k++)
            if (!priv->previous[k][p].mem)
                err = rn_dplane_create(bound->dev, &priv->previous[k][p], w, h,
                                       rn_format_bytes(&now->in.fmt), 0, CL_MEM_READ_WRITE);
    }
    /* Once: what is measured keeps its format, and the thread that collects reads the tables'
     * number. */
    return err || !bound->dev || floats || priv->histogram.merge
               ? err
               : rn_histogram_prepare(&priv->histogram, bound->dev, &now->in);
}

/* Hands the plane on, and follows the frame before. *state: what goes with the results: whether the
 * plane was measured in that frame, too, by whichever lane. */
static int take_turn(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                     int p, int *state, struct rn_dplane *previous)
{
    bool follows = false;
    if (!cmd->relay) {
        *state = mark(bound, now, p, cmd->tick);
        return 0;
    }
    int err = rn_relay_pass(cmd, p);
    err = err ? err : rn_relay_follow(cmd, p, &follows, previous);
    *state = state_of(now->params, follows);
    return err;
}

/* at: where the plane's results begin, in bytes. */
static int hand_over(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                     const struct rn_dplane *s, int p, size_t at)
{
    const struct priv *priv = bound->priv;
    struct rn_dplane nothing;
    int state = 0, err = take_turn(bound, now, cmd, p, &state, &nothing);
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
    int first = mark(bound, now, p, cmd->tick), others = first;
    for (int k = 1; k < cmd->pictures; k++)
        others = mark(bound, now, p, cmd->tick + k);
    const struct rn_dplane *previous = &priv->previous[priv->kept_in[p]][p];
    priv->kept_in[p] = !priv->kept_in[p];
    return RN_LAUNCH_PICTURES(
        cmd, priv->kernel, share.items, share.group, RN_ARG_PLANE(s), RN_ARG_PLANE(previous),
        RN_ARG_PLANE(&priv->previous[priv->kept_in[p]][p]), RN_ARG_MEM(cmd->result),
        RN_ARG_INT(dot_at), RN_ARG_INT2(first, others), RN_ARG_INT(table_at), RN_ARG_INT(h->bins),
        RN_ARG_LOCAL(share.fast > sums ? share.fast : sums), share.share,
        RN_ARG_INT2(cmd->step * s->stride, (int)(cmd->result_step / sizeof(uint64_t))));
}

/* Where the frame before is, and this one is to be kept. In a relay that is for all lanes, and what
 * this one had for itself is not needed any more. */
static int find_planes(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                       const struct rn_dplane *s, int p, struct rn_dplane *previous,
                       struct rn_dplane *kept)
{
    struct priv *priv = bound->priv;
    if (cmd->relay) {
        for (int k = 0; k < 2; k++)
            rn_dplane_release(bound->dev, &priv->previous[k][p]);
        return rn_relay_place(cmd, p, s, rn_format_sample(&now->in.fmt), kept);
    }
    *previous = priv->previous[priv->kept_in[p]][p];
    priv->kept_in[p] = !priv->kept_in[p];
    *kept = priv->previous[priv->kept_in[p]][p];
    return 0;
}

static int measure_by_bands(struct rn_bound *bound, const struct rn_snapshot *now,
                            struct rn_cmd *cmd, const struct rn_dplane *s, int p, int dot_at,
                            int table_at)
{
    const struct priv *priv = bound->priv;
    struct rn_range items = {1, priv->histogram.tables, 1};
    struct rn_dplane previous, kept;
    int state = 0, err = find_planes(bound, now, cmd, s, p, &previous, &kept);
    err = err ? err : rn_histogram_count(&priv->histogram, cmd, s, &kept, cmd->result, table_at);
    err = err ? err : take_turn(bound, now, cmd, p, &state, &previous);
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
    (void)dst;
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
    rn_image_free(&priv->kept);
    free(priv->seen);
    for (int p = 0; p < RN_MAX_PLANES; p++)
        free(priv->last[p].samples);
    for (int p = 0; p < RN_MAX_PLANES; p++)
        for (int k = 0; k < 2; k++)
            rn_dplane_release(bound->dev, &priv->previous[k][p]);
}

/* ---- results */

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
    priv->json = s->format == FORMAT_JSON;
    priv->units = now->in.rescale.slope != 0;
    if (!priv->json)
        fprintf(
            rn_textout_stream(priv->table),
            "frame,time,plane,mean,variance,min,max,l1,l2,lp,linf,entropy,dot_prev,ncc_prev%s\n",
            priv->units ? ",slope,intercept,unit" : "");
    return 0;
}

/* ---- the table */

/* Since the start of the input, wherever the range begins. */
static double time_of(const struct rn_measure *m)
{
    return m->frame->start + m->frame->time;
}

enum { TEXT = 32 };

/* The texts of the columns that may be integers. */
struct texts {
    char min[TEXT], max[TEXT], l1[TEXT], linf[TEXT], dot[TEXT];
};

static void make_texts(struct texts *t, const struct rn_measure *m)
{
    rn_number_print(t->min, TEXT, m->whole ? "%.0f" : "%.10g", m->min);
    rn_number_print(t->max, TEXT, m->whole ? "%.0f" : "%.10g", m->max);
    rn_number_print(t->l1, TEXT, m->whole ? "%.0f" : "%.10g", m->l1);
    rn_number_print(t->linf, TEXT, m->whole ? "%.0f" : "%.10g", m->linf);
    if (!m->whole)
        rn_number_print(t->dot, TEXT, "%.10g", m->dot_prev);
    else if (m->fmt->number == RN_NUMBER_SIGNED)
        snprintf(t->dot, TEXT, "%lld", (long long)m->whole_dot);
    else
        snprintf(t->dot, TEXT, "%llu", (unsigned long long)m->whole_dot);
}

/* Quotes in the unit are doubled. */
static void print_csv_unit(FILE *f, const char *unit)
{
    bool quoted = strpbrk(unit, ",\"\n\r") != NULL;
    if (quoted)
        fputc('"', f);
    for (; *unit; unit++)
        fprintf(f, *unit == '"' ? "\"\"" : "%c", *unit);
    if (quoted)
        fputc('"', f);
}

/* units: the table has columns for the unit. */
static void print_csv(FILE *f, const struct rn_measure *m, const struct rn_rescale *r, bool units)
{
    struct texts t;
    make_texts(&t, m);
    rn_number_write(f, "%lld,%.6f,%d,%.10g,%.10g,%s,%s,%s,%.10g,%.10g,%s,%.10g,",
                    (long long)m->frame->index, time_of(m), m->plane, m->mean, m->variance, t.min,
                    t.max, t.l1, m->l2, m->lp, t.linf, m->entropy);
    if (m->has_previous)
        rn_number_write(f, "%s,%.10g", t.dot, m->ncc_prev);
    else
        rn_number_write(f, ",");
    if (units && r->slope != 0) {
        rn_number_write(f, ",%.10g,%.10g,", r->slope, r->intercept);
        print_csv_unit(f, r->unit);
    } else if (units) { /* a filter in front was switched on */
        fputs(",,,", f);
    }
    fputc('\n', f);
}

/* JSON has no NaN and no infinity. */
static void print_key(FILE *f, const char *key, double v)
{
    if (isfinite(v))
        rn_number_write(f, "\"%s\":%.10g,", key, v);
    else
        fprintf(f, "\"%s\":null,", key);
}

static void print_key_text(FILE *f, const char *key, double v, const char *text)
{
    fprintf(f, "\"%s\":%s,", key, isfinite(v) ? text : "null");
}

static void print_json_unit(FILE *f, const char *unit)
{
    fputs(",\"unit\":\"", f);
    for (; *unit; unit++)
        if (*unit == '"' || *unit == '\\' || (unsigned char)*unit < ' ')
            fprintf(f, "\\u%04x", (unsigned)*unit);
        else
            fputc(*unit, f);
    fputc('"', f);
}

static void print_json(FILE *f, const struct rn_measure *m, const struct rn_rescale *r, bool units)
{
    struct texts t;
    make_texts(&t, m);
    rn_number_write(f, "{\"frame\":%lld,\"time\":%.6f,\"plane\":%d,", (long long)m->frame->index,
                    time_of(m), m->plane);
    print_key(f, "mean", m->mean);
    print_key(f, "variance", m->variance);
    print_key_text(f, "min", m->min, t.min);
    print_key_text(f, "max", m->max, t.max);
    print_key_text(f, "l1", m->l1, t.l1);
    print_key(f, "l2", m->l2);
    print_key(f, "lp", m->lp);
    print_key_text(f, "linf", m->linf, t.linf);
    print_key(f, "entropy", m->entropy);
    if (m->has_previous && isfinite(m->dot_prev) && isfinite(m->ncc_prev))
        rn_number_write(f, "\"dot_prev\":%s,\"ncc_prev\":%.10g", t.dot, m->ncc_prev);
    else
        fputs("\"dot_prev\":null,\"ncc_prev\":null", f);
    if (units && r->slope != 0) {
        rn_number_write(f, ",\"slope\":%.10g,\"intercept\":%.10g", r->slope, r->intercept);
        print_json_unit(f, r->unit);
    }
    fputs("}\n", f);
}

/* Keeps the histogram of the first measured plane for the overlay: that of a scan from the smallest
 * to the largest sample, since few of the 65536 values occur. Takes over h. */
static void keep_for_overlay(struct priv *priv, uint64_t *h, const struct rn_measure *m,
                             const struct rn_geom *geom)
{
    struct texts t;
    make_texts(&t, m);
    free(priv->seen);
    priv->seen = h;
    priv->first_seen = 0;
    priv->nseen = m->bins;
    while (geom->scan && priv->nseen > 1 && !h[priv->nseen - 1])
        priv->nseen--;
    while (geom->scan && priv->first_seen < priv->nseen - 1 && !h[priv->first_seen])
        priv->first_seen++;
    bool unit = *m->unit != '\0';
    rn_number_print(priv->text, sizeof priv->text,
                    "plane %d  mean %.2f  sd %.2f  min %s  max %s%s%s\n"
                    "L1 %s  L2 %.1f  L%d %.1f  entropy %.2f",
                    m->plane, m->mean, sqrt(m->variance), t.min, t.max, unit ? "  " : "", m->unit,
                    t.l1, m->l2, m->order, m->lp, m->entropy);
}

/* Measures one plane into m and its histogram h. */
static int measure(struct rn_measure *m, struct rn_bound *bound, const struct rn_snapshot *now,
                   const struct head *head, uint64_t *h)
{
    struct priv *priv = bound->measurer->priv;
    const uint32_t *table = (const void *)(head + 1);
    int err = 0;
    if (are_floats(now)) {
        err = rn_measure_floats(m, &priv->last[m->plane], &now->in,
                                (const float *)(const void *)table, plane_samples(now), h);
    } else {
        for (int t = 0; t < tables_of(bound); t++)
            for (int v = 0; v < m->bins; v++)
                h[v] += table[(size_t)t * (size_t)m->bins + (size_t)v];
        for (int g = 0; g < DOT_GROUPS && m->has_previous; g++)
            m->whole_dot += head->dot[g];
        rn_measure_integers(m, &priv->last[m->plane], &now->in);
    }
    return err;
}

static int measure_plane(struct rn_bound *bound, const struct rn_snapshot *now,
                         const struct rn_frame *frame, int p, const struct head *head, bool first)
{
    struct priv *priv = bound->measurer->priv;
    struct rn_measure m = {.frame = frame,
                           .fmt = &now->in.fmt,
                           .plane = p,
                           .order = (int)(head->state >> 8),
                           .has_previous = (head->state & 0xff) == MEASURED_AND_DOT};
    rn_measure_bins(&m, &now->in);
    uint64_t *h = calloc((size_t)m.bins, sizeof *h);
    if (!h)
        return rn_fail_memory();
    m.histogram = h;
    int err = measure(&m, bound, now, head, h);
    if (!err && priv->table)
        (priv->json ? print_json : print_csv)(rn_textout_stream(priv->table), &m, &now->in.rescale,
                                              priv->units);
    err = err || !priv->listener ? err : priv->listener(priv->listener_arg, &m);
    if (priv->shown && first)
        keep_for_overlay(priv, h, &m, &now->in);
    else
        free(h);
    return err;
}

/* The results of a third plane, the moduli of the other two; to be freed. NULL: no memory. */
static struct head *make_moduli(const struct rn_snapshot *now, const struct head *re,
                                const struct head *im)
{
    const struct rn_rescale *r = &now->in.rescale;
    double slope = r->slope != 0 ? r->slope : 1, intercept = r->slope != 0 ? r->intercept : 0;
    size_t n = plane_samples(now);
    struct head *head = malloc(sizeof *head + n * sizeof(float));
    const float *x = (const float *)(const void *)(re + 1), *y = (const void *)(im + 1);
    float *to = head ? (float *)(void *)(head + 1) : NULL;
    if (!head)
        return NULL;
    *head = *re;
    if ((im->state & 0xff) != MEASURED_AND_DOT)
        head->state = im->state;
    for (size_t i = 0; i < n; i++)
        to[i] = (float)hypot(slope * (double)x[i] + intercept, slope * (double)y[i] + intercept);
    return head;
}

static int measure_moduli(struct rn_bound *bound, const struct rn_snapshot *now,
                          const struct rn_frame *frame, const void *result)
{
    const struct head *re = result;
    const struct head *im = (const void *)((const char *)result + plane_result_bytes(bound, now));
    struct rn_snapshot alike = *now;
    if (re->state == NOT_MEASURED || im->state == NOT_MEASURED)
        return 0;
    struct head *head = make_moduli(now, re, im);
    if (!head)
        return rn_fail_memory();
    alike.in.rescale.slope = 0;
    int err = measure_plane(bound, &alike, frame, 2, head, false);
    free(head);
    return err;
}

static int collect(struct rn_bound *bound, const struct rn_snapshot *now,
                   const struct rn_frame *frame, const void *result)
{
    struct priv *priv = bound->measurer->priv;
    if (!priv->table && !priv->shown && !priv->listener)
        return 0;
    bool first = true;
    for (int p = 0; p < rn_format_planes(&now->in.fmt); p++) {
        const struct head *head =
            (const void *)((const char *)result + (size_t)p * plane_result_bytes(bound, now));
        if (head->state == NOT_MEASURED)
            continue;
        int err = measure_plane(bound, now, frame, p, head, first);
        if (err)
            return err;
        first = false;
    }
    int err = now->in.fmt.complex ? measure_moduli(bound, now, frame, result) : 0;
    if (err)
        return err;
    return priv->table ? rn_textout_update(priv->table) : 0;
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

void rn_stats_listen(struct rn_bound *bound, rn_measure_fn *fn, void *arg)
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
};

const struct rn_stage_desc rn_stats = {
    .name = "stats",
    .help = "passes the picture on and measures it: norms, moments, entropy, correlation",
    .aliases = "signalstats, Measure, Histogram",
    .params = params,
    .params_size = sizeof(struct stats),
    .priv_size = sizeof(struct priv),
    .check = check,
    .prepare = prepare,
    .ref = ref,
    .enqueue = enqueue,
    .release = release,
    .reset = reset,
    .measuring = &measuring,
    .numbered = true,
};
