/* Reloads the files of stages that change while they run. The device thread looks for changes and
 * takes the result; building and trying take long, so they use nothing of the runner. */
#include <stdlib.h>

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/core/runner/runner_internal.h"

struct rn_rebuild {
    int i; /* the stage */
    const struct rn_reload *how;
    struct rn_attempt *attempt;
};

int rn_runner_look(struct rn_runner *r, struct rn_rebuild **rebuild, bool *changed)
{
    int err = 0;
    *changed = false;
    *rebuild = NULL;
    for (int i = 0; i < r->n && r->dev && !err && !*rebuild; i++) {
        const struct rn_reload *how = r->bound[i].desc->reload;
        struct rn_attempt *attempt = NULL;
        bool changed_here = false;
        err = how ? how->look(&r->bound[i], rn_current(r, i), &attempt, &changed_here) : 0;
        *changed |= changed_here;
        if (err || !attempt)
            continue;
        if ((*rebuild = calloc(1, sizeof **rebuild)) != NULL) {
            **rebuild = (struct rn_rebuild){i, how, attempt};
        } else {
            how->drop(attempt);
            err = rn_fail_memory();
        }
    }
    return err;
}

const char *rn_rebuild_file(const struct rn_rebuild *rebuild)
{
    return rebuild->how->file(rebuild->attempt);
}

int rn_rebuild_run(struct rn_rebuild *rebuild, struct rn_device *dev)
{
    return rebuild->how->build(rebuild->attempt, dev);
}

void rn_rebuild_drop(struct rn_rebuild **rebuild)
{
    if (*rebuild)
        (*rebuild)->how->drop((*rebuild)->attempt);
    free(*rebuild);
    *rebuild = NULL;
}

int rn_runner_rebuilt(struct rn_runner *r, struct rn_chain *chain, struct rn_rebuild **rebuild,
                      bool *changed)
{
    int i = (*rebuild)->i;
    *changed = false;
    int err = (*rebuild)->how->take(&r->bound[i], rn_current(r, i), rn_chain_stage(chain, i),
                                    (*rebuild)->attempt, changed);
    rn_rebuild_drop(rebuild);
    return err || !*changed ? err : rn_runner_update(r, chain);
}

int rn_runner_poll(struct rn_runner *r, struct rn_chain *chain, bool *changed)
{
    struct rn_rebuild *rebuild;
    bool changed_here, built = true;
    int err = 0;
    *changed = false;
    while (built && !err) { /* a stage that was looked at just now finds nothing new */
        err = rn_runner_look(r, &rebuild, &changed_here);
        *changed |= changed_here;
        built = rebuild != NULL;
        if (!built)
            break;
        err = err ? err : rn_rebuild_run(rebuild, r->dev);
        if (!err) {
            err = rn_runner_rebuilt(r, chain, &rebuild, &changed_here);
            *changed |= changed_here;
        }
        rn_rebuild_drop(&rebuild);
    }
    return err;
}

const char *rn_runner_alert(const struct rn_runner *r)
{
    const char *alert = NULL;
    for (int i = 0; i < r->n && !alert; i++)
        if (r->bound[i].desc->reload)
            alert = r->bound[i].desc->reload->alert(&r->bound[i]);
    return alert;
}
