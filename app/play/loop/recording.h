/* SPDX-License-Identifier: MIT */
/* The recording as a timeline: its changes as marks of the seek bar, edits of them, and playing
 * with the settings that it has.
 *
 * A change is a run of frames that each have other settings than the one before: one new value, or
 * the values of a held key or a ramp. The change of the frame on the screen is the last one up to
 * it. Edits are written to --record, and undone by the history.
 *
 * A recording that is followed (--replay) gives each frame its settings before it is filtered. A
 * value that the user changes meanwhile stays as the user has it, whatever the recording says of
 * it, until the next seek; all others go on. What is shown is recorded, so a second pass over a
 * recording tunes one parameter alone. */
#pragma once

#include "filters/core/chain/chain.h"

struct rn_play;
struct rn_ui_scene_bar;

/* Begins --record, which goes on from --replay, if there is one. Returns 0 or an error (logged). */
int rn_play_recording_begin(struct rn_play *p);

/* ---- following it */

/* Where frames are shown from on, after a seek (-1: not known yet): those before are neighbours
 * alone. */
void rn_play_recording_shown_from(struct rn_play *p, int64_t frame);

/* Gives the settings those of a frame. *changed: they were others. *waits: other filters are being
 * built for it: try again later. Returns 0, or an error that ends the player (logged). */
int rn_play_recording_follow(struct rn_play *p, int64_t frame, bool *changed, bool *waits);

/* A frame is shown. follows: those since the one before were dropped: what the user has changed is
 * recorded of them, too. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_recording_fill(struct rn_play *p, int64_t frame, bool follows);

/* The recording has other filters from here on, so the frames in hand go to another runner. The one
 * on the screen comes out of that first; it is not shown twice (rn_play_recording_was_shown). */
void rn_play_recording_skip_next(struct rn_play *p, int64_t shown);
bool rn_play_recording_was_shown(struct rn_play *p, int64_t frame);

bool rn_play_recording_is_followed(const struct rn_play *p);

/* The user has changed the settings from these. */
void rn_play_recording_touch(struct rn_play *p, const struct rn_chain *before);

/* A seek of the user: the recording has all values again. */
void rn_play_recording_leave(struct rn_play *p);

/* Follows it, or no more. */
void rn_play_recording_toggle(struct rn_play *p);

/* ---- edits; where there is nothing to edit, they say so. Return 0, or an error as above. */

/* Goes to the next (1) or previous (-1) change. */
void rn_play_recording_go(struct rn_play *p, int count);

/* Removes the change: its values are those from before it, each until another change sets it; other
 * filters, up to the next change. */
int rn_play_recording_remove(struct rn_play *p);

/* Moves the change by frames, not beyond its neighbours. */
int rn_play_recording_shift(struct rn_play *p, int frames);

/* Lets all numbers go from the change to the next one: in equal steps, or smoothly. */
int rn_play_recording_ramp(struct rn_play *p, bool smooth);

/* Undoes (-1) or redoes (1) the edit of RN_HISTORY_RECORDING. */
int rn_play_recording_undo(struct rn_play *p, int direction);

/* ---- on the screen */

/* Fills the marks of the changes, and the curve of the selected parameter. */
void rn_play_recording_draw(struct rn_play *p, double length, struct rn_ui_scene_bar *bar);
