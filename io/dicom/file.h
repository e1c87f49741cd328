/* Single DICOM files: what a header says, and is a file whole. */
#ifndef RN_DICOM_FILE_H
#define RN_DICOM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the header of a file says. */
struct rn_dicom_header {
    int w, h, frames;
    int colours;             /* 1, or 3: R G B */
    int bits;                /* of the stored values, from the lowest bit up: 1..16 */
    int bytes;               /* of a value in memory: 1 or 2 */
    bool is_signed;          /* two's complement */
    bool is_inverted;        /* MONOCHROME1: the smallest value is white */
    double slope, intercept; /* rescaled value = slope * stored value + intercept; else 1 and 0 */
    bool has_position;
    double position; /* mm along the normal of the picture, in patient coordinates */
    double normal[3];
    bool has_number;
    long number;             /* Instance Number */
    double pixel_w, pixel_h; /* mm; 0 = unknown */
    char series[72];         /* Series Instance UID, "" = unknown */
};

enum rn_dicom_result {
    RN_DICOM_UNREADABLE,
    RN_DICOM_OK,
    RN_DICOM_NO_PICTURE, /* a directory, a report, a structure set... */
};

struct rn_dicom_entry {
    enum rn_dicom_result result;
    struct rn_dicom_header header; /* valid if RN_DICOM_OK */
    char why[120];                 /* otherwise the reason, to follow the name of the file */
};

/* Bytes of all frames of a file. */
size_t rn_dicom_size(const struct rn_dicom_header *header);

/* Does the file hold all elements whole? True for what cannot be told: deflated files, those in a
 * manufacturer's own transfer syntax, and those without the signature of a DICOM file. */
bool rn_dicom_is_complete(const char *path);

/* Can the file hold as many frames as its header says? A file that was cut off could, before. */
bool rn_dicom_can_hold(const char *path, const struct rn_dicom_header *header);

/* GDCM writes a little beyond the end of the pixels that it decodes: so much is there for it. */
#define RN_DICOM_PADDING 64

#ifdef __cplusplus
}
#endif

#endif
