/* SPDX-License-Identifier: MIT */
/* The common part of the readers of volumes: arrays (array.c), TIFF (tiff/tiff.c) and DICOM
 * (io/dicom/series.c). They find each picture by its index and write samples directly to the frame,
 * without packets and decoder.
 *
 * A reader begins with struct rn_vol_reader; its open calls rn_read_stills_range and
 * rn_vol_reader_format in this order, and sets base.volume. */
#pragma once

#include "io/read/input.h"
#include "io/volumes/volume.h"

struct rn_vol_reader;

struct rn_vol_reader_ops {
    size_t size; /* of the reader, which is zeroed */
    /* Opens reader->input. Returns 0 or an error (logged). */
    int (*open)(struct rn_vol_reader *reader, const struct rn_io_read_opts *opts);
    /* Writes the samples of picture i to frame, whose buffer has the previous picture. Returns 0;
     * RN_END to skip the picture; or an error (logged). */
    int (*fill)(struct rn_vol_reader *reader, int i, AVFrame *frame);
    /* Says whether input.samples can read picture i. Both are optional. */
    bool (*is_apart)(struct rn_vol_reader *reader, int i);
    /* Releases what open has made, also after it failed. */
    void (*close)(struct rn_vol_reader *reader);
    struct rn_read_input_ops input; /* samples, finish and name; the others are the same for all */
};

struct rn_vol_reader {
    struct rn_read_input base;
    struct rn_read_input_ops ops; /* of base */
    const struct rn_vol_reader_ops *own;
    const char *input;
    struct rn_losses *losses;
    const atomic_bool *stop;
    atomic_bool rounded; /* the loss was reported */

    /* of frames */
    enum AVPixelFormat format;
    int w, h;
    int bytes;
    AVBufferRef *buffer; /* of the last frame; reused when released */
    bool fresh;          /* it holds zeros, which take no memory: they need not be written */
};

/* Opens a reader, as the functions in io/read/input.h do. */
int rn_vol_reader_open(struct rn_read_input **in, const struct rn_vol_reader_ops *ops,
                       const char *input, const struct rn_io_read_opts *opts,
                       const atomic_bool *stop);

/* Sets the format of frames. */
void rn_vol_reader_format(struct rn_vol_reader *r, enum AVPixelFormat format, int w, int h);

/* Sets the range of floats without a known one from the middle one of n pictures, whatever the
 * range that is read. Its damage is not counted. Returns 0 or an error (logged). */
int rn_vol_reader_find_range(struct rn_vol_reader *r, struct rn_vol *v, int n);

/* Reports what rn_vol_samples_load found in a picture, which text names. Returns 0, or RN_EINPUT
 * (logged) if floats cannot hold the samples. */
int rn_vol_reader_judge(struct rn_vol_reader *r, unsigned found, enum rn_vol_sample_type type,
                        const char *text);

/* Counts bytes of samples behind the pictures of `each` bytes that the header of path announces. 0:
 * there are none. */
void rn_vol_reader_note_surplus(struct rn_vol_reader *r, const char *path, int64_t bytes,
                                int64_t pictures, int64_t each);

/* ---- selects the pictures of a volume to read. One rule for all readers:
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
