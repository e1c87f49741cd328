/* SPDX-License-Identifier: MIT */
/* Tags of pages of a TIFF that struct rn_vol has no member for, as fields
 * (io/volumes/fields.h). */
#pragma once

#include <tiffio.h>

#include "io/volumes/tiff/tiff_text.h"

/* Returns true for tags that are read as fields. */
bool rn_vol_tiff_tags_is_field(unsigned tag);

/* Adds the fields of the current page of tif to v. is_xml: OME-XML was read. owner: as in
 * rn_vol_field. is_first: an output begins with the page. Returns 0 or an error (logged). */
int rn_vol_tiff_tags_read(TIFF *tif, bool is_xml, int64_t owner, bool is_first, struct rn_vol *v);

/* Makes libtiff know the tags that it does not know by itself. */
void rn_vol_tiff_tags_declare(TIFF *tif);

/* Sets the tags of an owner that hold for v. False: libtiff failed. */
bool rn_vol_tiff_tags_set(TIFF *tif, const struct rn_vol *v, int64_t owner);

/* ---- tiff_imagej.c
 *
 * What ImageJ stores in a private tag of the first page, as fields: Info, labels of slices, ranges
 * and lookup tables of channels, regions, overlays, properties. The tag is a header, "IJIJ" and a
 * type and a number of items for each kind, then all items; another tag has the bytes of the header
 * and of each item. Texts are UTF-16; numbers and texts have the byte order of the file. */

#define RN_TIFF_TAG_IMAGEJ_SIZES 50838
#define RN_TIFF_TAG_IMAGEJ       50839

/* Adds the fields of the current page. Returns 0 or an error (logged). */
int rn_vol_tiff_imagej_read(TIFF *tif, struct rn_vol *v);

/* Sets the tags for the pages of v. owner: of the first n pages, n >= 1, as in rn_vol_field; those
 * of others follow. False: libtiff failed. */
bool rn_vol_tiff_imagej_set(TIFF *tif, const struct rn_vol *v, const int64_t *owner, int n);
