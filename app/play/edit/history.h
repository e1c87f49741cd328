/* SPDX-License-Identifier: MIT */
/* Undo and redo: former settings of the chain and former contents of snapshots. */
#pragma once

#include "filters/core/chain/chain.h"

#define RN_HISTORY_MOST 1000 /* entries; the oldest are dropped */

#define RN_HISTORY_CHAIN     (-1) /* the place of the current settings; others: of snapshots.h */
#define RN_HISTORY_RECORDING (-2) /* an edit of the recording, which keeps it (recording.h) */

struct rn_play_history_entry {
    int place;
    struct rn_chain *chain; /* NULL: that snapshot was empty */
};

struct rn_play_history {
    /* The oldest first; those from `position` on were undone. */
    struct rn_play_history_entry entry[RN_HISTORY_MOST];
    int n, position;
};

/* Adds settings that were replaced in a place, and drops the undone entries. chain: owned from now
 * on. */
void rn_play_history_push(struct rn_play_history *history, int place, struct rn_chain *chain);

/* The entry to put back into its place: undo (-1) or redo (1); NULL: none. Borrowed. */
const struct rn_play_history_entry *rn_play_history_peek(const struct rn_play_history *history,
                                                         int direction);

/* Steps over the entry of rn_play_history_peek, which must exist. chain: the settings that it
 * replaced in its place, stored in the entry; owned from now on. */
void rn_play_history_move(struct rn_play_history *history, int direction, struct rn_chain *chain);

/* The number of steps that are possible in this direction. */
int rn_play_history_count(const struct rn_play_history *history, int direction);

/* Drops the entries from index n on. */
void rn_play_history_cut(struct rn_play_history *history, int n);
