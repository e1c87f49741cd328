/* Finds sound that is missing: a pause in a stream of sound where the file has bytes that no packet
 * holds, and every pause where the container carries a clock. Else, where sound was never recorded,
 * the next packets follow right behind the last ones. */
#ifndef RN_IO_READ_DEMUX_PAUSES_H
#define RN_IO_READ_DEMUX_PAUSES_H

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/packet.h>
#include <libavutil/rational.h>

/* Of the whole file; zeroed at its beginning. */
struct rn_read_pauses {
    int64_t end;           /* of all packets so far, in the file */
    int64_t unheld, spent; /* bytes between packets; those of them that packets need anyway */
};

/* Of one stream; zeroed likewise. */
struct rn_read_pause {
    bool begun;
    int64_t next;          /* when its next packet should begin, in its time base */
    int64_t unheld, spent; /* of the file, at its last packet */
    int64_t steady, late;  /* packets that followed the one before, and that did not */
    double missing, at;    /* seconds before some packets ago, and where; 0: none */
    int wait;              /* packets to come until that is sure */
};

/* Whether the file has bytes behind the last packet of a stream that no packet holds. */
bool rn_read_pauses_unheld(const struct rn_read_pauses *all, const struct rn_read_pause *own);

/* Learns of the next packet in the file, of any stream. own: of its stream; may be NULL. Returns
 * the seconds that are missing before it; 0: none. */
double rn_read_pauses_add(struct rn_read_pauses *all, struct rn_read_pause *own,
                          const AVPacket *pkt, AVRational time_base);

/* In a container that carries a clock: learns of the next packet of a stream of sound and returns
 * the seconds that are missing at own->at, two packets ago; 0: none. Nothing but time counts, so
 * coders of which libav gets the durations wrong are not judged. pcm: muxers cut it up as they
 * like, and their clocks are wrong by a packet now and then. */
double rn_read_pause_clocked(struct rn_read_pause *own, const AVPacket *pkt, bool pcm,
                             AVRational time_base);

/* Whether the packets of the stream follow each other as their durations say. */
bool rn_read_pause_is_steady(const struct rn_read_pause *own);

#endif
