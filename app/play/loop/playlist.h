/* SPDX-License-Identifier: MIT */
/* The list of inputs, which are played one after another with one chain, and the request for
 * another one: its file, decoder and kernels are opened in the job thread. The current input plays
 * on until the requested one is ready; a later request replaces it. What is tuned meanwhile is in
 * force for the new input, or it is not taken. */
#pragma once

#include <stdbool.h>

struct rn_play;

struct rn_play_inputs {
    char **name;
    int n, index; /* index: of the current input, from 0 */
};

/* The current list. */
const struct rn_play_inputs *rn_play_inputs(const struct rn_play *p);

/* Adds an input at the end, copied. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_add_input(struct rn_play *p, const char *name);

/* Requests number `at` of the list; if that cannot be opened, which is said, the next ones in a
 * direction (1, -1; 0: none). Returns false, and says so, if no other input can be played. */
bool rn_play_request_input(struct rn_play *p, int at, int direction);

/* Requests the next input (1) or the previous one (-1) that can be opened. The current one stays at
 * the end of the list, unless that is looped, and if none can be opened. */
void rn_play_next_input(struct rn_play *p, int direction);

/* Opens the requested input, and plays it once it is ready. *replaced: it has replaced the current
 * one. Returns 0 or an error that ends all (logged). */
int rn_play_playlist_poll(struct rn_play *p, bool *replaced);

/* Whether an input is requested; drops the request. */
bool rn_play_playlist_is_busy(const struct rn_play *p);
void rn_play_cancel_input(struct rn_play *p);

/* Called when the last frame of the input was shown for its duration. Returns whether another input
 * follows; a still picture never ends. *wait: as of rn_play_advance. The second function requests
 * the input that follows. */
bool rn_play_input_ended(struct rn_play *p, double *wait);
void rn_play_follow(struct rn_play *p);

/* Takes a file that was dropped onto the window: a chain file as the chain, by one change; any
 * other as the input, in place of the list. i: its index among the files of the drop; those after
 * the first are added to the list. *done: it was taken, or is being opened; if not, that is said.
 * Returns 0 or an error that ends all (logged). */
int rn_play_take_dropped(struct rn_play *p, const char *path, int i, bool *done);

/* ---- what lives as long as one input, while the window stays
 *
 * Reader, sound, displays, times, saved settings. */

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
