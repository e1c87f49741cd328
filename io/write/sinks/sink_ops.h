/* SPDX-License-Identifier: MIT */
/* The kinds of sinks behind sink.h. Each kind has a const struct rn_write_ops, and a struct that
 * begins with struct rn_write_sink. sink.c allocates and frees that struct and does the common
 * work: names, checks of the target, counts, the loss report of changes in mid-stream. */
#pragma once

#include "io/read/images/names.h"
#include "io/volumes/volume.h"
#include "io/write/report/compare.h"
#include "io/write/sink.h"

/* What outputs of a kind hold of an input. */
enum rn_write_holds {
    RN_HOLDS_PICTURES, /* only: the loss report lists the rest (compare.h) */
    RN_HOLDS_STREAMS,  /* that the container can hold: the sink reports the others */
    RN_HOLDS_NOTHING,  /* there is no file; nothing is checked or reported */
};

struct rn_write_ops {
    size_t size; /* of the kind's struct, which is zeroed */
    enum rn_write_holds holds;
    bool numbered;         /* a numbered name is several files */
    bool file_per_picture; /* a file holds one picture: several need a numbered name */
    bool compresses;       /* uses rn_write_opts.compression */
    bool rated;            /* a file of all pictures specifies their rate, if it is constant */
    const char *name;      /* of the one output of this kind; NULL: match */
    /* True for the names of outputs of this kind. Optional: all. */
    bool (*match)(const char *output);
    /* Opens the output. A rehearsal does the same without touching the output, so that
     * the user's mistakes show early. opts is valid only during the call. Optional. Returns 0,
     * RN_EUSAGE, RN_EOUTPUT or RN_EINTERNAL (logged). */
    int (*open)(struct rn_write_sink *sink, const struct rn_write_opts *opts);
    /* See rn_write_write; sink->frames includes this one. Optional. */
    int (*write)(struct rn_write_sink *sink, const struct rn_image *img,
                 const struct rn_frame *frame);
    /* Writes the packets after the last picture. Optional. */
    int (*tail)(struct rn_write_sink *sink, const struct rn_frame *frame);
    /* Ends the output. Optional. */
    int (*close)(struct rn_write_sink *sink, enum rn_write_ending ending);
    /* Frees the kind's own fields, also after a failed open. Optional. */
    void (*release)(struct rn_write_sink *sink);
    /* How many pictures a cell has; 0: the output cannot be cut. Optional: RN_GRID_LEAST. */
    int (*cell)(const struct rn_write_sink *sink);
    /* The open encoder; *container: of a media file, else unchanged. Optional. */
    const AVCodecContext *(*encoder)(const struct rn_write_sink *sink, const char **container);
    /* See rn_write_damaged. Optional: 0. */
    int64_t (*damaged)(const struct rn_write_sink *sink);
};

/* What a sink is opened for. */
enum rn_write_purpose {
    RN_WRITE_OUTPUT,
    RN_WRITE_REHEARSAL,  /* opened as for the output, which stays untouched */
    RN_WRITE_FIRST_PASS, /* of two: encoded, but there will be no file */
    RN_WRITE_SEGMENT,    /* likewise: it goes to cells */
};

struct rn_write_sink {
    const struct rn_write_ops *ops;
    char *name;                     /* of the output, as given */
    struct rn_read_pattern pattern; /* prefix NULL: one file; else a file for each picture */
    struct rn_io_media media;       /* of the input */
    struct rn_geom geom;            /* of the pictures */
    struct rn_losses *losses;       /* borrowed; NULL if quiet */
    struct rn_io_ledger *ledger;    /* borrowed; NULL in a rehearsal */
    enum rn_write_purpose purpose;
    bool quiet;                   /* says nothing of conversions: another opening does */
    bool failed;                  /* a write failed, which was logged */
    struct rn_write_cells *cells; /* borrowed; where the output goes to, or comes from; or NULL */
    struct rn_image kept;         /* a picture from there; no planes: pictures are not from there */
    struct rn_outfile file;       /* the output, or the numbered file that is being written */
    struct rn_outset *set;        /* of the numbered files; NULL: one file */
    bool replace_set;
    char *first_path;                /* of the numbered files of rn_write_picture_file */
    int64_t frames;                  /* so far */
    int64_t files;                   /* written by rn_write_picture_file */
    struct rn_write_omitted omitted; /* RN_HOLDS_PICTURES */
    /* Changes that were reported. captions_reported is also set if the encoder keeps captions. */
    bool fields_reported, range_reported, captions_reported;
};

extern const struct rn_write_ops rn_write_null_sink, rn_write_md5_sink, rn_write_tiff_sink,
    rn_write_volume_sink, rn_write_dicom_sink, rn_write_image_sink, rn_write_media_sink;

/* The separate file of samples of a volume (av_malloc); NULL: none. */
char *rn_write_volume_samples(const char *output, bool packed);

/* Does rn_write_tiff_sink write the numbered files `output`? */
bool rn_write_tiff_takes_files(const char *output, const struct rn_write_opts *opts,
                               const struct rn_geom *geom);

/* Begins sink->file: the file of picture `number` if the name is numbered, else the output itself.
 * Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_write_begin_file(struct rn_write_sink *sink, int64_t number);

/* Writes the whole file of a picture, and commits a numbered one to the set; close commits a single
 * one. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_write_picture_file(struct rn_write_sink *sink, int64_t number, const void *data,
                          size_t size);

/* What rn_write_compare needs of samples of w x h in the format `coded`. */
struct rn_write_written rn_write_written_of(const struct rn_write_sink *sink, int w, int h,
                                            enum AVPixelFormat coded);

/* ---- volume_out.c: describes the volume (io/volumes/volume.h) that a sink writes */

/* Fills v with the volume of the input as far as it still holds for the pictures of sink, and adds
 * made_by (opts->made_by). Pictures of other inputs are slices, those of media points in time. The
 * number of pictures is the expected one, or 1. Adds what v cannot keep to the losses. */
void rn_write_volume_out(struct rn_vol *v, const struct rn_write_sink *sink, const char *made_by);

/* Refuses options of encoders for files of `format`. Returns 0 or RN_EUSAGE (logged). */
int rn_write_volume_out_check(const struct rn_write_sink *sink, const char *format,
                              const struct rn_write_opts *opts);

/* Corrects v for the n pictures that were written. */
void rn_write_volume_out_end(struct rn_vol *v, const struct rn_write_sink *sink, int64_t n);

/* Adds to the losses which other fields of the input's header an output of `format` (NULL: of none
 * that keeps any) does not hold. */
void rn_write_volume_out_fields(const struct rn_vol *v, const struct rn_write_sink *sink,
                                const char *format);

/* Adds to the losses that white is the largest value in the output, but 0 in the input of v. */
void rn_write_volume_out_inverted(const struct rn_vol *v, const struct rn_write_sink *sink);

/* Adds to the losses what the input specifies and no volume can hold (compare.h). */
void rn_write_volume_out_compare(const struct rn_vol *v, const struct rn_write_sink *sink);
