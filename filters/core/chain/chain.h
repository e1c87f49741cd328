/* SPDX-License-Identifier: MIT */
/* A chain: a sequence of stages, parsed from text and kept as an object.
 *
 * The text follows FFmpeg's filtergraph syntax: name=value:key=value,name2@label=...  Positional
 * values come first, in the order of the filter's table. Every filter takes enable=0: it is off,
 * and the frames pass it unchanged. Numbers have a decimal point, whatever the locale of the
 * program. Escaping has FFmpeg's two levels: quotes '...' and backslashes are removed once when the
 * chain is split at commas and once more when a filter's options are split at colons. */
#pragma once

#include "filters/core/chain/stage.h"

RN_API_BEGIN

#define RN_MAX_STAGES 32 /* the most that a chain holds */

/* Settings only, no device state: may be copied, changed, and bound by any number of runners. */
struct rn_chain;

/* Parses a chain. text: the chain, or "@FILE" for a file or pipe that holds one, of at most
 * RN_TEXT_LIMIT bytes (lines whose first character is # are skipped); NULL or blank = the empty
 * chain. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged in one line; for an unknown name, with the
 * nearest match and the valid list). The caller destroys *chain. */
int rn_chain_parse(struct rn_chain **chain, const char *text);

/* Code that a chain runs (the kernels of `custom`) is the caller's own if the caller's text names
 * it. If a chain file does, no runner takes the chain before the caller has allowed it.
 * rn_chain_check_code returns 0 or, as rn_chain_check, RN_EUSAGE (logged) for code not allowed. */
int rn_chain_check_code(const struct rn_chain *chain);
void rn_chain_allow_code(struct rn_chain *chain);

/* Copies a chain, for changes that may be refused: change the copy, pass it to rn_runner_update,
 * and keep whichever of the two is in force afterwards. The caller destroys the copy. Returns NULL
 * (logged) when out of memory. */
struct rn_chain *rn_chain_copy(const struct rn_chain *chain);

/* Replaces *chain, or NULL, by a copy of `from`. Returns 0 or RN_EINTERNAL (logged). */
int rn_chain_assign(struct rn_chain **chain, const struct rn_chain *from);

/* Destroys *chain and sets it to NULL; NULL is legal. */
void rn_chain_destroy(struct rn_chain **chain);

/* Sets a parameter of stage i (from 0) to a value, written as in a chain. Returns 0, RN_EUSAGE
 * (logged: no such stage or parameter, or out of range; nothing is changed) or RN_EINTERNAL. */
int rn_chain_set(struct rn_chain *chain, int i, const char *name, const char *text);

/* Switches stage i (from 0) on or off: its parameter `enable`. Returns 0, or RN_EUSAGE (logged) if
 * there is no such stage. */
int rn_chain_switch(struct rn_chain *chain, int i, bool on);

/* Formats a chain as text that rn_chain_parse reads back to the same stages, on or off; values
 * equal to their defaults are left out. The caller frees the text. NULL when out of memory. */
char *rn_chain_format(const struct rn_chain *chain);

/* ---- the stages */

/* The number of stages; stage i from 0 (NULL: there is none), which belongs to the chain and is
 * valid until the chain is edited or destroyed. stage.h says what can be read of it; set it with
 * rn_chain_set, rn_chain_switch, rn_stage_set, or, for a single row, by param.h and level.h. */
int rn_chain_count(const struct rn_chain *chain);
struct rn_stage *rn_chain_stage(const struct rn_chain *chain, int i);

/* Appends a stage with default parameters, for commands that add one themselves. Returns the stage,
 * or NULL (logged) if the chain is full. */
struct rn_stage *rn_chain_append(struct rn_chain *chain, const char *name);

/* Switches the stages off that measure: for somebody who only looks at the picture. NULL is
 * legal. */
void rn_chain_measure_nothing(struct rn_chain *chain);

/* Removes the stages that are off. */
void rn_chain_prune(struct rn_chain *chain);

/* Other stages (chain_edit.c). Insert: those of text, written as a chain, so that the first of them
 * comes to stand at `at`, 0 <= at <= n. Remove stage `at`; move stage `from` so that it stands at
 * `to`; put a copy of stage `at` behind it. Return 0, RN_EUSAGE or RN_EINTERNAL (logged); the chain
 * is then as it was. */
int rn_chain_insert(struct rn_chain *chain, int at, const char *text);
int rn_chain_remove(struct rn_chain *chain, int at);
int rn_chain_move(struct rn_chain *chain, int from, int to);
int rn_chain_duplicate(struct rn_chain *chain, int at);

/* Whether the two are the same when written: stages, settings, on or off. Out of memory, they are
 * not. */
bool rn_chain_equal(const struct rn_chain *a, const struct rn_chain *b);

/* Whether the two have the same stages with the same fixed parameters: what is bound to one can be
 * updated to the other (rn_runner_update). */
bool rn_chain_binds_alike(const struct rn_chain *a, const struct rn_chain *b);

/* Files that stages of `from` have read anew (rn_runner_poll) become those of chain's same stages;
 * its values stay as far as new rows have them. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_chain_reread(struct rn_chain *chain, const struct rn_chain *from);

/* ---- for an input */

/* The analysis of a chain for an input: for each stage, the geometry of its input and the traits
 * that follow from its parameters. Refers to the chain's own parameters. */
struct rn_analysis {
    struct rn_geom in, out; /* of the whole chain */
    int delay;              /* of its output in frames, whether stages are on or off */
    int before;             /* earlier frames that a frame depends on, all stages together */
    bool relays;            /* all stages that depend on earlier frames do */
    int margin;             /* the largest of the stages' margins */
    int n;
    struct rn_snapshot stage[RN_MAX_STAGES];
};

/* Checks all stages in order for an input of geometry `in`. Pure: changes only *analysis, which is
 * valid if 0 is returned, and for as long as the chain and its parameters remain unchanged. Returns
 * 0, RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_chain_check(const struct rn_chain *chain, const struct rn_geom *in,
                   struct rn_analysis *analysis);

/* The first parameter that names a file to be written; NULL: there is none. *stage: the stage that
 * has it; stage may be NULL. */
const struct rn_param *rn_chain_written(const struct rn_chain *chain,
                                        const struct rn_stage **stage);

/* Logs a warning for each stage whose planes= names no existing plane. analysis: of this chain. */
void rn_chain_warn(const struct rn_chain *chain, const struct rn_analysis *analysis);

RN_API_END

/* Likewise one that names code, or code that is not allowed (named_by). */
const struct rn_param *rn_chain_code(const struct rn_chain *chain, bool forbidden,
                                     const struct rn_stage **stage);
