/* Converts text subtitles to another codec, for containers that cannot hold the input's. One thread
 * at a time. */
#ifndef RN_IO_WRITE_ENCODE_SUBTITLE_H
#define RN_IO_WRITE_ENCODE_SUBTITLE_H

#include <stdbool.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

struct rn_write_subtitle;

/* Are subtitles of this codec text, not pictures? */
bool rn_write_subtitle_is_text(enum AVCodecID id);

/* The codec to which text subtitles in `from` can be converted for a container; AV_CODEC_ID_NONE if
 * there is none. */
enum AVCodecID rn_write_subtitle_target(enum AVCodecID from, const AVOutputFormat *of);

/* Opens a conversion from the stream `in` to the codec `to`, and fills out with the parameters of
 * the result. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_write_subtitle_open(struct rn_write_subtitle **sub, const AVCodecParameters *in,
                           AVRational time_base, enum AVCodecID to, AVCodecParameters *out);
void rn_write_subtitle_close(struct rn_write_subtitle **sub);

/* Replaces the content of pkt. Returns 0, RN_END if pkt shows nothing (pkt is then empty), or
 * RN_EOUTPUT (logged). */
int rn_write_subtitle_convert(struct rn_write_subtitle *sub, AVPacket *pkt);

/* Have all subtitles kept their text and style so far? */
bool rn_write_subtitle_is_same(const struct rn_write_subtitle *sub);

#endif
