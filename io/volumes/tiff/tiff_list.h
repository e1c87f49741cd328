/* The pages of a TIFF, or of the TIFFs of a folder, a glob or a pattern: where each of them is, and
 * what volume they are. */
#ifndef RN_IO_VOLUMES_TIFF_TIFF_LIST_H
#define RN_IO_VOLUMES_TIFF_TIFF_LIST_H

#include <sys/stat.h>

#include "io/read/images/names.h"
#include "io/common/input.h"
#include "io/volumes/selection.h"
#include "io/volumes/tiff/tiff.h"

/* OME-XML, as microscopes write it into the ImageDescription of a TIFF: what the pictures of an
 * image are, and where each of them stands. */

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

struct rn_vol_tiff_leaf {
    int file;       /* of names */
    int number;     /* in its file, from 0 */
    int64_t offset; /* of the page's directory; 0: it cannot be read */
    int sample;     /* which channel of its pixels, from 0 */
    int64_t plain;  /* where its samples begin, if it has no directory of its own; else 0 */
    bool bad;       /* counted already */
};

struct rn_vol_tiff_list {
    struct rn_read_pattern pattern; /* prefix NULL: not a pattern */
    struct rn_read_names names;
    struct stat *st; /* of each file */
    TIFF *tif;       /* of file `open` */
    int open;        /* -1: none */
    int current;     /* the leaf whose directory is read; -1: unknown */
    struct rn_vol_tiff_log log;
    struct rn_vol_tiff_leaf *leaf;
    int n, room;
    int64_t missing;                /* pages that should be there and are not */
    char what[300];                 /* the first of them */
    bool told;                      /* the description was understood: volume has what it says */
    int depth;                      /* of samples of 16 bits, if fewer count; else 0 */
    struct rn_vol_ome ome;          /* where the leaves come from, if known */
    struct rn_vol_selection choice; /* made by rn_vol_tiff_list_choose */
    struct rn_vol volume;           /* without what the pages themselves tell */
};

/* Is input a TIFF, or nothing but TIFFs? */
bool rn_vol_tiff_list_match(const char *input);

/* Lists all pages, or where OME-XML says what they are the planes of one image in their order.
 * series: which of several images; NULL: the only one. Returns 0 or an error (logged). Close it in
 * any case. */
int rn_vol_tiff_list_open(struct rn_vol_tiff_list *list, const char *input, const char *series);
void rn_vol_tiff_list_close(struct rn_vol_tiff_list *list);

/* Goes to a leaf's directory, or that of its file if it has none. False: list->log says why not. */
bool rn_vol_tiff_list_go(struct rn_vol_tiff_list *list, int i);

/* Describes the volume once the pages are known: page is what they are. Where their pixels have
 * several channels each is a leaf of its own. Returns 0 or an error (logged). */
int rn_vol_tiff_list_describe(struct rn_vol_tiff_list *list, const struct rn_vol_tiff_page *page);

/* Leaves only those pictures that opts choose. Returns 0 or an error (logged). */
int rn_vol_tiff_list_choose(struct rn_vol_tiff_list *list, const char *input,
                            const struct rn_io_read_opts *opts);

/* "page 3 of 'stack.tif'", or "'slice_3.tif'". */
const char *rn_vol_tiff_list_say(const struct rn_vol_tiff_list *list, int i, char text[300]);

/* ---- for tiff_list.c and tiff_ome.c */

/* Opens file number `file`, unless it is open. False: list->log says why not. */
bool rn_vol_tiff_list_open_file(struct rn_vol_tiff_list *list, int file);

/* Appends the pages of the open file. Returns 0 or an error (logged). */
int rn_vol_tiff_list_add_pages(struct rn_vol_tiff_list *list);

/* Appends a leaf. Returns 0 or an error (logged). */
int rn_vol_tiff_list_add(struct rn_vol_tiff_list *list, const struct rn_vol_tiff_leaf *leaf);

/* Counts n pages that should be there. */
void rn_vol_tiff_list_miss(struct rn_vol_tiff_list *list, int64_t n, const char *what);

/* If the first page has OME-XML, makes the leaves the planes of an image, in the order
 * rn_vol_ome_order. Returns 0 or an error (logged). */
int rn_vol_tiff_list_take_ome(struct rn_vol_tiff_list *list, const char *input, const char *series);
extern const enum rn_vol_axis rn_vol_ome_order[RN_AXES];

/* ---- ome.c */

/* Reads a text. path: the file, for messages. series: which of several images, by number, ID or
 * name; NULL: the only one. Text that is no OME-XML makes known false. Returns 0, RN_EINPUT or
 * RN_EUSAGE (logged). Free it in any case. */
int rn_vol_ome_read(struct rn_vol_ome *ome, const char *text, size_t size, const char *path,
                    const char *series);
void rn_vol_ome_free(struct rn_vol_ome *ome);

#endif
