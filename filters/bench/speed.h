/* SPDX-License-Identifier: MIT */
/* Measures a device independently of filters: memory, the bus, kernel launches, the compiler. */
#pragma once

#include "filters/bench/timing.h"
#include "filters/core/device/device.h"

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
