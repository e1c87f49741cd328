/* The kinds of sinks behind sink.h. Each kind is one row, a const struct rn_write_ops, and a struct
 * that begins with struct rn_write_sink. sink.c makes and frees that struct and does what all kinds
 * do alike: names, checks of the target, counts, the loss report of what changes in mid-stream. */
#ifndef RN_IO_WRITE_SINKS_SINK_OPS_H
#define RN_IO_WRITE_SINKS_SINK_OPS_H

#include "filters/base/output/outfile.h"
#include "io/common/media.h"
#include "io/read/images/names.h"
#include "io/write/report/compare.h"
#include "io/write/report/omitted.h"
#include "io/write/sink.h"

/* What of an input outputs of a kind hold. */
enum rn_write_holds {
    RN_HOLDS_PICTURES, /* alone: all else is in the loss report (omitted.h) */
    RN_HOLDS_STREAMS,  /* as far as the container does: the sink reports what it does not hold */
    RN_HOLDS_NOTHING,  /* there is no file; nothing is checked or reported */
};

struct rn_write_ops {
    size_t size; /* of the kind's struct, which is zeroed */
    enum rn_write_holds holds;
    bool numbered;         /* a numbered name is several files */
    bool file_per_picture; /* a file holds one picture: several need a numbered name */
    bool compresses;       /* rn_write_opts.compression is for it */
    /* Which outputs are this kind's. */
    bool (*match)(const char *output);
    /* Opens the output. With sink->rehearsal it does the same without touching the output, so that
     * every mistake of the user's shows before. opts is valid during the call only. Optional.
     * Returns 0, RN_EUSAGE, RN_EOUTPUT or RN_EINTERNAL (logged). */
    int (*open)(struct rn_write_sink *sink, const struct rn_write_opts *opts);
    /* See rn_write_write; sink->frames counts this one already. Optional. */
    int (*write)(struct rn_write_sink *sink, const struct rn_image *img,
                 const struct rn_frame *frame);
    /* Takes packets behind the last picture. Optional. */
    int (*tail)(struct rn_write_sink *sink, const struct rn_frame *frame);
    /* Ends the output. Optional. */
    int (*close)(struct rn_write_sink *sink, enum rn_write_ending ending);
    /* Frees what the kind has beyond struct rn_write_sink; also behind a failure of open. Optional.
     */
    void (*release)(struct rn_write_sink *sink);
    /* See rn_write_damaged. Optional: 0. */
    int64_t (*damaged)(const struct rn_write_sink *sink);
    /* Does the output specify the rate of the pictures, if it is constant? Optional: it does not.
     */
    bool (*rated)(const struct rn_write_sink *sink);
};

struct rn_write_sink {
    const struct rn_write_ops *ops;
    char *name;                     /* of the output, as given */
    struct rn_read_pattern pattern; /* prefix NULL: one file; else a file for each picture */
    struct rn_io_media media;       /* of the input */
    struct rn_geom geom;            /* of the pictures that come */
    struct rn_losses *losses;       /* borrowed; NULL in a rehearsal */
    struct rn_io_ledger *ledger;    /* likewise */
    bool rehearsal;
    bool failed;                     /* a write did, which was logged */
    struct rn_outfile file;          /* the output, or the numbered file that is being written */
    char *first_path;                /* of the numbered files of rn_write_picture_file */
    int64_t frames;                  /* that came */
    int64_t files;                   /* that rn_write_picture_file wrote */
    struct rn_write_omitted omitted; /* RN_HOLDS_PICTURES */
    /* What is reported once. An encoder that keeps captions sets the last one. */
    bool fields_reported, range_reported, captions_reported;
};

extern const struct rn_write_ops rn_write_null_sink, rn_write_md5_sink, rn_write_tiff_sink,
    rn_write_volume_sink, rn_write_dicom_sink, rn_write_image_sink, rn_write_media_sink;

/* Refuses, in one line: the input itself, a file that exists and may not be overwritten, a folder
 * that cannot be written. Returns 0, RN_EUSAGE or RN_EOUTPUT. */
int rn_write_check_target(const char *path, const struct rn_io_media *media);

/* Are the numbered files of that name written by rn_write_tiff_sink? */
bool rn_write_tiff_takes_files(const char *output, const struct rn_write_opts *opts,
                               const struct rn_geom *geom);

/* Begins sink->file: that of picture `number` if the name is numbered, else the output itself.
 * Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_write_begin_file(struct rn_write_sink *sink, int64_t number);

/* Writes the whole file of a picture. A numbered one gets its final name at once, a single one is
 * for close to commit. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_write_picture_file(struct rn_write_sink *sink, int64_t number, const void *data,
                          size_t size);

/* What rn_write_compare needs of samples of w x h in the format `coded`. */
struct rn_write_written rn_write_written_of(const struct rn_write_sink *sink, int w, int h,
                                            enum AVPixelFormat coded);

#endif
