/* SPDX-License-Identifier: MIT */
/* Passes synthetic frames through a chain whenever it is told to, so that another program can be
 * measured in turns with it (bench_peers.py).
 *
 *   peer [--device SEL]
 *
 * One command a line on stdin, one answer a line on stdout:
 *   open W H FORMAT CHAIN   the answer: ok, or failed
 *   pass FRAMES             the seconds that the kernels took, one frame in flight; or failed
 *   stream FRAMES W H FORMAT CHAIN  the seconds of a frame of so many, from memory and back,
 *                                   and in slots that are filled already; or failed */
#include "app/process/environment.h"
#include "filters/bench/bench.h"

#include <stdio.h>
#include <string.h>

/* A runner with one painted frame. */
static int open_runner(struct rn_runner **runner, struct rn_device *dev, const char *text,
                       const struct rn_geom *geom)
{
    struct rn_chain *chain = NULL;
    int err = rn_chain_parse(&chain, text);
    err = err ? err : rn_runner_open(runner, dev, chain, geom, 1);
    rn_chain_destroy(&chain);
    if (err)
        return err;
    rn_runner_time_each(*runner);
    rn_synthetic_paint(&rn_runner_slot(*runner, 0)->in);
    return rn_runner_start(*runner);
}

static int pass(struct rn_runner *runner, int frames, double *kernels)
{
    struct rn_slot *slot = rn_runner_slot(runner, 0);
    struct rn_timings before, now;
    int err = 0;
    rn_runner_timings(runner, &before);
    for (int i = 0; i < frames && !err; i++) {
        err = rn_runner_submit(runner, slot);
        if (!err && rn_runner_ready(runner) != slot) /* the chain looks ahead */
            err = RN_EUSAGE;
        err = err ? err : rn_runner_wait(runner, slot);
        err = err ? err : rn_runner_recycle(runner, slot);
    }
    rn_runner_timings(runner, &now);
    *kernels = rn_timings_kernels(&now) - rn_timings_kernels(&before);
    return err;
}

static int stream(struct rn_device *dev, const struct rn_stream_case *what, double seconds[2])
{
    const struct rn_stream_opts opts = {&dev, 1, .repeats = 1, .seconds = 60, .callers = true};
    struct rn_stream_result result;
    int err = rn_stream_measure(what, &opts, &result);
    seconds[0] = result.callers.median;
    seconds[1] = result.wall.median;
    return err;
}

int main(int argc, char **argv)
{
    struct rn_device *dev = NULL;
    struct rn_runner *runner = NULL;
    char line[65536], format[24];
    int w, h, frames, at;
    double kernels, seconds[2];
    rn_app_environment_prepare(0);
    int err = rn_device_open(&dev, argc == 3 && !strcmp(argv[1], "--device") ? argv[2] : NULL);
    while (!err && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "open %d %d %23s %n", &w, &h, format, &at) == 3) {
            const struct rn_geom geom = rn_synthetic_geom(format, w, h);
            rn_runner_close(&runner);
            puts(open_runner(&runner, dev, line + at, &geom) ? "failed" : "ok");
        } else if (sscanf(line, "stream %d %d %d %23s %n", &frames, &w, &h, format, &at) == 4) {
            const struct rn_stream_case what = {line + at, format, w, h, frames};
            if (stream(dev, &what, seconds))
                puts("failed");
            else
                printf("%.9f %.9f\n", seconds[0], seconds[1]);
        } else if (runner && sscanf(line, "pass %d", &frames) == 1 &&
                   !pass(runner, frames, &kernels)) {
            printf("%.9f\n", kernels);
        } else {
            puts("failed");
        }
        fflush(stdout);
    }
    rn_runner_close(&runner);
    int closed = rn_device_close(&dev);
    return -(err ? err : closed);
}
