/* Scaling pictures of one format to another size, plane by plane. */
#ifndef RN_IO_PIXELS_RESIZE_H
#define RN_IO_PIXELS_RESIZE_H

#include <stdbool.h>

#include "filters/base/image.h"

struct rn_pix_resize;

/* Scales from (bicubic) into to, which has the same format and any size. fields: each by itself,
 * for interlaced pictures. *resize is created on the first call and again when a size changes.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_pix_resize(struct rn_pix_resize **resize, const struct rn_image *from, struct rn_image *to,
                  bool fields);
void rn_pix_resize_destroy(struct rn_pix_resize **resize);

#endif
