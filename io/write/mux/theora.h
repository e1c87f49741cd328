/* Pictures of Theora that repeat the one before. Its encoder gives an empty packet for them, which
 * FFmpeg's muxer of Ogg leaves out since version 6: the pictures behind it would stand at other
 * times, and at the end of the file for none. */
#ifndef RN_IO_WRITE_MUX_THEORA_H
#define RN_IO_WRITE_MUX_THEORA_H

#include <libavcodec/avcodec.h>

/* Where pkt of the encoder enc is such a packet, it becomes one that says the same in some bytes: a
 * picture none of whose blocks is coded. Others stay. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_theora_fill(const AVCodecContext *enc, AVPacket *pkt);

#endif
