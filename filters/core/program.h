/* What the program around the engine may want to know of the kernels that are built. */
#ifndef RN_PROGRAM_H
#define RN_PROGRAM_H

/* Sets what is called when a program of kernels/ does not build or lacks one of its kernels. It is
 * the same on every device of a kind, so most likely the driver's cache of compiled programs is
 * damaged. call: in the thread that builds, before anything is logged; it need not return. NULL:
 * nothing. */
void rn_programs_on_failure(void (*call)(void));

#endif
