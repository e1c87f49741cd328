/* SPDX-License-Identifier: MIT */
/* Reads and writes the lines that ImageJ stores in the ImageDescription of a TIFF. */
#pragma once

#include "io/volumes/fields.h"

#define RN_TIFF_FORMAT "TIFF"

/* What else a field needs: bits of rn_vol.changed. */
enum {
    RN_TIFF_NO_LINES = RN_CHANGED_OWN,       /* the output has none of ImageJ's lines */
    RN_TIFF_LINES = RN_CHANGED_OWN * 2,      /* it has them instead of another description */
    RN_TIFF_NO_XML = RN_CHANGED_OWN * 4,     /* it has no OME-XML */
    RN_TIFF_PAGE_LINES = RN_CHANGED_OWN * 8, /* each page has lines: it is a file */
    RN_TIFF_CHOSEN = RN_CHANGED_OWN * 16,    /* channels or times were chosen */
};

#define RN_TIFF_XML        "OME-XML"
#define RN_TIFF_RESOLUTION "Resolution" /* a field: dots per inch of columns and rows, doubles */
#define RN_TIFF_TAG_NONE   1            /* rn_vol_field.tag of what is neither a line nor a tag */

struct rn_vol_tiff_text {
    bool known;       /* the text is ImageJ's */
    int64_t pictures; /* their number by the text */
    double unit;      /* of the resolution, in mm; 0: the tags decide */
};

/* Reads the text of a volume's first page into v, which has fmt, w, h and a slice for each page.
 * Lines that v has no member for become fields. xres, yres: samples per unit of
 * length; 0: unknown. Returns 0 or an error (logged). */
int rn_vol_tiff_text_read(struct rn_vol_tiff_text *t, const char *text, double xres, double yres,
                          struct rn_vol *v);

/* Makes ImageJ's lines for v, then lines of this program for values that ImageJ does not store.
 * Returns a text to free; NULL: out of memory. */
char *rn_vol_tiff_text_write(const struct rn_vol *v);

/* Returns the mm of the unit in which they say lengths. */
static inline double rn_vol_tiff_text_unit(const struct rn_vol *v)
{
    return *v->length_unit ? rn_vol_unit_mm(v->length_unit) : 1;
}

/* Returns true if ImageJ's lines can describe the order of v's pictures. */
bool rn_vol_tiff_text_has_order(const struct rn_vol *v);
