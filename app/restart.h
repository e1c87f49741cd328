/* The program starts once more, by itself, where a driver's cache of compiled kernels ends it.
 *
 * PoCL loads what it compiled earlier without a look at it. A file that a full disk or a crash has
 * cut off makes it abort, or jump into garbage, in whatever thread. While kernels are built and run
 * for the first time, nothing is written yet: there the process executes itself anew, with a folder
 * of its own for kernels, and the run goes on. Where what was read is gone, as from a pipe, it ends
 * with status 5 and names the folder. Crashes at any other time are left as they are. */
#ifndef RN_RESTART_H
#define RN_RESTART_H

#include <stdbool.h>

/* Keeps the command line; call first of all in main(). argv: its strings must stay as they are, the
 * order of its pointers may change. */
void rn_restart_prepare(int argc, char **argv);

/* True if this process has started itself again, and what it finds may be its own. */
bool rn_restart_again(void);

/* From now on a crash, or a call of rn_restart_now, starts the program again. repeatable: all that
 * was read can be read once more. Does nothing where this run has a folder of its own already, and
 * under the sanitizers, which take the crashes. Call when the device is open, whose driver has set
 * its signal handlers by then, from the thread that builds kernels. */
void rn_restart_arm(bool repeatable);

/* Crashes are again what they were before. */
void rn_restart_disarm(void);

/* The process is being ended and shall not start again. Async-signal-safe. */
void rn_restart_cancel(void);

/* Starts again; returns if it is not armed or not repeatable. From any thread. */
void rn_restart_now(void);

#endif
