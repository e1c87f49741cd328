/* SPDX-License-Identifier: MIT */
/* Attributes of a DICOM source that derived files refer to: study, series, frame of reference. (All
 * others are copied without a look, see rn_dicom_copy.) The decoder process (worker.h) reads each
 * key as raw bytes, which nothing else interprets. */
#pragma once

#include "io/dicom/stacks.h"

/* The source of derived pictures. Owned by the reader. */
struct rn_dicom_source_attributes {
    char (*value)[RN_DICOM_ATTRIBUTE]; /* of each key; "" = none */
    const struct rn_dicom_pictures *pictures;
};

/* Reads the attributes of the first picture. pictures: borrowed. attributes: zeroed by the caller.
 * A file without them is no failure. Returns 0 or RN_EINTERNAL (logged). The caller frees value. */
int rn_dicom_source_attributes_read(struct rn_dicom_source_attributes *attributes,
                                    struct rn_dicom_worker *worker,
                                    const struct rn_dicom_pictures *pictures);

/* The value of a key; "" = none. attributes may be NULL. */
const char *rn_dicom_source_attributes_get(const struct rn_dicom_source_attributes *attributes,
                                           uint32_t tag);

/* Returns true if pictures have positions: each its own, also if they form no grid. */
bool rn_dicom_source_attributes_is_placed(const struct rn_dicom_source_attributes *attributes);
