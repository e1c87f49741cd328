/* The lines that ImageJ writes into the ImageDescription of a TIFF. */
#ifndef RN_IO_VOLUMES_TIFF_TIFF_TEXT_H
#define RN_IO_VOLUMES_TIFF_TIFF_TEXT_H

#include "io/volumes/volume.h"

struct rn_vol_tiff_text {
    bool known;       /* they are there */
    int64_t pictures; /* that the text counts */
    double unit;      /* mm of the unit that resolution counts; 0: what the tags say */
};

/* Reads the text of a volume's first page. v: with fmt, w and h, and so many slices as there are
 * pages; what the text tells is entered. xres, yres: samples per unit of length, 0 = unknown. */
void rn_vol_tiff_text_read(struct rn_vol_tiff_text *t, const char *text, double xres, double yres,
                           struct rn_vol *v);

/* Writes ImageJ's lines for v, and behind them what ImageJ has no word for. */
void rn_vol_tiff_text_write(const struct rn_vol *v, char *to, size_t size);

/* Can ImageJ's lines tell the order of v's pictures? */
bool rn_vol_tiff_text_holds(const struct rn_vol *v);

#endif
