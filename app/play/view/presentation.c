/* SPDX-License-Identifier: MIT */
#include "app/play/view/presentation.h"

#include "app/play/loop/player.h"
#include "filters/base/clock.h"

#include <math.h>

struct rn_play_presentation {
    struct rn_play_window_level window;
    struct rn_play_mask mask;
    struct rn_play_mask_view mask_view;
    struct {
        bool on;
        const void *slot; /* on the screen, and the time of the frame in it */
        double time;
        double since; /* when that frame was first shown, by rn_clock */
        bool second;  /* its second field is shown */
    } bob;
};

void rn_play_presentation_begin(struct rn_play *p)
{
    struct rn_play_window_level *window = &p->presentation->window;
    *window = (struct rn_play_window_level){.of_file = false};
    window->of_file = rn_read_window(p->session->source, window->file);
    p->presentation->mask.on = false;
}

static void leave(void *presentation)
{
    rn_play_mask_view_free(&((struct rn_play_presentation *)presentation)->mask_view);
}

/* ---- window and level */

const struct rn_play_window_level *rn_play_window_level(const struct rn_play *p)
{
    return &p->presentation->window;
}

void rn_play_fit_window(struct rn_play *p, bool anew)
{
    struct rn_play_window_level *window = &p->presentation->window;
    const struct rn_image *in = &p->shown->in, *out = &p->shown->out;
    if (rn_play_window_level_fits(&in->geom) || rn_play_window_level_fits(&out->geom))
        rn_play_window_level_look(window, in, out, anew);
    rn_play_window_level_apply(window, p->show_in, &in->geom, true);
    rn_play_window_level_apply(window, p->show_out, &out->geom, false);
}

/* Does the source's window count? */
static bool shows_source(const struct rn_play *p)
{
    return p->bypass || rn_play_shown_mask(p);
}

/* The geometry of the visible picture, whose window can be set; NULL: it cannot (reported). */
static const struct rn_geom *windowed(struct rn_play *p)
{
    const struct rn_geom *geom = !p->shown         ? NULL
                                 : shows_source(p) ? &p->shown->in.geom
                                                   : &p->shown->out.geom;
    if (!geom || rn_play_window_level_can(geom))
        return geom;
    rn_play_say(p,
                "8-bit pictures show all values: a right drag sets black and white beyond 8 bits");
    return NULL;
}

static void say_window(struct rn_play *p, const struct rn_geom *geom, const char *end)
{
    struct rn_play_window_level *window = &p->presentation->window;
    char text[96];
    rn_play_window_level_describe(window, geom, shows_source(p), text, sizeof text);
    rn_play_say(p, "%s%s", text, end);
    rn_play_window_level_apply(window, p->show_in, &p->shown->in.geom, true);
    rn_play_window_level_apply(window, p->show_out, &p->shown->out.geom, false);
    rn_play_redraw_pictures(p);
}

void rn_play_drag_window(struct rn_play *p, const struct rn_ui_event *e)
{
    struct rn_play_window_level *window = &p->presentation->window;
    const struct rn_geom *geom = windowed(p);
    if (!geom)
        return;
    if (e->count)
        rn_play_window_level_begin(window, geom, shows_source(p));
    rn_play_window_level_drag(window, geom, shows_source(p), e->position, e->down);
    say_window(p, geom, "");
}

void rn_play_reset_window(struct rn_play *p)
{
    struct rn_play_window_level *window = &p->presentation->window;
    const struct rn_geom *geom = windowed(p);
    rn_play_window_level_clear(window);
    if (geom)
        say_window(p, geom, window->of_file ? ", of the file" : ", automatic");
}

/* ---- the mask */

static bool mask_fits(const struct rn_play *p)
{
    return rn_play_mask_fits(&p->shown->in.geom, &p->shown->out.geom);
}

const struct rn_play_mask *rn_play_shown_mask(const struct rn_play *p)
{
    const struct rn_play_mask *mask = &p->presentation->mask;
    return mask->on && !p->bypass && mask_fits(p) ? mask : NULL;
}

void rn_play_toggle_mask(struct rn_play *p)
{
    struct rn_play_mask *mask = &p->presentation->mask;
    if (!mask->on && p->shown && !mask_fits(p)) {
        rn_play_say(p, "no mask: the chain makes pictures of another size");
        return;
    }
    mask->on = !mask->on;
    rn_play_redraw_pictures(p);
    if (mask->on)
        rn_play_say(p, "mask over the source, %d %%", rn_play_mask_change(mask, 0));
    else
        rn_play_say(p, "mask off");
}

void rn_play_change_mask(struct rn_play *p, int steps)
{
    struct rn_play_mask *mask = &p->presentation->mask;
    rn_play_say(p, "mask %d %%%s", rn_play_mask_change(mask, steps), mask->on ? "" : " (off)");
    if (mask->on)
        rn_play_redraw_pictures(p);
}

int rn_play_show_mask(struct rn_play *p, struct rn_screen *to)
{
    struct rn_play_presentation *s = p->presentation;
    double window[2];
    rn_play_window_level_get(&s->window, &p->shown->in.geom, true, window);
    return rn_play_mask_show(&s->mask, &s->mask_view, &p->shown->in, &p->shown->out, &p->viewing,
                             window, to);
}

/* ---- fields */

bool rn_play_bobs(const struct rn_play *p)
{
    return p->presentation->bob.on;
}

static bool has_fields(const struct rn_play *p)
{
    return p->shown && rn_io_frame_is_interlaced(&p->shown->frame);
}

void rn_play_toggle_bob(struct rn_play *p)
{
    bool on = p->presentation->bob.on = !p->presentation->bob.on;
    rn_play_redraw_pictures(p);
    rn_play_say(p, !on             ? "fields: woven"
                   : has_fields(p) ? "fields: bobbed"
                                   : "fields: bobbed, where frames are interlaced");
}

enum rn_pix_lines_shown rn_play_visible_lines(struct rn_play *p)
{
    struct rn_play_presentation *s = p->presentation;
    const struct rn_frame *frame = &p->shown->frame;
    if (s->bob.slot != p->shown || s->bob.time != frame->time) {
        s->bob.slot = p->shown;
        s->bob.time = frame->time;
        s->bob.since = rn_clock();
        s->bob.second = false;
    }
    bool even = rn_io_frame_top_field_first(frame) != s->bob.second;
    return !s->bob.on || !has_fields(p) ? RN_SHOW_ALL : even ? RN_SHOW_EVEN : RN_SHOW_ODD;
}

void rn_play_next_field(struct rn_play *p, double *wait)
{
    struct rn_play_presentation *s = p->presentation;
    const struct rn_io_rational *rate = &p->session->stream->rate;
    if (!s->bob.on || !has_fields(p) || p->paused || s->bob.second || rate->num <= 0 ||
        rate->den <= 0)
        return;
    double half = 0.5 * rate->den / rate->num / rn_play_speed(p);
    double left = s->bob.since + half - rn_clock();
    if (left > 0.001) {
        *wait = fmin(*wait, left);
        return;
    }
    s->bob.second = true;
    rn_play_redraw_pictures(p);
    *wait = 0;
}

const struct rn_play_part_type rn_play_presentation_part = {
    .size = sizeof(struct rn_play_presentation), .leave = leave};
