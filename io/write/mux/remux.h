/* SPDX-License-Identifier: MIT */
/* Copies the other streams of an input to an output container packet for packet (audio and text
 * subtitles in another coding if necessary), with attached files, covers, chapters, programs and
 * metadata.
 *
 * A media sink opens this before it writes the header, calls rn_write_remux_begin afterwards, then
 * hands over the packets of each frame. One thread, the sink's, calls all functions. */
#pragma once

#include "io/common/media.h"

/* The span of packets or pictures, in microseconds; zeroed it is empty. */
struct rn_write_span {
    bool begun;
    int64_t first, end;        /* the earliest beginning, the latest end */
    int64_t last;              /* the latest beginning */
    int64_t shortest, longest; /* durations; 0: all are 0 */
};

static inline void rn_write_span_add(struct rn_write_span *s, int64_t at, int64_t duration)
{
    s->first = s->begun && s->first < at ? s->first : at;
    s->end = s->begun && s->end > at + duration ? s->end : at + duration;
    s->last = s->begun && s->last > at ? s->last : at;
    s->shortest = duration > 0 && (!s->shortest || duration < s->shortest) ? duration : s->shortest;
    s->longest = duration > s->longest ? duration : s->longest;
    s->begun = true;
}

struct rn_write_remux;

/* The user's requests: copy (and never convert), none, or an encoder. NULL: copy, or convert if the
 * container cannot hold the stream. */
struct rn_write_remux_opts {
    const char *audio; /* CODEC may be followed by :K=V:K=V */
    const char *stays; /* codings of sound that audio leaves as they are: aac,mp3; NULL: none */
    const char *subs;
    bool quiet;               /* log only errors */
    struct rn_losses *losses; /* gets the streams that are left out or converted; may be NULL */
    int64_t origin_us;        /* the time of the packets that is 0 in the file (see avi.c) */
};

/* Makes the streams of out in the order of the source, with an empty one for the pictures: *video.
 * media and name (of the output, for messages) are borrowed until the remuxer is closed. Returns 0,
 * RN_EOUTPUT if the container cannot hold a stream, RN_EUSAGE for options that do not suit it, or
 * RN_EINTERNAL (logged); the caller closes *remux in any case. */
int rn_write_remux_open(struct rn_write_remux **remux, AVFormatContext *out,
                        const struct rn_io_media *media, const char *name,
                        const struct rn_write_remux_opts *opts, AVStream **video);
/* Frees the remuxer, but not out. Sets *remux to NULL; NULL is legal. */
void rn_write_remux_close(struct rn_write_remux **remux);

/* Writes the attached pictures (covers). Call it after the header was written. Returns 0,
 * RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_write_remux_begin(struct rn_write_remux *remux);

/* Writes a packet of the source, with its stream_index and timestamps, or drops it if its stream is
 * not copied. pkt is empty afterwards. Returns 0, or RN_EOUTPUT (logged), also if a subtitle cannot
 * be converted. */
int rn_write_remux_packet(struct rn_write_remux *remux, AVPacket *pkt);

/* Drains converters of sound, and adds chapters if the output's end was unknown. Call it once,
 * after the last packet, before the trailer. Returns 0, RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_write_remux_finish(struct rn_write_remux *remux);

/* The origin of a stream of the output. */
struct rn_write_remuxed {
    const AVStream *origin; /* the stream of the source; NULL: none */
    bool pictures;          /* it holds the pictures */
    bool copied;            /* its packets are those of the source */
    const int64_t *time_us; /* the times of its first packets, AV_NOPTS_VALUE: unknown */
    int ntimes;
    const struct rn_write_span *span; /* of its packets but hidden ones, or of the sound that was
                                       * decoded for an encoder; NULL: none can come */
};

struct rn_write_remuxed rn_write_remux_find(const struct rn_write_remux *remux, const AVStream *st);

/* The number of packets that could not be decoded for conversion. */
int64_t rn_write_remux_damaged(const struct rn_write_remux *remux);

/* Moves the timestamps of a packet for out forward if its dts does not rise, as muxers require.
 * *last: the dts of the stream's previous packet, AV_NOPTS_VALUE at first; updated. */
void rn_write_remux_raise_dts(const AVFormatContext *out, AVPacket *pkt, int64_t *last);
