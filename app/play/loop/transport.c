/* SPDX-License-Identifier: MIT */
#include "app/play/loop/player.h"
#include "io/read/audio.h"
#include "app/play/runners/runners.h"
#include "app/play/stacks/stacks.h"
#include "filters/base/clock.h"
#include "filters/base/text/number.h"
#include "io/common/media.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MAX_SEEN 1024

struct rn_play_transport {
    bool seekable;
    struct rn_play_stream_clock clock; /* sound corrects it */
    int pace; /* its speed, in steps from the normal one (rn_play_speed_of) */
    struct rn_play_marks marks;
    bool begin_pending, end_pending; /* marks to be set at the target */

    struct rn_play_goal target; /* of the seek, until its frame is shown; RN_GOAL_NONE: none */
    bool alone;                 /* frames before the target are not filtered: see rn_play_rewind */
    bool locates;   /* the time of the first frame after the seek is the target of a second one */
    bool carries;   /* the last seek brings the sound */
    double lead_in; /* frames before this time only lead in the sought one; NAN */
    double before, span; /* looking for the frame before this time (NAN), span seconds back */

    int64_t ended; /* the last frame, if it was said that it is; else -1 */
    int steps;     /* pending, in frames */
    bool skipped;  /* the frame after the one on the screen was dropped (rn_play_note_skipped) */
    struct {
        double time, before;
    } seen[MAX_SEEN]; /* frames that followed each other, to step back along */
    int nseen;
    double last_time; /* of the frame read last; NAN after a seek */
};

/* To -most..most. */
static int clamp(int value, int most)
{
    return value > most ? most : value < -most ? -most : value;
}

/* ---- time */

double rn_play_time(const struct rn_play *p)
{
    const struct rn_play_stream_clock *clock = &p->transport->clock;
    return p->paused ? clock->anchored : rn_play_stream_clock_time(clock, rn_clock());
}

void rn_play_set_time(struct rn_play *p, double time)
{
    rn_play_stream_clock_set(&p->transport->clock, rn_clock(), time);
}

double rn_play_speed(const struct rn_play *p)
{
    return p->transport->clock.speed;
}

double rn_play_frame_duration(const struct rn_play *p)
{
    const struct rn_io_rational *r = &p->session->stream->rate;
    return r->num > 0 && r->den > 0 ? (double)r->den / r->num : 0.04;
}

void rn_play_pause(struct rn_play *p, bool paused)
{
    if (paused == p->paused)
        return;
    rn_play_set_time(p, paused     ? rn_play_time(p)
                        : p->shown ? p->shown->frame.time
                                   : p->transport->clock.anchored);
    p->paused = paused;
    rn_play_redraw_pictures(p); /* those that move may be coarser */
    if (p->sound->speaker)
        rn_ui_speaker_pause(p->sound->speaker, paused);
    rn_play_resume_sound(p);
}

/* ---- to a time, to a frame */

void rn_play_transport_begin(struct rn_play_transport *t, bool seekable)
{
    *t = (struct rn_play_transport){.seekable = seekable,
                                    .clock = t->clock,
                                    .pace = t->pace,
                                    .target.kind = RN_GOAL_NONE,
                                    .lead_in = NAN,
                                    .before = NAN,
                                    .ended = -1,
                                    .last_time = NAN};
    t->clock.speed = rn_play_speed_of(t->pace);
}

bool rn_play_can_seek(const struct rn_play *p)
{
    return p->transport->seekable;
}

static void send_reader(struct rn_play *p, const struct rn_play_goal *goal)
{
    struct rn_play_transport *t = p->transport;
    t->before = NAN;
    t->locates = false;
    t->carries = rn_play_is_heard(p) && !p->paused;
    p->seeking = RN_SEEKING_READER;
    rn_play_reader_seek(p->reader, goal, t->carries);
}

/* alone: without the frames before it, which filters across frames need otherwise. */
static void seek_with(struct rn_play *p, double time, bool alone)
{
    struct rn_play_transport *t = p->transport;
    int lead = alone ? 0 : rn_play_runners_delay(p->runners);
    t->target = (struct rn_play_goal){.kind = RN_GOAL_TIME, .time = time > 0 ? time : 0};
    t->alone = alone;
    t->lead_in = lead ? t->target.time : NAN;
    /* Distances of frames may be longer than the average. */
    double ahead = lead ? 1.5 * (lead + 1) * rn_play_frame_duration(p) : 0;
    send_reader(
        p, &(struct rn_play_goal){.kind = RN_GOAL_TIME, .time = fmax(t->target.time - ahead, 0)});
}

void rn_play_seek_time(struct rn_play *p, double time)
{
    seek_with(p, time, false);
}

/* For filters across frames, its time is found first, then the frames before it are read. */
static void locate(struct rn_play *p, const struct rn_play_goal *goal)
{
    struct rn_play_transport *t = p->transport;
    t->lead_in = NAN;
    t->target = *goal;
    t->alone = false;
    send_reader(p, goal);
    t->locates = rn_play_runners_delay(p->runners) > 0;
}

void rn_play_seek_frame(struct rn_play *p, int64_t index)
{
    locate(p, &(struct rn_play_goal){.kind = RN_GOAL_FRAME, .index = index > 0 ? index : 0});
}

/* ---- asked for */

static void forget_steps(struct rn_play *p)
{
    rn_play_set_steps(p, 0);
    rn_play_slices_stay(p->slices);
    rn_play_recording_leave(p);
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

void rn_play_go(struct rn_play *p, double time)
{
    double length = p->session->stream->duration;
    forget_steps(p);
    if (length > 0 && time > length - 1.5 * rn_play_frame_duration(p))
        rn_play_go_last(p);
    else
        rn_play_seek_time(p, time);
}

void rn_play_say_end(struct rn_play *p)
{
    char key[RN_KEY_NAME];
    if (p->shown)
        p->transport->ended = p->shown->frame.index;
    if (rn_play_can_seek(p))
        rn_play_say(p, "the end: %s begins anew", rn_play_key(p, "home", key));
    else
        rn_play_say(p, "the end");
}

void rn_play_reach_end(struct rn_play *p)
{
    int64_t index = p->shown->frame.index;
    if (index > 0 && index != p->transport->ended) /* not of a single picture */
        rn_play_say_end(p);
}

/* The time that a seek under way leads to; that of the frame shown, if there is none. */
static double destination(const struct rn_play *p)
{
    const struct rn_play_goal *target = &p->transport->target;
    double frame = rn_play_frame_duration(p), length = p->session->stream->duration;
    if (target->kind == RN_GOAL_TIME)
        return target->time;
    if (target->kind == RN_GOAL_FRAME)
        return (double)target->index * frame;
    if (target->kind == RN_GOAL_LAST && length > 0)
        return length - frame;
    return p->shown ? p->shown->frame.time : 0;
}

void rn_play_seek_by(struct rn_play *p, double seconds)
{
    double length = p->session->stream->duration;
    bool last =
        p->playback == RN_PLAYBACK_AT_END ||
        (length > 0 && p->shown && p->shown->frame.time > length - 1.5 * rn_play_frame_duration(p));
    if (seconds > 0 && last && !p->seeking)
        rn_play_say_end(p);
    rn_play_go(p, destination(p) + seconds);
}

void rn_play_rewind(struct rn_play *p)
{
    /* The range is filtered as render filters it: without the frames before it. */
    rn_play_recording_leave(p);
    seek_with(p, p->transport->marks.a.set ? p->transport->marks.a.time : 0, true);
}

/* ---- steps */

/* A held key may repeat faster than frames are shown, so few steps are pending. */
void rn_play_step(struct rn_play *p, int count)
{
    rn_play_pause(p, true);
    rn_play_slices_stay(p->slices);
    rn_play_set_steps(p, clamp(p->transport->steps + count, RN_STEPS_MOST));
}

void rn_play_set_steps(struct rn_play *p, int count)
{
    p->transport->steps = count;
}

bool rn_play_transport_is_busy(const struct rn_play *p)
{
    return p->seeking != RN_SEEKING_NOT || p->transport->steps;
}

/* The time of the frame before the one at a time; NAN: not seen yet. */
static double time_before(const struct rn_play_transport *t, double time)
{
    for (int i = t->nseen - 1; i >= 0 && i >= t->nseen - MAX_SEEN; i--)
        if (t->seen[i % MAX_SEEN].time == time)
            return t->seen[i % MAX_SEEN].before;
    return NAN;
}

static void find_before(struct rn_play *p, double time, double span)
{
    rn_play_seek_time(p, time - span);
    p->transport->before = time;
    p->transport->span = span;
}

void rn_play_find_neighbours(struct rn_play *p, bool missing)
{
    const struct rn_play_transport *t = p->transport;
    const struct rn_slot *slot = p->shown ? p->shown : p->nahead ? p->ahead[0] : NULL;
    const struct rn_play_goal target = t->target;
    if (!isnan(t->before))
        find_before(p, t->before, t->span);
    else if (target.kind == RN_GOAL_TIME)
        seek_with(p, target.time, t->alone);
    else if (target.kind != RN_GOAL_NONE)
        locate(p, &target);
    else if (missing && slot)
        rn_play_seek_time(p, slot->frame.time);
}

/* Looks at a frame on the way to the one before t->before. Returns whether to show it. */
static bool look_before(struct rn_play *p, double time)
{
    struct rn_play_transport *t = p->transport;
    if (time < t->before)
        return false;
    double there = time_before(t, t->before);
    if (isnan(there) && t->before - t->span > 0) {
        find_before(p, t->before, 8 * t->span);
        return false;
    }
    t->before = NAN;
    if (!isnan(there))
        rn_play_seek_time(p, there);
    return isnan(there); /* the first frame has none before it */
}

bool rn_play_look(struct rn_play *p, const struct rn_slot *slot)
{
    struct rn_play_transport *t = p->transport;
    double time = slot->frame.time;
    if (!isnan(t->last_time)) {
        t->seen[t->nseen % MAX_SEEN].time = time;
        t->seen[t->nseen++ % MAX_SEEN].before = t->last_time;
    }
    t->last_time = time;
    if (t->locates)
        rn_play_seek_time(p, time);
    return p->seeking != RN_SEEKING_READER && (isnan(t->before) || look_before(p, time));
}

bool rn_play_leads_in(const struct rn_play *p, const struct rn_slot *slot)
{
    return slot->frame.time < p->transport->lead_in - 0.0005;
}

/* A file may end in front of what its header says, or be cut while it is played. */
static void say_unreached(struct rn_play *p)
{
    const struct rn_play_goal *target = &p->transport->target;
    const struct rn_frame *frame = p->shown ? &p->shown->frame : NULL;
    bool by_time = target->kind == RN_GOAL_TIME;
    /* The last one may stand for long. */
    double lasts = frame && frame->pts > 0 ? (double)frame->duration / (double)frame->pts : 0;
    if (!frame || (!by_time && target->kind != RN_GOAL_FRAME) ||
        (by_time ? frame->time * (1 + lasts) > target->time - 0.0005
                 : frame->index >= target->index))
        return;
    p->transport->ended = frame->index;
    rn_play_say(p, "that place cannot be reached: the nearest is %.3f s (frame %" PRId64 ")",
                frame->start + frame->time, frame->index);
}

void rn_play_drop_target(struct rn_play *p)
{
    say_unreached(p);
    p->transport->before = NAN;
    p->transport->target.kind = RN_GOAL_NONE;
}

void rn_play_end_seek(struct rn_play *p, bool done)
{
    struct rn_play_transport *t = p->transport;
    p->sound->stepped = done && !t->carries;
    p->seeking = !done && p->shown ? RN_SEEKING_NOT : RN_SEEKING_FRAME;
    if (done) {
        t->last_time = NAN;
        return;
    }
    rn_play_drop_target(p);
    t->locates = false;
    t->lead_in = NAN;
    t->begin_pending = t->end_pending = false;
    t->steps = 0;
    p->loop = false;
    rn_play_say(p, "this input cannot seek");
}

void rn_play_note_skipped(struct rn_play_transport *t)
{
    t->skipped = true;
}

void rn_play_take_step(struct rn_play *p)
{
    struct rn_play_transport *t = p->transport;
    if (!t->steps || p->seeking)
        return;
    if (!p->shown ||
        (t->steps > 0 && p->playback == RN_PLAYBACK_AT_END && !p->loop && !t->skipped)) {
        t->steps = 0;
    } else if (t->steps > 0) {
        t->steps--;
        if (rn_play_is_cut(p) || (t->skipped && t->seekable)) { /* the next frame is not in hand */
            rn_play_seek_frame(p, p->shown->frame.index + 1);
            return;
        }
        p->seeking = RN_SEEKING_FRAME;
        p->sound->stepped = true;
    } else {
        double from = p->shown->frame.time, there = time_before(t, from);
        t->steps++;
        if (isnan(there))
            find_before(p, from, 8 * rn_play_frame_duration(p));
        else
            rn_play_seek_time(p, there);
    }
}

/* ---- marks */

void rn_play_marks_begin(struct rn_play_marks *marks, int64_t index, double time)
{
    marks->a = (struct rn_play_mark){true, index, time};
    if (marks->e.set && marks->e.index < index)
        marks->e.set = false;
}

void rn_play_marks_end(struct rn_play_marks *marks, int64_t index, double time)
{
    marks->e = (struct rn_play_mark){true, index, time};
    if (marks->a.set && marks->a.index > index)
        marks->a.set = false;
}

bool rn_play_marks_cross(const struct rn_play_marks *marks, int64_t from, int64_t to)
{
    return marks->e.set && from <= marks->e.index && to > marks->e.index;
}

static void print_frame(int64_t number, char text[32])
{
    snprintf(text, 32, "%" PRId64 "f", number);
}

/* To the microsecond, the precision of --from. */
static void print_time(const struct rn_io_time *time, char text[32])
{
    if (time->kind == RN_TIME_FRAME)
        print_frame(time->frame, text);
    if (time->kind != RN_TIME_SECONDS)
        return;
    rn_number_print(text, 32, "%.6f", time->seconds);
    size_t n = strlen(text);
    while (text[n - 1] == '0')
        n--;
    text[text[n - 1] == '.' ? n - 1 : n] = '\0';
}

/* --to is exclusive. With one mark only, the other end is that of the range that is played. */
bool rn_play_marks_range(const struct rn_play_marks *marks, const struct rn_io_read_opts *opts,
                         int64_t first, struct rn_play_range *range)
{
    int64_t shift = opts->renumber ? first : 0;
    *range = (struct rn_play_range){.from = ""};
    if (!marks->a.set && !marks->e.set)
        return false;
    print_time(&opts->from, range->from);
    print_time(&opts->to, range->to);
    if (marks->a.set)
        print_frame(marks->a.index + shift, range->from);
    if (marks->e.set)
        print_frame(marks->e.index + shift + 1, range->to);
    else if (opts->frames >= 0)
        snprintf(range->frames, sizeof range->frames, "%" PRId64,
                 opts->frames - (marks->a.index + shift - first));
    return true;
}

char *rn_play_range_options(const struct rn_play_range *range, char *buf)
{
    const char *const option[][2] = {
        {"--from", range->from}, {"--to", range->to}, {"--frames", range->frames}};
    size_t n = 0;
    *buf = '\0';
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (*option[i][1])
            n += (size_t)snprintf(buf + n, RN_RANGE_TEXT - n, "%s%s %s", n ? " " : "", option[i][0],
                                  option[i][1]);
    return buf;
}

void rn_play_reach_target(struct rn_play *p)
{
    struct rn_play_transport *t = p->transport;
    bool begin = t->begin_pending, end = t->end_pending;
    t->ended = p->shown->frame.index == t->ended ? t->ended : -1;
    say_unreached(p);
    t->target.kind = RN_GOAL_NONE;
    t->skipped = t->begin_pending = t->end_pending = false;
    if (begin)
        rn_play_set_mark(p, 1);
    if (end)
        rn_play_set_mark(p, -1);
}

enum { MARK_TEXT = 96 };

static char *describe_mark(const struct rn_play *p, const struct rn_play_mark *mark, char *buf)
{
    const struct rn_io_stack *stack = rn_play_slices_stack(p->slices);
    if (stack)
        return rn_play_slices_describe(stack, mark->index, buf, MARK_TEXT);
    rn_number_print(buf, MARK_TEXT, "%.3f s (frame %" PRId64 ")",
                    (p->shown ? p->shown->frame.start : 0) + mark->time, mark->index);
    return buf;
}

void rn_play_say_part(struct rn_play *p)
{
    const struct rn_play_marks *m = &p->transport->marks;
    const struct rn_io_read_opts *opts = &p->session->cli->source;
    bool all = !opts->from.kind && !opts->to.kind && opts->frames < 0;
    char from[MARK_TEXT] = "the beginning", to[MARK_TEXT] = "the end", key[RN_KEY_NAME];
    if (m->a.set)
        describe_mark(p, &m->a, from);
    if (m->e.set)
        describe_mark(p, &m->e, to);
    rn_play_key(p, "export", key);
    if (m->a.set || m->e.set)
        rn_play_say(p, "%s renders from %s to %s", key, from, to);
    else
        rn_play_say(p, "%s renders all of the %s, as nothing is marked", key,
                    all ? "input" : "part that is played");
}

static void say_mark(struct rn_play *p, int which)
{
    const struct rn_play_marks *m = &p->transport->marks;
    bool one = m->a.set && m->e.set && m->a.index == m->e.index;
    char at[MARK_TEXT], key[RN_KEY_NAME];
    if (!which) {
        rn_play_say(p, "no marks");
        return;
    }
    rn_play_say(p, "part %s at %s%s%s%s%s", which > 0 ? "begins" : "ends",
                describe_mark(p, which > 0 ? &m->a : &m->e, at),
                one ? ": it is a single frame" : "", m->e.set ? ", " : "",
                m->e.set ? rn_play_key(p, "export", key) : "",
                m->e.set ? " writes it to a file" : "");
}

void rn_play_set_mark(struct rn_play *p, int which)
{
    struct rn_play_transport *t = p->transport;
    const struct rn_frame *frame = p->shown ? &p->shown->frame : NULL;
    if (which && p->seeking && !rn_play_at_end(p)) {
        *(which > 0 ? &t->begin_pending : &t->end_pending) = true;
        return;
    }
    if (which && (!frame || frame->about)) { /* a guess, while a large file is read through */
        rn_play_say(p, "the number of this frame is not known yet: try again soon");
        return;
    }
    if (which > 0)
        rn_play_marks_begin(&t->marks, frame->index, frame->time);
    else if (which < 0)
        rn_play_marks_end(&t->marks, frame->index, frame->time);
    else
        t->marks = (struct rn_play_marks){0};
    if (rn_play_is_cut(p) && frame)
        rn_play_seek_time(p, frame->time); /* plays on after the former end */
    say_mark(p, which);
}

const struct rn_play_marks *rn_play_marks(const struct rn_play *p)
{
    return &p->transport->marks;
}

bool rn_play_marked_range(const struct rn_play *p, struct rn_play_range *part)
{
    int64_t first = p->session->source ? rn_read_media(p->session->source)->first_index : 0;
    return rn_play_marks_range(&p->transport->marks, &p->session->cli->source, first, part);
}

char *rn_play_range(const struct rn_play *p, char *buf)
{
    struct rn_play_range part;
    rn_play_marked_range(p, &part);
    return rn_play_range_options(&part, buf);
}

bool rn_play_is_beyond(const struct rn_play *p, const struct rn_slot *slot)
{
    bool loops = p->transport->seekable && (p->transport->marks.a.set || p->loop);
    return loops && p->shown && !p->paused && !p->seeking &&
           rn_play_marks_cross(&p->transport->marks, p->shown->frame.index, slot->frame.index);
}

/* ---- speed */

void rn_play_pace(struct rn_play *p, int count)
{
    struct rn_play_transport *t = p->transport;
    double before = t->clock.speed;
    t->pace = count ? clamp(t->pace + count, RN_SPEED_STEPS) : 0;
    if (!p->paused)
        rn_play_set_time(p, rn_play_time(p));
    t->clock.speed = rn_play_speed_of(t->pace);
    bool other = t->clock.speed < before || t->clock.speed > before;
    if (other && p->sound->audio) {
        rn_play_forget_sound(p);
        bool heard = rn_play_is_heard(p) && !rn_read_audio_tempo(p->sound->audio, t->clock.speed);
        p->sound->stepped |= heard;
        if (heard)
            rn_play_resume_sound(p);
    }
    rn_play_say(p, "speed %.3gx%s", t->clock.speed,
                p->sound->audio && !rn_play_is_heard(p) ? ", without sound" : "");
}

double rn_play_stream_clock_time(const struct rn_play_stream_clock *clock, double wall)
{
    return clock->anchored + (wall - clock->anchor) * clock->speed;
}

void rn_play_stream_clock_set(struct rn_play_stream_clock *clock, double wall, double time)
{
    clock->anchor = wall;
    clock->anchored = time;
}

double rn_play_speed_of(int steps)
{
    return fmin(8, fmax(0.125, pow(1.1, steps)));
}

const struct rn_play_part_type rn_play_transport_part = {.size = sizeof(struct rn_play_transport)};
