/* SPDX-License-Identifier: MIT */
/* What the program around the engine may want to know of the kernels that are built. */
#pragma once

#include <stdbool.h>

/* Sets what is called when a program of kernels/ does not build or lacks one of its kernels. It is
 * the same on every device of a kind, so most likely the driver's cache of compiled programs is
 * damaged. call: in the thread that builds, before anything is logged; it need not return. NULL:
 * nothing. */
void rn_programs_on_failure(void (*call)(void));

/* Whether this thread may compile, which takes seconds; at first it may. One that may not gets what
 * is built or kept, and RN_UNBUILT, of which nothing is logged, for all else. */
void rn_programs_compile(bool allowed);
