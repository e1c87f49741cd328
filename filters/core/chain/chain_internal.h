/* The inside of a chain: its stages, and their analysis for an input. */
#ifndef RN_FILTERS_CORE_CHAIN_CHAIN_INTERNAL_H
#define RN_FILTERS_CORE_CHAIN_CHAIN_INTERNAL_H

#include "filters/core/chain/chain.h"
#include "filters/core/chain/stage.h"

struct rn_chain {
    int n;
    struct rn_stage *stage[RN_MAX_STAGES];
};

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

/* Files that stages of `from` have read anew (rn_runner_poll) are those of the same stages of
 * chain, too; its values stay as far as the new rows have them. Returns 0, RN_EUSAGE or
 * RN_EINTERNAL (logged). */
int rn_chain_reread(struct rn_chain *chain, const struct rn_chain *from);

/* Checks all stages in order for an input of geometry `in`. Pure: changes only *analysis, which is
 * valid if 0 is returned, and for as long as the chain and its parameters remain unchanged. Returns
 * 0, RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_chain_check(const struct rn_chain *chain, const struct rn_geom *in,
                   struct rn_analysis *analysis);

/* The first parameter that names a file to be written, and its stage; NULL: there is none. */
const struct rn_param *rn_chain_written(const struct rn_chain *chain,
                                        const struct rn_stage **stage);

/* Logs a warning for each stage whose planes= names no existing plane. analysis: of this chain. */
void rn_chain_warn(const struct rn_chain *chain, const struct rn_analysis *analysis);

/* Removes one level of FFmpeg's escaping: reads the token at *text up to (not including) the first
 * character of stop that is neither quoted nor escaped, trims blanks at both ends, and moves *text
 * to that character. Behaves as av_get_token(). The caller frees the result. NULL when out of
 * memory. */
char *rn_token(const char **text, const char *stop);

/* The stage's label, or, without one, the name of its filter. */
const char *rn_stage_name(const struct rn_stage *stage);

#endif
