/* The kinds of sinks behind sink.h. */
#ifndef RN_SINK_OPS_H
#define RN_SINK_OPS_H

#include <libavformat/avformat.h>
#include <libavutil/dict.h>

#include "io/write/sink.h"

struct rn_sink_ops {
    /* Which outputs are this kind's. */
    bool (*match)(const char *output);
    /* See rn_sink_check. Optional. */
    int (*check)(const char *output, const struct rn_sink_opts *opts,
                 const struct rn_source *source, const struct rn_geom *geom);
    int (*open)(struct rn_sink **sink, const char *output, const struct rn_sink_opts *opts,
                const struct rn_source *source, const struct rn_geom *geom);
    int (*write)(struct rn_sink *sink, const struct rn_image *img, const struct rn_frame *frame);
    /* Takes packets behind the last picture. Optional. */
    int (*tail)(struct rn_sink *sink, const struct rn_frame *frame);
    /* Ends the output and frees the sink, also on failure. */
    int (*close)(struct rn_sink *sink, enum rn_ending ending);
    /* See rn_sink_damaged. Optional: 0. */
    int64_t (*damaged)(const struct rn_sink *sink);
    /* Optional. */
    const char *(*path)(const struct rn_sink *sink);
};

struct rn_sink {
    const struct rn_sink_ops *ops;
};

extern const struct rn_sink_ops rn_null_sink, rn_md5_sink, rn_tiff_sink, rn_image_sink,
    rn_media_sink;

/* Refuses, in one line: the input itself, a file that exists and may not be overwritten, a folder
 * that cannot be written. Returns 0, RN_EUSAGE or RN_EOUTPUT. */
int rn_check_target(const char *path, const struct rn_source *source);

/* Reads the user's codec_opts, k=v:k=v, into *options, which the caller frees, also on failure.
 * text may be NULL. Returns 0 or RN_EUSAGE (logged). */
int rn_codec_options_parse(const char *text, AVDictionary **options);

/* Refuses a value that its option forbids, and says what the option takes. object: a codec's or
 * container's context, not yet opened, on which all options that it knows are set; name: its name,
 * for the message. Returns 0, RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_codec_options_try(const AVDictionary *options, void *object, const char *name);

/* Refuses what nobody has taken out of options: codec, and container where that is not NULL, are
 * those who do not know it, for the message. Returns 0 if nothing is left, else RN_EUSAGE (logged).
 */
int rn_codec_options_check(const AVDictionary *options, const char *codec, const char *container);

/* What libav returned for a write to out, or an earlier write of which only out's stream remembers
 * that it failed. path: of the output, for the message. Returns 0 or RN_EOUTPUT (logged). */
int rn_write_check(const AVFormatContext *out, const char *path, int ret);

/* A write to path failed with this libav error code. Logs it, except for a closed pipe on stdout
 * (path "-"), whose reader has seen enough. Returns RN_EOUTPUT. */
int rn_write_failed(const char *path, int averror);

#endif
