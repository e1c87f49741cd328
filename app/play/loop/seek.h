/* The transport: it stops and goes on, at a speed; and goes to other frames: to a time, a frame,
 * one step, and around its marks. */
#ifndef RN_APP_PLAY_LOOP_SEEK_H
#define RN_APP_PLAY_LOOP_SEEK_H

#include <stdbool.h>

#include "app/play/loop/marks.h"
#include "app/play/loop/reader.h"

#define RN_PLAYER_SEEN 1024
#define RN_STEPS_MOST  10 /* frames to be stepped that may wait */

struct rn_play;

#define RN_SPEED_STEPS 22 /* of 10 %: from 1 to 8, and to 1/8 */

/* At wall time `anchor` it was `anchored` in the stream; seconds. */
struct rn_play_stream_clock {
    double anchor, anchored;
    double speed; /* seconds of the stream in one of the wall; > 0 */
};

/* The time in the stream at wall time now. */
double rn_play_stream_clock_time(const struct rn_play_stream_clock *clock, double now);

/* Sets the time in the stream. */
void rn_play_stream_clock_set(struct rn_play_stream_clock *clock, double now, double time);

/* The speed that is so many steps from the normal one: 1.1 to the power of steps, within 1/8..8. */
double rn_play_speed_of(int steps);

/* What the first frame behind a seek is for. */
enum rn_play_first {
    RN_FIRST_SHOWN,   /* to be shown */
    RN_FIRST_LOCATES, /* its time is that of the frame which is sought */
};

/* As after rn_play_transport_begin. */
struct rn_play_transport {
    bool seekable;                     /* the input; asked before the reader has it */
    struct rn_play_stream_clock clock; /* sound corrects it */
    int pace; /* its speed, in steps from the normal one (rn_play_speed_of) */
    struct rn_play_marks marks;
    bool begin_pending, end_pending; /* marks to be set at the target */

    struct rn_play_goal target; /* of the seek, until its frame is shown; RN_GOAL_NONE: none */
    bool alone;                 /* nothing in front of the target is filtered: see rn_play_rewind */
    enum rn_play_first first;
    bool carries;        /* the last seek was told to bring the sound */
    double lead_in;      /* frames before this time only lead in the sought one; NAN */
    double before, span; /* looking for the frame before this time (NAN), span seconds back */

    int steps; /* frames to step, as soon as those before are shown */
    struct {
        double time, before;
    } seen[RN_PLAYER_SEEN]; /* frames that followed each other, to step back along */
    int nseen;
    double last_time; /* of the frame read last; NAN after a seek */
};

/* Another input is played, from its first frame on; the speed stays. */
void rn_play_transport_begin(struct rn_play_transport *transport, bool seekable);

/* Stops or starts the clock and the sound. */
void rn_play_pause(struct rn_play *p, bool paused);

/* The sound comes back to the picture where that has gone on without it. */
void rn_play_resume_sound(struct rn_play *p);

/* Seconds from frame to frame, on average; the time in the stream, now, and as it is set. */
double rn_play_frame_duration(const struct rn_play *p);
double rn_play_time(const struct rn_play *p);
void rn_play_set_time(struct rn_play *p, double time);

/* Goes to the first frame at or after time; to the frame with this rn_frame.index. */
void rn_play_seek_time(struct rn_play *p, double time);
void rn_play_seek_frame(struct rn_play *p, int64_t index);

/* The same for somebody who asks for it: steps and slices that are on their way are forgotten. To
 * the last frame where time is beyond; to the last one, whatever its time. */
void rn_play_go(struct rn_play *p, double time);
void rn_play_go_frame(struct rn_play *p, int64_t index);
void rn_play_go_last(struct rn_play *p);

/* Goes by seconds from where it is, or will be soon. */
void rn_play_seek_by(struct rn_play *p, double seconds);

/* Steps by count frames, pausing: soon. */
void rn_play_step(struct rn_play *p, int count);

/* Begins the next of the steps that were asked for, if there is one. */
void rn_play_take_step(struct rn_play *p);

/* Goes to where playing begins again: to the first mark, or the beginning. */
void rn_play_rewind(struct rn_play *p);

/* Has the frame on the screen read once more with those that the filters of now need beside it; or
 * the one that is sought, so that nobody's way there is lost. */
void rn_play_find_neighbours(struct rn_play *p);

/* A frame was read. Returns whether it is wanted: not where it only tells which one is. */
bool rn_play_look(struct rn_play *p, const struct rn_slot *slot);

/* Sets or clears (0) a mark: the beginning (1) or the end (-1) of what is marked is here, or where
 * it is about to be. */
void rn_play_set_mark(struct rn_play *p, int which);

/* Sets the marks that were asked for while another frame was on its way, which is shown now. */
void rn_play_mark_landed(struct rn_play *p);

/* The part that is marked (marks.h); as options of render. The first returns whether there is one,
 * the second buf, of RN_PART_TEXT bytes. */
bool rn_play_part(const struct rn_play *p, struct rn_play_part *part);
char *rn_play_range(const struct rn_play *p, char *buf);

/* Does playing end between what is shown and this frame, by a mark? */
bool rn_play_is_beyond(const struct rn_play *p, const struct rn_slot *slot);

/* Changes the speed by steps; 0: back to normal. */
void rn_play_pace(struct rn_play *p, int count);

#endif
