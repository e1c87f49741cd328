/* SPDX-License-Identifier: MIT */
/* Changes of the chain: applies every change of settings by a key, a script or the mouse, records
 * it in the history and shows it. Functions return 0 or an error that ends all (logged). */
#pragma once

#include <stdbool.h>

struct rn_chain;
struct rn_play;
struct rn_play_change;

/* Makes one change to the chain (settings.h). A refusal is said, and changes nothing. */
int rn_play_edit(struct rn_play *p, const struct rn_play_change *change);

/* Whether the last change was refused, or changed nothing. */
bool rn_play_was_refused(const struct rn_play *p);

/* Undoes (-1) or redoes (1) the last change, likewise. */
int rn_play_undo(struct rn_play *p, int direction);

/* Shows why settings were refused with err. Returns 0, or err if it ends all. */
int rn_play_refused(struct rn_play *p, int err);

/* Applies other settings as one change; the selection stays if it can. said: the message, unless
 * they are refused. */
int rn_play_adopt(struct rn_play *p, const struct rn_chain *target, const char *said);

/* Code that a file names and --allow-code does not allow: rn_play_apply_settings refuses the
 * settings, and asks in the window; scripts, and whoever has no window, get the refusal alone. */

/* Puts such a chain of the command line aside: the preview begins without filters, and
 * rn_play_ask asks. Returns 0 or an error (logged). */
int rn_play_set_aside(struct rn_play *p);

/* Returns RN_EUSAGE (logged) if a chain was put aside and there is nobody to ask; else 0. */
int rn_play_can_ask(const struct rn_play *p);

/* Asks about the chain that waits for an answer, if any. */
void rn_play_ask(struct rn_play *p);

/* The answer: applies the chain, or drops it. */
int rn_play_answer(struct rn_play *p, bool yes);

/* Store the chain in a snapshot, apply a snapshot, flip between the recent snapshot and the chain.
 * place: see settings.h. */
int rn_play_store(struct rn_play *p, int place);
int rn_play_recall(struct rn_play *p, int place);
int rn_play_flip(struct rn_play *p);

/* Applies settings, without the history. draft: owned from now on. *before: the former settings,
 * owned by the caller; NULL: the draft was refused, which is said. */
int rn_play_apply_settings(struct rn_play *p, struct rn_chain *draft, struct rn_chain **before);

/* ---- kept.c: the saved settings of an input (chain_file.h): offers those of an earlier run, and
 * saves the current ones */

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
