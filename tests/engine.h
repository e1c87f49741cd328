/* SPDX-License-Identifier: MIT */
/* What the tests of the engine share: each is a program of its own. */
#pragma once

#include "app/process/environment.h"
#include "filters/base/log.h"
#include "filters/core/runner/runner.h"
#include "tests/check.h"

/* The chain of this text; NULL where it is refused, which is a difference of the current test. */
static inline struct rn_chain *parse_chain(struct check *check, const char *text)
{
    struct rn_chain *chain = NULL;
    if (rn_chain_parse(&chain, text))
        check_bad(check, "'%s' is not accepted", text);
    return chain;
}

/* Fills the input of a frame, or looks at its output. */
typedef void frame_fn(struct rn_image *img, int64_t frame, void *arg);

/* Runs the chain of this text over n frames, numbered from first on, in tenths of a second. */
static inline int run_chain(struct rn_device *dev, const char *text, const struct rn_geom *geom,
                            int64_t first, int n, frame_fn *give, frame_fn *take, void *arg)
{
    OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    OWNED(rn_runner_close) struct rn_runner *runner = NULL;
    struct rn_slot *ready;
    int err = rn_chain_parse(&chain, text);
    err = err ? err : rn_runner_open(&runner, dev, chain, geom, 1);
    err = err ? err : rn_runner_start(runner);
    for (int i = 0; i <= n && !err; i++) {
        struct rn_slot *slot = rn_runner_slot(runner, i % rn_runner_nslots(runner));
        slot->frame = (struct rn_frame){
            .index = first + i, .pts = first + i, .time = (double)(first + i) / 10};
        if (i < n)
            give(&slot->in, first + i, arg);
        err = i < n ? rn_runner_submit(runner, slot) : rn_runner_drain(runner);
        while (!err && (ready = rn_runner_ready(runner)) != NULL) {
            err = rn_runner_wait(runner, ready);
            if (!err)
                take(&ready->out, ready->frame.index, arg);
            err = err ? err : rn_runner_recycle(runner, ready);
        }
    }
    err = err ? err : rn_runner_stop(runner, true);
    return err;
}

/* Does the check of a chain refuse it? geom: NULL = its text alone. */
static inline bool is_refused(const char *text, const struct rn_geom *geom)
{
    OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    struct rn_analysis analysis;
    enum rn_log_level level = rn_log_level();
    rn_log_set_level(RN_LOG_QUIET);
    int err = rn_chain_parse(&chain, text);
    err = err || !geom ? err : rn_chain_check(chain, geom, &analysis);
    rn_log_set_level(level);
    return err == RN_EUSAGE;
}

/* The value of an option of the command line, or NULL. */
static inline const char *option(int argc, char **argv, const char *name)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (!strcmp(argv[i], name))
            return argv[i + 1];
    return NULL;
}

/* How a test begins that takes --device. */
static inline int open_device(struct rn_device **device, const char *selector)
{
    rn_log_set_level(RN_LOG_WARNING);
    rn_app_environment_prepare(0);
    return rn_device_open(device, selector);
}

/* How it ends: returns the status of the program. */
static inline int close_device(struct rn_device **device, struct check *check)
{
    if (rn_device_close(device))
        check_bad(check, "OpenCL objects were left alive");
    check_end(check, "the device closes with nothing alive");
    return check->failed ? 1 : 0;
}
