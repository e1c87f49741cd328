/* SPDX-License-Identifier: MIT */
/* Lists the pages of a TIFF, or of the TIFFs of a folder, glob or pattern, and describes the volume
 * that they form. */
#pragma once

#include "io/read/images/names.h"
#include "io/volumes/reader.h"
#include "io/volumes/tiff/tiff.h"
#include "io/volumes/tiff/tiff_text.h"

/* OME-XML, which microscopes write into the ImageDescription of a TIFF: says which file and page
 * holds each plane of an image. */
struct rn_vol_ome_plane {
    int file; /* rn_vol_ome.files.path[file - 1]; 0: the file that holds the XML; -1: none */
    int page; /* in it, from 0 */
};

struct rn_vol_ome {
    bool known;                 /* the text is OME-XML with an image */
    char *metadata;             /* the XML is in this file instead; NULL: it is here */
    struct rn_read_names files; /* other ones: file k of a plane is path[k - 1] */
    int64_t n[RN_AXES];
    enum rn_vol_axis axis_order[RN_AXES]; /* of plane, the fastest first */
    struct rn_vol_ome_plane *plane;       /* n[0] * n[1] * n[2] of them */
    double spacing[3], interval;          /* mm, seconds; 0: unknown */
    char unit[24];                        /* of PhysicalSizeX */
    char *others;                         /* names of what else it says, each with a \n */
    char *xml;                            /* the text, without places of pages; NULL: no others */
    char *lines;                          /* ImageJ's, which this program stored; NULL: none */
    int images;                           /* how many the XML describes */
};

struct rn_vol_tiff_leaf {
    int file;       /* of names */
    int number;     /* of the page in its file, from 0 */
    int64_t offset; /* of the page's directory; 0: unreadable */
    int sample;     /* which channel of its pixels, from 0 */
    int64_t plain;  /* offset of its samples if it has no directory, else 0 */
    bool bad;       /* counted as corrupt */
    bool tagged;    /* its directory has tags that are fields */
};

static inline bool rn_vol_tiff_same_page(const struct rn_vol_tiff_leaf *a,
                                         const struct rn_vol_tiff_leaf *b)
{
    return a->offset == b->offset && a->file == b->file;
}

struct rn_vol_tiff_list {
    struct rn_read_pattern pattern; /* prefix NULL: not a pattern */
    struct rn_read_names names;
    TIFF *tif;   /* of file `open` */
    int open;    /* -1: none */
    int current; /* the leaf whose directory is read; -1: unknown */
    struct rn_vol_tiff_log log;
    struct rn_vol_tiff_leaf *leaf;
    int n;
    struct rn_vol_tiff_leaf head;      /* the first page of the first file */
    int64_t surplus;                   /* pages that OME-XML does not count */
    struct rn_io_damage damage;        /* missing pages */
    bool described;                    /* volume has what the ImageDescription says */
    int depth;                         /* used bits of 16-bit samples; 0: all */
    struct rn_vol_ome ome;             /* the source of the leaves, if known */
    struct rn_vol_selection selection; /* made by rn_vol_tiff_list_choose */
    struct rn_vol volume;
};

/* Lists all pages; with OME-XML, the planes of one image. series: which of several images; NULL:
 * the only one. Returns 0 or an error (logged). Close the list in any case. */
int rn_vol_tiff_list_open(struct rn_vol_tiff_list *list, const char *input, const char *series);
void rn_vol_tiff_list_close(struct rn_vol_tiff_list *list);

/* Reads a leaf's directory, or its file's if it has none. False: list->log has the reason. */
bool rn_vol_tiff_list_go(struct rn_vol_tiff_list *list, int i);

/* Describes the volume. page: of all pages. Makes a leaf of each channel if pixels have
 * several. Returns 0 or an error (logged). */
int rn_vol_tiff_list_describe(struct rn_vol_tiff_list *list, const struct rn_vol_tiff_page *page);

/* Keeps the pictures that opts select. Returns 0 or an error (logged). */
int rn_vol_tiff_list_choose(struct rn_vol_tiff_list *list, const char *input,
                            const struct rn_io_read_opts *opts);

/* Adds the tags that belong to single pictures as fields. first: the leaf that an output begins
 * with. Returns 0 or an error (logged). */
int rn_vol_tiff_list_read_tags(struct rn_vol_tiff_list *list, int first);

/* Names a leaf for messages: "page 3 of 'stack.tif'", or "'slice_3.tif'". */
const char *rn_vol_tiff_list_name(const struct rn_vol_tiff_list *list, int i, char text[300]);

/* ---- ome.c */

/* Reads a text. path: the file, for messages. series: number, ID or name of an image; NULL: the
 * only one. Text that is not OME-XML clears known. Returns 0, RN_EINPUT or RN_EUSAGE (logged). Free
 * it in any case. */
int rn_vol_ome_read(struct rn_vol_ome *ome, const char *text, size_t size, const char *path,
                    const char *series);
void rn_vol_ome_free(struct rn_vol_ome *ome);

/* Makes the XML of a file with all pictures of v; ImageJ's lines are a comment in it. type: of
 * samples, in the schema. Returns a text to free; NULL: out of memory. */
char *rn_vol_ome_write(const struct rn_vol *v, const char *type, int samples);

/* ---- tiff_tags.c: tags of pages that struct rn_vol has no member for, as fields */

/* Returns true for tags that are read as fields. */
bool rn_vol_tiff_tags_is_field(unsigned tag);

/* Adds the fields of the current page of tif to v. is_xml: OME-XML was read. owner: as in
 * rn_vol_field. is_first: an output begins with the page. Returns 0 or an error (logged). */
int rn_vol_tiff_tags_read(TIFF *tif, bool is_xml, int64_t owner, bool is_first, struct rn_vol *v);

/* Makes libtiff know the tags that it does not know by itself. */
void rn_vol_tiff_tags_declare(TIFF *tif);

/* Sets the tags of an owner that hold for v. False: libtiff failed. */
bool rn_vol_tiff_tags_set(TIFF *tif, const struct rn_vol *v, int64_t owner);

#define RN_TIFF_TAG_IMAGEJ_SIZES 50838
#define RN_TIFF_TAG_IMAGEJ       50839

/* Sets ImageJ's tags for the pages of v. owner: of the first n pages, n >= 1, as in rn_vol_field;
 * those of others follow. False: libtiff failed. */
bool rn_vol_tiff_imagej_set(TIFF *tif, const struct rn_vol *v, const int64_t *owner, int n);
