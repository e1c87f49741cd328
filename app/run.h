/* One run from the command line to the closed output: what render and stats have in common. */
#ifndef RN_RUN_H
#define RN_RUN_H

#include "app/cli.h"
#include "filters/core/chain.h"

/* Reads frames of the first operand, filters them and writes them to output.
 * amend: changes the chain as the command wants it, before anything is checked; may be NULL.
 * Returns 0, an error (logged), or -(128 + signal). */
int rn_run(const struct rn_cli *cli, const char *output,
           int (*amend)(struct rn_chain *chain, const struct rn_cli *cli));

#endif
