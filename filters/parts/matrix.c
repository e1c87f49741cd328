/* SPDX-License-Identifier: MIT */
#include "filters/parts/matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "filters/base/text/plural.h"

#define MAX_VALUES (RN_MATRIX_MAX * RN_MATRIX_MAX)

static const char blanks[] = " \t\r\n\f\v";

/* Reads all numbers. *n: how many, including those beyond MAX_VALUES, which are not kept. */
static int read_numbers(double *value, int *n, const char *owner, const char *text)
{
    *n = 0;
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        char *end;
        double v = rn_number_parse(text, &end);
        int length = (int)strcspn(text, blanks);
        if (end != text + length)
            return rn_fail(RN_EUSAGE, "%s: '%.*s' in the matrix is not a number", owner, length,
                           text);
        if (!isfinite(v) || fabs(v) > 1e6)
            return rn_fail(RN_EUSAGE, "%s: %.*s in the matrix is out of range -1e6..1e6", owner,
                           length, text);
        if (*n < MAX_VALUES)
            value[*n] = v;
        ++*n;
        text = end;
    }
    return 0;
}

static bool odd_side(int n)
{
    return n >= 1 && n <= RN_MATRIX_MAX && n % 2 == 1;
}

/* w, h: the sides that the numbers must fill; 0: an odd square. */
static int set_sides(struct rn_matrix_taps *m, const char *owner, int n, int w, int h)
{
    if (!n)
        return rn_fail(RN_EUSAGE, "%s: the matrix is empty", owner);
    if (!w) {
        w = h = (int)lround(sqrt(n));
        if (w * h != n)
            return rn_fail(RN_EUSAGE,
                           "%s: %d numbers are no square; size=WxH gives the sides of others",
                           owner, n);
    }
    if (!odd_side(w) || !odd_side(h))
        return rn_fail(RN_EUSAGE, "%s: the matrix is %dx%d; both sides must be odd, 1..%d", owner,
                       w, h, RN_MATRIX_MAX);
    if (w * h != n)
        return rn_fail(RN_EUSAGE, "%s: a %dx%d matrix has %d number%s, here %s %d", owner, w, h,
                       w * h, rn_plural(w * h), rn_is_or_are(n), n);
    m->w = w;
    m->h = h;
    return 0;
}

static int parse_size(const char *owner, const char *size, int *w, int *h)
{
    char *end, *last;
    *w = *h = 0;
    if (!*size)
        return 0;
    long a = strtol(size, &end, 10), b = *end == 'x' ? strtol(end + 1, &last, 10) : 0;
    bool numbers = a > 0 && a <= RN_MATRIX_MAX && b > 0 && b <= RN_MATRIX_MAX && !*last;
    *w = (int)a;
    *h = (int)b;
    if (!numbers || !odd_side(*w) || !odd_side(*h))
        return rn_fail(RN_EUSAGE, "%s: size=%s is not WxH with odd sides 1..%d", owner, size,
                       RN_MATRIX_MAX);
    return 0;
}

static double gcd(double a, double b)
{
    while (b != 0) {
        double r = fmod(a, b);
        a = b;
        b = r;
    }
    return fabs(a);
}

/* Factors the matrix if it is of rank one: value = column * row. For integers the row is made
 * primitive (divided by the greatest common divisor of its values), so that both factors are
 * integers. */
static void factor(struct rn_matrix_taps *m)
{
    int n = m->w * m->h, pivot = 0;
    for (int i = 1; i < n; i++)
        if (fabs(m->value[i]) > fabs(m->value[pivot]))
            pivot = i;
    m->separable = false;
    if (m->w < 3 || m->h < 3 || m->value[pivot] == 0)
        return;
    int pi = pivot / m->w, pj = pivot % m->w;
    double divisor = m->value[pivot];
    if (m->whole) {
        divisor = 0;
        for (int j = 0; j < m->w; j++)
            divisor = gcd(m->value[pi * m->w + j], divisor);
    }
    for (int j = 0; j < m->w; j++)
        m->row[j] = m->value[pi * m->w + j] / divisor;
    for (int i = 0; i < m->h; i++)
        m->column[i] = m->value[i * m->w + pj] / m->row[pj];
    double tolerance = m->whole ? 0 : 1e-7 * fabs(m->value[pivot]);
    for (int k = 0; k < n; k++)
        if (fabs(m->column[k / m->w] * m->row[k % m->w] - m->value[k]) > tolerance)
            return;
    for (int i = 0; m->whole && i < m->h; i++)
        if (m->column[i] != rint(m->column[i]))
            return;
    m->separable = true;
}

/* The sides that the lines suggest: as many rows as lines with numbers, if that divides their
 * number. */
static void sides_of_lines(const char *text, int n, int *w, int *h)
{
    int lines = 0;
    while (*text) {
        size_t length = strcspn(text, "\n");
        lines += strspn(text, " \t\r") < length;
        text += length + (text[length] == '\n');
    }
    if (lines > 1 && n % lines == 0) {
        *w = n / lines;
        *h = lines;
    }
}

int rn_matrix_parse(struct rn_matrix_taps *m, const char *owner, const char *text, const char *size,
                    bool lines)
{
    int n, w, h;
    int err = parse_size(owner, size, &w, &h);
    err = err ? err : read_numbers(m->value, &n, owner, text);
    if (!err && !w && lines)
        sides_of_lines(text, n, &w, &h);
    err = err ? err : set_sides(m, owner, n, w, h);
    if (err)
        return err;
    m->whole = true;
    m->sum = m->sum_abs = 0;
    for (int i = 0; i < n; i++) {
        m->whole &= m->value[i] == rint(m->value[i]);
        m->sum += m->value[i];
        m->sum_abs += fabs(m->value[i]);
    }
    /* Decimals that should sum to zero leave a rounding error. */
    if (!m->whole && fabs(m->sum) <= 1e-9 * m->sum_abs)
        m->sum = 0;
    factor(m);
    return 0;
}
