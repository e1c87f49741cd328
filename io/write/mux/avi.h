/* What AVI has no place for: times (starts_at_zero in io/containers/table.h). Every stream begins
 * at 0 and goes on without a gap: pictures at a constant rate, where empty chunks stand for none;
 * coded sound by whole packets. So that streams keep their distances, the clock is moved, and sound
 * that does not fit becomes PCM. Functions without state. */
#ifndef RN_IO_WRITE_MUX_AVI_H
#define RN_IO_WRITE_MUX_AVI_H

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "io/common/media.h"

/* The time of the source's packets, in microseconds, that becomes 0 in the file: the first picture
 * stands whole steps behind it, and no sound before it but lead-ins. video: the opened encoder of
 * the pictures, whose time base is one step. */
int64_t rn_write_avi_origin(const struct rn_io_media *media, const AVCodecContext *video);

/* Whether the sound of stream in could be copied and be heard at its time, within a millisecond.
 * *error: by how many microseconds it would be heard too late (> 0) or too early. */
bool rn_write_avi_fits(const struct rn_io_media *media, const AVStream *in, int64_t origin,
                       int64_t *error);

/* Writes the empty chunk that lets the pictures of out begin later than at 0: call it before their
 * first packet, pkt, is written. Returns what libav returned. */
int rn_write_avi_begin(AVFormatContext *out, const AVPacket *pkt);

#endif
