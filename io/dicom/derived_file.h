/* DICOM files of pictures that were made of others: one file for each, all of one new series.
 *
 * From DICOM they keep patient, study, equipment and frame of reference (source_attributes.h), each names
 * the picture that it was made of, and lies where that lies. CT and MR stay CT and MR while they
 * are gray in 16 bits, which those ask for; all others are Secondary Captures. */
#ifndef RN_IO_DICOM_DERIVED_FILE_H
#define RN_IO_DICOM_DERIVED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rn_vol;
struct rn_dicom_derived_file;

/* Can pictures of the volume be written? False with the reason, to follow the name of the output:
 * for its samples, or because this program was built without GDCM. */
bool rn_dicom_derived_file_can(const struct rn_vol *volume, char *why, size_t size);

/* Begins a series of pictures of the volume, which can be written. volume: copied; of the reader
 * that it names as its source, borrowed. first: the number of its first picture in the reader's input.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_dicom_derived_file_begin(struct rn_dicom_derived_file **derived, const struct rn_vol *volume,
                                int64_t first);

/* Ends it. *derived may be NULL, and is NULL afterwards. */
void rn_dicom_derived_file_end(struct rn_dicom_derived_file **derived);

/* Bytes of a picture: samples with their colours side by side, little endian, padded to an even
 * number. */
size_t rn_dicom_derived_file_size(const struct rn_dicom_derived_file *derived);

/* Makes the file of one, of *size bytes, which stay until the next. index: its number in the
 * reader's input; number: in the series, from 0. NULL on failure (logged). */
const uint8_t *rn_dicom_derived_file_make(struct rn_dicom_derived_file *derived, int64_t index,
                                          int64_t number, const uint8_t *pixels, size_t *size);

#endif
