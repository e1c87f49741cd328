/* SPDX-License-Identifier: MIT */
#include "filters/learn/learn.h"

#include "filters/base/sample.h"
#include "filters/learn/gradient.h"
#include "filters/parts/threefry.h"

#include <stdlib.h>

/* SIDE: the rows of three layers, with what they need on each side, are three vectors of 16. */
enum { BATCH = 32, SIDE = 44, TILES = 192, HIDDEN = SIDE * SIDE / 50, HIDES = 2 };
enum { WIDE = SIDE + 2 * RN_NETWORK_LAYERS };

#define RATE   2e-3 /* of Adam, at first */
#define LOGITS 16   /* times as much for weights that give logits: these lie 16 from 0, samples 1 */

/* A patch: of a plane of a picture, with its first sample. */
struct rn_learn_patch {
    int picture, plane, x, y, turn;
};

static uint32_t draw(const struct rn_learn *l, uint32_t step, uint32_t patch, uint32_t what,
                     uint32_t below)
{
    const uint32_t key[2] = {l->s.seed, what}, counter[2] = {step, patch};
    uint32_t out[2];
    rn_threefry(key, counter, out);
    return (uint32_t)((uint64_t)out[0] * below >> 32);
}

/* ---- opening */

/* The first picture that is judged. */
static int first_of(const struct rn_learn *l)
{
    return l->s.held < l->s.n ? l->s.held : 0;
}

/* What is held out, in tiles; so many that they are judged in a moment. */
static int make_tiles(struct rn_learn *l)
{
    int all = 0;
    for (int pass = 0; pass < 2; pass++) {
        int i = 0, every = (all + TILES - 1) / TILES;
        for (int k = first_of(l); k < l->s.n; k++)
            for (int p = 0; p < RN_MAX_PLANES; p++)
                for (int at = 0, w = 0, h = 0; l->planes >> p & 1; at++) {
                    rn_geom_plane_size(&l->s.input->geom, p, &w, &h);
                    int across = (w + SIDE - 1) / SIDE, down = (h + SIDE - 1) / SIDE;
                    if (at == across * down)
                        break;
                    if (pass && i % every == 0)
                        l->tile[l->ntiles++] = (struct rn_learn_patch){k, p, at % across * SIDE,
                                                                       at / across * SIDE, 0};
                    i++;
                }
        all = i;
        if (!pass && !(l->tile = calloc((size_t)all, sizeof *l->tile)))
            return rn_fail_memory();
    }
    return 0;
}

static void begin_weights(struct rn_learn *l)
{
    const struct rn_network *n = &l->s.net;
    for (int k = 0; k + 1 < n->layers; k++) {
        int in = rn_network_in(n, k), count = 9 * in * rn_network_out(n, k);
        double reach = sqrt(6.0 / (9 * in));
        float *w = l->floats[0] + rn_network_at(n, k);
        for (int i = 0; i < count; i++)
            w[i] =
                (float)(((double)draw(l, (uint32_t)k, (uint32_t)i, 0, 1U << 24) / (1 << 23) - 1) *
                        reach);
    }
}

int rn_learn_open(struct rn_learn *l, struct rn_device *dev)
{
    const struct rn_learn_setup *setup = &l->s;
    struct rn_network *n = &l->s.net;
    rn_network_complete(n);
    size_t floats = rn_network_floats(n);
    l->planes = rn_geom_planes(&setup->input->geom, 0);
    float high;
    rn_network_range(n, &setup->input->geom, &l->low, &high);
    l->scale = 1 / (high - l->low);
    bool all = true;
    for (int i = 0; i < 3; i++)
        all = (l->floats[i] = calloc(floats, sizeof(float))) && all;
    l->change = calloc(floats, sizeof(float));
    l->gradient = calloc(1, sizeof *l->gradient);
    if (!all || !l->change || !l->gradient)
        return rn_fail_memory();
    begin_weights(l);
    int counted = BATCH * (setup->from == RN_LEARN_SELF ? HIDDEN : SIDE * SIDE);
    l->gradient->s = (struct rn_gradient_setup){
        .net = *n,
        .batch = BATCH,
        .side = SIDE,
        .step = (float)((setup->l1 || n->output == RN_NETWORK_PROBABILITY ? 1.0 : 2.0) / counted),
        .l1 = setup->l1,
    };
    int err = make_tiles(l);
    err = err ? err : rn_gradient_open(l->gradient, dev);
    return err;
}

void rn_learn_close(struct rn_learn *l)
{
    if (l->gradient)
        rn_gradient_close(l->gradient);
    free(l->gradient);
    for (int i = 0; i < 3; i++)
        free(l->floats[i]);
    free(l->change);
    free(l->tile);
}

/* ---- patches */

/* Where column or row k of a patch lies in the picture. side: of the patch there. */
static int place(int from, bool mirrored, int k, int side)
{
    return from + (mirrored ? side - 1 - k : k);
}

/* Likewise of all of them, from `margin` before the patch to as many behind it; those outside of a
 * picture of that size at its edge. */
static void lay_out(int from, bool mirrored, int margin, int size, int *at)
{
    for (int k = -margin; k < SIDE + margin; k++) {
        int to = place(from, mirrored, k, SIDE);
        *at++ = to < 0 ? 0 : to < size ? to : size - 1;
    }
}

static const struct rn_image *target_of(const struct rn_learn *l, int picture)
{
    return l->s.from == RN_LEARN_TARGET ? l->s.target + picture
                                        : l->s.input + (picture ^ (l->s.from == RN_LEARN_PAIR));
}

static float load(const struct rn_learn *l, const struct rn_image *img, int plane, int x, int y)
{
    return (rn_sample_get(&img->plane[plane], rn_format_sample(&img->geom.fmt), x, y) - l->low) *
           l->scale;
}

/* The sample (x, y) of patch b in the picture in the middle; and sample k of it in the target, one
 * of the network's outputs after the other. */
static float *middle_of(const struct rn_learn *l, int b, int x, int y)
{
    const struct rn_network *n = &l->s.net;
    return rn_network_sample(&l->gradient->data.in, b, n->inputs / 2, x + n->layers, y + n->layers);
}

static float *target_at(const struct rn_learn *l, int b, int k)
{
    return rn_network_sample(&l->gradient->data.target, b, k / (SIDE * SIDE), k % SIDE,
                             k / SIDE % SIDE);
}

/* Of a patch's target. */
static int samples_of(const struct rn_learn *l)
{
    return SIDE * SIDE * rn_network_out(&l->s.net, l->s.net.layers - 1);
}

/* Hides some samples of patch b behind others, and lets those alone count. */
static void hide(const struct rn_learn *l, uint32_t step, int b)
{
    int side = 2 * HIDES + 1, where[HIDDEN];
    float shown[HIDDEN], hidden[HIDDEN];
    for (int i = 0; i < HIDDEN; i++) {
        uint32_t id = (uint32_t)(b * HIDDEN + i);
        int k = (int)draw(l, step, id, 4, SIDE * SIDE);
        int by = (int)draw(l, step, id, 5, (uint32_t)(side * side - 1));
        by += by >= side * side / 2;
        where[i] = k;
        shown[i] = *middle_of(l, b, k % SIDE + by % side - HIDES, k / SIDE + by / side - HIDES);
        hidden[i] = *target_at(l, b, k);
    }
    for (int k = 0; k < SIDE * SIDE; k++)
        *target_at(l, b, k) = NAN;
    for (int i = 0; i < HIDDEN; i++) {
        *middle_of(l, b, where[i] % SIDE, where[i] / SIDE) = shown[i];
        *target_at(l, b, where[i]) = hidden[i];
    }
}

/* Fills in patch b of the batch. */
static void fill(const struct rn_learn *l, const struct rn_learn_patch *p, uint32_t step, int b)
{
    const struct rn_network *n = &l->s.net;
    int wide = SIDE + 2 * n->layers, w, h, column[WIDE], row[WIDE];
    const struct rn_image *target = target_of(l, p->picture);
    bool turned = p->turn & 4;
    rn_geom_plane_size(&l->s.input->geom, p->plane, &w, &h);
    lay_out(p->x, p->turn & 1, n->layers, w, column);
    lay_out(p->y, p->turn & 2, n->layers, h, row);
    for (int c = 0; c < n->inputs; c++) {
        int from = p->picture + c - n->inputs / 2, last = l->s.n - 1;
        const struct rn_image *img = l->s.input + (from < 0 ? 0 : from > last ? last : from);
        for (int j = 0; j < wide; j++) {
            float *to = rn_network_sample(&l->gradient->data.in, b, c, 0, j);
            for (int i = 0; i < wide; i++)
                to[i] = load(l, img, p->plane, column[turned ? j : i], row[turned ? i : j]);
        }
    }
    for (int k = 0, by = 1 + n->doubles; k < samples_of(l); k++) {
        int o = k / (SIDE * SIDE), u = by * (k % SIDE) + o % by,
            v = by * (k / SIDE % SIDE) + o / by;
        int x = place(by * p->x, p->turn & 1, turned ? v : u, by * SIDE);
        int y = place(by * p->y, p->turn & 2, turned ? u : v, by * SIDE);
        float *to = target_at(l, b, k);
        if (x >= by * w || y >= by * h)
            *to = NAN; /* the picture is smaller than a patch */
        else if (rn_network_is_mask(n))
            *to = rn_sample_get(&target->plane[0], rn_format_sample(&target->geom.fmt), x, y) ==
                  l->s.mask_white;
        else
            *to = load(l, target, p->plane, x, y);
    }
    if (l->s.from == RN_LEARN_SELF)
        hide(l, step, b);
}

/* ---- learning */

static struct rn_learn_patch choose(const struct rn_learn *l, uint32_t step, uint32_t b)
{
    int w, h, of = 0, plane = 0;
    for (int p = 0; p < RN_MAX_PLANES; p++)
        of += l->planes >> p & 1;
    for (int k = (int)draw(l, step, b, 1, (uint32_t)of); !(l->planes >> plane & 1) || k-- > 0;)
        plane++;
    struct rn_learn_patch patch = {(int)draw(l, step, b, 2, (uint32_t)l->s.held), plane, 0, 0,
                                   (int)draw(l, step, b, 3, 8)};
    rn_geom_plane_size(&l->s.input->geom, plane, &w, &h);
    patch.x = (int)draw(l, step, b, 6, (uint32_t)(w > SIDE ? w - SIDE + 1 : 1));
    patch.y = (int)draw(l, step, b, 7, (uint32_t)(h > SIDE ? h - SIDE + 1 : 1));
    return patch;
}

static void adapt(struct rn_learn *l)
{
    double t = (double)l->steps,
           rate = RATE / 2 * (1 + cos(3.14159265358979 * t / (double)l->s.steps));
    double first = 1 - pow(0.9, t + 1), second = 1 - pow(0.999, t + 1);
    const struct rn_network *n = &l->s.net;
    size_t logits = rn_network_at(n, n->layers - (n->output == RN_NETWORK_PROBABILITY));
    for (size_t i = 0; i < rn_network_floats(n); i++) {
        double g = (double)l->change[i], by = i < logits ? rate : LOGITS * rate;
        float *w = l->floats[0] + i, *m = l->floats[1] + i, *v = l->floats[2] + i;
        *m = (float)(0.9 * (double)*m + 0.1 * g);
        *v = (float)(0.999 * (double)*v + 0.001 * g * g);
        *w = (float)((double)*w - by * ((double)*m / first) / (sqrt((double)*v / second) + 1e-8));
    }
}

int rn_learn_step(struct rn_learn *l)
{
    uint32_t step = (uint32_t)l->steps + RN_NETWORK_LAYERS; /* those before drew the weights */
    for (uint32_t b = 0; b < BATCH; b++) {
        struct rn_learn_patch patch = choose(l, step, b);
        fill(l, &patch, step, (int)b);
    }
    int err = rn_gradient_compute(l->gradient, l->floats[0], l->change);
    if (err)
        return err;
    adapt(l);
    l->steps++;
    return 0;
}

/* ---- judging */

/* What the network makes of sample (x, y) of patch b, in output o. */
static float made_of(const struct rn_learn *l, int b, int o, int x, int y)
{
    float net = *rn_network_sample(&l->gradient->data.net, b, o, x, y);
    return l->s.net.output == RN_NETWORK_PROBABILITY ? rn_network_sigmoid(net)
                                                     : *middle_of(l, b, x, y) + net;
}

int rn_learn_judge(struct rn_learn *l, const struct rn_image *pictures, double *figure)
{
    double squares = 0, both = 0, either = 0, counted = 0;
    int err = 0;
    for (int i = 0; i < l->ntiles && !err; i++) {
        const struct rn_learn_patch *p = &l->tile[i];
        int b = i % BATCH;
        for (int k = 0; !b && k < BATCH && i + k < l->ntiles; k++)
            fill(l, p + k, (uint32_t)i, k);
        if (!b && !pictures)
            err = rn_gradient_forward(l->gradient, l->floats[0]);
        for (int k = 0; k < samples_of(l) && !err; k++) {
            int x = k % SIDE, y = k / SIDE % SIDE, o = k / (SIDE * SIDE); /* no tile is turned */
            float should = *target_at(l, b, k);
            if (isnan(should))
                continue;
            float is = pictures ? load(l, pictures + p->picture - first_of(l), p->plane, p->x + x,
                                       p->y + y)
                                : made_of(l, b, o, x, y);
            double e = (double)(is - should);
            squares += e * e;
            both += is >= 0.5F && should > 0;
            either += (is >= 0.5F) + (should > 0);
            counted++;
        }
    }
    *figure = rn_network_is_mask(&l->s.net) ? (either > 0 ? 2 * both / either : 1)
                                            : 10 * log10(counted / (squares > 0 ? squares : 1e-30));
    return err;
}
