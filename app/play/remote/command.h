/* The commands of --ipc by their names: what each does in the player, and what it answers. */
#ifndef RN_APP_PLAY_REMOTE_COMMAND_H
#define RN_APP_PLAY_REMOTE_COMMAND_H

#include <stdint.h>

#include "app/play/remote/request.h"

struct rn_play;

#define RN_WATCH_MOST 64 /* observed by a client */

/* What a client observes. Zeroed before the first use. */
struct rn_play_watch {
    struct {
        json_t *id;
        char *name;
        json_t *last; /* that was told; NULL: nothing yet */
    } seen[RN_WATCH_MOST];
    int n;
};

void rn_play_watch_clear(struct rn_play_watch *watch);

struct rn_play_answer {
    bool done;     /* if not: why */
    bool shows;    /* the picture, or the frame, is to have it before the answer goes out */
    int64_t frame; /* that is to be shown then; -1: any */
    char why[RN_PLAY_WHY];
    json_t *data; /* owned; NULL: none */
};

/* Whether a request can only be done when what was asked for before is on the screen. */
bool rn_play_command_needs_picture(const struct rn_play_request *request);

/* Does what is asked for. answer: done, frame -1. Returns 0, or an error that ends all (logged). */
int rn_play_command_do(struct rn_play *p, const struct rn_play_request *request,
                       struct rn_play_watch *watch, struct rn_play_answer *answer);

/* All of them: an array of objects with name, takes and help. NULL: out of memory. */
json_t *rn_play_command_list(void);

#endif
