/* Pixel formats, the geometry of a stream of pictures, and pictures in host memory.
 *
 * runnel computes on planes: one component each, 8 to 16 bits per sample, 1 byte per sample at
 * depth 8 and 2 bytes (native endian, value in the low bits) above. Planes stand in FFmpeg's order:
 * gray; Y U V; G B R; each with alpha last where there is one. Anything else is converted in io. */
#ifndef RN_IMAGE_H
#define RN_IMAGE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RN_MAX_PLANES 4
#define RN_MAX_SIDE   65535 /* largest width or height */

enum rn_model { RN_GRAY, RN_YUV, RN_RGB };

struct rn_format {
    enum rn_model model;
    int depth;        /* bits per sample, 8..16 */
    int sub_x, sub_y; /* log2 of the chroma subsampling; 0 unless RN_YUV */
    bool alpha;       /* a last plane of alpha, full size */
};

/* Coefficients of the Y'CbCr matrix; unspecified streams count as BT.601. */
enum rn_matrix { RN_BT601, RN_BT709, RN_BT2020 };

/* Everything that is the same for all pictures of a stream. */
struct rn_geom {
    struct rn_format fmt;
    int w, h;              /* pixels, of the first plane; >= 1 */
    enum rn_matrix matrix; /* RN_YUV only */
    bool full_range;       /* black is 0 and white the largest value; always true for RN_RGB */
};

struct rn_plane {
    uint8_t *data;    /* first sample of the first row */
    ptrdiff_t stride; /* bytes from row to row */
    int w, h;         /* samples */
};

/* A picture in host memory. The planes are borrowed: whoever made the image says who owns them. */
struct rn_image {
    struct rn_geom geom;
    struct rn_plane plane[RN_MAX_PLANES];
};

/* What travels with a picture from the source to the sink. */
struct rn_side; /* io's own: packets of other streams, properties of the frame; others pass it on */
struct rn_frame {
    int64_t index;        /* 0, 1, 2, ... in the order of the output */
    int64_t pts;          /* in the stream's time base */
    int64_t duration;     /* likewise; 0 if unknown */
    double time;          /* pts in seconds */
    struct rn_side *side; /* owned by the frame until a sink consumes it; may be NULL */
};

/* Number of planes: 1..4. */
int rn_format_planes(const struct rn_format *fmt);

/* Bytes per sample: 1 or 2. */
int rn_format_bytes(const struct rn_format *fmt);

/* Largest sample value: 2^depth - 1. */
int rn_format_max(const struct rn_format *fmt);

/* Samples for a value in 8-bit units: v * 2^(depth - 8), so that 128 is mid-scale and 16 and 235
 * are the ends of limited range; only the last unit, from 254 on, is longer, so that 255 is the
 * largest sample at every depth. Any v, also outside 0..255. */
double rn_format_from_8bit(const struct rn_format *fmt, double v);

bool rn_format_equal(const struct rn_format *a, const struct rn_format *b);

/* FFmpeg's name of the format without the endianness (gray, gray10, yuv420p, gbrp16,
 * yuva444p12...). buf: at least 24 bytes; returned. */
const char *rn_format_name(const struct rn_format *fmt, char buf[24]);

/* Reads such a name (a trailing "le" is accepted). Returns false if it names no format of ours. */
bool rn_format_parse(const char *name, struct rn_format *fmt);

/* Name of plane p for people: gray; Y, U, V; G, B, R; alpha. Static text. */
const char *rn_plane_name(const struct rn_format *fmt, int p);

/* Size in samples of plane p of geom; chroma of odd sizes is rounded up, as FFmpeg does. */
void rn_geom_plane_size(const struct rn_geom *geom, int p, int *w, int *h);

/* The planes that a mask of the user's means: 0 = what shows the picture (gray or luma; every
 * colour plane of RGB; never alpha), otherwise the bits themselves without the planes that do not
 * exist. */
unsigned rn_geom_planes(const struct rn_geom *geom, int mask);

bool rn_geom_equal(const struct rn_geom *a, const struct rn_geom *b);

/* All planes of the format as a mask. */
unsigned rn_geom_all_planes(const struct rn_geom *geom);

/* Makes an image in one new allocation, rows aligned to 64 bytes, filled with zeros.
 * Returns 0 or RN_EINTERNAL. Release with rn_image_free, which accepts a zeroed image. */
int rn_image_alloc(struct rn_image *img, const struct rn_geom *geom);
void rn_image_free(struct rn_image *img);

/* Copies the visible samples of plane p. Both planes have the same size. */
void rn_plane_copy(const struct rn_plane *src, struct rn_plane *dst, int bytes);

/* Bytes from row to row of a host image of w samples, so many bytes each: whole cache lines. */
static inline ptrdiff_t rn_row_stride(int w, int bytes)
{
    return ((ptrdiff_t)w * bytes + 63) / 64 * 64;
}

/* The rule of all references for a computed sample: saturated to 0..max, rounded half to even; the
 * twin of the kernels' rn_round. */
static inline int rn_round_sample(float v, float max)
{
    v = v > 0 ? v : 0;
    return (int)rintf(v < max ? v : max);
}

/* One sample; x and y inside the plane. bytes: 1 or 2. */
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

#endif
