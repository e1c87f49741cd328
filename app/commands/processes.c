/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "app/commands/commands.h"

#include <argz.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "app/process/signals.h"
#include "app/run/segment.h"
#include "filters/base/owned.h"
#include "io/process/child.h"

/* The processes of this run, for the signal handler. */
static volatile sig_atomic_t caught;
static volatile pid_t children[RN_MOST_SEGMENTS_HERE];

/* A terminal has sent its signal to all of them. */
static void pass_on(int sig, siginfo_t *info, void *context)
{
    caught = sig;
    for (int i = 0; i < RN_MOST_SEGMENTS_HERE && info->si_code != SI_KERNEL; i++)
        if (children[i] > 0)
            kill(children[i], SIGTERM);
}

void rn_app_processes_handle_signals(void)
{
    rn_app_signals_take((struct sigaction){.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO});
}

int rn_app_processes_end(int err)
{
    return caught ? -(128 + caught) : err;
}

/* ---- words */

struct rn_app_words rn_app_words_begin(const char *words)
{
    struct rn_app_words w = {.text = NULL};
    w.failed = argz_create_sep(words, ' ', &w.text, &w.size);
    return w;
}

void rn_app_words_add(struct rn_app_words *w, const char *fmt, ...)
{
    RN_OWNED(rn_free_owned) char *text = NULL;
    va_list args;
    va_start(args, fmt);
    w->failed |= vasprintf(&text, fmt, args) < 0 || argz_add(&w->text, &w->size, text);
    va_end(args);
}

void rn_app_words_add_option(struct rn_app_words *w, const struct rn_app_cli *cli, int given,
                             const char *stem)
{
    const struct rn_app_option_row *row = cli->given[given].row;
    RN_OWNED(rn_free_owned) char *value = rn_app_fill_option(cli, given, stem);
    if (value)
        rn_app_words_add(w, "--%s%s%s", row->name, row->arg ? "=" : "", row->arg ? value : "");
    w->failed |= !value;
}

void rn_app_words_add_options(struct rn_app_words *w, const struct rn_app_cli *cli, unsigned groups)
{
    for (int i = 0; i < cli->ngiven; i++)
        if (cli->given[i].row->group & groups && strcmp(cli->given[i].row->name, "version") != 0)
            rn_app_words_add_option(w, cli, i, NULL);
}

/* ---- processes */

void rn_app_process_follow_owner(void)
{
    const char *text = getenv(RN_OWNER);
    long owner = text ? strtol(text, NULL, 10) : 0;
    if (owner > 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != owner) /* it has ended before */
            _exit(-RN_EINTERNAL);
        setenv(RN_OWNER, "0", 1);
    }
}

int rn_app_process_start(struct rn_app_words *w, int place, int out)
{
    const struct rn_io_spawn how = {.fd = {STDIN_FILENO, out}, .n = out < 0 ? 0 : 2};
    char own[24];
    pid_t pid;
    snprintf(own, sizeof own, "%ld", (long)getpid());
    setenv(RN_OWNER, own, 1);
    int cause = w->failed ? ENOMEM : rn_io_spawn_own(&pid, w->text, w->size, &how);
    free(w->text);
    if (cause)
        return rn_fail(RN_EINTERNAL, "cannot start a process: %s", strerror(cause));
    children[place] = pid;
    if (caught)
        kill(pid, SIGTERM);
    return 0;
}

int rn_app_process_finish(int *place)
{
    for (;;) {
        int status, i = 0;
        pid_t pid = waitpid(-1, &status, 0);
        if (pid < 0 && errno != EINTR)
            return rn_fail(RN_EINTERNAL, "a process was lost: %s", strerror(errno));
        while (i < RN_MOST_SEGMENTS_HERE && children[i] != pid)
            i++;
        if (pid < 0 || i == RN_MOST_SEGMENTS_HERE)
            continue; /* a child of what was executed before, such as a shell: exec runnel */
        children[i] = 0;
        *place = i;
        return WIFEXITED(status) ? -WEXITSTATUS(status) : -(128 + WTERMSIG(status));
    }
}

int rn_app_process_run(struct rn_app_words *w, int out)
{
    int place, err = rn_app_process_start(w, 0, out);
    return err ? err : rn_app_process_finish(&place);
}
