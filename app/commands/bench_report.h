/* SPDX-License-Identifier: MIT */
/* Reports the measurements of `bench` INPUT: a table for people, and JSON. */
#pragma once

#include "app/cli.h"
#include "filters/bench/timing.h"
#include "filters/core/chain/chain.h"
#include "filters/core/device/device.h"

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
