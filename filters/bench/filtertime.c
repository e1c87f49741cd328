/* SPDX-License-Identifier: MIT */
#include "filters/bench/bench.h"

#include "filters/base/clock.h"
#include "filters/base/text/words.h"

#include <string.h>

#define BATCH 8                                         /* frames */
extern const struct rn_word_row rn_filtertime_chains[]; /* filtertime.words */

const char *const rn_filtertime_formats[] = {"gray", "gray16", "grays16", "grayf32", NULL};
const struct rn_filtertime_size rn_filtertime_sizes[] = {
    {"720p", 1280, 720}, {"1080p", 1920, 1080}, {"2160p", 3840, 2160}, {NULL, 0, 0}};

const char *rn_filtertime_chain(int i)
{
    const struct rn_word_row *row = rn_filtertime_chains;
    for (; row->words; row++)
        if (i-- == 0)
            return row->words;
    for (int k = 0; rn_registry[k]; k++) {
        size_t n = strlen(rn_registry[k]->name);
        bool skipped = rn_registry[k]->reload != NULL; /* needs a file of the user's */
        for (row = rn_filtertime_chains; row->words; row++)
            skipped |=
                strcspn(row->words, "=,@") == n && !strncmp(row->words, rn_registry[k]->name, n);
        if (!skipped && i-- == 0)
            return rn_registry[k]->name;
    }
    return NULL;
}

/* Times at least three batches, until `seconds` have passed; the first one warms up. */
static int measure(struct rn_runner *runner, double seconds, struct rn_times *frame)
{
    struct rn_timings timings;
    double each[RN_MAX_TIMES], previous = 0, end = rn_clock() + seconds;
    int err = 0, batch = 0;
    for (; !err && (batch < 3 || rn_clock() < end) && batch <= RN_MAX_TIMES; batch++) {
        for (int i = 0; i < BATCH && !err; i++) {
            int slot = (batch * BATCH + i) % rn_runner_nslots(runner);
            err = rn_runner_submit(runner, rn_runner_slot(runner, slot));
            struct rn_slot *ready = err ? NULL : rn_runner_ready(runner);
            if (ready)
                err = rn_runner_wait(runner, ready);
            if (ready && !err)
                err = rn_runner_recycle(runner, ready);
        }
        rn_runner_timings(runner, &timings);
        double sum = rn_timings_kernels(&timings);
        if (batch)
            each[batch - 1] = (sum - previous) / BATCH;
        previous = sum;
    }
    *frame = rn_times_of(each, err ? 0 : batch - 1);
    return err;
}

int rn_filtertime_measure(struct rn_device *dev, const char *text, const struct rn_geom *geom,
                          double seconds, struct rn_filtertime *result)
{
    struct rn_chain *chain = NULL;
    struct rn_runner *runner = NULL;
    *result = (struct rn_filtertime){.copy = 0, .bytes = rn_geom_bytes(geom)};
    int err = rn_chain_parse(&chain, text);
    err = err ? err : rn_runner_open(&runner, dev, chain, geom, 1);
    if (!err)
        rn_runner_time_each(runner);
    err = err ? err : rn_runner_start(runner);
    for (int i = 0; !err && i < rn_runner_nslots(runner); i++)
        rn_synthetic_paint(&rn_runner_slot(runner, i)->in);
    err = err ? err : measure(runner, seconds, &result->frame);
    err = err ? err : rn_runner_stop(runner, true);
    rn_runner_close(&runner);
    rn_chain_destroy(&chain);
    if (!err && dev)
        err = rn_speed_copy(dev, (int64_t)geom->w * geom->h * rn_format_bytes(&geom->fmt),
                            &result->copy);
    return err;
}
