/* Four places, A to D, for settings of a chain: to go back to, and to compare with. */
#ifndef RN_APP_PLAY_EDIT_SNAPSHOTS_H
#define RN_APP_PLAY_EDIT_SNAPSHOTS_H

#include "app/play/edit/history.h"
#include "filters/core/chain/chain.h"

#define RN_SNAPSHOTS      4
#define RN_SNAPSHOTS_TEXT 64

struct rn_play_snapshots {
    struct rn_chain *chain[RN_SNAPSHOTS]; /* NULL: empty, or */
    char *text[RN_SNAPSHOTS];             /* kept from before, and not read yet */
    struct rn_chain *previous;            /* the settings before the last one of them; NULL: none */
    int recent;                           /* the place that was stored or gone to last */
};

/* The letter of a place, for people and files. */
static inline char rn_play_snapshot_name(int place)
{
    return (char)('A' + place);
}

/* The settings in a place. Borrowed; NULL: it is empty, or the text is no chain (any more; logged).
 */
const struct rn_chain *rn_play_snapshots_get(struct rn_play_snapshots *snapshots, int place);

/* Stores settings, or NULL, in a place. chain: owned from now on. Returns those that it had, which
 * become the caller's. */
struct rn_chain *rn_play_snapshots_store(struct rn_play_snapshots *snapshots, int place,
                                         struct rn_chain *chain);

/* Puts back what a snapshot held before the change that the history has in that direction: there is
 * one, of a snapshot. text: says so. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_snapshots_undo(struct rn_play_snapshots *snapshots, struct rn_play_history *history,
                           int direction, char text[RN_SNAPSHOTS_TEXT]);

/* Notes that the settings of now are about to be left for those of a place, to flip back to. now:
 * copied. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_snapshots_leave(struct rn_play_snapshots *snapshots, int place,
                            const struct rn_chain *now);

/* Where one gets from the settings of now by flipping: to the snapshot used last or, from that,
 * back. *back: which. Borrowed; NULL: there is nothing to flip to. */
const struct rn_chain *rn_play_snapshots_flip(struct rn_play_snapshots *snapshots,
                                              const struct rn_chain *now, bool *back);

/* Empties all. */
void rn_play_snapshots_clear(struct rn_play_snapshots *snapshots);

#endif
