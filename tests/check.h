/* SPDX-License-Identifier: MIT */
/* What the tests with a main() of their own share: results in the Test Anything Protocol, which
 * tests/run.sh counts, and random numbers that a seed repeats on every system. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "filters/base/owned.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

#define OWNED RN_OWNED

struct check {
    int tests, failed; /* of the whole program */
    int bad;           /* differences in the current test */
};

/* Whether all cases are to be run; otherwise what takes long runs a part of them. */
static inline bool is_whole(void)
{
    const char *whole = getenv("WHOLE");
    return whole && *whole;
}

/* Reports one difference of the current test; only the first ten are printed. */
__attribute__((format(printf, 2, 3))) static inline void check_bad(struct check *c, const char *fmt,
                                                                   ...)
{
    if (c->bad++ < 10) {
        va_list args;
        va_start(args, fmt);
        printf("# ");
        vprintf(fmt, args);
        printf("\n");
        va_end(args);
    }
}

/* Ends the current test. */
__attribute__((format(printf, 2, 3))) static inline void check_end(struct check *c, const char *fmt,
                                                                   ...)
{
    va_list args;
    va_start(args, fmt);
    if (c->bad > 10)
        printf("# and %d more\n", c->bad - 10);
    printf("%s %d - ", c->bad ? "not ok" : "ok", ++c->tests);
    vprintf(fmt, args);
    printf("\n");
    fflush(stdout);
    va_end(args);
    c->failed += c->bad > 0;
    c->bad = 0;
}

/* Text by a format, cut off at 2,047 bytes. Valid for seven more calls, in one thread. */
__attribute__((format(printf, 1, 2))) static inline const char *formatted(const char *fmt, ...)
{
    static char ring[8][2048];
    static unsigned n;
    char *text = ring[n++ % 8];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof ring[0], fmt, args);
    va_end(args);
    return text;
}

/* Prints both values, so that a failure says what it got. */
#define CHECK_EQ(c, got, want)                                                                     \
    do {                                                                                           \
        long long got_ = (got), want_ = (want);                                                    \
        if (got_ != want_)                                                                         \
            check_bad(c, "%s:%d: %s is %lld, not %lld", __FILE__, __LINE__, #got, got_, want_);    \
    } while (0)

/* xorshift64*, Vigna 2016. */
struct rng {
    uint64_t s;
};

static inline struct rng rng_seed(uint64_t seed)
{
    /* splitmix64, so that neighbouring seeds give unlike streams and none is zero */
    uint64_t z = seed + 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (struct rng){(z ^ (z >> 31)) | 1};
}

static inline uint32_t rng_next(struct rng *r)
{
    r->s ^= r->s >> 12;
    r->s ^= r->s << 25;
    r->s ^= r->s >> 27;
    return (uint32_t)((r->s * 0x2545f4914f6cdd1du) >> 32);
}

/* 0 <= result < n */
static inline int rng_below(struct rng *r, int n)
{
    return (int)(rng_next(r) % (uint32_t)n);
}

/* 0 <= result <= 1 */
static inline double rng_unit(struct rng *r)
{
    return rng_next(r) / 4294967295.0;
}
