/* SPDX-License-Identifier: MIT */
/* Writes pictures as DICOM files derived from others: one file each, all in one new series.
 *
 * With a DICOM source the files keep all elements of their source files that hold for them, also
 * private ones (gdcm/gdcm_copy.cpp); each names its source picture and keeps its position. CT and
 * MR stay CT and MR if they are gray with 16 bits, as their classes require; others become
 * Secondary Captures.
 */
#pragma once

#include "io/dicom/element_writer.h"
#include "io/volumes/volume.h"

enum { RN_DICOM_UID = 65, RN_DICOM_MAX_LOST = 40 };

struct rn_dicom_derived_file {
    struct rn_vol volume; /* set by the caller; what it borrows stays */
    int64_t first;
    const char *class;
    char study[RN_DICOM_UID], series[RN_DICOM_UID], frame[RN_DICOM_UID];
    int bytes, colours; /* of a sample; of a pixel */
    /* of the current picture */
    struct rn_dicom_element *element;
    int n, allocated, depth;
    char text[98304]; /* values of elements */
    size_t used;      /* bytes of text */
    bool full;        /* elements or text did not suffice */
    uint8_t *file;
    size_t file_size; /* allocated bytes of file */
    /* of its source */
    struct rn_dicom_worker *worker;     /* NULL: no DICOM */
    const struct rn_dicom_file *source; /* whose elements these are; NULL: none yet */
    const uint8_t *copied;
    size_t copied_size;
    char lost[RN_DICOM_MAX_LOST][48]; /* names of elements that were left out */
    int nlost;
};

/* Returns why pictures of the volume cannot be written, to follow the name of the output: static
 * text; NULL: they can. */
const char *rn_dicom_derived_file_obstacle(const struct rn_vol *volume);

/* Begins a series. derived: zeroed but for its volume; ended by the caller in any case. first:
 * index of the first picture in the reader's input. Returns 0 or RN_EINTERNAL (logged). */
int rn_dicom_derived_file_begin(struct rn_dicom_derived_file *derived, int64_t first);

/* Names elements of the sources that the files made so far do not have, as far as size lets.
 * Returns how many names there are. */
int rn_dicom_derived_file_lost(const struct rn_dicom_derived_file *derived, char *text,
                               size_t size);

void rn_dicom_derived_file_end(struct rn_dicom_derived_file *derived);

/* Returns the bytes of a picture: interleaved colours, little endian, padded to an even number. */
size_t rn_dicom_derived_file_size(const struct rn_dicom_derived_file *derived);

/* Makes the file of a picture, valid until the next call. index: of the picture in the reader's
 * input; number: of the file in the series, from 0. Returns NULL on failure (logged). */
const uint8_t *rn_dicom_derived_file_make(struct rn_dicom_derived_file *derived, int64_t index,
                                          int64_t number, const uint8_t *pixels, size_t *size);
