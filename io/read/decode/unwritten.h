/* SPDX-License-Identifier: MIT */
/* Finds pictures of which a decoder left out a part without a word: FFmpeg's decoder of HEVC ends a
 * picture where its slices end, and what they do not cover shows what lay in the memory before.
 *
 * Marks of 8 samples lie in the first plane before decoding, one in each square of 16x16 samples,
 * the smallest part that HEVC codes. Where a mark still is, nobody wrote; it stands so far inside
 * that the deblocking of a neighbour (3 samples) does not reach it. Its values follow from its
 * place by a hash, so a decoded square has them by chance once in 2^64 (8 bits a sample).
 *
 * Any thread, for frames of its own. */
#pragma once

#include <stdbool.h>

#include <libavcodec/avcodec.h>

/* Returns true if the codec's decoder may leave out parts without a word. */
bool rn_read_may_leave_unwritten(enum AVCodecID id);

/* Marks the buffer of a picture to be decoded, as avcodec_default_get_buffer2 gives it. Does
 * nothing where samples are not whole bytes in planes of their own. */
void rn_read_unwritten_mark(const AVFrame *frame);

/* Returns true if a decoded picture (cropped or not) has a mark left. width, height: as it is
 * coded, in samples. */
bool rn_read_unwritten_is_left(const AVFrame *frame, int width, int height);
