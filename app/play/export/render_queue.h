/* SPDX-License-Identifier: MIT */
/* Renders in the background: each is this program once more, as `render`, one after the other, with
 * low priority. A crash there is a failure here, and tuning goes on meanwhile. */
#pragma once

#include "app/cli.h"
#include "app/play/loop/marks.h"

struct rn_play_render_queue;

enum { RN_RENDERS_TEXT = 512 }; /* bytes of the texts below */

/* What to render. */
struct rn_play_render_request {
    const struct rn_app_cli *cli;     /* of the player: the input and its options */
    unsigned lacks;                   /* those that the input lacks: rn_read_lacks */
    const char *chain;                /* text */
    const struct rn_play_range *part; /* NULL: as the command line has it */
    const char *codec;                /* NULL: by the name; else ffv1 */
    const char *extension;            /* unless --export names one */
};

/* Adds a render, to a file with the first free name. text: why nothing becomes of it; "": it will
 * run. */
void rn_play_render_queue_add(struct rn_play_render_queue *queue,
                              const struct rn_play_render_request *request, char *text);

/* Starts what waits, and takes what the running render has reported. Returns whether
 * rn_play_render_queue_describe has another text. text: the result of a render that has ended; "":
 * none has. Does not wait. */
bool rn_play_render_queue_poll(struct rn_play_render_queue *queue, char *text);

/* Writes a line about the running render; "": there is none. */
void rn_play_render_queue_describe(const struct rn_play_render_queue *queue, char *text);

/* Whether the player may quit: no render runs, or this was refused once since the first of those
 * that run was added. */
bool rn_play_render_queue_may_quit(struct rn_play_render_queue *queue);

/* Stops all renders, and waits for the running one to leave its output as NAME.partial.EXT. */
void rn_play_render_queue_stop(struct rn_play_render_queue *queue);
