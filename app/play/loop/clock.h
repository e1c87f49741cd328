/* The clock of the preview: where in the stream it is now, at which speed. */
#ifndef RN_APP_PLAY_LOOP_CLOCK_H
#define RN_APP_PLAY_LOOP_CLOCK_H

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

#endif
