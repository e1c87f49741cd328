/* Frames of R'G'B' from pictures of Y'CbCr, by rgb.h: what is on the screen is in the file, too. */
#ifndef RN_IO_PIXELS_TO_RGB_H
#define RN_IO_PIXELS_TO_RGB_H

#include "io/pixels/rgb.h"

#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>

/* Can pictures of geom become frames of fmt? */
bool rn_pix_to_rgb_fits(const struct rn_geom *geom, const AVPixFmtDescriptor *fmt);

/* Where a sample of chroma lies. */
struct rn_pix_siting rn_pix_to_rgb_siting(enum AVChromaLocation place);

/* Writes the red, green and blue samples of img to frame, whose memory is zeros, each rounded to
 * its depth. by_field: see rn_pix_rgb_get. row: work space for 3 rows of samples. */
void rn_pix_to_rgb(const struct rn_pix_rgb *rgb, const struct rn_image *img, bool by_field,
                   uint16_t *row, AVFrame *frame);

#endif
