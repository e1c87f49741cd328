/* Finds sound that was overwritten in a file: a pause in a stream of sound where the file has bytes
 * that no packet holds. Where sound was never recorded, the next packets follow right behind the
 * last ones. */
#ifndef RN_PAUSES_H
#define RN_PAUSES_H

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/packet.h>
#include <libavutil/rational.h>

/* Of the whole file; zeroed at its beginning. */
struct rn_pauses {
    int64_t end;           /* of all packets so far, in the file */
    int64_t unheld, spent; /* bytes between packets; those of them that packets need anyway */
};

/* Of one stream; zeroed likewise. */
struct rn_pause {
    bool begun;
    int64_t next;          /* when its next packet should begin, in its time base */
    int64_t unheld, spent; /* of the file, at its last packet */
};

/* Whether the file has bytes behind the last packet of a stream that no packet holds. */
bool rn_pauses_unheld(const struct rn_pauses *all, const struct rn_pause *own);

/* Learns of the next packet in the file, of any stream. own: of its stream; may be NULL. Returns
 * the seconds that are missing before it; 0: none. */
double rn_pauses_add(struct rn_pauses *all, struct rn_pause *own, const AVPacket *pkt,
                     AVRational time_base);

#endif
