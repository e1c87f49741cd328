/* SPDX-License-Identifier: MIT */
/* Reloads the files of stages that change while they run. The device thread looks for changes and
 * takes the result; building and trying take long, so they use nothing of the runner. */
#include <stdlib.h>

#include "filters/base/arguments.h"
#include "filters/core/runner/runner_internal.h"

struct rn_rebuild {
    int i; /* the stage */
    const struct rn_reload *how;
    struct rn_attempt *attempt;
    const char *file; /* interned */
};

/* *rebuild: NULL if nothing is to be built. */
static int look_at(struct rn_runner *r, int i, struct rn_rebuild **rebuild, bool *changed)
{
    const struct rn_reload *how = r->bound[i].desc->reload;
    struct rn_attempt *attempt = NULL;
    bool changed_here = false;
    *rebuild = NULL;
    int err =
        how && r->dev ? how->look(&r->bound[i], rn_current(r, i), &attempt, &changed_here) : 0;
    *changed |= changed_here;
    if (err || !attempt)
        return err;
    *rebuild = calloc(1, sizeof **rebuild);
    if (!*rebuild) {
        how->drop(attempt);
        return rn_fail_memory();
    }
    const struct rn_snapshot *now = rn_current(r, i);
    **rebuild = (struct rn_rebuild){i, how, attempt, rn_param_text(now->desc->params, now->params)};
    return 0;
}

int rn_runner_look(struct rn_runner *r, struct rn_rebuild **rebuild, bool *changed)
{
    RN_NEED(RN_EUSAGE, "runner rebuild changed", r, rebuild, changed);
    int err = 0;
    *changed = false;
    *rebuild = NULL;
    for (int i = 0; i < r->n && !err && !*rebuild; i++)
        err = look_at(r, i, rebuild, changed);
    return err;
}

const char *rn_rebuild_file(const struct rn_rebuild *rebuild)
{
    RN_NEED("", "rebuild", rebuild);
    return rebuild->file;
}

int rn_rebuild_run(struct rn_rebuild *rebuild, struct rn_device *dev)
{
    RN_NEED(RN_EUSAGE, "rebuild dev", rebuild, dev);
    return rebuild->how->build ? rebuild->how->build(rebuild->attempt, dev) : 0;
}

void rn_rebuild_drop(struct rn_rebuild **rebuild)
{
    RN_NEED(, "rebuild", rebuild);
    if (*rebuild)
        (*rebuild)->how->drop((*rebuild)->attempt);
    free(*rebuild);
    *rebuild = NULL;
}

static int take(struct rn_runner *r, struct rn_chain *chain, const struct rn_rebuild *rebuild,
                bool *changed)
{
    int i = rebuild->i;
    bool changed_here = false;
    const struct rn_stage *stage = rn_chain_stage(chain, i);
    if (!stage || i >= r->n || stage->desc != r->bound[i].desc)
        return rn_fail(RN_EUSAGE, "what was built is for another chain or runner");
    int err = rebuild->how->take(&r->bound[i], rn_current(r, i), rn_chain_stage(chain, i),
                                 rebuild->attempt, &changed_here);
    *changed |= changed_here;
    return err;
}

int rn_runner_rebuilt(struct rn_runner *r, struct rn_chain *chain, struct rn_rebuild **rebuild,
                      bool *changed)
{
    RN_NEED(RN_EUSAGE, "runner chain rebuild changed", r, chain, rebuild, changed);
    *changed = false;
    RN_NEED(RN_EUSAGE, "*rebuild", *rebuild);
    int err = take(r, chain, *rebuild, changed);
    rn_rebuild_drop(rebuild);
    return err || !*changed ? err : rn_runner_update(r, chain);
}

int rn_runner_poll(struct rn_runner *r, struct rn_chain *chain, bool *changed)
{
    RN_NEED(RN_EUSAGE, "runner chain changed", r, chain, changed);
    *changed = false;
    for (int i = 0; i < r->n; i++) {
        struct rn_rebuild *rebuild;
        int err = look_at(r, i, &rebuild, changed);
        if (!err && rebuild)
            err = rn_rebuild_run(rebuild, r->dev);
        if (!err && rebuild)
            err = take(r, chain, rebuild, changed);
        rn_rebuild_drop(&rebuild);
        if (err)
            return err;
    }
    return *changed ? rn_runner_update(r, chain) : 0;
}

const char *rn_runner_alert(const struct rn_runner *r)
{
    RN_NEED(NULL, "runner", r);
    const char *alert = NULL;
    for (int i = 0; i < r->n && !alert; i++)
        alert = r->bound[i].alert;
    return alert;
}
