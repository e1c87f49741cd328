/* SPDX-License-Identifier: MIT */
/* Filters the packets of MPEG-TS on their way to libav's demuxer, which does not handle two cases:
 * streams that continue under other PIDs keep their first one, and lost packets are found
 * (continuity.c). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libavformat/avio.h>

/* Returns what libav reads instead of io, which holds MPEG-TS and stands at its beginning. The
 * caller closes io, after the transport. If io cannot seek, the transport cannot. Returns NULL if
 * io is no MPEG-TS, or without memory; io then stands at its beginning again. */
AVIOContext *rn_container_transport_open(AVIOContext *io);

/* Returns false if no packet of the stream with this PID holds anything up to the end of the file.
 * Reads on until it comes, and returns to its position. */
bool rn_container_transport_holds(AVIOContext *transport, int pid);

/* NULL is legal; *transport is NULL afterwards. */
void rn_container_transport_close(AVIOContext **transport);

/* ---- one packet of 188 bytes (ISO/IEC 13818-1, 2.4.3). Its contents are not trusted: what reaches
 * beyond it is cut. */

#define RN_TRANSPORT_SYNC    0x47
#define RN_TRANSPORT_PACKET  188
#define RN_TRANSPORT_LARGEST 204 /* with what some recorders add to each */
#define RN_TRANSPORT_PIDS    8192
#define RN_TRANSPORT_NULL    0x1fff /* PID of packets that only fill time */

static inline int rn_container_transport_pid(const uint8_t *p)
{
    return (p[1] & 0x1f) << 8 | p[2];
}

/* Does a packet of a stream, or a section of a table, begin in it? */
static inline bool rn_container_transport_begins(const uint8_t *p)
{
    return p[1] & 0x40;
}

static inline bool rn_container_transport_has_payload(const uint8_t *p)
{
    return p[3] & 0x10;
}

/* Where the payload begins; the size of the packet if it has none. */
static inline int rn_container_transport_payload(const uint8_t *p)
{
    int at = 4 + (p[3] & 0x20 ? 1 + p[4] : 0);
    return rn_container_transport_has_payload(p) && at < RN_TRANSPORT_PACKET ? at
                                                                             : RN_TRANSPORT_PACKET;
}

/* Does it say that its counter need not follow the one before? */
static inline bool rn_container_transport_is_discontinuous(const uint8_t *p)
{
    return p[3] & 0x20 && p[4] > 0 && p[5] & 0x80;
}

/* ---- continuity.c */

/* Finds missing packets. Each PID counts its packets modulo 16, so a gap shows unless a multiple of
 * 16 is missing. libav reports only gaps inside a packet of a stream, not whole missing ones.
 *
 * A gap is no loss at an announced discontinuity, or where the output of another muxer begins,
 * whose tables count from 0: segments and recordings joined with cat. There the counters are
 * changed to go on, so that libav takes no packet for torn. Packets sent twice, as the standard
 * permits, become null packets, because libav would read them twice. Belongs to the thread that
 * reads. */

/* What the counters of a PID tell between two of its packets. */
enum rn_container_break {
    RN_BREAK_NONE,
    RN_BREAK_SAID, /* they jump at an announced discontinuity, or where files were joined */
    RN_BREAK_LOST, /* packets are missing */
};

struct rn_container_continuity;

/* The caller frees it. Returns NULL when out of memory. */
struct rn_container_continuity *rn_container_continuity_create(void);

/* Learns of the next packet (188 bytes), which stands at pos in the file, and mends its counter.
 * pid: its own; known_as: that under which rn_container_continuity_take() is asked for it. */
void rn_container_continuity_pass(struct rn_container_continuity *continuity, uint8_t *packet,
                                  int pid, int known_as, int64_t pos);

/* The next packet need not follow the last one. */
void rn_container_continuity_seek(struct rn_container_continuity *continuity);

/* The worst that was found in front of pos in the packets known as pid, since the last call. */
enum rn_container_break rn_container_continuity_take(struct rn_container_continuity *continuity,
                                                     int pid, int64_t pos);

/* The same, of what a transport has read. */
enum rn_container_break rn_container_transport_take(AVIOContext *transport, int pid, int64_t pos);
