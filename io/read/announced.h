/* How many pictures a container lists, by counting them one by one in its index or its statistics.
 * What it says of time alone is an estimate and is not told here. */
#ifndef RN_ANNOUNCED_H
#define RN_ANNOUNCED_H

#include <stdbool.h>

#include <libavformat/avformat.h>

bool rn_announced_is_avi(const AVFormatContext *fmt);
bool rn_announced_is_matroska(const AVFormatContext *fmt);

/* nlisted: the entries that the index of st had when an AVI was opened: reading adds more. Pictures
 * that will be shown; -1: the container lists none. */
int64_t rn_announced_pictures(const AVFormatContext *fmt, AVStream *st, int nlisted);

/* What was read of a stream: n packets, from first_dts to last_dts in its time base. */
struct rn_stretch {
    int64_t n, first_dts, last_dts;
    bool begins; /* nothing came before them */
    bool whole;  /* nor behind them */
};

/* How many packets the container lists in that stretch, and behind it if it is all. -1: it does not
 * list them. */
int64_t rn_announced_packets(const AVFormatContext *fmt, AVStream *st, int nlisted,
                             const struct rn_stretch *read);

/* The length that an AVI has while it is written to a pipe is the longest one; it says nothing. */
bool rn_announced_is_unfinished(const AVFormatContext *fmt, const AVStream *st);

/* When the last packet of st ends, in seconds, by the statistics of a Matroska file; < 0: it has
 * none. */
double rn_announced_end(const AVStream *st);

#endif
