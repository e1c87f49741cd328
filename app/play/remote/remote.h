/* What the clients of --ipc ask for and are told. README has the commands for people.
 *
 * The requests of a client are done one after another, and each is answered when what it asks for
 * is on the screen, so that scripts need not wait for a time: a seek when its frame is shown, a
 * change when the picture has it. One with "async": true is answered at once. */
#ifndef RN_APP_PLAY_REMOTE_REMOTE_H
#define RN_APP_PLAY_REMOTE_REMOTE_H

#include <stdbool.h>

struct rn_play;
struct rn_play_remote;

/* Makes the socket. Returns 0 or an error (logged). */
int rn_play_remote_open(struct rn_play_remote **remote, const char *path);

/* For ever new rounds of the player's loop. The first does what was asked for since the last round;
 * *busy: there was something. The second, after the picture was brought up to date, sends answers
 * and what is observed. p->remote NULL: nothing is done. Return 0, or an error that ends all
 * (logged). */
int rn_play_remote_serve(struct rn_play *p, bool *busy);
int rn_play_remote_tell(struct rn_play *p);

/* Sends an event to all clients: name, and text as its member `key` unless that is NULL. */
void rn_play_remote_event(struct rn_play_remote *remote, const char *name, const char *key,
                          const char *text);

/* Has the window woken when a client asks for something, until `on` is false: for when there is
 * one. NULL is legal. */
void rn_play_remote_wake(struct rn_play_remote *remote, bool on);

/* Tells the end to all clients and removes the socket. NULL is legal. */
void rn_play_remote_close(struct rn_play_remote **remote);

#endif
