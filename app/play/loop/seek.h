/* The transport: pause, speed, seeks to a time or a frame, steps and marks. */
#ifndef RN_APP_PLAY_LOOP_SEEK_H
#define RN_APP_PLAY_LOOP_SEEK_H

#include <stdbool.h>

#include "app/play/loop/marks.h"
#include "app/play/loop/reader.h"

#define RN_PLAYER_SEEN 1024
#define RN_STEPS_MOST  10 /* pending steps */

struct rn_play;

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

/* What the first frame after a seek is for. */
enum rn_play_first {
    RN_FIRST_SHOWN,   /* it is shown */
    RN_FIRST_LOCATES, /* its time is the target of a second seek */
};

/* As after rn_play_transport_begin. */
struct rn_play_transport {
    bool seekable;                     /* the input is; known before the reader starts */
    struct rn_play_stream_clock clock; /* sound corrects it */
    int pace; /* its speed, in steps from the normal one (rn_play_speed_of) */
    struct rn_play_marks marks;
    bool begin_pending, end_pending; /* marks to be set at the target */

    struct rn_play_goal target; /* of the seek, until its frame is shown; RN_GOAL_NONE: none */
    bool alone;                 /* frames before the target are not filtered: see rn_play_rewind */
    enum rn_play_first first;
    bool carries;        /* the last seek brings the sound */
    double lead_in;      /* frames before this time only lead in the sought one; NAN */
    double before, span; /* looking for the frame before this time (NAN), span seconds back */

    int steps; /* pending, in frames */
    struct {
        double time, before;
    } seen[RN_PLAYER_SEEN]; /* frames that followed each other, to step back along */
    int nseen;
    double last_time; /* of the frame read last; NAN after a seek */
};

/* Resets the transport for another input, from its first frame; keeps the speed. */
void rn_play_transport_begin(struct rn_play_transport *transport, bool seekable);

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

/* Pauses, and queues steps by count frames. */
void rn_play_step(struct rn_play *p, int count);

/* Whether a seek or a step is under way. */
bool rn_play_transport_is_busy(const struct rn_play *p);

/* Starts the next queued step, if there is one. */
void rn_play_take_step(struct rn_play *p);

/* Seeks to the first mark, or the beginning of the input. */
void rn_play_rewind(struct rn_play *p);

/* Reads the frame on the screen again with the neighbours that the current filters need; or repeats
 * the pending seek, so that its target is not lost. */
void rn_play_find_neighbours(struct rn_play *p);

/* Called for each frame that was read. Returns whether to show it: not if it only locates another
 * one. */
bool rn_play_look(struct rn_play *p, const struct rn_slot *slot);

/* Sets the begin mark (1) or the end mark (-1) at the current frame, or at the pending target; 0
 * clears both. */
void rn_play_set_mark(struct rn_play *p, int which);

/* Sets the pending marks at their target, which is shown now. */
void rn_play_mark_landed(struct rn_play *p);

/* The marked range (marks.h), and the same as options of render. The first function returns whether
 * there is one, the second buf, of RN_PART_TEXT bytes. */
bool rn_play_part(const struct rn_play *p, struct rn_play_part *part);
char *rn_play_range(const struct rn_play *p, char *buf);

/* Whether a mark ends playing between the frame on the screen and this one. */
bool rn_play_is_beyond(const struct rn_play *p, const struct rn_slot *slot);

/* Changes the speed by steps; 0: back to normal. */
void rn_play_pace(struct rn_play *p, int count);

#endif
