/* Copies to an output container what an input holds beside its pictures: the other streams packet
 * for packet (text subtitles in another coding where the container wants its own), attached files
 * and covers, chapters, programs, metadata.
 *
 * A media sink opens this between making its AVFormatContext and writing the header, calls
 * rn_write_remux_begin once the header is written, then hands over the packets that come with each
 * frame. It belongs to the sink's thread. */
#ifndef RN_IO_WRITE_MUX_REMUX_H
#define RN_IO_WRITE_MUX_REMUX_H

#include <libavformat/avformat.h>

#include "io/common/media.h"

/* The span of packets or pictures, in microseconds; zeroed it is empty. */
struct rn_write_span {
    bool begun;
    int64_t first, end;        /* the earliest beginning, the latest end */
    int64_t last;              /* the latest beginning */
    int64_t n;                 /* how many */
    int64_t shortest, longest; /* that lasted any time; 0: none did */
};

static inline void rn_write_span_add(struct rn_write_span *s, int64_t at, int64_t duration)
{
    s->first = s->begun && s->first < at ? s->first : at;
    s->end = s->begun && s->end > at + duration ? s->end : at + duration;
    s->last = s->begun && s->last > at ? s->last : at;
    s->n++;
    s->shortest = duration > 0 && (!s->shortest || duration < s->shortest) ? duration : s->shortest;
    s->longest = duration > s->longest ? duration : s->longest;
    s->begun = true;
}

struct rn_write_remux;

/* What the user wants of other streams, as given: copy (or nothing else), none, or an encoder.
 * NULL: copied, or converted where the container holds them no other way. */
struct rn_write_remux_opts {
    const char *audio; /* CODEC may be followed by :K=V:K=V */
    const char *subs;
    bool quiet;               /* say only what is wrong */
    struct rn_losses *losses; /* what stays behind or becomes another is added; may be NULL */
    int64_t origin_us;        /* the time of the packets that is 0 in the file (see avi.h) */
};

/* Makes the streams of out, in the order of the source, and among them an empty one for the
 * pictures: *video. media and name (of the output, for messages) are borrowed until the remuxer is
 * closed. Returns 0, RN_EOUTPUT where the container cannot hold a stream, RN_EUSAGE for options
 * that do not suit it, or RN_EINTERNAL (logged); the caller closes *remux in any case. */
int rn_write_remux_open(struct rn_write_remux **remux, AVFormatContext *out,
                        const struct rn_io_media *media, const char *name,
                        const struct rn_write_remux_opts *opts, AVStream **video);
/* Releases it; out is the caller's. *remux may be NULL, and is NULL afterwards. */
void rn_write_remux_close(struct rn_write_remux **remux);

/* Writes the attached pictures (covers), for which the header has to be written. Returns 0,
 * RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_write_remux_begin(struct rn_write_remux *remux);

/* Writes a packet of the source, with its stream_index and timestamps, or drops it if its stream is
 * not copied. pkt is empty afterwards. Returns 0, or RN_EOUTPUT (logged), also if a subtitle cannot
 * be converted. */
int rn_write_remux_packet(struct rn_write_remux *remux, AVPacket *pkt);

/* Writes what converters of sound hold back, and adds the chapters if it was not known where the
 * output ends. Call it once, behind the last packet, before the trailer. Returns 0,
 * RN_EOUTPUT or RN_EINTERNAL (logged). */
int rn_write_remux_finish(struct rn_write_remux *remux);

/* What a stream of the output was made of. */
struct rn_write_remuxed {
    const AVStream *origin; /* the stream of the source; NULL: there is none */
    bool pictures;          /* it holds the pictures */
    bool copied;            /* its packets are the source's own */
    const int64_t *time_us; /* when its first packets were to be heard or seen; AV_NOPTS_VALUE */
    int ntimes;
    /* From when to when its packets were to be heard or seen, those that stay hidden left out; NULL
     * for a stream of which none can come. */
    const struct rn_write_span *span;
};

struct rn_write_remuxed rn_write_remux_find(const struct rn_write_remux *remux, const AVStream *st);

/* How many packets of other streams could not be decoded to be converted. */
int64_t rn_write_remux_damaged(const struct rn_write_remux *remux);

/* Moves the timestamps of a packet for out forward where they would not rise, as muxers demand.
 * *last: the dts of the stream's packet before, AV_NOPTS_VALUE at first; updated. */
void rn_write_remux_order(const AVFormatContext *out, AVPacket *pkt, int64_t *last);

#endif
