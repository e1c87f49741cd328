/* SPDX-License-Identifier: MIT */
/* Reads DICOM files through GDCM, which is C++: only gdcm*.cpp include it. Built if the
 * Makefile finds GDCM (RN_HAVE_GDCM). Call reading functions in a worker only (worker.h).
 *
 * They are in runnel-dicom.so beside the halves of the program, which the worker is: GDCM takes 15
 * ms to fill its dictionaries, and FFmpeg 30 to be loaded, which none pays who needs the other.
 *
 * file: an open descriptor at its beginning, which they close. */
#pragma once

#include "io/dicom/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the header of a file: sets result, header, source and why of entry. give: receives the
 * parts. */
void rn_gdcm_describe(int file, struct rn_dicom_entry *entry, rn_dicom_part *give, void *arg);

/* Decodes a frame, from 0, of a described file to rn_dicom_frame_size bytes; palettes and Y'CbCr
 * become R G B. pixels: has RN_DICOM_PADDING bytes more, which are overwritten. again: the previous
 * call was for the same file, which stays open. Returns RN_DICOM_OK; or, with the reason in why,
 * RN_DICOM_NO_PICTURE if only this frame cannot be decoded, RN_DICOM_UNREADABLE if none can. */
enum rn_dicom_result rn_gdcm_read(int file, const struct rn_dicom_header *header, int frame,
                                  bool again, uint8_t *pixels, char *why, size_t size);

/* What must be as in the source for an element to be copied. */
enum {
    RN_DICOM_NEEDS_GRID = 1,   /* rows and columns */
    RN_DICOM_NEEDS_VALUES = 2, /* the samples */
    RN_DICOM_NEEDS_SINGLE = 4, /* it holds one picture */
    RN_DICOM_NEEDS_SIDES = 8,  /* rows are rows, columns columns: it may be cropped or scaled */
};

/* Precedes an element of the source; not aligned. */
struct rn_dicom_copied {
    uint32_t tag; /* group and element */
    char vr[3];
    bool lost;     /* the derived file cannot have it: a name for messages follows */
    uint32_t size; /* bytes that follow: the value in explicit VR little endian, of a sequence its
                    * items with their own lengths */
};

/* Writes the elements of the main data set that a derived file has, too, sorted by tag, and those
 * that are lost in it, to size bytes. changed: RN_DICOM_NEEDS_* that are not met. What is written
 * anew in any case is left out. Returns their bytes; 0: the file cannot be read. */
size_t rn_gdcm_copy(int file, unsigned changed, uint8_t *to, size_t size);

#ifdef __cplusplus
}
#endif
