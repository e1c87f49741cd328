/* A chain: stages in order, as text and as objects.
 *
 * The text is FFmpeg's filtergraph habit: name=value:key=value,name2@label=...  Positional values
 * come first, in the order of the table. Escaping has FFmpeg's two levels: '...' and \ are taken
 * off once when the chain is split at commas and once when a filter's options are split at colons.
 */
#ifndef RN_CHAIN_H
#define RN_CHAIN_H

#include "filters/core/stage.h"

#define RN_MAX_STAGES 32

struct rn_chain {
    int n;
    struct rn_stage *stage[RN_MAX_STAGES];
    struct rn_geom in, out; /* after rn_chain_check */
};

/* Reads a chain. text: the chain, or "@FILE": a file that holds one (lines whose first character is
 * # are left out); NULL or blank = the empty chain. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged in
 * one line; unknown names come with the nearest match and the valid list). The caller destroys
 * *chain. */
int rn_chain_parse(struct rn_chain **chain, const char *text);
void rn_chain_destroy(struct rn_chain **chain);

/* Appends a stage with default parameters; for commands that need one of their own. Returns the
 * stage, or NULL (logged) if the chain is full. */
struct rn_stage *rn_chain_append(struct rn_chain *chain, const char *name);

/* Checks all stages against the geometry of the input, in order; sets chain->in and out.
 * Returns 0 or RN_EUSAGE (logged). */
int rn_chain_check(struct rn_chain *chain, const struct rn_geom *in);

/* Warns (logged) of stages whose planes= names no plane that there is, after the check. */
void rn_chain_warn(const struct rn_chain *chain);

/* By how many frames the output is late, after the check; whether stages are on or off. */
int rn_chain_delay(const struct rn_chain *chain);

/* The active stages as text that rn_chain_parse reads back to the same stages; only values that
 * differ from their defaults. The caller frees it. NULL when out of memory. */
char *rn_chain_format(const struct rn_chain *chain);

/* One level of FFmpeg's unescaping: takes the token at *text up to (not including) the first
 * character of stop that is neither quoted nor escaped, without the blanks around it, and moves
 * *text to that character. The caller frees the result. NULL when out of memory. Equals
 * av_get_token(). */
char *rn_token(const char **text, const char *stop);

#endif
