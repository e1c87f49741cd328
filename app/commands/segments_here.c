/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "app/commands/commands.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "app/commands/processes.h"
#include "app/run/files.h"
#include "app/run/segment.h"
#include "filters/base/clock.h"
#include "filters/base/output/path.h"
#include "filters/base/owned.h"
#include "filters/base/text/plural.h"

/* Opens the plan, which this run alone has until it closes it. A file that is not what such a run
 * left stays as it is. Returns 0, or RN_EOUTPUT (logged). */
static int open_plan(const char *path, int *plan)
{
    static const char begin[] = "{\n  \"plan\": ";
    char text[sizeof begin] = "";
    struct stat st;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    const char *why = NULL;
    if (fd < 0)
        why = strerror(errno);
    else if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        why = "another run is rendering these segments";
    else if (fstat(fd, &st) || !st.st_nlink)
        why = "another run has just ended";
    else if (!S_ISREG(st.st_mode) || read(fd, text, sizeof begin - 1) < 0 ||
             strncmp(text, begin, strlen(text)) != 0)
        why = "it exists, and is no plan";
    else if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
        why = strerror(errno);
    if (why && fd >= 0)
        close(fd);
    *plan = why ? -1 : fd;
    return why ? rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, why) : 0;
}

/* out: a descriptor of it. */
static int make_plan(const struct rn_app_cli *cli, int out, int n)
{
    struct rn_app_words w = rn_app_words_begin("runnel plan -q");
    rn_app_words_add_options(&w, cli,
                             rn_app_command_plan.options & ~(RN_OPTIONS_PLAN | RN_OPTIONS_COMMON));
    rn_app_words_add(&w, "--count=%d", n);
    rn_app_words_add(&w, "--");
    rn_app_words_add(&w, "%s", cli->operand[0]);
    rn_app_words_add(&w, "%s", cli->operand[1]);
    return rn_app_process_run(&w, out);
}

static int render_all(const struct rn_app_cli *cli, const char *plan, int n)
{
    int err = 0, started = 0;
    for (int i = 0; i < n && !err; i++) {
        struct rn_app_words w = rn_app_words_begin("runnel render -q --no-config");
        rn_app_words_add_options(&w, cli, RN_OPTIONS_DIR | RN_OPTIONS_GUARD | RN_OPTIONS_DEVICE);
        rn_app_words_add(&w, "--plan=%s", plan);
        rn_app_words_add(&w, "--segment=%d/%d", i + 1, n);
        err = rn_app_process_start(&w, i, -1);
        started += !err;
    }
    for (int i = 0; i < started; i++) {
        int ended = rn_app_process_finish(i);
        err = err || ended == RN_EDAMAGED ? err : ended; /* of the input: the join tells it again */
    }
    return rn_app_processes_end(err);
}

static int join(const struct rn_app_cli *cli, const char *plan)
{
    struct rn_app_words w = rn_app_words_begin("runnel join -y"); /* it was permitted */
    rn_app_words_add_options(
        &w, cli, RN_OPTIONS_DIR | RN_OPTIONS_METRICS | RN_OPTIONS_GUARD | RN_OPTIONS_COMMON);
    rn_app_words_add(&w, "--");
    rn_app_words_add(&w, "%s", plan);
    return rn_app_process_run(&w, -1);
}

/* ---- all of it */

/* Removes all cells, or those that are damaged, so that the next run renders them again. */
static void remove_cells(const struct rn_app_segment *s, bool all)
{
    for (int64_t c = 0; c < s->end; c++) {
        RN_OWNED(rn_free_owned) char *path = rn_write_cell_path(&s->parts, c);
        if (path && (all || rn_write_cell_check(&s->parts, c, true, true) != 1))
            unlink(path);
    }
}

/* Whether OUTPUT, tables and reports may be written: what joins them asks nobody. */
static void ask_for(void *err, const char *path, enum rn_app_file_use use)
{
    if (use == RN_APP_FILE_WRITTEN && strcmp(path, "-") != 0 && !*(int *)err)
        *(int *)err = rn_outfile_allowed(path);
}

int rn_app_render_segments_here(const struct rn_app_cli *cli, int n)
{
    struct rn_app_segment s = {.path = NULL};
    const char *output = cli->operand[1], *slash = strrchr(output, '/');
    RN_OWNED(rn_free_owned) char *path = NULL;
    struct stat before = {.st_ino = 0}, after;
    char since[32];
    snprintf(since, sizeof since, "%lld", (long long)(1e6 * rn_clock()));
    setenv(RN_JOIN_SINCE, since, true);
    RN_OWNED(rn_close_owned) int plan = -1;
    int refused = 0, err = rn_app_files_visit(cli, output, NULL, ask_for, &refused);
    if (err || refused)
        return err ? err : refused;
    const char *name = cli->parts.dir && slash ? slash + 1 : output, *dir = cli->parts.dir;
    if (asprintf(&path, "%s%s%s.plan", dir ? dir : "", dir ? "/" : "", name) < 0)
        return rn_fail_memory();
    rn_app_processes_handle_signals();
    err = open_plan(path, &plan);
    err = err ? err : make_plan(cli, plan, n);
    if (!err)
        err = rn_app_segment_read(&s, path, cli, &rn_app_command_render);
    int count = (int)json_array_size(json_object_get(s.plan, "segments"));
    if (!err && !rn_app_processes_end(0))
        rn_log(RN_LOG_INFO, "rendering %lld frames in %d segment%s ...", (long long)s.parts.frames,
               count, rn_plural(count));
    err = err ? err : render_all(cli, path, count);
    if (err && s.plan)
        rn_log(RN_LOG_WARNING, "cells that are whole stay: the same command goes on from there");
    rn_path_look(output, &before);
    err = err ? err : join(cli, path);
    /* A damaged input: OUTPUT is there all the same. */
    bool written = !err || (err == RN_EDAMAGED && rn_path_look(output, &after) > 0 &&
                            after.st_ino != before.st_ino);
    if (written || err == RN_EDAMAGED)
        remove_cells(&s, written);
    if (plan >= 0 && (written || !s.plan))
        unlink(path);
    rn_app_segment_free(&s);
    return rn_app_processes_end(err);
}
