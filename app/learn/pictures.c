/* SPDX-License-Identifier: MIT */
#include "app/learn/pictures.h"

#include "app/run/pipeline.h"
#include "filters/base/owned.h"
#include "filters/base/sample.h"
#include "io/common/media.h"
#include "io/read/source.h"

#include <stdlib.h>
#include <string.h>

#define SHIFT 4 /* pixels each way */

static struct rn_image *add(struct rn_app_pictures *p, const struct rn_geom *geom)
{
    if (!(p->n & (p->n - 1))) { /* a power of two, or 0 */
        struct rn_image *more = realloc(p->image, (size_t)(p->n ? 2 * p->n : 1) * sizeof *more);
        if (!more) {
            rn_fail_memory();
            return NULL;
        }
        p->image = more;
    }
    p->image[p->n] = (struct rn_image){.geom = {0}};
    return rn_image_alloc(&p->image[p->n], geom) ? NULL : &p->image[p->n++];
}

static int take(struct rn_app_pictures *p, const struct rn_image *img, int64_t most)
{
    int64_t bytes = rn_geom_samples(&img->geom) * rn_format_bytes(&img->geom.fmt);
    p->cut = p->cut || bytes * (p->n + 1) > most;
    struct rn_image *copy = p->cut ? NULL : add(p, &img->geom);
    if (copy)
        rn_image_copy(img, copy);
    return p->cut || copy ? 0 : RN_EINTERNAL;
}

int rn_app_pictures_filter(struct rn_app_pictures *p, struct rn_app_session *s, int64_t most)
{
    struct rn_app_pipeline *pl;
    struct rn_app_meter meter;
    struct rn_io_ledger ledger = {0};
    struct rn_frame tail;
    struct rn_slot *slot;
    const struct rn_app_feed feed = {
        s->source, (int (*)(void *, struct rn_image *, struct rn_frame *))rn_read_read, s->source};
    int err = rn_pool_start(s->pool);
    err = err ? err : rn_app_pipeline_start(&pl, feed, s->pool, NULL, NULL);
    if (err)
        return err;
    while ((err = rn_app_pipeline_next(pl, &slot)) == 0) {
        err = take(p, &slot->out, most);
        if (p->cut)
            rn_app_pipeline_interrupt(pl);
        err = err ? rn_app_pipeline_fail(pl, err) : rn_app_pipeline_done(pl, slot);
        if (err)
            break;
    }
    rn_app_pipeline_join(pl, &meter, &ledger, &tail);
    rn_io_frame_release(&tail);
    rn_app_pipeline_destroy(&pl);
    return err == RN_END ? 0 : err;
}

int rn_app_pictures_read(struct rn_app_pictures *p, const char *input,
                         const struct rn_io_read_opts *opts, const struct rn_geom *geom,
                         const char *name)
{
    struct rn_read_source *source = NULL;
    int err = rn_read_open(&source, input, opts), n = 0;
    const struct rn_geom *is = err ? NULL : &rn_read_stream_of(source)->geom;
    if (!err && (is->w != geom->w || is->h != geom->h))
        err = rn_fail(RN_EUSAGE, "'%s' has pictures of %d x %d, '%s' of %d x %d", input, is->w,
                      is->h, name, geom->w, geom->h);
    while (!err) {
        struct rn_frame frame = {.data = NULL};
        struct rn_image *img = add(p, is);
        err = img ? rn_read_read(source, img, &frame) : RN_EINTERNAL;
        rn_io_frame_release(&frame);
        n += !err;
    }
    if (err == RN_END)
        rn_image_free(&p->image[--p->n]);
    rn_read_close(&source);
    return err == RN_END ? 0 : err;
}

/* Plane after plane: the sum so far and the plane's rows without gaps make the next one. */
int rn_app_pictures_sign(const struct rn_app_pictures *p, char md5[RN_DIGEST])
{
    const struct rn_geom *geom = &p->image->geom;
    size_t bytes = (size_t)rn_format_bytes(&geom->fmt);
    RN_OWNED(rn_free_owned) char *packed = malloc(RN_DIGEST + (size_t)geom->w * geom->h * bytes);
    if (!packed)
        return rn_fail_memory();
    memset(packed, 0, RN_DIGEST);
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < rn_format_planes(&geom->fmt); k++) {
            const struct rn_plane *plane = &p->image[i].plane[k];
            size_t row = (size_t)plane->w * bytes;
            for (int y = 0; y < plane->h; y++)
                memcpy(packed + RN_DIGEST + (size_t)y * row, plane->data + y * plane->stride, row);
            rn_io_digest(packed, RN_DIGEST + row * (size_t)plane->h, md5);
            memcpy(packed, md5, RN_DIGEST);
        }
    return 0;
}

void rn_app_pictures_free(struct rn_app_pictures *p)
{
    for (int i = 0; i < p->n; i++)
        rn_image_free(&p->image[i]);
    free(p->image);
    *p = (struct rn_app_pictures){.image = NULL};
}

static void destroy_chain(struct rn_chain **chain)
{
    rn_chain_destroy(chain);
}

int rn_app_pictures_apply(const struct rn_app_pictures *p, int first, struct rn_device *dev,
                          const char *text, struct rn_app_pictures *into)
{
    RN_OWNED(destroy_chain) struct rn_chain *chain = NULL;
    struct rn_runner *runner = NULL;
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
    rn_runner_close(&runner);
    return err;
}

bool rn_app_pictures_range(const struct rn_app_pictures *p, float *low, float *high)
{
    unsigned planes = rn_geom_planes(&p->image->geom, 0);
    enum rn_sample sample = rn_format_sample(&p->image->geom.fmt);
    bool begun = false, between = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < p->n; i++)
            for (int k = 0; k < RN_MAX_PLANES; k++) {
                if (!(planes >> k & 1))
                    continue;
                const struct rn_plane *plane = &p->image[i].plane[k];
                RN_EACH_SAMPLE (plane, x, y) {
                    float v = rn_sample_get(plane, sample, x, y);
                    if (pass) {
                        between = between || (v != *low && v != *high);
                        continue;
                    }
                    *low = !begun || v < *low ? v : *low;
                    *high = !begun || v > *high ? v : *high;
                    begun = true;
                }
            }
    return !between && *low < *high;
}

bool rn_app_pictures_equal(const struct rn_app_pictures *a, const struct rn_app_pictures *b)
{
    bool same = rn_format_equal(&a->image->geom.fmt, &b->image->geom.fmt);
    for (int i = 0; i < a->n && i < b->n && same; i++)
        for (int k = 0; k < rn_format_planes(&a->image->geom.fmt) && same; k++) {
            const struct rn_plane *p = &a->image[i].plane[k], *q = &b->image[i].plane[k];
            size_t bytes = (size_t)p->w * (size_t)rn_format_bytes(&a->image->geom.fmt);
            for (int y = 0; y < p->h && same; y++)
                same = !memcmp(p->data + y * p->stride, q->data + y * q->stride, bytes);
        }
    return same;
}

void rn_app_pictures_shift(const struct rn_app_pictures *a, const struct rn_app_pictures *b, int *x,
                           int *y, double *better)
{
    const struct rn_plane *p = &a->image[a->n / 2].plane[0], *q = &b->image[b->n / 2].plane[0];
    enum rn_sample sample = rn_format_sample(&a->image->geom.fmt);
    double none = 0, least = 0;
    *x = *y = 0;
    *better = 1;
    for (int at = 0; at < (2 * SHIFT + 1) * (2 * SHIFT + 1); at++) {
        int k = (at + (2 * SHIFT + 1) * SHIFT + SHIFT) % ((2 * SHIFT + 1) * (2 * SHIFT + 1));
        int dx = k % (2 * SHIFT + 1) - SHIFT, dy = k / (2 * SHIFT + 1) - SHIFT; /* 0, 0 first */
        double sum = 0;
        for (int v = SHIFT; v < p->h - SHIFT; v += 3)
            for (int u = SHIFT; u < p->w - SHIFT; u += 3) {
                double e = (double)rn_sample_get(p, sample, u, v) -
                           (double)rn_sample_get(q, sample, u + dx, v + dy);
                sum += e * e;
            }
        none = at ? none : sum;
        if (at && sum >= least)
            continue;
        least = sum;
        *x = -dx;
        *y = -dy;
    }
    *better = none > 0 ? least / none : 1;
}
