/* Single DICOM files: what a header says, and is a file whole. */
#ifndef RN_IO_DICOM_FILE_H
#define RN_IO_DICOM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rn_vol_bytes;

/* What tells pictures apart that lie at one position, in the order in which they are asked. */
enum rn_dicom_mark {
    RN_DICOM_TEMPORAL, /* Temporal Position Identifier or Index */
    RN_DICOM_TRIGGER,  /* Trigger Time, or Nominal Cardiac Trigger Delay Time, ms */
    RN_DICOM_B_VALUE,  /* Diffusion b-value, s/mm2 */
    RN_DICOM_ECHO,     /* Echo Number, or Effective Echo Time */
    RN_DICOM_ACQUISITION,
    RN_DICOM_TYPE, /* of the Image Types in the files, sorted, the place of this one */
    RN_DICOM_MARKS
};

/* What each picture of a file may have of its own. In mm of the patient: to the left, to the back,
 * to the head. */
struct rn_dicom_place {
    bool has_position;
    double origin[3];         /* the middle of the first sample */
    double row[3], column[3]; /* unit vectors: to the next sample of a row, to the next row */
    double spacing[2];        /* between the samples of a row, between rows; 0 = unknown */
    double slope, intercept;  /* rescaled value = slope * stored value + intercept; else 1 and 0 */
    double mark[RN_DICOM_MARKS]; /* NAN = not given */
};

enum { RN_DICOM_TEXT = 72 };        /* room for a UID or what is said of a series; "" = not given */
enum { RN_DICOM_ATTRIBUTE = 1028 }; /* room for an attribute of derived files */

/* What the header of a file says, and how its values come out of the process that decodes. */
struct rn_dicom_header {
    int w, h, frames;
    int colours;      /* 1, or 3: R G B */
    int bits;         /* of the stored values, from the lowest bit up: 1..32 */
    int bytes;        /* of a value in memory: 1, 2 or 4 (bits > 16) */
    int pixel_bits;   /* bits of a pixel in the file, if that is not compressed */
    bool is_plain;    /* they lie in the file as in memory, where that is not compressed */
    bool is_signed;   /* two's complement */
    bool is_inverted; /* MONOCHROME1: the smallest value is white */
    bool has_number;
    long number;                 /* Instance Number */
    bool has_places;             /* each frame has its own place: rn_dicom_describe gives them */
    struct rn_dicom_place place; /* of the only picture, or what its frames share */
    double thickness, between;   /* Slice Thickness, Spacing Between Slices; mm; 0 = unknown */
    double window[2];            /* Window Center and Width, of rescaled values; 0 0 = none */
    bool has_modality_table, has_voi_table;
    bool is_tabled;               /* values are what the Modality LUT makes of the stored ones */
    char unit[16];                /* of rescaled values: HU, BQML, GY...; "" = unknown */
    char series[RN_DICOM_TEXT];   /* Series Instance UID */
    char instance[RN_DICOM_TEXT]; /* SOP Instance UID */
    char type[RN_DICOM_TEXT];     /* Image Type */
    char modality[RN_DICOM_TEXT];
    char description[RN_DICOM_TEXT]; /* of the series */
};

enum rn_dicom_result {
    RN_DICOM_UNREADABLE,
    RN_DICOM_OK,
    RN_DICOM_NO_PICTURE, /* a report, a structure set... */
    RN_DICOM_DIRECTORY,  /* a DICOMDIR, which names files */
};

/* What a file says that a derived one says too: source_attributes.h. */
struct rn_dicom_attribute {
    int key; /* in rn_dicom_keys */
    char value[RN_DICOM_ATTRIBUTE];
};

struct rn_dicom_entry {
    enum rn_dicom_result result;
    struct rn_dicom_header header; /* valid if RN_DICOM_OK */
    struct rn_dicom_attribute attribute;
    char why[120]; /* otherwise the reason, to follow the name of the file */
};

/* Takes what a description has beside the entry: for each frame, if the header has_places, its
 * place in part->header; for each file that a directory names, part->why: the names of its folders
 * and its own, between backslashes; for attributes, part->attribute. */
typedef void rn_dicom_part(void *arg, const struct rn_dicom_entry *part);

/* Bytes of a frame, and of all frames of a file. */
size_t rn_dicom_frame_size(const struct rn_dicom_header *header);
size_t rn_dicom_size(const struct rn_dicom_header *header);

/* Does the file hold all elements whole? True for what cannot be told: deflated files, those in a
 * manufacturer's own transfer syntax, and those without the signature of a DICOM file. */
bool rn_dicom_is_complete(const char *path);

/* Can the file hold as many frames as its header says? A file that was cut off could, before. */
bool rn_dicom_can_hold(const char *path, const struct rn_dicom_header *header);

/* Where the Pixel Data of a file lie. */
struct rn_dicom_pixel_data {
    int64_t at;
    int64_t size; /* bytes, of what is not compressed */
    bool is_compressed;
    bool is_big;        /* big endian */
    int64_t table;      /* the Extended Offset Table, and its bytes: 0 = none */
    int64_t table_size; /* may be anything */
};

/* Finds them in a file that is open for reading, which stays the caller's. *bytes is for reading
 * them from their places, as long as the file is open: what a deflated one unpacks to; then the
 * caller's to close. Returns false if there are none, or none can be found: *bytes is NULL. */
bool rn_dicom_find_pixels(int fd, struct rn_dicom_pixel_data *pixels, struct rn_vol_bytes **bytes);

/* GDCM writes a little beyond the end of the pixels that it decodes: so much is there for it. */
#define RN_DICOM_PADDING 64

#ifdef __cplusplus
}
#endif

#endif
