/* SPDX-License-Identifier: MIT */
/* Two planes across a stack, filled slice after slice: along the rows (one row of every slice) and
 * along the columns (one column of every slice), of the source and of the filtered pictures. Slice
 * k is row k of both. Samples are those of the slices, at full depth; chroma is repeated, so that
 * the planes have it for every pixel.
 *
 * All slices are kept, so that other planes can be had at once, where they take no more memory than
 * RN_RESLICE_MAX; else the planes alone, and others have to be filled anew. */
#pragma once

#include "filters/base/image.h"

#define RN_RESLICE_MAX ((int64_t)256 << 20) /* bytes */

enum rn_play_across { RN_ACROSS_ROWS, RN_ACROSS_COLUMNS };

/* Zeroed before the first use. */
struct rn_play_reslice {
    struct rn_geom geom[2]; /* of the slices: filtered, source */
    int n;                  /* slices; 0: not begun */
    int at[2];              /* the planes: RN_ACROSS_ROWS at this row, RN_ACROSS_COLUMNS, column */
    bool *has;              /* the slices that were put */
    int filled;             /* how many these are */
    struct rn_image plane[2][2]; /* [enum rn_play_across][0 filtered, 1 source] */
    struct rn_image *kept;       /* 2 of each slice; NULL: they are not kept */
};

/* Begins anew, empty, for n slices of these geometries. most: the bytes that slices may take.
 * Returns 0, RN_EUSAGE (logged: there are too many) or RN_EINTERNAL. */
int rn_play_reslice_begin(struct rn_play_reslice *r, const struct rn_geom *out,
                          const struct rn_geom *in, int64_t n, int64_t most);

/* Moves the planes to row y and column x. Returns whether they have what they had: false where
 * they were emptied, as slices are not kept. */
bool rn_play_reslice_aim(struct rn_play_reslice *r, int x, int y);

/* Forgets all slices. */
void rn_play_reslice_empty(struct rn_play_reslice *r);

/* Puts a slice, of these geometries. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_reslice_put(struct rn_play_reslice *r, int slice, const struct rn_image *out,
                        const struct rn_image *in);

void rn_play_reslice_free(struct rn_play_reslice *r);
