/* The settings that a chain had and had no longer: to go back to, and forth again. */
#ifndef RN_HISTORY_H
#define RN_HISTORY_H

#include "filters/core/chain_internal.h"

#define RN_HISTORY_MOST 1000 /* of older ones the oldest are forgotten */

struct rn_history {
    struct rn_chain *chain[RN_HISTORY_MOST]; /* the oldest first; those from `now` on were undone */
    int n, now;
};

/* Takes the settings that were left for others, and forgets what was undone. chain: owned from now
 * on. */
void rn_history_leave(struct rn_history *history, struct rn_chain *chain);

/* The settings to go to: back (-1) or forth (1); NULL: there are none. Borrowed. */
const struct rn_chain *rn_history_look(const struct rn_history *history, int direction);

/* Goes there: they are destroyed, and chain, the settings that are left, takes their place. There
 * are some (rn_history_look). */
void rn_history_move(struct rn_history *history, int direction, struct rn_chain *chain);

/* How often one can go on in this direction. */
int rn_history_count(const struct rn_history *history, int direction);

/* Forgets all. */
void rn_history_clear(struct rn_history *history);

#endif
