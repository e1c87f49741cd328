/* The Pixel Data of a DICOM file, of which no more than a frame is ever read at once.
 *
 * Frames that are not compressed follow each other. Those that are come in fragments: each frame in
 * one, or in several, where a table says with which one each frame begins, or where the marks of
 * the codec at the begin and the end of an image do. */
#ifndef RN_IO_DICOM_PIXELS_H
#define RN_IO_DICOM_PIXELS_H

#include "io/dicom/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One thread at a time. */
struct rn_dicom_pixels;

/* Opens the Pixel Data of a file that is open for reading, stays the caller's and stays open as
 * long. Returns RN_DICOM_OK; RN_DICOM_NO_PICTURE if none are found; or, with the reason in why
 * (size bytes), RN_DICOM_UNREADABLE if not every frame has its own. */
enum rn_dicom_result rn_dicom_pixels_open(struct rn_dicom_pixels **pixels, int file,
                                          const struct rn_dicom_header *header, char *why,
                                          size_t size);

/* *pixels may be NULL, and is NULL afterwards. */
void rn_dicom_pixels_close(struct rn_dicom_pixels **pixels);

bool rn_dicom_pixels_are_compressed(const struct rn_dicom_pixels *pixels);
bool rn_dicom_pixels_are_big(const struct rn_dicom_pixels *pixels); /* big endian */

/* Bytes of a frame, from 0, as the file has them: where samples of 1 bit are not compressed, those
 * that hold any of its bits. */
size_t rn_dicom_pixels_size(const struct rn_dicom_pixels *pixels, int frame);

/* Reads them, the fragments of a frame one behind the other. False if the file ends before. */
bool rn_dicom_pixels_read(struct rn_dicom_pixels *pixels, int frame, void *to);

#ifdef __cplusplus
}
#endif

#endif
