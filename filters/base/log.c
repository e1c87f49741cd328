/* SPDX-License-Identifier: MIT */
#include "filters/base/log.h"

#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>

#include "filters/base/arguments.h"
#include "filters/base/text/number.h"
#include "filters/base/text/printable.h"
#include "filters/base/threads/locked.h"

static const char *const level_names[] = {"quiet", "error", "warning", "info", "debug"};

static void print_plain(void *user, enum rn_log_level level, const char *text)
{
    fprintf(stderr, "librunnel: %s: %s\n", level_names[level], text);
}

static atomic_int max_level = RN_LOG_WARNING;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held while the sink runs */
static rn_log_fn *sink = print_plain;                    /* protected by lock */
static void *sink_user;                                  /* likewise */

void rn_log_set_sink(rn_log_fn *fn, void *user)
{
    RN_LOCKED(&lock);
    sink = fn ? fn : print_plain;
    sink_user = user;
}

void rn_log_set_level(enum rn_log_level level)
{
    if (!rn_argument_within(__func__, "level", level, RN_LOG_QUIET, RN_LOG_DEBUG))
        atomic_store(&max_level, (int)level);
}

enum rn_log_level rn_log_level(void)
{
    return (enum rn_log_level)atomic_load(&max_level);
}

bool rn_log_level_parse(const char *name, enum rn_log_level *level)
{
    RN_NEED(false, "name level", name, level);
    for (int i = RN_LOG_QUIET; i <= RN_LOG_DEBUG; i++)
        if (!strcmp(name, level_names[i])) {
            *level = (enum rn_log_level)i;
            return true;
        }
    return false;
}

static _Thread_local bool muted;

void rn_log_mute(bool mute)
{
    muted = mute;
}

/* Only long messages need heap memory; if there is none, they are cut off. */
static void format(enum rn_log_level level, const char *place, const char *lines, const char *fmt,
                   va_list args)
{
    char brief[512], all_brief[512], *text = brief, *all = NULL;
    va_list again;
    if (muted)
        return;
    va_copy(again, args);
    int length = rn_number_vprint(brief, sizeof brief, fmt, args);
    size_t size = length < 0 ? 0 : (size_t)length + 1;
    if (size > sizeof brief && (text = malloc(size)) != NULL)
        rn_number_vprint(text, size, fmt, again);
    va_end(again);
    text = text ? text : brief;
    size = strlen(place) + strlen(text) + strlen(lines) + sizeof ": \n";
    if (size > sizeof all_brief)
        all = malloc(size);
    if (!all) {
        all = all_brief;
        size = sizeof all_brief;
    }
    if (snprintf(all, size, "%s%s%s", place, *place ? ": " : "", text) < 0)
        *all = '\0';
    rn_printable(all, false); /* in one line; the lines below it stay */
    size_t at = strlen(all);
    snprintf(all + at, size - at, "%s%s", *lines ? "\n" : "", lines);
    rn_printable(all + at, true);
    for (at = strlen(all); at && all[at - 1] == '\n'; at--)
        all[at - 1] = '\0';
    pthread_mutex_lock(&lock);
    sink(sink_user, level, all);
    pthread_mutex_unlock(&lock);
    if (all != all_brief)
        free(all);
    if (text != brief)
        free(text);
}

void rn_log(enum rn_log_level level, const char *fmt, ...)
{
    va_list args;
    RN_NEED(, "fmt", fmt);
    if (level < RN_LOG_ERROR || level > rn_log_level())
        return;
    va_start(args, fmt);
    format(level, "", "", fmt, args);
    va_end(args);
}

static _Thread_local char error_place[PATH_MAX + 32]; /* FILE:LINE */

void rn_log_about(const char *fmt, ...)
{
    RN_NEED(, "fmt", fmt);
    va_list args;
    va_start(args, fmt);
    rn_number_vprint(error_place, sizeof error_place, fmt, args);
    va_end(args);
}

static _Thread_local char last_error[1024];

const char *rn_log_last(void)
{
    return last_error;
}

void rn_log_set_last(const char *text)
{
    RN_NEED(, "text", text);
    snprintf(last_error, sizeof last_error, "%s", text);
}

static void fail(const char *lines, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    rn_number_vprint(last_error, sizeof last_error, fmt, again);
    va_end(again);
    size_t at = strlen(last_error);
    if (at && last_error[at - 1] == ':')
        snprintf(last_error + at, sizeof last_error - at, " %.*s", (int)strcspn(lines, "\n"),
                 lines);
    rn_printable(last_error, false);
    if (rn_log_level() >= RN_LOG_ERROR)
        format(RN_LOG_ERROR, error_place, lines, fmt, args);
}

int rn_fail(int err, const char *fmt, ...)
{
    RN_NEED(RN_EUSAGE, "fmt", fmt);
    va_list args;
    va_start(args, fmt);
    fail("", fmt, args);
    va_end(args);
    return err;
}

int rn_fail_lines(int err, const char *lines, const char *fmt, ...)
{
    RN_NEED(RN_EUSAGE, "lines fmt", lines, fmt);
    va_list args;
    va_start(args, fmt);
    fail(lines, fmt, args);
    va_end(args);
    return err;
}
