/* Measures every frame and passes it on unchanged.
 *
 * The device counts a histogram and one dot product, both exact; the host derives everything else
 * from the histogram. So every number is the same on every device, and p of the Lp norm may be any
 * natural number.
 *
 * Per plane, with n samples x, and y those of the previous frame:
 *   mean = l1 / n      variance = (n * sum x^2 - l1^2) / n^2 (of the population)
 *   l1 = sum x         l2 = sqrt(sum x^2)       lp = (sum x^p)^(1/p), scaled by the maximum
 *   linf = max         entropy = -sum h/n * log2(h/n), bits per sample
 *   dot_prev = sum x*y ncc_prev = dot_prev / (l2(x) * l2(y)), the normalized correlation
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

#define DOT_GROUPS 64

/* The block is zeroed beforehand; which planes are measured may change from frame to frame. */
enum plane_state { NOT_MEASURED, MEASURED, MEASURED_AND_DOT };

/* The block of results of one frame: for each plane of the format a head, then sums of the dot
 * product, then the tables that add up to the histogram. */
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
    struct rn_dplane previous[RN_MAX_PLANES];
    /* output */
    struct rn_textout *table;
    bool json; /* one format for all of it */
    double l2_previous[RN_MAX_PLANES];
    rn_measure_fn *listener;
    void *listener_arg;
    /* overlay */
    bool shown; /* an overlay is in use */
    uint64_t *seen;
    int nseen;
    char text[256];
};

static int tables_of(const struct rn_bound *bound)
{
    const struct priv *priv = bound->priv;
    return priv->histogram.tables ? priv->histogram.tables : 1;
}

static size_t plane_result_bytes(const struct rn_bound *bound, const struct rn_snapshot *now)
{
    size_t bins = (size_t)rn_format_max(&now->in.fmt) + 1;
    return sizeof(struct head) + sizeof(uint32_t) * (size_t)tables_of(bound) * bins;
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
    return 0;
}

/* Marks a plane as measured in this frame. Returns the state that goes with its results. */
static int state_of(struct rn_bound *bound, const struct rn_snapshot *now, int p, int64_t tick)
{
    const struct stats *s = now->params;
    struct priv *priv = bound->priv;
    bool follows = tick > 0 && priv->measured[p] == tick;
    priv->measured[p] = tick + 1;
    return (follows ? MEASURED_AND_DOT : MEASURED) | s->p << 8;
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
    int bytes = rn_format_bytes(&now->in.fmt);
    if (!priv->kept.plane[0].data && rn_image_alloc(&priv->kept, &src->geom))
        return RN_EINTERNAL;
    head->state = (uint64_t)state_of(bound, now, p, call->tick);
    rn_histogram_ref(s, &now->in.fmt, table);
    for (int y = 0; y < s->h; y++)
        for (int x = 0; x < s->w; x++)
            head->dot[0] += (uint64_t)rn_plane_get(s, bytes, x, y) *
                            (uint64_t)rn_plane_get(&priv->kept.plane[p], bytes, x, y);
    rn_plane_copy(s, &priv->kept.plane[p], bytes);
    return 0;
}

static void reset(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    memset(priv->measured, 0, sizeof priv->measured);
}

/* ---- device */

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    struct priv *priv = bound->priv;
    int err = 0;
    for (int p = 0; p < rn_format_planes(&now->in.fmt) && !err && bound->dev; p++) {
        int w, h;
        rn_geom_plane_size(&now->in, p, &w, &h);
        if (!priv->previous[p].mem)
            err = rn_dplane_create(bound->dev, &priv->previous[p], w, h,
                                   rn_format_bytes(&now->in.fmt), 0, CL_MEM_READ_WRITE);
    }
    /* Once: what is measured keeps its format, and the thread that collects reads the tables'
     * number. */
    return err || !bound->dev || priv->histogram.merge
               ? err
               : rn_histogram_prepare(&priv->histogram, bound->dev, &now->in.fmt);
}

/* The kernels write 32- and 64-bit words at these places of the block. The offsets are arguments
 * because sub-buffers would have to be aligned to the device's requirements. */
static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    (void)dst;
    struct priv *priv = bound->priv;
    const struct rn_form *form = &cmd->dev->form;
    const struct rn_dplane *s = &src->plane[p];
    size_t at = (size_t)p * plane_result_bytes(bound, now);
    int dot_at = (int)(at / sizeof(uint64_t));
    int table_at = (int)((at + sizeof(struct head)) / sizeof(uint32_t));
    int err = rn_histogram_count(&priv->histogram, cmd, s, cmd->result, table_at);
    int items = form->local_x * form->local_y;
    int rows = (s->h + form->local_y - 1) / form->local_y;
    int groups = items == 1 ? priv->histogram.tables : rows < DOT_GROUPS ? rows : DOT_GROUPS;
    struct rn_range all = {form->local_x, groups * form->local_y, 1};
    return err ? err
               : RN_LAUNCH_ITEMS(cmd, bound->kernel[0], all, RN_OWN_GROUP, RN_ARG_PLANE(s),
                                 RN_ARG_PLANE(&priv->previous[p]), RN_ARG_MEM(cmd->result),
                                 RN_ARG_INT(dot_at), RN_ARG_INT(state_of(bound, now, p, cmd->tick)),
                                 RN_ARG_LOCAL(sizeof(cl_ulong) * (size_t)items));
}

static void release(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    rn_image_free(&priv->kept);
    free(priv->seen);
    for (int p = 0; p < RN_MAX_PLANES; p++)
        rn_dplane_release(bound->dev, &priv->previous[p]);
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
    if (!priv->json)
        fprintf(rn_textout_stream(priv->table),
                "frame,time,plane,mean,variance,min,max,l1,l2,lp,linf,entropy,dot_prev,ncc_prev\n");
    return 0;
}

/* Sets the values that follow from the histogram. */
static void derive(struct rn_measure *m)
{
    unsigned __int128 squares = 0, sum = 0;
    m->min = -1;
    for (int v = 0; v < m->bins; v++) {
        uint64_t count = m->histogram[v];
        if (!count)
            continue;
        m->samples += count;
        sum += (unsigned __int128)count * (unsigned)v;
        squares += (unsigned __int128)count * (uint64_t)v * (uint64_t)v;
        m->max = v;
        m->min = m->min < 0 ? v : m->min;
    }
    double n = (double)m->samples, scaled = 0;
    m->l1 = (uint64_t)sum;
    m->mean = (double)sum / n;
    m->variance = (double)(squares * m->samples - sum * sum) / n / n;
    m->l2 = sqrt((double)squares);
    for (int v = 0; v < m->bins; v++) {
        double count = (double)m->histogram[v];
        if (count <= 0)
            continue;
        m->entropy -= count / n * log2(count / n);
        if (m->max)
            scaled += count * pow((double)v / m->max, m->order);
    }
    m->entropy = m->entropy > 0 ? m->entropy : 0; /* not -0 for a flat plane */
    m->lp = m->max ? m->max * pow(scaled, 1.0 / m->order) : 0;
}

/* Since the start of the input, wherever the range begins. */
static double time_of(const struct rn_measure *m)
{
    return m->frame->start + m->frame->time;
}

static void print_csv(FILE *f, const struct rn_measure *m)
{
    rn_number_write(f, "%lld,%.6f,%d,%.10g,%.10g,%d,%d,%llu,%.10g,%.10g,%d,%.10g,",
                    (long long)m->frame->index, time_of(m), m->plane, m->mean, m->variance, m->min,
                    m->max, (unsigned long long)m->l1, m->l2, m->lp, m->max, m->entropy);
    if (m->has_previous)
        rn_number_write(f, "%llu,%.10g\n", (unsigned long long)m->dot_prev, m->ncc_prev);
    else
        rn_number_write(f, ",\n");
}

/* Numbers only: nothing needs to be escaped. */
static void print_json(FILE *f, const struct rn_measure *m)
{
    rn_number_write(f,
                    "{\"frame\":%lld,\"time\":%.6f,\"plane\":%d,\"mean\":%.10g,\"variance\":%.10g,"
                    "\"min\":%d,\"max\":%d,\"l1\":%llu,\"l2\":%.10g,\"lp\":%.10g,\"linf\":%d,"
                    "\"entropy\":%.10g,",
                    (long long)m->frame->index, time_of(m), m->plane, m->mean, m->variance, m->min,
                    m->max, (unsigned long long)m->l1, m->l2, m->lp, m->max, m->entropy);
    if (m->has_previous)
        rn_number_write(f, "\"dot_prev\":%llu,\"ncc_prev\":%.10g}\n",
                        (unsigned long long)m->dot_prev, m->ncc_prev);
    else
        rn_number_write(f, "\"dot_prev\":null,\"ncc_prev\":null}\n");
}

/* Keeps the histogram of the first measured plane for the overlay. Takes over h. */
static void keep_for_overlay(struct priv *priv, uint64_t *h, const struct rn_measure *m)
{
    free(priv->seen);
    priv->seen = h;
    priv->nseen = m->bins;
    rn_number_print(
        priv->text, sizeof priv->text,
        "plane %d  mean %.2f  sd %.2f  min %d  max %d\nL1 %llu  L2 %.1f  L%d %.1f  entropy %.2f",
        m->plane, m->mean, sqrt(m->variance), m->min, m->max, (unsigned long long)m->l1, m->l2,
        m->order, m->lp, m->entropy);
}

static int measure_plane(struct rn_bound *bound, const struct rn_snapshot *now,
                         const struct rn_frame *frame, int p, const struct head *head, bool first)
{
    struct priv *priv = bound->priv;
    int bins = rn_format_max(&now->in.fmt) + 1, tables = tables_of(bound);
    const uint32_t *table = (const void *)(head + 1);
    uint64_t *h = calloc((size_t)bins, sizeof *h);
    if (!h)
        return rn_fail_memory();
    for (int t = 0; t < tables; t++)
        for (int v = 0; v < bins; v++)
            h[v] += table[(size_t)t * (size_t)bins + (size_t)v];
    struct rn_measure m = {.frame = frame,
                           .fmt = &now->in.fmt,
                           .plane = p,
                           .order = (int)(head->state >> 8),
                           .has_previous = (head->state & 0xff) == MEASURED_AND_DOT,
                           .histogram = h,
                           .bins = bins};
    derive(&m);
    for (int g = 0; g < DOT_GROUPS && m.has_previous; g++)
        m.dot_prev += head->dot[g];
    double both = m.l2 * priv->l2_previous[p];
    m.ncc_prev = m.has_previous && both > 0 ? (double)m.dot_prev / both : 0;
    priv->l2_previous[p] = m.l2;
    if (priv->table)
        (priv->json ? print_json : print_csv)(rn_textout_stream(priv->table), &m);
    int err = priv->listener ? priv->listener(priv->listener_arg, &m) : 0;
    if (priv->shown && first)
        keep_for_overlay(priv, h, &m);
    else
        free(h);
    return err;
}

static int collect(struct rn_bound *bound, const struct rn_snapshot *now,
                   const struct rn_frame *frame, const void *result)
{
    struct priv *priv = bound->priv;
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
    *histogram = priv->seen;
    *nbins = priv->nseen;
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
    .params = params,
    .params_size = sizeof(struct stats),
    .priv_size = sizeof(struct priv),
    .source = "stats.cl",
    .kernels = {"dot_previous"},
    .check = check,
    .prepare = prepare,
    .ref = ref,
    .enqueue = enqueue,
    .release = release,
    .reset = reset,
    .measuring = &measuring,
    .numbered = true,
};
