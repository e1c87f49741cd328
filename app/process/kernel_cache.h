/* The folder in which PoCL keeps the kernels that it has compiled: one that all runs share or,
 * where that cannot be written or used, or is another user's, who could put his own code there, one
 * of this run alone. */
#ifndef RN_APP_PROCESS_KERNEL_CACHE_H
#define RN_APP_PROCESS_KERNEL_CACHE_H

/* Where this variable is set, the usual folder for kernels is not used: the program sets it for
 * itself when it starts again because what is in there crashed it. */
#define RN_PRIVATE_KERNELS "RUNNEL_PRIVATE_KERNELS"

/* Gives PoCL (POCL_CACHE_DIR) and the engine (rn_programs_keep_in) the usual folder or, where that
 * does not serve, a temporary one (below XDG_RUNTIME_DIR, TMPDIR or /tmp), which goes when the
 * program ends with exit(). Those of runs
 * that were killed go here. Call once, before threads run. */
void rn_app_kernel_cache_prepare(void);

/* Where runs share their kernels, and the folder of this run alone, if it has one, which it then
 * uses. NULL: there is none. They live as long as the process. */
struct rn_app_kernel_folders {
    const char *shared, *own;
};
struct rn_app_kernel_folders rn_app_kernel_cache_folders(void);

/* Removes the temporary folder, if there is one: for where the program ends with _exit(). May be
 * called from any thread, but not from a signal handler. */
void rn_app_kernel_cache_clean(void);

#endif
