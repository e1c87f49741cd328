/* SPDX-License-Identifier: MIT */
/* Reads whole text files into memory: chains, matrices, kernels, recordings.
 *
 * A text is read to the end of its file or refused; nothing is cut off silently, whether the file
 * is too long, contains NUL bytes, or is a device without an end. */
#pragma once

#include <stddef.h>

#define RN_TEXT_WHY 128 /* bytes of the buffer for a reason */

/* A limit that suits files written by people. */
#define RN_TEXT_LIMIT ((size_t)1 << 20)

/* How long a named pipe is waited for that nobody has opened for writing, in seconds. */
#define RN_TEXT_WAIT 2

/* Reads a file, or a pipe until its writer closes it, however slowly that one writes.
 *   text: the caller frees it; NULL after an error; a NUL follows the last byte.
 *   path: of the file; a pipe that gets no writer within RN_TEXT_WAIT is refused.
 *   limit: the largest size of the text in bytes.
 *   why: the reason of a refusal, for the caller to log: a phrase such as "it is a folder".
 * Any thread. Returns 0; RN_EUSAGE, with why; or RN_EINTERNAL (logged). */
int rn_text_read(char **text, const char *path, size_t limit, char why[RN_TEXT_WHY]);

/* Likewise any file of *size bytes. size NULL: it must be text. */
int rn_bytes_read(char **bytes, size_t *size, const char *path, size_t limit,
                  char why[RN_TEXT_WHY]);

/* Reads the rest of an open file in the same way. fd: stays open and remains the caller's. */
int rn_text_read_fd(char **text, int fd, size_t limit, char why[RN_TEXT_WHY]);
