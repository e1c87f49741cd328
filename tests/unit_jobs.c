/* SPDX-License-Identifier: MIT */
/* The thread that does what takes long for the player. */
#include "tests/unit.h"

#include <semaphore.h>

#include "app/play/runners/runners.h"

struct work {
    struct rn_play_job job;
    sem_t begun, gate;
    atomic_int done, released;
    int order; /* in which it was done */
    int err;
};

static atomic_int count;

static int work(struct rn_play_job *job)
{
    struct work *w = (struct work *)job;
    sem_post(&w->begun);
    sem_wait(&w->gate);
    w->order = atomic_fetch_add(&count, 1);
    atomic_fetch_add(&w->done, 1);
    return w->err ? rn_fail(w->err, "it went wrong") : 0;
}

static void release(struct rn_play_job *job)
{
    struct work *w = (struct work *)job;
    atomic_fetch_add(&w->released, 1);
}

static struct rn_play_job *request(struct rn_play_jobs *jobs, struct work *w, int err)
{
    memset(w, 0, sizeof *w);
    w->err = err;
    sem_init(&w->begun, 0, 0);
    sem_init(&w->gate, 0, 0);
    w->job = (struct rn_play_job){.what = "something", .work = work, .release = release};
    rn_play_jobs_add(jobs, &w->job);
    return &w->job;
}

static void await(const struct rn_play_job *job)
{
    while (!rn_play_job_is_ready(job))
        continue;
}

TEST(in_order)
{
    struct rn_play_jobs *jobs;
    struct work w[3];
    struct rn_play_job *job[3];
    enum rn_log_level level = rn_log_level();
    rn_log_set_level(RN_LOG_QUIET);
    atomic_store(&count, 0);
    assert_int_equal(rn_play_jobs_open(&jobs), 0);
    assert_false(rn_play_jobs_is_busy(jobs));
    for (int i = 0; i < 3; i++)
        job[i] = request(jobs, &w[i], i == 1 ? RN_EDEVICE : 0);
    assert_true(rn_play_jobs_is_busy(jobs));
    assert_false(rn_play_job_is_ready(job[0]));
    for (int i = 0; i < 3; i++)
        sem_post(&w[i].gate);
    for (int i = 0; i < 3; i++) {
        await(job[i]);
        rn_log_set_last("");
        assert_int_equal(rn_play_job_result(job[i]), i == 1 ? RN_EDEVICE : 0);
        assert_string_equal(rn_log_last(), i == 1 ? "it went wrong" : "");
        assert_int_equal(w[i].order, i);
        assert_int_equal(atomic_load(&w[i].released), 0);
        rn_play_job_cancel(job[i]);
        assert_int_equal(atomic_load(&w[i].released), 1);
    }
    assert_false(rn_play_jobs_is_busy(jobs));
    rn_play_jobs_close(&jobs);
    assert_null(jobs);
    rn_log_set_level(level);
}

/* One that runs, one that waits, one that is done. */
TEST(cancelled)
{
    struct rn_play_jobs *jobs;
    struct work w[3];
    struct rn_play_job *done, *runs, *waits;
    assert_int_equal(rn_play_jobs_open(&jobs), 0);
    done = request(jobs, &w[0], 0);
    sem_post(&w[0].gate);
    await(done);
    runs = request(jobs, &w[1], 0);
    sem_wait(&w[1].begun);
    waits = request(jobs, &w[2], 0);
    rn_play_job_cancel(done);
    rn_play_job_cancel(waits);
    rn_play_job_cancel(runs);
    rn_play_job_cancel(NULL);
    assert_int_equal(atomic_load(&w[0].released), 1);
    assert_int_equal(atomic_load(&w[1].released), 0);
    assert_int_equal(atomic_load(&w[2].released), 1);
    assert_true(rn_play_jobs_is_busy(jobs)); /* with what it is to release */
    sem_post(&w[1].gate);
    rn_play_jobs_close(&jobs);
    assert_int_equal(atomic_load(&w[1].released), 1);
    assert_int_equal(atomic_load(&w[2].done), 0);
}

/* Nobody is told of what nobody wants any more. */
TEST(told)
{
    OWNED(rn_play_jobs_close) struct rn_play_jobs *jobs;
    struct work w;
    char text[32];
    assert_int_equal(rn_play_jobs_open(&jobs), 0);
    assert_null(rn_play_jobs_describe(jobs, text, sizeof text));
    struct rn_play_job *job = request(jobs, &w, 0);
    sem_wait(&w.begun);
    while (!rn_play_jobs_describe(jobs, text, sizeof text))
        continue;
    assert_string_equal(text, "something");
    rn_play_job_cancel(job);
    assert_null(rn_play_jobs_describe(jobs, text, sizeof text));
    sem_post(&w.gate);
}
