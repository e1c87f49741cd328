/* SPDX-License-Identifier: MIT */
/* Files that store a volume as one array of samples, behind a header or with a header file: NRRD,
 * MetaImage, NIfTI, NumPy, BART, MATLAB, raw. Each format is a file with a table of functions;
 * array.c reads all formats, io/write/sinks/sink_volume.c writes them. */
#pragma once

#include "io/read/images/names.h"
#include "io/volumes/bytes.h"

#define RN_HEAD_SIZE     65536     /* bytes of a file that header parsers get */
#define RN_MAX_HEAD_SIZE (1 << 22) /* those of formats whose header may be longer */

/* Where the samples are, and their type. */
struct rn_vol_layout {
    const char *input, *format; /* whose header is parsed; the format's name */
    bool packed;                /* the whole input is gzip */
    const char *series; /* of --series, or NULL; a parser with several arrays sets series_used */
    bool series_used;
    struct rn_vol volume;       /* fmt follows from type and comps */
    char *path;                 /* of the samples (av_malloc) */
    struct rn_read_names paths; /* if several files have them, path among them */
    int64_t offset;             /* of the samples; in a packed file: after unpacking */
    int64_t skip;               /* offset of packed bytes in the file */
    enum rn_vol_packing packing;
    enum rn_vol_sample_type type;
    bool swapped; /* not the machine's endianness */
    bool complex; /* samples are pairs */
    int comps;    /* of a pixel: 1; 2 with alpha; 3 RGB; 4 RGBA */
    bool vector;  /* all channels are interleaved in each pixel */
    /* Strides in bytes; 0: contiguous in this order. */
    int64_t comp_step, column_step, row_step, picture_step;
    /* Strides of slices, channels and times; 0: pictures are stored in the order of the volume. */
    int64_t axis_step[RN_AXES];
    int variable;    /* RN_PACKING_MAT: index of the array */
    int64_t surplus; /* RN_PACKING_MAT: bytes that no array announces */
    int64_t all;     /* bytes of samples with those of other series; 0: unknown */
    bool to_end;     /* the samples end with the file */
    char note[160];  /* what of the header was ignored, for the loss report */
};

/* The input of a header. */
struct rn_vol_heading {
    const struct rn_vol *volume;
    const char *samples;         /* name of the separate file of samples, in the same folder */
    enum rn_vol_packing packing; /* of the samples */
    int64_t packed;              /* packed bytes; 0: not known yet */
    bool n_is_estimate;          /* the number of pictures may grow: leave space for more digits */
    size_t length;               /* required bytes, since samples follow; 0: any */
};

struct rn_vol_format {
    const char *name;       /* for messages */
    const char *extensions; /* of outputs, separated by commas; "": read only */

    /* ---- reading */

    /* Returns true if a file with this name and these first n (unpacked) bytes has the format. */
    bool (*match)(const char *path, const uint8_t *head, size_t n);
    /* Parses the header. head: the first n (unpacked) bytes, behind which is a zero; may be
     * overwritten. Fills layout, which has its first members and a volume of one picture. Returns
     * 0, RN_EINPUT or RN_EUSAGE (logged). */
    int (*parse)(struct rn_vol_layout *layout, uint8_t *head, size_t n);

    /* Returns true if the header ends in these bytes, behind which is a zero. Optional: it does. */
    bool (*ends)(const char *head);

    /* ---- writing */

    /* Returns why the format cannot hold v: static text; NULL: it can. Optional: it can. */
    const char *(*refuses)(const struct rn_vol *v);
    /* Writes the header. Returns its bytes; 0 if more than size. */
    size_t (*header)(const struct rn_vol_heading *h, char *to, size_t size);
    /* Packing of samples on request; RN_PACKING_NONE: not supported. */
    enum rn_vol_packing packs;
    const char *packed; /* the extension of outputs that are gzip as a whole. Optional: none */
    /* Describes what of v cannot be stored; "": nothing. Optional: nothing. */
    void (*lacks)(const struct rn_vol *v, char *text, size_t size);
    /* Returns the index of a picture in the file, if the format has a fixed axis order. Optional:
     * in the order of the volume. */
    int64_t (*place)(const struct rn_vol *v, int64_t slice, int64_t channel, int64_t time);
    /* The extension of outputs whose samples are a separate file, and that file's: if they are not
     * packed, if they are. Optional: none. */
    const char *apart, *samples[2];
};

extern const struct rn_vol_format rn_vol_nrrd_format, rn_vol_meta_format, rn_vol_nifti_format,
    rn_vol_npy_format, rn_vol_bart_format, rn_vol_mat_format;

/* All formats, ending with NULL. */
extern const struct rn_vol_format *const rn_vol_formats[];

/* Reads at most `most` bytes of a file, unpacked if it is gzip. Returns memory to free with
 * av_free, with a zero behind them; NULL on failure. */
uint8_t *rn_vol_head(const char *path, size_t most, size_t *n, bool *packed);

/* Fails since a header has a value that is not supported. what: where. Returns RN_EINPUT. */
int rn_vol_layout_refuse(const struct rn_vol_layout *layout, const char *what, const char *value);

/* Returns the path of a file that a header names, in the header's folder (av_malloc). NULL (logged)
 * if the name has a folder or is empty. */
char *rn_vol_sibling(const char *header, const char *name);

/* Sets layout->path to the file of samples that its header names, or path and paths to several:
 * "LIST" stands for the names in the lines of rest, which are overwritten, "f%03d.raw 1 9 2" for
 * those of a pattern. Returns 0 or an error (logged), as rn_vol_sibling. */
int rn_vol_layout_take_file(struct rn_vol_layout *layout, const char *name, char *rest);

/* Returns path with another extension. Likewise. */
char *rn_vol_partner(const char *path, const char *extension);

/* Sets the position by rn_vol_place; if the axes do not span space, sets note. */
bool rn_vol_layout_place(struct rn_vol_layout *layout, const double column[3][3],
                         const double origin[3]);

/* For rn_vol_format.place: slices are the fastest axis, then times, then channels. */
int64_t rn_vol_place_by_slice(const struct rn_vol *v, int64_t slice, int64_t channel, int64_t time);

/* Checks the untrusted sizes of a header. Returns 0 or RN_EINPUT (logged). */
int rn_vol_layout_check(const char *path, struct rn_vol_layout *layout);

/* Parses numbers separated by any characters of `between`. Stores at most `max`, and returns how
 * many the text has. */
int rn_vol_numbers_parse(const char *text, const char *between, double *to, int max);

/* Returns the bytes of a stored sample: of both parts if complex. */
static inline int rn_vol_layout_bytes(const struct rn_vol_layout *l)
{
    return rn_vol_sample_types[l->type].bytes * (l->complex ? 2 : 1);
}

/* Converts a size of a header to an integer; 0 if it is not 1..max, or NaN. */
static inline int64_t rn_vol_layout_size(double size, int64_t max)
{
    return size >= 1 && size <= (double)max ? (int64_t)size : 0;
}

/* Fills layout from --raw. Returns 0, RN_EUSAGE or RN_EINPUT (logged). */
int rn_vol_raw_layout(const char *text, const char *path, struct rn_vol_layout *layout);

/* Returns true if a file's endianness is not the machine's. */
static inline bool rn_vol_is_swapped(bool big_endian)
{
    return big_endian != (AV_HAVE_BIGENDIAN != 0);
}

/* ---- reading text headers */

/* Ends the line at *text with a zero in the place of \n or \r\n, and moves *text behind it. Returns
 * the line; NULL at the end. */
char *rn_vol_line_next(char **text);

/* Ends the text in front of its last blanks. Returns it without the first ones. */
char *rn_vol_text_trim(char *text);

/* What this program stores beyond the fields of a format, under the format's names for it. */
enum rn_vol_key {
    RN_VOL_SLOPE,
    RN_VOL_INTERCEPT,
    RN_VOL_UNIT,
    RN_VOL_WINDOW,
    RN_VOL_RANGE,
    RN_VOL_INTERVAL,
    RN_VOL_MADE_BY,
    RN_VOL_KEYS
};

/* Sets the value of a key in v. Returns false for other keys, and where it is no such value. names:
 * of each key; NULL: not in the format. */
bool rn_vol_key_parse(const char *const names[RN_VOL_KEYS], const char *key, const char *value,
                      struct rn_vol *v);

/* ---- writing them, to memory of a given size */

struct rn_vol_text {
    char *to;
    size_t size, n;
    bool full; /* it did not fit */
};

void rn_vol_text_add(struct rn_vol_text *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes the keys that v has a value for, as lines of name, separator and value. */
void rn_vol_text_add_keys(struct rn_vol_text *t, const char *const names[RN_VOL_KEYS],
                          const char *separator, const struct rn_vol *v);

/* Extends the text to n bytes by inserting blanks at offset `at`. Returns n; 0 if the text is
 * longer than n, or did not fit. */
size_t rn_vol_text_widen(struct rn_vol_text *t, size_t at, size_t n);
