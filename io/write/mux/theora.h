/* SPDX-License-Identifier: MIT */
/* Theora's encoder returns an empty packet for a picture that repeats the one before. FFmpeg's Ogg
 * muxer skips such packets since version 6, so later pictures get wrong times and the last ones are
 * lost. */
#pragma once

#include <libavcodec/avcodec.h>

/* Replaces such a packet of the encoder enc by a picture without coded blocks. Other packets do not
 * change. Returns 0 or RN_EINTERNAL (logged). */
int rn_write_theora_fill(const AVCodecContext *enc, AVPacket *pkt);
