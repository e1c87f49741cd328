/* SPDX-License-Identifier: MIT */
/* Single DICOM files: the fields of a header, and whether a file is complete. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rn_vol_bytes;

/* Attributes that tell pictures at one position apart; the first that does is used. */
enum rn_dicom_mark {
    RN_DICOM_TEMPORAL, /* Temporal Position Identifier or Index */
    RN_DICOM_TRIGGER,  /* Trigger Time, or Nominal Cardiac Trigger Delay Time, ms */
    RN_DICOM_B_VALUE,  /* Diffusion b-value, s/mm2 */
    RN_DICOM_ECHO,
    RN_DICOM_ECHO_TIME, /* Echo Time, or Effective Echo Time, ms */
    RN_DICOM_ACQUISITION,
    RN_DICOM_ACQUISITION_TIME, /* s, from any moment */
    RN_DICOM_TYPE,             /* index among the sorted Image Types of all files */
    RN_DICOM_MARKS
};

/* The position, scale and marks of a picture. In mm of the patient: to the left, back and head. */
struct rn_dicom_place {
    bool has_position;
    double origin[3];         /* the centre of the first sample */
    double row[3], column[3]; /* unit vectors: to the next sample of a row, to the next row */
    double spacing[2];        /* between the samples of a row, between rows; 0 = unknown */
    double slope, intercept;  /* rescaled value = slope * stored value + intercept; else 1 and 0 */
    double mark[RN_DICOM_MARKS]; /* NAN = not given */
};

/* The unit vector across the picture: row x column. */
static inline void rn_dicom_normal(const struct rn_dicom_place *place, double normal[3])
{
    for (int i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3)
        normal[i] = place->row[j] * place->column[k] - place->row[k] * place->column[j];
}

enum { RN_DICOM_TEXT = 72 }; /* size of a UID or a text of a series; "" = not given */

/* Texts of the main data set that derived files refer to. (All other attributes are copied without
 * a look, see rn_dicom_copy.) */
enum rn_dicom_source_text {
    RN_DICOM_CLASS, /* SOP Class UID */
    RN_DICOM_STUDY, /* Study Instance UID */
    RN_DICOM_FRAME, /* Frame of Reference UID */
    RN_DICOM_UIDS,
    RN_DICOM_SERIES_NUMBER = RN_DICOM_UIDS,
    RN_DICOM_SERIES_DESCRIPTION,
    RN_DICOM_DERIVATION, /* Derivation Description */
    RN_DICOM_SOURCE_TEXTS
};

enum { RN_DICOM_SOURCE_TEXT = 1028 }; /* size of one; "" = not given, longer or unsound */

typedef char rn_dicom_source_texts[RN_DICOM_SOURCE_TEXTS][RN_DICOM_SOURCE_TEXT];

/* The header of a file, and the format of the values that the decoder process returns. */
struct rn_dicom_header {
    int w, h, frames;
    int mosaic;       /* frames are tiles of one picture, so many in a row of it; else 0 */
    int colours;      /* 1, or 3: R G B */
    int bits;         /* of the stored values, from the lowest bit up: 1..32 */
    int bytes;        /* of a value in memory: 1, 2 or 4 (bits > 16) */
    int pixel_bits;   /* bits of a pixel in an uncompressed file */
    bool is_plain;    /* an uncompressed file has them as memory does */
    bool is_signed;   /* two's complement */
    bool is_inverted; /* MONOCHROME1: the smallest value is white */
    bool has_number;
    long number;                 /* Instance Number */
    bool has_places;             /* each frame has its own; rn_dicom_describe passes them */
    struct rn_dicom_place place; /* of the only picture, or shared by all frames */
    double thickness, between;   /* Slice Thickness, Spacing Between Slices; mm; 0 = unknown */
    double time_step;            /* Temporal Resolution; ms; 0 = unknown */
    double window[2];            /* Window Center and Width, of rescaled values; 0 0 = none */
    bool has_modality_table, has_voi_table;
    bool is_tabled;               /* the Modality LUT was applied to the values */
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

struct rn_dicom_entry {
    enum rn_dicom_result result;
    struct rn_dicom_header header; /* valid if RN_DICOM_OK */
    rn_dicom_source_texts source;  /* likewise */
    char why[120];                 /* the reason if not, to follow the name of the file */
};

/* Receives the parts of a description: part->header.place of each frame, if the header has_places;
 * or part->why with the path of each file that a DICOMDIR names (separated by backslashes). */
typedef void rn_dicom_part(void *arg, const struct rn_dicom_entry *part);

/* Bytes of a frame, and of all frames of a file. */
static inline size_t rn_dicom_frame_size(const struct rn_dicom_header *h)
{
    return (size_t)h->w * (size_t)h->h * (size_t)h->colours * (size_t)h->bytes;
}
static inline size_t rn_dicom_size(const struct rn_dicom_header *h)
{
    return rn_dicom_frame_size(h) * (size_t)h->frames;
}

/* The same with the picture that is stored where frames are tiles of it. */
static inline struct rn_dicom_header rn_dicom_as_stored(const struct rn_dicom_header *header)
{
    struct rn_dicom_header stored = *header;
    if (header->mosaic) {
        stored.w *= header->mosaic;
        stored.h *= header->mosaic;
        stored.frames = 1;
    }
    return stored;
}

/* Pixel Data behind the frames that a header counts. */
struct rn_dicom_surplus {
    int64_t bytes;
    int64_t frame; /* bytes of a counted frame, on average */
};

/* Returns false if the file ends within an element. Returns true for files that cannot be checked:
 * deflated, in a private transfer syntax, or without the DICM signature. */
bool rn_dicom_is_complete(const char *path, const struct rn_dicom_header *header,
                          struct rn_dicom_surplus *surplus);

/* Returns false if a whole file of this size cannot hold the frames that its header says. */
bool rn_dicom_can_hold(const char *path, const struct rn_dicom_header *header);

/* Where the Pixel Data of a file are. */
struct rn_dicom_pixel_data {
    int64_t at;
    int64_t size; /* bytes, if uncompressed */
    bool is_compressed;
    bool is_big;        /* big endian */
    int64_t table;      /* offset and bytes of the Extended Offset Table; 0 = none */
    int64_t table_size; /* unchecked */
};

/* Finds the Pixel Data of an open file, which stays the caller's. *bytes reads at their offsets (in
 * a deflated file: offsets after inflating) as long as the file is open; the caller closes it.
 * Returns false if there are none; *bytes is NULL then. */
bool rn_dicom_find_pixels(int fd, struct rn_dicom_pixel_data *pixels, struct rn_vol_bytes **bytes);

/* GDCM writes up to this many bytes beyond the end of decoded pixels. */
#define RN_DICOM_PADDING 64

#ifdef __cplusplus
}
#endif
