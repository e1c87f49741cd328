/* SPDX-License-Identifier: MIT */
/* Reads how many pictures a container lists in its index or statistics, and how long they last. */
#pragma once

#include <stdbool.h>

#include <libavformat/avformat.h>

/* nlisted: the entries that the index of st had on opening: to that of an AVI reading adds more.
 * Pictures that will be shown; -1: the container lists none. */
int64_t rn_read_announced_pictures(const AVFormatContext *fmt, AVStream *st, int nlisted);

/* The part of a stream that was read: n packets, from first_dts to last_dts in its time base. */
struct rn_read_stretch {
    int64_t n, first_dts, last_dts;
    bool begins; /* nothing came before them */
    bool whole;  /* nor behind them */
};

/* The entries of the index that were counted for a stretch; {0}: none. */
struct rn_read_counted {
    int n;
    int64_t first_dts, last_dts, listed;
};

/* How many packets the container lists in that stretch, and behind it if it is all. -1: it does not
 * list them. counted: what the last call left; only what the stretch has grown by is counted. */
int64_t rn_read_announced_packets(const AVFormatContext *fmt, AVStream *st, int nlisted,
                                  const struct rn_read_stretch *read,
                                  struct rn_read_counted *counted);

/* Returns true for an AVI written to a pipe: its length is the largest there is, not its own. */
bool rn_read_announced_is_unfinished(const AVFormatContext *fmt, const AVStream *st);

/* Returns the duration of the pictures of st in seconds, by the container; < 0: unknown. */
double rn_read_announced_seconds(const AVFormatContext *fmt, const AVStream *st);

/* Likewise, of the pictures alone, for a guess at their number: < 0 also where the container knows
 * only how long the file lasts, whose sound may be longer, or libav guesses it by the bit rate. */
double rn_read_announced_picture_seconds(const AVFormatContext *fmt, const AVStream *st);

/* Where a stream of Matroska ends by its tag, in seconds; < 0: it has none. The tag counts the
 * delay of Opus, which demuxers take off. */
double rn_read_announced_tagged_end(const AVStream *st);

/* When the container says that a stream ends, in seconds; first: when its first packet begins. < 0:
 * it does not say. */
double rn_read_announced_end(const AVFormatContext *fmt, const AVStream *st, double first);

/* What an index lists of a stream of sound. Parsers glue what is no packet to the one before or
 * behind it, so those that were overwritten show in the count alone. */
struct rn_read_listed_sound {
    int64_t packets, bytes; /* 0: it does not tell */
};

/* st: of fmt. Where reading adds to the index (AVI), it tells before the first packet was read;
 * that of a MOV or MP4 in fragments is complete behind the last one. */
struct rn_read_listed_sound rn_read_announced_sound(const AVFormatContext *fmt, AVStream *st);
