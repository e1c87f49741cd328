/* Repairs jumps of the timestamps in containers whose clock may jump (MPEG-TS, MPEG-PS, Ogg):
 * recordings joined end to end, a clock that was set anew, a 33-bit counter that went round; and in
 * others whose counter goes round (FLV).
 *
 * Between two jumps all streams run on one clock, so all get the same offset. Streams meet a jump
 * at different moments: each keeps to the offset that makes its own times go on, and the first one
 * that no known offset suits makes a new one. Belongs to the thread of the packets. */
#ifndef RN_IO_READ_DEMUX_DISCONTINUITY_H
#define RN_IO_READ_DEMUX_DISCONTINUITY_H

#include <stdbool.h>
#include <stdint.h>

#include <libavformat/avformat.h>

struct rn_read_discontinuity;

/* For the streams that fmt has now; video: the stream whose times have to go on without a gap.
 * Returns NULL when out of memory. */
struct rn_read_discontinuity *rn_read_discontinuity_create(const AVFormatContext *fmt, int video);
/* NULL is legal; *d is NULL afterwards. */
void rn_read_discontinuity_destroy(struct rn_read_discontinuity **d);

/* Moves the times of a packet that was just read from fmt. Returns true if the packet is the first
 * of its stream behind a jump; *made: and the first of all streams. */
bool rn_read_discontinuity_repair(struct rn_read_discontinuity *d, const AVFormatContext *fmt,
                                  AVPacket *pkt, bool *made);

/* How many jumps were met so far. */
size_t rn_read_discontinuity_count(const struct rn_read_discontinuity *d);

/* After a seek: the next packets need not follow the last ones. Which offset is theirs is known by
 * their place in the file, as far as the file was read before. */
void rn_read_discontinuity_restart(struct rn_read_discontinuity *d);

#endif
