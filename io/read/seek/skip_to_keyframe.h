/* Going forward without decoding, for inputs whose clock may jump: their times say nothing of what
 * lies between two places, so that only reading leads to the right one. */
#ifndef RN_IO_READ_SEEK_SKIP_TO_KEYFRAME_H
#define RN_IO_READ_SEEK_SKIP_TO_KEYFRAME_H

#include "io/read/input.h"

/* Reads on to the picture at pts target. *held: the packets of the pictures that were read and have
 * to be decoded for it, from a keyframe on; the caller takes them before it reads on. Packets of
 * other streams that end before target are dropped. Returns 0 (also if the input ends before) or an
 * error (logged). Adds the pictures in front of those held to *before. */
int rn_read_skip_to_keyframe(struct rn_read_input *in, int64_t target,
                             struct rn_io_frame_data **held, int64_t *before);

#endif
