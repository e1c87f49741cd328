/* The values of pictures, as they are stored.
 *
 * The frames of a file that is not compressed, or deflated as a whole, are read from it one by one.
 * Those of any other file are decoded by the worker, one by one too. */
#ifndef RN_IO_DICOM_FRAMES_H
#define RN_IO_DICOM_FRAMES_H

#include <stdatomic.h>

#include "io/dicom/stacks.h"

struct rn_dicom_worker;

/* Belongs to one thread. Zeroed before rn_dicom_frames_begin. */
struct rn_dicom_frames {
    struct rn_dicom_worker *worker; /* borrowed */
    const atomic_bool *stop;        /* borrowed; another thread sets it to end a read */
    const struct rn_dicom_file *of; /* what the others are of */
    bool again;                     /* the worker has decoded a frame of it */
    int fd;
    struct rn_vol_bytes *bytes; /* NULL: the worker decodes; the first frame lies at: */
    int64_t at;
    uint8_t *frame; /* the last one that was read from there */
};

/* Makes room for the pictures' files. Returns 0 or RN_EINTERNAL (logged). */
int rn_dicom_frames_begin(struct rn_dicom_frames *frames, struct rn_dicom_worker *worker,
                          const struct rn_dicom_pictures *pictures, const atomic_bool *stop);
void rn_dicom_frames_end(struct rn_dicom_frames *frames);

/* Reads a picture: rn_dicom_frame_size bytes, as rn_dicom_decode gives them, valid until the next
 * call. NULL on failure, with the reason in why (size bytes) and whether other pictures of the
 * file may be better in *others; or once stop is set. */
const uint8_t *rn_dicom_frames_get(struct rn_dicom_frames *frames,
                                   const struct rn_dicom_picture *picture, bool *others, char *why,
                                   size_t size);

#endif
