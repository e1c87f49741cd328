/* The encoder of an image sequence, or several of the same kind that share its pictures: each image
 * is a file of its own, and an encoder that has no threads can so use all of them. Packets come in
 * the order of the pictures, whoever made them. One thread at a time. */
#ifndef RN_IO_WRITE_ENCODE_ENCODERS_H
#define RN_IO_WRITE_ENCODE_ENCODERS_H

#include "io/write/encode/encoder.h"

struct rn_write_encoders;

/* sequence: pictures will follow each other; else one encoder is all that is opened. Returns and
 * logs as rn_write_encoder_open does. */
int rn_write_encoders_open(struct rn_write_encoders **e, const struct rn_write_encoder_setup *setup,
                           bool sequence);

/* Pictures whose packets were not given away are dropped. Sets *e to NULL; NULL is legal. */
void rn_write_encoders_close(struct rn_write_encoders **e);

/* What all of them have in common. */
const AVCodecContext *rn_write_encoders_context(const struct rn_write_encoders *e);

/* As rn_write_encoder_write; what it returns may belong to an earlier picture. After an error only
 * rn_write_encoders_close is allowed. */
int rn_write_encoders_write(struct rn_write_encoders *e, const struct rn_image *img,
                            const struct rn_frame *frame, rn_write_packet_fn *fn, void *opaque);

#endif
