/* SPDX-License-Identifier: MIT */
/* Names of filters that there are not: words of users and of other programs, and the filters or
 * options that are meant. All functions: any thread. */
#pragma once

/* The filters that do what a word such as "edges" means, parted by ", "; NULL: unknown. */
const char *rn_vocabulary_filters(const char *word);

/* What does the same as a filter of other programs, in a sentence; NULL: unknown. */
const char *rn_vocabulary_instead(const char *name);
