#include "app/play/runners/reload.h"

#include "app/run/session.h"
#include "filters/base/err.h"
#include "filters/base/log.h"

#include <stdio.h>
#include <stdlib.h>

struct rn_play_reload_job {
    struct rn_play_job *job;
    const struct rn_device *of;
    struct rn_rebuild *rebuild;
};

static int work(void *arg)
{
    struct rn_play_reload_job *j = arg;
    return rn_app_session_rebuild(j->of, j->rebuild);
}

static void release(void *arg)
{
    struct rn_play_reload_job *j = arg;
    rn_rebuild_drop(&j->rebuild);
    free(j);
}

static int begin(struct rn_play_reloading *r, struct rn_play_worker *worker,
                 const struct rn_device *of, struct rn_rebuild *rebuild)
{
    char what[256];
    struct rn_play_reload_job *j = calloc(1, sizeof *j);
    if (!j) {
        rn_rebuild_drop(&rebuild);
        return rn_fail_memory();
    }
    j->of = of;
    j->rebuild = rebuild;
    snprintf(what, sizeof what, "building %.200s", rn_rebuild_file(rebuild));
    j->job = rn_play_worker_ask(worker, what, work, release, j);
    if (!j->job) {
        release(j);
        return RN_EINTERNAL;
    }
    r->job = j;
    return 0;
}

static int take(struct rn_play_reloading *r, struct rn_runner *runner, struct rn_chain *chain,
                bool *changed)
{
    char why[RN_WORKER_WHY];
    struct rn_play_reload_job *j = r->job;
    r->job = NULL;
    int err = rn_play_job_take(&j->job, why);
    err = err ? err : rn_runner_rebuilt(runner, chain, &j->rebuild, changed);
    release(j);
    return err;
}

int rn_play_reload_poll(struct rn_play_reloading *r, struct rn_play_worker *worker,
                        const struct rn_device *of, struct rn_runner *runner,
                        struct rn_chain *chain, bool *changed)
{
    struct rn_rebuild *rebuild = NULL;
    *changed = false;
    if (r->job && rn_play_job_is_done(r->job->job))
        return take(r, runner, chain, changed);
    int err = r->job ? 0 : rn_runner_look(runner, &rebuild, changed);
    return err || !rebuild ? err : begin(r, worker, of, rebuild);
}

void rn_play_reload_leave(struct rn_play_reloading *r)
{
    struct rn_play_reload_job *j = r->job;
    r->job = NULL;
    if (j)
        rn_play_job_leave(&(struct rn_play_job *){j->job});
}
