/* SPDX-License-Identifier: MIT */
#include "filters/base/text/number.h"

#include <limits.h>
#include <locale.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static locale_t plain; /* (locale_t)0: there is none */

static void make_plain(void)
{
    plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* Switches this thread over. Returns what leave switches back to. */
static locale_t enter(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_plain);
    return plain ? uselocale(plain) : (locale_t)0;
}

static void leave(locale_t before)
{
    if (before)
        uselocale(before);
}

double rn_number_parse(const char *text, char **end)
{
    const char *digits = text + strspn(text, " \t\n\v\f\r");
    digits += *digits == '+' || *digits == '-';
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X')) { /* 0, and what follows it */
        if (end)
            *end = (char *)(uintptr_t)(digits + 1);
        return 0;
    }
    locale_t before = enter();
    double v = strtod(text, end);
    leave(before);
    return v;
}

int rn_number_vprint(char *buf, size_t size, const char *fmt, va_list args)
{
    locale_t before = enter();
    int n = vsnprintf(buf, size, fmt, args);
    leave(before);
    return n;
}

int rn_number_print(char *buf, size_t size, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = rn_number_vprint(buf, size, fmt, args);
    va_end(args);
    return n;
}

int rn_number_write(FILE *f, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    locale_t before = enter();
    int n = vfprintf(f, fmt, args);
    leave(before);
    va_end(args);
    return n;
}

bool rn_number_whole(const char *text, long long min, long long max, long long *value)
{
    long long v = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9' && v <= max; c++) {
        int digit = *c - '0';
        if (v > (LLONG_MAX - digit) / 10)
            return false;
        v = 10 * v + digit;
    }
    if (c == text || *c || v < min || v > max)
        return false;
    *value = v;
    return true;
}
