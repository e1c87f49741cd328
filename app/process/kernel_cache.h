/* SPDX-License-Identifier: MIT */
/* The folder in which PoCL and the engine keep compiled kernels for later runs:
 *   POCL_CACHE_DIR, or pocl/kcache in XDG_CACHE_HOME or ~/.cache: shared with PoCL's other users
 *   runnel-kernels-UID in XDG_RUNTIME_DIR, else in TMPDIR or /tmp, if that cannot be used
 * A folder can be used if it can be written, files in it can be executed, and no other user can put
 * code there (private.h). Where none can be had, PoCL has no device. */
#pragma once

#include <stdbool.h>

/* Chooses and makes the folder, and names it to PoCL (POCL_CACHE_DIR) and to the engine
 * (rn_programs_keep_in); removes the kernels in it if a run left the mark. Logs why a folder cannot
 * be used. Call once, before other threads run and before the process is confined. */
void rn_app_kernel_cache_prepare(void);

struct rn_app_kernel_folder {
    const char *path; /* NULL: there is none */
    const char *mark; /* a file: the next run that finds it removes the kernels of the folder */
    bool fresh;       /* it had no kernels when this run began */
};

/* The strings live as long as the process. Any thread. */
struct rn_app_kernel_folder rn_app_kernel_cache_folder(void);
