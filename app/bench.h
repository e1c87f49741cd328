/* runnel bench INPUT [OUTPUT]: measure a chain on a clip or a scan: transfers, kernels, the whole */
#ifndef RN_BENCH_H
#define RN_BENCH_H

#include "app/cli.h"

extern const struct rn_command rn_command_bench;

#endif
