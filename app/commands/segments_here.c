/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "app/commands/commands.h"

#include <argz.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/options.h"
#include "app/run/segment.h"
#include "filters/base/output/path.h"
#include "filters/base/text/plural.h"
#include "io/process/child.h"

/* Words of a command line, each with its zero. */
struct words {
    char *text;
    size_t size;
    bool failed; /* out of memory */
};

/* The processes of this run, for the signal handler. */
static volatile sig_atomic_t caught;
static volatile pid_t children[RN_MOST_SEGMENTS_HERE];

static void pass_on(int sig)
{
    caught = sig;
    for (int i = 0; i < RN_MOST_SEGMENTS_HERE; i++)
        if (children[i] > 0)
            kill(children[i], SIGTERM);
}

static void handle_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction act = {.sa_handler = pass_on};
    sigemptyset(&act.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        sigaction(signals[i], NULL, &old);
        if (old.sa_handler != SIG_IGN || signals[i] != SIGHUP) /* nohup */
            sigaction(signals[i], &act, NULL);
    }
}

/* ---- words */

static struct words begin(const char *words)
{
    struct words w = {.text = NULL};
    w.failed = argz_create_sep(words, ' ', &w.text, &w.size);
    return w;
}

static void __attribute__((format(printf, 2, 3))) add(struct words *w, const char *fmt, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, fmt);
    w->failed |= vasprintf(&text, fmt, args) < 0 || argz_add(&w->text, &w->size, text);
    va_end(args);
    free(text);
}

/* The options of the user that `plan` takes, or those of the device and the reports. */
static void add_options(struct words *w, const struct rn_app_cli *cli, unsigned groups)
{
    for (int i = 0; i < cli->ngiven; i++) {
        const struct rn_app_option_row *row = cli->given[i].row;
        const char *value = cli->given[i].value;
        if (row->group & groups && strcmp(row->name, "version") != 0)
            add(w, "--%s%s%s", row->name, row->arg ? "=" : "", row->arg ? value : "");
    }
}

/* ---- processes */

/* Starts this program; out: a descriptor for stdout, or -1. Frees the words. Returns 0 or
 * RN_EINTERNAL (logged). */
static int start(struct words *w, int place, int out)
{
    const struct rn_io_spawn how = {.fd = {STDIN_FILENO, out}, .n = out < 0 ? 0 : 2};
    pid_t pid;
    int cause = w->failed ? ENOMEM : rn_io_spawn_own(&pid, w->text, w->size, &how);
    free(w->text);
    if (cause)
        return rn_fail(RN_EINTERNAL, "cannot start a process: %s", strerror(cause));
    children[place] = pid;
    if (caught)
        kill(pid, SIGTERM);
    return 0;
}

/* Waits for a process. Returns its exit status, as an error. */
static int finish(int place)
{
    int status;
    pid_t pid = children[place];
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return rn_fail(RN_EINTERNAL, "a process was lost: %s", strerror(errno));
    children[place] = 0;
    return WIFEXITED(status) ? -WEXITSTATUS(status) : -(128 + WTERMSIG(status));
}

/* Runs this program to its end. Likewise. */
static int run_alone(struct words *w, int out)
{
    int err = start(w, 0, out);
    return err ? err : finish(0);
}

/* Opens the plan, which this run alone has until it closes it. A file that is not what such a run
 * left stays as it is. Returns 0, or RN_EOUTPUT (logged). */
static int open_plan(const char *path, int *plan)
{
    static const char begin[] = "{\n  \"plan\": ";
    char text[sizeof begin] = "";
    struct stat st;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (fd < 0)
        return rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, strerror(errno));
    const char *why = NULL;
    if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        why = "another run is rendering these segments";
    else if (fstat(fd, &st) || !st.st_nlink)
        why = "another run has just ended";
    else if (!S_ISREG(st.st_mode) || read(fd, text, sizeof begin - 1) < 0 ||
             strncmp(text, begin, strlen(text)) != 0)
        why = "it exists, and is no plan";
    if (!why && !(ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET)))
        *plan = fd;
    else
        close(fd);
    return why           ? rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, why)
           : *plan == fd ? 0
                         : rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, strerror(errno));
}

/* out: a descriptor of it. */
static int make_plan(const struct rn_app_cli *cli, int out, int n)
{
    struct words w = begin("runnel plan -q");
    add_options(&w, cli, rn_app_command_plan.options & ~(RN_OPTIONS_PLAN | RN_OPTIONS_COMMON));
    add(&w, "--count=%d", n);
    add(&w, "--");
    add(&w, "%s", cli->operand[0]);
    add(&w, "%s", cli->operand[1]);
    return run_alone(&w, out);
}

static int render_all(const struct rn_app_cli *cli, const char *plan, int n)
{
    int err = 0, started = 0;
    for (int i = 0; i < n && !err; i++) {
        struct words w = begin("runnel render -q --no-config");
        add_options(&w, cli, RN_OPTIONS_DIR | RN_OPTIONS_GUARD);
        for (int k = 0; k < cli->ngiven; k++)
            if (!strcmp(cli->given[k].row->name, "device"))
                add(&w, "--device=%s", cli->given[k].value);
        add(&w, "--plan=%s", plan);
        add(&w, "--segment=%d/%d", i + 1, n);
        err = start(&w, i, -1);
        started += !err;
    }
    for (int i = 0; i < started; i++) {
        int ended = finish(i);
        err = err ? err : ended;
    }
    return caught ? -(128 + caught) : err;
}

static int join(const struct rn_app_cli *cli, const char *plan)
{
    struct words w = begin("runnel join -y"); /* it was permitted */
    add_options(&w, cli,
                RN_OPTIONS_DIR | RN_OPTIONS_METRICS | RN_OPTIONS_GUARD | RN_OPTIONS_COMMON);
    add(&w, "--");
    add(&w, "%s", plan);
    return run_alone(&w, -1);
}

/* ---- all of it */

static void remove_cells(const struct rn_app_segment *s)
{
    for (int64_t c = 0; c < s->end; c++) {
        char *path = rn_write_cell_path(&s->parts, c);
        if (path)
            unlink(path);
        free(path);
    }
}

int rn_app_render_segments_here(const struct rn_app_cli *cli, int n)
{
    struct rn_app_segment s = {.path = NULL};
    const char *output = cli->operand[1], *slash = strrchr(output, '/');
    char *path = NULL;
    int err = rn_outfile_allowed(output), plan = -1;
    if (err)
        return err;
    const char *name = cli->parts.dir && slash ? slash + 1 : output, *dir = cli->parts.dir;
    if (asprintf(&path, "%s%s%s.plan", dir ? dir : "", dir ? "/" : "", name) < 0)
        return rn_fail_memory();
    handle_signals();
    err = open_plan(path, &plan);
    err = err ? err : make_plan(cli, plan, n);
    if (!err)
        err = rn_app_segment_read(&s, path, cli, &rn_app_command_render);
    int count = (int)json_array_size(json_object_get(s.plan, "segments"));
    if (!err && !caught)
        rn_log(RN_LOG_INFO, "%lld frames in %d segment%s", (long long)s.parts.frames, count,
               rn_plural(count));
    err = err ? err : render_all(cli, path, count);
    if (err && s.plan)
        rn_log(RN_LOG_WARNING, "cells that are whole stay: the same command goes on from there");
    err = err ? err : join(cli, path);
    if (!err)
        remove_cells(&s);
    if (plan >= 0 && (!err || !s.plan))
        unlink(path);
    if (plan >= 0)
        close(plan);
    rn_app_segment_free(&s);
    free(path);
    return caught ? -(128 + caught) : err;
}
