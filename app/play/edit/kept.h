/* What is kept of an input from run to run (autosave.h), and what was. */
#ifndef RN_APP_PLAY_EDIT_KEPT_H
#define RN_APP_PLAY_EDIT_KEPT_H

struct rn_player;

/* Looks for what was kept of this input, and gets ready to keep what will be tuned. After the chain
 * was read. Returns 0 or RN_EINTERNAL (logged). */
int rn_player_open_kept(struct rn_player *p);

/* Tells what can be taken, if there is something; takes it. */
void rn_player_offer(struct rn_player *p);
int rn_player_take_offer(struct rn_player *p);

/* Has kept what was tuned since the last call. Waits for no disk. */
void rn_player_save(struct rn_player *p);

/* Waits until all is kept, and releases what rn_player_open_kept took. */
void rn_player_close_kept(struct rn_player *p);

#endif
