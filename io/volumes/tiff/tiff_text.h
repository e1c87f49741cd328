/* Reads and writes the lines that ImageJ stores in the ImageDescription of a TIFF. */
#ifndef RN_IO_VOLUMES_TIFF_TIFF_TEXT_H
#define RN_IO_VOLUMES_TIFF_TIFF_TEXT_H

#include "io/volumes/volume.h"

struct rn_vol_tiff_text {
    bool known;       /* the text is ImageJ's */
    int64_t pictures; /* their number by the text */
    double unit;      /* of the resolution, in mm; 0: the tags decide */
};

/* Reads the text of a volume's first page into v, which has fmt, w, h and a slice for each page.
 * xres, yres: samples per unit of length; 0: unknown. */
void rn_vol_tiff_text_read(struct rn_vol_tiff_text *t, const char *text, double xres, double yres,
                           struct rn_vol *v);

/* Writes ImageJ's lines for v, then lines of this program for values that ImageJ does not store. */
void rn_vol_tiff_text_write(const struct rn_vol *v, char *to, size_t size);

/* Returns true if ImageJ's lines can describe the order of v's pictures. */
bool rn_vol_tiff_text_has_order(const struct rn_vol *v);

#endif
