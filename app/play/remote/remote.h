/* SPDX-License-Identifier: MIT */
/* Serves the clients of --ipc. README has the commands for people.
 *
 * The requests of a client are executed in order. Each is answered when its result is on the
 * screen, so that scripts need not sleep: a seek when its frame is shown, a change when the picture
 * has it. A request with "async": true is answered at once. */
#pragma once

#include <stdbool.h>

struct rn_play;
struct rn_play_remote;

/* Creates the socket. Returns 0 or an error (logged). */
int rn_play_remote_open(struct rn_play_remote **remote, const char *path);

/* Called in each round of the player's loop. The first function executes the requests since the
 * last round; *busy: there were some. The second one, after the picture was updated, sends answers
 * and changes of observed properties. Without p->remote they do nothing. Returns 0, or an error
 * that ends all (logged). */
int rn_play_remote_serve(struct rn_play *p, bool *busy);
void rn_play_remote_tell(struct rn_play *p);

/* Sends an event to all clients: name, and text as its member `key` unless that is NULL. */
void rn_play_remote_event(struct rn_play_remote *remote, const char *name, const char *key,
                          const char *text);

/* Whether a request of a client wakes the window. NULL is legal. */
void rn_play_remote_wake(struct rn_play_remote *remote, bool on);

/* Sends "shutdown" to all clients and removes the socket. NULL is legal. */
void rn_play_remote_close(struct rn_play_remote **remote);
