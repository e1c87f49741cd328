/* Between which values most samples of a picture lie, for showing it. */
#ifndef RN_IO_PIXELS_SPREAD_H
#define RN_IO_PIXELS_SPREAD_H

#include "filters/base/image.h"

/* Gets the values between which all but 0.5 % at each end of the samples lie, alpha not counted: of
 * some thousand of them, so it is quick and about right. NaN and infinity do not count. Returns
 * false where no sample does, or memory runs out. */
bool rn_pix_spread_of(const struct rn_image *img, double *low, double *high);

#endif
