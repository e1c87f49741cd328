/* SPDX-License-Identifier: MIT */
#include "app/process/terminal.h"

#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "filters/base/text/printable.h"
#include "filters/base/threads/locked.h"

#include <stdarg.h>

#define ERASE "\r\033[K"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char status[512]; /* protected by lock; the progress line on the screen, or "" */

static void print(void *user, enum rn_log_level level, const char *text)
{
    RN_LOCKED(&lock);
    fprintf(stderr, "%srunnel: %s%s\n%s", *status ? ERASE : "",
            level == RN_LOG_ERROR     ? "error: "
            : level == RN_LOG_WARNING ? "warning: "
                                      : "",
            text, status);
    fflush(stderr);
}

static bool is_attended(void)
{
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

static bool ask(const char *path)
{
    char line[16] = "";
    if (!is_attended())
        return false;
    RN_OWNED(rn_free_owned) char *name = rn_printable(strdup(path), false);
    if (!name)
        return false;
    fprintf(stderr, "runnel: '%s' exists. Overwrite? [y/N] ", name);
    fflush(stderr);
    return fgets(line, sizeof line, stdin) && (line[0] == 'y' || line[0] == 'Y');
}

void rn_app_terminal_open(void)
{
    rn_log_set_sink(print, NULL);
    rn_log_set_level(RN_LOG_INFO);
    rn_outfile_set_ask(ask);
}

bool rn_app_terminal_foretell(const char *path)
{
    bool asks = is_attended();
    if (asks)
        rn_log(RN_LOG_INFO, "'%s' exists: the run will ask whether to overwrite it", path);
    return asks;
}

void rn_app_terminal_line(const char *fmt, ...)
{
    char line[5000]; /* the longest path and then some */
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    RN_LOCKED(&lock);
    fprintf(stderr, "%s%s\n%s", *status ? ERASE : "", rn_printable(line, false), status);
    fflush(stderr);
}

bool rn_app_terminal_redraws(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

void rn_app_terminal_status(const char *text)
{
    RN_LOCKED(&lock);
    if (*status || (text && *text))
        fputs(ERASE, stderr);
    snprintf(status, sizeof status, "%s", text ? text : "");
    fputs(status, stderr);
    fflush(stderr);
}
