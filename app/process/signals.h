/* Handles what ends the program early: SIGINT, SIGTERM, SIGHUP, and libraries that call exit().
 *
 * While no pipeline is watched there is nothing to finish: the first signal calls quit, removes
 * every temporary file and ends the process with status 128 + signal. While a pipeline is watched,
 * the first signal stops its reading, and the program ends by itself. A second signal always ends
 * the process at once. */
#ifndef RN_APP_PROCESS_SIGNALS_H
#define RN_APP_PROCESS_SIGNALS_H

#include "app/run/pipeline.h"

/* Installs the handlers. quit(status) writes the report files when the program does not end by
 * itself; called at most once, in a thread of its own. give_up(status): likewise for a second
 * signal; called in the signal handler, so it must be async-signal-safe. Both may be NULL. Returns
 * 0 or RN_EINTERNAL (logged). */
int rn_app_signals_install(void (*quit)(int status), void (*give_up)(int status));

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

#endif
