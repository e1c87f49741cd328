/* SPDX-License-Identifier: MIT */
/* Finds pictures of which a decoder left out a part without a word: FFmpeg's decoder of HEVC ends a
 * picture where its slices end, and what they do not cover shows what lay in the memory before.
 *
 * Marks of 8 samples lie in the first plane before decoding, one in each square of 16x16 samples,
 * the smallest part that HEVC codes. Where a mark still is, nobody wrote; it stands so far inside
 * that the deblocking of a neighbour (3 samples) does not reach it. A decoded square has its values
 * by chance once in 2^64 (8 bits a sample). A picture predicted from one with marks may have them,
 * too: it shows the same part that was left out.
 *
 * A picture refers to those decoded before it, of which some are shown later: they are looked at
 * when the first picture behind them comes, not when their turn does. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>

#define RN_READ_MARKED 64 /* pictures; decoders hold 16 back, and one for each thread */

struct rn_read_unwritten {
    pthread_mutex_t lock;
    int n;
    struct rn_read_marked {
        AVBufferRef *buffer; /* NULL: it was looked at */
        bool left;           /* a part was left out */
        int64_t number;      /* of its packet */
        int bytes;           /* a sample */
        int linesize, width, height;
    } picture[RN_READ_MARKED]; /* those that did not come yet, in the order of decoding */
};

/* Returns true if the codec's decoder may leave out parts without a word. */
bool rn_read_may_leave_unwritten(enum AVCodecID id);

void rn_read_unwritten_init(struct rn_read_unwritten *u);
void rn_read_unwritten_destroy(struct rn_read_unwritten *u);

/* Forgets all pictures. */
void rn_read_unwritten_clear(struct rn_read_unwritten *u);

/* Marks the buffer of a picture to be decoded, as avcodec_default_get_buffer2 gives it, and refers
 * to it until it is looked at. Does nothing where samples are not whole bytes in a plane of their
 * own. Any thread. */
void rn_read_unwritten_mark(struct rn_read_unwritten *u, const AVFrame *frame);

/* The picture of the packet `number` came: looks at those whose packets are not behind it, all of
 * which are decoded. Returns the number of the last one that did not come before and of which a
 * part is left out, -1: there is none. *own: a part of the one that came is. */
int64_t rn_read_unwritten_find(struct rn_read_unwritten *u, int64_t number, bool *own);
