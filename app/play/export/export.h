/* SPDX-License-Identifier: MIT */
/* Exports of the preview: the filtered frame on the screen as an image file, at full resolution and
 * depth, upright; its samples and figures to the clipboard. */
#pragma once

#include <stdbool.h>

struct rn_play;

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
