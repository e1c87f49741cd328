/* One run from the command line to the closed output: what render and stats have in common. */
#ifndef RN_APP_RUN_RUN_H
#define RN_APP_RUN_RUN_H

#include "app/run/session.h"

/* What a command does at two places of a run. Each may be NULL; returns 0 or an error (logged),
 * which ends the run. */
struct rn_app_run_hooks {
    void *arg; /* of all */
    /* Changes the chain as the command wants it, before anything is checked. */
    rn_app_amend_fn *amend;
    /* The chain is bound to the device, and no frame has come. */
    int (*bound)(void *arg, struct rn_pool *pool);
};

/* Reads frames of the first operand, filters them and writes them to output. hooks: NULL = none.
 * Returns 0, an error (logged), or -(128 + signal). */
int rn_app_run(const struct rn_app_cli *cli, const char *output,
               const struct rn_app_run_hooks *hooks);

#endif
