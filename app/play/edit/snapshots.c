/* SPDX-License-Identifier: MIT */
#include "app/play/edit/settings.h"

#include "app/play/loop/loop.h"
#include "app/run/recording/record.h"
#include "filters/base/err.h"
#include "filters/base/owned.h"

const struct rn_chain *rn_play_snapshots_get(struct rn_play_snapshots *s, int place)
{
    if (s->text[place] && !rn_app_chain_from(&s->chain[place], s->text[place], s->origin))
        free(rn_take_owned(&s->text[place]));
    return s->chain[place];
}

struct rn_chain *rn_play_snapshots_store(struct rn_play_snapshots *s, int place,
                                         struct rn_chain *chain)
{
    rn_play_snapshots_get(s, place);
    struct rn_chain *before = s->chain[place];
    s->chain[place] = chain;
    s->before = place != s->recent ? s->recent : s->before;
    s->recent = place;
    free(rn_take_owned(&s->text[place]));
    return before;
}

int rn_play_snapshots_undo(struct rn_play_snapshots *s, struct rn_play_history *history,
                           int direction)
{
    const struct rn_play_history_entry *there = rn_play_history_peek(history, direction);
    struct rn_chain *copy = there->chain ? rn_chain_copy(there->chain) : NULL;
    if (there->chain && !copy)
        return RN_EINTERNAL;
    rn_play_history_move(history, direction, rn_play_snapshots_store(s, there->place, copy));
    return 0;
}

int rn_play_snapshots_leave(struct rn_play_snapshots *s, int place, const struct rn_chain *now)
{
    s->recent = place;
    s->before = RN_SNAPSHOTS;
    if (rn_chain_equal(s->chain[place], now))
        return 0; /* the flip needs two different settings */
    return rn_chain_assign(&s->previous, now);
}

const struct rn_chain *rn_play_snapshots_flip(struct rn_play_snapshots *s,
                                              const struct rn_chain *now, bool *back)
{
    const struct rn_chain *last = rn_play_snapshots_get(s, s->recent);
    *back = last && rn_chain_equal(last, now);
    return *back ? s->previous : last;
}

void rn_play_snapshots_clear(struct rn_play_snapshots *s)
{
    for (int i = 0; i < RN_SNAPSHOTS; i++) {
        rn_chain_destroy(&s->chain[i]);
        free(rn_take_owned(&s->text[i]));
    }
    rn_chain_destroy(&s->previous);
}

/* ---- undo and redo */

static void forget(struct rn_play_history_entry *entry)
{
    rn_chain_destroy(&entry->chain);
    rn_play_recording_forget(&entry->edit);
}

static void forget_undone(struct rn_play_history *h)
{
    while (h->n > h->position)
        forget(&h->entry[--h->n]);
}

void rn_play_history_push(struct rn_play_history *h, int place, struct rn_chain *chain)
{
    forget_undone(h);
    if (h->n == RN_HISTORY_MOST) {
        forget(&h->entry[0]);
        memmove(h->entry, h->entry + 1, (RN_HISTORY_MOST - 1) * sizeof *h->entry);
        h->n--;
    }
    h->entry[h->n++] = (struct rn_play_history_entry){place, chain, NULL};
    h->position = h->n;
}

int rn_play_history_count(const struct rn_play_history *h, int direction)
{
    return direction < 0 ? h->position : h->n - h->position;
}

static int index_towards(const struct rn_play_history *h, int direction)
{
    return direction < 0 ? h->position - 1 : h->position;
}

const struct rn_play_history_entry *rn_play_history_peek(const struct rn_play_history *h,
                                                         int direction)
{
    return rn_play_history_count(h, direction) ? &h->entry[index_towards(h, direction)] : NULL;
}

void rn_play_history_move(struct rn_play_history *h, int direction, struct rn_chain *chain)
{
    int at = index_towards(h, direction);
    rn_chain_destroy(&h->entry[at].chain);
    h->entry[at].chain = chain;
    h->position += direction < 0 ? -1 : 1;
}

void rn_play_history_cut(struct rn_play_history *h, int n)
{
    h->position = n < h->position ? n : h->position;
    forget_undone(h);
}
