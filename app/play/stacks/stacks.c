#include "app/play/stacks/stacks.h"

#include "app/play/loop/player.h"
#include "app/play/view/message.h"
#include "app/play/view/probe.h"
#include "app/play/stacks/slices.h"
#include "app/play/stacks/three.h"
#include "app/play/view/mask.h"
#include "app/run/session.h"
#include "ui/window.h"
#include "app/play/loop/seek.h"

#include <math.h>
#include <stdio.h>
#include "filters/base/text/number.h"
#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* ---- events */

void rn_play_toggle_three(struct rn_play *p)
{
    struct rn_play_three *t = p->three;
    if (!t->on && !p->slices->stack.known) {
        rn_play_say(p, "three views are for stacks: volumes, pages, image files");
        return;
    }
    if (!t->on && !rn_pix_orient_is_upright(&p->viewing.orient)) {
        rn_play_say(p, "no three views of pictures that are shown turned");
        return;
    }
    t->on = !t->on;
    t->renew |= t->failed;
    t->failed = false;
    rn_play_redraw_pictures(p);
    rn_play_say(p, t->on ? "three views: drag the cross, wheel in each" : "one view");
}

void rn_play_cross(struct rn_play *p, const struct rn_ui_event *e)
{
    if (!p->three->on || !p->shown)
        return;
    int64_t slice = rn_play_three_point(p->three, p->slices, e->pane, e->x, e->y);
    rn_play_redraw_pictures(p);
    if (slice < 0)
        return;
    rn_play_pause(p, true);
    p->transport->steps = 0;
    rn_play_slices_go(p->slices, p->shown->frame.index, slice);
}

void rn_play_step_slices(struct rn_play *p, const struct rn_ui_event *e)
{
    if (!p->slices->stack.known || !p->shown)
        return;
    if (p->three->on && e->pane > 0) {
        rn_play_three_step(p->three, &p->shown->in.geom, e->pane, e->count);
        rn_play_redraw_pictures(p);
        return;
    }
    rn_play_pause(p, true);
    p->transport->steps = 0;
    rn_play_slices_step(p->slices, p->shown->frame.index, e->count);
}

/* To a slice by its number, from 1; or, with a direction, so many on (1) or back (-1). */
static bool go_to_number(struct rn_play *p, int direction, int64_t number)
{
    const struct rn_io_stack *stack = &p->slices->stack;
    int64_t now = p->shown->frame.index;
    char text[96];
    if (!direction && (number < 1 || number > stack->n)) {
        snprintf(text, sizeof text, "no slice %lld: they are 1..%lld, frames are from 0f on",
                 (long long)number, (long long)stack->n);
        rn_play_say(p, text);
        return false;
    }
    int64_t by = direction ? direction * number : number - 1 - rn_io_stack_slice(stack, now);
    rn_play_go_frame(p, rn_io_stack_step(stack, now, by));
    return true;
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
        return go_to_number(p, place.direction, place.time.frame);
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
    if (!p->shown || p->seeking || p->transport->steps)
        return;
    int64_t now = p->shown->frame.index, frames = rn_play_slices_next(p->slices, now);
    if (frames == 1)
        p->transport->steps = 1;
    else if (frames)
        rn_play_seek_frame(p, now + frames);
}

void rn_play_look_at_stack(struct rn_play *p)
{
    const struct rn_app_cli *cli = p->session->cli;
    *p->slices = (struct rn_play_slices){.told = -1};
    p->mask->on = false;
    rn_io_media_stack(rn_read_media(p->session->source), &p->slices->stack);
    rn_ui_stack(p->window, p->slices->stack.known);
    p->paused |= p->slices->stack.space && !cli->play.loop && !cli->play.untimed;
}

void rn_play_leave_stack(struct rn_play *p)
{
    rn_play_three_free(p->three);
    rn_play_mask_view_free(p->mask_view);
}

/* ---- the planes */

int rn_play_work_three(struct rn_play *p, double *wait)
{
    bool drawn, busy;
    if (!p->three->on || !p->shown || p->host->builds(p))
        return 0; /* the chain of now may still be refused */
    int err = rn_play_three_work(p->three, p->session, p->slices, &p->shown->frame, &drawn, &busy);
    if (drawn)
        rn_play_redraw_pictures(p);
    *wait = busy ? fmin(*wait, RN_PLAYER_BUSY) : *wait;
    return err;
}

int rn_play_show_three(struct rn_play *p, const struct rn_play_three_look *look, bool draws,
                       struct rn_ui_scene *scene)
{
    char readout[RN_PROBE_TEXT] = "";
    const struct rn_play_probe probe = {.on_picture = true, .x = p->three->x, .y = p->three->y};
    rn_play_probe_tell(&probe, &p->shown->in, &p->shown->out, NULL, "", readout, sizeof readout);
    return rn_play_three_show(p->three, look, p->slices, p->shown->frame.index, readout, draws,
                              scene);
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
