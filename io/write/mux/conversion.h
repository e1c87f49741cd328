/* Decides what becomes of a stream beside the pictures: it is copied, left out, or converted. */
#ifndef RN_IO_WRITE_MUX_CONVERSION_H
#define RN_IO_WRITE_MUX_CONVERSION_H

#include <stdbool.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

/* All zero: it is copied. */
struct rn_write_conversion {
    bool none;       /* it is left out */
    bool impossible; /* the container cannot hold it, and nothing that it could become */
    bool wanted;     /* the conversion was asked for, not needed */
    bool lossless;
    const AVCodec *codec;    /* the encoder of the sound */
    const char *options;     /* of the user for it, in wanted's text; NULL = none */
    enum AVCodecID subtitle; /* the coding that the text gets; 0: none */
};

/* of: the container; name: of the output, for messages. wanted: copy, none, CODEC[:OPTIONS], or
 * NULL. fits: the container holds the stream as it is. Returns 0 or RN_EUSAGE (logged). */
int rn_write_conversion_choose(struct rn_write_conversion *to, const AVOutputFormat *of,
                               const char *name, const AVStream *in, const char *wanted, bool fits);

#endif
