#include "app/commands/cached_frames.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/core/chain/chain.h"
#include "filters/core/runner/runner.h"

#include <stdio.h>
#include <stdlib.h>

/* Allocates frame cached->n, which does not count yet. The lists double. */
static int grow(struct rn_app_cached *cached)
{
    size_t n = (size_t)cached->n, size = n ? 2 * n : 1;
    if ((n & (n - 1)) == 0) {
        struct rn_image *image = realloc(cached->image, size * sizeof *image);
        if (image)
            cached->image = image;
        struct rn_frame *frame = realloc(cached->frame, size * sizeof *frame);
        if (frame)
            cached->frame = frame;
        if (!image || !frame)
            return rn_fail_memory();
    }
    return rn_image_alloc(&cached->image[n], &cached->geom);
}

int rn_app_cached_read(struct rn_app_cached *cached, struct rn_read_source *source,
                       int64_t max_bytes)
{
    cached->geom = rn_read_stream_of(source)->geom;
    int64_t each = rn_geom_samples(&cached->geom) * (rn_format_bytes(&cached->geom.fmt) + 2);
    int err = 0;
    while (!err && !cached->more) {
        err = grow(cached);
        if (err)
            return err;
        struct rn_frame *frame = &cached->frame[cached->n];
        *frame = (struct rn_frame){.data = NULL};
        err = rn_read_read(source, &cached->image[cached->n], frame);
        rn_io_frame_release(frame);
        cached->more = !err && cached->n > 0 && (cached->n + 1) * each > max_bytes;
        if (err || cached->more)
            rn_image_free(&cached->image[cached->n]);
        else
            cached->n++;
    }
    return err == RN_END ? 0 : err;
}

/* Converts the frames by the reference path of a runner. */
static int convert_all(struct rn_app_cached *cached, const struct rn_app_cached *from,
                       struct rn_runner *runner)
{
    int err = 0;
    cached->geom = *rn_runner_output(runner);
    cached->image = calloc((size_t)from->n, sizeof *cached->image);
    cached->frame = calloc((size_t)from->n, sizeof *cached->frame);
    if (!cached->image || !cached->frame)
        return rn_fail_memory();
    for (int64_t i = 0; i < from->n && !err; i++) {
        struct rn_slot *slot = rn_runner_slot(runner, 0);
        cached->frame[i] = from->frame[i];
        cached->n = i + 1;
        rn_image_copy(&from->image[i], &slot->in);
        slot->frame = (struct rn_frame){.data = NULL};
        err = rn_runner_submit(runner, slot);
        err = err ? err : rn_runner_wait(runner, slot);
        err = err ? err : rn_image_alloc(&cached->image[i], &slot->out.geom);
        if (!err)
            rn_image_copy(&slot->out, &cached->image[i]);
        err = err ? err : rn_runner_recycle(runner, slot);
    }
    return err;
}

int rn_app_cached_convert(struct rn_app_cached *cached, const struct rn_app_cached *from, int bits)
{
    struct rn_format fmt = from->geom.fmt;
    struct rn_chain *chain = NULL;
    struct rn_runner *runner = NULL;
    char name[24], text[64];
    fmt.depth = bits;
    fmt.number = RN_NUMBER_UNSIGNED;
    snprintf(text, sizeof text, "format=%s:values=range", rn_format_name(&fmt, name));
    int err = rn_chain_parse(&chain, text);
    err = err ? err : rn_runner_open(&runner, NULL, chain, &from->geom, 1);
    err = err ? err : convert_all(cached, from, runner);
    rn_runner_close(&runner);
    rn_chain_destroy(&chain);
    return err;
}

int64_t rn_app_cached_bytes(const struct rn_app_cached *cached)
{
    return cached->n * rn_geom_samples(&cached->geom) * rn_format_bytes(&cached->geom.fmt);
}

void rn_app_cached_free(struct rn_app_cached *cached)
{
    for (int64_t i = 0; i < cached->n; i++)
        rn_image_free(&cached->image[i]);
    free(cached->image);
    free(cached->frame);
    *cached = (struct rn_app_cached){.image = NULL};
}

static int read_cached(void *arg, struct rn_image *img, struct rn_frame *frame)
{
    struct rn_app_cached_feed *feed = arg;
    const struct rn_app_cached *cached = feed->cached;
    frame->data = NULL;
    if (feed->next == cached->n || atomic_load(&feed->stopped))
        return RN_END;
    rn_image_copy(&cached->image[feed->next], img);
    *frame = cached->frame[feed->next++];
    return 0;
}

static void stop_cached(void *arg)
{
    struct rn_app_cached_feed *feed = arg;
    atomic_store(&feed->stopped, true);
}

struct rn_app_feed rn_app_cached_feed(struct rn_app_cached_feed *feed,
                                      const struct rn_app_cached *cached)
{
    feed->cached = cached;
    feed->next = 0;
    atomic_init(&feed->stopped, false);
    return (struct rn_app_feed){feed, read_cached, stop_cached};
}
