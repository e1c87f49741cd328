/* SPDX-License-Identifier: MIT */
/* The parameters of a chain as a list to step through with keys, from the parameter tables; and the
 * chain file that `w` writes. The chain is that of the session. Fixed parameters are listed only on
 * request. A stage without a listed parameter has one place. */
#pragma once

#include "filters/core/chain/chain.h"

#include "ui/keys/key.h"

struct rn_play;

/* The selected parameter. Returns false if the chain is empty. stage: index in the chain. row: NULL
 * if the stage has none. */
bool rn_play_tuner_selected(const struct rn_play *p, int *stage, const struct rn_param **row);

/* The selected stage; 0 if the chain is empty. */
int rn_play_tuner_stage(const struct rn_play *p);

/* The number of places that a stage has in the list, at least one; and the parameter at its place
 * n, NULL if the stage has none. */
int rn_play_tuner_places(const struct rn_play *p, int stage);
const struct rn_param *rn_play_tuner_place(const struct rn_play *p, int stage, int n);

/* Writes the key for a command with its usual argument, as messages name it. Returns buf. */
char *rn_play_key(const struct rn_play *p, const char *name, char buf[RN_KEY_NAME]);

/* Writes the value of a parameter of a stage with its unit, as the window shows it. Returns buf. */
char *rn_play_tuner_value(const struct rn_play *p, int stage, const struct rn_param *row, char *buf,
                          size_t size);

/* Selects the listed parameter n of a stage, or the nearest one. */
void rn_play_tuner_select(struct rn_play *p, int stage, int n);

/* Selects the first parameter of the stage n stages on; wraps around. */
void rn_play_tuner_move_stage(struct rn_play *p, int n);

/* Lists fixed parameters, or hides them. The selection stays, or moves within its stage. */
void rn_play_tuner_show_all(struct rn_play *p, bool all);

/* Moves the selection by n; to place n of the list. Wrap around. */
void rn_play_tuner_move(struct rn_play *p, int n);
void rn_play_tuner_go(struct rn_play *p, int n);

/* Sets every parameter of a chain that is not fixed to its default. */
void rn_play_tuner_reset_all(struct rn_chain *chain);

/* Copies values, and which stages are on, from `from` to draft, a chain of the same stages. Skips
 * fixed parameters, and stages whose parameters are others by now (a reloaded kernel). Returns how
 * many differed. *first: the list position of the first parameter that differed; unchanged if none
 * did. */
int rn_play_tuner_take(const struct rn_play *p, struct rn_chain *draft, const struct rn_chain *from,
                       int *first);

/* One line about the selected parameter: position in the list, stage, name, value, unit, range.
 * Returns buf. */
char *rn_play_tuner_describe(const struct rn_play *p, char *buf, size_t size);

/* Writes the chain as a file that `-f @FILE` takes: runnel-0001.chain or the next free number, in
 * the current folder. Comments say of which input, on which of its frames and by which version.
 * frame: the one on the screen; NULL: none yet. *name: at least 64 bytes. Returns 0 or RN_EOUTPUT
 * (logged). range: the part of the input that is marked, as options; "": none is. */
int rn_play_tuner_write(const struct rn_play *p, const char *input, const struct rn_frame *frame,
                        const char *range, char name[64]);

/* The first of PREFIX-0001.EXT, PREFIX-0002.EXT ... that does not exist. */
void rn_play_free_name(const char *prefix, const char *ext, char name[64]);
