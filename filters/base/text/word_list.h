/* SPDX-License-Identifier: MIT */
/* Lists of words in one text, such as the names that other programs have for a thing. */
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
