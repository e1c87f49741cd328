/* Whether two subtitles look the same, in the form in which FFmpeg's decoders give them all: lines
 * of ASS. */
#ifndef RN_IO_WRITE_ENCODE_SUBTITLE_STYLE_H
#define RN_IO_WRITE_ENCODE_SUBTITLE_STYLE_H

#include <stdbool.h>

#include <libavcodec/avcodec.h>

/* Have they the same text in the same style? How a style is taken back is all the same. Without
 * memory they have not. */
bool rn_write_subtitle_same_style(const AVSubtitle *a, const AVSubtitle *b);

/* Do two decoders begin with the same style? Both are open. */
bool rn_write_subtitle_same_default(const AVCodecContext *a, const AVCodecContext *b);

#endif
