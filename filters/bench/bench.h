/* SPDX-License-Identifier: MIT */
/* Measures devices, filters and what the field publishes, on synthetic pictures. */
#pragma once

#include "filters/core/runner/runner.h"
#include "filters/linear/linear.h"

/* ---- timing.c: the repeats of a measurement; device times between two moments */

#define RN_MAX_TIMES 100 /* values */

/* Seconds or another unit. All 0 without a value. */
struct rn_times {
    double min, median, max;
};

/* Of n values, 0..RN_MAX_TIMES. */
struct rn_times rn_times_of(const double *values, int n);

void rn_times_scale(struct rn_times *times, double factor);

/* The device seconds of all stages. */
double rn_timings_kernels(const struct rn_timings *timings);

/* The difference of two readings. Stage times are those of the frames that were timed in between,
 * scaled to all frames in between; where none was timed, the mean of all. */
struct rn_timings rn_timings_between(const struct rn_timings *before, const struct rn_timings *now);

/* ---- synthetic.c: pictures of noise over the whole range of the samples */

/* Of w x h pixels in a format that rn_format_parse() reads; floats range from 0 to 65535. */
struct rn_geom rn_synthetic_geom(const char *format, int w, int h);

/* Always the same noise. */
void rn_synthetic_paint(struct rn_image *img);

/* ---- speed.c: a device without filters: memory, the bus, kernel launches, the compiler */

enum rn_speed_memory { RN_SPEED_PAGEABLE, RN_SPEED_PINNED, RN_SPEED_MEMORIES };

/* Spreads of seconds, by the host's clock, for `bytes`. */
struct rn_speed {
    int64_t bytes;
    int repeats;
    struct rn_times copy; /* within the device's memory: each byte is read and written */
    struct rn_times up[RN_SPEED_MEMORIES], down[RN_SPEED_MEMORIES];
    struct rn_times both[RN_SPEED_MEMORIES]; /* as many bytes each way, at once */
    struct rn_times map;    /* to map and unmap them instead; 0 where memory is not shared */
    struct rn_times launch; /* of an empty kernel, one of many in a row */
    struct rn_times answer; /* of a single one, until the host knows that it has run */
    double build; /* of a program that no cache has seen, until its kernel ran for the first time */
};

/* bytes: 0 = what suits the device, else >= 4096. repeats: 1..RN_MAX_TIMES. dev: NULL = the
 * host by one thread, which has only copy. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged). */
int rn_speed_measure(struct rn_device *dev, int64_t bytes, int repeats, struct rn_speed *speed);

/* *seconds: the shortest of 50 copies of `bytes` within the device's memory, by its own clock.
 * Returns 0 or RN_EDEVICE (logged). */
int rn_speed_copy(struct rn_device *dev, int64_t bytes, double *seconds);

/* ---- stream.c
 *
 * Streams synthetic frames through a chain with two threads: one submits, one collects. Measures
 * one frame in flight, so that each part runs alone, then the requested number of frames; both with
 * slots that hold their pictures already. Then the same number with pictures in the caller's
 * memory, which are copied into the slots, and the results out of them; and again where it is
 * locked, so that a device with memory of its own copies them itself. */

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
    int inflight, lanes; /* with all frames in flight: their number, those computed at once */
    struct rn_stream_parts alone; /* one frame in flight: no two parts overlap */
    struct rn_stream_parts together;
    double wall_alone;           /* seconds a frame */
    struct rn_times wall;        /* likewise, with all frames in flight, of the repeats */
    struct rn_times callers;     /* likewise, from the caller's memory and back */
    struct rn_times locked;      /* likewise, with that memory locked */
    double up_bytes, down_bytes; /* a frame, that were copied; 0 where they are mapped */
};

/* The usual cases. */
#define RN_STREAM_CASES 12
extern const struct rn_stream_case rn_stream_cases[RN_STREAM_CASES];

struct rn_stream_opts {
    struct rn_device *const *devs; /* they share the frames; when one is in flight, the first */
    int ndevs;                     /* 0: plain C, one thread */
    int inflight, repeats;         /* inflight: 0 = what is best; repeats: 1..RN_MAX_TIMES */
    double seconds;                /* approximate length of a pass */
    bool callers;                  /* rn_stream_result's callers and locked, too */
};

/* Returns 0 or an error (logged). */
int rn_stream_measure(const struct rn_stream_case *what, const struct rn_stream_opts *opts,
                      struct rn_stream_result *result);

/* The longest of the parts; *name: static text. */
double rn_stream_slowest(const struct rn_stream_parts *parts, const char **name);

/* ---- tick.c
 *
 * Checks that a device computes what the C references do: a few filters of every kind on small
 * pictures of every sample type. The numeric tests cover all filters. */

struct rn_tick {
    int cases, differing;
    char first[96]; /* chain and format of the first case that differs */
};

/* Runs one synthetic frame of geom through a chain, on dev and in plain C. *differing: how many
 * samples differ; *plain_seconds: the time of plain C. Returns 0 or an error (logged). */
int rn_tick_compare(struct rn_device *dev, const char *chain, const struct rn_geom *geom,
                    int64_t *differing, double *plain_seconds);

/* dev: NULL = no case. Returns 0, RN_EDEVICE or RN_EINTERNAL (logged); differences are no error. */
int rn_tick(struct rn_device *dev, struct rn_tick *tick);

/* ---- filtertime.c
 *
 * Times the kernels of a filter on synthetic frames, and a copy of one plane within the device's
 * memory as their lower bound. */

/* Chains of one filter each: settings worth measuring, then every other filter with its default
 * parameters. i: from 0; NULL at the end. */
const char *rn_filtertime_chain(int i);

/* The formats and sizes to measure; NULL at the end. */
extern const char *const rn_filtertime_formats[];
extern const struct rn_filtertime_size {
    const char *name;
    int w, h;
} rn_filtertime_sizes[];

struct rn_filtertime {
    struct rn_times frame; /* seconds of a frame, of several batches, by the device's clock */
    double copy;           /* seconds of a copy of the plane; 0 in plain C */
    int64_t bytes;         /* of the frame */
};

/* Times a chain on frames of geometry geom, for about `seconds`. dev: NULL = plain C. Returns 0 or
 * an error (logged). */
int rn_filtertime_measure(struct rn_device *dev, const char *chain, const struct rn_geom *geom,
                          double seconds, struct rn_filtertime *result);

/* ---- measures.c
 *
 * Measures what the field publishes: vectors, matrices, convolutions, closings, frames a second; or
 * the primitives of networks and their training. Each is timed on a device and on one thread of
 * plain C, checked against the latter, and timed in turns with the installed libraries and with a
 * naive form. */

enum rn_measure_peer { RN_OPENBLAS, RN_CLBLAST, RN_FFTW, RN_NAIVE, RN_MEASURE_PEERS };

struct rn_figure {
    char name[64], size[64];
    double work;          /* of one run */
    const char *unit;     /* of work a second: "GB/s" (work: bytes moved), "GFLOP/s", "frames/s" */
    struct rn_times ours; /* seconds of one run, by the host's clock; the spread of the repeats */
    double plain;         /* seconds of one run on one thread */
    double part;          /* share of the work that plain C did and that was checked, 0..1 */
    double peer[RN_MEASURE_PEERS]; /* median seconds; 0: not installed, or without the function */
    bool exact;                    /* the results have to be the same */
    double error, tolerance;       /* largest difference to plain C, largest allowed one */
    double of_copy; /* GB/s as a share of a copy's, best against best; 0: not memory-bound */
    double up, kernels, down; /* streams: seconds of their parts by the device's clock; else 0 */
    /* Of training, else 0: the share of images held out that are known then, and a hash of the
     * weights; in a step, seconds of rn_primitives[i]. */
    double accuracy, operation[RN_PRIMITIVES_MOST];
    uint64_t weights;
};

/* Images of digits: n to train with, then those held out. */
#define RN_TRAINING_AREA 64 /* samples of an image */
struct rn_training_images {
    int n, held;
    float *samples;
    uint8_t *labels; /* 0..9 */
};

struct rn_measure_opts {
    int repeats; /* 1..RN_MAX_TIMES */
    bool quick;  /* small sizes */
    int threads; /* of OpenBLAS; 0 = its own choice */
    int inflight;
    const struct rn_training_images *images; /* networks are measured, not the rest; or NULL */
};

/* Takes one result. Returns 0, or an error, which ends the measuring. */
typedef int rn_figure_fn(void *arg, const struct rn_figure *measure);

/* dev: NULL: only networks are measured, whose training is plain C then. *openblas_threads: set
 * before the first result; 0: not installed. Returns 0 or an error (logged); a wrong result is no
 * error. */
int rn_measures(struct rn_device *dev, const struct rn_measure_opts *opts, int *openblas_threads,
                rn_figure_fn *each, void *arg);
