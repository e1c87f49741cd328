/* SPDX-License-Identifier: MIT */
#include "app/play/view/thumbs.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "filters/base/log.h"
#include "filters/base/threads/locked.h"
#include "filters/base/threads/thread.h"

#define MAX_BYTES  (8 << 20)
#define MAX_THUMBS 256
#define NICENESS   10
#define MAX_WIDTH  160
#define MAX_HEIGHT 120

struct cached {
    double time; /* of the request */
    struct rn_frame frame;
    struct rn_image image;
    unsigned used; /* by the clock below; 0: never */
};

struct rn_play_thumbs {
    const char *input;
    struct rn_io_read_opts opts;
    struct rn_thread thread;
    struct rn_monitor monitor;
    struct rn_image copy;          /* of the thumbnail that the caller has */
    struct rn_read_source *source; /* the thread's; to interrupt it: protected by lock */
    /* -- protected by lock: */
    struct cached cached[MAX_THUMBS];
    int max_cached; /* 0: the source is not open */
    unsigned clock;
    double wanted_time, last_time; /* wanted_time: NAN: no request */
    bool news, stop;
};

/* ---- in the thread */

/* Pictures that are not scaled are rarely large. */
static void choose_size(struct rn_io_read_opts *opts, const struct rn_io_stream *stream)
{
    const struct rn_geom *geom = &stream->geom;
    const struct rn_io_rational *a = &stream->aspect;
    double aspect = a->num > 0 && a->den > 0 ? (double)a->num / a->den : 1;
    double w = geom->w * fmax(1, aspect), h = geom->h * fmax(1, 1 / aspect);
    double by = fmin(1, fmin(MAX_WIDTH / w, MAX_HEIGHT / h));
    if (geom->fmt.number != RN_NUMBER_UNSIGNED || geom->scan)
        return;
    opts->geometry.scale.w = 2 * (int)fmax(1, w * by / 2);
    opts->geometry.scale.h = 2 * (int)fmax(1, h * by / 2);
}

static int open_source(struct rn_play_thumbs *t)
{
    struct rn_read_source *source = NULL;
    int err = rn_read_open(&source, t->input, &t->opts);
    if (err)
        return err;
    const struct rn_geom *geom = &rn_read_stream_of(source)->geom;
    int64_t bytes = rn_geom_samples(geom) * rn_format_bytes(&geom->fmt);
    int64_t fitting = bytes > 0 ? MAX_BYTES / bytes : 1;
    RN_LOCKED(&t->monitor.lock);
    t->source = source;
    t->max_cached = fitting > MAX_THUMBS ? MAX_THUMBS : fitting < 4 ? 4 : (int)fitting;
    return 0;
}

/* Reads the frame that was sought into image, which is made if there is none. */
static int read_one(struct rn_play_thumbs *t, struct rn_image *image, struct rn_frame *frame)
{
    int err = image->plane[0].data ? 0 : rn_image_alloc(image, &rn_read_stream_of(t->source)->geom);
    err = err ? err : rn_read_read(t->source, image, frame);
    rn_io_frame_release(frame);
    return err;
}

/* The lock is held, and let go meanwhile. */
static void find_last(struct rn_play_thumbs *t)
{
    struct rn_image image = {0};
    struct rn_frame frame;
    rn_monitor_unlock(&t->monitor);
    int err = rn_read_seek_last(t->source);
    err = err ? err : read_one(t, &image, &frame);
    rn_image_free(&image);
    rn_monitor_lock(&t->monitor);
    t->last_time = err ? -1 : frame.time;
    t->news = true;
}

static void find_picture(struct rn_play_thumbs *t)
{
    double time = t->wanted_time;
    struct cached *k = &t->cached[0]; /* the oldest */
    for (int i = 1; i < t->max_cached; i++)
        k = t->cached[i].used < k->used ? &t->cached[i] : k;
    struct rn_image image = k->image;
    struct rn_frame frame;
    *k = (struct cached){0}; /* no request finds it meanwhile */
    rn_monitor_unlock(&t->monitor);
    int err = rn_read_seek(t->source, time);
    err = err ? err : read_one(t, &image, &frame);
    if (err == RN_END && !rn_read_seek_last(t->source))
        err = read_one(t, &image, &frame);
    rn_monitor_lock(&t->monitor);
    k->image = image;
    if (!err)
        *k = (struct cached){time, frame, image, ++t->clock};
    t->wanted_time = t->wanted_time == time ? NAN : t->wanted_time;
    t->news |= !err; /* a failure would be requested again at once */
}

static void *work(void *arg)
{
    struct rn_play_thumbs *t = arg;
    rn_log_mute(true);                      /* the player's source has logged the same */
    setpriority(PRIO_PROCESS, 0, NICENESS); /* of this thread alone */
    int err = open_source(t);
    RN_LOCKED(&t->monitor.lock);
    bool found = false;
    while (!t->stop && !err) {
        if (!isnan(t->wanted_time)) {
            find_picture(t);
        } else if (!found) {
            find_last(t);
            found = true;
        } else {
            rn_monitor_wait(&t->monitor);
        }
    }
    return NULL;
}

/* ---- the player's */

int rn_play_thumbs_open(struct rn_play_thumbs **thumbs, const char *input,
                        const struct rn_io_read_opts *opts, const struct rn_io_stream *stream)
{
    struct rn_play_thumbs *t = *thumbs = calloc(1, sizeof *t);
    if (!t)
        return rn_fail_memory();
    t->input = input;
    t->opts = *opts;
    t->opts.threads = 1;
    t->opts.pictures_only = true;
    t->opts.index_mode = RN_FRAME_INDEX_APPROXIMATE;
    t->opts.losses = NULL;
    t->wanted_time = NAN;
    t->last_time = -1;
    choose_size(&t->opts, stream);
    rn_monitor_init(&t->monitor);
    int err = rn_thread_start(&t->thread, "thumbnails", work, t);
    if (err)
        rn_play_thumbs_close(thumbs);
    return err;
}

void rn_play_thumbs_close(struct rn_play_thumbs **thumbs)
{
    struct rn_play_thumbs *t = *thumbs;
    if (!t)
        return;
    rn_monitor_lock(&t->monitor);
    t->stop = true;
    if (t->source)
        rn_read_interrupt(t->source);
    rn_monitor_tell(&t->monitor);
    rn_monitor_unlock(&t->monitor);
    rn_thread_join(&t->thread);
    rn_monitor_destroy(&t->monitor);
    rn_read_close(&t->source);
    for (int i = 0; i < MAX_THUMBS; i++)
        rn_image_free(&t->cached[i].image);
    rn_image_free(&t->copy);
    free(t);
    *thumbs = NULL;
}

bool rn_play_thumbs_get(struct rn_play_thumbs *t, double time, struct rn_play_thumb *thumb)
{
    RN_LOCKED(&t->monitor.lock);
    struct cached *k = NULL;
    for (int i = 0; i < t->max_cached && !k; i++)
        if (t->cached[i].used && t->cached[i].time == time)
            k = &t->cached[i];
    bool got = k && (t->copy.plane[0].data || !rn_image_alloc(&t->copy, &k->image.geom));
    if (got) {
        k->used = ++t->clock;
        rn_image_copy(&k->image, &t->copy);
        *thumb = (struct rn_play_thumb){k->frame, &t->copy};
    }
    t->wanted_time = k ? NAN : time;
    rn_monitor_tell(&t->monitor);
    return got;
}

bool rn_play_thumbs_poll(struct rn_play_thumbs *t, double *last_time)
{
    RN_LOCKED(&t->monitor.lock);
    bool news = t->news;
    t->news = false;
    *last_time = t->last_time;
    return news;
}
