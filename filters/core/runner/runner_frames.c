/* SPDX-License-Identifier: MIT */
/* Moves frames through the stages of a runner, each at its own distance behind the newest frame. */
#include "filters/base/arguments.h"
#include "filters/base/owned.h"
#include "filters/base/threads/stall.h"
#include "filters/core/runner/runner_internal.h"

#include <assert.h>

/* The slot of frame n, NULL if there is no such frame. */
static struct rn_slot *begun(const struct rn_runner *r, int64_t n)
{
    return n >= 0 && n < r->frames_in ? r->begun[n % (r->delay + r->batch)] : NULL;
}

/* Whether frames n and n + k can be taken together: neither slot exists, or both in one batch. */
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

int rn_frames_submit(struct rn_runner *r, struct rn_slot *slot, int n)
{
    for (int k = 0; k < n; k++) {
        struct rn_slot_priv *priv = slot[k].priv;
        assert(!priv->pending);
        priv->complete = false;
        rn_revision_use(&priv->revision, r->current);
        priv->number = r->frames_in;
        priv->pending = true;
        r->begun[r->frames_in++ % (r->delay + r->batch)] = slot + k;
    }
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

/* ---- frames that are filtered again
 *
 * The runner keeps, in order, the frames submitted since the last reset. It drops a frame once the
 * caller has recycled it and neither a frame still in use nor the next one to come is near enough
 * to need it as a neighbour. */

void rn_runner_keep(struct rn_runner *r)
{
    RN_NEED(, "runner", r);
    r->keep = true;
    for (int i = 0; i < r->n; i++) {
        char text[1];
        const uint64_t *histogram;
        int nbins;
        const struct rn_measuring *m = r->bound[i].desc->measuring;
        if (m) /* a stage collects its numbers for show only once it was called */
            m->show(&r->bound[i], text, sizeof text, &histogram, &nbins);
    }
}

static int find(const struct rn_runner *r, const struct rn_slot *slot)
{
    int i = 0;
    while (i < r->nkept && r->kept[i].slot != slot)
        i++;
    return i;
}

bool rn_runner_holds(const struct rn_runner *r, const struct rn_slot *slot)
{
    RN_NEED(false, "runner slot", r, slot);
    return find(r, slot) < r->nkept;
}

struct rn_slot *rn_runner_free(struct rn_runner *r)
{
    RN_NEED(NULL, "runner", r);
    return r->nidle ? r->idle[--r->nidle] : NULL;
}

static int make_free(struct rn_runner *r, struct rn_slot *slot)
{
    for (int i = 0; i < r->nidle; i++)
        if (r->idle[i] == slot)
            return rn_fail(RN_EUSAGE, "rn_runner_recycle: a slot was recycled twice");
    int err = slot->priv->pending ? r->backend->wait(r, slot) : 0;
    slot->priv->pending = false;
    r->idle[r->nidle++] = slot;
    return err ? err : r->backend->recycle(r, slot);
}

static bool is_near(const struct rn_runner *r, const struct rn_kept *k, int64_t number)
{
    return llabs(k->slot->priv->number - number) <= r->delay;
}

static bool is_needed(const struct rn_runner *r, const struct rn_kept *k)
{
    bool needed = !k->recycled || is_near(r, k, r->frames_in);
    for (int i = 0; i < r->nkept && !needed; i++)
        needed = !r->kept[i].recycled && is_near(r, k, r->kept[i].slot->priv->number);
    return needed;
}

int rn_kept_recycle(struct rn_runner *r, struct rn_slot *slot)
{
    int i = find(r, slot), err = 0;
    if (i == r->nkept)
        return make_free(r, slot);
    r->kept[i].recycled = true;
    for (i = 0; i < r->nkept;) {
        if (is_needed(r, &r->kept[i])) {
            i++;
            continue;
        }
        slot = r->kept[i].slot;
        memmove(&r->kept[i], &r->kept[i + 1], (size_t)(--r->nkept - i) * sizeof *r->kept);
        err = rn_first_error(err, make_free(r, slot));
    }
    return err;
}

int rn_runner_again(struct rn_runner *r)
{
    RN_NEED(RN_EUSAGE, "runner", r);
    bool drained = r->tick != r->frames_in;
    int err = rn_frames_rewind(r);
    for (int i = 0; i < r->nkept && !err; i++)
        err = rn_frames_submit(r, r->kept[i].slot, 1);
    return err || !drained ? err : rn_frames_drain(r);
}

int rn_kept_submit(struct rn_runner *r, struct rn_slot *slot)
{
    int err = r->stale ? rn_runner_again(r) : 0;
    for (int i = 0; i < r->nidle; i++)
        if (r->idle[i] == slot) /* not taken by rn_runner_free */
            r->idle[i--] = r->idle[--r->nidle];
    r->kept[r->nkept++] = (struct rn_kept){.slot = slot};
    return err ? err : rn_frames_submit(r, slot, 1);
}

struct rn_slot *rn_kept_ready(struct rn_runner *r)
{
    int i = 0;
    while (i < r->nkept && r->kept[i].given)
        i++;
    if (i == r->nkept || r->kept[i].slot->priv->number >= r->tick - r->delay)
        return NULL;
    r->kept[i].given = true;
    return r->kept[i].slot;
}

/* Slots that the caller holds stay with it; all others become free. */
int rn_kept_reset(struct rn_runner *r)
{
    int err = 0, n = r->nkept;
    r->nkept = 0;
    for (int i = 0; i < n; i++)
        if (!r->kept[i].given || r->kept[i].recycled)
            err = rn_first_error(err, make_free(r, r->kept[i].slot));
    return err;
}
