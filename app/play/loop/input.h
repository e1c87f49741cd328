/* SPDX-License-Identifier: MIT */
/* What lives as long as one input, while the window stays: reader, sound, displays, times, saved
 * settings. */
#pragma once

#include <stdbool.h>

struct rn_play;
struct rn_play_pending;
struct rn_ui_window;

/* Opens the window for the input of the session, or shows the new input in the open one. Returns 0
 * or RN_EINTERNAL (logged). */
int rn_play_open_window(struct rn_play *p);

/* Starts reading, once the session has a runner for its input. Shows nothing yet. Returns 0 or an
 * error (logged). */
int rn_play_open_input(struct rn_play *p);

/* Ends reading and filtering, and completes the files of the input. err: of the run so far; the
 * first error counts. The second function releases the rest. */
int rn_play_end_input(struct rn_play *p, int err);
void rn_play_free_input(struct rn_play *p);

/* Closes the input, takes that of a pending runner which is ready, and plays it. *name: of the new
 * input; the caller owns it. Returns 0 or an error that ends all (logged). */
int rn_play_replace_input(struct rn_play *p, struct rn_play_pending **pending, char **name);
