/* SPDX-License-Identifier: MIT */
/* Former settings of the chain: undo and redo, and snapshots A to D, to return to and to compare
 * with. */
#pragma once

#include "filters/core/chain/chain.h"

/* ---- undo and redo: former settings of the chain and former contents of snapshots */

#define RN_HISTORY_MOST 1000 /* entries; the oldest are dropped */

#define RN_HISTORY_CHAIN     (-1) /* the place of the current settings; others: of snapshots */
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

/* ---- snapshots */

#define RN_SNAPSHOTS 4

struct rn_play_snapshots {
    struct rn_chain *chain[RN_SNAPSHOTS]; /* NULL: empty, or text is set */
    char *text[RN_SNAPSHOTS];             /* of an earlier run, not parsed yet */
    const char *origin;                   /* of texts (rn_stage_origin) */
    struct rn_chain *previous;            /* the settings before the last recall; NULL: none */
    int recent;                           /* the place that was stored or recalled last */
    int before;                           /* likewise, before a store; RN_SNAPSHOTS: previous */
};

/* The letter of a place, for people and files. */
static inline char rn_play_snapshot_name(int place)
{
    return (char)('A' + place);
}

/* The settings in a place. Borrowed; NULL: it is empty, or its text is no longer a valid chain
 * (logged). */
const struct rn_chain *rn_play_snapshots_get(struct rn_play_snapshots *snapshots, int place);

/* Stores settings, or NULL, in a place. chain: owned from now on. Returns the settings that it
 * replaces, which the caller owns. */
struct rn_chain *rn_play_snapshots_store(struct rn_play_snapshots *snapshots, int place,
                                         struct rn_chain *chain);

/* Undoes (-1) or redoes (1) the change of a snapshot that the history has next. Returns 0
 * or RN_EINTERNAL (logged). */
int rn_play_snapshots_undo(struct rn_play_snapshots *snapshots, struct rn_play_history *history,
                           int direction);

/* Remembers the current settings, to flip back to, before those of a place replace them. now:
 * copied. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_snapshots_leave(struct rn_play_snapshots *snapshots, int place,
                            const struct rn_chain *now);

/* The settings that a flip goes to from the current ones: the recent snapshot or, from that, back.
 * *back: which. Borrowed; NULL: there are none. */
const struct rn_chain *rn_play_snapshots_flip(struct rn_play_snapshots *snapshots,
                                              const struct rn_chain *now, bool *back);

/* Empties all. */
void rn_play_snapshots_clear(struct rn_play_snapshots *snapshots);
