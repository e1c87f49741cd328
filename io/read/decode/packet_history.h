/* SPDX-License-Identifier: MIT */
/* The packets that a decoder got last, from a keyframe on, to decode their pictures once more: at
 * least those of the last keyframe and of the two before it: the picture of a keyframe may be
 * damaged, and those behind one may refer to what stands before it.
 *
 * Belongs to the thread that decodes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/packet.h>

struct rn_read_past_packet {
    AVPacket *pkt;
    int64_t number; /* see decode_audit.h */
    bool entry;     /* all that follows can be decoded from here on */
};

/* All zero: empty. */
struct rn_read_packet_history {
    struct rn_read_past_packet *packet; /* in the order of the input */
    int n, allocated;
    int next; /* the one to be decoded again; n: none is */
    int64_t bytes;
};

/* Appends a reference to pkt's data; what is older than needed is dropped, but not the last `delay`
 * packets, whose pictures may be in the decoder. The history must not be read again just then.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_read_packet_history_add(struct rn_read_packet_history *h, AVPacket *pkt, int64_t number,
                               bool entry, int delay);

/* Returns true if it holds the packet of this number, and that is an entry. */
bool rn_read_packet_history_has_entry(const struct rn_read_packet_history *h, int64_t number);

/* Reads again from the packet of this number on. Returns false, with nothing changed, if it is gone
 * or is no entry. */
bool rn_read_packet_history_go_to(struct rn_read_packet_history *h, int64_t number);

/* Reads again from the last entry before the packet of this number on, or from the keyframe before
 * the last one, whichever is later; the oldest one if neither is there. */
void rn_read_packet_history_go_before(struct rn_read_packet_history *h, int64_t number);

/* Reads again from the oldest one on. */
void rn_read_packet_history_rewind(struct rn_read_packet_history *h);

/* The next one to be read again, which stays the history's; NULL: there is none. */
const struct rn_read_past_packet *rn_read_packet_history_take(struct rn_read_packet_history *h);

/* Drops all packets. */
void rn_read_packet_history_clear(struct rn_read_packet_history *h);
