/* What PoCL, OpenCL on the CPU, needs from the environment of the process: a linker in PATH, a
 * folder for its compiled kernels, and the number of threads. PoCL aborts the process without the
 * first, has no device without the second, and takes all CPUs whatever the affinity mask says.
 *
 * A program's part, because it changes variables of the environment; stands on nothing but
 * filters/base. */
#ifndef RN_ENVIRONMENT_H
#define RN_ENVIRONMENT_H

/* Where this variable is set, the usual folder for kernels is not used: the program sets it for
 * itself when it starts again because what is in there crashed it. */
#define RN_PRIVATE_KERNELS "RUNNEL_PRIVATE_KERNELS"

/* Puts PATH, POCL_CACHE_DIR and POCL_MAX_PTHREAD_COUNT right where they are not. Call once, before
 * a device is listed or opened and before threads run. threads: for a CPU device; 0 = what the
 * environment or the CPU affinity of the process says. Where no folder for kernels can be written,
 * a temporary one is made (below XDG_RUNTIME_DIR, TMPDIR or /tmp), which goes when the program
 * ends with exit(); those of runs that were killed go here. */
void rn_environment_prepare(int threads);

/* Where runs share their kernels, and the folder of this run alone, if it has one, which it then
 * uses. NULL: there is none. They live as long as the process. */
struct rn_kernel_folders {
    const char *shared, *own;
};
struct rn_kernel_folders rn_environment_kernels(void);

/* Removes the temporary folder, if there is one: for where the program ends with _exit(). May be
 * called from any thread, but not from a signal handler. */
void rn_environment_clean(void);

#endif
