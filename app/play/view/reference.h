/* SPDX-License-Identifier: MIT */
/* A frame of another file, --reference, beside each frame of the input: that of the same index. The
 * file is read with the options of the input, in a thread (reader.h), and only while it is
 * compared. Then the figures of each frame that is shown are collected: those of the latest
 * settings, or with a recording of each frame's own. */
#pragma once

#include "filters/base/image.h"

struct rn_play;
struct rn_play_figures;
struct rn_slot;
struct rn_ui_scene_bar;

/* Opens the file, if the command line names one. The input is open. Returns 0 or an error (logged):
 * RN_EUSAGE if it has another size or another number of frames. */
int rn_play_reference_open(struct rn_play *p);

/* Whether there is one; a file that lacks a frame is left, which is said. */
bool rn_play_reference_exists(const struct rn_play *p);

/* Whether the frame of a slot of the input need not be waited for: it is held now, or not compared.
 * Waits up to timeout seconds for it. */
bool rn_play_reference_fetch(struct rn_play *p, const struct rn_slot *slot, double timeout);

/* That of the frame on the screen; NULL: it is not held. */
const struct rn_image *rn_play_reference_picture(const struct rn_play *p);

/* Adds figures of the frame on the screen. NULL: forgets all. Returns 0 or RN_EINTERNAL. */
int rn_play_reference_note(struct rn_play *p, const struct rn_play_figures *figures);

/* Writes all as a table, to a new file. Returns 0 or an error (logged). */
int rn_play_reference_write(const struct rn_play *p, const char *path);

/* Has the seek bar show PSNR in place of another curve. length: of the bar, seconds. */
void rn_play_reference_draw(struct rn_play *p, double length, struct rn_ui_scene_bar *bar);
