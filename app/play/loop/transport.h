/* SPDX-License-Identifier: MIT */
/* The transport: pause, speed, seeks to a time or a frame, steps and marks. */
#pragma once

#include "io/read/source.h"

struct rn_play;
struct rn_play_transport;
struct rn_slot;

/* ---- the marked range of the input, from a frame to a frame */

/* Zeroed: not set. */
struct rn_play_mark {
    bool set;
    int64_t index; /* rn_frame.index */
    double time;   /* rn_frame.time */
};

struct rn_play_marks {
    struct rn_play_mark a, e; /* begin and end; the range includes both */
};

/* A range of the input as values of the options --from, --to and --frames; "": not given. */
struct rn_play_range {
    char from[32], to[32], frames[32];
};

enum { RN_RANGE_TEXT = 128 };

/* Set one mark. The other one is cleared if the range would be empty. */
void rn_play_marks_begin(struct rn_play_marks *marks, int64_t index, double time);
void rn_play_marks_end(struct rn_play_marks *marks, int64_t index, double time);

/* Whether playing passes the end of the range between two successive frames. */
bool rn_play_marks_cross(const struct rn_play_marks *marks, int64_t from, int64_t to);

/* The marked range as values of options. opts: the range that is played; first: the number of its
 * first frame (rn_io_media.first_index). Returns false and an empty range if there is no mark. */
bool rn_play_marks_range(const struct rn_play_marks *marks, const struct rn_io_read_opts *opts,
                         int64_t first, struct rn_play_range *range);

/* Writes a range as options, "--from 150f --to 176f"; "" without any. Returns buf, of RN_RANGE_TEXT
 * bytes. */
char *rn_play_range_options(const struct rn_play_range *range, char *buf);

/* ---- time, seeks and steps */

#define RN_STEPS_MOST  10 /* pending */
#define RN_SPEED_STEPS 22 /* of 10 %: from 1 to 8, and to 1/8 */

/* At wall time `anchor` it was `anchored` in the stream; seconds. */
struct rn_play_stream_clock {
    double anchor, anchored;
    double speed; /* seconds of the stream in one of the wall; > 0 */
};

/* The time in the stream at a wall time. */
double rn_play_stream_clock_time(const struct rn_play_stream_clock *clock, double wall);

/* Sets the time in the stream. */
void rn_play_stream_clock_set(struct rn_play_stream_clock *clock, double wall, double time);

/* The speed after `steps` steps from normal: 1.1^steps, within 1/8..8. */
double rn_play_speed_of(int steps);

/* Resets the transport for another input, from its first frame; keeps the speed. seekable: the
 * input is; known before the reader starts. */
void rn_play_transport_begin(struct rn_play_transport *transport, bool seekable);

/* Whether the input can seek; the speed, 1: normal; the marks of the range. */
bool rn_play_can_seek(const struct rn_play *p);
double rn_play_speed(const struct rn_play *p);
const struct rn_play_marks *rn_play_marks(const struct rn_play *p);

/* Stops or starts the clock and the sound. */
void rn_play_pause(struct rn_play *p, bool paused);

/* The average frame duration in seconds; the current stream time; sets the stream time. */
double rn_play_frame_duration(const struct rn_play *p);
double rn_play_time(const struct rn_play *p);
void rn_play_set_time(struct rn_play *p, double time);

/* Seeks to the first frame at or after time; to the frame with this rn_frame.index. */
void rn_play_seek_time(struct rn_play *p, double time);
void rn_play_seek_frame(struct rn_play *p, int64_t index);

/* Seek on request of the user, and drop pending steps and slices: to a time (the last frame if that
 * is beyond the end), to a frame, to the last frame. */
void rn_play_go(struct rn_play *p, double time);
void rn_play_go_frame(struct rn_play *p, int64_t index);
void rn_play_go_last(struct rn_play *p);

/* Seeks by seconds from the current frame, or from the pending target. */
void rn_play_seek_by(struct rn_play *p, double seconds);

/* Pauses, and queues steps by count frames; sets how many steps are pending. */
void rn_play_step(struct rn_play *p, int count);
void rn_play_set_steps(struct rn_play *p, int count);

/* Says that the last frame is shown, and how to go on; the second function only once for it. */
void rn_play_say_end(struct rn_play *p);
void rn_play_reach_end(struct rn_play *p);

/* Whether a seek or a step is under way. */
bool rn_play_transport_is_busy(const struct rn_play *p);

/* Starts the next queued step, if there is one. */
void rn_play_take_step(struct rn_play *p);

/* Seeks to the first mark, or the beginning of the input. */
void rn_play_rewind(struct rn_play *p);

/* After frames went to another runner. Repeats the pending seek, so that its target is not lost;
 * without one, if the current filters miss neighbours, reads the frame on the screen again with
 * them. */
void rn_play_find_neighbours(struct rn_play *p, bool missing);

/* Called for each frame that was read. Returns whether to show it: not if it only locates another
 * one. */
bool rn_play_look(struct rn_play *p, const struct rn_slot *slot);

/* Whether a frame is read only as a neighbour of the target of a seek. */
bool rn_play_leads_in(const struct rn_play *p, const struct rn_slot *slot);

/* Called when the reader has done the seek, or refused it; when the target is shown now, which gets
 * its pending marks; when the input ends before the target. */
void rn_play_end_seek(struct rn_play *p, bool done);
void rn_play_reach_target(struct rn_play *p);
void rn_play_drop_target(struct rn_play *p);

/* Sets the begin mark (1) or the end mark (-1) at the current frame, or at the pending target; 0
 * clears both. */
void rn_play_set_mark(struct rn_play *p, int which);

/* The marked range, and the same as options of render. The first function returns whether there is
 * one, the second buf, of RN_RANGE_TEXT bytes. */
bool rn_play_marked_range(const struct rn_play *p, struct rn_play_range *part);
char *rn_play_range(const struct rn_play *p, char *buf);

/* Says what is rendered: the marked range, or all. */
void rn_play_say_part(struct rn_play *p);

/* Whether a mark ends playing between the frame on the screen and this one. */
bool rn_play_is_beyond(const struct rn_play *p, const struct rn_slot *slot);

/* Changes the speed by steps; 0: back to normal. */
void rn_play_pace(struct rn_play *p, int count);

/* ---- sound.c: the sound of the preview. While it is heard, the clock follows it. */

/* Zeroed before the first use, but for the volume. */
struct rn_play_sound {
    struct rn_read_audio *audio; /* NULL: the input has none, or there is no speaker */
    struct rn_ui_speaker *speaker;
    double volume; /* 0..1 */
    double end;    /* time in the stream after what was pushed */
    int rate;      /* samples per second */
    bool muted;
    bool sounding; /* some of what was pushed was not heard yet */
    bool stepped;  /* the picture has gone on without it */
};

/* Opens the sound of the input, where it can be heard: a picture without sound is better than none.
 * Closes it. */
void rn_play_open_sound(struct rn_play *p);
void rn_play_close_sound(struct rn_play *p);

/* Seeks to the picture, which has gone on without sound. */
void rn_play_resume_sound(struct rn_play *p);

/* Sets the clock to the sound that is heard: the picture follows. */
void rn_play_follow_sound(struct rn_play *p);

/* Queues the sound of a frame. Only the normal speed has sound. */
void rn_play_push_sound(struct rn_play *p, const struct rn_frame *frame);

/* Drops the queue. */
void rn_play_forget_sound(struct rn_play *p);

/* Sets the volume, 0..1. */
void rn_play_sound_level(struct rn_play_sound *sound, double volume, bool muted);

/* Changes the volume by steps of 5 %, and says it; 0: mutes or unmutes. */
void rn_play_set_volume(struct rn_play *p, int count);

/* Whether the input has sound at the current speed. */
bool rn_play_is_heard(const struct rn_play *p);
