#include "app/play/edit/history.h"

#include <string.h>

static void forget_undone(struct rn_play_history *h)
{
    while (h->n > h->now)
        rn_chain_destroy(&h->left[--h->n].chain);
}

void rn_play_history_leave(struct rn_play_history *h, int place, struct rn_chain *chain)
{
    forget_undone(h);
    if (h->n == RN_HISTORY_MOST) {
        rn_chain_destroy(&h->left[0].chain);
        memmove(h->left, h->left + 1, (RN_HISTORY_MOST - 1) * sizeof *h->left);
        h->n--;
    }
    h->left[h->n++] = (struct rn_play_left){place, chain};
    h->now = h->n;
}

int rn_play_history_count(const struct rn_play_history *h, int direction)
{
    return direction < 0 ? h->now : h->n - h->now;
}

/* Where that is to which one goes. */
static int index_of(const struct rn_play_history *h, int direction)
{
    return direction < 0 ? h->now - 1 : h->now;
}

const struct rn_play_left *rn_play_history_look(const struct rn_play_history *h, int direction)
{
    return rn_play_history_count(h, direction) ? &h->left[index_of(h, direction)] : NULL;
}

void rn_play_history_move(struct rn_play_history *h, int direction, struct rn_chain *chain)
{
    int at = index_of(h, direction);
    rn_chain_destroy(&h->left[at].chain);
    h->left[at].chain = chain;
    h->now += direction < 0 ? -1 : 1;
}

void rn_play_history_cut(struct rn_play_history *h, int n)
{
    h->now = n < h->now ? n : h->now;
    forget_undone(h);
}

void rn_play_history_clear(struct rn_play_history *h)
{
    rn_play_history_cut(h, 0);
}
