#include "app/play/loop/seek.h"

#include "app/play/loop/place.h"
#include "app/play/loop/player.h"
#include "app/play/stacks/stacks.h"
#include "app/play/loop/sound.h"
#include "filters/base/clock.h"
#include "filters/base/text/number.h"

#include <math.h>
#include <stdio.h>

/* ---- to a time, to a frame */

static void send_reader(struct rn_player *p, const struct rn_goal *goal)
{
    p->before = NAN;
    p->seeking = true;
    p->locating = false;
    p->carries = rn_player_is_heard(p) && !p->paused;
    rn_reader_carry(p->reader, p->carries);
    rn_reader_seek(p->reader, goal);
}

/* alone: as if nothing were in front of it; else frames there are read for filters across frames.
 */
static void seek_with(struct rn_player *p, double time, bool alone)
{
    int lead = alone ? 0 : rn_companion_delay(&p->companion);
    p->goal = time > 0 ? time : 0;
    p->lead_in = lead ? p->goal : NAN;
    p->sought = (struct rn_sought){.wanted = true, .goal.time = p->goal, .alone = alone};
    /* Frames may lie further apart than on average. */
    double ahead = lead ? 1.5 * (lead + 1) * rn_player_frame_duration(p) : 0;
    send_reader(p, &(struct rn_goal){.kind = RN_GOAL_TIME, .time = fmax(p->goal - ahead, 0)});
}

void rn_player_seek(struct rn_player *p, double time)
{
    seek_with(p, time, false);
}

/* Filters across frames need those in front of it, whose times have to be found: by its own. */
static void locate(struct rn_player *p, const struct rn_goal *goal)
{
    p->goal = p->lead_in = NAN;
    p->sought = (struct rn_sought){.wanted = true, .goal = *goal};
    send_reader(p, goal);
    p->locating = rn_companion_delay(&p->companion) > 0;
}

void rn_player_seek_frame(struct rn_player *p, int64_t index)
{
    locate(p, &(struct rn_goal){.kind = RN_GOAL_FRAME, .index = index > 0 ? index : 0});
}

/* ---- asked for */

static void forget_steps(struct rn_player *p)
{
    p->steps = 0;
    rn_slices_stay(&p->slices);
}

void rn_player_go_frame(struct rn_player *p, int64_t index)
{
    forget_steps(p);
    rn_player_seek_frame(p, index);
}

void rn_player_go_last(struct rn_player *p)
{
    forget_steps(p);
    locate(p, &(struct rn_goal){.kind = RN_GOAL_LAST});
}

static double now(const struct rn_player *p)
{
    return !isnan(p->goal) ? p->goal : p->shown ? p->shown->frame.time : 0;
}

void rn_player_go(struct rn_player *p, double time)
{
    double length = p->session.stream->duration;
    forget_steps(p);
    if (length > 0 && time > length - 1.5 * rn_player_frame_duration(p))
        rn_player_go_last(p);
    else
        rn_player_seek(p, time);
}

void rn_player_seek_by(struct rn_player *p, double seconds)
{
    rn_player_go(p, now(p) + seconds);
}

bool rn_player_go_to(struct rn_player *p, const char *text)
{
    struct rn_place place;
    if (!p->shown)
        return true;
    if (!rn_place_parse(text, &place)) {
        rn_player_say(p, p->slices.stack.known
                             ? "not a place: type the slice, or frame 150f, from here +5, -10f"
                             : "not a place: type 150f, 90, 1:30.5, or from here +5, -10f");
        return false;
    }
    if (place.number && p->slices.stack.known)
        return rn_player_go_to_number(p, place.direction, place.time.frame);
    const struct rn_frame *f = &p->shown->frame;
    int64_t by = place.direction < 0 ? -place.time.frame : place.time.frame;
    if (place.time.kind == RN_TIME_FRAME)
        rn_player_go_frame(p, place.direction ? f->index + by : by);
    else if (place.direction)
        rn_player_seek_by(p, place.direction * place.time.seconds);
    else
        rn_player_go(p, place.time.seconds - f->start);
    return true;
}

void rn_player_rewind(struct rn_player *p)
{
    /* What is marked is filtered as render filters it: as if nothing were in front. */
    seek_with(p, p->marks.a.set ? p->marks.a.time : 0, true);
}

int rn_player_land(struct rn_player *p, bool done)
{
    p->seeking = p->stepped = false;
    if (!done) {
        p->goal = p->before = p->lead_in = NAN;
        p->sought.wanted = false;
        p->begin_soon = p->end_soon = false;
        p->steps = 0;
        p->loop = p->locating = false;
        rn_player_say(p, "this input cannot seek");
        return rn_player_draw(p);
    }
    if (p->audio)
        rn_audio_flush(p->audio);
    rn_player_forget_sound(p);
    p->stepped = !p->carries;
    p->hurry = true;
    p->at_end = p->cut = false;
    p->last_time = NAN;
    return rn_player_drop_frames(p);
}

/* ---- steps */

/* A held key repeats faster than frames may come: no more than a few wait. */
void rn_player_step(struct rn_player *p, int count)
{
    rn_player_pause(p, true);
    rn_slices_stay(&p->slices);
    p->steps += count;
    p->steps = p->steps > RN_STEPS_MOST    ? RN_STEPS_MOST
               : p->steps < -RN_STEPS_MOST ? -RN_STEPS_MOST
                                           : p->steps;
}

static void remember(struct rn_player *p, double time)
{
    if (!isnan(p->last_time)) {
        p->seen[p->nseen % RN_PLAYER_SEEN].time = time;
        p->seen[p->nseen % RN_PLAYER_SEEN].before = p->last_time;
        p->nseen++;
    }
    p->last_time = time;
}

/* The time of the frame before that of time, NAN if that was not seen. */
static double time_before(const struct rn_player *p, double time)
{
    int first = p->nseen > RN_PLAYER_SEEN ? p->nseen - RN_PLAYER_SEEN : 0;
    for (int i = p->nseen - 1; i >= first; i--)
        if (p->seen[i % RN_PLAYER_SEEN].time == time)
            return p->seen[i % RN_PLAYER_SEEN].before;
    return NAN;
}

static void find_before(struct rn_player *p, double time, double span)
{
    rn_player_seek(p, time - span);
    p->before = time;
    p->span = span;
}

void rn_player_find_neighbours(struct rn_player *p)
{
    const struct rn_slot *slot = p->shown ? p->shown : p->nahead ? p->ahead[0] : NULL;
    struct rn_sought sought = p->sought;
    if (!isnan(p->before))
        find_before(p, p->before, p->span);
    else if (sought.wanted && sought.goal.kind != RN_GOAL_TIME)
        locate(p, &sought.goal);
    else if (sought.wanted)
        seek_with(p, sought.goal.time, sought.alone);
    else if (slot)
        rn_player_seek(p, slot->frame.time);
}

/* A frame came while the one before p->before was looked for. Returns whether it is the one to
 * show. */
static bool look_before(struct rn_player *p, double time)
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
        rn_player_seek(p, there);
    return isnan(there); /* it is the first */
}

bool rn_player_look(struct rn_player *p, const struct rn_slot *slot)
{
    double time = slot->frame.time;
    remember(p, time);
    if (p->locating)
        rn_player_seek(p, time);
    return !p->seeking && (isnan(p->before) || look_before(p, time));
}

void rn_player_take_step(struct rn_player *p)
{
    if (!p->steps || p->hurry)
        return;
    if (!p->shown || (p->steps > 0 && p->at_end && !p->loop && !p->cut && !p->skipped)) {
        p->steps = 0;
    } else if (p->steps > 0) {
        p->steps--;
        if (p->cut || (p->skipped && p->seekable)) { /* what follows is not in hand */
            rn_player_seek_frame(p, p->shown->frame.index + 1);
            return;
        }
        p->hurry = true;
        p->stepped = true;
    } else {
        double from = p->shown->frame.time, there = time_before(p, from);
        p->steps++;
        if (isnan(there))
            find_before(p, from, 8 * rn_player_frame_duration(p));
        else
            rn_player_seek(p, there);
    }
}

/* ---- marks */

/* The number of what is shown is a guess while a large file is read through. */
static bool may_mark(struct rn_player *p)
{
    bool known = p->shown && !p->shown->frame.about;
    if (!known)
        rn_player_say(p, "the number of this frame is not known yet: try again soon");
    return known;
}

static void say_marks(struct rn_player *p)
{
    char range[RN_PART_TEXT], text[RN_PART_TEXT + 16];
    rn_player_range(p, range);
    snprintf(text, sizeof text, "%s%s", *range ? "marked: " : "no marks", range);
    rn_player_say(p, text);
}

void rn_player_mark_landed(struct rn_player *p)
{
    bool begin = p->begin_soon, end = p->end_soon;
    p->begin_soon = p->end_soon = false;
    if (begin)
        rn_player_mark(p, 1);
    if (end)
        rn_player_mark(p, -1);
}

void rn_player_mark(struct rn_player *p, int which)
{
    if (which && (p->seeking || p->hurry) && !p->at_end) {
        *(which > 0 ? &p->begin_soon : &p->end_soon) = true;
        return;
    }
    if (which && !may_mark(p))
        return;
    if (which > 0)
        rn_marks_begin(&p->marks, p->shown->frame.index, p->shown->frame.time);
    else if (which < 0)
        rn_marks_end(&p->marks, p->shown->frame.index, p->shown->frame.time);
    else
        p->marks = (struct rn_marks){0};
    if (p->cut && p->shown)
        rn_player_seek(p, p->shown->frame.time); /* it goes on behind it, now */
    say_marks(p);
}

bool rn_player_part(const struct rn_player *p, struct rn_part *part)
{
    int64_t first = p->session.source ? rn_source_first_number(p->session.source) : 0;
    return rn_marks_part(&p->marks, &p->session.cli->source, first, part);
}

char *rn_player_range(const struct rn_player *p, char *buf)
{
    struct rn_part part;
    rn_player_part(p, &part);
    return rn_part_options(&part, buf);
}

bool rn_player_is_beyond(const struct rn_player *p, const struct rn_slot *slot)
{
    bool loops = p->seekable && (p->marks.a.set || p->loop);
    return loops && p->shown && !p->paused && !p->hurry &&
           rn_marks_cross(&p->marks, p->shown->frame.index, slot->frame.index);
}

/* ---- speed */

static void say_speed(struct rn_player *p)
{
    char text[64];
    rn_number_print(text, sizeof text, "speed %.3gx%s", p->clock.speed,
                    p->pace && p->audio ? ", without sound" : "");
    rn_player_say(p, text);
}

void rn_player_pace(struct rn_player *p, int count)
{
    bool heard = rn_player_is_heard(p);
    double wall = rn_clock();
    p->pace = count ? p->pace + count : 0;
    p->pace = p->pace > RN_SPEED_STEPS    ? RN_SPEED_STEPS
              : p->pace < -RN_SPEED_STEPS ? -RN_SPEED_STEPS
                                          : p->pace;
    if (!p->paused)
        rn_stream_clock_set(&p->clock, wall, rn_stream_clock_time(&p->clock, wall));
    p->clock.speed = rn_speed_of(p->pace);
    if (heard && !rn_player_is_heard(p))
        rn_player_forget_sound(p);
    if (!heard && rn_player_is_heard(p)) {
        p->stepped = true;
        rn_player_resume_sound(p);
    }
    say_speed(p);
}
