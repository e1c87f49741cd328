/* What is kept of an input from run to run (autosave.h), and what was. */
#ifndef RN_APP_PLAY_EDIT_KEPT_H
#define RN_APP_PLAY_EDIT_KEPT_H

struct rn_play;

/* Looks for what was kept of this input, and gets ready to keep what will be tuned. After the chain
 * was read. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_open_kept(struct rn_play *p);

/* Tells what can be taken, if there is something; takes it. */
void rn_play_offer_kept(struct rn_play *p);
int rn_play_take_offer(struct rn_play *p);

/* Has kept what was tuned since the last call. Waits for no disk. */
void rn_play_save(struct rn_play *p);

/* Waits until all is kept, and releases what rn_play_open_kept took. */
void rn_play_close_kept(struct rn_play *p);

#endif
