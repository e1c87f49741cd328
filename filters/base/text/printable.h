/* SPDX-License-Identifier: MIT */
/* Text from outside - names of files, tags, messages of libraries - made fit to be shown: a
 * terminal would obey its control characters, and a name with a newline could feign a message. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RN_CUT "\xe2\x80\xa6" /* UTF-8: the ellipsis where a text is cut */

/* Replaces, in place, tabs by blanks, and by '?' every other control character (C0, DEL, C1, those
 * that end lines or turn the direction of writing, each as a whole) and every byte that is not
 * UTF-8. The text never gets longer. lines: newlines stay. Returns text, which may be NULL. Any
 * thread. */
char *rn_printable(char *text, bool lines);

/* Ends a text of UTF-8 that fills its array of size bytes, and so may lack its end, with RN_CUT. */
void rn_mark_cut(char *text, size_t size);

/* ---- characters of UTF-8, as RFC 3629 has it */

#define RN_UTF8_MOST 5 /* bytes of one character, with a NUL behind it */

/* The bytes of the first character of text, NUL-terminated, and the character; 0: no UTF-8. */
size_t rn_utf8_decode(const char *text, uint32_t *c);

/* Writes a character, NUL-terminated; returns its bytes, 0 if there is none of that number. */
size_t rn_utf8_encode(uint32_t c, char text[RN_UTF8_MOST]);

/* Whether it is a control character (C0, DEL, C1), or ends lines or turns the direction of writing:
 * what nobody should see. */
bool rn_utf8_is_control(uint32_t c);
