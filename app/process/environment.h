/* SPDX-License-Identifier: MIT */
/* Sets the environment variables that PoCL, OpenCL on the CPU, needs, and all libraries read:
 *   PATH                    a linker; without one PoCL aborts the process
 *   POCL_CACHE_DIR          a folder for compiled kernels; without one PoCL has no device
 *   POCL_MAX_PTHREAD_COUNT  the threads; PoCL ignores the affinity mask and takes all CPUs
 *   HWLOC_SYNTHETIC         CPUs and memory where there is no /sys; PoCL would abort
 *   HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME, XDG_DATA_HOME
 *                           folders that no other user can change (private.h), or none
 * Only programs may change variables, so the engine does not do this. */
#pragma once

/* Sets the variables that are not right yet. Call once, before a device is listed or opened and
 * before threads run. threads: for a CPU device; 0 = as the environment or the CPU affinity
 * says. */
void rn_app_environment_prepare(int threads);
