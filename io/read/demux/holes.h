/* Finds pictures that were overwritten in a file: time that no picture covers, where the file has
 * bytes that no packet holds. Where frames of variable rate were never recorded, the next packet
 * follows right behind the last one. */
#ifndef RN_IO_READ_DEMUX_HOLES_H
#define RN_IO_READ_DEMUX_HOLES_H

#include <stdbool.h>

#include <libavcodec/packet.h>
#include <libavutil/rational.h>

#include "io/common/ledger.h"

struct rn_read_holes {
    int packet_header; /* set first, of the container: see its table */
    bool begun;
    int64_t end;   /* of all packets so far, in the file */
    int64_t dts;   /* of the last picture; AV_NOPTS_VALUE: unknown */
    int64_t fresh; /* bytes of a hole whose time is still to come */
    int wait;      /* pictures to come until that is too late */
    int64_t pictures, bytes;
    double at, seconds; /* of the first */
};

/* Learns of the next packet in the file, of any stream. video: it is of the pictures, whose rate
 * and time base follow. */
void rn_read_holes_add(struct rn_read_holes *h, const AVPacket *pkt, bool video, AVRational rate,
                       AVRational time_base);

/* Makes the pictures of the holes the missing ones of damage. said: what is wrong was said already,
 * by those whose text says more. */
void rn_read_holes_report(const struct rn_read_holes *h, struct rn_io_damage *damage, bool said);

#endif
