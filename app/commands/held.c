#include "app/commands/held.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/core/chain/chain.h"
#include "filters/core/runner/runner.h"

#include <stdio.h>
#include <stdlib.h>

/* The lists double. */
static int make_room(struct rn_app_held *held, size_t room)
{
    struct rn_image *image = realloc(held->image, room * sizeof *image);
    if (image)
        held->image = image;
    struct rn_frame *frame = realloc(held->frame, room * sizeof *frame);
    if (frame)
        held->frame = frame;
    return image && frame ? 0 : rn_fail_memory();
}

/* Makes frame held->n, which does not count yet. */
static int grow(struct rn_app_held *held)
{
    size_t n = (size_t)held->n;
    int err = n & (n - 1) ? 0 : make_room(held, n ? 2 * n : 1);
    return err ? err : rn_image_alloc(&held->image[n], &held->geom);
}

int rn_app_held_read(struct rn_app_held *held, struct rn_read_source *source, int64_t most)
{
    held->geom = rn_read_stream_of(source)->geom;
    int64_t each = rn_geom_samples(&held->geom) * (rn_format_bytes(&held->geom.fmt) + 2);
    int err = 0;
    while (!err && !held->more) {
        err = grow(held);
        if (err)
            return err;
        struct rn_frame *frame = &held->frame[held->n];
        *frame = (struct rn_frame){.data = NULL};
        err = rn_read_read(source, &held->image[held->n], frame);
        rn_io_frame_release(frame);
        held->more = !err && held->n > 0 && (held->n + 1) * each > most;
        if (err || held->more)
            rn_image_free(&held->image[held->n]);
        else
            held->n++;
    }
    return err == RN_END ? 0 : err;
}

/* One frame through the reference path of a runner. */
static int convert_frame(struct rn_runner *runner, const struct rn_image *from, struct rn_image *to)
{
    struct rn_slot *slot = rn_runner_slot(runner, 0);
    rn_image_copy(from, &slot->in);
    slot->frame = (struct rn_frame){.data = NULL};
    int err = rn_runner_submit(runner, slot);
    err = err ? err : rn_runner_wait(runner, slot);
    err = err ? err : rn_image_alloc(to, &slot->out.geom);
    if (!err)
        rn_image_copy(&slot->out, to);
    return err ? err : rn_runner_recycle(runner, slot);
}

static int convert_all(struct rn_app_held *held, const struct rn_app_held *from,
                       struct rn_runner *runner)
{
    int err = 0;
    held->geom = *rn_runner_output(runner);
    held->image = calloc((size_t)from->n, sizeof *held->image);
    held->frame = calloc((size_t)from->n, sizeof *held->frame);
    if (!held->image || !held->frame)
        return rn_fail_memory();
    for (int64_t i = 0; i < from->n && !err; i++) {
        held->frame[i] = from->frame[i];
        held->n = i + 1;
        err = convert_frame(runner, &from->image[i], &held->image[i]);
    }
    return err;
}

int rn_app_held_convert(struct rn_app_held *held, const struct rn_app_held *from, int bits)
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
    err = err ? err : convert_all(held, from, runner);
    rn_runner_close(&runner);
    rn_chain_destroy(&chain);
    return err;
}

int64_t rn_app_held_bytes(const struct rn_app_held *held)
{
    return held->n * rn_geom_samples(&held->geom) * rn_format_bytes(&held->geom.fmt);
}

void rn_app_held_free(struct rn_app_held *held)
{
    for (int64_t i = 0; i < held->n; i++)
        rn_image_free(&held->image[i]);
    free(held->image);
    free(held->frame);
    *held = (struct rn_app_held){.image = NULL};
}

static int read_held(void *arg, struct rn_image *img, struct rn_frame *frame)
{
    struct rn_app_held_feed *feed = arg;
    const struct rn_app_held *held = feed->held;
    frame->data = NULL;
    if (feed->next == held->n || atomic_load(&feed->stopped))
        return RN_END;
    rn_image_copy(&held->image[feed->next], img);
    *frame = held->frame[feed->next++];
    return 0;
}

static void stop_held(void *arg)
{
    struct rn_app_held_feed *feed = arg;
    atomic_store(&feed->stopped, true);
}

struct rn_app_feed rn_app_held_feed(struct rn_app_held_feed *feed, const struct rn_app_held *held)
{
    feed->held = held;
    feed->next = 0;
    atomic_init(&feed->stopped, false);
    return (struct rn_app_feed){feed, read_held, stop_held};
}
