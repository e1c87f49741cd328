/* SPDX-License-Identifier: MIT */
/* The saved settings of an input (autosave.h): offers those of an earlier run, and saves the
 * current ones. */
#pragma once

struct rn_play;

/* Reads the settings that were saved for this input, and prepares to save the current ones. Call
 * after the chain was read. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_open_kept(struct rn_play *p);

/* Called before each picture is drawn. Before the first one of an input it says which key changes
 * what, or that earlier settings can be taken. */
void rn_play_greet(struct rn_play *p);

/* Takes the earlier settings. Returns 0 or an error that ends all (logged). */
int rn_play_take_offer(struct rn_play *p);

/* Notes that the settings have changed; saves changes since the last call. Neither waits for the
 * disk. */
void rn_play_mark_unsaved(struct rn_play *p);
void rn_play_save(struct rn_play *p);

/* Waits until all is saved, and releases what rn_play_open_kept took. */
void rn_play_close_kept(struct rn_play *p);
