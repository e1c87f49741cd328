/* What `bench` measured: the table for people, and the JSON. */
#ifndef RN_BENCH_REPORT_H
#define RN_BENCH_REPORT_H

#include "app/cli.h"
#include "filters/bench/timing.h"
#include "filters/core/chain_internal.h"
#include "filters/core/device.h"

#define RN_BENCH_MOST_REPEATS RN_TIMES_MOST

/* What is measured in every repeat: seconds for all frames. The stages of the chain follow. */
enum rn_bench_row {
    RN_BENCH_UPLOAD,   /* by the events of the device */
    RN_BENCH_DOWNLOAD, /* likewise */
    RN_BENCH_KERNELS,  /* of all stages, likewise */
    RN_BENCH_SUM,      /* of these three */
    RN_BENCH_COPY,     /* the host: from memory to where the device takes frames from */
    RN_BENCH_WALL,     /* all of this, overlapped */
    RN_BENCH_FILES,    /* the same from the input, decoded, to the output, encoded */
    RN_BENCH_DECODE,   /* within that, inside of the decoder */
    RN_BENCH_ENCODE,   /* and of the encoder */
    RN_BENCH_STAGES,
    RN_BENCH_ROWS = RN_BENCH_STAGES + RN_MAX_STAGES
};

/* The frames in one sample type. */
struct rn_bench_case {
    struct rn_geom geom;
    bool converted;               /* from what the input has */
    bool from_files;              /* RN_BENCH_FILES to RN_BENCH_ENCODE were measured */
    int64_t bytes;                /* of all frames */
    int64_t uploaded, downloaded; /* bytes copied in one repeat; 0: mapped, or none */
    double seconds[RN_BENCH_ROWS][RN_BENCH_MOST_REPEATS];
};

struct rn_bench_report {
    const struct rn_cli *cli;
    const char *input, *output;
    const struct rn_chain *chain;
    bool on_device;               /* false: C reference path */
    struct rn_device_info device; /* valid if on_device */
    int64_t frames;
    bool more; /* the input has others, for which there was no room in memory */
    int repeats;
    int ncases;
    struct rn_bench_case *cases; /* the first: as the input is */
};

/* Prints the table, or with --json the JSON, to stdout. Returns 0 or RN_EINTERNAL (logged). */
int rn_bench_print(const struct rn_bench_report *report);

/* Writes the JSON to path (--metrics). Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_bench_write(const struct rn_bench_report *report, const char *path, int status);

#endif
