/* SPDX-License-Identifier: MIT */
/* Converts the stored values of files to samples.
 *
 * Values are kept: signed ones become signed samples, MONOCHROME1 is not inverted, and the rescale
 * is kept beside them. If pictures have different scales, one common scale holds all values
 * exactly, or samples are rescaled values as floats. */
#pragma once

#include <libavutil/pixfmt.h>

#include "filters/base/image.h"
#include "io/dicom/stacks.h"

struct rn_dicom_rescale {
    struct rn_format fmt;
    struct rn_rescale rescale;
    double low, high;           /* RN_NUMBER_FLOAT: the range of samples by the headers */
    enum AVPixelFormat carrier; /* of frames; signed samples are carried as unsigned */
    bool scaled;                /* pictures have different scales; samples have one: */
    double step, offset;        /* rescaled value = step * sample + offset */
};

/* Chooses the format for pictures (at least one) and logs it. Returns 0 or RN_EINPUT (logged). */
int rn_dicom_rescale_choose(struct rn_dicom_rescale *values,
                            const struct rn_dicom_pictures *pictures);

/* Converts a picture from rn_dicom_decode's values. Returns 0, or RN_EINPUT (logged) if a 32-bit
 * integer needs more than the 24 bits of a float. */
int rn_dicom_rescale_convert(const struct rn_dicom_rescale *values,
                             const struct rn_dicom_picture *picture, const uint8_t *from,
                             uint8_t *to);
