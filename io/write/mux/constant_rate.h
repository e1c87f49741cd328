/* SPDX-License-Identifier: MIT */
/* Pictures for containers that have no times, only a rate: one that lasts longer than a step is
 * repeated; if several fall on one step, the first is written. Owned by the media sink, on its
 * thread. */
#pragma once

#include "io/write/encode/encoder.h"

struct rn_write_constant_rate {
    AVRational time_base; /* of the frames that come */
    AVRational step;      /* seconds from picture to picture in the output */
    bool begun;
    int64_t first, end; /* pts of the first picture, end of the last one */
    int64_t steps;      /* pictures written */
    int64_t repeated, dropped;
};

/* The time base for the pictures of media in a container. Begins *c if the container has no times,
 * only a rate. */
AVRational rn_write_constant_rate_begin(struct rn_write_constant_rate *c, const AVOutputFormat *of,
                                        const struct rn_io_media *media);

/* Repeats the previous picture up to the time of this one, and encodes this one, or drops it. The
 * encoder was opened with `constant`. Returns 0 or an error, as rn_write_encoder_write does. */
int rn_write_constant_rate_write(struct rn_write_constant_rate *c, struct rn_write_encoder *enc,
                                 const struct rn_image *img, const struct rn_frame *frame);

/* Repeats the last picture up to its end. Logs how many were repeated, and adds to losses how many
 * were dropped. name: of the output, for the message. Returns 0 or an error as above. */
int rn_write_constant_rate_finish(struct rn_write_constant_rate *c, struct rn_write_encoder *enc,
                                  const char *name, struct rn_losses *losses);
