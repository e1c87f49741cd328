/* SPDX-License-Identifier: MIT */
/* The overlay of times: which frame is shown and what it took. */
#pragma once

#include "filters/core/runner/runner.h"

#define RN_TIMES_TEXT 1024 /* bytes of the overlay */

struct rn_play;

/* Zeroed before the first use. */
struct rn_play_times {
    bool on;
    bool awaited;                /* the kernels of other stages are being built */
    double since;                /* when the current second began (rn_clock) */
    double fps;                  /* drawn in the last full second */
    struct rn_timings per_frame; /* seconds per frame in that second */
    int64_t drawn;               /* frames, when the current second began */
    struct rn_timings previous;  /* of the runner, likewise */
    double changed;              /* when settings changed that no picture is made with; 0: never */
    double begun;                /* that of the picture that is being made */
    double response;             /* milliseconds from a change to its picture, the last time */
};

/* Settings have changed; a picture with them is being made; it is shown. */
void rn_play_times_change(struct rn_play_times *times);
void rn_play_times_begin(struct rn_play_times *times);
void rn_play_times_end(struct rn_play_times *times);

/* Restart the times for other stages or another input; hide them while kernels are built. */
void rn_play_times_renew(struct rn_play_times *times);
void rn_play_times_await(struct rn_play_times *times, bool awaited);

/* Updates the averages once a second. */
void rn_play_count_second(struct rn_play *p);

/* Writes the lines, cells separated by \t. A frame must be shown. Returns buf. */
char *rn_play_tell_times(const struct rn_play *p, char *buf, size_t size);
