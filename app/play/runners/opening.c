#include "app/play/runners/opening.h"

#include "app/play/loop/player.h"
#include "app/cli.h"
#include "app/play/loop/input.h"
#include "app/play/runners/build.h"
#include "app/play/view/compare.h"
#include "app/run/session.h"
#include "filters/base/err.h"
#include "filters/base/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rn_play_opening_job {
    struct rn_play_job *job;
    struct rn_app_cli cli;
    char *name; /* the first operand; the input refers to it */
    struct rn_app_next next;
};

/* ---- the job */

static int work(void *arg)
{
    struct rn_play_opening_job *j = arg;
    return rn_app_session_open_next(&j->next);
}

static void release(void *arg)
{
    struct rn_play_opening_job *j = arg;
    rn_app_session_drop_next(&j->next);
    free(j->name);
    free(j);
}

static int ask(struct rn_play *p, struct rn_play_opening_job *j)
{
    char what[256];
    j->cli = *p->cli;
    j->cli.operand[0] = j->name;
    int err = rn_app_session_prepare_next(p->session, &j->cli, rn_play_slots(p), &j->next);
    if (err)
        return err;
    snprintf(what, sizeof what, "opening %.200s", j->name);
    j->job = rn_play_worker_ask(p->build->worker, what, work, release, j);
    return j->job ? 0 : RN_EINTERNAL;
}

static int begin(struct rn_play *p)
{
    struct rn_play_opening *o = p->opening;
    const struct rn_play_inputs *list = o->list.n ? &o->list : p->inputs;
    struct rn_play_opening_job *j = calloc(1, sizeof *j);
    if (!j || !(j->name = strdup(list->name[o->at]))) {
        free(j);
        return rn_fail_memory();
    }
    int err = ask(p, j);
    if (err)
        release(j);
    else
        o->job = j;
    return err;
}

/* ---- what is wanted */

void rn_play_leave_opening(struct rn_play *p)
{
    struct rn_play_opening *o = p->opening;
    if (o->job)
        rn_play_job_leave(&(struct rn_play_job *){o->job->job});
    o->job = NULL;
    o->wanted = o->follows = false;
    rn_play_inputs_free(&o->list);
}

void rn_play_end_opening(struct rn_play *p)
{
    rn_play_leave_opening(p);
    free(p->opening->name);
    p->opening->name = NULL;
}

bool rn_play_want_input(struct rn_play *p, int at, int direction)
{
    struct rn_play_opening *o = p->opening;
    rn_play_leave_opening(p);
    if (p->record) {
        rn_play_say(p, "--record tells of one input: start anew for another one");
        rn_log(RN_LOG_WARNING, "%s", p->message);
        return false;
    }
    o->wanted = true;
    o->at = at;
    o->direction = direction;
    o->tries = direction ? p->inputs->n - 1 : 1;
    return true;
}

int rn_play_want_list(struct rn_play *p, const char *name, bool *wanted)
{
    *wanted = rn_play_want_input(p, 0, 0);
    int err = *wanted ? rn_play_inputs_add(&p->opening->list, name) : 0;
    if (err)
        rn_play_leave_opening(p);
    return err;
}

/* The next one that may be tried. */
static bool go_on(struct rn_play *p)
{
    struct rn_play_opening *o = p->opening;
    int n = p->inputs->n, at = o->at + o->direction;
    if (!o->direction || --o->tries < 1 || (!p->loop && (at < 0 || at >= n)))
        return false;
    o->at = (at + n) % n;
    return o->at != p->inputs->now;
}

/* It cannot be opened, or does not take the chain. */
static int pass_over(struct rn_play *p, int err, const char *why)
{
    struct rn_play_opening *o = p->opening;
    const struct rn_play_inputs *list = o->list.n ? &o->list : p->inputs;
    char text[RN_WORKER_WHY];
    snprintf(text, sizeof text, "%.80s: %.160s", list->name[o->at], why);
    rn_play_say(p, text);
    if (go_on(p))
        return err == RN_EINTERNAL ? err : 0;
    p->inputs->alone |= o->follows;
    p->build->refusals++;
    snprintf(p->build->why, sizeof p->build->why, "%s", text);
    rn_play_leave_opening(p);
    return err == RN_EINTERNAL ? err : 0;
}

/* ---- it is open */

static int arrive(struct rn_play *p, struct rn_play_opening_job *j)
{
    struct rn_play_opening *o = p->opening;
    struct rn_play_inputs before = {0};
    char *name = o->name;
    o->name = j->name;
    j->name = NULL;
    if (o->list.n) {
        before = *p->inputs;
        *p->inputs = o->list;
        o->list = (struct rn_play_inputs){0};
    }
    p->inputs->now = o->at;
    p->inputs->alone = false;
    int err = rn_play_replace_input(p, &j->next, o->name);
    release(j);
    free(name);
    rn_play_inputs_free(&before);
    rn_play_leave_opening(p);
    return err;
}

/* What was tuned meanwhile is to be taken, too. */
static int receive(struct rn_play *p)
{
    struct rn_play_opening_job *j = p->opening->job;
    char why[RN_WORKER_WHY];
    bool taken = false;
    p->opening->job = NULL;
    int err = rn_play_job_take(&j->job, why);
    if (!err && (err = rn_runner_try(j->next.beside.runner, p->session->chain, false, &taken)) != 0)
        snprintf(why, sizeof why, "%s", rn_log_last());
    if (taken && !err)
        return arrive(p, j);
    release(j);
    return err ? pass_over(p, err, why) : 0;
}

int rn_play_poll_opening(struct rn_play *p)
{
    struct rn_play_opening *o = p->opening;
    if (o->job && rn_play_job_is_done(o->job->job))
        return receive(p);
    int err = o->wanted && !o->job ? begin(p) : 0;
    return err ? pass_over(p, err, rn_log_last()) : 0;
}
