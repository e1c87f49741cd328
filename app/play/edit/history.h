/* What was left for something else: settings of a chain, and what snapshots held. To go back to,
 * and forth again. */
#ifndef RN_APP_PLAY_EDIT_HISTORY_H
#define RN_APP_PLAY_EDIT_HISTORY_H

#include "filters/core/chain/chain.h"

#define RN_HISTORY_MOST 1000 /* of older ones the oldest are forgotten */

#define RN_HISTORY_CHAIN (-1) /* the place of the settings in force; others: of snapshots.h */

struct rn_play_history_entry {
    int place;
    struct rn_chain *chain; /* NULL: that snapshot was empty */
};

struct rn_play_history {
    /* The oldest first; those from `position` on were undone */
    struct rn_play_history_entry entry[RN_HISTORY_MOST];
    int n, position;
};

/* Takes the settings that were left for others in a place, and forgets what was undone. chain:
 * owned from now on. */
void rn_play_history_push(struct rn_play_history *history, int place, struct rn_chain *chain);

/* What to put back into its place: back (-1) or forth (1); NULL: there is nothing. Borrowed. */
const struct rn_play_history_entry *rn_play_history_peek(const struct rn_play_history *history,
                                                         int direction);

/* Goes there: it is destroyed, and chain, what it replaces in its place, comes instead of it. There
 * is something (rn_play_history_peek). */
void rn_play_history_move(struct rn_play_history *history, int direction, struct rn_chain *chain);

/* How often one can go on in this direction. */
int rn_play_history_count(const struct rn_play_history *history, int direction);

/* Forgets those from number n on, if there are more. */
void rn_play_history_cut(struct rn_play_history *history, int n);

/* Forgets all. */
void rn_play_history_clear(struct rn_play_history *history);

#endif
