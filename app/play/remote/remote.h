/* SPDX-License-Identifier: MIT */
/* Serves the clients of --ipc. README has the commands for people.
 *
 * The requests of a client are executed in order. Each is answered when its result is on the
 * screen, so that scripts need not sleep: a seek when its frame is shown, a change when the picture
 * has it. A request with "async": true is answered at once. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

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

/* From now on a request of a client wakes the window. NULL is legal. */
void rn_play_remote_wake(struct rn_play_remote *remote);

/* Sends "shutdown" to all clients and removes the socket. NULL is legal. */
void rn_play_remote_close(struct rn_play_remote **remote);

/* ---- ipc.c: the socket of --ipc: lines of text in both directions, for several clients. remote.h
 * gives them their meaning.
 *
 * A thread reads and writes, so that no slow or dead client delays the player. A client that sends
 * faster than the player reads has to wait. A client that does not read RN_IPC_BEHIND bytes is
 * dropped with a warning. All functions belong to the player's thread. */

#define RN_IPC_CLIENTS 16        /* at a time; further ones wait */
#define RN_IPC_LINE    (1 << 20) /* bytes of a line at most */
#define RN_IPC_BEHIND  (4 << 20)

struct rn_play_ipc;

/* Creates the socket, readable and writable by its owner only; clients may connect at once. A stale
 * socket of that name is replaced, which is said; any other file of that name stays. Returns 0,
 * RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_play_ipc_open(struct rn_play_ipc **ipc, const char *path);

/* Sets a function that another thread calls when something may have arrived since the last
 * rn_play_ipc_take. NULL: none; on return it no longer runs. */
void rn_play_ipc_when_news(struct rn_play_ipc *ipc, void (*wake)(void));

enum rn_play_ipc_news {
    RN_IPC_NOTHING,
    RN_IPC_LINE_CAME, /* *text, of *length bytes without the newline; the caller frees it */
    RN_IPC_TOO_LONG,  /* a line that was dropped */
    RN_IPC_GONE, /* the client sends no more, or was dropped. Pending lines are still sent to it.
                       * Its number may be reused */
};

/* Takes what client 0..RN_IPC_CLIENTS - 1 has sent next. */
enum rn_play_ipc_news rn_play_ipc_take(struct rn_play_ipc *ipc, int client, char **text,
                                       size_t *length);

/* Sends a line to a client, unless it has gone. text: without the newline. */
void rn_play_ipc_send(struct rn_play_ipc *ipc, int client, const char *text);

/* Sends what needs no waiting, closes all connections and removes the socket. NULL is legal. */
void rn_play_ipc_close(struct rn_play_ipc **ipc);

/* Removes the socket's name, unless it is another file's by now. Async-signal-safe; any thread. */
void rn_play_ipc_name_remove(void);

/* ---- request.c: requests of scripts, answers and events: the JSON of the lines of --ipc.
 *
 *     {"command": ["set_property", "erosion.radius", 3], "request_id": 7, "async": true}
 *     {"request_id": 7, "error": "success", "data": null}
 *     {"event": "property-change", "id": 1, "name": "pause", "data": false}
 *
 * request_id is any value, and comes back as it is (0 where there was none). */

#define RN_PLAY_WHY 320 /* bytes of a reason */

/* Zeroed before the first use. */
struct rn_play_request {
    json_t *root;
    const char *name;   /* of the command; it and word belong to root */
    const json_t *word; /* the command as an array, name and all */
    json_t *id;         /* owned; NULL: none */
    bool async;
};

/* Parses a line of n bytes. Returns whether it is a request; if not, why has the reason, and only
 * id is set. Free it in both cases. */
bool rn_play_request_read(struct rn_play_request *request, const char *line, size_t n,
                          char why[RN_PLAY_WHY]);
void rn_play_request_free(struct rn_play_request *request);

/* The lines of an answer and of an event, for free(); NULL when out of memory. id: borrowed; NULL
 * counts as 0. why: NULL: success. data, members: owned from now on; NULL: none. */
char *rn_play_request_answer(const json_t *id, const char *why, json_t *data);
char *rn_play_request_event(const char *name, json_t *members);
