/* The values of pictures, as they are stored.
 *
 * The frames of a file that is not compressed are read from it one by one. Any other file is
 * decoded by the worker, with all its frames. */
#ifndef RN_DICOM_FRAMES_H
#define RN_DICOM_FRAMES_H

#include <stdatomic.h>
#include <stdio.h>

#include "io/dicom/stacks.h"

struct rn_dicom_worker;

/* Belongs to one thread. Zeroed before rn_dicom_frames_begin. */
struct rn_dicom_frames {
    struct rn_dicom_worker *worker; /* borrowed */
    const atomic_bool *stop;        /* borrowed; another thread sets it to end a read */
    const struct rn_dicom_file *of; /* what the others are of */
    const uint8_t *pixels;          /* all frames: the worker's; NULL: none, or */
    FILE *open;                     /* the file, in which the first frame lies at: */
    int64_t at;
    uint8_t *frame; /* the last one that was read from it */
};

/* Makes room for the pictures' files. Returns 0 or RN_EINTERNAL (logged). */
int rn_dicom_frames_begin(struct rn_dicom_frames *frames, struct rn_dicom_worker *worker,
                          const struct rn_dicom_pictures *pictures, const atomic_bool *stop);
void rn_dicom_frames_end(struct rn_dicom_frames *frames);

/* Reads a picture: rn_dicom_frame_size bytes, as rn_dicom_decode gives them, valid until the next
 * call. NULL on failure of the whole file, with the reason in why (size bytes), or once stop is
 * set. */
const uint8_t *rn_dicom_frames_get(struct rn_dicom_frames *frames,
                                   const struct rn_dicom_picture *picture, char *why, size_t size);

#endif
