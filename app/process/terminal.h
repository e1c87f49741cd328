/* What people see on stderr: messages as "runnel: ..." lines, a progress line that is redrawn in
 * place, and the question whether a file may be overwritten.
 *
 * The progress line is taken off the screen before a message and put back after it, so that the two
 * never mix. All functions may be called from any thread, except from signal handlers. */
#ifndef RN_APP_PROCESS_TERMINAL_H
#define RN_APP_PROCESS_TERMINAL_H

#include <stdbool.h>

/* Takes all messages of rn_log, and the questions of rn_outfile_allowed, from now on. Call first of
 * all. */
void rn_app_terminal_open(void);

/* Prints a line that is no message, such as one of a table, without the newline at its end. fmt: a
 * printf format. Control characters are replaced as in messages, and the line is cut at 4999
 * bytes. */
void rn_app_terminal_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* True if stderr is a terminal that can redraw a line (TERM is set and not "dumb"). */
bool rn_app_terminal_redraws(void);

/* Redraws the progress line. text: the line without control characters, cut at 511 bytes; NULL or
 * "" removes it. Only call when rn_app_terminal_redraws(). */
void rn_app_terminal_status(const char *text);

#endif
