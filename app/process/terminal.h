/* SPDX-License-Identifier: MIT */
/* Standard input, output and error. */
#pragma once

#include <stdbool.h>

/* ---- standard_io.c: sets up standard input, output and error for every program and command. */

/* Opens the descriptors 0, 1 and 2 where they are closed, so that no later file takes their place.
 * Ignores SIGPIPE and SIGXFSZ: such writes fail with an error that can be reported. Ends the
 * process on failure. Call first, before threads run. */
void rn_app_standard_io_open(void);

/* Flushes stdout. Returns 0, or RN_EOUTPUT if any output was lost, now or earlier (logged, unless
 * the reader has closed the pipe). */
int rn_app_standard_io_flush(void);

/* Flushes at the end of a command. err: its result. Returns err, or if it is 0 the result of
 * rn_app_standard_io_flush. */
int rn_app_standard_io_close(int err);

/* ---- terminal.c: prints to stderr for people: messages as "runnel: ..." lines, a progress line
 * that is redrawn in place, and the question whether a file may be overwritten.
 *
 * A message erases the progress line first and redraws it afterwards, so that the two never mix.
 * All functions may be called from any thread, but not from signal handlers. */

/* Installs the sink of rn_log and the question of rn_outfile_allowed. Call first. */
void rn_app_terminal_open(void);

/* In place of that question (--dry-run): says that it will be asked, if that is so. */
bool rn_app_terminal_foretell(const char *path);

/* Prints a line that is no message, such as a table row, and a newline. fmt: a printf format.
 * Control characters are replaced as in messages; the line is cut at 4999 bytes. */
void rn_app_terminal_line(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* True if stderr is a terminal that can redraw a line (TERM is set and not "dumb"). */
bool rn_app_terminal_redraws(void);

/* Redraws the progress line. text: the line without control characters, cut at 511 bytes; NULL or
 * "" removes it. Only call when rn_app_terminal_redraws(). */
void rn_app_terminal_status(const char *text);
