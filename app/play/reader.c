#include "app/play/reader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "filters/base/err.h"
#include "filters/base/log.h"

struct rn_reader {
    struct rn_source *source;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* -- protected by lock: */
    struct rn_slot **idle, **filled; /* room for all slots each */
    int nidle, nfilled;
    int sought, done; /* seeks that were asked for, and the last one that was tried */
    bool refused;
    double seek_to;
    bool ended, stop;
    bool held, busy; /* nothing is to be read; something is */
    int err;
};

static void put_idle(struct rn_reader *r, struct rn_slot *slot)
{
    rn_frame_release(&slot->frame);
    r->idle[r->nidle++] = slot;
}

/* The lock is held, and let go while the source works. */
static void do_seek(struct rn_reader *r)
{
    double to = r->seek_to;
    int number = r->sought;
    pthread_mutex_unlock(&r->lock);
    int err = rn_source_seek(r->source, to);
    pthread_mutex_lock(&r->lock);
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

static void do_read(struct rn_reader *r)
{
    struct rn_slot *slot = r->idle[--r->nidle];
    pthread_mutex_unlock(&r->lock);
    int err = rn_source_read(r->source, &slot->in, &slot->frame);
    pthread_mutex_lock(&r->lock);
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
    struct rn_reader *r = arg;
    pthread_mutex_lock(&r->lock);
    while (!r->stop) {
        bool seek = r->done != r->sought, read = !r->ended && !r->err && r->nidle;
        if (!seek && (r->held || !read)) {
            pthread_cond_wait(&r->changed, &r->lock);
            continue;
        }
        r->busy = true;
        if (seek)
            do_seek(r);
        else
            do_read(r);
        r->busy = false;
        pthread_cond_broadcast(&r->changed);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static void destroy(struct rn_reader *r)
{
    free(r->idle);
    free(r->filled);
    free(r);
}

static void take_slots(struct rn_reader *r, struct rn_runner *runner, int first)
{
    for (int i = first; i < rn_runner_nslots(runner); i++)
        r->idle[r->nidle++] = rn_runner_slot(runner, i);
}

int rn_reader_start(struct rn_reader **reader, struct rn_source *source, struct rn_runner *runner)
{
    int nslots = rn_runner_nslots(runner);
    struct rn_reader *r = calloc(1, sizeof *r);
    if (!r)
        return rn_fail_memory();
    r->source = source;
    r->idle = calloc((size_t)nslots, sizeof(struct rn_slot *));
    r->filled = calloc((size_t)nslots, sizeof(struct rn_slot *));
    if (!r->idle || !r->filled) {
        destroy(r);
        return rn_fail_memory();
    }
    take_slots(r, runner, 0);
    pthread_mutex_init(&r->lock, NULL);
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&r->changed, &attr);
    pthread_condattr_destroy(&attr);
    int code = pthread_create(&r->thread, NULL, read_frames, r);
    if (code) {
        pthread_cond_destroy(&r->changed);
        pthread_mutex_destroy(&r->lock);
        destroy(r);
        return rn_fail(RN_EINTERNAL, "cannot start a thread: %s", strerror(code));
    }
    *reader = r;
    return 0;
}

void rn_reader_stop(struct rn_reader **reader)
{
    struct rn_reader *r = *reader;
    if (!r)
        return;
    rn_source_interrupt(r->source);
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    for (int i = 0; i < r->nfilled; i++)
        rn_frame_release(&r->filled[i]->frame);
    pthread_cond_destroy(&r->changed);
    pthread_mutex_destroy(&r->lock);
    destroy(r);
    *reader = NULL;
}

static struct timespec deadline(double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    long long ns = t.tv_nsec + (long long)(seconds * 1e9);
    t.tv_sec += (time_t)(ns / 1000000000);
    t.tv_nsec = (long)(ns % 1000000000);
    return t;
}

int rn_reader_next(struct rn_reader *r, double timeout, struct rn_slot **slot)
{
    struct timespec until = deadline(timeout);
    int err = 0;
    *slot = NULL;
    pthread_mutex_lock(&r->lock);
    while (!r->err && (r->done != r->sought || (!r->nfilled && !r->ended)))
        if (timeout <= 0 || pthread_cond_timedwait(&r->changed, &r->lock, &until))
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
    pthread_mutex_unlock(&r->lock);
    return err;
}

void rn_reader_give(struct rn_reader *r, struct rn_slot *slot)
{
    pthread_mutex_lock(&r->lock);
    put_idle(r, slot);
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

void rn_reader_seek(struct rn_reader *r, double seconds)
{
    pthread_mutex_lock(&r->lock);
    r->sought++;
    r->seek_to = seconds;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

enum rn_seek rn_reader_sought(struct rn_reader *r)
{
    pthread_mutex_lock(&r->lock);
    enum rn_seek state = r->done != r->sought && !r->err ? RN_SEEK_PENDING
                         : r->refused                    ? RN_SEEK_REFUSED
                                                         : RN_SEEK_DONE;
    pthread_mutex_unlock(&r->lock);
    return state;
}

/* The lock is held. After an error no seek is done any more. */
static bool is_under_way(const struct rn_reader *r)
{
    return r->busy || (r->done != r->sought && !r->err);
}

bool rn_reader_hold(struct rn_reader *r, double timeout)
{
    struct timespec until = deadline(timeout);
    pthread_mutex_lock(&r->lock);
    r->held = true;
    while (is_under_way(r))
        if (pthread_cond_timedwait(&r->changed, &r->lock, &until))
            break;
    bool idle = r->held = !is_under_way(r);
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
    return idle;
}

void rn_reader_go_on(struct rn_reader *r)
{
    pthread_mutex_lock(&r->lock);
    r->held = false;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->lock);
}

int rn_reader_change(struct rn_reader *r, struct rn_runner *runner, int first)
{
    size_t n = (size_t)rn_runner_nslots(runner);
    pthread_mutex_lock(&r->lock);
    while (r->nfilled)
        rn_frame_release(&r->filled[--r->nfilled]->frame);
    r->nidle = 0;
    struct rn_slot **idle = realloc(r->idle, n * sizeof(struct rn_slot *));
    r->idle = idle ? idle : r->idle;
    struct rn_slot **filled = realloc(r->filled, n * sizeof(struct rn_slot *));
    r->filled = filled ? filled : r->filled;
    int err = idle && filled ? 0 : rn_fail_memory();
    if (!err)
        take_slots(r, runner, first);
    pthread_mutex_unlock(&r->lock);
    return err;
}

int rn_reader_filled(struct rn_reader *r)
{
    pthread_mutex_lock(&r->lock);
    int n = r->nfilled;
    pthread_mutex_unlock(&r->lock);
    return n;
}
