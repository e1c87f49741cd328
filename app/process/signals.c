#include "app/process/signals.h"

#include "app/process/kernel_cache.h"
#include "app/process/restart.h"
#include "app/process/terminal.h"
#include "filters/base/clock.h"
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "filters/base/threads/thread.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* timeout(1) and some batch systems signal first the process and then its group: what comes so soon
 * after the first signal is its echo, not a second thought. */
#define ECHO_SECONDS 0.1

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
static struct rn_thread speaker;
static void (*on_quit)(int status);
static void (*on_give_up)(int status);

/* Only async-signal-safe functions from here: the message is the speaker's. All three signals are
 * blocked while it runs, but other threads may be in it at the same time. */
static void on_signal(int sig)
{
    int saved = errno;
    double now = rn_clock(), first = 0;
    atomic_fetch_add(&handlers, 1);
    if (atomic_compare_exchange_strong(&first_time, &first, now)) {
        atomic_store(&caught, sig);
        rn_app_restart_cancel();
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
    rn_app_kernel_cache_clean();
    _exit(status);
}

/* Waits for the first signal, to say what happens now in a place where everything may be called. */
static void *speak(void *arg)
{
    (void)arg;
    while (sem_wait(&wake) != 0 && errno == EINTR)
        continue;
    int sig = atomic_load(&caught);
    int open = STATE_OPEN;
    if (atomic_compare_exchange_strong(&state, &open, STATE_QUIT))
        quit(128 + sig);
    if (sig != 0 && atomic_load(&announced)) {
        const char *again = sig == SIGINT ? "Ctrl-C again" : "a second signal";
        long long n = atomic_load(&pending);
        if (n > 0)
            rn_log(RN_LOG_WARNING, "finishing %lld frame%s; %s to give up", n, n == 1 ? "" : "s",
                   again);
        else
            rn_log(RN_LOG_WARNING, "finishing; %s to give up", again);
    }
    return NULL;
}

/* PoCL's compiler calls exit() when it cannot write: then no temporary file may stay, and the
 * status must not be the compiler's. */
static void on_exit_of_library(void)
{
    if (atomic_load(&state) != STATE_END)
        rn_app_restart_now();
    int before = atomic_exchange(&state, STATE_QUIT);
    if (before == STATE_END)
        return;
    if (before == STATE_QUIT)
        _exit(-RN_EDEVICE);
    rn_log(RN_LOG_ERROR, "a library ended the program; is there space left for the OpenCL kernel "
                         "cache (POCL_CACHE_DIR, else ~/.cache/pocl)?");
    quit(-RN_EDEVICE);
}

static void take_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
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

int rn_app_signals_install(void (*quit_words)(int status), void (*give_up)(int status))
{
    on_quit = quit_words;
    on_give_up = give_up;
    if (sem_init(&wake, 0, 0) != 0)
        return rn_fail(RN_EINTERNAL, "cannot make a semaphore: %s", strerror(errno));
    int err = rn_thread_start(&speaker, "signals", speak, NULL);
    if (err)
        return err;
    if (atexit(on_exit_of_library) != 0)
        return rn_fail_memory();

    take_signals();
    return 0;
}

void rn_app_signals_hold(void)
{
    int open = STATE_OPEN;
    /* Once more: the compiler inside of PoCL takes the signals when it first compiles. Its handlers
     * stand only once each, so that the second of two signals would end the process uncleanly. */
    take_signals();
    while (!atomic_compare_exchange_strong(&state, &open, STATE_HOLD)) {
        pause(); /* the speaker is ending the process */
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
    if (!speaker.runs)
        return;
    sem_post(&wake);
    rn_thread_join(&speaker);
}
