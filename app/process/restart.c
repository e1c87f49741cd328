/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* environ, memfd_create, _Fork */
#include "app/process/restart.h"

#include "app/process/kernel_cache.h"
#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "filters/base/output/textfile.h"
#include "filters/base/text/printable.h"
#include "filters/base/sanitized.h"
#include "filters/core/device/program.h"
#include "io/read/source.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
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
static char **arguments;
static char **environment; /* NULL: it may not start again */
static char message[MAX_MESSAGE + 1];
static sigset_t mask;
static struct sigaction previous[N_CRASHES];
static bool restarted; /* this run is the second one */
static int kept = -1;  /* what was read from stdin; -1: it is not kept */

void rn_app_restart_prepare(int argc, char **argv)
{
    restarted = getenv(RN_PRIVATE_KERNELS) != NULL;
    rn_text_put_back();
    arguments = calloc((size_t)argc + 1, sizeof *arguments);
    if (arguments)
        memcpy(arguments, argv, (size_t)argc * sizeof *arguments);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
}

bool rn_app_restarted(void)
{
    return restarted;
}

static const char *old_kernels(void)
{
    struct rn_app_kernel_folders folders = rn_app_kernel_cache_folders();
    return folders.own ? NULL : folders.shared;
}

void rn_app_restart_keep_stdin(void)
{
    if (!RN_SANITIZED && !restarted && old_kernels() && kept < 0)
        kept = memfd_create("runnel-stdin", MFD_CLOEXEC);
    rn_read_keep_stdin(kept);
}

bool rn_app_restart_keeps_stdin(void)
{
    return kept >= 0;
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

/* folder: of kernels that earlier runs compiled; NULL: this run has a folder of its own. */
static void make_message(const char *folder, const char *kernel)
{
    *message = '\0';
    if (rn_log_level() < RN_LOG_ERROR)
        return;
    if (folder && kernel)
        snprintf(message, MAX_MESSAGE,
                 "runnel: error: the kernels crash: correct '%.*s', or delete the folder '%s' of "
                 "those compiled earlier",
                 MAX_NAME, kernel, folder);
    else if (folder)
        snprintf(message, MAX_MESSAGE,
                 "runnel: error: the OpenCL kernels kept in '%s' cannot be used: delete that "
                 "folder and run again",
                 folder);
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

/* Async-signal-safe, like all functions from here to on_crash. Descriptors close on exec. Blocked
 * signals stay blocked across it: the handler or a thread of the driver may have blocked some. */
static void copy(int from, int to)
{
    static char buf[1 << 16];
    ssize_t n;
    while ((n = read(from, buf, sizeof buf)) > 0)
        for (ssize_t done = 0, part; done < n; done += part)
            if ((part = write(to, buf + done, (size_t)(n - done))) < 0)
                return;
}

/* Puts a process between stdin and this one, which gives what was kept once more, then the rest. It
 * holds nothing else open, and ends with this one. */
static bool give_again(void)
{
    int ends[2];
    if (kept < 0)
        return true;
    if (!rn_read_give_stdin_back() || lseek(kept, 0, SEEK_SET) || pipe2(ends, O_CLOEXEC))
        return false;
    pid_t child = _Fork();
    if (child)
        return child > 0 && dup2(ends[0], STDIN_FILENO) == STDIN_FILENO;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(kept, 1);
    dup2(ends[1], 2);
    close_range(3, ~0U, 0);
    copy(1, 2);
    copy(0, 2);
    _exit(0);
}

static _Noreturn void leave(void)
{
    rn_outfile_remove_all();
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (environment && give_again())
        execve("/proc/self/exe", arguments, environment);
    (void)!write(STDERR_FILENO, message, strlen(message));
    _exit(-RN_EDEVICE);
}

static bool claim_ending(void)
{
    int armed = STATE_ARMED;
    return atomic_compare_exchange_strong(&state, &armed, STATE_BUSY);
}

static void on_crash(int sig, siginfo_t *info, void *context)
{
    (void)context;
    bool own = info->si_code > 0 || info->si_pid == getpid(); /* not by kill(1) */
    if (own && claim_ending())
        leave();
    while (own && atomic_load(&state) != STATE_OFF)
        pause(); /* another thread ends the process */
    signal(sig, SIG_DFL);
    raise(sig);
}

/* A program of kernels/ did not build. */
static void on_failed_build(void)
{
    if (claim_ending())
        leave();
}

void rn_app_restart_arm(bool repeatable, const char *kernel)
{
    const char *old = old_kernels();
    static char memory[1 << 16]; /* a handler finds no space on a stack that has overflowed */
    stack_t stack;
    int off = STATE_OFF;
    if (RN_SANITIZED || atomic_load(&state) != STATE_OFF)
        return;
    make_message(old, kernel);
    environment = old && repeatable && arguments && !restarted ? make_environment() : NULL;
    if (!atomic_compare_exchange_strong(&state, &off, STATE_ARMED))
        return;
    if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE))
        sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = sizeof memory}, NULL);
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < N_CRASHES; i++)
        sigaction(crashes[i], &action, &previous[i]);
    if (old)
        rn_programs_on_failure(on_failed_build);
}

void rn_app_restart_disarm(bool ran)
{
    struct rn_app_kernel_folders folders = rn_app_kernel_cache_folders();
    int armed = STATE_ARMED;
    if (restarted && ran && folders.own && folders.shared)
        rn_log(RN_LOG_WARNING,
               "the OpenCL kernels kept in '%s' cannot be used, and are compiled for this run "
               "only; delete that folder",
               folders.shared);
    bool was_armed = atomic_compare_exchange_strong(&state, &armed, STATE_OFF);
    while (!was_armed && armed == STATE_BUSY)
        pause();
    if (kept >= 0) {
        rn_read_keep_stdin(-1);
        close(kept);
        kept = -1;
    }
    if (!was_armed)
        return;
    rn_programs_on_failure(NULL);
    for (int i = 0; i < N_CRASHES; i++)
        sigaction(crashes[i], &previous[i], NULL);
    free(environment);
    environment = NULL;
}

void rn_app_restart_cancel(void)
{
    int armed = STATE_ARMED;
    atomic_compare_exchange_strong(&state, &armed, STATE_ENDING);
}

void rn_app_restart_now(void)
{
    if (environment && claim_ending())
        leave();
}
