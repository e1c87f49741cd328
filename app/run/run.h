/* SPDX-License-Identifier: MIT */
/* Runs render and stats, from the parsed command line to the closed output. */
#pragma once

#include "app/run/session.h"

/* Hooks of a command. Each may be NULL; returns 0 or an error (logged), which ends the run. */
struct rn_app_run_hooks {
    void *arg; /* for all hooks */
    rn_app_amend_fn *amend;
    /* Called after the chain is bound to the devices and before the first frame. */
    int (*bound)(void *arg, struct rn_pool *pool);
};

/* Reads frames of the first operand, filters them and writes them to output. hooks: NULL = none.
 * Returns 0, an error (logged), or -(128 + signal). */
int rn_app_run(const struct rn_app_cli *cli, const char *output,
               const struct rn_app_run_hooks *hooks);
