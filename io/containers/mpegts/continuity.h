/* Packets of MPEG-TS that are missing: each PID counts its packets from 0 to 15 and round again, so
 * that a gap shows, unless a multiple of 16 is gone. libav tells of it only where it tears a packet
 * of a stream apart, not where whole ones are missing.
 *
 * A gap is no loss where the packets say so (a discontinuity), and where another muxer's work
 * begins, whose tables count anew: segments and recordings joined with cat. There the counters are
 * made to go on, so that libav takes nothing for torn. Packets sent twice, as the standard permits,
 * become null packets, because libav would read them twice. Belongs to the thread that reads. */
#ifndef RN_IO_CONTAINERS_MPEGTS_CONTINUITY_H
#define RN_IO_CONTAINERS_MPEGTS_CONTINUITY_H

#include <stdint.h>

struct rn_container_continuity;

/* What the counters of a PID say of the time between two of its packets. */
enum rn_container_break {
    RN_BREAK_NONE,
    RN_BREAK_SAID, /* they jump where the stream says so, or where it was joined */
    RN_BREAK_LOST, /* packets are missing */
};

/* Returns NULL when out of memory. */
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

/* NULL is legal; *continuity is NULL afterwards. */
void rn_container_continuity_destroy(struct rn_container_continuity **continuity);

#endif
