/* SPDX-License-Identifier: MIT */
/* Reads and writes the text headers of volumes. */
#pragma once

#include "io/volumes/volume.h"

/* ---- reading: lines of `size` bytes of text, which need not end with a zero */

struct rn_vol_lines {
    const char *text;
    size_t size, at; /* at: where the next line begins */
};

/* Copies the next line without its \n or \r\n, cut to size. Returns false at the end. */
bool rn_vol_lines_next(struct rn_vol_lines *lines, char *line, size_t size);

/* What this program stores beyond the fields of a format, under the format's names for it. */
enum rn_vol_key {
    RN_VOL_SLOPE,
    RN_VOL_INTERCEPT,
    RN_VOL_UNIT,
    RN_VOL_WINDOW,
    RN_VOL_RANGE,
    RN_VOL_INTERVAL,
    RN_VOL_MADE_BY,
    RN_VOL_KEYS
};

/* Sets the value of a key in v. Returns false for other keys, and where it is no such value. names:
 * of each key; NULL: not in the format. */
bool rn_vol_key_parse(const char *const names[RN_VOL_KEYS], const char *key, const char *value,
                      struct rn_vol *v);

/* ---- writing, to memory of a given size */

struct rn_vol_text {
    char *to;
    size_t size, n;
    bool full; /* it did not fit */
};

void rn_vol_text_add(struct rn_vol_text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes the keys that v has a value for, as lines of name, separator and value. */
void rn_vol_text_add_keys(struct rn_vol_text *t, const char *const names[RN_VOL_KEYS],
                          const char *separator, const struct rn_vol *v);

/* Extends the text to n bytes by inserting blanks at offset `at`. Returns n; 0 if the text is
 * longer than n, or did not fit. */
size_t rn_vol_text_widen(struct rn_vol_text *t, size_t at, size_t n);
