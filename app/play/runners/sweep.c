/* SPDX-License-Identifier: MIT */
#include "app/play/runners/sweep.h"

#include "app/play/loop/reader.h"
#include "filters/base/owned.h"

#include <stdlib.h>

static const struct rn_play_goal from_start = {.kind = RN_GOAL_TIME};

#define SLOTS      3
#define PAUSE_TIME 0.01 /* seconds that the reader may take to come to a stop */

struct rn_play_sweep {
    struct rn_app_session *session;
    struct rn_play_jobs *jobs;
    struct rn_play_pending *pending; /* of the next runner; NULL: none */
    struct rn_read_source *source;   /* NULL: not open yet */
    struct rn_losses *losses;        /* of the source */
    struct rn_runner *runner;
    struct rn_device *device; /* of the runner */
    struct rn_play_reader *reader;
    struct rn_slot *complete; /* the device may still be busy with it; NULL: none */
    struct rn_slot *given;    /* to the caller */
    int nframes;              /* frames in the runner that were not given back */
    bool begun, ended;        /* ended: all frames are in the runner */
};

int rn_play_sweep_open(struct rn_play_sweep **sweep, struct rn_app_session *session,
                       struct rn_play_jobs *jobs)
{
    struct rn_play_sweep *s = *sweep = calloc(1, sizeof *s);
    if (!s)
        return rn_fail_memory();
    s->session = session;
    s->jobs = jobs;
    return 0;
}

/* The source stays, whatever becomes of the runner that it was opened with. */
static void take_source(struct rn_play_sweep *s)
{
    if (!s->source)
        rn_play_pending_take_source(s->pending, &s->source, &s->losses);
}

void rn_play_sweep_forget(struct rn_play_sweep *s)
{
    if (!s)
        return;
    take_source(s);
    rn_play_pending_cancel(&s->pending);
}

void rn_play_sweep_close(struct rn_play_sweep **sweep)
{
    struct rn_play_sweep *s = *sweep;
    if (!s)
        return;
    *sweep = NULL;
    rn_play_sweep_forget(s);
    rn_play_reader_stop(&s->reader);
    rn_play_reader_release(s->runner);
    rn_runner_close(&s->runner);
    rn_device_close(&s->device);
    rn_read_close(&s->source);
    rn_losses_destroy(&s->losses);
    free(s);
}

/* ---- from the beginning */

static void give_free(struct rn_play_sweep *s)
{
    struct rn_slot *slot;
    while ((slot = rn_runner_free(s->runner)) != NULL)
        rn_play_reader_give(s->reader, slot);
}

int rn_play_sweep_give(struct rn_play_sweep *s, struct rn_slot *slot)
{
    int err = rn_runner_recycle(s->runner, slot);
    s->given = s->given == slot ? NULL : s->given;
    s->nframes--;
    give_free(s);
    return err;
}

/* The frames in the runner are wanted no more. */
static int empty(struct rn_play_sweep *s)
{
    struct rn_slot *held = s->given ? s->given : s->complete;
    int err = held ? rn_play_sweep_give(s, held) : 0;
    s->complete = NULL;
    err = rn_first_error(err, rn_runner_reset(s->runner));
    give_free(s);
    s->nframes = 0;
    s->ended = false;
    rn_play_reader_seek(s->reader, &from_start, false);
    return err;
}

/* The frames go to the runner that was made. */
static int change_runner(struct rn_play_sweep *s)
{
    struct rn_runner *made = rn_play_pending_runner(s->pending);
    if (!s->reader)
        return rn_play_reader_start(&s->reader, s->source, made, 0);
    rn_play_reader_release(s->runner);
    s->given = s->complete = NULL;
    s->nframes = 0;
    s->ended = false;
    int err = rn_play_reader_change(s->reader, made, 0);
    rn_play_reader_seek(s->reader, &from_start, false);
    return err;
}

/* What was made has the settings. *begun: the reader has stopped for it. */
static int take_made(struct rn_play_sweep *s, bool *begun)
{
    *begun = !s->reader || rn_play_reader_pause(s->reader, PAUSE_TIME);
    if (!*begun)
        return 0;
    int err = change_runner(s);
    rn_play_pending_take(&s->pending, &s->runner, &s->device);
    if (s->reader)
        rn_play_reader_resume(s->reader);
    return err;
}

/* By what was made, by the runner of now, or by one that is requested. */
static int begin(struct rn_play_sweep *s, const struct rn_chain *chain, bool renew, bool *begun)
{
    bool ready;
    take_source(s);
    int err = rn_play_pending_poll(&s->pending, chain, &ready);
    if (!err && ready)
        err = take_made(s, begun);
    if (!err && !*begun && s->reader && !renew) {
        err = rn_runner_try(s->runner, chain, false, begun);
        if (!err && *begun) {
            rn_play_pending_cancel(&s->pending);
            err = empty(s);
        }
    }
    if (err || *begun || s->pending)
        return err;
    const struct rn_play_pending_request request = {.kind = RN_PENDING_SWEEP,
                                                    .session = s->session,
                                                    .chain = chain,
                                                    .slots = SLOTS,
                                                    .source = s->source};
    return rn_play_pending_request(&s->pending, s->jobs, &request);
}

int rn_play_sweep_begin(struct rn_play_sweep *s, const struct rn_chain *chain, bool renew,
                        bool *begun)
{
    *begun = false;
    RN_OWNED(rn_chain_destroy) struct rn_chain *settings = rn_chain_copy(chain);
    rn_chain_measure_nothing(settings); /* the frames that are played are measured */
    int err = settings ? begin(s, settings, renew, begun) : RN_EINTERNAL;
    s->begun |= !err && *begun;
    return err;
}

const struct rn_geom *rn_play_sweep_output(const struct rn_play_sweep *s)
{
    return rn_runner_output(s->runner);
}

/* ---- on and on */

/* At most one frame into the runner, so that who calls is not kept. */
static int submit(struct rn_play_sweep *s,
                  bool (*wanted)(const void *arg, const struct rn_frame *f), const void *arg)
{
    struct rn_slot *slot;
    int delay = rn_runner_delay(s->runner);
    if (s->ended || s->nframes > delay + 1)
        return 0;
    int err = rn_play_reader_next(s->reader, 0, &slot);
    if (err == RN_END) {
        s->ended = true;
        return rn_runner_drain(s->runner);
    }
    if (err || !slot)
        return err;
    if (!delay && !wanted(arg, &slot->frame)) {
        rn_play_reader_give(s->reader, slot);
        return 0;
    }
    s->nframes++;
    return rn_runner_submit(s->runner, slot);
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
    struct rn_runner *runner = s->runner;
    s->complete = !err && !s->complete ? rn_runner_ready(runner) : s->complete;
    if (err || !s->complete)
        return err ? err : s->ended && !s->nframes ? RN_END : 0;
    if (!rn_runner_done(runner, s->complete))
        return 0;
    err = rn_runner_wait(runner, s->complete);
    *slot = s->given = s->complete;
    s->complete = NULL;
    return err;
}
