#include "app/play/runners/pair.h"

#include "app/play/loop/part.h"
#include "filters/base/err.h"
#include "filters/base/log.h"

#include <stdlib.h>
#include <string.h>

/* The most frames that both have at a time: slots of the first. */
#define MAX_FRAMES (16 + 3 * RN_SLICES_MAX * RN_MAX_STAGES)

struct rn_play_pair {
    struct rn_app_session *session;
    struct rn_play_pending *pending; /* of it; NULL: none */
    struct rn_runner *runner;        /* NULL: there is none */
    struct rn_device *device;        /* of the runner; NULL: the C reference path */
    struct rn_chain *chain;          /* its settings */
    struct rn_play_pending *rebuild; /* of the files of its kernels; NULL: none */
    int delay;                       /* of the chain */
    bool stale;                      /* its settings have changed */
    struct paired {
        struct rn_slot *slot[2]; /* of the first, and of the second runner: NULL without one */
        bool ready[2];
        bool with_player; /* handed out by rn_play_pair_ready */
        bool second_done; /* that of the second runner was waited for */
        bool before_reset;
    } frame[MAX_FRAMES];
    int n; /* frames submitted and not recycled, in order */
    struct rn_slot **unused;
    int nunused;
};

const struct rn_play_part_type rn_play_pair_part = {.size = sizeof(struct rn_play_pair)};

void rn_play_pair_begin(struct rn_play_pair *c, struct rn_app_session *session)
{
    c->session = session;
}

static struct rn_runner *runner_of(const struct rn_play_pair *c, int side)
{
    return side ? c->runner : c->session->runner;
}

/* NULL: it is in none. */
static struct paired *find(struct rn_play_pair *c, const struct rn_slot *slot, int side)
{
    for (int i = 0; i < c->n; i++)
        if (c->frame[i].slot[side] == slot)
            return &c->frame[i];
    return NULL;
}

static void forget(struct rn_play_pair *c, const struct paired *pair)
{
    int i = (int)(pair - c->frame);
    memmove(&c->frame[i], &c->frame[i + 1], (size_t)(--c->n - i) * sizeof *c->frame);
}

/* ---- frames of the second runner */

/* Submits a copy of the frame. */
static int follow(struct rn_play_pair *c, struct paired *pair)
{
    struct rn_slot *slot = c->nunused ? c->unused[--c->nunused] : rn_runner_free(c->runner);
    if (!slot)
        return rn_fail(RN_EINTERNAL, "no slot is left for a frame to be compared");
    rn_image_copy(&pair->slot[0]->in, &slot->in);
    slot->frame = pair->slot[0]->frame;
    slot->frame.data = NULL; /* it belongs to the first */
    pair->slot[1] = slot;
    pair->ready[1] = pair->second_done = false;
    return rn_runner_submit(c->runner, slot);
}

static void pull(struct rn_play_pair *c, int side)
{
    struct rn_slot *slot;
    while (runner_of(c, side) && (slot = rn_runner_ready(runner_of(c, side))) != NULL) {
        struct paired *pair = find(c, slot, side);
        if (pair)
            pair->ready[side] = true;
    }
}

/* ---- both */

int rn_play_pair_submit(struct rn_play_pair *c, struct rn_slot *slot)
{
    if (c->n == MAX_FRAMES)
        return rn_fail(RN_EINTERNAL, "too many frames are compared");
    struct paired *pair = &c->frame[c->n++];
    *pair = (struct paired){.slot = {slot}};
    int err = rn_runner_submit(c->session->runner, slot);
    return err || !c->runner ? err : follow(c, pair);
}

struct rn_slot *rn_play_pair_ready(struct rn_play_pair *c)
{
    pull(c, 0);
    pull(c, 1);
    for (int i = 0; i < c->n; i++) {
        if (c->frame[i].with_player)
            continue;
        struct paired *pair = &c->frame[i];
        pair->with_player = pair->ready[0] && (pair->ready[1] || !pair->slot[1]);
        return pair->with_player ? pair->slot[0] : NULL;
    }
    return NULL;
}

int rn_play_pair_delay(const struct rn_play_pair *c)
{
    int first = rn_runner_delay(c->session->runner),
        own = c->runner ? rn_runner_delay(c->runner) : 0;
    return first > own ? first : own;
}

/* Does it with both runners. */
static int with_both(struct rn_play_pair *c, int (*f)(struct rn_runner *))
{
    int err = f(c->session->runner), other = c->runner ? f(c->runner) : 0;
    return err ? err : other;
}

int rn_play_pair_drain(struct rn_play_pair *c)
{
    return with_both(c, rn_runner_drain);
}

int rn_play_pair_reset(struct rn_play_pair *c)
{
    int err = 0;
    pull(c, 0);
    pull(c, 1);
    for (int i = 0; i < c->n;) {
        struct paired *pair = &c->frame[i];
        pair->before_reset = true;
        if (pair->with_player) {
            i++;
            continue;
        }
        for (int side = 0; side < 2; side++) {
            int recycled =
                pair->ready[side] ? rn_runner_recycle(runner_of(c, side), pair->slot[side]) : 0;
            err = err ? err : recycled;
        }
        forget(c, pair);
    }
    int reset = with_both(c, rn_runner_reset);
    return err ? err : reset;
}

static int wait_own(struct rn_play_pair *c, struct paired *pair)
{
    if (!pair->slot[1] || pair->second_done)
        return 0;
    pair->second_done = true;
    return rn_runner_wait(c->runner, pair->slot[1]);
}

int rn_play_pair_wait(struct rn_play_pair *c, struct rn_slot *slot)
{
    struct paired *pair = find(c, slot, 0);
    int err = rn_runner_wait(c->session->runner, slot);
    return err || !pair ? err : wait_own(c, pair);
}

bool rn_play_pair_done(struct rn_play_pair *c, const struct rn_slot *slot)
{
    const struct paired *pair = find(c, slot, 0);
    bool waits = pair && pair->slot[1] && !pair->second_done;
    return (!waits || rn_runner_done(c->runner, pair->slot[1])) &&
           rn_runner_done(c->session->runner, slot);
}

int rn_play_pair_recycle(struct rn_play_pair *c, struct rn_slot *slot)
{
    struct paired *pair = find(c, slot, 0);
    int err = pair && pair->slot[1] ? rn_runner_recycle(c->runner, pair->slot[1]) : 0;
    if (pair)
        forget(c, pair);
    int first = rn_runner_recycle(c->session->runner, slot);
    return err ? err : first;
}

int rn_play_pair_again(struct rn_play_pair *c)
{
    int err = rn_runner_again(c->session->runner);
    bool own = c->runner && c->stale;
    c->stale = false;
    for (int i = 0; i < c->n && own; i++)
        c->frame[i].second_done =
            c->frame[i].before_reset; /* those from before a reset stay as they are */
    return err || !own ? err : rn_runner_again(c->runner);
}

int rn_play_pair_leave(struct rn_play_pair *c)
{
    int err = 0;
    pull(c, 1);
    for (int i = 0; i < c->n; i++) {
        const struct paired *pair = &c->frame[i];
        int recycled = pair->slot[1] && (pair->ready[1] || pair->before_reset)
                           ? rn_runner_recycle(c->runner, pair->slot[1])
                           : 0;
        err = err ? err : recycled;
    }
    c->n = 0;
    int reset = c->runner ? rn_runner_reset(c->runner) : 0;
    return err ? err : reset;
}

/* ---- another second runner */

static void close_runner(struct rn_play_pair *c)
{
    for (int i = 0; i < c->n; i++)
        c->frame[i].slot[1] = NULL;
    rn_play_pending_cancel(&c->rebuild);
    rn_runner_close(&c->runner);
    rn_device_close(&c->device);
    free(c->unused);
    c->unused = NULL;
    c->nunused = 0;
}

/* Takes what is ready, but for the chain. */
static int take_runner(struct rn_play_pair *c)
{
    int n = rn_runner_nslots(rn_play_pending_runner(c->pending));
    struct rn_slot **unused = calloc((size_t)n, sizeof *unused);
    if (!unused)
        return rn_fail_memory();
    close_runner(c);
    c->delay = rn_play_pending_delay(c->pending);
    rn_play_pending_take(&c->pending, &c->runner, &c->device);
    c->unused = unused;
    for (int i = 0; i < n; i++)
        c->unused[c->nunused++] = rn_runner_slot(c->runner, i);
    return 0;
}

/* Makes frames complete now: with the border rule in place of those that are not in hand. */
static int complete(struct rn_play_pair *c)
{
    int err = rn_runner_drain(c->runner);
    pull(c, 1);
    for (int i = 0; i < c->n && !err; i++)
        if (c->frame[i].ready[1])
            err = wait_own(c, &c->frame[i]);
    return err;
}

/* A new second runner gets the frames in hand; each from before a reset by itself. */
static int catch_up(struct rn_play_pair *c)
{
    int err = 0;
    for (int i = 0; i < c->n && !err; i++) {
        if (!c->frame[i].before_reset)
            continue;
        err = follow(c, &c->frame[i]);
        err = err ? err : complete(c);
        err = err ? err : rn_runner_reset(c->runner);
    }
    bool any = false;
    for (int i = 0; i < c->n && !err; i++) {
        if (c->frame[i].before_reset)
            continue;
        any = true;
        err = follow(c, &c->frame[i]);
    }
    return err || !any ? err : complete(c);
}

/* Does it have room for all frames of the first? */
static bool has_room(const struct rn_play_pair *c, struct rn_runner *runner)
{
    return rn_runner_nslots(runner) >= rn_runner_nslots(c->session->runner);
}

/* *taken: the second runner of now has the settings. */
static int update(struct rn_play_pair *c, const struct rn_chain *chain, bool *taken)
{
    *taken = c->runner && has_room(c, c->runner) && rn_chain_equal(chain, c->chain) &&
             rn_chain_binds_alike(chain, c->chain);
    if (*taken || !c->runner || !has_room(c, c->runner))
        return 0;
    int err = rn_runner_try(c->runner, chain, false, taken);
    err = err || !*taken ? err : rn_chain_assign(&c->chain, chain);
    c->stale |= !err && *taken;
    return err;
}

int rn_play_pair_set(struct rn_play_pair *c, struct rn_play_jobs *jobs,
                     const struct rn_chain *chain, struct rn_play_pair_change *change)
{
    const struct rn_play_pending_request request = {.kind = RN_PENDING_BESIDE,
                                                    .session = c->session,
                                                    .chain = chain,
                                                    .slots = rn_runner_nslots(c->session->runner)};
    bool taken = false, anew = false;
    int err = update(c, chain, &taken);
    if (taken)
        rn_play_pending_cancel(&c->pending);
    else if (!err)
        err = rn_play_pending_get(&c->pending, jobs, &request, &anew);
    if (!err && anew) {
        err = rn_chain_assign(&c->chain, chain);
        err = err ? err : take_runner(c);
        err = err ? err : catch_up(c);
    }
    *change = (struct rn_play_pair_change){anew, c->stale, c->delay};
    return err;
}

bool rn_play_pair_is_pending(const struct rn_play_pair *c)
{
    return c->pending;
}

bool rn_play_pair_is_ready(const struct rn_play_pair *c)
{
    return rn_play_pending_is_ready(c->pending);
}

int rn_play_pair_poll(struct rn_play_pair *c, struct rn_play_jobs *jobs,
                      const struct rn_chain **changed)
{
    bool reread = false;
    int err = c->runner ? rn_play_rebuild_poll(&c->rebuild, jobs, c->session->device[0], c->runner,
                                               c->chain, &reread)
                        : 0;
    c->stale |= reread;
    *changed = reread ? c->chain : NULL;
    return err;
}

const char *rn_play_pair_alert(const struct rn_play_pair *c)
{
    const char *alert = rn_runner_alert(c->session->runner);
    return alert || !c->runner ? alert : rn_runner_alert(c->runner);
}

const struct rn_image *rn_play_pair_picture(struct rn_play_pair *c, const struct rn_slot *slot)
{
    const struct paired *pair = find(c, slot, 0);
    return pair && pair->slot[1] ? &pair->slot[1]->out : NULL;
}

void rn_play_pair_close(struct rn_play_pair *c)
{
    rn_play_pending_cancel(&c->pending);
    close_runner(c);
    rn_chain_destroy(&c->chain);
    c->stale = false;
}

void rn_play_pair_end(struct rn_play_pair *c)
{
    rn_play_pair_close(c);
    c->n = 0;
}
