/* SPDX-License-Identifier: MIT */
/* What ImageJ stores in a private tag of the first page, as fields: Info, labels of slices, ranges
 * and lookup tables of channels, regions, overlays, properties. The tag is a header, "IJIJ" and a
 * type and a number of items for each kind, then all items; another tag has the bytes of the header
 * and of each item. Texts are UTF-16; numbers and texts have the byte order of the file. */
#pragma once

#include <tiffio.h>

#include "io/volumes/tiff/tiff_text.h"

#define RN_TIFF_TAG_IMAGEJ_SIZES 50838
#define RN_TIFF_TAG_IMAGEJ       50839

/* Adds the fields of the current page. Returns 0 or an error (logged). */
int rn_vol_tiff_imagej_read(TIFF *tif, struct rn_vol *v);

/* Sets the tags for the pages of v. owner: of the first n pages, n >= 1, as in rn_vol_field; those
 * of others follow. False: libtiff failed. */
bool rn_vol_tiff_imagej_set(TIFF *tif, const struct rn_vol *v, const int64_t *owner, int n);
