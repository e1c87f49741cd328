/* Files that hold a volume as one array of samples, behind a header or with one beside them: NRRD,
 * MetaImage, NIfTI, NumPy, BART, MATLAB, raw. Each format is one file with a table of functions;
 * array.c reads them all, io/write/sinks/sink_volume.c writes them all. */
#ifndef RN_IO_VOLUMES_LAYOUT_H
#define RN_IO_VOLUMES_LAYOUT_H

#include "io/volumes/bytes.h"
#include "io/volumes/volume.h"

#define RN_HEAD_SIZE 65536 /* bytes of a file that a parser of headers sees */

/* Where the samples stand, and what they are. */
struct rn_vol_layout {
    const char
        *series; /* asked for by --series, or NULL; a parser that has several sets series_used */
    bool series_used;
    struct rn_vol volume; /* without fmt, which follows from type and comps */
    char *path;           /* of the samples; av_malloc'ed */
    int64_t offset;       /* in the file or, where that is packed, behind it in what is unpacked */
    int64_t skip;         /* where packed bytes begin in the file */
    enum rn_vol_packing packing;
    enum rn_vol_sample_type type;
    bool swapped; /* not the machine's endianness */
    bool complex; /* pairs of samples */
    int comps;    /* of a pixel: 1; 2 with alpha; 3 RGB; 4 RGBA */
    bool vector;  /* channels lie side by side in each pixel: as many as the volume has */
    /* Bytes from one to the next; 0: they follow each other in this order. */
    int64_t comp_step, column_step, row_step, picture_step;
    /* Bytes from one slice, channel, time to the next; 0: pictures follow each other in the order
     * of the volume. */
    int64_t axis_step[RN_AXES];
    int variable;   /* RN_PACKING_MAT: which array of the file */
    bool to_end;    /* the samples are the last ones in the file, wherever they begin */
    char note[160]; /* what of the header could not be taken, for the loss report */
};

/* What a header is made for. */
struct rn_vol_heading {
    const struct rn_vol *volume;
    const char *output;          /* the name */
    enum rn_vol_packing packing; /* of the samples */
    int64_t packed;              /* bytes of them, packed; 0: not known yet */
    bool n_is_estimate;          /* the number of pictures may grow: leave space for more digits */
    size_t length; /* that it has to have, since the samples stand behind it; 0: its own choice */
};

struct rn_vol_format {
    const char *name;       /* for people */
    const char *extensions; /* that an output has, with commas between them; "": only read */

    /* ---- reading */

    /* Is a file with this name and these first n bytes (unpacked, if packed) of the kind? */
    bool (*match)(const char *path, const uint8_t *head, size_t n);
    /* Reads the header. head: the first n bytes of path; packed: with gzip, all of it. Fills
     * layout, which is zeroed but for series and a volume of one picture. Returns 0, RN_EINPUT or
     * RN_EUSAGE (logged). */
    int (*parse)(const char *path, const uint8_t *head, size_t n, bool packed,
                 struct rn_vol_layout *layout);

    /* ---- writing */

    /* Says why it cannot hold v in a file with this name; false: it can. Optional: it can. */
    bool (*refuses)(const struct rn_vol *v, const char *output, char *why, size_t size);
    /* Makes the header: at most size bytes. Returns how many; 0 if it does not fit. */
    size_t (*header)(const struct rn_vol_heading *h, char *to, size_t size);
    /* How samples are packed where that is asked for; RN_PACKING_NONE: they cannot be. */
    enum rn_vol_packing packs;
    /* Is a file with this name packed with gzip as a whole? Optional: it is not. */
    bool (*packed)(const char *output);
    /* What of v has no place in it, in words; "": it holds all. Optional: it does. */
    void (*lacks)(const struct rn_vol *v, char *text, size_t size);
    /* The place of picture (slice, channel, time) among the others, if the format has an order of
     * its own. Optional: as they come. */
    int64_t (*place)(const struct rn_vol *v, int64_t slice, int64_t channel, int64_t time);
    /* The file for the samples, if it is another one; av_malloc'ed. NULL: the same. Optional. */
    char *(*samples)(const char *output, bool packed);
};

extern const struct rn_vol_format rn_vol_nrrd_format, rn_vol_meta_format, rn_vol_nifti_format,
    rn_vol_npy_format, rn_vol_bart_format, rn_vol_mat_format;

/* All formats; ends with NULL. */
const struct rn_vol_format *const *rn_vol_formats(void);

/* Reads the first bytes of a file, unpacked if it is packed as gzip: at most RN_HEAD_SIZE. Returns
 * memory to be freed with av_free, NULL on failure. */
uint8_t *rn_vol_head(const char *path, size_t *n, bool *packed);

/* The file that a header names, which has to lie beside it: av_malloc'ed. NULL (logged) if the name
 * has a folder, or is none. */
char *rn_vol_beside(const char *header, const char *name);

/* The file beside path that is called as it is but for its extension. Likewise. */
char *rn_vol_partner(const char *path, const char *extension);

/* Places the volume as rn_vol_place does; where its axes are no directions the note says so. */
bool rn_vol_layout_place(struct rn_vol_layout *layout, const double column[3][3],
                         const double origin[3]);

/* For place of rn_vol_format: slices, times, channels. */
int64_t rn_vol_place_by_slice(const struct rn_vol *v, int64_t slice, int64_t channel, int64_t time);

/* Checks the sizes of a header, which may be anything: sides of 1..RN_MAX_SIDE, sensible counts.
 * Returns 0 or RN_EINPUT (logged). */
int rn_vol_layout_check(const char *path, struct rn_vol_layout *layout);

/* Reads a text of numbers with anything of `between` between them. Returns how many there are; at
 * most `most` are stored. */
int rn_vol_numbers_parse(const char *text, const char *between, double *to, int most);

/* Bytes of a sample as it is stored: both parts of a complex one. */
int rn_vol_layout_bytes(const struct rn_vol_layout *layout);

/* A size that a header gives: its whole part where it is 1 to most, else 0, also of what is no
 * number. */
int64_t rn_vol_layout_size(double size, int64_t most);

/* Fills layout for samples without a header (--raw): text says what they are. Returns 0, RN_EUSAGE
 * or RN_EINPUT (logged). */
int rn_vol_raw_layout(const char *text, const char *path, struct rn_vol_layout *layout);

/* Is the machine's endianness not the one that a file has? */
bool rn_vol_is_swapped(bool big_endian);

#endif
