#include "app/play/loop/seek.h"

#include "app/play/loop/place.h"
#include "app/play/loop/player.h"
#include "app/play/loop/marks.h"
#include "app/play/loop/reader.h"
#include "app/play/runners/companion.h"
#include "app/play/stacks/slices.h"
#include "app/run/session.h"
#include "io/read/audio.h"
#include "app/play/stacks/stacks.h"
#include "app/play/loop/sound.h"
#include "filters/base/clock.h"
#include "filters/base/text/number.h"

#include <math.h>
#include <stdio.h>

/* ---- to a time, to a frame */

static void send_reader(struct rn_play *p, const struct rn_play_goal *goal)
{
    p->before = NAN;
    p->seeking = true;
    p->locating = false;
    p->carries = rn_play_is_heard(p) && !p->paused;
    rn_play_reader_carry(p->reader, p->carries);
    rn_play_reader_seek(p->reader, goal);
}

/* alone: as if nothing were in front of it; else frames there are read for filters across frames.
 */
static void seek_with(struct rn_play *p, double time, bool alone)
{
    int lead = alone ? 0 : rn_play_companion_delay(p->companion);
    p->goal = time > 0 ? time : 0;
    p->lead_in = lead ? p->goal : NAN;
    p->sought = (struct rn_play_sought){.wanted = true, .goal.time = p->goal, .alone = alone};
    /* Frames may lie further apart than on average. */
    double ahead = lead ? 1.5 * (lead + 1) * rn_play_frame_duration(p) : 0;
    send_reader(p, &(struct rn_play_goal){.kind = RN_GOAL_TIME, .time = fmax(p->goal - ahead, 0)});
}

void rn_play_seek_time(struct rn_play *p, double time)
{
    seek_with(p, time, false);
}

/* Filters across frames need those in front of it, whose times have to be found: by its own. */
static void locate(struct rn_play *p, const struct rn_play_goal *goal)
{
    p->goal = p->lead_in = NAN;
    p->sought = (struct rn_play_sought){.wanted = true, .goal = *goal};
    send_reader(p, goal);
    p->locating = rn_play_companion_delay(p->companion) > 0;
}

void rn_play_seek_frame(struct rn_play *p, int64_t index)
{
    locate(p, &(struct rn_play_goal){.kind = RN_GOAL_FRAME, .index = index > 0 ? index : 0});
}

/* ---- asked for */

static void forget_steps(struct rn_play *p)
{
    p->steps = 0;
    rn_play_slices_stay(p->slices);
}

void rn_play_go_frame(struct rn_play *p, int64_t index)
{
    forget_steps(p);
    rn_play_seek_frame(p, index);
}

void rn_play_go_last(struct rn_play *p)
{
    forget_steps(p);
    locate(p, &(struct rn_play_goal){.kind = RN_GOAL_LAST});
}

static double now(const struct rn_play *p)
{
    return !isnan(p->goal) ? p->goal : p->shown ? p->shown->frame.time : 0;
}

void rn_play_go(struct rn_play *p, double time)
{
    double length = p->session->stream->duration;
    forget_steps(p);
    if (length > 0 && time > length - 1.5 * rn_play_frame_duration(p))
        rn_play_go_last(p);
    else
        rn_play_seek_time(p, time);
}

void rn_play_seek_by(struct rn_play *p, double seconds)
{
    rn_play_go(p, now(p) + seconds);
}

bool rn_play_go_to(struct rn_play *p, const char *text)
{
    struct rn_play_place place;
    if (!p->shown)
        return true;
    if (!rn_play_place_parse(text, &place)) {
        rn_play_say(p, p->slices->stack.known
                           ? "not a place: type the slice, or frame 150f, from here +5, -10f"
                           : "not a place: type 150f, 90, 1:30.5, or from here +5, -10f");
        return false;
    }
    if (place.number && p->slices->stack.known)
        return rn_play_go_to_number(p, place.direction, place.time.frame);
    const struct rn_frame *f = &p->shown->frame;
    int64_t by = place.direction < 0 ? -place.time.frame : place.time.frame;
    if (place.time.kind == RN_TIME_FRAME)
        rn_play_go_frame(p, place.direction ? f->index + by : by);
    else if (place.direction)
        rn_play_seek_by(p, place.direction * place.time.seconds);
    else
        rn_play_go(p, place.time.seconds - f->start);
    return true;
}

void rn_play_rewind(struct rn_play *p)
{
    /* What is marked is filtered as render filters it: as if nothing were in front. */
    seek_with(p, p->marks->a.set ? p->marks->a.time : 0, true);
}

int rn_play_land(struct rn_play *p, bool done)
{
    p->seeking = p->stepped = false;
    if (!done) {
        p->goal = p->before = p->lead_in = NAN;
        p->sought.wanted = false;
        p->begin_soon = p->end_soon = false;
        p->steps = 0;
        p->loop = p->locating = false;
        rn_play_say(p, "this input cannot seek");
        return rn_play_draw(p);
    }
    if (p->audio)
        rn_read_audio_flush(p->audio);
    rn_play_forget_sound(p);
    p->stepped = !p->carries;
    p->hurry = true;
    p->at_end = p->cut = false;
    p->last_time = NAN;
    return rn_play_drop_frames(p);
}

/* ---- steps */

/* A held key repeats faster than frames may come: no more than a few wait. */
void rn_play_step(struct rn_play *p, int count)
{
    rn_play_pause(p, true);
    rn_play_slices_stay(p->slices);
    p->steps += count;
    p->steps = p->steps > RN_STEPS_MOST    ? RN_STEPS_MOST
               : p->steps < -RN_STEPS_MOST ? -RN_STEPS_MOST
                                           : p->steps;
}

static void remember(struct rn_play *p, double time)
{
    if (!isnan(p->last_time)) {
        p->seen[p->nseen % RN_PLAYER_SEEN].time = time;
        p->seen[p->nseen % RN_PLAYER_SEEN].before = p->last_time;
        p->nseen++;
    }
    p->last_time = time;
}

/* The time of the frame before that of time, NAN if that was not seen. */
static double time_before(const struct rn_play *p, double time)
{
    int first = p->nseen > RN_PLAYER_SEEN ? p->nseen - RN_PLAYER_SEEN : 0;
    for (int i = p->nseen - 1; i >= first; i--)
        if (p->seen[i % RN_PLAYER_SEEN].time == time)
            return p->seen[i % RN_PLAYER_SEEN].before;
    return NAN;
}

static void find_before(struct rn_play *p, double time, double span)
{
    rn_play_seek_time(p, time - span);
    p->before = time;
    p->span = span;
}

void rn_play_find_neighbours(struct rn_play *p)
{
    const struct rn_slot *slot = p->shown ? p->shown : p->nahead ? p->ahead[0] : NULL;
    struct rn_play_sought sought = p->sought;
    if (!isnan(p->before))
        find_before(p, p->before, p->span);
    else if (sought.wanted && sought.goal.kind != RN_GOAL_TIME)
        locate(p, &sought.goal);
    else if (sought.wanted)
        seek_with(p, sought.goal.time, sought.alone);
    else if (slot)
        rn_play_seek_time(p, slot->frame.time);
}

/* A frame came while the one before p->before was looked for. Returns whether it is the one to
 * show. */
static bool look_before(struct rn_play *p, double time)
{
    if (time < p->before)
        return false;
    double there = time_before(p, p->before);
    if (isnan(there) && p->before - p->span > 0) {
        find_before(p, p->before, 8 * p->span);
        return false;
    }
    p->before = NAN;
    if (!isnan(there))
        rn_play_seek_time(p, there);
    return isnan(there); /* it is the first */
}

bool rn_play_look(struct rn_play *p, const struct rn_slot *slot)
{
    double time = slot->frame.time;
    remember(p, time);
    if (p->locating)
        rn_play_seek_time(p, time);
    return !p->seeking && (isnan(p->before) || look_before(p, time));
}

void rn_play_take_step(struct rn_play *p)
{
    if (!p->steps || p->hurry)
        return;
    if (!p->shown || (p->steps > 0 && p->at_end && !p->loop && !p->cut && !p->skipped)) {
        p->steps = 0;
    } else if (p->steps > 0) {
        p->steps--;
        if (p->cut || (p->skipped && p->seekable)) { /* what follows is not in hand */
            rn_play_seek_frame(p, p->shown->frame.index + 1);
            return;
        }
        p->hurry = true;
        p->stepped = true;
    } else {
        double from = p->shown->frame.time, there = time_before(p, from);
        p->steps++;
        if (isnan(there))
            find_before(p, from, 8 * rn_play_frame_duration(p));
        else
            rn_play_seek_time(p, there);
    }
}

/* ---- marks */

/* The number of what is shown is a guess while a large file is read through. */
static bool may_mark(struct rn_play *p)
{
    bool known = p->shown && !p->shown->frame.about;
    if (!known)
        rn_play_say(p, "the number of this frame is not known yet: try again soon");
    return known;
}

static void say_marks(struct rn_play *p)
{
    char range[RN_PART_TEXT], text[RN_PART_TEXT + 16];
    rn_play_range(p, range);
    snprintf(text, sizeof text, "%s%s", *range ? "marked: " : "no marks", range);
    rn_play_say(p, text);
}

void rn_play_mark_landed(struct rn_play *p)
{
    bool begin = p->begin_soon, end = p->end_soon;
    p->begin_soon = p->end_soon = false;
    if (begin)
        rn_play_set_mark(p, 1);
    if (end)
        rn_play_set_mark(p, -1);
}

void rn_play_set_mark(struct rn_play *p, int which)
{
    if (which && (p->seeking || p->hurry) && !p->at_end) {
        *(which > 0 ? &p->begin_soon : &p->end_soon) = true;
        return;
    }
    if (which && !may_mark(p))
        return;
    if (which > 0)
        rn_play_marks_begin(p->marks, p->shown->frame.index, p->shown->frame.time);
    else if (which < 0)
        rn_play_marks_end(p->marks, p->shown->frame.index, p->shown->frame.time);
    else
        *p->marks = (struct rn_play_marks){0};
    if (p->cut && p->shown)
        rn_play_seek_time(p, p->shown->frame.time); /* it goes on behind it, now */
    say_marks(p);
}

bool rn_play_part(const struct rn_play *p, struct rn_play_part *part)
{
    int64_t first = p->session->source ? rn_read_first_number(p->session->source) : 0;
    return rn_play_marks_part(p->marks, &p->session->cli->source, first, part);
}

char *rn_play_range(const struct rn_play *p, char *buf)
{
    struct rn_play_part part;
    rn_play_part(p, &part);
    return rn_play_part_options(&part, buf);
}

bool rn_play_is_beyond(const struct rn_play *p, const struct rn_slot *slot)
{
    bool loops = p->seekable && (p->marks->a.set || p->loop);
    return loops && p->shown && !p->paused && !p->hurry &&
           rn_play_marks_cross(p->marks, p->shown->frame.index, slot->frame.index);
}

/* ---- speed */

static void say_speed(struct rn_play *p)
{
    char text[64];
    rn_number_print(text, sizeof text, "speed %.3gx%s", p->clock.speed,
                    p->pace && p->audio ? ", without sound" : "");
    rn_play_say(p, text);
}

void rn_play_pace(struct rn_play *p, int count)
{
    bool heard = rn_play_is_heard(p);
    double wall = rn_clock();
    p->pace = count ? p->pace + count : 0;
    p->pace = p->pace > RN_SPEED_STEPS    ? RN_SPEED_STEPS
              : p->pace < -RN_SPEED_STEPS ? -RN_SPEED_STEPS
                                          : p->pace;
    if (!p->paused)
        rn_play_stream_clock_set(&p->clock, wall, rn_play_stream_clock_time(&p->clock, wall));
    p->clock.speed = rn_play_speed_of(p->pace);
    if (heard && !rn_play_is_heard(p))
        rn_play_forget_sound(p);
    if (!heard && rn_play_is_heard(p)) {
        p->stepped = true;
        rn_play_resume_sound(p);
    }
    say_speed(p);
}
