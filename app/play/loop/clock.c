#include "app/play/loop/clock.h"

#include <math.h>

double rn_play_stream_clock_time(const struct rn_play_stream_clock *clock, double now)
{
    return clock->anchored + (now - clock->anchor) * clock->speed;
}

void rn_play_stream_clock_set(struct rn_play_stream_clock *clock, double now, double time)
{
    clock->anchor = now;
    clock->anchored = time;
}

double rn_play_speed_of(int steps)
{
    return fmin(8, fmax(0.125, pow(1.1, steps)));
}
