/* SPDX-License-Identifier: MIT */
/* Writes pictures as DICOM files derived from others: one file each, all in one new series.
 *
 * With a DICOM source the files keep all elements of their source files that hold for them, also
 * private ones (gdcm/gdcm_copy.cpp); each names its source picture and keeps its position. CT and
 * MR stay CT and MR if they are gray with 16 bits, as their classes require; others become
 * Secondary Captures.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rn_vol;
struct rn_dicom_derived_file;

/* Returns true if pictures of the volume can be written. False: why is the reason, to follow the
 * name of the output. */
bool rn_dicom_derived_file_can(const struct rn_vol *volume, char *why, size_t size);

/* Begins a series. volume: copied; its source_attributes are borrowed. first: index of the first
 * picture in the reader's input. Returns 0 or RN_EINTERNAL (logged). */
int rn_dicom_derived_file_begin(struct rn_dicom_derived_file **derived, const struct rn_vol *volume,
                                int64_t first);

/* Names elements of the sources that the files made so far do not have, as far as size lets.
 * Returns how many names there are. */
int rn_dicom_derived_file_lost(const struct rn_dicom_derived_file *derived, char *text,
                               size_t size);

/* *derived may be NULL; sets it to NULL. */
void rn_dicom_derived_file_end(struct rn_dicom_derived_file **derived);

/* Returns the bytes of a picture: interleaved colours, little endian, padded to an even number. */
size_t rn_dicom_derived_file_size(const struct rn_dicom_derived_file *derived);

/* Makes the file of a picture, valid until the next call. index: of the picture in the reader's
 * input; number: of the file in the series, from 0. Returns NULL on failure (logged). */
const uint8_t *rn_dicom_derived_file_make(struct rn_dicom_derived_file *derived, int64_t index,
                                          int64_t number, const uint8_t *pixels, size_t *size);
