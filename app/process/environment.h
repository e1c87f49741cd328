/* What PoCL, OpenCL on the CPU, needs from the environment of the process: a linker in PATH, a
 * folder for its compiled kernels, the number of threads, and what the machine has. PoCL aborts the
 * process without the first, has no device without the second, takes all CPUs whatever the affinity
 * mask says, and aborts where there is no /sys to tell it of CPUs and memory.
 *
 * A program's part, because it changes variables of the environment; stands on nothing but
 * the engine. */
#ifndef RN_APP_PROCESS_ENVIRONMENT_H
#define RN_APP_PROCESS_ENVIRONMENT_H

/* Puts PATH, POCL_CACHE_DIR (see kernel_cache.h), POCL_MAX_PTHREAD_COUNT and HWLOC_SYNTHETIC right
 * where they are not. Call once, before a device is listed or opened and before threads run.
 * threads: for a CPU device; 0 = what the environment or the CPU affinity of the process says. */
void rn_app_environment_prepare(int threads);

#endif
