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

/* What libav returned for a write to out, or an earlier write of which only out's stream remembers
 * that it failed. path: of the output, for the message. Returns 0 or RN_EOUTPUT (logged). */
int rn_write_checked(const AVFormatContext *out, const char *path, int ret);

/* Logs, as rn_write_fail does, that a write to path failed with this libav error code. Returns
 * RN_EOUTPUT. */
int rn_write_av_write_fail(const char *path, int averror);

#endif
