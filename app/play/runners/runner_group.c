/* SPDX-License-Identifier: MIT */
#include "app/play/runners/runners.h"

#include "app/play/loop/loop.h"
#include "filters/base/owned.h"

/* The most frames that both have at a time: slots of the first. */
#define MAX_FRAMES (16 + 3 * RN_SLICES_MAX * RN_MAX_STAGES)

/* A runner beside the session's. */
struct beside {
    struct rn_play_pending *pending; /* of it; NULL: none */
    struct rn_runner *runner;        /* NULL: there is none */
    struct rn_device *device;        /* of the runner; NULL: the C reference path */
    struct rn_chain *chain;          /* its settings */
    struct rn_play_pending *rebuild; /* of the files of its kernels; NULL: none */
    bool stale;                      /* its settings have changed */
    int nunused;                     /* its first slots, which no frame had yet */
};

#define ALL (1 + RN_RUNNERS_BESIDE) /* the session's runner, and those beside it */

struct rn_play_runners {
    struct rn_app_session *session;
    struct beside beside[RN_RUNNERS_BESIDE];
    struct shared_frame {
        struct rn_slot *slot[ALL]; /* of the session's, and of those beside it: NULL without one */
        bool ready[ALL];
        bool done[ALL];   /* that of a runner beside it was waited for */
        bool with_player; /* handed out by rn_play_runners_ready */
        bool before_reset;
        struct rn_app_span run; /* the frames that were submitted with it, without a reset */
    } frame[MAX_FRAMES];
    int n;         /* frames submitted and not recycled, in order */
    int64_t first; /* frame since the reset; -1: the next one */
    int64_t last;  /* frame submitted */
};

const struct rn_play_part_type rn_play_runners_part = {.size = sizeof(struct rn_play_runners)};

void rn_play_runners_begin(struct rn_play_runners *c, struct rn_app_session *session)
{
    c->session = session;
    c->first = -1;
}

const struct rn_slot *rn_play_runners_frame(const struct rn_play_runners *c, int i)
{
    return i < c->n ? c->frame[i].slot[0] : NULL;
}

/* runner: 0: the session's, else that of beside[runner - 1]. NULL: there is none. */
static struct rn_runner *runner_of(const struct rn_play_runners *c, int runner)
{
    return runner ? c->beside[runner - 1].runner : c->session->runner;
}

/* NULL: it is in none. */
static struct shared_frame *find(struct rn_play_runners *c, const struct rn_slot *slot, int runner)
{
    for (int i = 0; i < c->n; i++)
        if (c->frame[i].slot[runner] == slot)
            return &c->frame[i];
    return NULL;
}

struct rn_app_span rn_play_runners_run(struct rn_play_runners *c, const struct rn_slot *slot)
{
    const struct shared_frame *frame = find(c, slot, 0);
    return frame ? frame->run : RN_ALL_FRAMES;
}

static void forget(struct rn_play_runners *c, const struct shared_frame *frame)
{
    int i = (int)(frame - c->frame);
    memmove(&c->frame[i], &c->frame[i + 1], (size_t)(--c->n - i) * sizeof *c->frame);
}

/* ---- frames of a runner beside the session's */

/* Submits a copy of the frame. */
static int follow(struct rn_play_runners *c, int runner, struct shared_frame *frame)
{
    struct beside *b = &c->beside[runner - 1];
    struct rn_slot *slot =
        b->nunused ? rn_runner_slot(b->runner, --b->nunused) : rn_runner_free(b->runner);
    if (!slot)
        return rn_fail(RN_EINTERNAL, "no slot is left for a frame to be compared");
    rn_image_copy(&frame->slot[0]->in, &slot->in);
    slot->frame = frame->slot[0]->frame;
    slot->frame.data = NULL; /* it belongs to the first */
    frame->slot[runner] = slot;
    frame->ready[runner] = frame->done[runner] = false;
    return rn_runner_submit(b->runner, slot);
}

static void pull(struct rn_play_runners *c, int runner)
{
    struct rn_slot *slot;
    while (runner_of(c, runner) && (slot = rn_runner_ready(runner_of(c, runner))) != NULL) {
        struct shared_frame *frame = find(c, slot, runner);
        if (frame)
            frame->ready[runner] = true;
    }
}

/* ---- all */

int rn_play_runners_submit(struct rn_play_runners *c, struct rn_slot *slot)
{
    if (c->n == MAX_FRAMES)
        return rn_fail(RN_EINTERNAL, "too many frames are compared");
    struct shared_frame *frame = &c->frame[c->n++];
    c->last = slot->frame.index;
    c->first = c->first < 0 ? c->last : c->first;
    *frame = (struct shared_frame){.slot = {slot}, .run = {c->first, RN_TO_THE_END}};
    int err = rn_runner_submit(c->session->runner, slot);
    for (int r = 1; r < ALL && !err; r++)
        err = runner_of(c, r) ? follow(c, r, frame) : 0;
    return err;
}

struct rn_slot *rn_play_runners_ready(struct rn_play_runners *c)
{
    for (int r = 0; r < ALL; r++)
        pull(c, r);
    for (int i = 0; i < c->n; i++) {
        if (c->frame[i].with_player)
            continue;
        struct shared_frame *frame = &c->frame[i];
        frame->with_player = true;
        for (int r = 0; r < ALL; r++)
            frame->with_player &= frame->ready[r] || !frame->slot[r];
        return frame->with_player ? frame->slot[0] : NULL;
    }
    return NULL;
}

int rn_play_runners_delay(const struct rn_play_runners *c)
{
    int most = 0;
    for (int r = 0; r < ALL; r++) {
        int delay = runner_of(c, r) ? rn_runner_delay(runner_of(c, r)) : 0;
        most = delay > most ? delay : most;
    }
    return most;
}

/* Does it with all runners. */
static int with_all(struct rn_play_runners *c, int (*f)(struct rn_runner *))
{
    int err = 0;
    for (int r = 0; r < ALL; r++)
        err = rn_first_error(err, runner_of(c, r) ? f(runner_of(c, r)) : 0);
    return err;
}

int rn_play_runners_drain(struct rn_play_runners *c)
{
    for (int i = 0; i < c->n; i++)
        if (!c->frame[i].before_reset && c->frame[i].run.first == c->first &&
            c->frame[i].run.last == RN_TO_THE_END)
            c->frame[i].run.last = c->last;
    c->first = -1;
    return with_all(c, rn_runner_drain);
}

int rn_play_runners_reset(struct rn_play_runners *c)
{
    int err = 0;
    c->first = -1;
    for (int r = 0; r < ALL; r++)
        pull(c, r);
    for (int i = 0; i < c->n;) {
        struct shared_frame *frame = &c->frame[i];
        frame->before_reset = true;
        if (frame->with_player) {
            i++;
            continue;
        }
        for (int r = 0; r < ALL; r++)
            if (frame->ready[r])
                err = rn_first_error(err, rn_runner_recycle(runner_of(c, r), frame->slot[r]));
        forget(c, frame);
    }
    return rn_first_error(err, with_all(c, rn_runner_reset));
}

static bool awaits(const struct shared_frame *frame, int runner)
{
    return frame->slot[runner] && !frame->done[runner];
}

static int wait_beside(struct rn_play_runners *c, int runner, struct shared_frame *frame)
{
    if (!awaits(frame, runner))
        return 0;
    frame->done[runner] = true;
    return rn_runner_wait(runner_of(c, runner), frame->slot[runner]);
}

int rn_play_runners_wait(struct rn_play_runners *c, struct rn_slot *slot)
{
    struct shared_frame *frame = find(c, slot, 0);
    int err = rn_runner_wait(c->session->runner, slot);
    for (int r = 1; r < ALL && frame && !err; r++)
        err = wait_beside(c, r, frame);
    return err;
}

bool rn_play_runners_done(struct rn_play_runners *c, const struct rn_slot *slot)
{
    const struct shared_frame *frame = find(c, slot, 0);
    bool done = true;
    for (int r = 1; r < ALL && frame && done; r++)
        done = !awaits(frame, r) || rn_runner_done(runner_of(c, r), frame->slot[r]);
    return done && rn_runner_done(c->session->runner, slot);
}

int rn_play_runners_recycle(struct rn_play_runners *c, struct rn_slot *slot)
{
    struct shared_frame *frame = find(c, slot, 0);
    int err = 0;
    for (int r = 1; r < ALL && frame; r++)
        if (frame->slot[r])
            err = rn_first_error(err, rn_runner_recycle(runner_of(c, r), frame->slot[r]));
    if (frame)
        forget(c, frame);
    return rn_first_error(err, rn_runner_recycle(c->session->runner, slot));
}

int rn_play_runners_again(struct rn_play_runners *c)
{
    int err = rn_runner_again(c->session->runner);
    for (int r = 1; r < ALL && !err; r++) {
        bool stale = runner_of(c, r) && c->beside[r - 1].stale;
        c->beside[r - 1].stale = false;
        for (int i = 0; i < c->n && stale; i++)
            c->frame[i].done[r] = c->frame[i].before_reset; /* those from before a reset stay */
        err = stale ? rn_runner_again(runner_of(c, r)) : 0;
    }
    return err;
}

int rn_play_runners_leave(struct rn_play_runners *c)
{
    int err = 0;
    c->first = -1;
    for (int r = 1; r < ALL; r++) {
        pull(c, r);
        for (int i = 0; i < c->n; i++) {
            const struct shared_frame *frame = &c->frame[i];
            if (frame->slot[r] && (frame->ready[r] || frame->before_reset))
                err = rn_first_error(err, rn_runner_recycle(runner_of(c, r), frame->slot[r]));
        }
        if (runner_of(c, r))
            err = rn_first_error(err, rn_runner_reset(runner_of(c, r)));
    }
    c->n = 0;
    return err;
}

/* ---- another runner beside the session's */

static void close_runner(struct rn_play_runners *c, int runner)
{
    struct beside *b = &c->beside[runner - 1];
    for (int i = 0; i < c->n; i++) {
        c->frame[i].slot[runner] = NULL;
        c->frame[i].ready[runner] = false;
    }
    rn_play_pending_cancel(&b->rebuild);
    rn_runner_close(&b->runner);
    rn_device_close(&b->device);
}

/* Takes what is ready, but for the chain. */
static void take_runner(struct rn_play_runners *c, int runner)
{
    struct beside *b = &c->beside[runner - 1];
    close_runner(c, runner);
    rn_play_pending_take(&b->pending, &b->runner, &b->device);
    b->nunused = rn_runner_nslots(b->runner);
}

/* Makes frames complete now: with the border rule in place of those that are not in hand. */
static int complete(struct rn_play_runners *c, int runner)
{
    int err = rn_runner_drain(runner_of(c, runner));
    pull(c, runner);
    for (int i = 0; i < c->n && !err; i++)
        if (c->frame[i].ready[runner])
            err = wait_beside(c, runner, &c->frame[i]);
    return err;
}

/* A new runner gets the frames in hand; each from before a reset by itself. */
static int catch_up(struct rn_play_runners *c, int runner)
{
    int err = 0;
    for (int i = 0; i < c->n && !err; i++) {
        if (!c->frame[i].before_reset)
            continue;
        err = follow(c, runner, &c->frame[i]);
        err = err ? err : complete(c, runner);
        err = err ? err : rn_runner_reset(runner_of(c, runner));
    }
    bool any = false;
    for (int i = 0; i < c->n && !err; i++) {
        if (c->frame[i].before_reset)
            continue;
        any = true;
        err = follow(c, runner, &c->frame[i]);
    }
    return err || !any ? err : complete(c, runner);
}

/* Does it have room for all frames of the first? */
static bool has_room(const struct rn_play_runners *c, struct rn_runner *runner)
{
    return rn_runner_nslots(runner) >= rn_runner_nslots(c->session->runner);
}

/* *taken: the runner of now has the settings. */
static int update(struct rn_play_runners *c, struct beside *b, const struct rn_chain *chain,
                  bool *taken)
{
    *taken = b->runner && has_room(c, b->runner) && rn_chain_equal(chain, b->chain) &&
             rn_chain_binds_alike(chain, b->chain);
    if (*taken || !b->runner || !has_room(c, b->runner))
        return 0;
    int err = rn_runner_try(b->runner, chain, false, taken);
    err = err || !*taken ? err : rn_chain_assign(&b->chain, chain);
    b->stale |= !err && *taken;
    return err;
}

int rn_play_runners_set(struct rn_play_runners *c, int beside, struct rn_play_jobs *jobs,
                        const struct rn_chain *chain, struct rn_play_runners_change *change)
{
    struct beside *b = &c->beside[beside];
    const struct rn_play_pending_request request = {.kind = RN_PENDING_BESIDE,
                                                    .session = c->session,
                                                    .chain = chain,
                                                    .slots = rn_runner_nslots(c->session->runner)};
    bool taken = false, anew = false;
    int err = update(c, b, chain, &taken);
    if (taken)
        rn_play_pending_cancel(&b->pending);
    else if (!err)
        err = rn_play_pending_get(&b->pending, jobs, &request, &anew);
    if (!err && anew) {
        err = rn_chain_assign(&b->chain, chain);
        if (!err)
            take_runner(c, beside + 1);
        err = err ? err : catch_up(c, beside + 1);
    }
    *change =
        (struct rn_play_runners_change){anew, b->stale, b->runner ? rn_runner_delay(b->runner) : 0};
    return err;
}

bool rn_play_runners_is_pending(const struct rn_play_runners *c)
{
    bool pending = false;
    for (int i = 0; i < RN_RUNNERS_BESIDE; i++)
        pending |= c->beside[i].pending != NULL;
    return pending;
}

bool rn_play_runners_is_ready(const struct rn_play_runners *c)
{
    bool ready = false;
    for (int i = 0; i < RN_RUNNERS_BESIDE; i++)
        ready |= rn_play_pending_is_ready(c->beside[i].pending);
    return ready;
}

int rn_play_runners_poll(struct rn_play_runners *c, int beside, struct rn_play_jobs *jobs,
                         const struct rn_chain **changed)
{
    struct beside *b = &c->beside[beside];
    bool reread = false;
    int err = b->runner ? rn_play_rebuild_poll(&b->rebuild, jobs, c->session->device[0], b->runner,
                                               b->chain, &reread)
                        : 0;
    b->stale |= reread;
    *changed = reread ? b->chain : NULL;
    return err;
}

const char *rn_play_runners_alert(const struct rn_play_runners *c)
{
    const char *alert = NULL;
    for (int r = 0; r < ALL && !alert; r++)
        alert = runner_of(c, r) ? rn_runner_alert(runner_of(c, r)) : NULL;
    return alert;
}

const struct rn_image *rn_play_runners_picture(struct rn_play_runners *c, int beside,
                                               const struct rn_slot *slot)
{
    const struct shared_frame *frame = find(c, slot, 0);
    return frame && frame->slot[beside + 1] ? &frame->slot[beside + 1]->out : NULL;
}

void rn_play_runners_close(struct rn_play_runners *c, int beside)
{
    struct beside *b = &c->beside[beside];
    rn_play_pending_cancel(&b->pending);
    close_runner(c, beside + 1);
    rn_chain_destroy(&b->chain);
    b->stale = false;
}

void rn_play_runners_end(struct rn_play_runners *c)
{
    for (int i = 0; i < RN_RUNNERS_BESIDE; i++)
        rn_play_runners_close(c, i);
    c->n = 0;
}
