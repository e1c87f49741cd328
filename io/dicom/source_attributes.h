/* What a DICOM file says that files derived from it say too: whose it is, of which study, in which
 * frame of reference, by which equipment. Of each key here the value is fetched by the process
 * that reads DICOM (worker.h), as the bytes that stand there; nobody else looks into them. */
#ifndef RN_IO_DICOM_SOURCE_ATTRIBUTES_H
#define RN_IO_DICOM_SOURCE_ATTRIBUTES_H

#include "io/dicom/attribute_keys.h"
#include "io/dicom/stacks.h"

/* Where derived pictures come from: of a reader, which owns it. */
struct rn_dicom_source_attributes {
    char (*value)[RN_DICOM_ATTRIBUTE]; /* of each key; "" = none */
    const struct rn_dicom_pictures *pictures;
};

/* Fetches what the first of the pictures says. pictures: borrowed. A file that does not say it is
 * no failure. Returns 0 or RN_EINTERNAL (logged). attributes: zeroed before. */
int rn_dicom_source_attributes_read(struct rn_dicom_source_attributes *attributes,
                                    struct rn_dicom_worker *worker,
                                    const struct rn_dicom_pictures *pictures);
void rn_dicom_source_attributes_free(struct rn_dicom_source_attributes *attributes);

/* The value of a key; "" = none. attributes may be NULL. */
const char *rn_dicom_source_attributes_get(const struct rn_dicom_source_attributes *attributes,
                                           unsigned group, unsigned element);

/* Do the pictures lie somewhere? Each has its own place then, also where they are in no grid. */
bool rn_dicom_source_attributes_is_placed(const struct rn_dicom_source_attributes *attributes);

#endif
