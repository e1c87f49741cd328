/* SPDX-License-Identifier: MIT */
/* The border of the library: public functions refuse arguments that nothing can be done with,
 * before they change anything. They return RN_EUSAGE, or what stands for "nothing", and log one
 * line that names the function, the parameter, what came and what may come. Inside, the same is
 * asserted. */
#pragma once

#include "filters/base/image.h"
#include "filters/base/log.h"

/* For RN_NEED: whether one of n pointers is NULL, which is logged. names: parted by blanks. */
bool rn_argument_missing(const char *function, const char *names, const void *const pointer[],
                         size_t n);

/* Ends a function that got NULL with `otherwise`, which is empty in a void function. names: of the
 * parameters, as in the header; then the parameters. */
#define RN_NEED(otherwise, names, ...)                                                             \
    do {                                                                                           \
        const void *const needed_[] = {__VA_ARGS__};                                               \
        if (rn_argument_missing(__func__, names, needed_, sizeof needed_ / sizeof *needed_))       \
            return otherwise;                                                                      \
    } while (0)

/* Returns 0, or RN_EUSAGE (logged) if value is not within min..max. */
int rn_argument_within(const char *function, const char *name, int64_t value, int64_t min,
                       int64_t max);

/* Copies a struct of the caller's that begins with its size, which is at least that of the first
 * version that was released and at most known, the size that this library knows; the members that
 * the caller does not know become 0. Returns 0 or RN_EUSAGE (logged). */
int rn_argument_sized(const char *function, const char *type, const void *from, size_t least,
                      void *to, size_t known);

/* The same for the format and the sides of a geometry; for all but the sides; for all of it; and
 * for a picture of the caller's, which has to be of this one. */
int rn_argument_shape(const char *function, const struct rn_geom *geom);
int rn_argument_samples(const char *function, const struct rn_geom *geom);
int rn_argument_geom(const char *function, const struct rn_geom *geom);
int rn_argument_image(const char *function, const char *name, const struct rn_image *img,
                      const struct rn_geom *geom);
