/* SPDX-License-Identifier: MIT */
/* Snapshots A to D: settings of a chain to return to and to compare with. */
#pragma once

#include "app/play/edit/history.h"

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
