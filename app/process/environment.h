/* SPDX-License-Identifier: MIT */
/* Sets the environment variables that PoCL, OpenCL on the CPU, needs, and all libraries read:
 *   PATH                    a linker; without one PoCL aborts the process
 *   POCL_CACHE_DIR          a folder for compiled kernels (below); without one PoCL has no device
 *   POCL_MAX_PTHREAD_COUNT  the threads; PoCL ignores the affinity mask and takes all CPUs
 *   HWLOC_SYNTHETIC         CPUs and memory where there is no /sys; PoCL would abort
 *   HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME, XDG_DATA_HOME
 *                           folders that no other user can change (private.h), or none
 * Only programs may change variables, so the engine does not do this. */
#pragma once

#include <stdbool.h>

/* Sets the variables that are not right yet, and names the folder of kernels to the engine
 * (rn_programs_keep_in). Call once, before a device is listed or opened, before threads run and
 * before the process is confined. threads: for a CPU device; 0 = as the environment or the CPU
 * affinity says. */
void rn_app_environment_prepare(int threads);

/* ---- the folder in which PoCL and the engine keep compiled kernels for later runs
 *
 *   POCL_CACHE_DIR, or pocl/kcache in XDG_CACHE_HOME or ~/.cache: shared with PoCL's other users
 *   runnel-kernels-UID in XDG_RUNTIME_DIR, else in TMPDIR or /tmp, if that cannot be used
 * A folder can be used if it can be written, files in it can be executed, and no other user can put
 * code there (private.h). The kernels in it are removed if a run left the mark. */

struct rn_app_kernel_folder {
    const char *path; /* NULL: there is none */
    const char *mark; /* a file: the next run that finds it removes the kernels of the folder */
    bool fresh;       /* it had no kernels when this run began */
};

/* The folder that was chosen, and why others could not be used was logged; call it after the
 * variables are set. The strings live as long as the process. Any thread. */
struct rn_app_kernel_folder rn_app_kernel_cache_folder(void);
