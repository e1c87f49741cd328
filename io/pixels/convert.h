/* SPDX-License-Identifier: MIT */
/* Converts pictures between libav's pixel formats and ours, for readers and encoders.
 *
 * The first way that fits is taken:
 * - copy rows;
 * - read or write components one by one, which keeps every value (semi-planar, packed, big-endian,
 *   palette...);
 * - convert Y'CbCr to R'G'B' by rgb.h, as on the screen;
 * - swscale, if no format of the other side can hold the values (4:1:1, XYZ...).
 *
 * libav has neither signed samples nor all depths. Samples of scans come in frames of 16 bits; the
 * geometry that the reader declares specifies what they mean (rn_geom.scan).
 *
 * One thread at a time uses an import or an export. */
#pragma once

#include <libavutil/frame.h>
#include <libavutil/pixfmt.h>

#include "filters/base/losses.h"
#include "io/pixels/rgb.h"

/* The libav format with our planes, native endian; AV_PIX_FMT_NONE where libav has none. For gray
 * with alpha it is YA8 or YA16: the samples are ours, but packed. */
enum AVPixelFormat rn_pix_format_to_av(const struct rn_format *fmt);

/* The matrix that `space` names. If it names none that we know, sets *assumed, and the decoded size
 * decides: BT.709 above 576 lines or from 1280 pixels a row on (films are cropped to their own
 * shape), else BT.601. */
enum rn_colour_matrix rn_pix_matrix_of(enum AVColorSpace space, int w, int h, bool *assumed);

/* The chroma siting of libav's tag; RN_SITING_LEFT if it specifies none. */
struct rn_pix_siting rn_pix_siting_of(enum AVChromaLocation place);

/* Our geometry for a decoded frame of the decoder's size. Returns 0 or RN_EINPUT (logged). */
int rn_pix_geom_of_frame(const AVFrame *frame, struct rn_geom *geom);

/* True if no pixel of frame is transparent; its alpha, if any, has 8 bits. GIFs are decoded with
 * alpha whether they use it or not. */
bool rn_pix_frame_is_opaque(const AVFrame *frame);

/* ---- decoded frame -> our planes */

struct rn_pix_import;

/* Converts frame into img, and scales it if its size differs. *imp is created on the first call and
 * again when the frame's format or size changes. Returns 0 or an error (logged). */
int rn_pix_import(struct rn_pix_import **imp, const AVFrame *frame, struct rn_image *img);
void rn_pix_import_destroy(struct rn_pix_import **imp);

/* Whether images have the samples of the last frame, in their order; rn_pix_saturate is all else
 * that is done to them. NULL: there was none. */
bool rn_pix_import_copies(const struct rn_pix_import *imp);

/* Clips samples: raw input may hold anything in the bits above its depth, but kernels and
 * references count on samples within their format. */
void rn_pix_saturate(struct rn_image *img);

/* ---- our planes -> a frame for an encoder */

struct rn_pix_export;

/* The best of the formats in list (ends with AV_PIX_FMT_NONE; NULL = any) for pictures of geom.
 * AV_PIX_FMT_NONE: none will do. Signed samples and floats are never converted unasked. */
enum AVPixelFormat rn_pix_export_choose(const struct rn_geom *geom, const enum AVPixelFormat *list);

/* Logs why `who`, a codec, does not take pictures of geom, and what to do. Returns RN_EUSAGE. */
int rn_pix_export_refuse(const struct rn_geom *geom, const char *who);

/* Finds the format of a name in list (NULL = any). who: the codec with that list, for the message.
 * Returns 0 or RN_EUSAGE (logged). */
int rn_pix_export_find(const char *name, const enum AVPixelFormat *list, const char *who,
                       enum AVPixelFormat *fmt);

/* Returns true if the export converts Y'CbCr, and so uses its matrix. */
bool rn_pix_export_uses_matrix(const struct rn_pix_export *exp);

/* full_range, matrix: of the frames, if fmt is Y'CbCr. chroma: the siting of pictures that become
 * R'G'B'. Signed samples and floats become levels of fmt, from black to white of geom; values
 * outside are clipped. Returns 0, or RN_EUSAGE if geom cannot be converted to fmt (logged). */
int rn_pix_export_create(struct rn_pix_export **exp, const struct rn_geom *geom,
                         enum AVPixelFormat fmt, bool full_range, enum rn_colour_matrix matrix,
                         enum AVChromaLocation chroma);
void rn_pix_export_destroy(struct rn_pix_export **exp);

/* Reports how the samples are converted if `who`, a codec, does not take them unchanged; a loss is
 * added to losses (NULL: the user asked for the conversion). why: follows their format, such as
 * " of odd size", or "". opaque: alpha may hold no transparency; its loss is reported with the
 * first picture that has any. */
void rn_pix_export_announce(struct rn_pix_export *exp, const char *who, const char *why,
                            bool opaque, struct rn_losses *losses);

/* Sets format, size and samples of frame, which must hold no samples; the caller sets the other
 * properties. by_field: averages or repeats lines of chroma within their field, if the fields share
 * chroma evenly (the height is a multiple of 4). Returns 0 or RN_EINTERNAL (logged). */
int rn_pix_export(struct rn_pix_export *exp, const struct rn_image *img, bool by_field,
                  AVFrame *frame);
