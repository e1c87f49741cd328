/* SPDX-License-Identifier: MIT */
/* Messages for people: warnings, errors and notes, usually one line each. They go to a sink, a
 * function that the program provides, or, without one, to stderr as plain lines. What they quote
 * may come from anywhere, so control characters and what is not UTF-8 become '?'.
 *
 * All functions may be called from any thread, but not from signal handlers. */
#pragma once

#include <stdbool.h>

#include "filters/base/api.h"
#include "filters/base/err.h"

RN_API_BEGIN

enum rn_log_level { RN_LOG_QUIET, RN_LOG_ERROR, RN_LOG_WARNING, RN_LOG_INFO, RN_LOG_DEBUG };

/* Takes a message. user: as given to rn_log_set_sink; level: never RN_LOG_QUIET; text: has no
 * newline at its end, but compiler messages contain some; has no other control characters; valid
 * during the call only. The sink is called in the thread that logs, never by two threads at once,
 * and must not call functions of this header that log or set the sink. */
typedef void rn_log_fn(void *user, enum rn_log_level level, const char *text);

/* Sends further messages to fn; NULL: to stderr again. On return the former sink is not in use. */
void rn_log_set_sink(rn_log_fn *fn, void *user);

/* Sets the highest level that reaches the sink (default RN_LOG_WARNING). Messages above it are
 * dropped before they are formatted. */
void rn_log_set_level(enum rn_log_level level);
enum rn_log_level rn_log_level(void);

/* Reads a level from its name: quiet, error, warning, info, debug. Returns false if unknown. */
bool rn_log_level_parse(const char *name, enum rn_log_level *level);

/* Logs one message of one line. fmt: a printf format without a newline. */
void rn_log(enum rn_log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Logs an error and returns err, so that a failing branch is one statement. */
int rn_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same with more lines below it, such as a compiler's log or a list; newlines at the end are
 * left out. "": none. */
int rn_fail_lines(int err, const char *lines, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The last error of this thread that rn_fail or rn_fail_lines logged, in one line, cut at 1023
 * bytes; one that ends with a colon has the first of its lines behind that. "" before the first.
 * Valid until the next error. */
const char *rn_log_last(void);

/* Makes an error that another thread has logged the last one of this thread. */
void rn_log_set_last(const char *text);

/* Makes the errors of this thread begin with a place, such as a line of a file. For functions that
 * do not know where the values that they refuse come from. "" ends it. */
void rn_log_about(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Drops all messages of this thread, for work whose failure does not matter; false ends it. */
void rn_log_mute(bool mute);

/* Logs that memory ran out, with the caller's name, and returns RN_EINTERNAL. */
#define rn_fail_memory() rn_fail(RN_EINTERNAL, "out of memory in %s", __func__)

RN_API_END
