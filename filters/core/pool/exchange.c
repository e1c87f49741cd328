/* SPDX-License-Identifier: MIT */
#include "filters/core/pool/exchange.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "filters/base/arguments.h"
#include "filters/base/threads/locked.h"
#include "filters/core/pool/exchange_internal.h"

#define PART       (1 << 20) /* bytes that one thread copies of a picture */
#define MOST_PARTS 16

/* ---- copies */

#ifdef __SSE2__
/* memcpy past the cache: a processor reads each line of its target first, and what it wrote drives
 * out what somebody needs. */
static void stream_bytes(uint8_t *to, const uint8_t *from, size_t n)
{
    size_t head = (size_t)(-(uintptr_t)to & 15);
    if (n < 256) {
        memcpy(to, from, n);
        return;
    }
    memcpy(to, from, head);
    to += head, from += head, n -= head;
    for (; n >= 64; n -= 64, to += 64, from += 64) {
        __m128i a = _mm_loadu_si128((const __m128i *)from);
        __m128i b = _mm_loadu_si128((const __m128i *)(from + 16));
        __m128i c = _mm_loadu_si128((const __m128i *)(from + 32));
        __m128i d = _mm_loadu_si128((const __m128i *)(from + 48));
        _mm_stream_si128((__m128i *)to, a);
        _mm_stream_si128((__m128i *)(to + 16), b);
        _mm_stream_si128((__m128i *)(to + 32), c);
        _mm_stream_si128((__m128i *)(to + 48), d);
    }
    memcpy(to, from, n);
}

static void end_stream(void)
{
    _mm_sfence();
}
#else
#define stream_bytes memcpy

static void end_stream(void)
{
}
#endif

void rn_exchange_copy(const struct rn_image *from, const struct rn_image *to, int part, int parts,
                      bool past_cache)
{
    for (int p = 0; p < rn_format_planes(&from->geom.fmt); p++) {
        const struct rn_plane *src = &from->plane[p], *dst = &to->plane[p];
        size_t row = (size_t)src->w * (size_t)rn_format_bytes(&from->geom.fmt);
        int first = (int)((int64_t)src->h * part / parts);
        int last = (int)((int64_t)src->h * (part + 1) / parts);
        if (src->data == dst->data)
            continue; /* lent */
        bool whole = src->stride == (ptrdiff_t)row && dst->stride == (ptrdiff_t)row;
        size_t bytes = whole ? row * (size_t)(last - first) : row;
        last = whole && first < last ? first + 1 : last; /* one row of all bytes */
        for (int y = first; y < last; y++) {
            uint8_t *d = dst->data + y * dst->stride;
            const uint8_t *s = src->data + y * src->stride;
            if (past_cache)
                stream_bytes(d, s, bytes);
            else
                memcpy(d, s, bytes);
        }
    }
    if (past_cache)
        end_stream();
}

/* ---- the inside; all is locked, and the lock is held on return */

void rn_exchange_fail(struct rn_exchange *x, int err)
{
    if (!err || x->err)
        return;
    x->err = err;
    x->stopped = true;
    snprintf(x->why, sizeof x->why, "%s", rn_log_last());
    pthread_cond_broadcast(&x->moved);
    pthread_cond_broadcast(&x->ready);
    pthread_cond_broadcast(&x->work);
    rn_lane_threads_wake(x, -1);
}

/* Around a copy, which runs unlocked. None begins after an error; who waits then waits for them. */
static void begin_copy(struct rn_exchange *x)
{
    x->copying++;
    pthread_mutex_unlock(&x->lock);
}

static void end_copy(struct rn_exchange *x)
{
    pthread_mutex_lock(&x->lock);
    if (!--x->copying && x->err)
        pthread_cond_broadcast(&x->moved);
}

/* Whether the picture lies in locked memory, in a form that devices copy. */
static bool is_locked(const struct rn_exchange *x, const struct rn_image *image)
{
    bool all = x->locked;
    for (int p = 0; p < rn_format_planes(&image->geom.fmt) && all; p++) {
        const struct rn_plane *pl = &image->plane[p];
        ptrdiff_t row = (ptrdiff_t)pl->w * rn_format_bytes(&image->geom.fmt);
        uintptr_t from = (uintptr_t)pl->data;
        all = false;
        for (const struct locked *l = x->locked; l && pl->stride >= row && !all; l = l->next) {
            size_t at = from - (uintptr_t)l->memory; /* wraps around, and is too large */
            size_t need = (size_t)pl->stride * (size_t)(pl->h - 1) + (size_t)row;
            all = at < l->bytes && need <= l->bytes - at;
        }
    }
    return all;
}

static bool is_copied(const struct rn_image *from, const struct rn_image *to)
{
    for (int p = 0; p < rn_format_planes(&from->geom.fmt); p++)
        if (from->plane[p].data != to->plane[p].data)
            return true;
    return false;
}

static void empty(struct rn_exchange *x, struct place *place)
{
    pthread_mutex_unlock(&x->lock);
    int err = rn_pool_recycle(x->pool, place->slot);
    pthread_mutex_lock(&x->lock);
    rn_exchange_fail(x, err);
    place->state = EMPTY;
    x->ended++;
    pthread_cond_broadcast(&x->moved);
}

/* Submits to the pool all full slots whose turn it is, and drains it behind the last one. One
 * thread does it at a time; what becomes full meanwhile it takes along. */
static void enter(struct rn_exchange *x)
{
    if (x->entering)
        return;
    x->entering = true;
    for (;;) {
        bool is_full = x->entered < x->submitted && rn_exchange_place(x, x->entered)->state == FULL;
        bool ends = x->draining && !x->drained && x->entered == x->submitted;
        if (x->err || !(is_full || ends))
            break;
        struct place *place = rn_exchange_place(x, x->entered);
        if (is_full)
            place->state = COMPUTED;
        pthread_mutex_unlock(&x->lock);
        int err = is_full ? rn_pool_submit(x->pool, place->slot) : rn_pool_drain(x->pool);
        int more = 0;
        while (!err && rn_pool_ready(x->pool))
            more++;
        pthread_mutex_lock(&x->lock);
        x->entered += is_full;
        x->drained |= ends;
        if (ends)
            pthread_cond_broadcast(&x->moved);
        x->completed += more;
        if (more)
            pthread_cond_signal(&x->ready);
        rn_exchange_fail(x, err);
    }
    x->entering = false;
}

/* Results go first: they make room. */
static void *copy(void *arg)
{
    struct rn_exchange *x = arg;
    RN_LOCKED(&x->lock);
    while (!x->stopped) {
        const struct place *next = rn_exchange_place(x, x->emptying);
        if (x->emptying < x->collected &&
            (next->number != x->emptying || next->state != COPIED_OUT)) {
            x->emptying++; /* nobody wants it */
            continue;
        }
        bool out = x->emptying < x->collected;
        next = rn_exchange_place(x, x->filling);
        if (!out && x->filling < x->submitted &&
            (next->number != x->filling || next->state != COPIED_IN)) {
            x->filling++; /* lent */
            continue;
        }
        if (!out && x->filling == x->submitted) {
            pthread_cond_wait(&x->work, &x->lock);
            continue;
        }
        int64_t *from = out ? &x->emptying : &x->filling;
        struct place *place = rn_exchange_place(x, *from);
        int part = place->given++;
        *from += place->given == x->parts;
        begin_copy(x);
        if (out)
            rn_exchange_copy(&place->slot->out, &place->out, part, x->parts, true);
        else
            rn_exchange_copy(&place->in, &place->slot->in, part, x->parts, x->past_cache);
        end_copy(x);
        if (++place->copied < x->parts)
            continue;
        if (out) {
            empty(x, place);
        } else {
            place->state = FULL;
            enter(x);
        }
    }
    return NULL;
}

static void *collect(void *arg)
{
    struct rn_exchange *x = arg;
    RN_LOCKED(&x->lock);
    while (!x->stopped) {
        if (x->collected == x->completed) {
            pthread_cond_wait(&x->ready, &x->lock);
            continue;
        }
        struct place *place = rn_exchange_place(x, x->collected);
        begin_copy(x);
        int err = rn_pool_wait(x->pool, place->slot);
        bool is_rescued = x->pool->rescued == place->slot;
        if (!err && is_rescued && place->wants_out) /* its memory is another slot's */
            rn_image_copy(&place->slot->out, &place->out);
        end_copy(x);
        rn_exchange_fail(x, err);
        if (err)
            break;
        place->given = place->copied = 0;
        x->collected++;
        if (!place->wants_out || is_rescued || !is_copied(&place->slot->out, &place->out)) {
            empty(x, place);
            continue;
        }
        place->state = COPIED_OUT;
        for (int i = 0; i < x->parts; i++)
            pthread_cond_signal(&x->work);
    }
    return NULL;
}

/* ---- the caller's */

/* Slots that are copied lie in memory that the device alone reads: there nearly all cores copy, and
 * two of 16 are left to the driver and the threads that submit and wait. Where the cores compute,
 * half as many threads as cores were best on 2 and on 16. */
static void divide_copies(struct rn_exchange *x, int threads)
{
    struct rn_device *dev = x->pool->lane[0].dev;
    int64_t bytes = rn_geom_bytes(&x->in_geom);
    x->past_cache = dev && !rn_device_info(dev)->shared_memory;
    x->parts = bytes / PART < MOST_PARTS ? (int)(bytes / PART) + 1 : MOST_PARTS;
    int cores = rn_cores(), best = x->past_cache ? cores - cores / 8 : (cores + 1) / 2;
    x->nthreads = threads ? threads : best < RN_MAX_COPIERS ? best : RN_MAX_COPIERS;
}

/* After an error devices may still copy, and slots hold what was lent. */
static void unlock(struct rn_exchange *x)
{
    if (x->locked)
        rn_lanes_wait(x->pool);
    for (int i = 0; i < x->nplaces && x->locked; i++)
        rn_runner_lend(x->place[i].slot, NULL, NULL);
    while (x->locked) {
        struct locked *locked = x->locked;
        x->locked = locked->next;
        rn_device_finish(locked->dev);
        rn_buffer_release(locked->dev, &locked->mem);
        free(locked);
    }
}

static void end_threads(struct rn_exchange *x)
{
    pthread_mutex_lock(&x->lock);
    x->stopped = true;
    pthread_cond_broadcast(&x->work);
    pthread_cond_broadcast(&x->ready);
    rn_lane_threads_wake(x, -1);
    pthread_mutex_unlock(&x->lock);
    for (int i = 0; i < x->nthreads && !x->lanes; i++)
        rn_thread_join(&x->thread[i]);
    rn_thread_join(&x->collector);
    rn_lane_threads_close(x);
    pthread_mutex_destroy(&x->lock);
    pthread_cond_destroy(&x->work);
    pthread_cond_destroy(&x->ready);
    pthread_cond_destroy(&x->moved);
    unlock(x);
    free(x->place);
    free(x);
}

/* Slots go by turns from the first one on. */
static bool is_at_rest(const struct rn_pool *pool)
{
    bool rests = pool->drained || !pool->frames_in;
    for (int k = 0; k < pool->n; k++)
        for (int i = 0; i < pool->lane[k].own; i++)
            rests &= pool->lane[k].slot[i].use == RN_SLOT_FREE;
    return rests;
}

int rn_exchange_open(struct rn_exchange **exchange, struct rn_pool *pool, int threads)
{
    RN_NEED(RN_EUSAGE, "exchange pool", exchange, pool);
    *exchange = NULL;
    int err = rn_argument_within(__func__, "threads", threads, 0, RN_MAX_COPIERS);
    if (!err && !is_at_rest(pool))
        err = rn_fail(RN_EUSAGE, "%s: pool has frames under way", __func__);
    if (err)
        return err;
    struct rn_exchange *x = calloc(1, sizeof *x);
    if (!x)
        return rn_fail_memory();
    x->pool = pool;
    x->nplaces = rn_pool_nslots(pool);
    x->in_geom = rn_pool_slot(pool, 0)->in.geom;
    x->out_geom = rn_pool_output(pool);
    divide_copies(x, threads);
    pthread_mutex_init(&x->lock, NULL);
    pthread_cond_init(&x->work, NULL);
    pthread_cond_init(&x->ready, NULL);
    pthread_cond_init(&x->moved, NULL);
    x->place = calloc((size_t)x->nplaces, sizeof *x->place);
    for (int i = 0; i < x->nplaces && x->place; i++)
        x->place[i] = (struct place){.slot = rn_pool_slot(pool, i), .number = -1};
    err = x->place ? rn_lane_threads_open(x) : rn_fail_memory();
    if (!err && !x->lanes)
        err = rn_thread_start(&x->collector, "collect", collect, x);
    for (int i = 0; i < x->nthreads && !err && !x->lanes; i++)
        err = rn_thread_start(&x->thread[i], "copy", copy, x);
    if (err)
        end_threads(x);
    else
        *exchange = x;
    return err;
}

static int error_of(const struct rn_exchange *x)
{
    if (x->err)
        rn_log_set_last(x->why); /* also for who asks in this thread */
    return x->err;
}

static bool is_over(const struct rn_exchange *x)
{
    return x->drained && (x->lanes ? rn_lane_threads_rest(x) : x->ended == x->submitted);
}

/* Waits until the place is empty, or for something else. */
static void await(struct rn_exchange *x, struct place *place)
{
    place->awaited = true;
    rn_lane_threads_wake(x, -1);
    if (place->state != EMPTY || !x->lanes || x->draining)
        pthread_cond_wait(&x->moved, &x->lock);
}

/* Whether the next picture has a place now. After a drain comes another input, once all of the last
 * one is done; a drain may come while the caller waits. */
static bool may_submit(struct rn_exchange *x)
{
    if (is_over(x)) {
        x->base = x->emptying = x->filling = x->submitted; /* behind pictures that nobody wanted */
        x->drained = x->draining = false;
        rn_exchange_fail(x, x->lanes ? rn_lane_threads_begin(x) : 0);
    }
    return !x->draining && rn_exchange_place(x, x->submitted)->state == EMPTY;
}

int rn_exchange_lock(struct rn_exchange *x, void *memory, size_t bytes)
{
    RN_NEED(RN_EUSAGE, "exchange memory", x, memory);
    int err = bytes ? 0 : rn_fail(RN_EUSAGE, "%s: bytes is 0", __func__);
    for (int k = 0; k < x->pool->n && !err && x->pool->lane[k].dev && !x->lanes; k++) {
        struct locked *locked = calloc(1, sizeof *locked);
        if (!locked)
            return rn_fail_memory();
        locked->dev = x->pool->lane[k].dev;
        locked->memory = memory;
        locked->bytes = bytes;
        err = rn_buffer_over(locked->dev, memory, bytes, &locked->mem);
        if (err) {
            free(locked);
            return err;
        }
        RN_LOCKED(&x->lock); /* not before: a program's log may ask the exchange */
        locked->next = x->locked;
        x->locked = locked;
    }
    return err;
}

int rn_exchange_submit(struct rn_exchange *x, const struct rn_image *in, const struct rn_image *out,
                       const struct rn_frame *frame, int64_t *number)
{
    RN_NEED(RN_EUSAGE, "exchange in", x, in);
    int err = rn_argument_image(__func__, "in", in, &x->in_geom);
    err = err || !out ? err : rn_argument_image(__func__, "out", out, x->out_geom);
    if (err)
        return err;
    RN_LOCKED(&x->lock);
    while (!x->err && !may_submit(x)) { /* several at a time cost fewer wake-ups */
        struct place *later = rn_exchange_place(x, x->submitted + x->nthreads / 2);
        await(x, later->state == EMPTY ? rn_exchange_place(x, x->submitted) : later);
    }
    err = error_of(x);
    if (!err) {
        struct place *place = rn_exchange_place(x, x->submitted);
        place->number = x->submitted;
        place->given = place->copied = 0;
        place->in = *in;
        place->wants_out = out;
        if (out)
            place->out = *out;
        /* Another device may compute it again from `in`, which may be the same memory. */
        bool lends = is_locked(x, in), takes = out && x->pool->ndevs == 1 && is_locked(x, out);
        bool lent = x->locked && rn_runner_lend(place->slot, lends ? &place->in : NULL,
                                                takes ? &place->out : NULL);
        place->lends_in = lent && lends;
        place->slot->frame = frame ? *frame : (struct rn_frame){.index = x->submitted};
        if (number)
            *number = x->submitted;
        place->state = COPIED_IN; /* a lane may take it now */
        x->submitted++;
        rn_lane_threads_wake(x, place->number);
        for (int i = 0; i < x->parts && !place->lends_in; i++)
            pthread_cond_signal(&x->work);
        if (place->lends_in) {
            place->state = FULL;
            enter(x);
        }
    }
    return err;
}

void rn_exchange_drain(struct rn_exchange *x)
{
    RN_NEED(, "exchange", x);
    RN_LOCKED(&x->lock);
    x->draining = true;
    x->drained |= x->lanes != NULL; /* no picture waits for later ones */
    rn_lane_threads_wake(x, -1);
    if (x->lanes)
        pthread_cond_broadcast(&x->moved);
    else
        enter(x);
}

int rn_exchange_wait(struct rn_exchange *x, int64_t number)
{
    RN_NEED(RN_EUSAGE, "exchange", x);
    pthread_mutex_lock(&x->lock);
    bool is_done = false, given = number >= 0 && number < x->submitted;
    pthread_mutex_unlock(&x->lock); /* a program's log may ask the exchange */
    if (!given)
        return rn_fail(RN_EUSAGE, "%s: number %lld was not submitted yet", __func__,
                       (long long)number);
    RN_LOCKED(&x->lock);
    while (!is_done) {
        struct place *place = rn_exchange_place(x, number < x->base ? x->base : number);
        is_done = number < x->base || place->number != number || place->state == EMPTY;
        if (!is_done && x->err && !x->copying)
            break;
        if (!is_done)
            await(x, place);
    }
    return is_done ? 0 : error_of(x);
}

int rn_exchange_close(struct rn_exchange **exchange)
{
    RN_NEED(RN_EUSAGE, "exchange", exchange);
    struct rn_exchange *x = rn_take_owned(exchange);
    if (!x)
        return 0;
    rn_exchange_drain(x);
    pthread_mutex_lock(&x->lock);
    while (!x->err && !is_over(x))
        pthread_cond_wait(&x->moved, &x->lock);
    int err = error_of(x);
    pthread_mutex_unlock(&x->lock);
    end_threads(x);
    return err;
}
