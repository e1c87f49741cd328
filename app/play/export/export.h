/* SPDX-License-Identifier: MIT */
/* Exports of the preview: the filtered frame on the screen as an image file, at full resolution and
 * depth, upright; its samples and figures to the clipboard. */
#pragma once

#include <stdbool.h>

struct rn_play;
struct rn_play_render_queue;

/* Writes it as runnel-0001.png, or the next free number, in the current folder, and says so; so is
 * what goes wrong. Without a frame nothing is done. Returns 0. */
int rn_play_save_picture(struct rn_play *p);

/* The same under a name whose extension says which kind of image it is. A frame is shown. Existing
 * files are replaced if overwrite says so, but never one that is read. Returns 0, or an error that
 * ends nothing (logged). */
int rn_play_save_picture_as(struct rn_play *p, const char *path, bool overwrite);

/* Writes the pictures that are compared, or the contact sheet, at full size and with their names,
 * as runnel-sheet-0001.png, or the next free number, and says so; so is what goes wrong. Returns 0
 * or an error (logged). */
int rn_play_save_sheet(struct rn_play *p);

/* Copies the samples, the figures of the difference and the region to the clipboard, and says
 * whether it could. Returns 0 or an error (logged). */
int rn_play_copy(struct rn_play *p);

/* ---- render_queue.c: renders in the background: each is this program once more, as `render`, one
 * after the other, with low priority. A crash there is a failure here; tuning goes on meanwhile. */

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
