/* What `bench` measured: the table for people, and the JSON. */
#ifndef RN_APP_COMMANDS_BENCH_REPORT_H
#define RN_APP_COMMANDS_BENCH_REPORT_H

#include "app/cli.h"
#include "filters/bench/timing.h"
#include "filters/core/chain/chain.h"
#include "filters/core/device/device.h"

#define RN_BENCH_SCHEMA 2 /* of the JSON, with INPUT and without */

/* What is measured in every repeat: seconds for all frames. The stages of the chain follow. */
enum rn_app_bench_row {
    RN_BENCH_UPLOAD,   /* by the events of the device */
    RN_BENCH_DOWNLOAD, /* likewise */
    RN_BENCH_KERNELS,  /* of all stages, likewise */
    RN_BENCH_SUM,      /* of these three */
    RN_BENCH_COPY,     /* the host: from memory to where the device takes frames from */
    RN_BENCH_WALL,     /* all of this, overlapped */
    RN_BENCH_FILES,    /* the same from the input, decoded, to the output, encoded */
    RN_BENCH_DECODE,   /* within that, inside of the decoder */
    RN_BENCH_ENCODE,   /* and of the encoder */
    /* of the device within that, what lanes do side by side counted once: */
    RN_BENCH_FILES_UPLOAD,
    RN_BENCH_FILES_KERNELS,
    RN_BENCH_FILES_DOWNLOAD,
    RN_BENCH_FILES_CPU, /* of all CPUs, by all threads of the process */
    RN_BENCH_STAGES,
    RN_BENCH_ROWS = RN_BENCH_STAGES + RN_MAX_STAGES
};

#define RN_BENCH_MOST_CASES 3 /* as the input is, 8 and 16 bit */

/* The frames in one sample type. */
struct rn_app_bench_case {
    struct rn_geom geom;
    int inflight, lanes;          /* frames under way, and computed at once */
    bool converted;               /* from what the input has */
    bool from_files;              /* RN_BENCH_FILES to RN_BENCH_FILES_CPU were measured */
    int64_t bytes;                /* of all frames */
    int64_t uploaded, downloaded; /* bytes copied in one repeat; 0: mapped, or none */
    double seconds[RN_BENCH_ROWS][RN_TIMES_MOST];
};

/* Where the chain was measured: a device, several that share the frames, or plain C. */
struct rn_app_bench_place {
    char select[64];              /* what -d takes */
    int ndevices;                 /* 0: the C reference path */
    struct rn_device_info device; /* the first of them */
    bool failed;                  /* the device: what it measured before counts nothing */
    int ncases;
    struct rn_app_bench_case cases[RN_BENCH_MOST_CASES]; /* the first: as the input is */
};

struct rn_app_bench_report {
    const struct rn_app_cli *cli;
    const char *input, *output;
    const struct rn_chain *chain;
    int64_t frames;
    bool more; /* the input has others, for which there was no room in memory */
    int repeats;
    int cpus; /* that the process may use; 0: not known */
    int nplaces;
    struct rn_app_bench_place *place;
};

/* The place that is fastest from and to files; NULL: none was measured. */
const struct rn_app_bench_place *rn_app_bench_fastest(const struct rn_app_bench_report *report);

/* Prints the table, or with --json the JSON, to stdout. Returns 0 or RN_EINTERNAL (logged). */
int rn_app_bench_print(const struct rn_app_bench_report *report, int status);

/* Writes the JSON to path (--metrics). Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_app_bench_write(const struct rn_app_bench_report *report, const char *path, int status);

#endif
