/* SPDX-License-Identifier: MIT */
/* States: the pictures that can be looked at together, of one frame. Each is the input, a frame of
 * another file, or what a chain makes of the frame. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct rn_chain;
struct rn_play;
struct rn_play_sheet_presets;

enum rn_play_state_kind {
    RN_STATE_INPUT,
    RN_STATE_BEFORE,    /* before the selected stage */
    RN_STATE_VERSUS,    /* of the chain that is not tuned: --versus */
    RN_STATE_REFERENCE, /* the frame of --reference */
    RN_STATE_SNAPSHOT,  /* n: its place; RN_SNAPSHOTS: the chain before the last recall */
    RN_STATE_PRESET,    /* n: its place in the sheet of presets (rn_play_sheet_preset) */
    RN_STATE_AFTER,     /* n: a stage, from 0 */
    RN_STATE_NOW,       /* of the chain that is tuned */
};

struct rn_play_state {
    enum rn_play_state_kind kind;
    int n;
};

/* Whether a runner beside the session's makes it. */
bool rn_play_state_is_made(struct rn_play_state state);

/* Whether there is such a state now. */
bool rn_play_state_exists(const struct rn_play *p, struct rn_play_state state);

/* Reads "input", "before", "now", "versus", "reference", "A" to "D", or the number of a stage from
 * 1. Returns false if there is no such state. */
bool rn_play_state_parse(const struct rn_play *p, const char *text, struct rn_play_state *state);

/* The next one that exists, in the order of the kinds; after the last the first. without: a kind
 * that is left out. */
struct rn_play_state rn_play_state_next(const struct rn_play *p, struct rn_play_state state,
                                        enum rn_play_state_kind without);

/* The settings that make it, in which nothing measures. The caller destroys them. NULL (logged):
 * its chain names code that is not allowed, or out of memory. */
struct rn_chain *rn_play_state_chain(const struct rn_play *p, struct rn_play_state state);

/* A name for people. beside: the other one that is shown. Returns buf. */
char *rn_play_state_name(const struct rn_play *p, struct rn_play_state state,
                         struct rn_play_state beside, char *buf, size_t size);

/* Preset i, from 0, until others are loaded; NULL: there is none. */
const struct rn_chain *rn_play_sheet_preset(const struct rn_play_sheet_presets *presets, int i,
                                            const char **name);

/* ---- contact sheets: up to four snapshots, or presets, of the frame on the screen, to choose one
 * from. compare.h shows them. */

/* Shows a sheet of all snapshots, and of the chain if there are fewer than four; or what was
 * compared before. The second function: of the next four presets (presets.h), after the last ones
 * likewise. */
void rn_play_toggle_sheet(struct rn_play *p);
void rn_play_next_presets(struct rn_play *p);

/* Leaves the sheet, and tells what was shown in a pane; false: there is no sheet. */
bool rn_play_pick(struct rn_play *p, int pane, struct rn_play_state *state);
