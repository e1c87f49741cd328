/* SPDX-License-Identifier: MIT */
#include "app/play/view/compare.h"

#include "app/play/loop/player.h"
#include "app/play/stacks/stacks.h"
#include "app/play/view/presentation.h"
#include "filters/base/clock.h"
#include "filters/base/text/number.h"

#include <inttypes.h>
#include <math.h>

#define MAX_GAIN   64
#define USUAL_GAIN 4

enum { LEFT, RIGHT }; /* sides: rn_play_side_image */

struct rn_play_difference {
    bool on;
    int gain; /* 1, 2, 4 .. MAX_GAIN; 0: USUAL_GAIN */
    struct rn_play_figures figures;
    bool measured;        /* they are of what is shown... */
    bool of_three;        /* ...with three views, which have another original, or without */
    double measure_after; /* time of rn_clock before which nothing is measured while playing */
    char figures_text[512], line[160]; /* all figures; those of all planes, in words */
};

static int gain_of(const struct rn_play *p)
{
    return p->difference->gain ? p->difference->gain : USUAL_GAIN;
}

static bool shows_difference(const struct rn_play *p)
{
    return p->difference->on && !p->bypass && p->shown && rn_play_can_measure(p);
}

/* Whether the figures are told in a line. */
static bool tells_figures(const struct rn_play *p)
{
    return rn_play_compares_chosen(p) && !shows_difference(p);
}

/* Why the two cannot be measured. */
static char *why(const struct rn_play *p, char *buf, size_t size)
{
    char name[2][24];
    const struct rn_geom *l = &rn_play_side_image(p, LEFT)->geom;
    const struct rn_geom *r = &rn_play_side_image(p, RIGHT)->geom;
    snprintf(buf, size, "%d x %d %s beside %d x %d %s", l->w, l->h,
             rn_format_name(&l->fmt, name[0]), r->w, r->h, rn_format_name(&r->fmt, name[1]));
    return buf;
}

/* After a change: says it, and has all drawn anew. */
static void tell(struct rn_play *p)
{
    char text[160];
    rn_play_redraw_pictures(p);
    rn_play_outdate_figures(p, true);
    if (p->difference->on && p->shown && !p->bypass && !shows_difference(p))
        rn_play_say(p, "a difference cannot be shown: %s", why(p, text, sizeof text));
    else if (p->difference->on) /* the heading has the factor */
        rn_play_say(p, "difference: %s amplifies it", rn_play_key(p, "gain", text));
    else
        rn_play_say(p, "difference off");
}

/* ---- keys */

void rn_play_toggle_difference(struct rn_play *p)
{
    p->difference->on = !p->difference->on;
    tell(p);
}

void rn_play_amplify(struct rn_play *p, int count)
{
    int gain = count > 0 ? gain_of(p) * 2 : gain_of(p) / 2;
    p->difference->gain = gain < 1 ? 1 : gain > MAX_GAIN ? MAX_GAIN : gain;
    tell(p);
}

/* ---- figures */

void rn_play_shown_range(const struct rn_play *p, const struct rn_geom *geom, double range[2])
{
    range[0] = (double)rn_geom_black(geom);
    range[1] = (double)rn_geom_white(geom);
    if (rn_play_window_level_fits(geom))
        rn_play_window_level_get(rn_play_window_level(p), geom, true, range);
}

/* The distance of samples that is shown white. */
static double limit_of(const struct rn_play *p, const struct rn_geom *geom)
{
    double window[2];
    rn_play_shown_range(p, geom, window);
    double width = fabs(window[1] - window[0]);
    return (width > 0 ? width : 1) / gain_of(p);
}

int rn_play_shown_gain(const struct rn_play *p, double *limit)
{
    bool shown = shows_difference(p);
    *limit = shown ? limit_of(p, &rn_play_side_image(p, RIGHT)->geom) : 0;
    return shown ? gain_of(p) : 0;
}

static void write_line(const struct rn_play *p, const char *name,
                       const struct rn_play_figures_plane *of, FILE *f)
{
    const struct rn_rescale *r = &rn_play_side_image(p, RIGHT)->geom.rescale;
    rn_number_write(f, "\n%s\t", name);
    rn_number_write(f, isnan(of->psnr) ? "-\t" : isinf(of->psnr) ? "inf\t" : "%.2f\t", of->psnr);
    rn_number_write(f, isnan(of->ssim) ? "-\t" : "%.6f\t", of->ssim);
    rn_number_write(f, "%.6g", of->max);
    if (r->slope != 0)
        rn_number_write(f, " = %.6g%s%s", fabs(r->slope) * of->max, *r->unit ? " " : "", r->unit);
}

static int write_figures(struct rn_play *p)
{
    struct rn_play_difference *d = p->difference;
    const struct rn_play_figures *figures = &d->figures;
    FILE *f = fmemopen(d->figures_text, sizeof d->figures_text - 1, "w"); /* cuts off the rest */
    if (!f)
        return rn_fail_memory();
    rn_number_write(f, "peak %.6g\tPSNR\tSSIM\tmax", figures->peak);
    for (int i = 0; i < figures->planes; i++)
        write_line(p, rn_plane_name(&rn_play_side_image(p, RIGHT)->geom.fmt, i), &figures->plane[i],
                   f);
    if (figures->planes > 1)
        write_line(p, "all", &figures->all, f);
    fclose(f);
    const struct rn_play_figures_plane *all = &figures->all;
    if (!figures->differing)
        snprintf(d->line, sizeof d->line, "identical pictures");
    else
        rn_number_print(d->line, sizeof d->line,
                        "PSNR %.2f dB  SSIM %.6f  %" PRId64 " of %" PRId64
                        " samples differ, at most by %.6g",
                        all->psnr, all->ssim, figures->differing, figures->samples, all->max);
    return 0;
}

bool rn_play_wants_figures(const struct rn_play *p)
{
    bool wanted = shows_difference(p) || (tells_figures(p) && rn_play_can_measure(p));
    return wanted && !rn_play_compare_is_busy(p) &&
           !(p->difference->measured && p->difference->of_three == rn_play_three_is_on(p->three)) &&
           (p->paused || rn_play_compares_reference(p) ||
            rn_clock() >= p->difference->measure_after);
}

int rn_play_measure_sides(const struct rn_play *p, struct rn_play_figures *figures)
{
    const struct rn_image *right = rn_play_side_image(p, RIGHT);
    return rn_play_figures_measure(figures, rn_play_side_image(p, LEFT), right,
                                   limit_of(p, &right->geom));
}

int rn_play_show_figures(struct rn_play *p, struct rn_ui_scene *scene)
{
    struct rn_play_difference *d = p->difference;
    int err = 0;
    if (rn_play_wants_figures(p)) {
        /* While it plays this takes a tenth of the time at most, but for a reference. */
        double begin = rn_clock();
        err = rn_play_measure_sides(p, &d->figures);
        double end = rn_clock();
        d->measure_after = end + fmax(0.2, 9 * (end - begin));
        d->measured = !err;
        d->of_three = rn_play_three_is_on(p->three);
        if (!err && rn_play_compares_reference(p) && p->picture == RN_PICTURE_CURRENT)
            err = rn_play_reference_note(p, &d->figures);
        err = err ? err : write_figures(p);
    }
    if (err || !shows_difference(p) || !*d->figures_text)
        return err;
    scene->figures = d->figures_text;
    scene->histogram = d->figures.bins;
    scene->nbins = RN_FIGURES_BINS;
    return 0;
}

void rn_play_tell_figures(const struct rn_play *p, char *buf, size_t size)
{
    const struct rn_play_difference *d = p->difference;
    char text[160];
    *buf = '\0';
    if (!tells_figures(p) || rn_play_compare_is_busy(p))
        return;
    if (!rn_play_can_measure(p))
        snprintf(buf, size, "no figures: %s", why(p, text, sizeof text));
    else if (d->measured || !p->paused)
        snprintf(buf, size, "%s", d->line);
}

const char *rn_play_figures_text(const struct rn_play *p)
{
    bool shown = shows_difference(p) && !rn_play_compare_is_busy(p) && *p->difference->figures_text;
    return shown ? p->difference->figures_text : NULL;
}

void rn_play_outdate_figures(struct rn_play *p, bool at_once)
{
    struct rn_play_difference *d = p->difference;
    d->measured = false;
    d->measure_after = at_once ? 0 : d->measure_after;
}

static void leave(void *part)
{
    struct rn_play_difference *d = part;
    d->measured = false;
    *d->figures_text = '\0';
}

const struct rn_play_part_type rn_play_difference_part = {.size = sizeof(struct rn_play_difference),
                                                          .leave = leave};
