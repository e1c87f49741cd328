/* SPDX-License-Identifier: MIT */
/* Encodes our pictures with an encoder of libav, for the sinks that compress. One thread at a time;
 * rn_write_encoder_work may be called from another thread than the functions around it. */
#pragma once

#include <libavcodec/avcodec.h>
#include <libavutil/dict.h>

#include "filters/base/threads/thread.h"
#include "io/pixels/convert.h"
#include "io/pixels/turn.h"
#include "io/common/media.h"
#include "io/containers/file.h"

#define RN_GRID_LEAST 240 /* pictures of a cell; a restart costs bits */

/* Takes packets, in decoding order: timestamps are in the encoder's time base, durations are those
 * of the frames. number: rn_io_frame_number of the frame; -1 if the encoder does not specify the
 * frame. Returns 0 or an error (logged). */
typedef int rn_write_packet_fn(void *opaque, AVPacket *pkt, int64_t number);

struct rn_write_encoder_setup {
    const AVCodec *codec;
    AVDictionary **options;            /* the user's; the encoder's are taken out */
    const char *pix_fmt;               /* the user's; NULL = the nearest */
    const enum AVPixelFormat *formats; /* of the container; NULL = all of the codec's */
    AVRational time_base;              /* tried first */
    int threads;
    struct rn_geom geom;             /* of the pictures */
    const struct rn_io_media *media; /* colours, aspect, rate, field order; read while opening */
    bool global_header;              /* parameter sets go to the container's header */
    bool display_file;               /* the file format implies full range or RGB (JPEG, TIFF) */
    bool constant; /* one picture each step of the time base, whatever their pts */
    bool repeats;  /* rn_write_encoder_repeat_at() may be called */
    bool quiet;    /* do not report conversions */
    bool limited;  /* the file cannot specify full range of Y'CbCr */
    const struct rn_pix_orient *turn;     /* of packed frames, before encoding; NULL = none */
    struct rn_losses *losses;             /* gets what the encoder cannot take; may be NULL */
    const struct rn_write_passes *passes; /* two_pass.h; NULL: one pass */
    bool grid;                            /* encode in cells */
    struct rn_write_cells *cells; /* where packets go, or come from (cells.h); NULL: nowhere */
    bool rehearsal;               /* nothing will be encoded */
    rn_write_packet_fn *put;      /* called by the functions that encode */
    void *opaque;
};

#define RN_GRID_DELAY 16 /* the most pictures by which an encoder reorders (H.264, HEVC) */

/* Properties of a frame that encoders do not pass on; kept until its packet comes. */
struct rn_write_pending {
    int64_t pts, duration, number;
};

/* Times of pictures, in the encoder's time base. */
struct rn_write_grid_cell {
    int64_t first;                 /* of the first picture */
    int64_t before[RN_GRID_DELAY]; /* of the last pictures before it; the newest is last */
    int64_t put;                   /* packets of the cell so far */
};

struct rn_write_grid {
    int size;      /* pictures of a cell; 0: there are none, as where the encoder cannot be cut */
    bool restarts; /* the encoder, at each; else it codes each picture by itself */
    int64_t taken; /* pictures of this cell */
    int64_t recent[RN_GRID_DELAY]; /* as `before`, of the next cell */
    struct rn_write_grid_cell cell;
    AVCodecContext *next; /* configured as the first one was, not opened */
    AVDictionary *options;
    /* The encoder before. */
    AVCodecContext *ending; /* its packets are to be put before any other; NULL: they were */
    struct rn_write_grid_cell ending_cell;
    AVPacket **packets;
    int npackets, ended; /* ended: libav's code */
    struct rn_thread thread;
};

struct rn_write_encoder {
    /* Of its pointers only codec, losses and opaque are valid after opening. */
    struct rn_write_encoder_setup setup;
    AVCodecContext *ctx; /* for its users to read */
    struct rn_write_grid grid;
    int64_t cell; /* of the run, where it is put together from cells */
    bool carries; /* the last packets of the cell before are still to be put */
    struct rn_pix_export *export;
    struct rn_pix_orient turn;
    AVRational time_base; /* of the input's frames */
    AVPacket *pkt;
    AVFrame *frame;
    struct rn_write_pending *pending;
    int npending;
    int64_t last_pts;
    /* Of the packets' timestamps, in the input's time base: 0, or the first frame's time if the
     * encoder's steps differ from the input's and would move all pictures by a fraction. */
    int64_t origin;
    int64_t sent; /* frames so far, with repetitions */
    bool warned;  /* about moved pictures */
    bool drained; /* the end of the stream was sent */
    int err;      /* logged while it was opened; libav's code is then AVERROR_EXIT */
    int worked;   /* libav's code of rn_write_encoder_work */
};

/* Returns 0; RN_EUSAGE if the codec or its options do not suit the pictures; RN_EOUTPUT if this
 * machine cannot run the encoder; RN_EINTERNAL. Failures are logged in one line. */
int rn_write_encoder_open(struct rn_write_encoder **enc,
                          const struct rn_write_encoder_setup *setup);
void rn_write_encoder_close(struct rn_write_encoder **enc);

/* avcodec_send_frame and avcodec_receive_packet, which may never return (stall.h). */
int rn_write_encoder_send(AVCodecContext *ctx, const AVFrame *frame);
int rn_write_encoder_receive(AVCodecContext *ctx, AVPacket *pkt);

/* True if the encoder codes the closed captions of frames. */
bool rn_write_encoder_keeps_captions(const struct rn_write_encoder *enc);

/* Encodes a picture; img NULL: drains the encoder. Returns 0, RN_EOUTPUT, RN_EINTERNAL (logged), or
 * what put returned. */
int rn_write_encoder_write(struct rn_write_encoder *enc, const struct rn_image *img,
                           const struct rn_frame *frame);

/* True if the encoder has no threads and gives each picture's packet at once, independently of
 * others. Then several encoders can share the pictures of a sequence. */
bool rn_write_encoder_is_single(const struct rn_write_encoder *enc);

/* rn_write_encoder_write in three steps, for an encoder that is single: take a picture; encode it,
 * in any thread (enc is a struct rn_write_encoder *, for rn_workers_create); put its packet, or log
 * what failed. The first and the last return as above. */
int rn_write_encoder_take(struct rn_write_encoder *enc, const struct rn_image *img,
                          const struct rn_frame *frame);
void rn_write_encoder_work(void *enc);
int rn_write_encoder_give(struct rn_write_encoder *enc);

/* Encodes the last picture once more, one step later; only if `constant`. Returns as above. */
int rn_write_encoder_repeat(struct rn_write_encoder *enc);

/* Encodes the last picture once more, shown at pts for duration, in the source's time base; pts is
 * later than the picture's own. Only if `repeats`. Returns as above. */
int rn_write_encoder_repeat_at(struct rn_write_encoder *enc, int64_t pts, int64_t duration);

/* ---- encoder_choice.c: chooses the encoder, the user's or the usual one of the container */

/* Finds an encoder for streams of a type by its own name or its codec's. NULL: there is none. */
const AVCodec *rn_write_encoder_named(const char *name, enum AVMediaType type);

/* The same for pictures. Returns 0, or RN_EUSAGE (logged, with similar names). */
int rn_write_encoder_find(const char *name, const AVCodec **codec);

/* Writes the end of a message that no encoder of the type has that name: similar names, and how to
 * list all. Returns it: text, or a constant for a word that is no name. */
const char *rn_write_encoder_advice(const char *name, enum AVMediaType type, char *text,
                                    size_t size);

/* Chooses the encoder for a container: `wanted`, the user's (NULL = none), else the usual one, or
 * one that holds transparency if both media and geom, of the pictures to be written, have it. name:
 * of the output; quiet: log only mistakes. Returns 0 or RN_EUSAGE (logged). */
int rn_write_codec_choose(const AVCodec **codec, const AVOutputFormat *of, const char *wanted,
                          const struct rn_io_media *media, const struct rn_geom *geom,
                          const char *name, bool quiet);

/* True if the coded pictures or the container specify the range of Y'CbCr. Otherwise every reader
 * takes it for limited. */
bool rn_write_codec_specifies_range(const AVOutputFormat *of, enum AVCodecID id);

/* ---- encoder_config.c, for encoder.c: chooses pixel format, range, colours, fields and options
 *
 * They depend on the encoder, on what the file can specify, and on the chain's pictures. */

/* Chooses the user's format, or the nearest. Returns 0, or RN_EUSAGE (logged) if none fits. */
int rn_write_encoder_choose_format(const struct rn_write_encoder_setup *setup,
                                   enum AVPixelFormat *fmt);

/* True if chroma cannot stay subsampled: x264 and x265 take odd sizes only without. */
bool rn_write_encoder_needs_full_chroma(const struct rn_write_encoder_setup *setup);

/* Fills a new context for frames of fmt, and adds to options what the user did not set. fields: the
 * encoder codes interlaced pictures as such. Returns 0 or a libav error. */
int rn_write_encoder_configure(AVCodecContext *ctx, const struct rn_write_encoder_setup *setup,
                               enum AVPixelFormat fmt, AVRational time_base, bool fields,
                               AVDictionary **options);

/* Creates the export of the pictures to frames of fmt. Returns as rn_pix_export_create does. */
int rn_write_encoder_export(struct rn_pix_export **exp, const struct rn_write_encoder_setup *setup,
                            enum AVPixelFormat fmt);

/* ---- encoder_choice.c: --codec-opts, the options of encoders and containers by libav's names */

/* Reads the user's codec_opts, k=v:k=v, into *options, which the caller frees, also on failure.
 * text may be NULL. Returns 0 or RN_EUSAGE (logged). */
int rn_write_codec_options_parse(const char *text, AVDictionary **options);

/* Takes `tag` out of options: the container's code for the codec, as four characters (hvc1) or a
 * number. Without one, *tag does not change. Returns 0 or RN_EUSAGE (logged). */
int rn_write_codec_options_take_tag(AVDictionary **options, unsigned *tag);

/* Sets the options that object knows, the unopened context of a codec or container. Refuses a value
 * that its option forbids, and lists the valid ones. name: of the object, for the message. Returns
 * 0, RN_EUSAGE or RN_EINTERNAL (logged). */
int rn_write_codec_options_try(const AVDictionary *options, void *object, const char *name);

/* Refuses options that nothing has taken out. codec, container (may be NULL): for the message.
 * Returns 0 if options is empty, else RN_EUSAGE (logged). */
int rn_write_codec_options_check(const AVDictionary *options, const char *codec,
                                 const char *container);

/* The traits (bits of enum rn_io_trait) that the user's options set, so their change is no loss. */
unsigned rn_write_codec_options_traits(const AVDictionary *options);
