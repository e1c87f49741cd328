/* SPDX-License-Identifier: MIT */
/* Numbers in texts: chains, matrices, kernels, tables, messages. They are read and printed as in
 * the "C" locale, with a decimal point, even in a program that has set another locale, for itself
 * (setlocale) or for a thread (uselocale); that locale stays in force for the program.
 *
 * All functions may be called from any thread. If the system cannot provide the "C" locale, the
 * program's own is used. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Reads the decimal number at the beginning of text: of 0x1F only the 0 is one. end: set to the
 * first character behind it, or to text if there is no number; may be NULL. Returns what strtod
 * does, and sets errno like it. */
double rn_number_parse(const char *text, char **end);

/* Reads text that is a whole number within min..max, in decimal digits alone, and nothing else.
 * min: 0 or more. *value: unchanged on failure. Returns whether it is. */
bool rn_number_whole(const char *text, long long min, long long max, long long *value);

/* Print as snprintf, vsnprintf and fprintf do, and return what these return. buf: of size bytes,
 * where the text is cut off. */
int rn_number_print(char *buf, size_t size, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int rn_number_vprint(char *buf, size_t size, const char *fmt, va_list args)
    __attribute__((format(printf, 3, 0)));
int rn_number_write(FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
