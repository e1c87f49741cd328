#include "io/volumes/text.h"

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
