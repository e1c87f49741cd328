/* What a DICOM file says that files derived from it say too: whose it is, of which study, in which
 * frame of reference, by which equipment. Of each key here the value is fetched by the process
 * that reads DICOM (worker.h), as the bytes that stand there; nobody else looks into them. */
#ifndef RN_IO_DICOM_CARRIED_H
#define RN_IO_DICOM_CARRIED_H

#include "io/dicom/stacks.h"

#ifdef __cplusplus
extern "C" {
#endif

struct rn_dicom_key {
    uint16_t group, element;
    char vr[3];
    bool always; /* type 2: it has to be there, if need be empty */
};

/* Texts of the main data set, by their tags. SOP Class UID is the source's, and of another name. */
extern const struct rn_dicom_key rn_dicom_keys[];
extern const int rn_dicom_keys_n;

/* Where derived pictures come from: of a reader, which owns it. */
struct rn_dicom_carried {
    char (*value)[RN_DICOM_CARRIED]; /* of each key; "" = none */
    const struct rn_dicom_pictures *pictures;
};

/* Fetches what the first of the pictures says. pictures: borrowed. A file that does not say it is
 * no failure. Returns 0 or RN_EINTERNAL (logged). carried: zeroed before. */
int rn_dicom_carried_read(struct rn_dicom_carried *carried, struct rn_dicom_worker *worker,
                          const struct rn_dicom_pictures *pictures);
void rn_dicom_carried_free(struct rn_dicom_carried *carried);

/* The value of a key; "" = none. carried may be NULL. */
const char *rn_dicom_carried_get(const struct rn_dicom_carried *carried, unsigned group,
                                 unsigned element);

/* Do the pictures lie somewhere? Each has its own place then, also where they are in no grid. */
bool rn_dicom_carried_is_placed(const struct rn_dicom_carried *carried);

#ifdef __cplusplus
}
#endif

#endif
