/* SPDX-License-Identifier: MIT */
/* Names of filters that there are not, words of users and of other programs: rows of
 * vocabulary.words, for rn_word_meant. */
#pragma once

#include "filters/base/text/words.h"

/* The filters that do what a word such as "edges" means, parted by ", "; what does the same as
 * other programs' filters, in a sentence; what is said of FILTER=VALUE, PARAMETER=VALUE, @=NAME. */
extern const struct rn_word_row rn_vocabulary_topics[], rn_vocabulary_elsewhere[],
    rn_vocabulary_more[];
