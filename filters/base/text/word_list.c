/* SPDX-License-Identifier: MIT */
#include "filters/base/text/word_list.h"

#include <string.h>
#include <strings.h>

bool rn_word_is_listed(const char *list, char sign, const char *word, size_t n, bool any_case)
{
    const char stop[] = {sign, '\0'}, between[] = {sign, ' ', '\0'};
    for (; list && *list; list += strcspn(list, stop), list += strspn(list, between))
        if (strcspn(list, stop) == n &&
            !(any_case ? strncasecmp(list, word, n) : strncmp(list, word, n)))
            return true;
    return false;
}

const char *rn_word_start_meant(const struct rn_word_row *row, const char *word, size_t n)
{
    while (row->words && !rn_word_is_listed(row->words, ' ', word, n, true))
        row++;
    return row->meant;
}

const char *rn_word_meant(const struct rn_word_row *row, const char *word)
{
    return rn_word_start_meant(row, word, strlen(word));
}
