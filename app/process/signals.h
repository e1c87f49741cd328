/* SPDX-License-Identifier: MIT */
/* Handles what ends the program early: SIGINT, SIGTERM, SIGHUP, libraries that call exit(), and
 * calls that do not return (stall.h).
 *
 * While no pipeline is watched there is nothing to finish: the first signal calls quit, removes
 * every temporary file and ends the process with status 128 + signal. While a pipeline is watched,
 * the first signal stops its reading, and the program ends by itself. A second signal always ends
 * the process at once.
 *
 * A thread waits for the first signal and looks for stalled calls. Where one has not gone on for
 * the time of rn_app_signals_limit, or for 20 seconds after a signal, this thread ends the run: the
 * main one may be in that very call. Nobody waits for the stalled thread. */
#pragma once

#include <signal.h>

#include "app/run/pipeline.h"

/* Installs the handlers. quit(status) writes the report files when the program does not end by
 * itself; called at most once, in a thread of its own. give_up(status): likewise for a second
 * signal; called in the signal handler, so it must be async-signal-safe. Both may be NULL. Returns
 * 0 or RN_EINTERNAL (logged). */
int rn_app_signals_install(void (*quit)(int status), void (*give_up)(int status));

/* Makes action that of SIGINT, SIGTERM and SIGHUP, which are blocked while its handler runs; nohup
 * keeps the last one. */
void rn_app_signals_take(struct sigaction action);

/* Looks for stalled calls without handling signals, which rn_app_signals_install does as well.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_app_signals_start(void);

/* Before both: a call that does not go on for so many seconds (0: any time; -1: the usual), or a
 * header that takes a processor longer than it needs for so large a one, ends the run with
 * RN_EINPUT, RN_EDEVICE or RN_EOUTPUT. input, written: names in messages; NULL: none.
 * stalled(status) closes the output and writes the reports; NULL: as quit. Where writing is what
 * has stalled quit is called, and the output is left behind. */
void rn_app_signals_limit(double seconds, const char *input, const char *written,
                          void (*stalled)(int status));

/* The main thread uses the output between these. Neither returns in a run that is being ended. */
void rn_app_signals_lock_output(void);
void rn_app_signals_unlock_output(void);

/* From now on the program ends by itself; call before an output is opened. Does not return if a
 * signal came before. */
void rn_app_signals_hold(void);

/* From now on the first signal interrupts pl; at once if one came since rn_app_signals_hold. */
void rn_app_signals_watch(struct rn_app_pipeline *pl);

/* pl may be destroyed after this call. A first signal changes nothing from now on. */
void rn_app_signals_unwatch(void);

/* The first signal caught; 0: none. */
int rn_app_signals_caught(void);

/* Marks the program's own end: an exit() from now on is no library's. */
void rn_app_signals_end(void);

/* ---- kernel_crash.c: says what to do where kernels crash the program.
 *
 * PoCL loads kernels compiled earlier without checking them. A file truncated by a full disk or a
 * crash makes PoCL abort or jump into garbage, in any thread. While kernels are built and run for
 * the first time, a crash removes partial outputs, prints one line and ends the program with status
 * 5. It leaves a mark in the folder of compiled kernels, so that the next run compiles them anew
 * (environment.h); not if the chain has a user's kernel, which most likely is the cause. Crashes at
 * any other time keep their effect. */

/* From now on a crash ends the program so, as does a program of kernels/ that does not build though
 * it was compiled earlier. kernel: the file of a user's kernel in the chain; NULL: none. Does
 * nothing under the sanitizers, which take the crashes. Call from the thread that builds kernels,
 * after the device was opened: its driver has set its signal handlers by then. */
void rn_app_kernel_crash_arm(const char *kernel);

/* Gives crashes their former effect. */
void rn_app_kernel_crash_disarm(void);

/* The process is being ended: a crash says nothing from now on. Async-signal-safe. */
void rn_app_kernel_crash_cancel(void);

/* A library ends the process: leaves the mark as a crash would. Returns whether it was left. Any
 * thread. */
bool rn_app_kernel_crash_mark(void);
