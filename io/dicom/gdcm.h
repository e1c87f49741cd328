/* DICOM files through GDCM, which is C++: only gdcm.cpp and gdcm_pixels.cpp see it. Built where the
 * Makefile finds it (RN_HAVE_GDCM). Call these in a process that may die (worker.h).
 *
 * file: a descriptor that is open for reading, at its beginning. Both close it. */
#ifndef RN_DICOM_GDCM_H
#define RN_DICOM_GDCM_H

#include "io/dicom/file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the header of a file: sets entry->result, header and why. give: what it has beside. */
void rn_gdcm_describe(int file, struct rn_dicom_entry *entry, rn_dicom_part *give, void *arg);

/* Reads the values of all frames of a file that was described, of a palette and Y'CbCr as R G B:
 * rn_dicom_size bytes, behind which
 * RN_DICOM_PADDING more are there to be overwritten. Returns false, with the reason, if they cannot
 * be decoded. */
bool rn_gdcm_read(int file, const struct rn_dicom_header *header, uint8_t *pixels, char *why,
                  size_t size);

#ifdef __cplusplus
}
#endif

#endif
