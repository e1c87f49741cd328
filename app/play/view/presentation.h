/* SPDX-License-Identifier: MIT */
/* How the frame on the screen is presented: the window and level of its samples (window_level.h),
 * the filtered picture as a mask over the source (mask.h), and the two fields of interlaced frames:
 * woven, both at once, or bobbed, each for half the frame's time, with the lines between its own
 * interpolated. */
#pragma once

#include "io/pixels/display.h"

struct rn_play;
struct rn_play_mask;
struct rn_play_window_level;
struct rn_ui_event;

/* Takes the window of a new input, without a mask. */
void rn_play_presentation_begin(struct rn_play *p);

/* The window and level, as they are. */
const struct rn_play_window_level *rn_play_window_level(const struct rn_play *p);

/* Fits the window of a scan to the frame on the screen; anew: the chain may have changed. */
void rn_play_fit_window(struct rn_play *p, bool anew);

/* Changes the window and level as the mouse event says; resets them. */
void rn_play_drag_window(struct rn_play *p, const struct rn_ui_event *event);
void rn_play_reset_window(struct rn_play *p);

/* Shows a mask over the source, or not; changes its opacity by steps. Both report what is not
 * possible. */
void rn_play_toggle_mask(struct rn_play *p);
void rn_play_change_mask(struct rn_play *p, int steps);

/* The mask that is shown in place of the filtered picture; NULL: none is. */
const struct rn_play_mask *rn_play_shown_mask(const struct rn_play *p);

/* Makes the picture with the mask. Returns 0 or an error (logged). */
int rn_play_show_mask(struct rn_play *p, struct rn_screen *to);

/* Bobs or weaves, and reports it; whether it bobs. */
void rn_play_toggle_bob(struct rn_play *p);
bool rn_play_bobs(const struct rn_play *p);

/* The lines of the frame on the screen that are visible now. */
enum rn_pix_lines_shown rn_play_visible_lines(struct rn_play *p);

/* Shows the second field when its time has come; *wait: shortened until then. */
void rn_play_next_field(struct rn_play *p, double *wait);
