/* SPDX-License-Identifier: MIT */
/* Collects the results and times of a run, for the table at its end and for --metrics. */
#pragma once

#include "app/run/output.h"

struct rn_app_report {
    const struct rn_app_cli *cli;
    const char *output;           /* as given */
    const struct rn_chain *chain; /* NULL until it was read */
    struct rn_device_info device[RN_MAX_DEVICES];
    int ndevices;               /* 0: the C reference path */
    bool have_device;           /* a device or the C reference path was chosen */
    struct rn_io_stream stream; /* valid if have_stream */
    bool have_stream;
    struct rn_app_output *outputs; /* the files of the output; the last one may be open */
    int noutputs;
    /* Sums of all outputs (rn_app_report_add): */
    bool streamed;    /* the pipeline ran: the fields below are valid */
    bool complete;    /* every frame was written and the output closed */
    const char *path; /* of the last file of the output; or NULL */
    struct rn_app_meter meter;
    struct rn_timings timings;
    struct rn_io_ledger ledger;
    int64_t no_sound;
    const struct rn_losses *losses;
    long long unapplied;        /* changes of --replay after the last frame */
    double setup, encode, wall; /* seconds; encode: with closing the output */
    bool part;                  /* wall is of processes or passes before as well, no other time */
};

/* Adds the results of one output, whether it was written or failed. */
void rn_app_report_add(struct rn_app_report *report, const struct rn_app_output *out);

/* Prints the table to stderr. */
void rn_app_report_print(const struct rn_app_report *report);

#define RN_METRICS_SCHEMA 1 /* version of the fields; a new field does not change it */

/* Writes --metrics: one JSON object; unknown values are null, times are in seconds (_s). status:
 * the exit status of the program. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_app_metrics_write(const char *path, const struct rn_app_report *report, int status);

/* After rn_app_json_describe: prints their schema. Returns 0 or an error (logged). */
int rn_app_metrics_describe(void);

/* Logs each loss, as a warning. NULL: none. */
void rn_app_report_losses(const struct rn_losses *losses);

#define RN_REPORT_LACKS 800

/* Describes the losses for an error message: their number if rn_app_report_losses listed them; a
 * list if warnings are not shown. Fills and returns text. */
const char *rn_app_report_lacks(const struct rn_losses *losses, char text[RN_REPORT_LACKS]);
