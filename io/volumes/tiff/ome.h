/* OME-XML, as microscopes write it into the ImageDescription of a TIFF: what the pictures of an
 * image are, and where each of them stands. */
#ifndef RN_IO_VOLUMES_TIFF_OME_H
#define RN_IO_VOLUMES_TIFF_OME_H

#include "io/volumes/volume.h"

/* Where a picture stands. */
struct rn_vol_ome_plane {
    int file; /* of the list of names, 0: the file that holds the XML; -1: nowhere */
    int page; /* in it, from 0 */
};

struct rn_vol_ome {
    bool known;     /* the text is OME-XML with an image */
    char *metadata; /* the XML is in this file instead; NULL: it is here */
    char **file;    /* the names of other files: file k of a plane is file[k - 1] */
    int nfiles;
    int64_t n[RN_AXES];
    enum rn_vol_axis order[RN_AXES]; /* in which the planes stand here, the fastest first */
    struct rn_vol_ome_plane *plane;  /* n[0] * n[1] * n[2] of them */
    double spacing[3], interval;     /* mm, seconds; 0: unknown */
    int images;                      /* how many the XML describes */
};

/* Reads a text. path: the file, for messages. series: which of several images, by number, ID or
 * name; NULL: the only one. Text that is no OME-XML makes known false. Returns 0, RN_EINPUT or
 * RN_EUSAGE (logged). Free it in any case. */
int rn_vol_ome_read(struct rn_vol_ome *ome, const char *text, size_t size, const char *path,
                    const char *series);
void rn_vol_ome_free(struct rn_vol_ome *ome);

#endif
