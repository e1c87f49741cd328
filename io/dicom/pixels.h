/* SPDX-License-Identifier: MIT */
/* Reads the Pixel Data of a DICOM file frame by frame, so that a large file needs little memory.
 *
 * Uncompressed frames are contiguous. Compressed frames are stored in fragments: one each, or
 * several, where an offset table or the codec's markers tell where each frame begins. */
#pragma once

#include "io/dicom/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One thread at a time. */
struct rn_dicom_pixels {
    struct rn_vol_bytes *bytes;
    int frames;
    bool is_big;      /* big endian */
    int64_t at, bits; /* uncompressed: offset of the frames, bits of one */
    struct rn_dicom_fragment *fragment;
    int fragments;
    int *first; /* first fragment of each frame; frames + 1 of them. NULL: uncompressed */
};

/* Opens the Pixel Data of an open file; the caller closes the pixels, which are zeroed before, in
 * any case, and file after them. Returns RN_DICOM_OK; RN_DICOM_NO_PICTURE if there are none;
 * RN_DICOM_UNREADABLE with the reason in *why (static text) if frames are missing. */
enum rn_dicom_result rn_dicom_pixels_open(struct rn_dicom_pixels *pixels, int file,
                                          const struct rn_dicom_header *header, const char **why);

void rn_dicom_pixels_close(struct rn_dicom_pixels *pixels);

/* Returns the bytes of a frame in the file. Uncompressed 1-bit samples: all bytes with its bits. */
size_t rn_dicom_pixels_size(const struct rn_dicom_pixels *pixels, int frame);

/* Returns the fragments of images behind the frames of the header. */
struct rn_dicom_surplus rn_dicom_pixels_surplus(const struct rn_dicom_pixels *pixels);

/* Reads these bytes; fragments of a frame are joined. Returns false if the file ends before. */
bool rn_dicom_pixels_read(struct rn_dicom_pixels *pixels, int frame, void *to);

/* What a compressed picture says of itself. Check it against the file's header: decoders trust it,
 * and their output may exceed the memory that the header promises. */
struct rn_dicom_codestream {
    uint32_t w, h;
    unsigned colours, bits; /* bits of the first one's samples */
};

/* Reads the head of a JPEG, JPEG-LS or JPEG 2000 picture of n bytes. Returns false if it has none.
 */
bool rn_dicom_codestream_read(const uint8_t *data, size_t n, struct rn_dicom_codestream *picture);

#ifdef __cplusplus
}
#endif
