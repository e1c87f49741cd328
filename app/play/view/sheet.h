/* SPDX-License-Identifier: MIT */
/* Contact sheets: up to four snapshots, or presets, of the frame on the screen, to choose one from.
 * compare.h shows them. */
#pragma once

#include <stdbool.h>

struct rn_play;
struct rn_play_state;

/* Shows a sheet of all snapshots, and of the chain if there are fewer than four; or what was
 * compared before. The second function: of the next four presets (presets.h), after the last ones
 * likewise. */
void rn_play_toggle_sheet(struct rn_play *p);
void rn_play_next_presets(struct rn_play *p);

/* Leaves the sheet, and tells what was shown in a pane; false: there is no sheet. */
bool rn_play_pick(struct rn_play *p, int pane, struct rn_play_state *state);
