/* SPDX-License-Identifier: MIT */
/* Executes the program once more where a driver's cache of compiled kernels crashes it.
 *
 * PoCL loads kernels compiled earlier without checking them. A file truncated by a full disk or a
 * crash makes PoCL abort or jump into garbage, in any thread. While kernels are built and run for
 * the first time nothing has been written yet: after a crash the process executes itself with a
 * kernel folder of its own, the run goes on, and a message names the bad folder once the kernels
 * have run. What was read from stdin is kept until then and given once more. If another input
 * cannot be read again, as from a named pipe, the program ends at once with status 5 and names the
 * folder.
 *
 * A crash of kernels in a folder of its own has another cause, most likely the user's kernel:
 * status 5 and one line. Crashes at any other time keep their effect. */
#pragma once

#include <stdbool.h>

/* Keeps the command line; call first of all in main(). argv: its strings must stay as they are, the
 * order of its pointers may change. */
void rn_app_restart_prepare(int argc, char **argv);

/* Whether this is the second start: files it finds may be those of the first. */
bool rn_app_restarted(void);

/* Keeps what will be read from stdin as the input, where a restart may be. Call before that. */
void rn_app_restart_keep_stdin(void);
bool rn_app_restart_keeps_stdin(void);

/* From now on a crash, or a call of rn_app_restart_now, starts the program again, or ends it if
 * this run has a kernel folder of its own. repeatable: all input can be read once more. kernel: the
 * file of a user's kernel in the chain; NULL: none. Does nothing under the sanitizers, which take
 * the crashes. Call from the thread that builds kernels, after the device was opened: its driver
 * has set its signal handlers by then. */
void rn_app_restart_arm(bool repeatable, const char *kernel);

/* Gives crashes their former effect. ran: all kernels have run; a restarted run then logs why. */
void rn_app_restart_disarm(bool ran);

/* The process is being ended: no restart from now on. Async-signal-safe. */
void rn_app_restart_cancel(void);

/* Restarts; returns if not armed or not repeatable. Any thread. */
void rn_app_restart_now(void);
