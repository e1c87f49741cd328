/* SPDX-License-Identifier: MIT */
/* The folder in which PoCL keeps compiled kernels. All runs share one folder. A run gets a folder
 * of its own if the shared one cannot be written, or another user could put code there (private.h):
 * that is a warning. Where none can be had, PoCL has no device.
 */
#pragma once

/* If this variable is set, the run does not use the shared folder. The program sets it for itself
 * when it starts again because a kernel in that folder crashed it. */
#define RN_PRIVATE_KERNELS "RUNNEL_PRIVATE_KERNELS"

/* Gives PoCL (POCL_CACHE_DIR) and the engine (rn_programs_keep_in) the shared folder or a temporary
 * one below XDG_RUNTIME_DIR, TMPDIR or /tmp, which exit() removes. Removes the temporary folders of
 * runs that were killed. Call once, before threads run. */
void rn_app_kernel_cache_prepare(void);

/* The shared folder, and this run's own, which it uses if there is one. NULL: there is none. The
 * strings live as long as the process. */
struct rn_app_kernel_folders {
    const char *shared, *own;
};
struct rn_app_kernel_folders rn_app_kernel_cache_folders(void);

/* Removes the temporary folder, if there is one. Call before _exit(); from any thread, but not
 * from a signal handler. */
void rn_app_kernel_cache_clean(void);
