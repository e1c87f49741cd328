/* SPDX-License-Identifier: MIT */
/* Selects the pictures of a volume to read. One rule for all readers:
 *
 * - Colours are planes of one picture: samples of a pixel that the file calls RGB or RGBA.
 *   MetaImage and .npy have no name for them: 3 or 4 samples of a pixel are colours there.
 * - Other samples of a pixel (vectors, dyes, coils, diffusion directions) are channels. Channels
 *   and times are pictures of their own. All are read, in the order of the file, and formats that
 *   can keep them apart. `--channel` and `--time` select: N, a list 1,3, a range 2-4 or 2-, or
 *   `all`; from 1.
 * - Anything beyond slices, channels and times (arrays of a .mat, images of an OME-TIFF, further
 *   dimensions of BART) is a series. One is read; if there are several, `--series` must name it, or
 *   the run is refused with the list.
 * - Temporal filters never reach into another channel or time of a stack: they are refused until
 *   one is selected. Pictures that only follow each other in time are a film.
 *
 * If DICOM has several pictures at one position, io/dicom/time_points.c makes times of them. */
#pragma once

#include "io/common/input.h"
#include "io/volumes/volume.h"

struct rn_vol_selection {
    int64_t n[RN_AXES];           /* of the file */
    int64_t *file_index[RN_AXES]; /* the selected ones, ascending; NULL: all */
};

/* Reduces *v, which describes all of input, to what opts select. Returns 0 or RN_EUSAGE (logged).
 * Free the selection in any case, after the volume. */
int rn_vol_selection_make(struct rn_vol_selection *selection, struct rn_vol *v, const char *input,
                          const struct rn_io_read_opts *opts);
void rn_vol_selection_free(struct rn_vol_selection *selection);

/* Sets at to the slice, channel and time in the file of picture i of v, from 0. */
void rn_vol_selection_at(const struct rn_vol *v, int64_t i, int64_t at[RN_AXES]);

/* Returns the index in the file of picture i of v. */
int64_t rn_vol_selection_picture(const struct rn_vol_selection *selection, const struct rn_vol *v,
                                 int64_t i);
