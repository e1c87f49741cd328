/* From the stored values of files to samples.
 *
 * Values are kept: signed ones are signed samples, those of MONOCHROME1 are not turned over, and
 * what they measure stands beside them. Where pictures have scales of their own, one scale holds
 * the values of all exactly, or samples are the rescaled values as floats. */
#ifndef RN_IO_DICOM_RESCALE_H
#define RN_IO_DICOM_RESCALE_H

#include <libavutil/pixfmt.h>

#include "filters/base/image.h"
#include "io/dicom/stacks.h"

struct rn_dicom_rescale {
    struct rn_format fmt;
    struct rn_rescale rescale;
    double low, high;           /* RN_NUMBER_FLOAT: what the headers say that samples can be */
    enum AVPixelFormat carrier; /* of the frames; signed samples travel as unsigned ones */
    bool scaled;                /* pictures have scales of their own, and samples are all of one: */
    double step, offset;        /* rescaled value = step * sample + offset */
};

/* Chooses them for pictures, of which there are some, and says what is done with the values.
 * Returns 0 or RN_EINPUT (logged). */
int rn_dicom_rescale_choose(struct rn_dicom_rescale *values,
                            const struct rn_dicom_pictures *pictures);

/* Converts a picture from what rn_dicom_decode gives. Returns 0, or RN_EINPUT (logged) where an
 * integer of 32 bits has more than the 24 that a float keeps. */
int rn_dicom_rescale_convert(const struct rn_dicom_rescale *values,
                             const struct rn_dicom_picture *picture, const uint8_t *from,
                             uint8_t *to);

#endif
