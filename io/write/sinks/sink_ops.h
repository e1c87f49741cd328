/* The kinds of sinks behind sink.h. */
#ifndef RN_IO_WRITE_SINKS_SINK_OPS_H
#define RN_IO_WRITE_SINKS_SINK_OPS_H

#include <libavformat/avformat.h>
#include <libavutil/dict.h>

#include "filters/base/output/outfile.h"
#include "io/read/images/names.h"
#include "io/write/report/left_out.h"
#include "io/write/sink.h"

/* What of an input outputs of a kind hold. */
enum rn_write_holds {
    RN_HOLDS_PICTURES, /* alone: all else is in the loss report (left_out.h) */
    RN_HOLDS_STREAMS,  /* as far as the container does: the sink tells itself what it does not */
    RN_HOLDS_NOTHING,  /* nor is anything to be kept: nobody wants to know */
};

struct rn_write_ops {
    enum rn_write_holds holds;
    /* Which outputs are this kind's. */
    bool (*match)(const char *output);
    /* See rn_write_check_options. Optional. */
    int (*check)(const char *output, const struct rn_write_opts *opts,
                 const struct rn_read_source *source, const struct rn_geom *geom);
    int (*open)(struct rn_write_sink **sink, const char *output, const struct rn_write_opts *opts,
                const struct rn_read_source *source, const struct rn_geom *geom);
    int (*write)(struct rn_write_sink *sink, const struct rn_image *img,
                 const struct rn_frame *frame);
    /* Takes packets behind the last picture. Optional. */
    int (*tail)(struct rn_write_sink *sink, const struct rn_frame *frame);
    /* Ends the output and frees the sink, also on failure. */
    int (*close)(struct rn_write_sink *sink, enum rn_write_ending ending);
    /* See rn_write_damaged. Optional: 0. */
    int64_t (*damaged)(const struct rn_write_sink *sink);
    /* Does the output tell the rate of the pictures, if it is constant? Optional: it does not. */
    bool (*rated)(const struct rn_write_sink *sink);
    /* Does it heed rn_write_opts.compression? */
    bool compresses;
    /* Optional. */
    const char *(*path)(const struct rn_write_sink *sink);
};

struct rn_write_sink {
    const struct rn_write_ops *ops;
    struct rn_write_left_out left; /* RN_HOLDS_PICTURES */
};

extern const struct rn_write_ops rn_write_null_sink, rn_write_md5_sink, rn_write_tiff_sink,
    rn_write_volume_sink, rn_write_dicom_sink, rn_write_image_sink, rn_write_media_sink;

/* Refuses, in one line: the input itself, a file that exists and may not be overwritten, a folder
 * that cannot be written. Returns 0, RN_EUSAGE or RN_EOUTPUT. */
int rn_write_check_target(const char *path, const struct rn_read_source *source);

/* Refuses likewise all files that the numbered name could write over: one answer is for all. */
int rn_write_check_pattern(const struct rn_read_pattern *pattern,
                           const struct rn_read_source *source);

/* Refuses output, a file of a single picture, where it is known that the source gives several.
 * Returns 0 or RN_EUSAGE. */
int rn_write_check_single(const char *output, const struct rn_read_source *source);

/* Says that several came, which nobody knew before. Returns RN_EUSAGE; nothing is to be kept. */
int rn_write_fail_several(const char *output);

/* Are the numbered files of that name written by rn_write_tiff_sink? */
bool rn_write_tiff_takes_files(const char *output, const struct rn_write_opts *opts,
                               const struct rn_geom *geom);

/* Writes all of a begun output at once; committing it is the caller's. Returns 0 or RN_EOUTPUT
 * (logged). */
int rn_write_file(const struct rn_outfile *file, const void *data, size_t size);

/* What libav returned for a write to out, or an earlier write of which only out's stream remembers
 * that it failed. path: of the output, for the message. Returns 0 or RN_EOUTPUT (logged). */
int rn_write_checked(const AVFormatContext *out, const char *path, int ret);

/* Logs, as rn_write_fail does, that a write to path failed with this libav error code. Returns
 * RN_EOUTPUT. */
int rn_write_av_write_fail(const char *path, int averror);

#endif
