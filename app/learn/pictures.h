/* SPDX-License-Identifier: MIT */
/* The pictures that a network learns from, in memory. */
#pragma once

#include "app/run/session.h"
#include "filters/base/image.h"

struct rn_app_pictures {
    struct rn_image *image;
    size_t room;
    int n;
    uint64_t hash; /* of what was read */
    bool cut;      /* there are more, which do not fit the memory */
};

/* Reads an input through the session's chain, whose pool is bound. most: bytes. Returns 0 or an
 * error (logged). The caller frees what came so far. */
int rn_app_pictures_filter(struct rn_app_pictures *p, struct rn_app_session *session, int64_t most);

/* Reads an input as it is. opts: those of the command line. geom: of the size that its pictures
 * must have, or half of it each way; name: of the other input, for the message. Returns
 * likewise. */
int rn_app_pictures_read(struct rn_app_pictures *p, const char *input,
                         const struct rn_io_read_opts *opts, const struct rn_geom *geom,
                         const char *name);

void rn_app_pictures_free(struct rn_app_pictures *p);

/* Takes pictures from `first` on through a chain. dev: NULL: the C reference. into: as many,
 * allocated here. Returns 0 or an error (logged). */
int rn_app_pictures_apply(const struct rn_app_pictures *p, int first, struct rn_device *dev,
                          const char *chain, struct rn_app_pictures *into);

/* The smallest and the largest sample of the planes that a network takes; and whether there are no
 * others. */
bool rn_app_pictures_range(const struct rn_app_pictures *p, float *low, float *high);

/* Whether b fits a clearly better if it is moved by some whole pixels, seen in the middle. */
bool rn_app_pictures_shift(const struct rn_app_pictures *a, const struct rn_app_pictures *b, int *x,
                           int *y);
