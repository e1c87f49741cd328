/* The attributes of a DICOM file that files derived from it have too. */
#ifndef RN_IO_DICOM_ATTRIBUTE_KEYS_H
#define RN_IO_DICOM_ATTRIBUTE_KEYS_H

#include <stdbool.h>
#include <stdint.h>

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

#ifdef __cplusplus
}
#endif

#endif
