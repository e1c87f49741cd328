/* Messages for people. One sink, stderr; one line per call; safe from any thread.
 * A progress line that is redrawn in place (a terminal) is taken off the screen before a message
 * and put back after it, so the two never mix. */
#ifndef RN_LOG_H
#define RN_LOG_H

#include <stdbool.h>

enum rn_log_level { RN_LOG_QUIET, RN_LOG_ERROR, RN_LOG_WARNING, RN_LOG_INFO, RN_LOG_DEBUG };

/* Sets the highest level that is printed (default RN_LOG_INFO). Call before other threads run. */
void rn_log_set_level(enum rn_log_level level);
enum rn_log_level rn_log_level(void);

/* Reads a level from its name: quiet, error, warning, info, debug. Returns false if unknown. */
bool rn_log_level_parse(const char *name, enum rn_log_level *level);

/* Prints one message. fmt: printf format without a newline at its end. */
void rn_log(enum rn_log_level level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Prints an error and returns err, so that a failing branch is one statement. */
int rn_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Out of memory: prints it with the caller's name, returns RN_EINTERNAL. */
#define rn_fail_memory() rn_fail(RN_EINTERNAL, "out of memory in %s", __func__)

/* Redraws the progress line. text: the line without control characters; NULL or "" removes it.
 * Only call when rn_log_is_terminal(). */
void rn_log_status(const char *text);

/* True if stderr is a terminal that can redraw a line (TERM is set and not "dumb"). */
bool rn_log_is_terminal(void);

#endif
