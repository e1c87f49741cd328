/* Everything that an input holds beside its pictures, on its way to an output container: the other
 * streams packet for packet, attachments, chapters, programs, metadata. */
#ifndef RN_CARRY_H
#define RN_CARRY_H

#include <libavformat/avformat.h>

#include "io/media.h"

struct rn_carry;

/* Makes the streams of out, in the source's order, with an empty one for the pictures in *video.
 * name: of the output, for messages. quiet: say only what is wrong.
 * Returns 0, or RN_EOUTPUT (logged) where the container cannot hold a stream. */
int rn_carry_open(struct rn_carry **carry, AVFormatContext *out, const struct rn_media *media,
                  const char *name, bool quiet, AVStream **video);
void rn_carry_close(struct rn_carry **carry);

/* Copies what describes the pictures' stream (language, rotation, disposition...) to video. */
int rn_carry_describe(const struct rn_media *media, const char *name, bool quiet,
                      const AVFormatContext *out, AVStream *video);

/* Once the header is written: pictures attached to the file. Return 0 or a libav error code, or the
 * positive RN_END if a subtitle could not be converted (logged). */
int rn_carry_begin(struct rn_carry *carry);

/* Writes a packet of the source, which is emptied. */
int rn_carry_packet(struct rn_carry *carry, AVPacket *pkt);

/* Moves a packet's time stamps so that they rise, as muxers demand. last: of the stream before. */
void rn_carry_order(const AVFormatContext *out, AVPacket *pkt, int64_t *last);

#endif
