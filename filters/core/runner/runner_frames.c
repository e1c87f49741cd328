/* SPDX-License-Identifier: MIT */
/* Moves frames through the stages of a runner; each stage works at its own distance behind the
 * frame that comes in. */

#include <assert.h>
#include "filters/base/threads/stall.h"
#include "filters/core/runner/runner_internal.h"

/* The slot of frame n, NULL if there is no such frame. */
static struct rn_slot *begun(const struct rn_runner *r, int64_t n)
{
    return n >= 0 && n < r->frames_in ? r->begun[n % (r->delay + r->batch)] : NULL;
}

/* Whether the slots of frames n and n + k lie so that they can be taken together. Neither exists,
 * or both do, in one batch. */
static bool are_adjacent(const struct rn_runner *r, int64_t n, int k)
{
    const struct rn_slot *a = begun(r, n), *b = begun(r, n + k);
    if (!a || !b)
        return !a && !b;
    int at = (int)(a - r->slot);
    return b == a + k && at / r->batch == (at + k) / r->batch &&
           a->priv->revision == b->priv->revision && a->frame.by_field == b->frame.by_field;
}

/* How many of n frames a stage takes together, from frame `at` on. Where fields are among them, a
 * stage across frames takes each by itself. */
static int together(const struct rn_runner *r, int64_t at, int delay, int n)
{
    const struct rn_slot *in = begun(r, at), *out = begun(r, at - delay);
    int k = 1;
    if ((!in && !out) || (delay && (r->mixed || (in ? in : out)->frame.by_field)))
        return 1;
    while (k < n && are_adjacent(r, at, k) && are_adjacent(r, at - delay, k))
        k++;
    return k;
}

static int advance_stage(struct rn_runner *r, int i, int64_t at, int n)
{
    int delay = rn_current(r, i)->traits.delay;
    struct rn_slot *in = begun(r, at), *out = begun(r, at - delay), *counted = out ? out : in;
    /* At the end of a short input neither exists, but a frame between them does. */
    for (int k = 1; k < delay && !counted; k++)
        counted = begun(r, at - k);
    if (!counted || !rn_submitted(counted, i)->on)
        return 0;
    return rn_fields_stage(
        r, &(struct rn_turn){.i = i, .n = n, .in = in, .out = out, .counted = counted, .tick = at});
}

static int finish(struct rn_runner *r, int64_t at, int n)
{
    int err = 0, k;
    for (int done = 0; r->backend->finish && done < n && !err; done += k) {
        k = together(r, at + done, 0, n - done);
        err = r->backend->finish(r, begun(r, at + done), k);
    }
    return err;
}

/* Advances all stages by n frames, stage after stage. All frames under way have the same revision,
 * unless no stage has a delay. */
static int advance(struct rn_runner *r, int n)
{
    int64_t at = r->tick; /* the first frame that the stage takes */
    r->tick += n;
    assert(n >= 1 && n <= r->batch);
    enum rn_stall outer = rn_stall_enter(r->dev ? RN_STALL_DEVICE : RN_STALL_PAUSED);
    int k, err = r->backend->begin(r, begun(r, at), n);
    for (int i = 0; i < r->n && !err; i++) {
        int delay = rn_current(r, i)->traits.delay;
        for (int done = 0; done < n && !err; done += k) {
            k = together(r, at + done, delay, n - done);
            err = advance_stage(r, i, at + done, k);
        }
        at -= delay;
    }
    err = err ? err : finish(r, at, n);
    rn_stall_leave(outer);
    for (k = 0; k < n && !err; k++)
        if (begun(r, at + k))
            begun(r, at + k)->priv->complete = true;
    return err;
}

static void begin(struct rn_runner *r, struct rn_slot *slot)
{
    assert(!slot->priv->pending);
    slot->priv->complete = false;
    rn_revision_use(&slot->priv->revision, r->current);
    slot->priv->number = r->frames_in;
    slot->priv->pending = true;
    r->begun[r->frames_in++ % (r->delay + r->batch)] = slot;
}

int rn_frames_submit(struct rn_runner *r, struct rn_slot *slot, int n)
{
    for (int k = 0; k < n; k++)
        begin(r, slot + k);
    int err = advance(r, n);
    r->groups++;
    return err;
}

int rn_frames_drain(struct rn_runner *r)
{
    int err = 0;
    while (r->tick < r->frames_in + r->delay && !err)
        err = advance(r, 1);
    return err;
}

struct rn_slot *rn_frames_ready(struct rn_runner *r)
{
    int64_t complete = r->tick - r->delay;
    /* The caller did not ask for earlier frames. */
    int64_t oldest = r->frames_in - r->delay - r->batch;
    r->frames_out = r->frames_out < oldest ? oldest : r->frames_out;
    return r->frames_out < complete ? begun(r, r->frames_out++) : NULL;
}

int rn_frames_rewind(struct rn_runner *r)
{
    int err = r->backend->abandon ? r->backend->abandon(r) : 0;
    r->frames_in = r->tick = r->frames_out = r->groups = 0;
    r->stale = false;
    for (int i = 0; i < r->nslots && !err; i++) {
        if (r->priv[i].pending) /* it is the caller's to fill again */
            err = r->backend->recycle(r, &r->slot[i]);
        r->priv[i].pending = r->priv[i].complete = false;
    }
    for (int i = 0; i < r->n; i++) {
        if (r->bound[i].desc->reset)
            r->bound[i].desc->reset(&r->bound[i]);
        rn_fields_reset(r, i);
    }
    return err;
}
