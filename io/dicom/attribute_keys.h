/* The attributes that derived DICOM files copy from their source. */
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
    bool always; /* type 2: required, may be empty */
};

/* Texts of the main data set, sorted by tag. SOP Class UID is read, but not copied. */
extern const struct rn_dicom_key rn_dicom_keys[];
extern const int rn_dicom_keys_n;

#ifdef __cplusplus
}
#endif

#endif
