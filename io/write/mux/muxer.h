/* Chooses the muxer of an output by its name, or by --container. */
#ifndef RN_IO_WRITE_MUX_MUXER_H
#define RN_IO_WRITE_MUX_MUXER_H

#include <stdbool.h>

#include <libavformat/avformat.h>

/* The container of an output; container: its name, where the user gave one, else NULL. Returns NULL
 * if there is none. */
const AVOutputFormat *rn_write_muxer_guess(const char *output, const char *container);

/* Makes the muxer of an output called name, without streams or a file, and sets what all outputs of
 * its kind need. streamed: nothing can be written twice. Returns 0, RN_EUSAGE (there is no such
 * container, or it holds no video, or not this way) or RN_EINTERNAL (logged). The caller frees
 * *muxer with avformat_free_context. */
int rn_write_muxer_open(AVFormatContext **muxer, const char *name, const char *container,
                        bool streamed);

#endif
