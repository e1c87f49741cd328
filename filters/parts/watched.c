/* SPDX-License-Identifier: MIT */
#include "filters/parts/watched.h"

#include "filters/base/clock.h"
#include "filters/base/log.h"
#include "filters/base/output/textfile.h"
#include "filters/base/owned.h"

#include <stdarg.h>
#include <time.h>

#define EVERY 0.1 /* seconds from look to look */

/* The useful part of a compiler's log: its lines with errors, at most five; all of it if there are
 * no such lines. */
static char *brief(const char *log)
{
    char *text = NULL;
    size_t size = 0;
    int lines = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    for (const char *line = log; *line && lines < 5;
         line += strcspn(line, "\n"), line += *line != 0) {
        int n = (int)strcspn(line, "\n");
        const char *at = strstr(line, "error");
        if (at && at < line + n) {
            fprintf(f, "%s%.*s", lines++ ? "\n" : "", n, line);
        }
    }
    if (!lines)
        fputs(log, f);
    return fclose(f) ? (free(text), NULL) : text;
}

void rn_watched_warn(struct rn_bound *bound, const char *log, const char *fmt, ...)
{
    char head[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(head, sizeof head, fmt, args);
    va_end(args);
    free(bound->alert);
    bound->alert = log ? brief(log) : strdup(head);
    rn_fail_lines(RN_EDEVICE, log ? log : "", "%s: %s; the last good one goes on%s",
                  bound->desc->name, head, log ? ":" : "");
}

void rn_watched_taken(struct rn_bound *bound, const char *path)
{
    free(rn_take_owned(&bound->alert));
    rn_log(RN_LOG_INFO, "%s: '%s' is new and runs", bound->desc->name, path);
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Whether b is the same state of the same file, even if the file was replaced by renaming. Not in
 * the first seconds: file times advance in milliseconds, on some file systems in seconds, so that
 * another change may show in nothing. */
static bool is_unchanged(const struct stat *a, const struct stat *b)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec - b->st_ctim.tv_sec >= 3 && same_time(&a->st_mtim, &b->st_mtim) &&
           same_time(&a->st_ctim, &b->st_ctim) && a->st_size == b->st_size &&
           a->st_ino == b->st_ino && a->st_dev == b->st_dev;
}

int rn_watched_look(struct rn_watched *w, struct rn_bound *bound, const char *path,
                    const char *used, const char **contents, bool *changed)
{
    struct stat st;
    char why[RN_TEXT_WHY];
    const char *read = NULL;
    double clock = rn_clock();
    *contents = NULL;
    if (clock - w->looked < EVERY)
        return 0;
    w->looked = clock;
    if (stat(path, &st) || !S_ISREG(st.st_mode) ||
        (w->tried_contents && is_unchanged(&w->tried, &st)))
        return 0;
    int err = rn_param_read(&bound->desc->params[0], path, &read, why);
    if (err == RN_EUSAGE && w->tried_contents) {
        rn_watched_warn(bound, NULL, "cannot read '%s': %s", path, why);
        w->tried_contents = NULL;
        *changed = true;
    }
    if (err || !rn_intern_size(read)) /* a model may begin with a byte of 0 */
        return err == RN_EUSAGE ? 0 : err;
    bool known = read == w->tried_contents;
    w->tried = st;
    w->tried_contents = read;
    if (read == used) { /* they are back, after others */
        *changed |= bound->alert != NULL;
        free(rn_take_owned(&bound->alert));
    } else if (!known) {
        *contents = read;
    }
    return 0;
}
