/* SPDX-License-Identifier: MIT */
#include "app/play/runners/runners.h"

#include "app/play/loop/player.h"
#include "app/process/signals.h"
#include "filters/base/owned.h"

#define LEAST_SLOTS 3 /* one is shown, one computed, one read */

struct rn_play_pending {
    struct rn_play_job job; /* first: see runners.h */
    enum rn_play_pending_kind kind;
    const struct rn_app_session *session; /* of the player's thread */
    struct rn_app_session input; /* what the job needs of it; with a source and chain of its own */
    struct rn_app_cli cli;       /* of that input, where it is opened here */
    char *name;                  /* of it; cli refers to it */
    bool opened;                 /* the input is open */
    struct rn_analysis analysis;
    struct rn_geom geom;
    bool by_field;
    int slots;
    struct rn_device *device;
    struct rn_runner *runner;
    struct rn_rebuild *rebuild; /* of kernels of a runner that stays; then there is nothing else */
};

const char *rn_play_pending_describe(const struct rn_chain *chain, char *buf, size_t size)
{
    size_t used = (size_t)snprintf(buf, size, "building kernels");
    for (int i = 0; i < rn_chain_count(chain) && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : ": ",
                                 rn_chain_stage(chain, i)->desc->name);
    return buf;
}

static void release(struct rn_play_job *job)
{
    struct rn_play_pending *b = (struct rn_play_pending *)job;
    rn_rebuild_drop(&b->rebuild);
    rn_runner_close(&b->runner);
    rn_device_close(&b->device);
    if (b->name)
        rn_read_close(&b->input.source);
    if (b->name && b->kind == RN_PENDING_SWEEP)
        rn_losses_destroy(&b->input.losses);
    rn_chain_destroy(&b->input.chain);
    free(b->name);
    free(b);
}

/* ---- in the job thread, but for an input that is open */

/* A chain across frames needs those beside the frame on the screen, and beside the next ones. */
static int fit(struct rn_play_pending *b)
{
    const struct rn_io_stream *stream = b->input.stream = rn_read_stream_of(b->input.source);
    b->opened = true;
    b->geom = stream->geom;
    b->by_field = stream->by_field;
    int err = rn_app_session_check(&b->input, b->input.chain, &b->analysis);
    if (err)
        return err;
    b->slots += 2 * b->analysis.delay;
    if (b->kind == RN_PENDING_BESIDE) /* which has as many slots as the other one */
        return 0;
    int64_t memory;
    int least = LEAST_SLOTS + 2 * b->analysis.delay; /* fewer where few were asked for */
    least = b->slots < least ? b->slots : least;
    err = rn_app_session_memory(&b->input, rn_pool_bytes(&b->analysis, least), &memory);
    while (!err && b->slots > least && rn_pool_bytes(&b->analysis, b->slots) > memory)
        b->slots--;
    return err;
}

static int make(struct rn_play_job *job)
{
    struct rn_play_pending *b = (struct rn_play_pending *)job;
    bool first = b->kind == RN_PENDING_FIRST, opens = !b->opened;
    int err = 0;
    if (opens)
        err = b->kind == RN_PENDING_INPUT ? rn_app_session_open_input(&b->input, false)
                                          : rn_app_session_open_source(&b->input);
    err = err || !opens ? err : fit(b);
    struct rn_device *device = b->input.device[0];
    if (!err && device && !first) {
        err = rn_device_beside(device, &b->device);
        device = b->device;
    }
    if (err)
        return err;
    if (device)
        rn_app_session_arm(b->input.chain);
    err = rn_runner_open(&b->runner, device, b->input.chain, &b->geom, b->slots);
    if (!err && b->by_field)
        err = rn_runner_expect_fields(b->runner, b->input.cli->source.fields == RN_FIELDS_AUTO);
    if (!err && !first) {
        rn_runner_keep(b->runner);
        err = rn_runner_start(b->runner);
    }
    rn_app_kernel_crash_disarm();
    if (err)
        rn_runner_close(&b->runner);
    return err;
}

/* ---- the player's */

/* What the job reads of the session is copied: the player goes on changing it. */
static int prepare(struct rn_play_pending *b, const struct rn_play_pending_request *r)
{
    struct rn_app_session *s = r->session;
    const char *name = r->kind == RN_PENDING_INPUT                 ? r->input
                       : r->kind == RN_PENDING_SWEEP && !r->source ? s->cli->operand[0]
                                                                   : NULL;
    int err = r->kind == RN_PENDING_BESIDE ? rn_app_session_need_device(s, r->chain) : 0;
    b->input = *s;
    b->input.chain = err ? NULL : rn_chain_copy(r->chain);
    if (!b->input.chain)
        return err ? err : RN_EINTERNAL;
    b->input.source = r->kind == RN_PENDING_SWEEP ? r->source : s->source;
    if (!name)
        return fit(b);
    b->input.source = NULL;
    b->cli = *s->cli;
    b->name = strdup(name);
    b->input.cli = &b->cli;
    b->cli.operand[0] = b->name;
    if (r->kind == RN_PENDING_SWEEP) /* they were told when it was opened first */
        b->input.losses = rn_losses_create();
    if (!b->name || (r->kind == RN_PENDING_SWEEP && !b->input.losses))
        return rn_fail_memory();
    return r->kind == RN_PENDING_INPUT ? rn_app_session_check_tables(s->chain) : 0;
}

int rn_play_pending_request(struct rn_play_pending **pending, struct rn_play_jobs *jobs,
                            const struct rn_play_pending_request *r)
{
    struct rn_play_pending *b = calloc(1, sizeof *b);
    if (!b)
        return rn_fail_memory();
    b->job.work = make;
    b->job.release = release;
    b->kind = r->kind;
    b->session = r->session;
    b->slots = r->slots;
    int err = prepare(b, r);
    if (err) {
        release(&b->job);
        return err;
    }
    /* As many as the session's runner has; opening adds the delay. */
    int there = r->kind == RN_PENDING_BESIDE ? rn_runner_nslots(r->session->runner) : 0;
    there -= b->analysis.delay;
    b->slots = b->slots > there ? b->slots : there;
    if (r->kind == RN_PENDING_INPUT)
        snprintf(b->job.what, sizeof b->job.what, "opening %.200s", b->name);
    else
        rn_play_pending_describe(b->input.chain, b->job.what, sizeof b->job.what);
    rn_play_jobs_add(jobs, &b->job);
    *pending = b;
    return 0;
}

bool rn_play_pending_is_ready(const struct rn_play_pending *b)
{
    return b && rn_play_job_is_ready(&b->job);
}

int rn_play_pending_poll(struct rn_play_pending **pending, const struct rn_chain *wanted,
                         bool *ready)
{
    struct rn_play_pending *b = *pending;
    *ready = false;
    if (!rn_play_pending_is_ready(b))
        return 0;
    int err = rn_play_job_result(&b->job);
    bool beside = b->kind == RN_PENDING_BESIDE;
    if (err && b->opened && !rn_chain_equal(b->input.chain, wanted)) {
        err = 0; /* what is wanted by now may be better */
    } else if (!err &&
               (!beside || rn_runner_nslots(b->runner) >= rn_runner_nslots(b->session->runner))) {
        err = rn_runner_try(b->runner, wanted, false, ready);
    }
    *ready &= !err;
    if (!*ready)
        rn_play_pending_cancel(pending);
    return err;
}

int rn_play_pending_get(struct rn_play_pending **pending, struct rn_play_jobs *jobs,
                        const struct rn_play_pending_request *request, bool *ready)
{
    int err = rn_play_pending_poll(pending, request->chain, ready);
    return err || *pending ? err : rn_play_pending_request(pending, jobs, request);
}

struct rn_runner *rn_play_pending_runner(const struct rn_play_pending *b)
{
    return b->runner;
}

void rn_play_pending_take(struct rn_play_pending **pending, struct rn_runner **runner,
                          struct rn_device **device)
{
    struct rn_play_pending *b = *pending;
    rn_runner_close(runner);
    rn_device_close(device);
    *runner = rn_take_owned(&b->runner);
    *device = rn_take_owned(&b->device);
    rn_play_pending_cancel(pending);
}

void rn_play_pending_take_source(struct rn_play_pending *b, struct rn_read_source **source,
                                 struct rn_losses **losses)
{
    if (*source || !rn_play_pending_is_ready(b) || !b->name || !b->input.source)
        return;
    *source = rn_take_owned(&b->input.source);
    *losses = rn_take_owned(&b->input.losses);
}

int rn_play_pending_take_input(struct rn_play_pending **pending, struct rn_app_session *s,
                               char **name)
{
    struct rn_play_pending *b = *pending;
    s->source = rn_take_owned(&b->input.source);
    s->stream = b->input.stream;
    *name = rn_take_owned(&b->name);
    rn_play_pending_take(pending, &s->runner, &s->runner_device);
    return rn_chain_check(s->chain, &s->stream->geom, &s->analysis);
}

void rn_play_pending_cancel(struct rn_play_pending **pending)
{
    struct rn_play_pending *b = rn_take_owned(pending);
    if (b)
        rn_play_job_cancel(&b->job);
}

/* ---- kernels that change while they run */

/* A kernel that crashes as it is tried ends the process with a word and status 5. */
static int run_rebuild(struct rn_play_job *job)
{
    struct rn_play_pending *b = (struct rn_play_pending *)job;
    int err = rn_device_beside(b->input.device[0], &b->device);
    rn_app_kernel_crash_arm(rn_rebuild_file(b->rebuild));
    err = err ? err : rn_rebuild_run(b->rebuild, b->device);
    rn_app_kernel_crash_disarm();
    return rn_first_error(err, rn_device_close(&b->device));
}

int rn_play_rebuild_poll(struct rn_play_pending **rebuild, struct rn_play_jobs *jobs,
                         struct rn_device *of, struct rn_runner *runner, struct rn_chain *chain,
                         bool *changed)
{
    struct rn_rebuild *found = NULL;
    struct rn_play_pending *b = *rebuild;
    *changed = false;
    if (rn_play_pending_is_ready(b)) {
        int err = rn_play_job_result(&b->job);
        err = err ? err : rn_runner_rebuilt(runner, chain, &b->rebuild, changed);
        rn_play_pending_cancel(rebuild);
        return err;
    }
    int err = b ? 0 : rn_runner_look(runner, &found, changed);
    if (err || !found)
        return err;
    b = *rebuild = calloc(1, sizeof *b);
    if (!b) {
        rn_rebuild_drop(&found);
        return rn_fail_memory();
    }
    *b = (struct rn_play_pending){
        .job = {.work = run_rebuild, .release = release}, .input.device = {of}, .rebuild = found};
    snprintf(b->job.what, sizeof b->job.what, "building %.200s", rn_rebuild_file(found));
    rn_play_jobs_add(jobs, &b->job);
    return 0;
}
