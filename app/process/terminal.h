/* SPDX-License-Identifier: MIT */
/* Prints to stderr for people: messages as "runnel: ..." lines, a progress line that is redrawn in
 * place, and the question whether a file may be overwritten.
 *
 * A message erases the progress line first and redraws it afterwards, so that the two never mix.
 * All functions may be called from any thread, but not from signal handlers. */
#pragma once

#include <stdbool.h>

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
