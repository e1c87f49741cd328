/* SPDX-License-Identifier: MIT */
#include "app/process/signals.h"

#include "app/process/environment.h"
#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "filters/base/sanitized.h"
#include "filters/base/text/printable.h"
#include "filters/core/device/program.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Without SIGFPE, which PoCL takes itself: kernels may divide by zero. */
static const int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP};
#define N_CRASHES (int)(sizeof crashes / sizeof *crashes)

#define MAX_NAME    400 /* bytes of the name of a user's kernel in a message */
#define MAX_MESSAGE (PATH_MAX + MAX_NAME + 200)

enum state {
    STATE_OFF,
    STATE_ARMED,
    STATE_BUSY,   /* a thread has crashed */
    STATE_ENDING, /* the process is being ended */
};

/* A signal handler needs all of these. They are made beforehand: a crash may damage the heap. */
static atomic_int state;
static const char *_Atomic mark; /* NULL: none is left */
static char message[MAX_MESSAGE + 1];
static struct sigaction previous[N_CRASHES];

/* kept: the folder of kernels that earlier runs compiled; NULL: there are none. */
static void make_message(const char *kept, const char *kernel)
{
    *message = '\0';
    if (rn_log_level() < RN_LOG_ERROR)
        return;
    if (kept && kernel)
        snprintf(message, MAX_MESSAGE,
                 "runnel: error: the kernels crash, most likely that in '%.*s': correct it, or "
                 "delete the folder '%s' of those compiled earlier",
                 MAX_NAME, kernel, kept);
    else if (kept)
        snprintf(message, MAX_MESSAGE,
                 "runnel: error: the OpenCL kernels kept in '%s' cannot be used: run again, which "
                 "compiles them anew (or delete that folder)",
                 kept);
    else if (kernel)
        snprintf(message, MAX_MESSAGE,
                 "runnel: error: the kernels crash, most likely that in '%.*s': does it write or "
                 "read outside of its pictures?",
                 MAX_NAME, kernel);
    else
        snprintf(message, MAX_MESSAGE,
                 "runnel: error: the device's driver crashes at the first run of the kernels; -d "
                 "none computes without it");
    rn_printable(message, false);
    memcpy(message + strlen(message), "\n", 2);
}

/* Async-signal-safe, like all functions from here to on_crash. Also after a crash of kernels that
 * this run compiled: the next one says the same then, and nothing of kernels compiled earlier. */
static bool leave_mark(void)
{
    const char *path = atomic_load(&mark);
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600) : -1;
    return fd >= 0 && !close(fd);
}

static bool claim_ending(void)
{
    int armed = STATE_ARMED;
    return atomic_compare_exchange_strong(&state, &armed, STATE_BUSY);
}

static _Noreturn void leave(void)
{
    leave_mark();
    rn_outfile_remove_all();
    (void)!write(STDERR_FILENO, message, strlen(message));
    _exit(-RN_EDEVICE);
}

static void on_crash(int sig, siginfo_t *info, void *context)
{
    bool own = info->si_code > 0 || info->si_pid == getpid(); /* not by kill(1) */
    if (own && claim_ending())
        leave();
    while (own && atomic_load(&state) != STATE_OFF)
        pause(); /* another thread ends the process */
    signal(sig, SIG_DFL);
    raise(sig);
}

/* A program of kernels/ did not build: no kernel of the user is the cause. */
static void on_failed_build(void)
{
    struct rn_app_kernel_folder folder = rn_app_kernel_cache_folder();
    if (!claim_ending())
        return;
    make_message(folder.path, NULL);
    atomic_store(&mark, folder.mark);
    leave();
}

void rn_app_kernel_crash_arm(const char *kernel)
{
    struct rn_app_kernel_folder folder = rn_app_kernel_cache_folder();
    bool kept = folder.path && !folder.fresh;
    static char memory[1 << 16]; /* a handler finds no space on a stack that has overflowed */
    stack_t stack;
    int off = STATE_OFF;
    if (RN_SANITIZED || atomic_load(&state) != STATE_OFF)
        return;
    make_message(kept ? folder.path : NULL, kernel);
    atomic_store(&mark, folder.path && !kernel ? folder.mark : NULL);
    if (!atomic_compare_exchange_strong(&state, &off, STATE_ARMED))
        return;
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE))
        sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = sizeof memory}, NULL);
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < N_CRASHES; i++)
        sigaction(crashes[i], &action, &previous[i]);
    if (kept)
        rn_programs_on_failure(on_failed_build);
}

void rn_app_kernel_crash_disarm(void)
{
    int armed = STATE_ARMED;
    bool was_armed = atomic_compare_exchange_strong(&state, &armed, STATE_OFF);
    while (!was_armed && armed == STATE_BUSY)
        pause();
    if (!was_armed)
        return;
    rn_programs_on_failure(NULL);
    for (int i = 0; i < N_CRASHES; i++)
        sigaction(crashes[i], &previous[i], NULL);
}

void rn_app_kernel_crash_cancel(void)
{
    int armed = STATE_ARMED;
    atomic_compare_exchange_strong(&state, &armed, STATE_ENDING);
}

bool rn_app_kernel_crash_mark(void)
{
    return atomic_load(&state) == STATE_ARMED && leave_mark();
}
