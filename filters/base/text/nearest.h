/* Which name was meant. */
#ifndef RN_FILTERS_BASE_TEXT_NEAREST_H
#define RN_FILTERS_BASE_TEXT_NEAREST_H

/* The entry of names (NULL at the end) with the smallest edit distance to word, ignoring case; NULL
 * if every distance is more than half the word. */
const char *rn_nearest(const char *word, const char *const *names);

#endif
