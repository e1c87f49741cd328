/* Moves frames through the stages of a runner; each stage works at its own distance behind the
 * frame that comes in. */
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/core/runner_internal.h"

/* The slot of frame n, NULL if there is no such frame. */
static struct rn_slot *begun(const struct rn_runner *r, int64_t n)
{
    return n >= 0 && n < r->came ? r->begun[n % (r->delay + r->batch)] : NULL;
}

/* Advances all stages by one frame. All frames under way have the same revision, unless no stage
 * has a delay. */
static int advance(struct rn_runner *r)
{
    int64_t at = r->tick++; /* the frame that the stage takes */
    int err = r->backend->begin(r, begun(r, at), 1);
    for (int i = 0; i < r->n && !err; i++) {
        int delay = rn_now(r, i)->traits.delay;
        struct rn_slot *in = begun(r, at), *out = begun(r, at - delay), *counted = out ? out : in;
        /* At the end of a short input neither exists, but a frame between them does. */
        for (int k = 1; k < delay && !counted; k++)
            counted = begun(r, at - k);
        if (counted && rn_then(counted, i)->on)
            err = rn_fields_stage(
                r, &(struct rn_turn){
                       .i = i, .n = 1, .in = in, .out = out, .counted = counted, .tick = at});
        at -= delay;
    }
    return err ? err : r->backend->finish(r, begun(r, at), 1);
}

/* Takes n frames through all stages, none of which has a delay: stage after stage. */
static int advance_together(struct rn_runner *r, struct rn_slot *first, int n)
{
    int err = r->backend->begin(r, first, n);
    for (int i = 0; i < r->n && !err; i++)
        if (rn_then(first, i)->on)
            err = rn_fields_stage(
                r,
                &(struct rn_turn){
                    .i = i, .n = n, .in = first, .out = first, .counted = first, .tick = r->tick});
    r->tick += n;
    return err ? err : r->backend->finish(r, first, n);
}

static int begin(struct rn_runner *r, struct rn_slot *slot)
{
    if (slot->priv->pending)
        return rn_fail(RN_EINTERNAL, "a slot was submitted again before it was waited for");
    rn_revision_use(&slot->priv->revision, r->now);
    slot->priv->number = r->came;
    slot->priv->pending = true;
    r->begun[r->came++ % (r->delay + r->batch)] = slot;
    return 0;
}

/* Without a delay a group is one frame, or several of a batch. */
int rn_frames_submit(struct rn_runner *r, struct rn_slot *slot, int n)
{
    int err = 0;
    for (int k = 0; k < n && !err; k++)
        err = begin(r, slot + k);
    if (!err)
        err = r->delay ? advance(r) : advance_together(r, slot, n);
    r->groups++;
    return err;
}

int rn_frames_drain(struct rn_runner *r)
{
    int err = 0;
    while (r->tick < r->came + r->delay && !err)
        err = advance(r);
    return err;
}

struct rn_slot *rn_frames_ready(struct rn_runner *r)
{
    int64_t complete = r->tick - r->delay;
    int64_t oldest = r->came - r->delay - r->batch; /* the caller did not ask for earlier ones */
    r->taken = r->taken < oldest ? oldest : r->taken;
    return r->taken < complete ? begun(r, r->taken++) : NULL;
}

int rn_frames_rewind(struct rn_runner *r)
{
    int err = r->backend->abandon(r);
    r->came = r->tick = r->taken = r->groups = 0;
    r->stale = false;
    for (int i = 0; i < r->nslots && !err; i++) {
        if (r->priv[i].pending) /* it is the caller's to fill again */
            err = r->backend->recycle(r, &r->slot[i]);
        r->priv[i].pending = false;
    }
    for (int i = 0; i < r->n; i++) {
        if (r->bound[i].desc->reset)
            r->bound[i].desc->reset(&r->bound[i]);
        rn_fields_reset(r, i);
    }
    return err;
}
