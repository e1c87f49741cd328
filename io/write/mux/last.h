/* How long the last picture of an output lasts, which containers tell badly: MOV and MP4 add up the
 * durations of packets, others tell only when a picture begins.
 *
 * One thread at a time. */
#ifndef RN_IO_WRITE_MUX_LAST_H
#define RN_IO_WRITE_MUX_LAST_H

#include <stdbool.h>
#include <stdint.h>

#include <libavformat/avformat.h>

#include "io/write/encode/encoder.h"
#include "io/write/mux/span.h"

/* Zeroed it stands for an output without pictures. */
struct rn_write_last {
    struct rn_write_span shown; /* of all pictures, in microseconds */
    int64_t pts;                /* of the last one, in the time base of the frames */
    int64_t us;                 /* how long it is shown; 0: unknown */
    int64_t repeated;           /* times, at its end */
    AVPacket *held;
    int64_t first_dts; /* of what was held, in the time base of the stream */
};

struct rn_write_last_place {
    const char *name; /* of the output */
    const AVOutputFormat *of;
    AVRational time_base; /* of the frames */
};

/* Writes a packet and takes its content. Returns 0 or an error. */
typedef int rn_write_last_write_fn(void *opaque, AVPacket *pkt);

/* Takes notice of a frame, which comes in the order of time; time_base: of its times. */
void rn_write_last_note(struct rn_write_last *last, const struct rn_frame *frame,
                        AVRational time_base);

/* Keeps a packet of MOV or MP4 back, and writes the one before it. Returns 0, what write does (then
 * nothing is held) or RN_EINTERNAL (logged). */
int rn_write_last_hold(struct rn_write_last *last, AVPacket *pkt, rn_write_last_write_fn *write,
                       void *opaque);

/* Writes the packet that is held, if there is one, with a duration with which all of them add up to
 * what the pictures last. stream, encoder: their time bases. Returns what write does. */
int rn_write_last_release(struct rn_write_last *last, AVRational stream, AVRational encoder,
                          rn_write_last_write_fn *write, void *opaque);

/* Repeats the last picture at its end where the container is such a one, and it lasts longer than
 * one would guess; says so. Not for a constant rate. Returns 0 or an error, as
 * rn_write_encoder_repeat_at does. */
int rn_write_last_repeat(struct rn_write_last *last, struct rn_write_encoder *enc,
                         const struct rn_write_last_place *place, rn_write_packet_fn *fn,
                         void *opaque);

/* Releases the packet that is held. */
void rn_write_last_free(struct rn_write_last *last);

#endif
