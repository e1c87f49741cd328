/* The program starts once more, by itself, where a driver's cache of compiled kernels ends it.
 *
 * PoCL loads what it compiled earlier without a look at it. A file that a full disk or a crash has
 * cut off makes it abort, or jump into garbage, in whatever thread. While kernels are built and run
 * for the first time, nothing is written yet: there the process executes itself anew, with a folder
 * of its own for kernels, and the run goes on; when they have run there, the folder is named. Where
 * what was read is gone, as from a pipe, it ends with status 5 and names the folder at once.
 *
 * What crashes with kernels of its own, too, is another kernel: most likely the user's, if there is
 * one. That ends with status 5 and one line. Crashes at any other time are left as they are. */
#ifndef RN_APP_PROCESS_RESTART_H
#define RN_APP_PROCESS_RESTART_H

#include <stdbool.h>

/* Keeps the command line; call first of all in main(). argv: its strings must stay as they are, the
 * order of its pointers may change. */
void rn_app_restart_prepare(int argc, char **argv);

/* True if this process has started itself again, and what it finds may be its own. */
bool rn_app_restart_again(void);

/* From now on a crash, or a call of rn_app_restart_now, starts the program again, or ends it where
 * this run has a folder of its own already. repeatable: all that was read can be read once more.
 * kernel: the file of a user's kernel in the chain, NULL if there is none. Does nothing under the
 * sanitizers, which take the crashes. Call when the device is open, whose driver has set its signal
 * handlers by then, from the thread that builds kernels. */
void rn_app_restart_arm(bool repeatable, const char *kernel);

/* Crashes are again what they were before. ran: all kernels did; then a run that was started again
 * says why. */
void rn_app_restart_disarm(bool ran);

/* The process is being ended and shall not start again. Async-signal-safe. */
void rn_app_restart_cancel(void);

/* Starts again; returns if it is not armed or not repeatable. From any thread. */
void rn_app_restart_now(void);

#endif
