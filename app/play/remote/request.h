/* SPDX-License-Identifier: MIT */
/* Requests of scripts, answers and events: the JSON of the lines of --ipc.
 *
 *     {"command": ["set_property", "erosion.radius", 3], "request_id": 7, "async": true}
 *     {"request_id": 7, "error": "success", "data": null}
 *     {"event": "property-change", "id": 1, "name": "pause", "data": false}
 *
 * request_id is any value, and comes back as it is (0 where there was none). */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

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
