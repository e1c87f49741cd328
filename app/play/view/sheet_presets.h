/* SPDX-License-Identifier: MIT */
/* The presets of a contact sheet (sheet.h): four at a time, in the order of their names. */
#pragma once

#include <stdbool.h>

#define RN_SHEET_PRESETS 4

struct rn_chain;
struct rn_play_sheet_presets;

/* Loads the first presets, or the next ones; one whose file has a mistake (logged) is left out.
 * Returns how many. *last: the number of the last one, from 1, of *all. */
int rn_play_sheet_presets_load(struct rn_play_sheet_presets *presets, bool next, int *last,
                               int *all);

/* Preset i, from 0, until others are loaded; NULL: there is none. */
const struct rn_chain *rn_play_sheet_preset(const struct rn_play_sheet_presets *presets, int i,
                                            const char **name);
