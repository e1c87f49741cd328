/* Changes of the chain: every change of settings that a key, a script or the mouse asks for is
 * applied here, recorded in the history and shown. Functions return 0 or an error that ends all
 * (logged). */
#ifndef RN_APP_PLAY_EDIT_EDIT_H
#define RN_APP_PLAY_EDIT_EDIT_H

struct rn_chain;
struct rn_play;
struct rn_play_change;

/* Copies settings to go to. Where the filters are the current ones, files stay as they were read
 * last. *selected: the place in the list of the first difference; unchanged if nothing differs. The
 * caller destroys the copy. NULL: out of memory (logged). */
struct rn_chain *rn_play_draft(const struct rn_play *p, const struct rn_chain *there,
                               int *selected);

/* Makes one change to the chain (change.h). What is refused is said, and changes nothing. Returns
 * 0 or an error that ends all. */
int rn_play_edit(struct rn_play *p, const struct rn_play_change *change);

/* Undoes (-1) or redoes (1) the last change. What is refused is said, and changes nothing. */
int rn_play_undo(struct rn_play *p, int direction);

/* Shows why settings were refused with err. Returns 0, or the error if it ends all. */
int rn_play_refused(struct rn_play *p, int err);

/* Goes to other settings by one change; the selection stays if it can. said: the message, unless
 * they are refused. */
int rn_play_adopt(struct rn_play *p, const struct rn_chain *there, const char *said);

/* Stores the chain in a snapshot, goes to it, flips between it and the chain, and compares their
 * pictures. place: see snapshots.h. */
int rn_play_store(struct rn_play *p, int place);
int rn_play_recall(struct rn_play *p, int place);
int rn_play_flip(struct rn_play *p);
int rn_play_compare(struct rn_play *p);

/* Applies settings by themselves: takes draft, in any case. *before: the settings that were left,
 * now the caller's; NULL: the draft was refused, which is said. Returns an error that ends all. */
int rn_play_apply(struct rn_play *p, struct rn_chain *draft, struct rn_chain **before);

#endif
