/* SPDX-License-Identifier: MIT */
/* `bench` without INPUT: suites of measurements on synthetic data.
 *
 * A suite prints its tables to stdout while it measures, unless --json is given, and collects its
 * rows in a JSON array. */
#pragma once

#include "app/cli.h"
#include "app/run/json.h"
#include "app/run/session.h"
#include "filters/bench/timing.h"
#include "filters/core/device/device.h"

/* Runs the suite of --suite and prints the results. Returns 0 or an error (logged); RN_EDEVICE if a
 * device fails or differs from the references. */
int rn_app_suite_run(const struct rn_app_cli *cli);

/* Refuses a chain that bench cannot measure: RN_EUSAGE (logged). */
int rn_app_suite_check_chain(const struct rn_chain *chain);

#define RN_SUITE_ABOUT                                                                             \
    "Without INPUT, --suite:\n"                                                                    \
    "  devices    every device side by side, or those of -d: memory, transfers,\n"                 \
    "             launches, the compiler, a few filters against their references,\n"               \
    "             frames a second through -f (default: three stages), and which\n"                 \
    "             -d to take\n"                                                                    \
    "  filters    every filter, or -f, on every sample type and size: GB/s of what\n"              \
    "             is read and written once; copies, the median by the time of a copy\n"            \
    "             of the plane, (max), the largest by it\n"                                        \
    "  streaming  synthetic frames through several chains, or -f, against each part\n"             \
    "             alone; -d 0,1: two devices share them\n"                                         \
    "  linear     vectors, matrices, convolutions and closings of the field's\n"                   \
    "             papers, each checked and beside one thread of plain C; OpenBLAS,\n"              \
    "             CLBlast and FFTW where they are installed; what was published\n"

/* The state of a suite. */
struct rn_app_suite {
    const struct rn_app_cli *cli;
    int repeats;
    bool table;                    /* for people, on stdout */
    struct rn_app_session session; /* for the devices of -d */
    struct rn_device *device;      /* the first device; NULL: the C reference path */
    json_t *rows;                  /* NULL when out of memory */
    char recommended[32];          /* by the suite devices; "": none */
    int openblas_threads;          /* in the suite linear; 0: not installed */
};

/* The suites. Return 0 or an error (logged). */
int rn_app_suite_devices(struct rn_app_suite *suite);
int rn_app_suite_filters(struct rn_app_suite *suite);
int rn_app_suite_streaming(struct rn_app_suite *suite);
int rn_app_suite_linear(struct rn_app_suite *suite);

/* A spread, times factor, as {"min", "median", "max"}; null without a measurement. */
json_t *rn_app_suite_spread(const struct rn_times *spread, double factor);

/* The devices of -d, or all. *list: for free(). Returns their number, or an error (logged). */
int rn_app_suite_list_devices(struct rn_app_session *session, struct rn_device_info **list);

/* Shows on the terminal what is being measured. NULL: clears the line. */
void rn_app_suite_show_status(const char *what);
