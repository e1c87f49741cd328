/* SPDX-License-Identifier: MIT */
#include "app/play/loop/reader.h"

#include "filters/base/clock.h"
#include "filters/base/log.h"
#include "filters/base/threads/locked.h"
#include "filters/base/threads/thread.h"
#include "io/read/decode/cached_picture.h"

/* Bytes of decoded frames to cache before the first seek, which may never come. */
#define JUST_PLAYED ((size_t)32 << 20)

struct rn_play_reader {
    struct rn_read_source *source;
    struct rn_thread thread;
    struct rn_monitor monitor;
    /* -- of the thread: */
    struct rn_play_cache *cache; /* NULL: none */
    int64_t next;                /* index of the frame to read; -1: whatever the source gives */
    int64_t in_source;           /* index of the frame that the source gives next; -1: unknown */
    double time;                 /* of the frame before `next` */
    bool at_start;               /* before the first read and the first seek */
    bool sought_now;             /* the source has given no frame since its seek */
    bool carries;                /* see rn_play_reader_seek; of the last seek that was done */
    int64_t reused;              /* frames that came out of the cache */
    struct rn_slot first;        /* in place of a runner's: see rn_play_reader_first */
    /* -- protected by lock: */
    struct rn_slot **idle, **filled; /* arrays for all slots */
    int nidle, nfilled;
    int sought, done; /* counts of requested and of tried seeks */
    bool refused;
    struct rn_play_goal goal;
    bool carry;         /* of the last seek that was asked for */
    size_t cache_limit; /* of the cache from the first seek on, bytes */
    bool ended, stop;
    bool paused, busy; /* reads no frame; reads a frame or seeks now */
    int err;
};

static void put_idle(struct rn_play_reader *r, struct rn_slot *slot)
{
    rn_io_frame_release(&slot->frame);
    r->idle[r->nidle++] = slot;
}

/* ---- decoded frames that are cached */

static void release(void *item)
{
    struct rn_read_cached_picture *decoded = item;
    rn_read_cached_picture_release(&decoded);
}

static void keep(struct rn_play_reader *r, struct rn_read_cached_picture *decoded)
{
    if (!decoded)
        return;
    rn_play_cache_put(r->cache, &(struct rn_play_cached){.index = decoded->frame.index,
                                                         .time = decoded->frame.time,
                                                         .bare = !decoded->extra,
                                                         .bytes = decoded->bytes,
                                                         .item = decoded});
}

static void keep_passed(struct rn_play_reader *r)
{
    struct rn_read_cached_picture *decoded;
    while (r->cache && (decoded = rn_read_take_passed_picture(r->source)) != NULL)
        keep(r, decoded);
}

static bool is_enough(const struct rn_play_reader *r, const struct rn_play_cached *cached)
{
    return cached && !(cached->bare && r->carries);
}

/* The frame of a goal in the cache; NULL: not cached. */
static const struct rn_play_cached *find(struct rn_play_reader *r, const struct rn_play_goal *goal)
{
    if (!r->cache)
        return NULL;
    const struct rn_play_cached *last = rn_play_cache_last(r->cache);
    bool behind = last && goal->kind == RN_GOAL_TIME ? goal->time > last->time
                  : last                             ? goal->index > last->index
                                                     : false;
    const struct rn_play_cached *found = goal->kind == RN_GOAL_LAST || behind ? last
                                         : goal->kind == RN_GOAL_TIME
                                             ? rn_play_cache_at(r->cache, goal->time)
                                             : rn_play_cache_frame(r->cache, goal->index);
    return is_enough(r, found) ? found : NULL;
}

/* ---- in the thread */

static int send_source(struct rn_play_reader *r, const struct rn_play_goal *goal)
{
    int err = goal->kind == RN_GOAL_TIME    ? rn_read_seek(r->source, goal->time)
              : goal->kind == RN_GOAL_FRAME ? rn_read_seek_frame(r->source, goal->index)
                                            : rn_read_seek_last(r->source);
    keep_passed(r);
    if (err)
        return err;
    r->next = r->in_source = -1;
    r->at_start = false;
    return 0;
}

/* The lock is held, and released while the source works. */
static void do_seek(struct rn_play_reader *r)
{
    struct rn_play_goal goal = r->goal;
    int number = r->sought;
    r->carries = r->carry;
    rn_monitor_unlock(&r->monitor);
    const struct rn_play_cached *found = find(r, &goal);
    if (r->cache)
        rn_play_cache_allow(r->cache, r->cache_limit);
    int err = found ? 0 : send_source(r, &goal);
    r->sought_now = !found && !err;
    r->next = found ? found->index : r->next;
    rn_monitor_lock(&r->monitor);
    r->done = number;
    r->refused = err == RN_EUSAGE;
    if (r->refused)
        return;
    if (err)
        r->err = err;
    else
        r->ended = false;
    while (r->nfilled)
        put_idle(r, r->filled[--r->nfilled]); /* never submitted: nothing to recycle */
}

/* Reads the frame after the latest one. The source is elsewhere: seeks first. */
static int read_after_latest(struct rn_play_reader *r, struct rn_slot *slot)
{
    int64_t before = r->next - 1;
    int err = send_source(r, &(struct rn_play_goal){.kind = RN_GOAL_TIME, .time = r->time});
    do {
        rn_io_frame_release(&slot->frame);
        err = err ? err : rn_read_read(r->source, &slot->in, &slot->frame);
    } while (!err && slot->frame.time < r->time + 5e-7 && slot->frame.index <= before);
    return err;
}

static int read_frame(struct rn_play_reader *r, struct rn_slot *slot)
{
    const struct rn_play_cached *last = r->cache ? rn_play_cache_last(r->cache) : NULL;
    if (last && r->next > last->index)
        return RN_END;
    const struct rn_play_cached *cached =
        r->cache && r->next >= 0 ? rn_play_cache_frame(r->cache, r->next) : NULL;
    int err;
    if (is_enough(r, cached)) {
        err = rn_read_cached_picture_read(r->source, cached->item, &slot->in, &slot->frame);
        r->reused++;
    } else {
        err = r->next >= 0 && r->in_source != r->next
                  ? read_after_latest(r, slot)
                  : rn_read_read(r->source, &slot->in, &slot->frame);
        if (err == RN_END && r->sought_now && !rn_read_seek_last(r->source)) {
            keep_passed(r);
            rn_io_frame_release(&slot->frame);
            err = rn_read_read(r->source, &slot->in, &slot->frame);
        }
        if (!err && r->cache && r->at_start)
            rn_play_cache_begins(r->cache, slot->frame.index);
        r->at_start = r->sought_now = false;
        if (err == RN_END && r->cache && r->next > 0)
            rn_play_cache_ends(r->cache, r->next - 1);
        r->in_source = err || slot->frame.about ? -1 : slot->frame.index + 1;
        if (!err && r->cache)
            keep(r, rn_read_cached_picture_hold(r->source, &slot->frame));
    }
    if (err)
        return err;
    r->next = r->cache && !slot->frame.about ? slot->frame.index + 1 : -1;
    r->time = slot->frame.time;
    return 0;
}

static void do_read(struct rn_play_reader *r)
{
    struct rn_slot *slot = r->idle[--r->nidle];
    rn_monitor_unlock(&r->monitor);
    int err = read_frame(r, slot);
    rn_monitor_lock(&r->monitor);
    if (err)
        put_idle(r, slot);
    else
        r->filled[r->nfilled++] = slot;
    if (err == RN_END)
        r->ended = true;
    else if (err)
        r->err = err;
}

static void *read_frames(void *arg)
{
    struct rn_play_reader *r = arg;
    RN_LOCKED(&r->monitor.lock);
    while (!r->stop) {
        bool seek = r->done != r->sought, read = !r->ended && !r->err && r->nidle;
        if (!seek && (r->paused || !read)) {
            rn_monitor_wait(&r->monitor);
            continue;
        }
        r->busy = true;
        if (seek)
            do_seek(r);
        else
            do_read(r);
        r->busy = false;
        rn_monitor_tell(&r->monitor);
    }
    return NULL;
}

static void destroy(struct rn_play_reader *r)
{
    rn_monitor_destroy(&r->monitor);
    rn_play_cache_destroy(&r->cache);
    rn_image_free(&r->first.in);
    free(r->idle);
    free(r->filled);
    free(r);
}

/* Replaces all slots. Returns 0, or RN_EINTERNAL (logged): there are none. */
static int take_slots(struct rn_play_reader *r, struct rn_runner *runner, int first)
{
    int n = runner ? rn_runner_nslots(runner) : 1;
    struct rn_slot **idle = realloc(r->idle, (size_t)n * sizeof *idle);
    r->idle = idle ? idle : r->idle;
    struct rn_slot **filled = realloc(r->filled, (size_t)n * sizeof *filled);
    r->filled = filled ? filled : r->filled;
    r->nidle = 0;
    for (int i = first; i < n && idle && filled; i++)
        r->idle[r->nidle++] = runner ? rn_runner_slot(runner, i) : &r->first;
    return idle && filled ? 0 : rn_fail_memory();
}

const struct rn_slot *rn_play_reader_first(struct rn_play_reader *r)
{
    RN_LOCKED(&r->monitor.lock);
    return r->nfilled && r->filled[0] == &r->first ? &r->first : NULL;
}

int rn_play_reader_begin(struct rn_play_reader *r, struct rn_runner *runner)
{
    RN_LOCKED(&r->monitor.lock);
    int read = r->nfilled, err = take_slots(r, runner, read);
    if (!err && read) {
        r->filled[0] = rn_runner_slot(runner, 0);
        rn_image_copy(&r->first.in, &r->filled[0]->in);
        r->filled[0]->frame = r->first.frame;
        r->first.frame = (struct rn_frame){0};
    }
    rn_image_free(&r->first.in);
    return err;
}

int rn_play_reader_start(struct rn_play_reader **reader, struct rn_read_source *source,
                         struct rn_runner *runner, size_t cache)
{
    struct rn_play_reader *r = calloc(1, sizeof *r);
    if (!r)
        return rn_fail_memory();
    rn_monitor_init(&r->monitor);
    r->source = source;
    r->next = r->in_source = -1;
    r->at_start = true;
    int err = runner ? 0 : rn_image_alloc(&r->first.in, &rn_read_stream_of(source)->geom);
    err = err ? err : take_slots(r, runner, 0);
    if (!err && cache && rn_read_can_seek(source)) {
        rn_read_cache_passed_pictures(source, cache / 4);
        r->cache_limit = cache;
        err = rn_play_cache_create(&r->cache, cache < JUST_PLAYED ? cache : JUST_PLAYED, release);
    }
    err = err ? err : rn_thread_start(&r->thread, "frames ahead", read_frames, r);
    if (err) {
        destroy(r);
        return err;
    }
    *reader = r;
    return 0;
}

void rn_play_reader_stop(struct rn_play_reader **reader)
{
    struct rn_play_reader *r = rn_take_owned(reader);
    if (!r)
        return;
    rn_read_interrupt(r->source);
    rn_monitor_lock(&r->monitor);
    r->stop = true;
    rn_monitor_tell(&r->monitor);
    rn_monitor_unlock(&r->monitor);
    rn_thread_join(&r->thread);
    for (int i = 0; i < r->nfilled; i++)
        rn_io_frame_release(&r->filled[i]->frame);
    rn_log(RN_LOG_DEBUG, "frames: %lld decoded, %lld of those that were held; %zu held, %zu bytes",
           (long long)rn_read_count_decoded(r->source), (long long)r->reused,
           r->cache ? rn_play_cache_count(r->cache) : 0,
           r->cache ? rn_play_cache_bytes(r->cache) : 0);
    destroy(r);
}

int rn_play_reader_next(struct rn_play_reader *r, double timeout, struct rn_slot **slot)
{
    double until = rn_clock() + timeout;
    int err = 0;
    *slot = NULL;
    RN_LOCKED(&r->monitor.lock);
    while (!r->err && (r->done != r->sought || (!r->nfilled && !r->ended)))
        if (timeout <= 0 || !rn_monitor_wait_until(&r->monitor, until))
            break;
    bool seeking = r->done != r->sought;
    if (r->nfilled && !seeking) {
        *slot = r->filled[0];
        memmove(r->filled, r->filled + 1, (size_t)--r->nfilled * sizeof r->filled[0]);
    } else if (r->err) {
        err = r->err;
    } else if (r->ended && !seeking) {
        err = RN_END;
    }
    return err;
}

void rn_play_reader_give(struct rn_play_reader *r, struct rn_slot *slot)
{
    RN_LOCKED(&r->monitor.lock);
    put_idle(r, slot);
    rn_monitor_tell(&r->monitor);
}

void rn_play_reader_seek(struct rn_play_reader *r, const struct rn_play_goal *goal, bool carries)
{
    RN_LOCKED(&r->monitor.lock);
    r->sought++;
    r->goal = *goal;
    r->carry = carries;
    rn_monitor_tell(&r->monitor);
}

enum rn_play_seek rn_play_reader_sought(struct rn_play_reader *r)
{
    RN_LOCKED(&r->monitor.lock);
    return r->done != r->sought && !r->err ? RN_SEEK_PENDING
           : r->refused                    ? RN_SEEK_REFUSED
                                           : RN_SEEK_DONE;
}

/* The lock is held. After an error no seek is done any more. */
static bool is_under_way(const struct rn_play_reader *r)
{
    return r->busy || (r->done != r->sought && !r->err);
}

bool rn_play_reader_pause(struct rn_play_reader *r, double timeout)
{
    double until = rn_clock() + timeout;
    RN_LOCKED(&r->monitor.lock);
    r->paused = true;
    while (is_under_way(r))
        if (!rn_monitor_wait_until(&r->monitor, until))
            break;
    bool idle = r->paused = !is_under_way(r);
    rn_monitor_tell(&r->monitor);
    return idle;
}

void rn_play_reader_resume(struct rn_play_reader *r)
{
    RN_LOCKED(&r->monitor.lock);
    r->paused = false;
    rn_monitor_tell(&r->monitor);
}

int rn_play_reader_change(struct rn_play_reader *r, struct rn_runner *runner, int first)
{
    RN_LOCKED(&r->monitor.lock);
    while (r->nfilled)
        rn_io_frame_release(&r->filled[--r->nfilled]->frame);
    return take_slots(r, runner, first);
}

int rn_play_reader_filled(struct rn_play_reader *r)
{
    RN_LOCKED(&r->monitor.lock);
    return r->nfilled;
}

void rn_play_reader_release(struct rn_runner *runner)
{
    for (int i = 0; runner && i < rn_runner_nslots(runner); i++)
        rn_io_frame_release(&rn_runner_slot(runner, i)->frame);
}
