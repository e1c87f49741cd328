/* Text subtitles in another coding, for containers that hold only their own. */
#ifndef RN_IO_WRITE_ENCODE_SUBTITLE_H
#define RN_IO_WRITE_ENCODE_SUBTITLE_H

#include <stdbool.h>

#include <libavcodec/avcodec.h>

struct rn_write_subtitle;

/* Text, not pictures of it. */
bool rn_write_subtitle_is_text(enum AVCodecID id);

/* The coding of text subtitles to which `from` can be converted for a container that accepts what
 * fits() says; AV_CODEC_ID_NONE if there is none. */
enum AVCodecID rn_write_subtitle_target(enum AVCodecID from,
                                        bool (*fits)(const void *opaque, enum AVCodecID id),
                                        const void *opaque);

/* out: gets the parameters of the new stream. Returns 0 or RN_EOUTPUT (logged). */
int rn_write_subtitle_open(struct rn_write_subtitle **sub, const AVCodecParameters *in,
                           AVRational time_base, enum AVCodecID to, AVCodecParameters *out);
void rn_write_subtitle_close(struct rn_write_subtitle **sub);

/* Replaces what pkt holds. Returns 0, RN_END if pkt shows nothing (pkt is then empty), or
 * RN_EOUTPUT. */
int rn_write_subtitle_convert(struct rn_write_subtitle *sub, AVPacket *pkt);

/* Whether all that was converted so far has kept its text and style. */
bool rn_write_subtitle_is_same(const struct rn_write_subtitle *sub);

#endif
