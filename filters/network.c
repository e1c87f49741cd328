/* SPDX-License-Identifier: MIT */
/* A network that `runnel learn` has made, or another program. filters/parts/network/network.h has
 * its arithmetic.
 *
 * On CPUs the layers are computed band by band of rows, so that what lies between two of them stays
 * near the core; the rows at the end of a band are computed twice. A file that changes is read
 * again, as for kernels of one's own. */
#include "filters/base/owned.h"
#include "filters/parts/network/layers.h"
#include "filters/parts/ring.h"
#include "filters/parts/texts.h"
#include "filters/parts/watched.h"

#define MARGIN RN_NETWORK_LAYERS /* a changed file may have more layers; none is read */

struct network {
    const char *file;
    const char *model; /* what is in it */
    float strength;
    enum rn_border border;
    int planes;
};

static const struct rn_param params[] = {
    RN_P_MODEL(struct network, file, model, "what `runnel learn` writes, or an ONNX file"),
    RN_P_FLOAT(struct network, strength, 0, 2, 0.05, 1, "", "how much of the change is made"),
    RN_P_BORDER(struct network),
    RN_P_PLANES(struct network),
    RN_P_END,
};

/* kernels */
enum { LOAD, STORE, DOUBLE };

struct priv {
    struct rn_network_bound bound;
    const char *model;                  /* whose weights these are */
    float low, high;                    /* the samples that go in as 0 and as 1 */
    int replaces;                       /* samples, as kernels/network.cl numbers it */
    struct rn_ring ring[RN_MAX_PLANES]; /* of the frames that are kept, if the net takes several */
    struct rn_network_memory in, slot[RN_NETWORK_SLOTS], out;
    /* reference path: what is kept, as gray images */
    struct rn_image kept[RN_MAX_PLANES][RN_NETWORK_INPUTS];
    /* device: the same, plane after plane */
    struct rn_scratch stack[RN_MAX_PLANES];
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
    const struct network *s = stage->params;
    struct rn_network net;
    int err = parse(s, &net, NULL);
    if (err)
        return err;
    traits->margin = MARGIN;
    traits->delay = (net.inputs - 1) / 2;
    if (rn_network_is_mask(&net))
        rn_traits_drop_unit(traits);
    if (net.doubles) {
        traits->planes = rn_geom_all_planes(in);
        traits->out.w *= 2;
        traits->out.h *= 2;
        if (traits->out.w > RN_MAX_SIDE || traits->out.h > RN_MAX_SIDE)
            return rn_fail(RN_EUSAGE, "network: twice %d x %d is too large", in->w, in->h);
        if (in->scan) /* its header, which is passed on, has spacing and place of the input */
            return rn_fail(RN_EUSAGE,
                           "network: '%s' doubles the size, which is for video: "
                           "a scan would keep its spacing and its place",
                           s->file);
    }
    return 0;
}

/* Those of the file, put where they are computed. */
static int load_model(struct rn_bound *bound, const struct network *s)
{
    struct priv *priv = bound->priv;
    struct rn_network net;
    RN_OWNED(rn_free_owned) float *floats = NULL;
    int err = parse(s, &net, &floats);
    for (int p = 0; !err && p < RN_MAX_PLANES && net.inputs != priv->bound.net.inputs; p++)
        rn_ring_reset(&priv->ring[p], net.inputs);
    err = err ? err : rn_network_bind(&priv->bound, bound->dev, &net, floats, false);
    priv->model = err ? NULL : s->model;
    return err;
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    const struct network *s = now->params;
    struct priv *priv = bound->priv;
    int err = priv->model == s->model ? 0 : load_model(bound, s), n = priv->bound.net.inputs;
    rn_network_range(&priv->bound.net, &now->in, &priv->low, &priv->high);
    enum rn_network_output output = priv->bound.net.output;
    priv->replaces = output == RN_NETWORK_VALUE ? 2 : output == RN_NETWORK_PROBABILITY;
    for (int p = 0; p < rn_format_planes(&now->in.fmt) && bound->dev && n > 1 && !err; p++) {
        int w, h;
        rn_geom_plane_size(&now->in, p, &w, &h);
        size_t kept = rn_layout(&bound->dev->form, w, h, rn_format_bytes(&now->in.fmt), 0).bytes;
        err = rn_scratch_reserve(bound->dev, &priv->stack[p], kept * (size_t)n);
    }
    return err;
}

static void reset(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    for (int p = 0; p < RN_MAX_PLANES; p++)
        rn_ring_reset(&priv->ring[p], priv->bound.net.inputs);
}

/* ---- layers */

/* The planes of a picture that go in. */
static int begin(struct rn_bound *bound, int w, int h, struct rn_network_planes *in)
{
    struct priv *priv = bound->priv;
    const struct rn_network *net = &priv->bound.net;
    return rn_network_lay_out(bound->dev, &priv->in, w, h, net->reach + net->pads, net->inputs, 1,
                              in);
}

/* All layers, from `in`, whose origin is that of the picture without the extension, to *out. cmd:
 * NULL: in plain C. */
static int pass(struct rn_bound *bound, struct rn_cmd *cmd, const struct rn_network_planes *in,
                int w, int h, struct rn_network_planes *out)
{
    struct priv *priv = bound->priv;
    const struct rn_network *net = &priv->bound.net;
    struct rn_network_planes between[RN_NETWORK_SLOTS] = {0}, to[RN_NETWORK_MOST];
    bool whole = bound->dev && !rn_form_alone(&bound->dev->form);
    const int64_t most = whole ? 1 << 30 : 1 << 20; /* bytes of a layer */
    int64_t rows = most / ((int64_t)net->width * (w + 2 * net->reach) * 4);
    int least = net->reach < 4 ? 16 : 4 * net->reach;
    rows = rows < least ? least : rows;
    int band = rows < h ? (int)rows : h, wide = 2 * net->reach + 2 * net->pads;
    int planes = rn_network_out(net, net->layers - 1);
    int err = rn_network_lay_out(bound->dev, &priv->out, w, h, 0, planes, 1, out);
    for (int i = 0; i < net->slots && !err; i++) {
        err = rn_network_lay_out(bound->dev, &priv->slot[i], w + wide, band + wide, 0, net->width,
                                 1, &between[i]);
        between[i].origin = net->pads * between[i].stride; /* what is left of the first row */
    }
    for (int y = 0; y < h && !err; y += band) {
        struct rn_network_planes from = *in;
        int n = h - y < band ? h - y : band;
        from.origin += y * in->stride - net->reach * (in->stride + 1);
        for (int l = 0; l + 1 < net->layers; l++)
            to[l] = between[net->layer[l].slot];
        to[net->layers - 1] = *out;
        to[net->layers - 1].origin += y * out->stride;
        err = rn_network_forward(&priv->bound, cmd, &from, to, w, n, y, h - y - n, 1);
    }
    return err;
}

/* Is plane p one that the net changes? One that doubles the size writes the others, too. */
static bool is_changed(const struct rn_bound *bound, const struct rn_snapshot *now, int p)
{
    const struct network *s = now->params;
    const struct priv *priv = bound->priv;
    return !priv->bound.net.doubles || rn_geom_planes(&now->in, s->planes) >> p & 1;
}

/* ---- reference */

static void load_plane(struct rn_bound *bound, const struct rn_snapshot *now,
                       const struct rn_plane *s, const struct rn_network_planes *to, int c)
{
    const struct network *settings = now->params;
    const struct priv *priv = bound->priv;
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    int reach = priv->bound.net.reach;
    float low = priv->low, scale = 1 / (priv->high - low);
    for (int y = -reach; y < s->h + reach; y++)
        for (int x = -reach; x < s->w + reach; x++) {
            bool is_zero = priv->bound.net.pads && (x < 0 || x >= s->w || y < 0 || y >= s->h);
            float v = is_zero ? low : rn_sample_around(s, sample, settings->border, x, y);
            *rn_network_sample(to, 0, c, x, y) = (v - low) * scale;
        }
}

static int ref(struct rn_bound *bound, const struct rn_snapshot *now, const struct rn_call *call,
               const struct rn_image *src, struct rn_image *dst, int p)
{
    const struct network *settings = now->params;
    struct priv *priv = bound->priv;
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    int n = priv->bound.net.inputs, err = 0;
    const struct rn_plane *plane[RN_NETWORK_INPUTS] = {src ? &src->plane[p] : NULL};
    struct rn_network_planes in, out;
    if (n > 1 && src)
        err = rn_image_keep_plane(&priv->kept[p][rn_ring_push(&priv->ring[p], call->tick)], src, p);
    if (err || !dst)
        return err;
    for (int i = 0; i < n && n > 1; i++)
        plane[i] =
            priv->kept[p][rn_ring_find(&priv->ring[p], call->tick - n + 1 + i, RN_CLAMP)].plane;
    struct rn_plane *d = &dst->plane[p];
    const struct rn_plane *s = plane[n / 2];
    bool changed = is_changed(bound, now, p);
    err = begin(bound, s->w, s->h, &in);
    for (int i = 0; i < n && !err && changed; i++)
        load_plane(bound, now, plane[i], &in, i);
    err = err || !changed ? err : pass(bound, NULL, &in, s->w, s->h, &out);
    if (err)
        return err;
    float strength = settings->strength, scale = strength * (priv->high - priv->low);
    float keep = 1 - strength, low = strength * priv->low;
    int by = 1 + priv->bound.net.doubles;
    RN_EACH_SAMPLE (d, x, y) {
        float v = rn_sample_get(s, sample, x / by, y / by);
        if (changed) {
            float net = *rn_network_sample(&out, 0, y % by * by + x % by, x / by, y / by);
            float to = priv->replaces == 1 ? rn_network_sigmoid(net) : net;
            v = priv->replaces ? v * keep + (low + to * scale) : v + net * scale;
        }
        rn_sample_put(d, sample, x, y, rn_round_sample(&now->in.fmt, v));
    }
    return 0;
}

/* ---- device */

static int load(const struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                const struct rn_dplane *s, const struct rn_network_planes *to, int c)
{
    const struct priv *priv = bound->priv;
    const struct network *settings = now->params;
    int reach = priv->bound.net.reach;
    bool pads = priv->bound.net.pads; /* with what goes in as 0 */
    struct rn_area area = {-reach, -reach, s->w + reach, s->h + reach};
    struct rn_dplane d = {to->mem, to->origin + c * to->pitch, to->stride, s->w, s->h, 0};
    return RN_LAUNCH(cmd, bound->kernel[LOAD], area, RN_ARG_PLANE(s), RN_ARG_PLANE(&d),
                     RN_ARG_FLOAT(priv->low), RN_ARG_FLOAT(1 / (priv->high - priv->low)),
                     RN_ARG_INT(pads ? RN_ZERO : (int)settings->border),
                     RN_ARG_FLOAT(pads ? priv->low : 0));
}

/* Place i of what is kept of plane p. */
static struct rn_dplane kept_at(const struct rn_bound *bound, const struct rn_snapshot *now, int p,
                                int i)
{
    const struct priv *priv = bound->priv;
    int w, h;
    rn_geom_plane_size(&now->in, p, &w, &h);
    return rn_dplane_at(
        rn_dplane_in(&bound->dev->form, priv->stack[p].mem, w, h, rn_format_bytes(&now->in.fmt), 0),
        i);
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct network *settings = now->params;
    struct priv *priv = bound->priv;
    enum rn_sample sample = rn_format_sample(&now->in.fmt);
    int n = priv->bound.net.inputs, err = 0;
    struct rn_dplane kept[RN_NETWORK_INPUTS];
    struct rn_network_planes in, out;
    if (src) {
        kept[0] = src->plane[p];
        if (n > 1) {
            kept[0] = kept_at(bound, now, p, rn_ring_push(&priv->ring[p], cmd->tick));
            err = rn_embed(cmd, &src->plane[p], &kept[0], sample, 0);
        }
    }
    if (err || !dst)
        return err;
    for (int i = 0; i < n && n > 1; i++)
        kept[i] =
            kept_at(bound, now, p, rn_ring_find(&priv->ring[p], cmd->tick - n + 1 + i, RN_CLAMP));
    const struct rn_dplane *d = &dst->plane[p], *s = &kept[n / 2];
    bool changed = is_changed(bound, now, p), doubles = priv->bound.net.doubles;
    out = in = (struct rn_network_planes){.mem = s->mem};
    err = changed ? begin(bound, s->w, s->h, &in) : 0;
    for (int i = 0; i < n && !err && changed; i++)
        err = load(bound, now, cmd, &kept[i], &in, i);
    err = err || !changed ? err : pass(bound, cmd, &in, s->w, s->h, &out);
    if (err)
        return err;
    const struct rn_arg args[] = {
        RN_ARG_PLANE(s),
        RN_ARG_PLANE(d),
        RN_NETWORK_PLANES(out),
        RN_ARG_FLOAT(settings->strength * (priv->high - priv->low)),
        RN_ARG_FLOAT(rn_geom_white(&now->in)),
        RN_ARG_INT(priv->replaces),
        RN_ARG_FLOAT(settings->strength * priv->low),
        RN_ARG_FLOAT(1 - settings->strength),
        RN_ARG_INT(!changed),
    };
    int count = (int)(sizeof args / sizeof *args) - !doubles;
    return rn_launch(cmd, bound->kernel[doubles ? DOUBLE : STORE], rn_area_of(d), args, count);
}

static void release(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    rn_network_unbind(&priv->bound, bound->dev);
    rn_network_release(bound->dev, &priv->in);
    rn_network_release(bound->dev, &priv->out);
    for (int i = 0; i < RN_NETWORK_SLOTS; i++)
        rn_network_release(bound->dev, &priv->slot[i]);
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        for (int i = 0; i < RN_NETWORK_INPUTS; i++)
            rn_image_free(&priv->kept[p][i]);
        if (bound->dev)
            rn_scratch_release(bound->dev, &priv->stack[p]);
    }
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
    int err = rn_watched_look(&priv->watched, bound, s->file, s->model, &model, changed);
    if (err || !model)
        return err;
    err = rn_network_parse(&net, model, rn_intern_size(model), "", NULL, why);
    const struct rn_network *is = &priv->bound.net;
    if (!err && (net.inputs != is->inputs || net.doubles != is->doubles))
        err =
            snprintf(why, sizeof why, "it takes other slices or sizes: begin anew") ? RN_EUSAGE : 0;
    if (err == RN_EUSAGE) {
        rn_watched_warn(bound, NULL, "'%s': %s", s->file, why);
        *changed = true;
        return 0;
    }
    *attempt = err ? NULL : malloc(sizeof **attempt);
    if (!*attempt)
        return err ? err : rn_fail_memory();
    **attempt = (struct rn_attempt){s->file, model};
    return 0;
}

static int take_attempt(struct rn_bound *bound, const struct rn_snapshot *now,
                        struct rn_stage *stage, struct rn_attempt *attempt, bool *changed)
{
    struct network *s = stage->params;
    *changed = s->file == attempt->file;
    if (!*changed)
        return 0;
    s->model = attempt->model;
    rn_watched_taken(bound, s->file);
    return 0;
}

static void drop_attempt(struct rn_attempt *attempt)
{
    free(attempt);
}

static const struct rn_reload reloading = {
    .declare = declare,
    .look = look,
    .take = take_attempt,
    .drop = drop_attempt,
};

RN_FILTER(network) = {
    .name = RN_NAMED(network),
    RN_SETTINGS(struct network, params),
    RN_FUNCTIONS(struct priv),
    .source = "network.cl",
    .kernels = {"network_load", "network_store", "network_double"},
    .reset = reset,
    .reload = &reloading,
};
