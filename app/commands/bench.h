/* runnel bench INPUT [OUTPUT]: measure transfers, kernels and the whole of a chain */
#ifndef RN_APP_COMMANDS_BENCH_H
#define RN_APP_COMMANDS_BENCH_H

#include "app/cli.h"

#define RN_BENCH_SCHEMA 2 /* of the JSON, with INPUT and without */

extern const struct rn_app_command rn_app_command_bench;

#endif
