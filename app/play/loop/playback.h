/* SPDX-License-Identifier: MIT */
/* Playback: frames at their times, from the reader through the runner to the window. All functions
 * return 0 or an error that ends all (logged). */
#pragma once

#include <stdbool.h>

struct rn_play;
struct rn_runner;

/* Prepares the next frame, and shows it when it is due. *wait: seconds until the next call is
 * needed. */
int rn_play_advance(struct rn_play *p, double *wait);

/* Updates the screen after changes of settings or overlays: once for many keys. Waits for no
 * device: with a slow chain a later call shows the picture. */
int rn_play_refresh(struct rn_play *p);

/* Whether the screen has no picture with the current settings yet. */
bool rn_play_playback_is_busy(const struct rn_play *p);

/* Waits until the picture on the screen has the current settings. */
int rn_play_finish_filtering(struct rn_play *p);

/* Moves the frames in hand to another runner of the same input, which has at least as many slots.
 * The frame on the screen comes first and is shown again. Call while the reader is paused. */
int rn_play_move(struct rn_play *p, struct rn_runner *runner);
