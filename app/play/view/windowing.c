#include "app/play/view/windowing.h"

#include "app/play/loop/player.h"
#include "app/play/view/message.h"
#include "app/play/view/mask.h"
#include "app/play/view/scan_window.h"
#include "io/pixels/display.h"
#include "ui/window.h"

#include <stdio.h>

/* ---- the window of the samples */

static void fit(struct rn_play *p, struct rn_pix_display *display, const struct rn_geom *geom,
                bool original)
{
    double window[2];
    if (!rn_play_scan_window_can(geom))
        return;
    rn_play_scan_window_get(p->scan, geom, original, window);
    rn_pix_display_window(display, window[0], window[1]);
}

static void fit_both(struct rn_play *p)
{
    fit(p, p->show_in, &p->shown->in.geom, true);
    fit(p, p->show_out, &p->shown->out.geom, false);
}

void rn_play_fit(struct rn_play *p, bool anew)
{
    const struct rn_image *in = &p->shown->in, *out = &p->shown->out;
    if (rn_play_scan_window_fits(&in->geom) || rn_play_scan_window_fits(&out->geom))
        rn_play_scan_window_look(p->scan, in, out, anew);
    fit_both(p);
}

bool rn_play_has_mask(const struct rn_play *p)
{
    return p->mask->on && !p->bypass && rn_play_mask_fits(&p->shown->in.geom, &p->shown->out.geom);
}

/* Is it the source whose window counts? */
static bool shows_source(const struct rn_play *p)
{
    return p->bypass || rn_play_has_mask(p);
}

/* The geometry of the picture that is shown, whose window can be set; NULL: none (said why). */
static const struct rn_geom *windowed(struct rn_play *p)
{
    const struct rn_geom *geom = !p->shown         ? NULL
                                 : shows_source(p) ? &p->shown->in.geom
                                                   : &p->shown->out.geom;
    if (!geom || rn_play_scan_window_can(geom))
        return geom;
    rn_play_say(p, "pictures of 8 bits are shown whole: no window");
    return NULL;
}

static void say_window(struct rn_play *p, const struct rn_geom *geom, const char *end)
{
    char window[96], text[128];
    snprintf(text, sizeof text, "%s%s",
             rn_play_scan_window_level(p->scan, geom, shows_source(p), window, sizeof window), end);
    rn_play_say(p, text);
    fit_both(p);
    rn_play_redraw_pictures(p);
}

void rn_play_window(struct rn_play *p, const struct rn_ui_event *e)
{
    const struct rn_geom *geom = windowed(p);
    if (!geom)
        return;
    if (e->count)
        rn_play_scan_window_begin(p->scan, geom, shows_source(p));
    else
        rn_play_scan_window_drag(p->scan, geom, shows_source(p), e->position, e->down);
    say_window(p, geom, "");
}

void rn_play_window_auto(struct rn_play *p)
{
    const struct rn_geom *geom = windowed(p);
    rn_play_scan_window_clear(p->scan);
    if (geom)
        say_window(p, geom, p->scan->of_file ? ", of the file" : ", automatic");
}

/* ---- the mask */

void rn_play_toggle_mask(struct rn_play *p)
{
    bool fits = p->shown && rn_play_mask_fits(&p->shown->in.geom, &p->shown->out.geom);
    char text[64];
    if (!p->mask->on && p->shown && !fits) {
        rn_play_say(p, "no mask: the chain makes pictures of another size");
        return;
    }
    p->mask->on = !p->mask->on;
    rn_play_redraw_pictures(p);
    snprintf(text, sizeof text, "mask over the source, %d %%", rn_play_mask_change(p->mask, 0));
    rn_play_say(p, p->mask->on ? text : "mask off");
}

void rn_play_mask_opacity(struct rn_play *p, int steps)
{
    char text[64];
    snprintf(text, sizeof text, "mask %d %%%s", rn_play_mask_change(p->mask, steps),
             p->mask->on ? "" : " (k shows it)");
    if (p->mask->on)
        rn_play_redraw_pictures(p);
    rn_play_say(p, text);
}

int rn_play_show_mask(struct rn_play *p, struct rn_screen *to)
{
    double window[2];
    rn_play_scan_window_get(p->scan, &p->shown->in.geom, true, window);
    return rn_play_mask_show(p->mask, p->mask_view, &p->shown->in, &p->shown->out, &p->viewing,
                             window, to);
}
