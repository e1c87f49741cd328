/* SPDX-License-Identifier: MIT */
#include "app/play/stacks/stacks.h"

#include "app/play/loop/player.h"
#include "filters/base/text/number.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- slices */

struct rn_play_slices {
    struct rn_io_stack stack;
    bool going;     /* to the frame with the index `wanted` */
    int64_t wanted; /* valid while going */
    int64_t sought; /* the index of the latest seek on the way; -1: none yet */
    int64_t shown;  /* the index at the latest call of rn_play_slices_has_changed; -1: none yet */
};

const struct rn_play_part_type rn_play_slices_part = {.size = sizeof(struct rn_play_slices)};

void rn_play_slices_begin(struct rn_play_slices *s, const struct rn_io_stack *stack)
{
    *s = (struct rn_play_slices){.stack = *stack, .shown = -1};
}

const struct rn_io_stack *rn_play_slices_stack(const struct rn_play_slices *s)
{
    return s->stack.known ? &s->stack : NULL;
}

bool rn_play_slices_has_changed(struct rn_play_slices *s, int64_t shown)
{
    bool changed = s->shown != shown;
    s->shown = shown;
    return changed;
}

static void want(struct rn_play_slices *s, int64_t index)
{
    s->wanted = index;
    s->sought = s->going ? s->sought : -1;
    s->going = true;
}

void rn_play_slices_step(struct rn_play_slices *s, int64_t shown, int64_t count)
{
    want(s, rn_io_stack_step(&s->stack, s->going ? s->wanted : shown, count));
}

void rn_play_slices_go(struct rn_play_slices *s, int64_t shown, int64_t slice)
{
    s->going = false;
    rn_play_slices_step(s, shown, slice - rn_io_stack_slice(&s->stack, shown));
}

void rn_play_slices_stay(struct rn_play_slices *s)
{
    s->going = false;
}

int64_t rn_play_slices_next(struct rn_play_slices *s, int64_t shown)
{
    if (!s->going)
        return 0;
    s->going = s->wanted != shown && s->wanted != s->sought;
    s->sought = s->wanted;
    return s->going ? s->wanted - shown : 0;
}

/* Millimetres to the hundredth. */
static double rounded(double mm)
{
    return floor(mm * 100 + 0.5) / 100 + 0.0; /* no -0 */
}

char *rn_play_slices_describe(const struct rn_io_stack *s, int64_t index, char *buf, size_t size)
{
    int64_t slice = rn_io_stack_slice(s, index);
    double mm, seconds;
    bool film = s->times > 1 && !s->space;
    *buf = '\0';
    if (!film)
        snprintf(buf, size, "slice %lld/%lld", (long long)slice + 1, (long long)s->n);
    size_t n = strlen(buf);
    if (rn_io_stack_depth(s, slice, &mm))
        rn_number_print(buf + n, size - n, "  z = %.10g mm", rounded(mm));
    n = strlen(buf);
    if (s->times > 1)
        snprintf(buf + n, size - n, "%stime %lld/%lld", film ? "" : "  ",
                 (long long)rn_io_stack_time(s, index) + 1, (long long)s->times);
    n = strlen(buf);
    if (rn_io_stack_seconds(s, index, &seconds))
        rn_number_print(buf + n, size - n, "  %.6g s", seconds);
    return buf;
}

char *rn_play_slices_place(const struct rn_io_stack *s, double x, double y, int64_t slice,
                           char *buf, size_t size)
{
    double mm[3];
    enum rn_io_located place =
        s && s->known ? rn_io_stack_place(s, x, y, slice, mm) : RN_LOCATED_NOWHERE;
    *buf = '\0';
    if (place != RN_LOCATED_NOWHERE)
        rn_number_print(buf, size, "%.10g %.10g %.10g mm%s", rounded(mm[0]), rounded(mm[1]),
                        rounded(mm[2]), place == RN_LOCATED_IN_PATIENT ? " LPS" : "");
    return buf;
}

/* ---- events */

void rn_play_step_slices(struct rn_play *p, const struct rn_ui_event *e)
{
    struct rn_play_slices *s = p->slices;
    if (!rn_play_slices_stack(s) || rn_play_step_cross(p, e))
        return;
    rn_play_pause(p, true);
    rn_play_set_steps(p, 0);
    /* While frames go to another runner, none is on its way to the screen. */
    int64_t shown = p->shown ? p->shown->frame.index : s->shown > 0 ? s->shown : 0;
    rn_play_slices_step(s, shown, e->count);
}

int64_t rn_play_step_time(struct rn_play *p, int count)
{
    struct rn_play_slices *s = p->slices;
    if (!rn_play_slices_stack(s) || s->stack.times < 2 || !p->shown)
        return -1;
    rn_play_pause(p, true);
    rn_play_set_steps(p, 0);
    int64_t from = s->going ? s->wanted : p->shown->frame.index;
    want(s, rn_io_stack_step_time(&s->stack, from, count));
    return s->wanted;
}

/* To a slice by its number, from 1; or, with a direction, so many on (1) or back (-1). */
static bool go_to_number(struct rn_play *p, const struct rn_io_stack *stack, int direction,
                         int64_t number)
{
    int64_t now = p->shown->frame.index;
    if (!direction && (number < 1 || number > stack->n)) {
        rn_play_say(p, "no slice %lld: they are 1..%lld, frames are from 0f on", (long long)number,
                    (long long)stack->n);
        return false;
    }
    int64_t by = direction ? direction * number : number - 1 - rn_io_stack_slice(stack, now);
    rn_play_go_frame(p, rn_io_stack_step(stack, now, by));
    return true;
}

bool rn_play_go_to(struct rn_play *p, const char *text)
{
    struct rn_play_place place;
    const struct rn_io_stack *stack = rn_play_slices_stack(p->slices);
    if (!p->shown)
        return true;
    if (!rn_play_place_parse(text, &place)) {
        rn_play_say(p, stack ? "not a place: type the slice, or frame 150f, from here +5, -10f"
                             : "not a place: type 150f, 90, 1:30.5, or from here +5, -10f");
        return false;
    }
    if (place.number && stack)
        return go_to_number(p, stack, place.direction, place.time.frame);
    rn_play_say(p, "to %s%s", text, p->paused ? "" : ", playing on");
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

/* No second one before the first is shown. */
void rn_play_go_to_slice(struct rn_play *p)
{
    if (!p->shown || rn_play_transport_is_busy(p))
        return;
    int64_t now = p->shown->frame.index, frames = rn_play_slices_next(p->slices, now);
    if (frames == 1)
        rn_play_set_steps(p, 1);
    else if (frames)
        rn_play_seek_frame(p, now + frames);
}

void rn_play_look_at_stack(struct rn_play *p)
{
    const struct rn_app_cli *cli = p->session->cli;
    struct rn_io_stack stack = {.known = false};
    rn_io_media_stack(rn_read_media(p->session->source), &stack);
    rn_play_slices_begin(p->slices, &stack);
    rn_ui_stack(p->window, stack.known);
    p->paused |= stack.space && !cli->play.loop && !cli->play.untimed;
}

bool rn_play_place_parse(const char *text, struct rn_play_place *place)
{
    while (isspace((unsigned char)*text))
        text++;
    place->direction = *text == '+' ? 1 : *text == '-' ? -1 : 0;
    text += place->direction != 0;
    long long number;
    place->number = rn_number_whole(text, 0, INT32_MAX, &number);
    /* "now" and dates are times to FFmpeg, too. */
    bool good = text[strspn(text, "0123456789:.fmsu")] == '\0' && *text != '\0' &&
                rn_read_time_parse(text, &place->time);
    if (place->number)
        place->time.frame = number;
    return good;
}
