/* Headers of volumes that are text. */
#ifndef RN_IO_VOLUMES_TEXT_H
#define RN_IO_VOLUMES_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* ---- reading: lines of a text of so many bytes, which need not end with a zero */

struct rn_vol_lines {
    const char *text;
    size_t size, at; /* at: where the next line begins */
};

/* Copies the next line without its end (also \r\n), cut to size. False: there is none. */
bool rn_vol_lines_next(struct rn_vol_lines *lines, char *line, size_t size);

/* ---- writing: into memory of a size that is not exceeded */

struct rn_vol_text {
    char *to;
    size_t size, n;
    bool full; /* it did not fit */
};

void rn_vol_text_add(struct rn_vol_text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Makes it n bytes long by blanks in front of place `at`. False if it is longer already, or did not
 * fit. */
bool rn_vol_text_widen(struct rn_vol_text *t, size_t at, size_t n);

#endif
