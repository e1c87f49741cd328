/* What ends the program from outside: SIGINT, SIGTERM, SIGHUP, and libraries that call exit().
 *
 * While no pipeline is watched there is nothing worth finishing: the first signal calls quit,
 * removes every temporary file and ends the process with status 128 + signal. While one is watched,
 * the first signal stops its reading and the program comes to its end by itself. A second signal
 * always ends the process at once. */
#ifndef RN_APP_PROCESS_SIGNALS_H
#define RN_APP_PROCESS_SIGNALS_H

#include "app/run/pipeline.h"

/* Takes the signals. quit(status): the last words (the report files) where the program cannot come
 * to its end; called from another thread than the main one, at most once. give_up(status): the same
 * for a second signal; called from the signal handler, so only what is async-signal-safe may be in
 * it. Both may be NULL. Returns 0 or RN_EINTERNAL (logged). */
int rn_app_signals_install(void (*quit)(int status), void (*give_up)(int status));

/* From now on the program ends by itself; call before an output is opened. Does not return if a
 * signal came before. */
void rn_app_signals_hold(void);

/* From now on the first signal interrupts pl; at once if it came after rn_app_signals_hold. */
void rn_app_signals_watch(struct rn_app_pipeline *pl);

/* pl may be destroyed after this. A first signal is from now on too late to change anything. */
void rn_app_signals_unwatch(void);

/* The signal that came first, 0 if none. */
int rn_app_signals_caught(void);

/* The program has come to its end: exit() is its own from now on. */
void rn_app_signals_end(void);

#endif
