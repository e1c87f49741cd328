/* SPDX-License-Identifier: MIT */
/* Streams of pictures through runners: what came of each frame. */
#pragma once

#include "tests/engine.h"
#include "tests/pictures.h"

/* By the index of the frame. */
struct results {
    uint64_t hash[1000], measure[1000];
    int frames, measured;
};

static inline int take_measure(void *arg, const struct rn_measure *m)
{
    struct results *r = arg;
    uint64_t *h = &r->measure[m->frame->index];
    *h = mix(*h, m->whole_dot + m->has_previous);
    for (int i = 0; i < m->bins; i++)
        *h = mix(*h, m->histogram[i]);
    r->measured++;
    return 0;
}

/* Whether a stage has measures to tell. */
static inline bool is_stats(const struct rn_chain *chain, int i)
{
    return !strcmp(rn_chain_stage(chain, i)->desc->name, "stats");
}

/* Takes the frames that are complete. */
static inline int collect(struct rn_runner *r, struct results *results)
{
    struct rn_slot *slot;
    int err = 0;
    while (!err && (slot = rn_runner_ready(r)) != NULL) {
        err = rn_runner_wait(r, slot);
        results->frames++;
        results->hash[slot->frame.index] = err ? 0 : hash(&slot->out);
        err = err ? err : rn_runner_recycle(r, slot);
    }
    return err;
}

/* Takes the frames that the runner still holds. */
static inline int collect_all(struct rn_runner *r, struct results *results)
{
    int err = rn_runner_drain(r);
    return err ? err : collect(r, results);
}

/* How many of n frames are others. */
static inline int differing(const struct results *got, const struct results *want, int n)
{
    int different = 0;
    for (int i = 0; i < n; i++)
        different += got->hash[i] != want->hash[i] || got->measure[i] != want->measure[i];
    return different;
}
