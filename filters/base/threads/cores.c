/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity, CPU_COUNT */
#include "filters/base/threads/cores.h"

#include <sched.h>
#include <stdlib.h>

#include "filters/base/text/number.h"

int rn_cores(void)
{
    const char *given = getenv("SLURM_CPUS_PER_TASK");
    long long n;
    cpu_set_t set;
    if (given && rn_number_whole(given, 1, RN_CORES_MOST, &n))
        return (int)n;
    int count = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    return count > 0 ? count : 1;
}
