/* Pictures of any times for a container that has no times, only a rate: where a picture lasts
 * longer than one step it is repeated, where several fall on one step the first is written. Owned
 * by the sink, on its thread. */
#ifndef RN_IO_WRITE_MUX_CONSTANT_RATE_H
#define RN_IO_WRITE_MUX_CONSTANT_RATE_H

#include <libavformat/avformat.h>

#include "io/write/encode/encoder.h"

struct rn_write_constant_rate {
    AVRational time_base; /* of the frames that come */
    AVRational step;      /* seconds from picture to picture in the output */
    bool begun;
    int64_t first, end; /* pts of the first picture, end of the last one */
    int64_t steps;      /* pictures written */
    int64_t repeated, dropped;
};

/* The time base for the pictures of media in a container. Where it has no times, only a rate, *c
 * is begun, else left as it is. */
AVRational rn_write_constant_rate_begin(struct rn_write_constant_rate *c, const AVOutputFormat *of,
                                        const struct rn_io_media *media);

/* Encodes a picture, after as many repetitions of the last one as there is time before it, or drops
 * it. The encoder was opened with `constant`. Returns 0 or an error, as rn_write_encoder_write
 * does. */
int rn_write_constant_rate_write(struct rn_write_constant_rate *c, struct rn_write_encoder *enc,
                                 const struct rn_image *img, const struct rn_frame *frame,
                                 rn_write_packet_fn *fn, void *opaque);

/* Repeats the last picture up to its end, and says what was repeated, and, in losses, what was
 * dropped. name: of the output, for the message. Returns 0 or an error as above. */
int rn_write_constant_rate_finish(struct rn_write_constant_rate *c, struct rn_write_encoder *enc,
                                  const char *name, struct rn_losses *losses,
                                  rn_write_packet_fn *fn, void *opaque);

#endif
