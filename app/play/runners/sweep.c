#include "app/play/runners/sweep.h"

#include "app/play/loop/reader.h"
#include "filters/base/err.h"
#include "filters/base/log.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const struct rn_play_goal from_start = {.kind = RN_GOAL_TIME};

#define SLOTS     3
#define HOLD_TIME 0.01 /* seconds that the reader may take to come to a stop */

struct rn_play_sweep {
    const struct rn_app_session *session;
    struct rn_app_session twin;
    struct rn_play_worker *worker;
    struct rn_play_order *order; /* of the next runner; NULL: none */
    struct rn_app_beside made;   /* waits to be taken, if it has a runner */
    struct rn_losses *losses;    /* those of the input, which were told once */
    pthread_t thread;            /* opens the input */
    bool joined;
    atomic_bool opened;
    int err; /* of the opening; read after it */
    struct rn_play_reader *reader;
    struct rn_slot *waits; /* complete, as soon as the device has done it; NULL: none */
    struct rn_slot *given; /* to the caller */
    int inside;            /* frames in the runner that were not given back */
    bool begun, ended;     /* ended: all frames are in the runner */
};

static void *open_input(void *arg)
{
    struct rn_play_sweep *s = arg;
    s->err = rn_app_session_open_source(&s->twin);
    atomic_store(&s->opened, true);
    return NULL;
}

int rn_play_sweep_open(struct rn_play_sweep **sweep, const struct rn_app_session *session,
                       struct rn_play_worker *worker)
{
    struct rn_play_sweep *s = calloc(1, sizeof *s);
    if (!s)
        return rn_fail_memory();
    s->losses = rn_losses_create();
    s->session = session;
    s->worker = worker;
    rn_app_session_twin(session, &s->twin);
    s->twin.losses = s->losses;
    int code = s->losses ? pthread_create(&s->thread, NULL, open_input, s) : 0;
    if (!s->losses || code) {
        rn_losses_destroy(&s->losses);
        free(s);
        return code ? rn_fail(RN_EINTERNAL, "cannot start a thread: %s", strerror(code))
                    : RN_EINTERNAL;
    }
    *sweep = s;
    return 0;
}

void rn_play_sweep_forget(struct rn_play_sweep *s)
{
    if (!s)
        return;
    rn_play_order_cancel(&s->order);
    rn_app_session_drop_beside(&s->made);
}

void rn_play_sweep_close(struct rn_play_sweep **sweep)
{
    struct rn_play_sweep *s = *sweep;
    if (!s)
        return;
    *sweep = NULL;
    if (!s->joined)
        pthread_join(s->thread, NULL);
    rn_play_sweep_forget(s);
    rn_play_reader_stop(&s->reader);
    rn_play_reader_release(s->twin.runner);
    rn_app_session_close_twin(&s->twin);
    rn_losses_destroy(&s->losses);
    free(s);
}

/* ---- from the beginning */

/* What is measured is measured by the frames that are played. */
static struct rn_chain *unmeasured(const struct rn_chain *chain)
{
    struct rn_chain *copy = rn_chain_copy(chain);
    rn_chain_measure_nothing(copy);
    return copy;
}

static void give_free(struct rn_play_sweep *s)
{
    struct rn_slot *slot;
    while ((slot = rn_runner_free(s->twin.runner)) != NULL)
        rn_play_reader_give(s->reader, slot);
}

int rn_play_sweep_give(struct rn_play_sweep *s, struct rn_slot *slot)
{
    int err = rn_runner_recycle(s->twin.runner, slot);
    s->given = s->given == slot ? NULL : s->given;
    s->inside--;
    give_free(s);
    return err;
}

/* The frames in the runner are wanted no more. */
static int empty(struct rn_play_sweep *s)
{
    struct rn_slot *held = s->given ? s->given : s->waits;
    int err = held ? rn_play_sweep_give(s, held) : 0;
    s->waits = NULL;
    int reset = rn_runner_reset(s->twin.runner);
    give_free(s);
    s->inside = 0;
    s->ended = false;
    rn_play_reader_seek(s->reader, &from_start);
    return err ? err : reset;
}

/* The frames go to the runner that was made. */
static int change_runner(struct rn_play_sweep *s)
{
    if (!s->reader)
        return rn_play_reader_start(&s->reader, s->twin.source, s->made.runner, 0);
    rn_play_reader_release(s->twin.runner);
    s->given = s->waits = NULL;
    s->inside = 0;
    s->ended = false;
    int err = rn_play_reader_change(s->reader, s->made.runner, 0);
    rn_play_reader_seek(s->reader, &from_start);
    return err;
}

/* *done: the reader has stopped for it. */
static int take_made(struct rn_play_sweep *s, bool *done)
{
    *done = !s->reader || rn_play_reader_hold(s->reader, HOLD_TIME);
    if (!*done)
        return 0;
    int err = change_runner(s);
    rn_app_session_take(&s->twin, &s->made);
    rn_app_session_drop_beside(&s->made);
    if (s->reader)
        rn_play_reader_go_on(s->reader);
    return err;
}

/* The runner of now has the settings. */
static int begin_again(struct rn_play_sweep *s, const struct rn_chain *chain, bool *begun)
{
    int err = rn_runner_try(s->twin.runner, chain, false, begun);
    rn_play_order_cancel(*begun ? &s->order : &(struct rn_play_order *){NULL});
    return err || !*begun ? err : empty(s);
}

static int order(struct rn_play_sweep *s, const struct rn_chain *chain)
{
    struct rn_app_beside prepared;
    int err = rn_app_session_prepare_twin(s->session, &s->twin, chain, SLOTS, &prepared);
    return err ? err : rn_play_order(&s->order, s->worker, &prepared);
}

/* What was ordered is there; unless the settings are others by now, it is taken. */
static int receive(struct rn_play_sweep *s, const struct rn_chain *chain, bool *begun)
{
    char why[RN_WORKER_WHY];
    bool fits = false;
    int err = s->made.runner ? 0 : rn_play_order_take(&s->order, &s->made, why);
    if (err && !rn_chain_equal(s->made.chain, chain))
        err = 0;
    else if (!err)
        err = rn_runner_try(s->made.runner, chain, false, &fits);
    if (!err && fits)
        return take_made(s, begun);
    rn_app_session_drop_beside(&s->made);
    return err;
}

/* By the runner of now, or by one that is ordered. */
static int begin(struct rn_play_sweep *s, const struct rn_chain *chain, bool renew, bool *begun)
{
    bool ready = s->made.runner || rn_play_order_is_ready(s->order);
    int err = ready ? receive(s, chain, begun) : 0;
    if (!err && !*begun && s->reader && !renew)
        err = begin_again(s, chain, begun);
    if (err || *begun || s->order || s->made.runner)
        return err;
    return order(s, chain);
}

int rn_play_sweep_begin(struct rn_play_sweep *s, const struct rn_chain *chain, bool renew,
                        bool *begun)
{
    *begun = false;
    if (!atomic_load(&s->opened))
        return 0;
    if (!s->joined)
        pthread_join(s->thread, NULL);
    s->joined = true;
    if (s->err)
        return s->err;
    struct rn_chain *settings = unmeasured(chain);
    int err = settings ? begin(s, settings, renew, begun) : RN_EINTERNAL;
    s->begun |= !err && *begun;
    rn_chain_destroy(&settings);
    return err;
}

const struct rn_geom *rn_play_sweep_output(const struct rn_play_sweep *s)
{
    return rn_runner_output(s->twin.runner);
}

/* ---- on and on */

/* At most one frame into the runner, so that who calls is not kept. */
static int submit(struct rn_play_sweep *s,
                  bool (*wanted)(const void *arg, const struct rn_frame *f), const void *arg)
{
    struct rn_slot *slot;
    int delay = rn_runner_delay(s->twin.runner);
    if (s->ended || s->inside > delay + 1)
        return 0;
    int err = rn_play_reader_next(s->reader, 0, &slot);
    if (err == RN_END) {
        s->ended = true;
        return rn_runner_drain(s->twin.runner);
    }
    if (err || !slot)
        return err;
    if (!delay && !wanted(arg, &slot->frame)) {
        rn_play_reader_give(s->reader, slot);
        return 0;
    }
    s->inside++;
    return rn_runner_submit(s->twin.runner, slot);
}

int rn_play_sweep_next(struct rn_play_sweep *s,
                       bool (*wanted)(const void *arg, const struct rn_frame *f), const void *arg,
                       struct rn_slot **slot)
{
    *slot = NULL;
    if (!s->begun || s->given)
        return 0;
    if (rn_play_reader_sought(s->reader) == RN_SEEK_REFUSED)
        return rn_fail(RN_EINPUT, "this input cannot be read from its beginning again");
    int err = submit(s, wanted, arg);
    struct rn_runner *runner = s->twin.runner;
    s->waits = !err && !s->waits ? rn_runner_ready(runner) : s->waits;
    if (err || !s->waits)
        return err ? err : s->ended && !s->inside ? RN_END : 0;
    if (!rn_runner_done(runner, s->waits))
        return 0;
    err = rn_runner_wait(runner, s->waits);
    *slot = s->given = s->waits;
    s->waits = NULL;
    return err;
}
