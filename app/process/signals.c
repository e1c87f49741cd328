/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sem_clockwait */
#include "app/process/signals.h"

#include "app/process/terminal.h"
#include "filters/base/clock.h"
#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "filters/base/threads/stall.h"
#include "filters/base/threads/thread.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* timeout(1) and some batch systems signal first the process and then its group: what comes so soon
 * after the first signal is its echo, not a second thought. */
#define ECHO_SECONDS 0.1

#define SIGNAL_SECONDS 20  /* a call may stand still after a signal */
#define QUIT_SECONDS   5   /* of a run whose output hangs */
#define USUAL_SECONDS  600 /* a call may stand still */
#define HEADER_SECONDS 5   /* of a processor for reading a header, beside those for its size */
#define BUILD_SECONDS  60  /* at least, while a driver is loaded and kernels are compiled */

enum state {
    STATE_OPEN, /* nothing to finish yet */
    STATE_HOLD, /* an output is open */
    STATE_QUIT, /* the process is being ended */
    STATE_END,  /* the program has come to its own end */
};

static atomic_int state;
static atomic_int caught;
static atomic_int handlers; /* handlers that may be using the pipeline */
static atomic_llong pending;
static atomic_bool announced;     /* a pipeline is, or was, to be finished */
static _Atomic double first_time; /* when the first signal came; 0: none came */
static _Atomic(struct rn_app_pipeline *) watched;
static sem_t wake;
static struct rn_thread watcher;
static void (*on_quit)(int status);
static void (*on_give_up)(int status);
static void (*on_stall)(int status);
static double limit;        /* seconds that a call may stand still; 0: any time */
static double header_limit; /* HEADER_SECONDS, or what was given; 0: any time */
static const char *input_name = "", *output_name = "";     /* in messages */
static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER; /* held while it is used */

/* Only async-signal-safe functions from here: messages are the watcher's. All three signals are
 * blocked while it runs, but other threads may be in it at the same time. */
static void on_signal(int sig)
{
    int saved = errno;
    double now = rn_clock(), first = 0;
    atomic_fetch_add(&handlers, 1);
    if (atomic_compare_exchange_strong(&first_time, &first, now)) {
        atomic_store(&caught, sig);
        rn_app_kernel_crash_cancel();
        struct rn_app_pipeline *pl = atomic_load(&watched);
        if (pl) {
            atomic_store(&pending, rn_app_pipeline_pending(pl));
            rn_app_pipeline_interrupt(pl);
        }
        sem_post(&wake);
    } else if (now - first >= ECHO_SECONDS) {
        rn_outfile_remove_all();
        if (on_give_up)
            on_give_up(128 + sig);
        _exit(128 + sig);
    }
    atomic_fetch_sub(&handlers, 1);
    errno = saved;
}

static _Noreturn void quit(int status)
{
    rn_app_terminal_status(NULL);
    if (on_quit)
        on_quit(status);
    rn_outfile_remove_all();
    _exit(status);
}

/* ---- the thread, in which everything may be called */

static void announce(int sig)
{
    const char *again = sig == SIGINT ? "Ctrl-C again" : "a second signal";
    long long n = atomic_load(&pending);
    if (n > 0)
        rn_log(RN_LOG_WARNING, "finishing %lld frame%s; %s to give up", n, n == 1 ? "" : "s",
               again);
    else
        rn_log(RN_LOG_WARNING, "finishing; %s to give up", again);
}

/* Where writing has stalled, so may the reports and the removal of files. */
static void *end_late(void *status)
{
    sleep(QUIT_SECONDS);
    _exit((int)(intptr_t)status);
}

/* Ends the run, if the main thread is not using the output, or hangs in that. */
static void end_stalled(int status, bool writing, const char *what, double seconds)
{
    static struct rn_thread late;
    int open = STATE_OPEN;
    bool nothing_open = atomic_compare_exchange_strong(&state, &open, STATE_QUIT) || writing;
    if (!nothing_open && pthread_mutex_trylock(&output) != 0)
        return;
    if (writing) {
        atomic_store(&state, STATE_QUIT);
        rn_thread_start(&late, "end", end_late, (void *)(intptr_t)status);
    }
    rn_log(RN_LOG_ERROR, "%s for %.4g s%s", what, seconds,
           status > 128 ? " after a signal: it is left behind"
                        : ": the run ends (--timeout gives it more time)");
    on_quit = nothing_open || !on_stall ? on_quit : on_stall;
    quit(status);
}

static void look(double seconds)
{
    double still[RN_STALL_KINDS], usual = limit > 0 ? limit : INFINITY;
    double build = fmax(usual, BUILD_SECONDS);
    int sig = atomic_load(&caught);
    double header;
    char reading[320], writing[300];
    rn_stall_look(seconds, still, &header);
    if (sig)
        usual = build = fmin(usual, SIGNAL_SECONDS);
    snprintf(reading, sizeof reading, "reading '%.250s' has not gone on", input_name);
    snprintf(writing, sizeof writing, "writing '%.250s' has not gone on", output_name);
    if (still[RN_STALL_WRITE] >= usual)
        end_stalled(sig ? 128 + sig : -RN_EOUTPUT, true, writing, usual);
    if (still[RN_STALL_DEVICE] >= usual)
        end_stalled(sig ? 128 + sig : -RN_EDEVICE, false, "the device has not finished its work",
                    usual);
    if (still[RN_STALL_BUILD] >= build)
        end_stalled(sig ? 128 + sig : -RN_EDEVICE, false,
                    "the device's driver has not built the kernels", build);
    if (header_limit > 0 && header >= header_limit) {
        snprintf(reading, sizeof reading, "the header of '%.250s' keeps a processor busy",
                 input_name);
        end_stalled(-RN_EINPUT, false, reading, header_limit);
    }
    if (still[RN_STALL_INPUT] >= usual || (sig && still[RN_STALL_LIVE] >= usual))
        end_stalled(sig ? 128 + sig : -RN_EINPUT, false, reading, usual);
}

/* Waits for a signal, or the end; so long at most. */
static void rest(double seconds)
{
    const struct timespec until = rn_clock_time(rn_clock() + seconds);
    sem_clockwait(&wake, CLOCK_MONOTONIC, &until);
}

/* Time in which the process was stopped is not counted: as long a rest is none of a call's. */
static void *watch(void *arg)
{
    double before = rn_clock();
    bool announces = true;
    while (atomic_load(&state) != STATE_END) {
        int sig = atomic_load(&caught), open = STATE_OPEN;
        double most = atomic_load(&state) == STATE_OPEN ? 1 : 5; /* soon, where a header is read */
        double now = rn_clock(), interval = limit > 0 ? fmin(limit / 8, most) : sig ? 1 : 3600;
        if (sig && atomic_compare_exchange_strong(&state, &open, STATE_QUIT))
            quit(128 + sig);
        if (sig && announces && atomic_load(&announced))
            announce(sig);
        announces &= !sig;
        look(fmin(now - before, interval));
        before = now;
        rest(interval);
    }
    return NULL;
}

/* PoCL's compiler calls exit() when it cannot write: then no temporary file may stay, and the
 * status must not be the compiler's. */
static void on_exit_of_library(void)
{
    int before = atomic_exchange(&state, STATE_QUIT);
    if (before == STATE_END)
        return;
    if (before == STATE_QUIT)
        _exit(-RN_EDEVICE);
    rn_log(RN_LOG_ERROR,
           "a library ended the program; is there space left for the OpenCL kernel cache "
           "(POCL_CACHE_DIR, else ~/.cache/pocl)?%s",
           rn_app_kernel_crash_mark() ? " The next run compiles the kernels anew" : "");
    quit(-RN_EDEVICE);
}

void rn_app_signals_take(struct sigaction action)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&action.sa_mask, signals[i]);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        sigaction(signals[i], NULL, &old);
        if (signals[i] == SIGHUP && old.sa_handler == SIG_IGN)
            continue; /* nohup */
        sigaction(signals[i], &action, NULL);
    }
}

int rn_app_signals_start(void)
{
    if (sem_init(&wake, 0, 0) != 0)
        return rn_fail(RN_EINTERNAL, "cannot make a semaphore: %s", strerror(errno));
    return rn_thread_start(&watcher, "signals", watch, NULL);
}

void rn_app_signals_limit(double seconds, const char *input, const char *written,
                          void (*stalled)(int status))
{
    limit = seconds < 0 ? USUAL_SECONDS : seconds;
    header_limit = seconds < 0 ? HEADER_SECONDS : seconds;
    input_name = input ? input : "";
    output_name = written ? written : "";
    on_stall = stalled;
}

void rn_app_signals_lock_output(void)
{
    pthread_mutex_lock(&output);
}

void rn_app_signals_unlock_output(void)
{
    while (atomic_load(&state) == STATE_QUIT)
        pause();
    pthread_mutex_unlock(&output);
}

int rn_app_signals_install(void (*quit_words)(int status), void (*give_up)(int status))
{
    on_quit = quit_words;
    on_give_up = give_up;
    int err = rn_app_signals_start();
    if (err)
        return err;
    if (atexit(on_exit_of_library) != 0)
        return rn_fail_memory();

    rn_app_signals_take((struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART});
    return 0;
}

void rn_app_signals_hold(void)
{
    int open = STATE_OPEN;
    /* Once more: the compiler inside of PoCL takes the signals when it first compiles. Its handlers
     * stand only once each, so that the second of two signals would end the process uncleanly. */
    rn_app_signals_take((struct sigaction){.sa_handler = on_signal, .sa_flags = SA_RESTART});
    while (!atomic_compare_exchange_strong(&state, &open, STATE_HOLD)) {
        pause(); /* the watcher is ending the process */
        open = STATE_OPEN;
    }
}

void rn_app_signals_watch(struct rn_app_pipeline *pl)
{
    atomic_store(&watched, pl);
    atomic_store(&announced, true);
    if (atomic_load(&caught))
        rn_app_pipeline_interrupt(pl);
}

void rn_app_signals_unwatch(void)
{
    atomic_store(&watched, NULL);
    while (atomic_load(&handlers) > 0)
        sched_yield();
}

int rn_app_signals_caught(void)
{
    return atomic_load(&caught);
}

void rn_app_signals_end(void)
{
    atomic_store(&state, STATE_END);
    if (!watcher.runs)
        return;
    sem_post(&wake);
    rn_thread_join(&watcher);
}
