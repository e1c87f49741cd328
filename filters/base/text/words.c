/* SPDX-License-Identifier: MIT */
#include "filters/base/text/words.h"

#include <ctype.h>
#include <stdio.h>
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

/* ---- names that nobody knows */

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Levenshtein distance in which swapping neighbours counts once (optimal string alignment). */
static int edit_distance(const char *a, const char *b)
{
    enum { MAX = 48 };
    int n = (int)strlen(a), m = (int)strlen(b), row[3][MAX + 1];
    if (n > MAX || m > MAX)
        return n > m ? n : m;
    for (int j = 0; j <= m; j++)
        row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *cur = row[i % 3], *prev = row[(i + 2) % 3], *prev2 = row[(i + 1) % 3];
        cur[0] = i;
        for (int j = 1; j <= m; j++) {
            int d = prev[j - 1] + !same_letter(a[i - 1], b[j - 1]);
            if (prev[j] + 1 < d)
                d = prev[j] + 1;
            if (cur[j - 1] + 1 < d)
                d = cur[j - 1] + 1;
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1]) && prev2[j - 2] + 1 < d)
                d = prev2[j - 2] + 1;
            cur[j] = d;
        }
    }
    return row[n % 3][m];
}

const char *rn_nearest(const char *word, const char *const *names)
{
    const char *best = NULL;
    int limit = (int)strlen(word) / 2, distance = (limit ? limit : 1) + 1;
    for (; *names; names++) {
        int d = edit_distance(word, *names);
        if (d < distance) {
            distance = d;
            best = *names;
        }
    }
    return best;
}

char *rn_brief(const char *text, char buf[RN_BRIEF_TEXT])
{
    size_t bytes = 0;
    /* What continues a character of UTF-8 belongs to the one before; text may be no UTF-8. */
    for (int n = 0; text[bytes] && bytes < 4 * RN_BRIEF; bytes++)
        if (((unsigned char)text[bytes] & 0xc0) != 0x80 && n++ == RN_BRIEF)
            break;
    snprintf(buf, RN_BRIEF_TEXT, "%.*s%s", (int)bytes, text, text[bytes] ? "..." : "");
    return buf;
}

char *rn_unknown_name(const char *name, const char *near, char buf[RN_UNKNOWN_TEXT])
{
    char brief[RN_BRIEF_TEXT];
    snprintf(buf, RN_UNKNOWN_TEXT, "'%s'%s%.64s%s", rn_brief(name, brief),
             near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    return buf;
}
