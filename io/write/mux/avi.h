/* SPDX-License-Identifier: MIT */
/* Keeps the streams of AVI in sync, which stores no times (starts_at_zero in
 * io/containers/table.h). Each stream begins at 0 and has no gaps: pictures have a constant rate,
 * with empty chunks for missing ones; coded sound consists of whole packets. Therefore the clock is
 * moved, and sound that does not fit becomes PCM. Functions without state. */
#pragma once

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "io/common/media.h"

/* The time of the source's packets, in microseconds, that becomes 0 in the file: a whole number of
 * steps before the first picture, and before all sound but lead-ins. video: the opened encoder of
 * the pictures, whose time base is one step. */
int64_t rn_write_avi_origin(const struct rn_io_media *media, const AVCodecContext *video);

/* True if a copy of the sound of stream in is heard at its time, within a millisecond. *error: by
 * how many microseconds it is late (> 0) or early. */
bool rn_write_avi_fits(const struct rn_io_media *media, const AVStream *in, int64_t origin,
                       int64_t *error);

/* Writes the empty chunk that lets the pictures of out begin after 0. Call it before their first
 * packet, pkt, is written. Returns what libav returned. */
int rn_write_avi_begin(AVFormatContext *out, const AVPacket *pkt);
