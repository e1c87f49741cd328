/* SPDX-License-Identifier: MIT */
/* Words of the user: lists of them, such as the names that other programs have for a thing; and of
 * names that nobody knows, which was meant, and how messages show them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether a word of n bytes is in a list, whose words are parted by `sign` and blanks. list: NULL:
 * no. any_case: letters are compared in either case. Any thread. */
bool rn_word_is_listed(const char *list, char sign, const char *word, size_t n, bool any_case);

/* The meaning of a word in rows that end with one of zeros. words are parted by blanks. */
struct rn_word_row {
    const char *words, *meant;
};

/* What a word, or the first n bytes of one, means, letters in either case; NULL: it is in no row.
 * Any thread. */
const char *rn_word_meant(const struct rn_word_row *row, const char *word);
const char *rn_word_start_meant(const struct rn_word_row *row, const char *word, size_t n);

/* ---- names that nobody knows */

/* The entry of names (NULL at the end) with the smallest edit distance to word, ignoring case; NULL
 * if every distance is more than half the word. */
const char *rn_nearest(const char *word, const char *const *names);

#define RN_BRIEF        40                 /* characters of a name that a message shows */
#define RN_BRIEF_TEXT   (4 * RN_BRIEF + 4) /* bytes of the buffers for them */
#define RN_UNKNOWN_TEXT (RN_BRIEF_TEXT + 64 + 24)

/* Copies a text of the user, with ... in place of what is beyond RN_BRIEF characters. */
char *rn_brief(const char *text, char buf[RN_BRIEF_TEXT]);

/* Writes 'name', cut likewise, and (did you mean 'near'?) unless near is NULL. Both return buf. */
char *rn_unknown_name(const char *name, const char *near, char buf[RN_UNKNOWN_TEXT]);
