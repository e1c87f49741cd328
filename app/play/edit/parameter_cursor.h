/* SPDX-License-Identifier: MIT */
/* The parameter that keys change: a cursor in the list of the parameters of the session's chain,
 * from the parameter tables. Fixed parameters are listed only on request. A stage without a listed
 * parameter has one place. */
#pragma once

#include "filters/core/chain/chain.h"

struct rn_play;

/* The selected parameter. Returns false if the chain is empty. stage: index in the chain. row: NULL
 * if the stage has none. */
bool rn_play_cursor_selected(const struct rn_play *p, int *stage, const struct rn_param **row);

/* The selected stage; 0 if the chain is empty. */
int rn_play_cursor_stage(const struct rn_play *p);

/* The number of places that a stage has in the list, at least one; and the parameter at its place
 * n, NULL if the stage has none. */
int rn_play_cursor_places(const struct rn_play *p, int stage);
const struct rn_param *rn_play_cursor_place(const struct rn_play *p, int stage, int n);

/* Writes the value of a parameter of a stage with its unit, as the window shows it. Returns buf. */
char *rn_play_cursor_value(const struct rn_play *p, int stage, const struct rn_param *row,
                           char *buf, size_t size);

/* Selects the listed parameter n of a stage, or the nearest one. */
void rn_play_cursor_select(struct rn_play *p, int stage, int n);

/* Selects the first parameter of the stage n stages on; wraps around. */
void rn_play_cursor_move_stage(struct rn_play *p, int n);

/* Lists fixed parameters, or hides them. The selection stays, or moves within its stage. */
void rn_play_cursor_show_all(struct rn_play *p, bool all);

/* Moves the selection by n; to place n of the list. Wrap around. */
void rn_play_cursor_move(struct rn_play *p, int n);
void rn_play_cursor_go(struct rn_play *p, int n);

/* Sets every parameter of a chain that is not fixed to its default. */
void rn_play_reset_values(struct rn_chain *chain);

/* Copies values, and which stages are on, from `from` to draft, a chain of the same stages. Skips
 * fixed parameters, and stages whose parameters are others by now (a reloaded kernel). Returns how
 * many differed. *first: the list position of the first parameter that differed; unchanged if none
 * did. */
int rn_play_take_values(const struct rn_play *p, struct rn_chain *draft,
                        const struct rn_chain *from, int *first);

/* One line about the selected parameter: position in the list, stage, name, value, unit, range.
 * Returns buf. */
char *rn_play_cursor_describe(const struct rn_play *p, char *buf, size_t size);
