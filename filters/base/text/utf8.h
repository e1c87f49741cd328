/* SPDX-License-Identifier: MIT */
/* Characters of UTF-8, as RFC 3629 has it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RN_UTF8_MOST 5 /* bytes of one character, with a NUL behind it */

/* The bytes of the character that text, NUL-terminated, begins with, and the character itself; 0 if
 * it is not UTF-8. */
size_t rn_utf8_decode(const char *text, uint32_t *c);

/* Writes a character, NUL-terminated; returns its bytes, 0 if there is none of that number. */
size_t rn_utf8_encode(uint32_t c, char text[RN_UTF8_MOST]);

/* Whether it is a control character (C0, DEL, C1), or ends lines or turns the direction of writing:
 * what nobody should see. */
bool rn_utf8_is_control(uint32_t c);
