#include "app/play/player.h"
#include "app/play/stacks.h"

#include "filters/base/clock.h"
#include "filters/base/err.h"
#include "filters/base/printable.h"

#include <stdio.h>
#include <string.h>

#define MESSAGE_TIME 2.0 /* seconds */
#define LONGEST      80  /* characters of an error that can be read on one line */

void rn_player_say(struct rn_player *p, const char *text)
{
    snprintf(p->message, sizeof p->message, "%s", text);
    rn_printable(p->message, false);
    p->message_until = rn_clock() + MESSAGE_TIME;
    p->redraw = true;
}

void rn_player_say_refused(struct rn_player *p, const char *error)
{
    char text[256];
    const char *part = strstr(error, "; ");
    bool cut = strlen(error) > LONGEST && part;
    snprintf(text, sizeof text, "refused: %.*s%s", cut ? (int)(part - error) : 200, error,
             cut ? " (the terminal has the rest)" : "");
    rn_player_say(p, text);
}

void rn_player_say_parameter(struct rn_player *p)
{
    char text[256];
    rn_player_say(p, rn_tuner_describe(&p->tuner, text, sizeof text));
}

static void describe_times(const struct rn_player *p, char *buf, size_t size)
{
    const struct rn_frame *f = &p->shown->frame;
    size_t used = (size_t)snprintf(
        buf, size, "frame %s%lld\t%.3f s\nfps\t%.1f\ndropped\t%lld\nslots filled\t%d of %d\n",
        f->about ? "~" : "", (long long)f->index, f->start + f->time, p->fps, (long long)p->dropped,
        p->nahead + rn_reader_filled(p->reader), RN_PLAYER_SLOTS);
    if (rn_frame_is_interlaced(f) && used < size)
        used += (size_t)snprintf(buf + used, size - used, "fields\tinterlaced, %s\n",
                                 p->bob.on ? "bobbed" : "woven");
    if (rn_runner_by_field(p->session.runner, p->shown) && used < size)
        used += (size_t)snprintf(buf + used, size - used, "filtered\tfield by field\n");
    if (used < size)
        used += (size_t)snprintf(buf + used, size - used, "%s", p->viewing_told);
    const struct rn_geom *shown = p->bypass ? &p->shown->in.geom : &p->shown->out.geom;
    char window[96];
    if (p->slices.stack.known && used < size)
        used += (size_t)snprintf(buf + used, size - used, "stack\t%s\n",
                                 rn_slices_tell(&p->slices, f->index, window, sizeof window));
    if (rn_scan_window_tells(&p->scan, shown, p->bypass) && used < size)
        used += (size_t)snprintf(
            buf + used, size - used, "window\t%s\n",
            rn_scan_window_tell(&p->scan, shown, p->bypass, window, sizeof window));
    const struct rn_timings *t = &p->per_frame;
    if (p->session.ndevices && !rn_device_info(p->session.device[0])->shared_memory && used < size)
        used += (size_t)snprintf(buf + used, size - used, "upload\t%.2f ms\ndownload\t%.2f ms\n",
                                 1e3 * t->upload, 1e3 * t->download);
    for (int i = 0; i < p->session.chain->n && used < size && !p->build.wanted; i++) {
        const struct rn_stage *s = p->session.chain->stage[i];
        used += (size_t)snprintf(buf + used, size - used, "%s%s\t%.2f ms\n", rn_stage_name(s),
                                 s->on ? "" : " (off)", 1e3 * t->stage[i]);
    }
    if (used && used < size)
        buf[used - 1] = '\0';
}

static void fit(struct rn_player *p, struct rn_display *display, const struct rn_geom *geom,
                bool original)
{
    double window[2];
    if (!rn_scan_window_can(geom))
        return;
    rn_scan_window_get(&p->scan, geom, original, window);
    rn_display_window(display, window[0], window[1]);
}

static void fit_both(struct rn_player *p)
{
    fit(p, p->show_in, &p->shown->in.geom, true);
    fit(p, p->show_out, &p->shown->out.geom, false);
}

void rn_player_fit(struct rn_player *p, bool anew)
{
    const struct rn_image *in = &p->shown->in, *out = &p->shown->out;
    if (rn_scan_window_fits(&in->geom) || rn_scan_window_fits(&out->geom))
        rn_scan_window_look(&p->scan, in, out, anew);
    fit_both(p);
}

bool rn_player_has_mask(const struct rn_player *p)
{
    return p->mask.on && !p->bypass && rn_mask_fits(&p->shown->in.geom, &p->shown->out.geom);
}

/* Is it the source whose window counts? */
static bool shows_source(const struct rn_player *p)
{
    return p->bypass || rn_player_has_mask(p);
}

/* The geometry of the picture that is shown, whose window can be set; NULL: none (said why). */
static const struct rn_geom *windowed(struct rn_player *p)
{
    const struct rn_geom *geom = !p->shown         ? NULL
                                 : shows_source(p) ? &p->shown->in.geom
                                                   : &p->shown->out.geom;
    if (!geom || rn_scan_window_can(geom))
        return geom;
    rn_player_say(p, "pictures of 8 bits are shown whole: no window");
    return NULL;
}

static void say_window(struct rn_player *p, const struct rn_geom *geom, const char *end)
{
    char window[96], text[128];
    snprintf(text, sizeof text, "%s%s",
             rn_scan_window_level(&p->scan, geom, shows_source(p), window, sizeof window), end);
    rn_player_say(p, text);
    fit_both(p);
    p->fresh = true;
}

void rn_player_window(struct rn_player *p, const struct rn_event *e)
{
    const struct rn_geom *geom = windowed(p);
    if (!geom)
        return;
    if (e->count)
        rn_scan_window_begin(&p->scan, geom, shows_source(p));
    else
        rn_scan_window_drag(&p->scan, geom, shows_source(p), e->position, e->down);
    say_window(p, geom, "");
}

void rn_player_window_auto(struct rn_player *p)
{
    const struct rn_geom *geom = windowed(p);
    rn_scan_window_clear(&p->scan);
    if (geom)
        say_window(p, geom, p->scan.of_file ? ", of the file" : ", automatic");
}

void rn_player_mask(struct rn_player *p)
{
    bool fits = p->shown && rn_mask_fits(&p->shown->in.geom, &p->shown->out.geom);
    char text[64];
    if (!p->mask.on && p->shown && !fits) {
        rn_player_say(p, "no mask: the chain makes pictures of another size");
        return;
    }
    p->mask.on = !p->mask.on;
    p->fresh = true;
    snprintf(text, sizeof text, "mask over the source, %d %%", rn_mask_change(&p->mask, 0));
    rn_player_say(p, p->mask.on ? text : "mask off");
}

void rn_player_mask_opacity(struct rn_player *p, int steps)
{
    char text[64];
    snprintf(text, sizeof text, "mask %d %%%s", rn_mask_change(&p->mask, steps),
             p->mask.on ? "" : " (k shows it)");
    p->fresh |= p->mask.on;
    rn_player_say(p, text);
}

int rn_player_show_mask(struct rn_player *p, struct rn_screen *to)
{
    double window[2];
    rn_scan_window_get(&p->scan, &p->shown->in.geom, true, window);
    return rn_mask_show(&p->mask, &p->mask_view, &p->shown->in, &p->shown->out, &p->viewing, window,
                        to);
}

/* The region of the scene, if there is one. */
static int show_region(struct rn_player *p, struct rn_scene *scene, struct rn_scene_region *to)
{
    struct rn_region *r = &p->region;
    int err = rn_region_measure(r, p->shown);
    if (err || !r->on)
        return err;
    int x[2], y[2];
    for (int i = 0; i < 2; i++) {
        const struct rn_geom *geom = &p->shown->out.geom;
        x[i] = r->x[i];
        y[i] = r->y[i];
        rn_turn_forth(&p->viewing.orient, geom->w, geom->h, &x[i], &y[i]);
    }
    *to = (struct rn_scene_region){.x0 = x[x[1] < x[0]],
                                   .y0 = y[y[1] < y[0]],
                                   .x1 = x[x[1] >= x[0]],
                                   .y1 = y[y[1] >= y[0]],
                                   .table = r->table};
    to->planes = r->planes[0] > r->planes[1] ? r->planes[0] : r->planes[1];
    for (int k = 0; k < to->planes; k++) {
        const struct rn_region_plane *sides[] = {&r->plane[0][k], &r->plane[1][k]};
        int named = k < r->planes[1];
        to->plane[k].name = rn_plane_name(sides[named]->measure.fmt, k);
        for (int i = 0; i < 2; i++) {
            to->plane[k].bins[i] = sides[i]->bins;
            to->plane[k].n[i] = k < r->planes[i] ? sides[i]->n : 0;
        }
    }
    scene->region = to;
    return 0;
}

/* Not only what lies over them, or the same pictures as they were drawn last. */
static bool needs_samples(const struct rn_player *p)
{
    return p->fresh || p->probe.on || (p->region.on && !p->region.measured) ||
           !rn_window_keeps(p->window, rn_player_layout(p)) || rn_player_wants_figures(p);
}

int rn_player_draw(struct rn_player *p)
{
    struct rn_screen screen[2];
    char times[1024], numbers[512] = "", status[2048], readout[RN_PROBE_TEXT];
    char renders[RN_EXPORTS_TEXT], building[256];
    struct rn_scene scene = {.help = p->help, .alert = rn_runner_alert(p->session.runner)};
    if (!p->shown)
        return 0;
    if (p->refiltered && needs_samples(p))
        return rn_player_catch_up(p); /* which draws */
    struct rn_scene_region region;
    int err = rn_player_pictures(p, &scene, screen);
    err = err ? err : show_region(p, &scene, &region);
    if (err)
        return err;
    rn_runner_show(p->session.runner, numbers, sizeof numbers, &scene.histogram, &scene.nbins);
    err = rn_player_figures(p, &scene);
    if (err)
        return err;
    scene.panel = rn_player_panel(p);
    scene.bar = rn_player_bar(p);
    bool message = p->message_seen = rn_clock() < p->message_until;
    rn_exports_tell(&p->exports, renders);
    snprintf(status, sizeof status, "%s%s%s%s%s", numbers, *numbers && *renders ? "\n" : "",
             renders, (*numbers || *renders) && message ? "\n" : "", message ? p->message : "");
    size_t used = strlen(status);
    if (rn_player_build_tell(p, building, sizeof building))
        snprintf(status + used, sizeof status - used, "%s%s", used ? "\n" : "", building);
    scene.status = *status ? status : NULL;
    if (p->times) {
        describe_times(p, times, sizeof times);
        scene.times = times;
    }
    if (p->probe.on && rn_player_tell_samples(p, readout, sizeof readout))
        scene.readout = readout;
    return rn_window_draw(p->window, &scene);
}

void rn_player_count_second(struct rn_player *p)
{
    double now = rn_clock();
    if (now - p->second < 1)
        return;
    struct rn_timings t;
    rn_runner_timings(p->session.runner, &t);
    double n = (double)(t.frames - p->then.frames);
    if (n > 0 && !p->build.wanted) { /* while nothing is filtered the last numbers stay */
        p->per_frame.upload = (t.upload - p->then.upload) / n;
        p->per_frame.download = (t.download - p->then.download) / n;
        for (int i = 0; i < p->session.chain->n; i++)
            p->per_frame.stage[i] = (t.stage[i] - p->then.stage[i]) / n;
    }
    p->then = t;
    p->fps = (double)(p->drawn - p->drawn_then) / (now - p->second);
    p->drawn_then = p->drawn;
    p->second = now;
}
