/* SPDX-License-Identifier: MIT */
/* Pixel formats, the geometry of a stream of pictures, and pictures in host memory.
 *
 * runnel computes on planes of one component each. A sample is an unsigned integer of 8 to 16 bits
 * (1 byte at depth 8, 2 bytes above, the value in the low bits), a signed integer of 16 bits (two's
 * complement) or a float of 32 bits, native endian. Planes are in FFmpeg's order: gray; Y U V; G B
 * R; alpha, if any, last; of complex samples the real and imaginary part. io converts all else.
 * Brings the C library's mathematics. */
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters/base/api.h"

RN_API_BEGIN

#define RN_MAX_PLANES 4
#define RN_MAX_SIDE   65535 /* largest width or height */

enum rn_model { RN_GRAY, RN_YUV, RN_RGB };

/* Storage type of a sample; kernels are built once per type. */
enum rn_sample { RN_SAMPLE_U8, RN_SAMPLE_U16, RN_SAMPLE_S16, RN_SAMPLE_F32, RN_SAMPLES };

/* What the bits of a sample mean. Signed and float samples are those of scans: gray or RGB. */
enum rn_number { RN_NUMBER_UNSIGNED, RN_NUMBER_SIGNED, RN_NUMBER_FLOAT };

struct rn_format {
    enum rn_model model;
    int depth;        /* bits per sample: 8..16; RN_NUMBER_SIGNED: 16; RN_NUMBER_FLOAT: 32 */
    int sub_x, sub_y; /* log2 of the chroma subsampling; 0 unless RN_YUV */
    bool alpha;       /* one more plane, of full size: alpha */
    enum rn_number number;
    bool complex; /* RN_GRAY of floats: two planes, the real and the imaginary part */
};

/* Coefficients of the Y'CbCr matrix. */
enum rn_colour_matrix { RN_BT601, RN_BT709, RN_BT2020 };

/* What samples of a scan measure: rescaled value = slope * sample + intercept, in the unit. */
struct rn_rescale {
    double slope, intercept; /* slope 0: the samples themselves */
    char unit[16];           /* HU, mm, ...; "" = none */
};

/* The properties that all pictures of a stream share. */
struct rn_geom {
    size_t size; /* RN_SIZED(struct rn_geom) */
    struct rn_format fmt;
    int w, h;                     /* of the first plane, in pixels; >= 1 */
    enum rn_colour_matrix matrix; /* RN_YUV only */
    bool full_range;              /* black is 0, white the largest value; always true for RN_RGB */
    /* RN_NUMBER_FLOAT only: the range that the input declares, low < high. Histograms cover it, and
     * its ends are black and white; samples may lie outside. */
    float low, high;
    bool scan; /* levels are given in the samples' own values or their unit, not in 8-bit units */
    struct rn_rescale rescale; /* of a scan */
    double spacing[3]; /* of a scan, in mm: from column to column, row to row, slice to slice; 0:
                        * not known */
    bool several;      /* of a scan: it has several channels or points in time */
    int turns; /* of these: pictures of so many stacks take turns, so that the one before in its
                * stack came so many frames earlier; 0 counts as 1 */
};

struct rn_plane {
    uint8_t *data;    /* first sample of the first row */
    ptrdiff_t stride; /* bytes from row to row */
    int w, h;         /* samples */
};

/* A picture in host memory. The planes are borrowed: whoever makes the image says who owns them. */
struct rn_image {
    struct rn_geom geom;
    struct rn_plane plane[RN_MAX_PLANES];
};

/* What travels with a picture from the source to the sink. */
struct rn_io_frame_data; /* private to the source and the sink; all others pass it on */
struct rn_frame {
    int64_t index;    /* the picture's number in the input, from 0; it rises */
    bool about;       /* index is a guess: nothing depends on it */
    int64_t pts;      /* in the stream's time base */
    int64_t duration; /* likewise; 0 if unknown */
    double time;      /* pts in seconds */
    double start;     /* seconds of the input in front of time 0: what --from left out */
    struct rn_io_frame_data *data; /* owned by the frame until the sink takes it; may be NULL */
    bool by_field; /* its even and its odd lines are filtered one by one: runner.h */
    bool first;    /* of a scan: the picture before in its stack does not exist, or was not read */
    int64_t channel, moment; /* which, as --channel and --time count; 0 unless rn_geom.several */
    bool located;            /* of a scan: z_mm is known */
    double z_mm;             /* where the slice lies along the normal of its rows and columns */
    bool timed;              /* of a scan of several points in time: time_s is known */
    double time_s;           /* since the first of them, by the scan's own step */
};

/* Whether pictures can have this geometry: sides, depth, model and numbers that exist. Returns 0 or
 * RN_EUSAGE (logged). The functions below, which filters call for every sample, take a geometry or
 * a format that it accepts and do not look again. */
int rn_geom_check(const struct rn_geom *geom);

/* Number of planes: 1..4. */
int rn_format_planes(const struct rn_format *fmt);

/* Bytes per sample: 1, 2 or 4. */
int rn_format_bytes(const struct rn_format *fmt);

/* The storage type of the samples, and the bytes per sample of a type. */
enum rn_sample rn_format_sample(const struct rn_format *fmt);
int rn_sample_bytes(enum rn_sample sample);

/* Smallest and largest value of an integer sample: 0 and 2^depth - 1; RN_NUMBER_SIGNED: -2^15 and
 * 2^15 - 1. Not for RN_NUMBER_FLOAT. */
int rn_format_min(const struct rn_format *fmt);
int rn_format_max(const struct rn_format *fmt);

/* The values that stand for black and white in a picture of full range: those of rn_format_min and
 * rn_format_max, or the declared range of floats. */
float rn_geom_black(const struct rn_geom *geom);
float rn_geom_white(const struct rn_geom *geom);

/* The middle between them: 2^(depth - 1), 0 for RN_NUMBER_SIGNED. */
float rn_geom_middle(const struct rn_geom *geom);

/* Converts a value in 8-bit units to samples: v * 2^(depth - 8), so that 128 is mid-scale and 16
 * and 235 are the ends of limited range. Only the last unit, from 254 on, is longer, so that 255 is
 * the largest sample at every depth. v may lie outside 0..255. */
double rn_format_from_8bit(const struct rn_format *fmt, double v);

bool rn_format_equal(const struct rn_format *a, const struct rn_format *b);

/* Writes FFmpeg's name of the format, without the endianness (gray, gray10, yuv420p, gbrp16,
 * yuva444p12, grayf32...), into buf and returns buf. FFmpeg has no signed samples: grays16,
 * gbrps16; nor complex ones: complexf32, which is not read. */
const char *rn_format_name(const struct rn_format *fmt, char buf[24]);

/* Reads such a name (a trailing "le" is accepted). Returns false if it names none of these. */
bool rn_format_parse(const char *name, struct rn_format *fmt);

/* Those that it reads, as a text for people. */
extern const char rn_format_names[];

/* Name of plane p for messages: gray; Y, U, V; G, B, R; alpha; real, imaginary and, for p 2, what
 * is measured of both, complex. Static text. */
const char *rn_plane_name(const struct rn_format *fmt, int p);

/* Size in samples of plane p of geom; odd chroma sizes are rounded up, as in FFmpeg. */
void rn_geom_plane_size(const struct rn_geom *geom, int p, int *w, int *h);

/* The number of samples of all planes. */
int64_t rn_geom_samples(const struct rn_geom *geom);

/* Resolves a user's mask of planes. 0 means the planes that show the picture (gray or luma; every
 * colour plane of RGB; both parts of complex samples; never alpha); any other mask means its own
 * bits, without planes that do not exist. */
unsigned rn_geom_planes(const struct rn_geom *geom, int mask);

bool rn_geom_equal(const struct rn_geom *a, const struct rn_geom *b);

/* The mask of all planes of the format. */
unsigned rn_geom_all_planes(const struct rn_geom *geom);

/* Makes an image in one new allocation, its rows aligned to 64 bytes, filled with zeros. Returns
 * 0, RN_EUSAGE or RN_EINTERNAL (logged). Release it with rn_image_free, which accepts a zeroed
 * image. */
int rn_image_alloc(struct rn_image *img, const struct rn_geom *geom);
void rn_image_free(struct rn_image *img);

/* Copies the visible samples of a plane. Both planes have the same size. bytes: per sample. */
void rn_plane_copy(const struct rn_plane *src, struct rn_plane *dst, int bytes);

/* Copies those of all planes. Both images have the same size and format. */
void rn_image_copy(const struct rn_image *src, struct rn_image *dst);

/* Stride in bytes of a row of w samples, `bytes` each, in a host image: whole cache lines. */
static inline ptrdiff_t rn_row_stride(int w, int bytes)
{
    return ((ptrdiff_t)w * bytes + 63) / 64 * 64;
}

/* Gets or sets one unsigned sample; x and y lie inside the plane. bytes: 1 or 2. */
static inline int rn_plane_get(const struct rn_plane *p, int bytes, int x, int y)
{
    const uint8_t *row = p->data + y * p->stride;
    return bytes == 1 ? row[x] : ((const uint16_t *)(const void *)row)[x];
}

static inline void rn_plane_put(struct rn_plane *p, int bytes, int x, int y, int v)
{
    uint8_t *row = p->data + y * p->stride;
    if (bytes == 1)
        row[x] = (uint8_t)v;
    else
        ((uint16_t *)(void *)row)[x] = (uint16_t)v;
}

RN_API_END

/* The bytes of a picture whose rows lie close together. */
static inline int64_t rn_geom_bytes(const struct rn_geom *geom)
{
    return rn_geom_samples(geom) * rn_format_bytes(&geom->fmt);
}

/* Makes *kept a gray image with the samples of plane p: in its memory, if that is one of this form.
 * kept: zeroed at first, released by rn_image_free. Returns as rn_image_alloc does. */
int rn_image_keep_plane(struct rn_image *kept, const struct rn_image *src, int p);
