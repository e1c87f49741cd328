/* A chain: a sequence of stages, parsed from text and kept as an object.
 *
 * The text follows FFmpeg's filtergraph syntax: name=value:key=value,name2@label=...  Positional
 * values come first, in the order of the filter's table. Every filter takes enable=0: it is off,
 * and the frames pass it unchanged. Numbers have a decimal point, whatever the locale of the
 * program. Escaping has FFmpeg's two levels: quotes '...' and backslashes are removed once when the
 * chain is split at commas and once more when a filter's options are split at colons. */
#ifndef RN_FILTERS_CORE_CHAIN_CHAIN_H
#define RN_FILTERS_CORE_CHAIN_CHAIN_H

#include <stdbool.h>

#include "filters/base/api.h"

RN_API_BEGIN

#define RN_MAX_STAGES 32 /* the most that a chain holds */

/* Settings only, no device state: may be copied, changed, and bound by any number of runners. */
struct rn_chain;

/* Parses a chain. text: the chain, or "@FILE" for a file or pipe that holds one, of at most
 * RN_TEXT_LIMIT bytes (lines whose first character is # are skipped); NULL or blank = the empty
 * chain. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged in one line; for an unknown name, with the
 * nearest match and the valid list). The caller destroys *chain. */
int rn_chain_parse(struct rn_chain **chain, const char *text);

/* Copies a chain, for changes that may be refused: change the copy, pass it to rn_runner_update,
 * and keep whichever of the two is in force afterwards. The caller destroys the copy. Returns NULL
 * (logged) when out of memory. */
struct rn_chain *rn_chain_copy(const struct rn_chain *chain);

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

RN_API_END

#endif
