/* Which pictures of a volume are read. One rule for all readers:
 *
 * - Colours are planes of one picture: samples of a pixel that the file calls RGB or RGBA and, in
 *   MetaImage and .npy, which cannot call them anything, 3 or 4 of them.
 * - Everything else that a pixel has several of (vectors, fluorescent dyes, coils, diffusion
 *   directions) is channels. Channels and points in time are pictures of their own. All of them are
 *   read, in the order of the file, and written apart by every format that has a place for them.
 *   `--channel` and `--time` choose some: N, a list 1,3, a range 2-4 or 2-, or `all`; from 1 on.
 * - What a file has beyond slices, channels and times, or several of (arrays of a .mat, images of
 *   an OME-TIFF, further dimensions of BART), are series. One of them is read; where there are
 *   several and `--series` names none, the run is refused with the list.
 * - A filter that reaches across frames never reaches into another channel or time of a stack: it
 *   is refused until one is chosen. Pictures that only follow each other in time are a film.
 *
 * Where DICOM has several pictures at one position, which of them belong together is found out
 * first (io/dicom/time_points.c), and `--time` chooses one. */
#ifndef RN_IO_VOLUMES_SELECTION_H
#define RN_IO_VOLUMES_SELECTION_H

#include "io/common/input.h"
#include "io/volumes/volume.h"

struct rn_vol_selection {
    int64_t n[RN_AXES]; /* of the file */
    enum rn_vol_axis axis_order[RN_AXES];
    int64_t n_selected[RN_AXES];  /* how many of them were chosen */
    int64_t *file_index[RN_AXES]; /* which, in their order; NULL: all */
};

/* Makes *v, which describes all of input, the volume of what opts choose. Returns 0 or RN_EUSAGE
 * (logged). Free the choice in any case, and not before the volume. */
int rn_vol_selection_make(struct rn_vol_selection *choice, struct rn_vol *v, const char *input,
                          const struct rn_io_read_opts *opts);
void rn_vol_selection_free(struct rn_vol_selection *choice);

/* Where picture i of those chosen stands in the file, by its slice, channel and time from 0. */
void rn_vol_selection_at(const struct rn_vol_selection *choice, int64_t i, int64_t at[RN_AXES]);

/* The same as a number among all pictures of the file, in their order. */
int64_t rn_vol_selection_picture(const struct rn_vol_selection *choice, int64_t i);

#endif
