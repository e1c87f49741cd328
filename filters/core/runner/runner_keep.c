/* SPDX-License-Identifier: MIT */
/* Frames that are filtered again. The runner keeps, in order, the frames submitted since the last
 * reset. It drops a frame once the caller has recycled it and neither a frame still in use nor the
 * next one to come is near enough to need it as a neighbour. */
#include "filters/base/arguments.h"
#include "filters/base/owned.h"
#include "filters/core/runner/runner_internal.h"

#include <stdlib.h>
#include <string.h>

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

static int free_unneeded(struct rn_runner *r)
{
    int err = 0;
    for (int i = 0; i < r->nkept;) {
        struct rn_slot *slot = r->kept[i].slot;
        if (is_needed(r, &r->kept[i])) {
            i++;
            continue;
        }
        memmove(&r->kept[i], &r->kept[i + 1], (size_t)(--r->nkept - i) * sizeof *r->kept);
        err = rn_first_error(err, make_free(r, slot));
    }
    return err;
}

int rn_kept_recycle(struct rn_runner *r, struct rn_slot *slot)
{
    int i = find(r, slot);
    if (i == r->nkept)
        return make_free(r, slot);
    r->kept[i].recycled = true;
    return free_unneeded(r);
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
