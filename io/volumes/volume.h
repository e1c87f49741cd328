/* SPDX-License-Identifier: MIT */
/* Describes a volume: all of a scan but its samples. Every reader of scans fills it, and every
 * writer stores what its format has a place for; the rest becomes a line of the loss report.
 *
 * Positions are in mm in the patient coordinates of DICOM and ITK (LPS): x to the left, y to the
 * back, z to the head. Readers of formats with other axes (NIfTI: RAS) convert. */
#pragma once

#include <libavutil/pixfmt.h>

#include "filters/base/image.h"

/* The axes along which pictures are counted. Colours of a picture are not channels. */
enum rn_vol_axis { RN_AXIS_SLICE, RN_AXIS_CHANNEL, RN_AXIS_TIME, RN_AXES };

#define RN_MADE_BY_SIZE 1024

struct rn_dicom_source_attributes; /* io/dicom/series_internal.h */
struct rn_vol_fields;              /* io/volumes/fields.h */

struct rn_vol {
    struct rn_format fmt;                 /* of the pictures, as the reader gives them */
    int w, h;                             /* of a picture */
    int64_t n[RN_AXES];                   /* slices, channels, points in time; each >= 1 */
    enum rn_vol_axis axis_order[RN_AXES]; /* the fastest first */
    const int64_t *file_index[RN_AXES];   /* in the file, from 0; the reader's; NULL: all */
    double spacing[3];      /* mm from column to column, row to row, slice to slice; 0: unknown */
    char length_unit[24];   /* of the input's header, as rn_vol_unit_mm takes it; "": mm */
    double interval;        /* seconds from one point in time to the next; 0: unknown */
    bool placed;            /* origin and direction are known */
    double origin[3];       /* mm: the middle of the first sample */
    double direction[3][3]; /* unit vectors along rows, columns, slices; of any angle: a tilted
                             * gantry shears the slices */
    /* The origin of each slice if they form no grid (not placed); direction is known then. Owned
     * by the reader. NULL: unknown. */
    const double (*origins)[3];
    double shift[3]; /* mm, to be added to each of origins: pictures were cropped or turned */
    /* A second place that a header gives (NIfTI: its qform beside its sform). */
    bool placed_twice;
    double other_origin[3];    /* mm */
    double other_column[3][3]; /* mm: one step along rows, columns, slices */
    struct {
        int version; /* of the header; 0: the input is no NIfTI */
        int dims;    /* dim[0] */
        int units;   /* xyzt_units */
        bool only_sform, only_qform;
    } nifti;
    struct rn_rescale rescale;     /* what samples measure */
    bool windowed;                 /* window is known */
    double window[2];              /* rescaled values to be shown black and white */
    bool ranged;                   /* low and high are known: RN_NUMBER_FLOAT */
    double low, high;              /* samples that are black and white */
    bool scan;                     /* as in rn_geom */
    int stored_bits;               /* of a sample in the input; 0: as in fmt */
    enum rn_number stored_number;  /* whether these bits are unsigned, signed or float */
    bool white_is_zero;            /* in the input; here black is 0 */
    char made_by[RN_MADE_BY_SIZE]; /* the programs and filters that made it; "" = unknown */
    unsigned changed;              /* since it was read: bits of io/volumes/fields.h */
    struct rn_vol_fields *fields;  /* what else its header says; the reader's; NULL: nothing */
    const struct rn_dicom_source_attributes *source_attributes; /* the reader's; NULL: no DICOM */
};

/* Initializes a volume of n slices of geom with unknown position. */
void rn_vol_init(struct rn_vol *v, const struct rn_geom *geom, int64_t n);

/* Returns the number of pictures. */
static inline int64_t rn_vol_pictures(const struct rn_vol *v)
{
    return v->n[RN_AXIS_SLICE] * v->n[RN_AXIS_CHANNEL] * v->n[RN_AXIS_TIME];
}

/* Adds a step to made_by: what a program did ("NAME VERSION: FILTERS"). Steps of this program
 * without filters are dropped, unless they would be the only one. If the text gets too long, "..."
 * replaces the oldest steps. */
void rn_vol_add_step(struct rn_vol *v, const char *step);

/* Sets at to the slice, channel and time of picture i, from 0. */
void rn_vol_at(const struct rn_vol *v, int64_t i, int64_t at[RN_AXES]);

/* Returns the seconds from the file's first point in time to one of v, from 0; 0: no interval. */
double rn_vol_seconds(const struct rn_vol *v, int64_t time);

/* Returns the axis of a stack: slices; times if there is only one slice, as in a film. */
static inline enum rn_vol_axis rn_vol_along(const struct rn_vol *v)
{
    return v->n[RN_AXIS_SLICE] > 1 ? RN_AXIS_SLICE : RN_AXIS_TIME;
}

/* Reduces v to pictures first..first + n - 1, and moves the origin past skipped slices. Returns
 * false if these are not whole channels and times: they become slices then, with unknown position.
 */
bool rn_vol_cut(struct rn_vol *v, int64_t first, int64_t n);

/* Sets position and spacing. column[i]: the vector of one step along axis i, in mm. If the vectors
 * do not span space, sets only spacing and returns false. */
bool rn_vol_place(struct rn_vol *v, const double column[3][3], const double origin[3]);

static inline double rn_vol_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Returns the determinant of three vectors. */
double rn_vol_determinant(const double a[3][3]);

/* Returns true if the axes of a placed volume are at right angles to each other. */
bool rn_vol_is_orthogonal(const struct rn_vol *v);

/* Follows pictures that were cropped, turned or scaled to w x h: their pixel (x, y) lies where the
 * former pictures have the pixel first + x right + y down, of which right and down are along rows
 * or columns. The caller sets the bits of changed. */
void rn_vol_regrid(struct rn_vol *v, int w, int h, const double first[2], const double right[2],
                   const double down[2]);

/* Describes for messages what is known beside sizes and samples: "its spacing, its window"; or "".
 */
void rn_vol_describe(const struct rn_vol *v, char *text, size_t size);

/* Sets geom to that of the pictures. */
void rn_vol_geom(const struct rn_vol *v, struct rn_geom *geom);

/* Returns the mm of a unit of length (mm, um, cm, inch...); 0: not a unit. */
double rn_vol_unit_mm(const char *text);

/* Returns the seconds of a unit of time (s, sec, ms, min...); 0: not a unit. */
double rn_vol_unit_seconds(const char *text);

/* Convert a rescaled value to a sample, and back. */
static inline double rn_vol_rescale_undo(const struct rn_rescale *r, double value)
{
    return r->slope != 0 ? (value - r->intercept) / r->slope : value;
}
static inline double rn_vol_rescale_apply(const struct rn_rescale *r, double sample)
{
    return r->slope != 0 ? r->slope * sample + r->intercept : sample;
}

/* ---- types of stored samples */

enum rn_vol_sample_type {
    RN_STORED_U8,
    RN_STORED_S8,
    RN_STORED_U16,
    RN_STORED_S16,
    RN_STORED_U32,
    RN_STORED_S32,
    RN_STORED_U64,
    RN_STORED_S64,
    RN_STORED_F16,
    RN_STORED_F32,
    RN_STORED_F64,
    RN_STORED_TYPES
};

extern const struct rn_vol_sample_info {
    const char *name; /* in NumPy: uint8, int16, float64... */
    int bytes;
    enum rn_number number;
} rn_vol_sample_types[RN_STORED_TYPES];

/* Finds a type by its name in a format. names: for each type, separated by commas. False: none. */
bool rn_vol_sample_type_find(const char *const names[RN_STORED_TYPES], const char *name,
                             enum rn_vol_sample_type *type);

/* Returns the type in which samples of fmt are written. */
enum rn_vol_sample_type rn_vol_sample_type_of(const struct rn_format *fmt);

/* Sets fmt to the format that keeps all values of the type: 8 or 16 bits, signed 16, or float.
 * comps: 1 gray, 2 with alpha, 3 RGB, 4 with alpha. False: gray with alpha as floats has none. */
bool rn_vol_sample_type_format(enum rn_vol_sample_type type, int comps, struct rn_format *fmt);

/* Returns the pixel format of frames that carry fmt: packed; floats planar. Signed samples are
 * carried as unsigned bits, parts of complex samples in the first two planes of RGB. */
enum AVPixelFormat rn_vol_pixfmt(const struct rn_format *fmt);

/* Problems that rn_vol_samples_load found. */
enum { RN_LOAD_ROUNDED = 1, RN_LOAD_TOO_LARGE = 2 };

/* Converts n samples, `step` bytes apart, to those of rn_vol_sample_type_format, to_step samples
 * apart. swapped: not in the machine's endianness. Returns a mask: a double was rounded; an integer
 * needs more than the 24 bits of a float. */
unsigned rn_vol_samples_load(enum rn_vol_sample_type type, bool swapped, const uint8_t *from,
                             size_t step, size_t n, void *to, size_t to_step);

/* Returns the number that is stored as a sample of the type. */
double rn_vol_sample_value(enum rn_vol_sample_type type, const uint8_t *from, bool is_big_endian);

/* Stores a number as a sample of the type, in the machine's endianness. False: a type of whole
 * numbers does not hold it. */
bool rn_vol_sample_store(enum rn_vol_sample_type type, double value, uint8_t to[8]);

/* Returns true if stored bytes are those of rn_vol_sample_type_format. */
bool rn_vol_sample_type_is_native(enum rn_vol_sample_type type, bool swapped);

/* Returns row y of a gray or RGB picture as packed pixels (R G B A, or gray and alpha): in `to`,
 * which holds a row, or in the picture if it has one plane. */
const uint8_t *rn_vol_pixels_row(const struct rn_image *img, int y, uint8_t *to);

float rn_vol_half_to_float(uint16_t half);
