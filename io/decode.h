/* Inside of a source: its state, and the decoding that reading (source.c) and seeking (seek.c)
 * share. */
#ifndef RN_DECODE_H
#define RN_DECODE_H

#include <pthread.h>

#include "io/convert.h"
#include "io/media.h"
#include "io/packets.h"

struct rn_source {
    char *input;
    struct rn_source_opts opts;
    struct rn_stream stream;
    struct rn_media media;
    struct rn_packets *packets;
    AVCodecContext *dec;
    AVPacket *pkt;
    AVFrame *frame; /* the next picture, decoded ahead */
    AVFrame *first; /* properties of the first picture */
    struct rn_import *import;

    bool have;              /* frame holds a picture */
    bool draining;          /* the decoder got its last packet */
    bool ended;             /* no more pictures will come */
    bool cut;               /* ended by --to or --frames, not by the input */
    bool warned;            /* about a change of format */
    int64_t decoded, given; /* pictures */
    int64_t from_us, to_us;
    int64_t end_us; /* where the range ends, better known on the way; INT64_MAX = with the input */
    int64_t offset; /* taken off all timestamps, in the stream's time base */
    int64_t last_pts, last_duration;
    int64_t flagged; /* pictures with errors, and errors instead of pictures */
    int64_t logged;  /* pictures during whose decoding libav reported errors */
    int watched;     /* packets->watch.errors seen so far */
    int64_t base;    /* `decoded` where `given` was 0 */
    int settling;    /* pictures after a seek for which libav's messages mean nothing */
    bool finished;   /* the end was looked at */

    pthread_mutex_t lock;
    struct rn_damage damage; /* protected by lock */

    /* Apart from the flags above: compilers read neighbouring flags as one word. */
    atomic_bool stop;
};

/* Counts of damage, to be taken back. */
struct rn_tally {
    int64_t flagged, logged, corrupt;
    struct rn_damage damage;
};

/* True if libav reported errors since the last call. */
bool rn_decode_errors_since(struct rn_source *src);

/* Makes the sum of the damage that other threads see. */
void rn_decode_publish(struct rn_source *src);

/* The counts of now. */
struct rn_tally rn_decode_tally(const struct rn_source *src);

/* Takes back what was counted since, among pictures that nobody asked for. */
void rn_decode_set_tally(struct rn_source *src, const struct rn_tally *tally);

/* The next picture in src->frame. Returns 0, RN_END or an error. */
int rn_decode_next(struct rn_source *src);

/* Sets pts (strictly rising) and duration of the picture in src->frame. */
void rn_decode_set_times(struct rn_source *src);

/* The picture in src->frame is the next that is given. Returns 0. */
int rn_decode_accept(struct rn_source *src);

/* Decodes the next picture within the range of the options. Returns 0, RN_END or an error. */
int rn_decode_advance(struct rn_source *src);

/* When a packet of another stream begins, in microseconds; AV_NOPTS_VALUE if it does not say. */
int64_t rn_source_packet_us(const struct rn_source *src, const AVPacket *pkt);

#endif
