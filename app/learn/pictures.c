/* SPDX-License-Identifier: MIT */
#include "app/learn/pictures.h"

#include "app/run/pipeline.h"
#include "filters/base/owned.h"
#include "filters/base/sample.h"
#include "filters/base/text/hash.h"
#include "io/read/source.h"

#define SHIFT  4   /* pixels each way */
#define ENOUGH 0.8 /* of the error without a move */

static struct rn_image *add(struct rn_app_pictures *p, const struct rn_geom *geom)
{
    if (!rn_reserve(&p->image, &p->room, (size_t)p->n + 1, sizeof *p->image)) {
        rn_fail_memory();
        return NULL;
    }
    p->image[p->n] = (struct rn_image){.geom = {0}};
    return rn_image_alloc(&p->image[p->n], geom) ? NULL : &p->image[p->n++];
}

static void hash(struct rn_app_pictures *p, const struct rn_image *img)
{
    size_t bytes = (size_t)rn_format_bytes(&img->geom.fmt);
    for (int k = 0; k < rn_format_planes(&img->geom.fmt); k++) {
        const struct rn_plane *plane = &img->plane[k];
        for (int y = 0; y < plane->h; y++)
            p->hash = p->hash * 0x100000001b3u ^
                      rn_hash(plane->data + y * plane->stride, (size_t)plane->w * bytes);
    }
}

static int take(struct rn_app_pictures *p, const struct rn_image *img, int64_t most)
{
    int64_t bytes = rn_geom_bytes(&img->geom);
    p->cut = p->cut || bytes * (p->n + 1) > most;
    struct rn_image *copy = p->cut ? NULL : add(p, &img->geom);
    if (copy)
        rn_image_copy(img, copy);
    return p->cut || copy ? 0 : RN_EINTERNAL;
}

static int read_frame(void *source, struct rn_image *img, struct rn_frame *frame)
{
    return rn_read_read(source, img, frame);
}

int rn_app_pictures_filter(struct rn_app_pictures *p, struct rn_app_session *s, int64_t most)
{
    RN_OWNED(rn_app_pipeline_destroy) struct rn_app_pipeline *pl = NULL;
    struct rn_app_meter meter;
    struct rn_io_ledger ledger = {0};
    struct rn_frame tail;
    struct rn_slot *slot;
    const struct rn_app_feed feed = {.arg = s->source, .read = read_frame, .source = s->source};
    int err = rn_pool_start(s->pool);
    err = err ? err : rn_app_pipeline_start(&pl, feed, s->pool, NULL, NULL);
    if (err)
        return err;
    while ((err = rn_app_pipeline_next(pl, &slot)) == 0) {
        err = take(p, &slot->out, most);
        if (p->cut)
            rn_app_pipeline_interrupt(pl);
        else if (!err)
            hash(p, &slot->out);
        err = err ? rn_app_pipeline_fail(pl, err) : rn_app_pipeline_done(pl, slot);
        if (err)
            break;
    }
    rn_app_pipeline_join(pl, &meter, &ledger, &tail);
    rn_io_frame_release(&tail);
    return err == RN_END ? 0 : err;
}

int rn_app_pictures_read(struct rn_app_pictures *p, const char *input,
                         const struct rn_io_read_opts *opts, const struct rn_geom *geom,
                         const char *name)
{
    RN_OWNED(rn_read_close) struct rn_read_source *source = NULL;
    int err = rn_read_open(&source, input, opts);
    const struct rn_geom *is = err ? NULL : &rn_read_stream_of(source)->geom;
    if (!err && (is->w != geom->w || is->h != geom->h) &&
        (is->w != 2 * geom->w || is->h != 2 * geom->h))
        err = rn_fail(RN_EUSAGE, "'%s' has pictures of %d x %d, '%s' of %d x %d", input, is->w,
                      is->h, name, geom->w, geom->h);
    while (!err) {
        struct rn_frame frame = {.data = NULL};
        struct rn_image *img = add(p, is);
        err = img ? rn_read_read(source, img, &frame) : RN_EINTERNAL;
        if (!err)
            hash(p, img);
        rn_io_frame_release(&frame);
    }
    if (err == RN_END)
        rn_image_free(&p->image[--p->n]);
    return err == RN_END ? 0 : err;
}

void rn_app_pictures_free(struct rn_app_pictures *p)
{
    for (int i = 0; i < p->n; i++)
        rn_image_free(&p->image[i]);
    free(p->image);
    *p = (struct rn_app_pictures){.image = NULL};
}

int rn_app_pictures_apply(const struct rn_app_pictures *p, int first, struct rn_device *dev,
                          const char *text, struct rn_app_pictures *into)
{
    RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    RN_OWNED(rn_runner_close) struct rn_runner *runner = NULL;
    int err = rn_chain_parse(&chain, text);
    err = err ? err : rn_runner_open(&runner, dev, chain, &p->image[first].geom, 1);
    for (int i = first; i < p->n && !err; i++) {
        struct rn_slot *slot = rn_runner_slot(runner, 0);
        rn_image_copy(&p->image[i], &slot->in);
        slot->frame = (struct rn_frame){.index = i};
        err = rn_runner_submit(runner, slot);
        err = err ? err : rn_runner_wait(runner, slot);
        err = err ? err : take(into, &slot->out, INT64_MAX);
        err = err ? err : rn_runner_recycle(runner, slot);
    }
    return err;
}

bool rn_app_pictures_range(const struct rn_app_pictures *p, float *low, float *high)
{
    unsigned planes = rn_geom_planes(&p->image->geom, 0);
    enum rn_sample sample = rn_format_sample(&p->image->geom.fmt);
    *low = HUGE_VALF;
    *high = -HUGE_VALF;
    for (int id = 0; id < 2 * p->n * RN_MAX_PLANES; id++) {
        int k = id % RN_MAX_PLANES, i = id / RN_MAX_PLANES % p->n;
        const struct rn_plane *plane = &p->image[i].plane[k];
        if (!(planes >> k & 1))
            continue;
        bool again = id >= p->n * RN_MAX_PLANES;
        RN_EACH_SAMPLE (plane, x, y) {
            float v = rn_sample_get(plane, sample, x, y);
            if (again && v != *low && v != *high)
                return false;
            *low = v < *low ? v : *low;
            *high = v > *high ? v : *high;
        }
    }
    return *low < *high;
}

/* The squared error of a against b, of which sample (x, y) lies by (dx, dy) further on. */
static double error_of(const struct rn_image *a, const struct rn_image *b, int dx, int dy)
{
    const struct rn_plane *p = &a->plane[0], *q = &b->plane[0];
    enum rn_sample sample = rn_format_sample(&a->geom.fmt);
    double sum = 0;
    for (int y = SHIFT; y < p->h - SHIFT; y += 3)
        for (int x = SHIFT; x < p->w - SHIFT; x += 3) {
            double e = (double)rn_sample_get(p, sample, x, y) -
                       (double)rn_sample_get(q, sample, x + dx, y + dy);
            sum += e * e;
        }
    return sum;
}

bool rn_app_pictures_shift(const struct rn_app_pictures *a, const struct rn_app_pictures *b, int *x,
                           int *y)
{
    const struct rn_image *p = &a->image[a->n / 2], *q = &b->image[b->n / 2];
    double least = ENOUGH * error_of(p, q, 0, 0);
    *x = *y = 0;
    for (int dy = -SHIFT; dy <= SHIFT; dy++)
        for (int dx = -SHIFT; dx <= SHIFT; dx++) {
            double error = error_of(p, q, dx, dy);
            if (error >= least)
                continue;
            least = error;
            *x = -dx;
            *y = -dy;
        }
    return *x || *y;
}
