/* Synthetic frames through a chain, as the program passes them: one thread each to fill, to
 * submit and to collect. First one at a time, so that each part works alone, then as many in
 * flight as were asked for. */
#ifndef RN_FILTERS_BENCH_STREAM_H
#define RN_FILTERS_BENCH_STREAM_H

#include "filters/bench/timing.h"
#include "filters/core/chain/chain.h"
#include "filters/core/device/device.h"

#include <stdbool.h>
#include <stdint.h>

struct rn_stream_case {
    const char *chain, *format;
    int w, h, frames; /* frames: the most of one pass */
};

/* The parts, in seconds a frame, by the device's clock. */
struct rn_stream_parts {
    double upload, run, download;
};

struct rn_stream_result {
    int frames;
    int inflight, lanes; /* frames in flight, and computed at once, when all are together */
    struct rn_stream_parts alone; /* one frame in flight: no part beside another */
    struct rn_stream_parts together;
    double wall_alone;           /* seconds a frame */
    struct rn_times wall;        /* likewise, with all frames in flight, of the repeats */
    double up_bytes, down_bytes; /* a frame, that were copied; 0 where they are mapped */
};

/* The cases that are worth knowing. */
#define RN_STREAM_CASES 12
extern const struct rn_stream_case rn_stream_cases[RN_STREAM_CASES];

struct rn_stream_opts {
    int inflight, repeats;           /* inflight: 0 = what is best; repeats: 1..RN_TIMES_MOST */
    double seconds;                  /* about as long as a pass may take */
    struct rn_device *const *others; /* that share the frames with the first, or NULL */
    int nothers;
};

/* dev: NULL = plain C, one thread. Returns 0 or an error (logged). */
int rn_stream_measure(struct rn_device *dev, const struct rn_stream_case *what,
                      const struct rn_stream_opts *opts, struct rn_stream_result *result);

/* The same by hand: opens what passes frames, with so many in flight; passes some of them,
 * *seconds: that went by, *kernels: that the device's clock gives to the kernels. close sets
 * *streaming to NULL, and NULL is legal; it follows a failure, too. */
struct rn_streaming;
int rn_streaming_open(struct rn_streaming **streaming, struct rn_device *dev,
                      const struct rn_stream_case *what, int inflight);
int rn_streaming_pass(struct rn_streaming *streaming, int frames, double *seconds, double *kernels);
void rn_streaming_close(struct rn_streaming **streaming);

/* The longest of the parts; *name: static text. */
double rn_stream_slowest(const struct rn_stream_parts *parts, const char **name);

#endif
