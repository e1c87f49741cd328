/* What travels with a picture from a source to a sink beside its samples. Because it is part of the
 * frame, the slots of the pipeline bound it, and no second queue has to be kept in step. */
#ifndef RN_SIDE_H
#define RN_SIDE_H

#include <stdint.h>

#include <libavcodec/packet.h>
#include <libavutil/frame.h>

struct rn_side {
    AVFrame *props; /* properties of the decoded frame, no samples; NULL behind the last picture */
    int64_t number; /* the picture's own number in a numbered sequence; -1 = none */
    /* Packets of the source's other streams that stood before this picture, in their order;
     * stream_index and timestamps are the source's. */
    AVPacket **packet;
    int n, size;
};

/* Returns NULL when out of memory. */
struct rn_side *rn_side_create(void);

/* Destroys it with its packets and sets *side to NULL. NULL is legal. */
void rn_side_destroy(struct rn_side **side);

/* Appends a packet, whose contents move into the list, also on failure.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_side_push(struct rn_side *side, AVPacket *pkt);

#endif
