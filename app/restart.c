#define _GNU_SOURCE /* environ */
#include "app/restart.h"

#include "app/kernel_cache.h"
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/outfile.h"
#include "filters/base/printable.h"
#include "filters/base/sanitized.h"
#include "filters/base/textout.h"
#include "filters/core/program.h"

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Without SIGFPE, which PoCL takes itself: kernels may divide by zero. */
static const int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP};
#define N_CRASHES (int)(sizeof crashes / sizeof *crashes)

enum state {
    STATE_OFF,
    STATE_ARMED,
    STATE_BUSY,   /* a thread has crashed */
    STATE_ENDING, /* the process is being ended */
};

/* Everything that a signal handler needs, made beforehand: the heap may be damaged then. */
static atomic_int state;
static char **arguments;
static char **environment; /* NULL: it may not start again */
static char words[PATH_MAX + 200];
static sigset_t mask;
static struct sigaction before[N_CRASHES];
static bool again; /* this run is the second one */

void rn_restart_prepare(int argc, char **argv)
{
    again = getenv(RN_PRIVATE_KERNELS) != NULL;
    arguments = calloc((size_t)argc + 1, sizeof *arguments);
    if (arguments)
        memcpy(arguments, argv, (size_t)argc * sizeof *arguments);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
}

bool rn_restart_again(void)
{
    return again;
}

static char **make_environment(void)
{
    static char mark[] = RN_PRIVATE_KERNELS "=1";
    size_t n = 0;
    while (environ && environ[n])
        n++;
    char **made = calloc(n + 2, sizeof *made);
    if (!made)
        return NULL;
    for (size_t i = 0; i < n; i++)
        made[i] = environ[i];
    made[n] = mark;
    return made;
}

static void make_words(const char *folder)
{
    char name[PATH_MAX];
    *words = '\0';
    if (rn_log_level() < RN_LOG_ERROR)
        return;
    snprintf(name, sizeof name, "%s", folder);
    rn_printable(name, false);
    snprintf(words, sizeof words,
             "runnel: error: the OpenCL kernels kept in '%s' cannot be used: delete that folder "
             "and run again\n",
             name);
}

/* Async-signal-safe, as are all from here to on_crash. Descriptors close on exec; signals may be
 * blocked, by the handler or in a thread of the driver, and stay so across it. */
static _Noreturn void leave(void)
{
    rn_outfile_remove_all();
    if (environment) {
        pthread_sigmask(SIG_SETMASK, &mask, NULL);
        execve("/proc/self/exe", arguments, environment);
    }
    rn_write_all(STDERR_FILENO, words, strlen(words));
    _exit(-RN_EDEVICE);
}

static bool take(void)
{
    int armed = STATE_ARMED;
    return atomic_compare_exchange_strong(&state, &armed, STATE_BUSY);
}

static void on_crash(int sig, siginfo_t *info, void *context)
{
    (void)context;
    bool own = info->si_code > 0 || info->si_pid == getpid(); /* not by kill(1) */
    if (own && take())
        leave();
    while (own && atomic_load(&state) != STATE_OFF)
        pause(); /* another thread ends the process */
    signal(sig, SIG_DFL);
    raise(sig);
}

static void take_crashes(void)
{
    static char memory[1 << 16]; /* a handler finds no room on a stack that has overflowed */
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE))
        sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = sizeof memory}, NULL);
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < N_CRASHES; i++)
        sigaction(crashes[i], &action, &before[i]);
}

/* A program of kernels/ did not build. */
static void on_failed_build(void)
{
    if (take())
        leave();
}

void rn_restart_arm(bool repeatable)
{
    const char *folder = rn_kernel_cache_shared();
    int off = STATE_OFF;
    if (RN_SANITIZED || !folder || atomic_load(&state) != STATE_OFF)
        return;
    make_words(folder);
    environment = repeatable && arguments && !again ? make_environment() : NULL;
    if (!atomic_compare_exchange_strong(&state, &off, STATE_ARMED))
        return;
    take_crashes();
    rn_programs_on_failure(on_failed_build);
}

void rn_restart_disarm(void)
{
    int armed = STATE_ARMED;
    if (!atomic_compare_exchange_strong(&state, &armed, STATE_OFF)) {
        while (armed == STATE_BUSY)
            pause();
        return;
    }
    rn_programs_on_failure(NULL);
    for (int i = 0; i < N_CRASHES; i++)
        sigaction(crashes[i], &before[i], NULL);
    free(environment);
    environment = NULL;
}

void rn_restart_cancel(void)
{
    int armed = STATE_ARMED;
    atomic_compare_exchange_strong(&state, &armed, STATE_ENDING);
}

void rn_restart_now(void)
{
    if (environment && take())
        leave();
}
