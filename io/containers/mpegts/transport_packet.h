/* What stands in the header of a packet of MPEG-TS (ISO/IEC 13818-1, 2.4.3), of which there are 188
 * bytes. Packets may come from anybody: what reaches beyond one is cut. */
#ifndef RN_IO_CONTAINERS_MPEGTS_TRANSPORT_PACKET_H
#define RN_IO_CONTAINERS_MPEGTS_TRANSPORT_PACKET_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
