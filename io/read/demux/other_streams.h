/* The packets of other streams (sound, subtitles, data) that stand between the pictures of a
 * source: those of the range go along with the pictures of their time. They wait in packets->data
 * of the source. Belongs to the reader's thread. */
#ifndef RN_IO_READ_DEMUX_OTHER_STREAMS_H
#define RN_IO_READ_DEMUX_OTHER_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "io/common/frame_data.h"

struct rn_read_input;
struct rn_read_source;

/* Moves the packets up to time `until`, in microseconds of the input, to a frame, with times as the
 * frames have them. Where the last picture ends is known only when it was reached: with a limit
 * counted in frames packets wait until their time, and subtitles always until their end, as what is
 * on screen where the range ends is cut there. more: until is not that end, pictures follow.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_read_other_streams_take(struct rn_read_source *src, struct rn_io_frame_data *to,
                               int64_t until, bool more);

/* Reads on where the range, or a part of it, ended: behind its last picture the other streams still
 * have packets of its time. Returns 0 or an error (logged). */
int rn_read_other_streams_read_on(struct rn_read_source *src);

/* Drops packets that end before `start`, in microseconds of the input; untimed: and those without a
 * time. */
void rn_read_other_streams_drop(struct rn_read_input *in, int64_t start, bool untimed);

/* Subtitles that are on screen where a range begins, but stand in the file in front of the keyframe
 * from which its pictures are decoded: whoever goes there does not meet them, but in containers
 * whose demuxers find them; what is read from its beginning meets all. Reads half a minute of what
 * lies before that keyframe once more, and puts those subtitles in front of the packets that wait
 * in the source, which is open and was not read from. Returns 0 or an error (logged). */
int rn_read_other_streams_preroll(struct rn_read_source *src);

#endif
