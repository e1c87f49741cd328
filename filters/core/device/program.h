/* What the program around the engine may want to know of the kernels that are built. */
#ifndef RN_FILTERS_CORE_DEVICE_PROGRAM_H
#define RN_FILTERS_CORE_DEVICE_PROGRAM_H

#include <stdbool.h>

/* The folder in which built programs are kept for later runs; NULL, as at first: nowhere. Each file
 * is checked in full before it is used. Only programs of PoCL are kept: it runs the compiler's
 * preprocessor over each source to find what it has kept itself, 20 ms a program. Other drivers are
 * as quick by themselves. folder: stays valid. Call before a device is opened. */
void rn_programs_keep_in(const char *folder);

/* Sets what is called when a program of kernels/ does not build or lacks one of its kernels. It is
 * the same on every device of a kind, so most likely the driver's cache of compiled programs is
 * damaged. call: in the thread that builds, before anything is logged; it need not return. NULL:
 * nothing. */
void rn_programs_on_failure(void (*call)(void));

/* Whether this thread may compile, which takes seconds; at first it may. One that may not gets what
 * is built or kept, and RN_UNBUILT, of which nothing is logged, for all else. */
void rn_programs_compile(bool allowed);

#endif
