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

/* From now on the first signal interrupts pl; at once if one was caught since
 * rn_app_signals_hold. */
void rn_app_signals_watch(struct rn_app_pipeline *pl);

/* pl may be destroyed after this call. A first signal changes nothing from now on. */
void rn_app_signals_unwatch(void);

/* The first signal caught; 0: none. */
int rn_app_signals_caught(void);

/* Marks the program's own end: an exit() from now on is no library's. */
void rn_app_signals_end(void);
