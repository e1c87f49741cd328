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
