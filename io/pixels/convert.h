/* Between libav's pixel formats and ours.
 *
 * Three ways, the first that fits: rows are copied; components are read or written one by one,
 * which keeps every value (semi-planar, packed, big-endian, palette...); swscale, where no format
 * of the other side can hold the values as they are (4:1:1, XYZ, an encoder without our format).
 *
 * libav has no signed samples, nor all depths: a scan's travel in frames of 16 bits, whose
 * geometry, as the reader declares it, says what they are (rn_geom.scan).
 */
#ifndef RN_IO_PIXELS_CONVERT_H
#define RN_IO_PIXELS_CONVERT_H

#include <stdbool.h>

#include <libavutil/frame.h>
#include <libavutil/pixfmt.h>

#include "filters/base/image.h"
#include "filters/base/losses.h"
#include "io/pixels/rgb.h"

/* The libav format with our planes, native endian; AV_PIX_FMT_NONE where libav has none. Gray with
 * alpha is packed in libav: it gives YA8 or YA16, whose samples are the same but not the layout. */
enum AVPixelFormat rn_pix_format_to_av(const struct rn_format *fmt);

/* The matrix that `space` names. Where it names none, or none that we know, *assumed is set, and it
 * is what such pictures usually have, which were decoded with w x h pixels: BT.709 where they are
 * more than 576 lines high or at least 1280 pixels wide (films are cut to their own shape), else
 * BT.601. */
enum rn_colour_matrix rn_pix_matrix_of(enum AVColorSpace space, int w, int h, bool *assumed);

/* Where samples of chroma lie by a tag of libav's; RN_SITING_LEFT where it specifies nothing. */
struct rn_pix_siting rn_pix_siting_of(enum AVChromaLocation place);

/* Our geometry for a decoded frame, as if it had its size from the decoder. Returns 0 or RN_EINPUT
 * (logged). */
int rn_pix_geom_of_frame(const AVFrame *frame, struct rn_geom *geom);

/* True if no pixel of frame, whose alpha (if there is any) has 8 bits, is transparent. GIFs are
 * decoded with alpha whether they use it or not. */
bool rn_pix_frame_is_opaque(const AVFrame *frame);

/* ---- decoded frame -> our planes */

struct rn_pix_import;

/* Converts frame into img, and scales it where its size is another. *imp is created on the first
 * call and again when the frame's format or size changes. Returns 0 or an error (logged). */
int rn_pix_import(struct rn_pix_import **imp, const AVFrame *frame, struct rn_image *img);
void rn_pix_import_destroy(struct rn_pix_import **imp);

/* ---- our planes -> a frame for an encoder */

struct rn_pix_export;

/* The best of the formats in list (ends with AV_PIX_FMT_NONE; NULL = any) for pictures of geom.
 * AV_PIX_FMT_NONE: none will do. Signed samples and floats are never converted unasked. */
enum AVPixelFormat rn_pix_export_choose(const struct rn_geom *geom, const enum AVPixelFormat *list);

/* Says why who (a codec) does not take pictures of geom, and what to ask for. Returns RN_EUSAGE. */
int rn_pix_export_refuse(const struct rn_geom *geom, const char *who);

/* The format in list (NULL = any) that is named so. who: takes those, for the message. Returns 0 or
 * RN_EUSAGE (logged). */
int rn_pix_export_find(const char *name, const enum AVPixelFormat *list, const char *who,
                       enum AVPixelFormat *fmt);

/* Does the export make other colours of Y'CbCr, so that it matters which matrix that has? */
bool rn_pix_export_uses_matrix(const struct rn_pix_export *exp);

/* full_range, matrix: of the frames that are written, where fmt is Y'CbCr. Signed samples and
 * floats become levels of fmt, from black to white of geom, what lies outside black or white.
 * chroma: where that of Y'CbCr lies which becomes R'G'B'. Returns 0, or RN_EUSAGE where geom cannot
 * be converted to fmt (logged). */
int rn_pix_export_create(struct rn_pix_export **exp, const struct rn_geom *geom,
                         enum AVPixelFormat fmt, bool full_range, enum rn_colour_matrix matrix,
                         enum AVChromaLocation chroma);
void rn_pix_export_destroy(struct rn_pix_export **exp);

/* Tells the user what becomes of the samples where who (a codec) does not take them as they are: in
 * a line of losses, if something of them is lost. why: follows their format, such as " of odd
 * size", or "". opaque: what has a place for transparency may have none; the loss of it is counted
 * with the first picture that has. losses NULL: it is the user's wish, and no loss. */
void rn_pix_export_announce(struct rn_pix_export *exp, const char *who, const char *why,
                            bool opaque, struct rn_losses *losses);

/* Makes a frame of its own memory from img: format, size and samples; properties are the caller's
 * task. by_field: where lines of chroma are averaged or repeated, those of the same field are (of
 * pictures whose chroma the fields share evenly: their height is a multiple of 4). Returns 0 or
 * RN_EINTERNAL (logged). */
int rn_pix_export(struct rn_pix_export *exp, const struct rn_image *img, bool by_field,
                  AVFrame *frame);

#endif
