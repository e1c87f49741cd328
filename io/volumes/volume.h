/* A volume: what a scan is beside its samples. Every reader of scans fills one description, and
 * every writer that has a place for it writes it; what a writer has no place for is a line of the
 * loss report.
 *
 * Places are in millimetres in the patient's coordinates of DICOM and ITK: x towards the left, y
 * towards the back, z towards the head (LPS). Readers of formats that turn axes (NIfTI: RAS)
 * convert. */
#ifndef RN_IO_VOLUMES_VOLUME_H
#define RN_IO_VOLUMES_VOLUME_H

#include <libavutil/pixfmt.h>

#include "filters/base/image.h"

/* What is counted from picture to picture. The colours of one picture are no channels. */
enum rn_vol_axis { RN_AXIS_SLICE, RN_AXIS_CHANNEL, RN_AXIS_TIME, RN_AXES };

#define RN_MADE_BY_SIZE 1024

struct rn_dicom_source_attributes; /* io/dicom/source_attributes.h */

struct rn_vol {
    struct rn_format fmt;                 /* of the pictures, as the reader gives them */
    int w, h;                             /* of a picture */
    int64_t n[RN_AXES];                   /* slices, channels, points in time; each >= 1 */
    enum rn_vol_axis axis_order[RN_AXES]; /* the fastest first */
    const int64_t *file_index[RN_AXES];   /* in the file, from 0; the reader's; NULL: all */
    double spacing[3];      /* mm from column to column, row to row, slice to slice; 0: unknown */
    double interval;        /* seconds from one point in time to the next; 0: unknown */
    bool placed;            /* origin and direction are known */
    double origin[3];       /* mm: the middle of the first sample */
    double direction[3][3]; /* unit vectors along rows, columns, slices */
    /* The origin of each slice if they form no grid (not placed); direction is known then. Owned
     * by the reader. NULL: unknown. */
    const double (*origins)[3];
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
    bool moved; /* its pictures were cropped, turned or scaled since they were read */
    const struct rn_dicom_source_attributes *source_attributes; /* the reader's; NULL: no DICOM */
};

/* Makes one of n slices of unknown place, of pictures of geom. */
void rn_vol_init(struct rn_vol *v, const struct rn_geom *geom, int64_t n);

/* How many pictures it has. */
int64_t rn_vol_pictures(const struct rn_vol *v);

/* Adds a step to made_by: what a program did ("NAME VERSION: FILTERS"). One without filters adds
 * nothing behind another one, and steps without filters that the text has already are left out.
 * Where they do not fit the oldest are left out, and "..." stands for them. */
void rn_vol_add_step(struct rn_vol *v, const char *step);

/* Where picture i stands, by its slice, channel and time from 0. */
void rn_vol_at(const struct rn_vol *v, int64_t i, int64_t at[RN_AXES]);

/* The axis along which the pictures of a stack follow each other: slices of one channel and point
 * in time. Where there is one slice, as in a film: points in time of one channel. */
enum rn_vol_axis rn_vol_along(const struct rn_vol *v);

/* Makes it the volume of pictures first..first + n - 1. Where slices are left out at the beginning
 * its origin moves. Returns false if these are no whole channels and points in time: they count as
 * slices then, and the place is unknown. */
bool rn_vol_cut(struct rn_vol *v, int64_t first, int64_t n);

/* Do pictures first..first + n - 1 belong to more than one channel or point in time? Those that
 * only follow each other in time do not, as those of a film. n <= 0: all from first on. */
bool rn_vol_mixes(const struct rn_vol *v, int64_t first, int64_t n);

/* Sets the place from the vectors between neighbours: column[i] is where one step along axis i
 * leads, in mm. Sets spacing too. Vectors of no length, or not at right angles, are no directions:
 * returns false, and only spacing is set. */
bool rn_vol_place(struct rn_vol *v, const double column[3][3], const double origin[3]);

/* What of it is known beside sizes and samples, for people: "spacing, its place and orientation";
 * "": nothing. */
void rn_vol_tell(const struct rn_vol *v, char *text, size_t size);

/* The geometry of its pictures. */
void rn_vol_geom(const struct rn_vol *v, struct rn_geom *geom);

/* Sets low and high of floats by n of them: 0 and 1 if they all lie between, else the smallest and
 * the largest. Without two different finite numbers nothing is set. */
void rn_vol_look(struct rn_vol *v, const float *sample, size_t n);

/* How many mm the unit of length is that text names (mm, um, cm, inch...); 0: it is none. */
double rn_vol_unit_mm(const char *text);

/* A rescaled value as a sample, and back. */
double rn_vol_rescale_undo(const struct rn_rescale *r, double value);
double rn_vol_rescale_apply(const struct rn_rescale *r, double sample);

/* ---- how samples are stored */

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

/* Bytes of a sample. */
int rn_vol_sample_type_bytes(enum rn_vol_sample_type type);

/* What they are. */
enum rn_number rn_vol_sample_type_number(enum rn_vol_sample_type type);

/* Their name as NumPy has it: uint8, int16, float64... */
const char *rn_vol_sample_type_name(enum rn_vol_sample_type type);

/* The type that a format calls so: its names of each type have commas between them. False: it has
 * no such name. */
bool rn_vol_sample_type_find(const char *const names[RN_STORED_TYPES], const char *name,
                             enum rn_vol_sample_type *type);

/* The type in which samples of fmt are written. */
enum rn_vol_sample_type rn_vol_sample_type_of(const struct rn_format *fmt);

/* The format that keeps all values of the type: 8 and 16 bits, signed 16, or float. comps: 1 gray,
 * 2 with alpha, 3 RGB, 4 with alpha. Gray with alpha as floats has no pixel format: false. */
bool rn_vol_sample_type_format(enum rn_vol_sample_type type, int comps, struct rn_format *fmt);

/* The pixel format of frames that carry fmt: packed, but of floats planar. Signed samples travel
 * as the same bits of unsigned ones, the parts of complex ones in the first two planes of RGB. */
enum AVPixelFormat rn_vol_pixfmt(const struct rn_format *fmt);

/* What loading samples came upon. */
enum { RN_LOAD_ROUNDED = 1, RN_LOAD_TOO_LARGE = 2 };

/* Converts n samples at from, step bytes apart, to samples of
 * rn_vol_sample_type_format at to, to_step samples apart. swapped: not of the machine's endianness.
 * Returns a mask: a double was rounded; a whole number needs more than the 24 bits of a float. */
unsigned rn_vol_samples_load(enum rn_vol_sample_type type, bool swapped, const uint8_t *from,
                             size_t step, size_t n, void *to, size_t to_step);

/* Are stored samples those of rn_vol_sample_type_format byte by byte? */
bool rn_vol_sample_type_is_native(enum rn_vol_sample_type type, bool swapped);

/* Row y of a picture of gray or RGB as pixels: R G B A, or gray and alpha, each with all samples of
 * its own. to: room for one row; not used where there is one plane. Returns to, or the plane's
 * row. */
const uint8_t *rn_vol_pixels_row(const struct rn_image *img, int y, uint8_t *to);

/* A half float as a float. */
float rn_vol_half_to_float(uint16_t half);

#endif
