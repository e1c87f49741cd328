/* SPDX-License-Identifier: MIT */
/* How many cores this process may use. */
#pragma once

#define RN_CORES_MOST 1024

/* What a batch system gave it (SLURM_CPUS_PER_TASK, if that is a number from 1 to RN_CORES_MOST),
 * else those of its affinity mask. >= 1. Any thread, while none changes the environment. */
int rn_cores(void);
