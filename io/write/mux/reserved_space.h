/* SPDX-License-Identifier: MIT */
/* Reserves space for the muxer's buffers and the trailer, so that writing fails at a packet while
 * the file can still be ended, if the disk is full or the file's size is limited. The file is
 * playable up to there. One thread at a time. */
#pragma once

#include <libavformat/avformat.h>

#include "filters/base/output/outfile.h"

#define RN_RESERVED_MARKS 64

struct rn_write_reserved {
    struct rn_outfile *file; /* NULL: no space can be reserved, as in a pipe */
    const struct rn_container *container;
    int64_t handed;                   /* bytes of the packets that the muxer got */
    int64_t overhead;                 /* bytes that it adds to them, at most */
    int64_t trailer;                  /* bytes, at most */
    int64_t marks[RN_RESERVED_MARKS]; /* the most recent positions after whole packets */
    int nmarks;                       /* so far, those that were overwritten included */
};

/* Begins after the header was written. Sets out->opaque to reserved, which is the caller's. */
void rn_write_reserved_begin(struct rn_write_reserved *reserved, AVFormatContext *out,
                             struct rn_outfile *file);

/* Writes a packet, interleaved, and takes its content. out->opaque: reserved, or NULL. path: for
 * the message. Returns 0 or RN_EOUTPUT (logged); the file can be ended even if the disk is full. */
int rn_write_reserved_write(AVFormatContext *out, const char *path, AVPacket *pkt);

/* Truncates a closed file after its last whole packet, if no trailer could be written. Returns
 * false if there is none, or if the file is useless without a trailer. */
bool rn_write_reserved_cut(const struct rn_write_reserved *reserved);

/* Checks ret, which libav returned for a write to out, and earlier failures that only out->pb
 * records. path: of the output, for the message. Returns 0 or RN_EOUTPUT (logged). */
int rn_write_checked(const AVFormatContext *out, const char *path, int ret);

/* Logs, as rn_write_fail does, that a write to path failed with this libav error code. Returns
 * RN_EOUTPUT. */
int rn_write_av_write_fail(const char *path, int averror);
