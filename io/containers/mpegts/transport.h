/* MPEG-TS packet by packet, in front of libav: what libav's demuxer leaves unsaid is seen and
 * mended here, in the bytes that it reads anyway. Streams that go on under other PIDs keep the
 * first one (program_change.c), and lost packets are noticed (continuity.c). */
#ifndef RN_IO_CONTAINERS_MPEGTS_TRANSPORT_H
#define RN_IO_CONTAINERS_MPEGTS_TRANSPORT_H

#include <libavformat/avio.h>

#include "io/containers/mpegts/packets.h"

struct rn_container_transport;

/* Reads MPEG-TS of io, which stands at its beginning and is the caller's to close, later than this.
 * Where io cannot seek, neither can what is read of it. Returns NULL if it is none, or without
 * memory: io stands at its beginning then, too. */
struct rn_container_transport *rn_container_transport_open(AVIOContext *io);

/* What libav is to read instead of io. */
AVIOContext *rn_container_transport_io(const struct rn_container_transport *transport);

/* The counters of what was read so far. */
struct rn_container_continuity *
rn_container_transport_continuity(struct rn_container_transport *transport);

/* NULL is legal; *transport is NULL afterwards. */
void rn_container_transport_close(struct rn_container_transport **transport);

#endif
