/* DICOM files through GDCM, which is C++: only this header and dicom_gdcm.cpp see it. Built where
 * the Makefile finds GDCM (RN_HAVE_GDCM). Call these in a process that may die: see
 * dicom_decoder.h. */
#ifndef RN_DICOM_GDCM_H
#define RN_DICOM_GDCM_H

#include "io/dicom_file.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the header of a file: sets entry->result, header and why. */
void rn_gdcm_describe(const char *path, struct rn_dicom_entry *entry);

/* Reads the values of all frames of a file that was described: rn_dicom_size bytes, behind which
 * RN_DICOM_PADDING more are there to be overwritten. Returns false, with the reason, if they cannot
 * be decoded. */
bool rn_gdcm_read(const char *path, const struct rn_dicom_header *header, uint8_t *pixels,
                  char *why, size_t size);

#ifdef __cplusplus
}
#endif

#endif
