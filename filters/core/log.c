#include "filters/core/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const level_names[] = {"quiet", "error", "warning", "info", "debug"};

static enum rn_log_level max_level = RN_LOG_INFO;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char status[512]; /* protected by lock; the progress line on the screen, or "" */

void rn_log_set_level(enum rn_log_level level)
{
    max_level = level;
}

enum rn_log_level rn_log_level(void)
{
    return max_level;
}

bool rn_log_level_parse(const char *name, enum rn_log_level *level)
{
    for (int i = RN_LOG_QUIET; i <= RN_LOG_DEBUG; i++) {
        if (!strcmp(name, level_names[i])) {
            *level = (enum rn_log_level)i;
            return true;
        }
    }
    return false;
}

static void print(enum rn_log_level level, const char *fmt, va_list args)
{
    if (level > max_level)
        return;
    pthread_mutex_lock(&lock);
    if (*status)
        fputs("\r\033[K", stderr);
    fputs("runnel: ", stderr);
    if (level == RN_LOG_ERROR)
        fputs("error: ", stderr);
    else if (level == RN_LOG_WARNING)
        fputs("warning: ", stderr);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    if (*status)
        fputs(status, stderr);
    fflush(stderr);
    pthread_mutex_unlock(&lock);
}

void rn_log(enum rn_log_level level, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    print(level, fmt, args);
    va_end(args);
}

int rn_fail(int err, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    print(RN_LOG_ERROR, fmt, args);
    va_end(args);
    return err;
}

void rn_log_status(const char *text)
{
    pthread_mutex_lock(&lock);
    if (*status || (text && *text))
        fputs("\r\033[K", stderr);
    snprintf(status, sizeof status, "%s", text ? text : "");
    fputs(status, stderr);
    fflush(stderr);
    pthread_mutex_unlock(&lock);
}

bool rn_log_is_terminal(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}
