/* SPDX-License-Identifier: MIT */
/* Passes synthetic frames through a chain whenever it is told to, so that another program can be
 * measured in turns with it (bench_peers.py).
 *
 *   peer [--device SEL]
 *
 * One command a line on stdin, one answer a line on stdout:
 *   open W H FORMAT CHAIN   the answer: ok, or failed
 *   pass FRAMES             the seconds that the kernels took, one frame in flight; or failed */
#include "app/process/environment.h"
#include "filters/bench/bench.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct rn_device *dev = NULL;
    struct rn_streaming *streaming = NULL;
    char line[65536], format[24];
    int frames, at;
    double seconds, kernels;
    rn_app_environment_prepare(0);
    int err = rn_device_open(&dev, argc == 3 && !strcmp(argv[1], "--device") ? argv[2] : NULL);
    while (!err && fgets(line, sizeof line, stdin)) {
        struct rn_stream_case c = {.format = format};
        line[strcspn(line, "\n")] = '\0';
        if (sscanf(line, "open %d %d %23s %n", &c.w, &c.h, format, &at) == 3) {
            c.chain = line + at;
            rn_streaming_close(&streaming);
            puts(rn_streaming_open(&streaming, dev, &c, 1) ? "failed" : "ok");
        } else if (streaming && sscanf(line, "pass %d", &frames) == 1 &&
                   !rn_streaming_pass(streaming, frames, &seconds, &kernels)) {
            printf("%.9f\n", kernels);
        } else {
            puts("failed");
        }
        fflush(stdout);
    }
    rn_streaming_close(&streaming);
    int closed = rn_device_close(&dev);
    return -(err ? err : closed);
}
