/* SPDX-License-Identifier: MIT */
#include "io/volumes/layout.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool rn_vol_lines_next(struct rn_vol_lines *l, char *line, size_t size)
{
    if (l->at >= l->size)
        return false;
    const char *from = l->text + l->at, *end = memchr(from, '\n', l->size - l->at);
    size_t n = end ? (size_t)(end - from) : l->size - l->at;
    l->at += n + (end != NULL);
    if (n && from[n - 1] == '\r')
        n--;
    n = n < size - 1 ? n : size - 1;
    memcpy(line, from, n);
    line[n] = '\0';
    return true;
}

static const struct {
    size_t offset;
    int numbers; /* 0: a text */
    size_t size; /* of a text */
} keys[RN_VOL_KEYS] = {
    [RN_VOL_SLOPE] = {offsetof(struct rn_vol, rescale.slope), 1, 0},
    [RN_VOL_INTERCEPT] = {offsetof(struct rn_vol, rescale.intercept), 1, 0},
    [RN_VOL_UNIT] = {offsetof(struct rn_vol, rescale.unit), 0,
                     sizeof((struct rn_rescale *)0)->unit},
    [RN_VOL_WINDOW] = {offsetof(struct rn_vol, window), 2, 0},
    [RN_VOL_RANGE] = {offsetof(struct rn_vol, low), 2, 0}, /* and high */
    [RN_VOL_INTERVAL] = {offsetof(struct rn_vol, interval), 1, 0},
    [RN_VOL_MADE_BY] = {offsetof(struct rn_vol, made_by), 0, RN_MADE_BY_SIZE},
};

bool rn_vol_key_parse(const char *const names[RN_VOL_KEYS], const char *key, const char *value,
                      struct rn_vol *v)
{
    int k = 0;
    double number[2] = {0};
    while (k < RN_VOL_KEYS && !(names[k] && !strcmp(key, names[k])))
        k++;
    if (k == RN_VOL_KEYS)
        return false;
    char *to = (char *)v + keys[k].offset;
    bool whole = rn_vol_numbers_parse(value, " ", number, 2) == keys[k].numbers;
    if (!keys[k].numbers)
        snprintf(to, keys[k].size, "%s", value);
    else if (whole || keys[k].numbers == 1)
        memcpy(to, number, (size_t)keys[k].numbers * sizeof *number);
    v->windowed = v->windowed || (whole && k == RN_VOL_WINDOW);
    if (whole && k == RN_VOL_RANGE)
        v->ranged = v->low < v->high;
    return whole || !keys[k].numbers;
}

void rn_vol_text_add(struct rn_vol_text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(t->to + t->n, t->size - t->n, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= t->size - t->n)
        t->full = true;
    else
        t->n += (size_t)n;
}

void rn_vol_text_add_keys(struct rn_vol_text *t, const char *const names[RN_VOL_KEYS],
                          const char *separator, const struct rn_vol *v)
{
    const bool known[RN_VOL_KEYS] = {v->rescale.slope != 0,
                                     v->rescale.slope != 0,
                                     *v->rescale.unit,
                                     v->windowed,
                                     v->ranged,
                                     v->interval > 0,
                                     *v->made_by};
    for (int k = 0; k < RN_VOL_KEYS; k++) {
        const char *from = (const char *)v + keys[k].offset;
        const double *number = (const void *)from;
        if (!names[k] || !known[k])
            continue;
        rn_vol_text_add(t, "%s%s", names[k], separator);
        if (!keys[k].numbers)
            rn_vol_text_add(t, "%s", from);
        for (int i = 0; i < keys[k].numbers; i++)
            rn_vol_text_add(t, "%s%.17g", i ? " " : "", number[i]);
        rn_vol_text_add(t, "\n");
    }
}

size_t rn_vol_text_widen(struct rn_vol_text *t, size_t at, size_t n)
{
    if (t->full || t->n > n || n > t->size)
        return 0;
    size_t more = n - t->n;
    memmove(t->to + at + more, t->to + at, t->n - at);
    memset(t->to + at, ' ', more);
    t->n = n;
    return n;
}
