/* SPDX-License-Identifier: MIT */
/* Passes on the packets of other streams (sound, subtitles, data): those of the range travel with
 * the pictures of their time. Until then they wait in src->in->data. Belongs to the reader's
 * thread. */
#pragma once

#include "io/common/frame_data.h"

struct rn_read_input;
struct rn_read_source;

/* Moves the packets up to time `until`, in microseconds of the input, to a frame, and converts
 * their times to those of frames. The end of the last picture is known only when it is reached. So
 * with a limit in frames, packets wait until their time; subtitles always wait until their end,
 * because the end of the range cuts them. more: `until` is not that end, pictures follow. Returns 0
 * or RN_EINTERNAL (logged). */
int rn_read_other_streams_take(struct rn_read_source *src, struct rn_io_frame_data *to,
                               int64_t until, bool more);

/* Reads the packets of other streams that belong to the time of the range, or of a part of it, and
 * stand behind its last picture. Returns 0 or an error (logged). */
int rn_read_other_streams_read_on(struct rn_read_source *src);

/* Adds to the losses what stood too far behind in the input for the part that it belongs to. */
void rn_read_other_streams_report_late(const struct rn_read_source *src);

/* Drops packets that end before `start`, in microseconds of the input; untimed: and those without a
 * time. */
void rn_read_other_streams_drop(struct rn_read_input *in, int64_t start, bool untimed);

/* Finds subtitles that are on screen where the range begins, but stand in the file before the
 * keyframe from which its pictures are decoded. A seek misses them, except in containers whose
 * demuxers find them. Reads the 30 seconds before that keyframe once more, and puts those subtitles
 * in front of the packets that wait in the source, which is open and was not read from. Returns 0
 * or an error (logged). */
int rn_read_other_streams_preroll(struct rn_read_source *src);
