/* SPDX-License-Identifier: MIT */
/* What the parts of `bench` share. bench_report.c: the measurements of INPUT as a table for people,
 * and as JSON. */
#pragma once

#include "app/run/json.h"
#include "app/run/session.h"
#include "filters/bench/bench.h"

#define RN_BENCH_SCHEMA 2 /* of the JSON, with INPUT and without */

/* The measures of a repeat: seconds for all frames. The stages of the chain follow the rows. */
enum rn_app_bench_row {
    /* Frames in memory: */
    RN_BENCH_UPLOAD,   /* by the events of the device */
    RN_BENCH_KERNELS,  /* of all stages, likewise */
    RN_BENCH_DOWNLOAD, /* likewise */
    RN_BENCH_SUM,      /* of these three */
    RN_BENCH_COPY,     /* by the host, into the slots */
    RN_BENCH_WALL,     /* of the whole run, overlapped */
    /* From and to files: */
    RN_BENCH_FILES,  /* of the whole run */
    RN_BENCH_DECODE, /* inside the decoder */
    RN_BENCH_ENCODE, /* inside the encoder */
    RN_BENCH_FILES_UPLOAD,
    RN_BENCH_FILES_KERNELS, /* divided by the lanes */
    RN_BENCH_FILES_DOWNLOAD,
    RN_BENCH_FILES_CPU, /* CPU time of all threads of the process */
    RN_BENCH_STAGES,
    RN_BENCH_ROWS = RN_BENCH_STAGES + RN_MAX_STAGES
};

#define RN_BENCH_MAX_CASES 3 /* unconverted, 8 and 16 bit */

/* The frames in one sample type. */
struct rn_app_bench_case {
    struct rn_geom geom;
    int inflight, lanes;          /* frames in flight, and computed at once */
    bool converted;               /* from the type of the input */
    bool from_files;              /* RN_BENCH_FILES to RN_BENCH_FILES_CPU were measured */
    int64_t bytes;                /* of all frames */
    int64_t uploaded, downloaded; /* bytes copied in one repeat; 0: mapped */
    double seconds[RN_BENCH_ROWS][RN_MAX_TIMES];
};

/* Where the chain was measured: a device, several that share the frames, or plain C. */
struct rn_app_bench_place {
    char select[64];              /* what -d takes */
    int ndevices;                 /* 0: the C reference path */
    struct rn_device_info device; /* the first of them */
    bool failed;                  /* then the cases are invalid */
    int ncases;
    struct rn_app_bench_case cases[RN_BENCH_MAX_CASES]; /* the first one: unconverted */
};

struct rn_app_bench_report {
    const struct rn_app_cli *cli;
    const char *input, *output;
    const struct rn_chain *chain;
    int64_t frames;
    bool more; /* the input has more frames than fit in memory */
    int repeats;
    int cpus; /* available to the process; 0: not known */
    int nplaces;
    struct rn_app_bench_place *place;
};

/* The fastest place from and to files; NULL: none was measured. */
const struct rn_app_bench_place *rn_app_bench_fastest(const struct rn_app_bench_report *report);

/* Writes the JSON to path. path NULL: prints the table, or with --json the JSON, to stdout. Returns
 * 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_app_bench_print(const struct rn_app_bench_report *report, const char *path, int status);

/* ---- suite.c: `bench` without INPUT, suites of measurements on synthetic data.
 *
 * A suite prints its tables to stdout while it measures, unless --json is given, and collects its
 * rows in a JSON array. */

/* Runs the suite of --suite and prints the results. Returns 0 or an error (logged); RN_EDEVICE if a
 * device fails or differs from the references. */
int rn_app_suite_run(const struct rn_app_cli *cli);

/* Refuses a chain that bench cannot measure: RN_EUSAGE (logged). */
int rn_app_suite_check_chain(const struct rn_chain *chain);

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

/* The suite devices, in a file of its own. Returns 0 or an error (logged). */
int rn_app_suite_devices(struct rn_app_suite *suite);

/* A spread, times factor, as {"min", "median", "max"}; null without a measurement. */
json_t *rn_app_suite_spread(const struct rn_times *spread, double factor);

/* The devices of -d, or all. *list: for free(). Returns their number, or an error (logged). */
int rn_app_suite_list_devices(struct rn_app_session *session, struct rn_device_info **list);

/* Shows on the terminal what is being measured. NULL: clears the line. */
void rn_app_suite_show_status(const char *what);
