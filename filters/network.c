/* SPDX-License-Identifier: MIT */
/* A network that `runnel learn` has made. filters/parts/network/network.h has its arithmetic.
 *
 * On CPUs the layers are computed band by band of rows, so that what lies between two of them stays
 * near the core; the rows at the end of a band are computed twice. A file that changes is read
 * again, as for kernels of one's own. */
#include <stdlib.h>

#include "filters/base/owned.h"
#include "filters/core/chain/stage.h"
#include "filters/parts/network/layers.h"
#include "filters/parts/ring.h"
#include "filters/parts/texts.h"
#include "filters/parts/watched.h"

#define MARGIN RN_NETWORK_LAYERS /* a changed file may have more layers */

struct network {
    const char *file;
    const char *model; /* what is in it */
    float strength;
    enum rn_border border;
    int planes;
};

static const struct rn_param params[] = {
    RN_P_MODEL(struct network, file, model, "the model, which `runnel learn` writes"),
    RN_P_FLOAT(struct network, strength, 0, 2, 0.05, 1, "",
               "how much of the change is made; of a mask: how much it covers the picture"),
    RN_P_BORDER(struct network),
    RN_P_PLANES(struct network),
    RN_P_END,
};

/* kernels */
enum { LOAD, STORE, LEVEL };

struct priv {
    struct rn_network net;
    float *floats;     /* its weights */
    const char *model; /* whose they are */
    float table[511];  /* of a mask: limits, then the sample of each level */
    struct rn_ring
        ring[RN_MAX_PLANES]; /* of the frames that are kept, where the net takes several */
    struct rn_image kept[RN_MAX_PLANES][RN_NETWORK_INPUTS]; /* reference path: as gray images */
    /* device */
    struct rn_kernel *layer, *last;
    cl_mem weight[RN_NETWORK_LAYERS], tables;
    struct rn_scratch stack[RN_MAX_PLANES]; /* what is kept, plane after plane */
    struct rn_scratch in, floor[2], net_out;
    struct rn_watched watched;
};

/* ---- settings */

/* floats: may be NULL, as for rn_network_parse. */
static int parse(const struct network *s, struct rn_network *net, float **floats)
{
    char why[RN_TEXT_WHY];
    if (!*s->file)
        return rn_fail(RN_EUSAGE, "network: the model's file is missing: network=file=MODEL");
    int err = rn_network_parse(net, s->model, rn_intern_size(s->model), "", floats, why);
    return err == RN_EUSAGE ? rn_fail(err, "network: '%s' is no model: %s", s->file, why) : err;
}

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    struct rn_network net;
    int err = parse(stage->params, &net, NULL);
    if (err)
        return err;
    traits->margin = MARGIN;
    traits->delay = (net.inputs - 1) / 2;
    if (net.mask)
        rn_traits_drop_unit(traits);
    return 0;
}

/* The rows that are computed together. */
static int band_of(const struct rn_bound *bound, const struct rn_network *net, int w, int h)
{
    const int64_t near = 1 << 20, most = 1 << 30; /* bytes of a layer */
    bool whole = bound->dev && !rn_form_alone(&bound->dev->form);
    int64_t rows = (whole ? most : near) / ((int64_t)net->width * (w + 2 * net->layers) * 4);
    rows = rows < 16 ? 16 : rows;
    return rows < h ? (int)rows : h;
}

static void fill_tables(struct priv *priv, const struct rn_geom *geom)
{
    double black = (double)rn_geom_black(geom), white = (double)rn_geom_white(geom);
    for (int k = 1; k < 256; k++)
        priv->table[k - 1] = rn_network_logit(k);
    for (int k = 0; k < 256; k++)
        priv->table[255 + k] = (float)(black + (white - black) * k / 255);
}

static int upload(struct rn_bound *bound, const float *floats)
{
    struct priv *priv = bound->priv;
    const struct rn_network *net = &priv->net;
    int err = rn_network_get(bound->dev, &priv->layer, &priv->last);
    for (int l = 0; l < net->layers && !err; l++) {
        int in = rn_network_in(net, l), out = rn_network_out(net, l);
        size_t n = rn_network_packed(in, out);
        const float *weight = floats + rn_network_at(net, l);
        RN_OWNED(rn_free_owned) float *packed = malloc(n * sizeof *packed);
        if (!packed)
            return rn_fail_memory();
        rn_network_pack(weight, weight + 9 * in * out, in, out, false, packed);
        err = rn_buffer_from(bound->dev, packed, n * sizeof *packed, &priv->weight[l]);
    }
    return err;
}

static struct rn_dplane stack_of(const struct rn_bound *bound, const struct rn_snapshot *now, int p)
{
    const struct priv *priv = bound->priv;
    int w, h;
    rn_geom_plane_size(&now->in, p, &w, &h);
    return rn_dplane_in(&bound->dev->form, priv->stack[p].mem, w, h, rn_format_bytes(&now->in.fmt),
                        MARGIN);
}

/* Memory for plane p. */
static int reserve(struct rn_bound *bound, const struct rn_snapshot *now, int p)
{
    struct priv *priv = bound->priv;
    const struct rn_network *net = &priv->net;
    size_t in, between, out, kept;
    int w, h, wide = 2 * net->layers;
    rn_geom_plane_size(&now->in, p, &w, &h);
    int band = band_of(bound, net, w, h);
    rn_network_lay_out(w + wide, h + wide, 0, net->inputs, 1, &in);
    rn_network_lay_out(w + wide - 2, band + wide - 2, 0, net->width, 1, &between);
    rn_network_lay_out(w, h, 0, 1, 1, &out);
    kept = rn_layout(&bound->dev->form, w, h, rn_format_bytes(&now->in.fmt), MARGIN).bytes;
    int err = rn_scratch_reserve(bound->dev, &priv->in, in);
    for (int i = 0; i < 2; i++)
        err = err ? err : rn_scratch_reserve(bound->dev, &priv->floor[i], between);
    err = err ? err : rn_scratch_reserve(bound->dev, &priv->net_out, out);
    return err || net->inputs == 1
               ? err
               : rn_scratch_reserve(bound->dev, &priv->stack[p], kept * (size_t)net->inputs);
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    const struct network *s = now->params;
    struct priv *priv = bound->priv;
    struct rn_network before = priv->net;
    int err = 0;
    if (priv->model != s->model) {
        float *floats;
        if ((err = parse(s, &priv->net, &floats)) != 0)
            return err;
        free(priv->floats);
        priv->floats = floats;
        priv->model = s->model;
        err = bound->dev ? upload(bound, floats) : 0;
    }
    for (int p = 0; p < RN_MAX_PLANES && priv->net.inputs != before.inputs; p++)
        rn_ring_reset(&priv->ring[p], priv->net.inputs);
    fill_tables(priv, &now->traits.out);
    if (!err && bound->dev)
        err = rn_buffer_from(bound->dev, priv->table, sizeof priv->table, &priv->tables);
    for (int p = 0; p < rn_format_planes(&now->in.fmt) && !err && bound->dev; p++)
        if (now->traits.planes >> p & 1)
            err = reserve(bound, now, p);
    return err;
}

static void reset(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    for (int p = 0; p < RN_MAX_PLANES; p++)
        rn_ring_reset(&priv->ring[p], priv->net.inputs);
}

/* ---- reference */

/* Keeps plane p of a frame. */
static int keep(struct priv *priv, const struct rn_image *src, int p, int64_t tick)
{
    return rn_image_keep_plane(&priv->kept[p][rn_ring_push(&priv->ring[p], tick)], src, p);
}

/* What the first layer takes of rows from y on: `rows` of them, with the border. */
static void load_rows(const struct rn_network *net, const struct rn_snapshot *now,
                      const struct rn_plane *s, int y, int rows, float *to, int stride)
{
    const struct network *settings = now->params;
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    float low, high;
    rn_network_range(net, &now->in, &low, &high);
    float scale = 1 / (high - low);
    for (int row = 0; row < rows; row++)
        for (int x = 0; x < s->w + 2 * net->layers; x++) {
            float v = rn_sample_around(s, sample, settings->border, x - net->layers,
                                       y + row - net->layers);
            to[(size_t)row * stride + x] = (v - low) * scale;
        }
}

static void store_row(const struct priv *priv, const struct rn_snapshot *now,
                      const struct rn_plane *s, const float *net, int y, struct rn_plane *d)
{
    const struct network *settings = now->params;
    const struct rn_format *fmt = &now->in.fmt;
    enum rn_sample sample = rn_format_sample(fmt);
    float low, high;
    rn_network_range(&priv->net, &now->in, &low, &high);
    float scale = settings->strength * (high - low);
    for (int x = 0; x < d->w; x++) {
        float v = rn_sample_get(s, sample, x, y);
        int level = 0;
        while (level < 255 && net[x] >= priv->table[level])
            level++;
        v += priv->net.mask ? (priv->table[255 + level] - v) * settings->strength : net[x] * scale;
        rn_sample_put(d, sample, x, y, rn_round_sample(fmt, v));
    }
}

/* plane: those that the net takes; the one in the middle is changed. */
static int filter(const struct priv *priv, const struct rn_snapshot *now,
                  const struct rn_plane *const plane[], struct rn_plane *d)
{
    const struct rn_network *net = &priv->net;
    const int w = d->w, stride = w + 2 * net->layers, band = 32, rows = band + 2 * net->layers;
    size_t pitch = (size_t)stride * (size_t)rows;
    int most = net->width > net->inputs ? net->width : net->inputs;
    RN_OWNED(rn_free_owned) float *memory = malloc(2 * (size_t)most * pitch * sizeof *memory);
    if (!memory)
        return rn_fail_memory();
    struct rn_network_planes at[2] = {{memory, stride, (int)pitch},
                                      {memory + (size_t)most * pitch, stride, (int)pitch}};
    for (int y = 0; y < d->h; y += band) {
        int h = d->h - y < band ? d->h - y : band;
        for (int c = 0; c < net->inputs; c++)
            load_rows(net, now, plane[c], y, h + 2 * net->layers, at[0].data + c * pitch, stride);
        for (int l = 0; l < net->layers; l++) {
            int in = rn_network_in(net, l), out = rn_network_out(net, l);
            int more = 2 * (net->layers - 1 - l);
            const float *weight = priv->floats + rn_network_at(net, l);
            rn_network_plain(&at[l % 2], in, &at[!(l % 2)], out, w + more, h + more, weight,
                             weight + 9 * in * out, l + 1 < net->layers);
        }
        for (int row = 0; row < h; row++)
            store_row(priv, now, plane[net->inputs / 2],
                      at[net->layers % 2].data + (size_t)row * stride, y + row, d);
    }
    return 0;
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    struct priv *priv = bound->priv;
    int n = priv->net.inputs;
    const struct rn_plane *plane[RN_NETWORK_INPUTS] = {src ? &src->plane[p] : NULL};
    int err = n > 1 && src ? keep(priv, src, p, call->tick) : 0;
    if (err || !dst)
        return err;
    for (int i = 0; i < n && n > 1; i++)
        plane[i] =
            &priv->kept[p][rn_ring_find(&priv->ring[p], call->tick - n + 1 + i, RN_CLAMP)].plane[0];
    return filter(priv, now, plane, &dst->plane[p]);
}

/* ---- device */

static int load(const struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                const struct rn_dplane *s, const struct rn_network_dplanes *to, int c)
{
    const struct priv *priv = bound->priv;
    int reach = priv->net.layers;
    float low, high;
    rn_network_range(&priv->net, &now->in, &low, &high);
    struct rn_area area = {-reach, -reach, s->w + reach, s->h + reach};
    struct rn_dplane d = {to->mem, c * to->pitch + reach * (to->stride + 1), to->stride, s->w, s->h,
                          0};
    return RN_LAUNCH(cmd, bound->kernel[LOAD], area, RN_ARG_PLANE(s), RN_ARG_PLANE(&d),
                     RN_ARG_FLOAT(low), RN_ARG_FLOAT(1 / (high - low)));
}

static int store(const struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                 const struct rn_dplane *s, const struct rn_network_dplanes *net,
                 const struct rn_dplane *d)
{
    const struct priv *priv = bound->priv;
    const struct network *settings = now->params;
    struct rn_dplane from = {net->mem, 0, net->stride, d->w, d->h, 0};
    float low, high, white = rn_geom_white(&now->in);
    rn_network_range(&priv->net, &now->in, &low, &high);
    if (priv->net.mask)
        return RN_LAUNCH(cmd, bound->kernel[LEVEL], rn_area_of(d), RN_ARG_PLANE(s), RN_ARG_PLANE(d),
                         RN_ARG_PLANE(&from), RN_ARG_MEM(priv->tables),
                         RN_ARG_FLOAT(settings->strength), RN_ARG_FLOAT(white));
    return RN_LAUNCH(cmd, bound->kernel[STORE], rn_area_of(d), RN_ARG_PLANE(s), RN_ARG_PLANE(d),
                     RN_ARG_PLANE(&from), RN_ARG_FLOAT(settings->strength * (high - low)),
                     RN_ARG_FLOAT(white));
}

/* All layers, from what is loaded to the plane behind the last. */
static int pass(const struct rn_bound *bound, struct rn_cmd *cmd,
                const struct rn_network_dplanes *in, const struct rn_network_dplanes *out, int w,
                int h)
{
    const struct priv *priv = bound->priv;
    const struct rn_network *net = &priv->net;
    int band = band_of(bound, net, w, h), err = 0, wide = 2 * (net->layers - 1);
    size_t bytes;
    struct rn_network_dplanes between =
        rn_network_lay_out(w + wide, band + wide, 0, net->width, 1, &bytes);
    for (int y = 0; y < h && !err; y += band) {
        int rows = h - y < band ? h - y : band;
        struct rn_network_dplanes from = *in;
        from.origin += y * in->stride;
        for (int l = 0; l < net->layers && !err; l++) {
            bool last = l + 1 == net->layers;
            struct rn_network_dplanes to = last ? *out : between;
            to.mem = last ? out->mem : priv->floor[l % 2].mem;
            to.origin += last ? y * out->stride : 0;
            int more = 2 * (net->layers - 1 - l);
            const struct rn_network_step step = {.in = from,
                                                 .out = to,
                                                 .inputs = rn_network_in(net, l),
                                                 .outputs = rn_network_out(net, l),
                                                 .w = w + more,
                                                 .h = rows + more,
                                                 .pictures = 1,
                                                 .weight = priv->weight[l],
                                                 .flags = last ? 0 : RN_NETWORK_RELU};
            err = rn_network_enqueue(cmd, priv->layer, priv->last, &step);
            from = to;
        }
    }
    return err;
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    struct priv *priv = bound->priv;
    const struct network *settings = now->params;
    const struct rn_network *net = &priv->net;
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    int n = net->inputs, err = 0, wide = 2 * net->layers;
    struct rn_dplane kept[RN_NETWORK_INPUTS];
    if (src) {
        kept[0] = src->plane[p];
        if (n > 1) {
            kept[0] =
                rn_dplane_at(stack_of(bound, now, p), rn_ring_push(&priv->ring[p], cmd->tick));
            err = rn_embed(cmd, &src->plane[p], &kept[0], sample, 0);
        }
        err = err ? err
                  : rn_fill_border(cmd, &kept[0], sample, net->layers, net->layers,
                                   settings->border, 0);
    }
    if (err || !dst)
        return err;
    const struct rn_dplane *d = &dst->plane[p];
    size_t bytes;
    struct rn_network_dplanes in = rn_network_lay_out(d->w + wide, d->h + wide, 0, n, 1, &bytes);
    struct rn_network_dplanes out = rn_network_lay_out(d->w, d->h, 0, 1, 1, &bytes);
    in.mem = priv->in.mem;
    out.mem = priv->net_out.mem;
    for (int i = 0; i < n && !err; i++) {
        if (n > 1)
            kept[i] = rn_dplane_at(stack_of(bound, now, p),
                                   rn_ring_find(&priv->ring[p], cmd->tick - n + 1 + i, RN_CLAMP));
        err = load(bound, now, cmd, &kept[i], &in, i);
    }
    err = err ? err : pass(bound, cmd, &in, &out, d->w, d->h);
    return err ? err : store(bound, now, cmd, &kept[n / 2], &out, d);
}

static void release(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    free(priv->floats);
    rn_watched_drop_alert(&priv->watched);
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        for (int i = 0; i < RN_NETWORK_INPUTS; i++)
            rn_image_free(&priv->kept[p][i]);
        if (bound->dev)
            rn_scratch_release(bound->dev, &priv->stack[p]);
    }
    if (!bound->dev)
        return;
    for (int l = 0; l < RN_NETWORK_LAYERS; l++)
        rn_buffer_release(bound->dev, &priv->weight[l]);
    rn_buffer_release(bound->dev, &priv->tables);
    struct rn_scratch *scratch[] = {&priv->in, &priv->floor[0], &priv->floor[1], &priv->net_out};
    for (int i = 0; i < 4; i++)
        rn_scratch_release(bound->dev, scratch[i]);
}

/* ---- reloading */

struct rn_attempt {
    const char *file, *model; /* interned */
};

static int declare(struct rn_stage *stage, const struct rn_param *row)
{
    struct rn_network net;
    return parse(stage->params, &net, NULL);
}

static int look(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_attempt **attempt,
                bool *changed)
{
    const struct network *s = now->params;
    struct priv *priv = bound->priv;
    struct rn_network net;
    char why[RN_TEXT_WHY];
    const char *model;
    int err =
        rn_watched_look(&priv->watched, &params[0], "network", s->file, s->model, &model, changed);
    if (err || !model)
        return err;
    err = rn_network_parse(&net, model, rn_intern_size(model), "", NULL, why);
    if (!err && net.inputs != priv->net.inputs)
        err = snprintf(why, sizeof why, "it takes other slices: begin anew") ? RN_EUSAGE : 0;
    if (err == RN_EUSAGE) {
        rn_watched_warn(&priv->watched, "network", NULL, "'%s': %s", s->file, why);
        *changed = true;
        return 0;
    }
    *attempt = err ? NULL : malloc(sizeof **attempt);
    if (!*attempt)
        return err ? err : rn_fail_memory();
    **attempt = (struct rn_attempt){s->file, model};
    return 0;
}

static int build_attempt(struct rn_attempt *attempt, struct rn_device *dev)
{
    return 0;
}

static int take_attempt(struct rn_bound *bound, const struct rn_snapshot *now,
                        struct rn_stage *stage, struct rn_attempt *attempt, bool *changed)
{
    struct network *s = stage->params;
    struct priv *priv = bound->priv;
    *changed = s->file == attempt->file;
    if (!*changed)
        return 0;
    s->model = attempt->model;
    rn_watched_drop_alert(&priv->watched);
    rn_log(RN_LOG_INFO, "network: '%s' is new and runs", s->file);
    return 0;
}

static void drop_attempt(struct rn_attempt *attempt)
{
    free(attempt);
}

static const char *file_of(const struct rn_attempt *attempt)
{
    return attempt->file;
}

static const char *alert(const struct rn_bound *bound)
{
    const struct priv *priv = bound->priv;
    return priv->watched.alert;
}

static const struct rn_reload reloading = {
    .declare = declare,
    .look = look,
    .build = build_attempt,
    .take = take_attempt,
    .drop = drop_attempt,
    .file = file_of,
    .alert = alert,
};

RN_FILTER(network) = {
    .name = RN_NAMED(network),
    RN_SETTINGS(struct network, params),
    RN_FUNCTIONS(struct priv),
    .source = "network.cl",
    .kernels = {"network_load", "network_store", "network_level"},
    .reset = reset,
    .reload = &reloading,
};
