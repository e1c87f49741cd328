/* A video encoder fed with our pictures; used by the sinks that compress. */
#ifndef RN_IO_WRITE_ENCODE_ENCODER_H
#define RN_IO_WRITE_ENCODE_ENCODER_H

#include <stdbool.h>

#include <libavcodec/avcodec.h>
#include <libavutil/dict.h>

#include "filters/base/image.h"
#include "io/pixels/turn.h"
#include "io/common/media.h"

struct rn_write_encoder;

struct rn_write_encoder_setup {
    const AVCodec *codec;
    AVDictionary **options;            /* the user's; what the encoder knows is taken out */
    const char *pix_fmt;               /* the user's; NULL = the nearest */
    const enum AVPixelFormat *formats; /* what the container takes; NULL = all of the codec's */
    AVRational time_base;              /* tried first */
    int threads;
    struct rn_geom geom;             /* of the pictures that come */
    const struct rn_io_media *media; /* colours, aspect, rate, field order; read while opening */
    bool global_header;              /* parameter sets go to the container's header */
    bool display_file;               /* the file format implies full range or RGB (JPEG, TIFF) */
    bool constant; /* pictures follow each other at steps of the time base, whatever their pts */
    bool repeats;  /* rn_write_encoder_repeat_at() may be called */
    bool quiet;    /* say nothing about conversions */
    bool limited;  /* the file has no place to say that Y'CbCr is of full range */
    const struct rn_pix_orient *turn; /* of pictures that are coded packed, last; NULL = none */
    struct rn_losses *losses;         /* what the encoder cannot take is added; may be NULL */
};

/* Where packets go: in decoding order, timestamps in the encoder's time base, durations those of
 * the frames. number: rn_io_frame_data.number of the frame, else its index; -1 where the encoder
 * does not say which one it is. Returns 0 or an error (logged). */
typedef int rn_write_packet_fn(void *opaque, AVPacket *pkt, int64_t number);

/* Returns 0; RN_EUSAGE if the codec or its options do not suit the pictures; RN_EOUTPUT if this
 * machine cannot run the encoder; RN_EINTERNAL. Failures are logged in one line. */
int rn_write_encoder_open(struct rn_write_encoder **enc,
                          const struct rn_write_encoder_setup *setup);
void rn_write_encoder_close(struct rn_write_encoder **enc);

const AVCodecContext *rn_write_encoder_context(const struct rn_write_encoder *enc);

/* Whether closed captions that come with the frames are coded with them. */
bool rn_write_encoder_keeps_captions(const struct rn_write_encoder *enc);

/* Frames sent to the encoder so far, with repetitions. */
int64_t rn_write_encoder_frames(const struct rn_write_encoder *enc);

/* What the packets' timestamps count from, in the source's time base: 0, or the first frame's time
 * where the encoder's steps are others than the source's and would move all pictures by a part. */
int64_t rn_write_encoder_origin(const struct rn_write_encoder *enc);

/* Encodes a picture; img NULL: the last ones. Returns 0, RN_EOUTPUT, RN_EINTERNAL (logged), or what
 * fn returned. */
int rn_write_encoder_write(struct rn_write_encoder *enc, const struct rn_image *img,
                           const struct rn_frame *frame, rn_write_packet_fn *fn, void *opaque);

/* Does the encoder leave its own threads out, and give each picture's packet at once and regardless
 * of those before? Several of a kind then can share the pictures of a sequence. */
bool rn_write_encoder_is_single(const struct rn_write_encoder *enc);

/* rn_write_encoder_write in three steps, for an encoder that is single: takes a picture; encodes
 * it, which may happen in another thread and logs nothing; gives its packet away, or says what
 * failed. The first and the last return as above. */
int rn_write_encoder_take(struct rn_write_encoder *enc, const struct rn_image *img,
                          const struct rn_frame *frame);
void rn_write_encoder_work(struct rn_write_encoder *enc);
int rn_write_encoder_give(struct rn_write_encoder *enc, rn_write_packet_fn *fn, void *opaque);

/* Encodes the last picture once more, one step later; only if `constant`. Returns as above. */
int rn_write_encoder_repeat(struct rn_write_encoder *enc, rn_write_packet_fn *fn, void *opaque);

/* Encodes the last picture once more, to be shown at pts for duration, in the source's time base;
 * pts is later than the picture's own. Only if `repeats`. Returns as above. */
int rn_write_encoder_repeat_at(struct rn_write_encoder *enc, int64_t pts, int64_t duration,
                               rn_write_packet_fn *fn, void *opaque);

#endif
