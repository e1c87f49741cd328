/* The record of a run for programs: --metrics FILE. */
#ifndef RN_APP_RUN_METRICS_H
#define RN_APP_RUN_METRICS_H

#include "app/run/report.h"

/* Version of the fields below; a new field does not change it. */
#define RN_METRICS_SCHEMA 1

/* Writes one JSON object; what is not known is null, times are in seconds (_s). status: the exit
 * status of the program. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_app_metrics_write(const char *path, const struct rn_app_report *report, int status);

#endif
