/* SPDX-License-Identifier: MIT */
/* Time for measuring: seconds of the monotonic clock, from any moment on. */
#pragma once

#include <time.h>

static inline double rn_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A time of rn_clock() for functions of POSIX. */
static inline struct timespec rn_clock_time(double clock)
{
    time_t whole = (time_t)clock;
    return (struct timespec){whole, (long)(1e9 * (clock - (double)whole))};
}
