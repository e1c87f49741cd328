/* SPDX-License-Identifier: MIT */
/* Renders in the background: each is this program once more, as `render`, one after the other, with
 * low priority. A crash there is a failure here, and tuning goes on meanwhile. */
#pragma once

#include <stdbool.h>

struct rn_play;
struct rn_play_render_queue;

enum { RN_RENDERS_TEXT = 512 }; /* bytes of a line about one */

/* Starts a render of the marked range, or of all frames, with the current chain, to a file with the
 * first free name, or says why not. The second function shows its progress and its result, and
 * starts the next one; it does not wait. */
void rn_play_export(struct rn_play *p);
void rn_play_poll_renders(struct rn_play *p);

/* Writes a line about the running render; "": there is none. */
void rn_play_render_queue_describe(const struct rn_play_render_queue *queue,
                                   char text[RN_RENDERS_TEXT]);

/* Whether a request to quit may end the player. While a render runs the first request is refused,
 * which is said. */
bool rn_play_may_quit(struct rn_play *p);

/* Stops all renders, and waits for the running one to leave its output as NAME.partial.EXT. */
void rn_play_render_queue_stop(struct rn_play_render_queue *queue);
