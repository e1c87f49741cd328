/* SPDX-License-Identifier: MIT */
#include "app/play/edit/history.h"

#include <string.h>

static void forget_undone(struct rn_play_history *h)
{
    while (h->n > h->position)
        rn_chain_destroy(&h->entry[--h->n].chain);
}

void rn_play_history_push(struct rn_play_history *h, int place, struct rn_chain *chain)
{
    forget_undone(h);
    if (h->n == RN_HISTORY_MOST) {
        rn_chain_destroy(&h->entry[0].chain);
        memmove(h->entry, h->entry + 1, (RN_HISTORY_MOST - 1) * sizeof *h->entry);
        h->n--;
    }
    h->entry[h->n++] = (struct rn_play_history_entry){place, chain};
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
