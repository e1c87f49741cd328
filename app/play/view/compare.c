#include "app/play/view/compare.h"

#include "app/play/edit/history.h"
#include "app/play/edit/tuner.h"
#include "app/play/loop/player.h"
#include "app/play/loop/transport.h"
#include "app/play/runners/pair.h"
#include "app/play/stacks/slices.h"
#include "app/play/stacks/three.h"
#include "app/play/view/figures.h"
#include "app/play/overlay/message.h"
#include "app/play/view/presentation.h"
#include "app/play/overlay/probe.h"
#include "app/play/view/window_level.h"
#include "app/run/session.h"
#include "filters/base/clock.h"
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "filters/base/text/printable.h"
#include "io/pixels/display.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_GAIN 64

/* The kinds of original. All but the input come from the second runner (pair.h). */
enum original {
    ORIGINAL_INPUT,
    ORIGINAL_STAGE, /* the picture before the selected stage */
    ORIGINAL_CHAIN, /* that of the chain that is not tuned: --versus */
};

struct rn_play_compare {
    enum rn_ui_arrangement layout;
    double split_at; /* see window.h */
    enum original original;
    bool difference;
    int gain; /* 1, 2, 4 .. MAX_GAIN */

    struct rn_chain *versus; /* NULL: no --versus */
    bool swapped;            /* it is that of -f, and the one of --versus is tuned */
    int delay;               /* the longest of a second runner so far, frames */

    struct rn_pix_display *show_other; /* shows what the second runner makes */
    struct rn_play_window_level scan;  /* of it */
    bool anew;                         /* it makes other pictures than before */
    struct rn_play_distance_view distances;
    struct rn_play_figures figures;
    bool measured;        /* they are of what is shown... */
    bool of_three;        /* ...with three views, which have another original, or without */
    double measure_after; /* time of rn_clock before which nothing is measured while playing */
    char label[2][160];
    char figures_text[512];
};

/* ---- what the original is */

static const struct rn_image *original_of(const struct rn_play *p)
{
    bool input = rn_play_three_is_on(p->three) || p->compare->original == ORIGINAL_INPUT;
    const struct rn_image *made = input ? NULL : rn_play_pair_picture(p->pair, p->shown);
    return made ? made : &p->shown->in;
}

/* The settings of the second runner: nothing in it measures. NULL: out of memory (logged). */
static struct rn_chain *settings_of(const struct rn_play *p)
{
    bool stage = p->compare->original == ORIGINAL_STAGE;
    struct rn_chain *chain = rn_chain_copy(stage ? p->session->chain : p->compare->versus);
    int from = stage ? rn_play_tuner_stage(p) : RN_MAX_STAGES;
    rn_chain_measure_nothing(chain);
    for (int i = from; chain && i < rn_chain_count(chain); i++)
        rn_chain_stage(chain, i)->on = false;
    return chain;
}

static void outdate(struct rn_play *p)
{
    rn_play_redraw_pictures(p);
    p->compare->measured = false;
    p->compare->measure_after = 0;
}

static int set_second(struct rn_play *p)
{
    struct rn_play_compare *c = p->compare;
    struct rn_play_pair_change change = {.anew = false};
    struct rn_chain *chain = settings_of(p);
    int err = chain ? rn_play_pair_set(p->pair, p->jobs, chain, &change) : RN_EINTERNAL;
    rn_chain_destroy(&chain);
    if (err) {
        rn_play_say_refused(p, rn_log_last());
        c->original = ORIGINAL_INPUT;
        rn_play_pair_close(p->pair);
        outdate(p);
        return err == RN_EINTERNAL ? err : 0;
    }
    c->delay = change.delay > c->delay ? change.delay : c->delay;
    if (change.stale)
        rn_play_outdate(p);
    c->anew |= change.stale || change.anew;
    if (change.anew)
        outdate(p);
    if (change.anew && change.delay)
        rn_play_find_neighbours(p, true);
    return 0;
}

int rn_play_accompany(struct rn_play *p)
{
    if (p->compare->original == ORIGINAL_INPUT) {
        rn_play_pair_close(p->pair);
        return 0;
    }
    return p->host->builds(p) ? 0 : set_second(p); /* when the chain that it goes with is there */
}

bool rn_play_compare_is_busy(const struct rn_play *p)
{
    return rn_play_pair_is_pending(p->pair);
}

/* What the other chain is copied from when its second runner is set again has the file of now, too.
 */
int rn_play_poll_original(struct rn_play *p)
{
    const struct rn_chain *changed;
    int err = rn_play_pair_poll(p->pair, p->jobs, &changed);
    if (rn_play_pair_is_ready(p->pair))
        rn_play_redraw(p);
    if (changed)
        rn_play_outdate(p);
    if (err || !changed || p->compare->original != ORIGINAL_CHAIN)
        return err;
    return rn_chain_reread(p->compare->versus, changed);
}

/* ---- the chain of --versus */

int rn_play_read_versus(struct rn_play *p)
{
    struct rn_play_compare *c = p->compare;
    const struct rn_stage *stage;
    const char *text = p->session->cli->play.versus;
    if (!text)
        return 0;
    rn_log_about("--versus");
    int err = rn_chain_parse(&c->versus, text);
    err = err ? err : rn_chain_check_code(c->versus);
    const struct rn_param *row = err ? NULL : rn_chain_written(c->versus, &stage);
    if (row)
        err = rn_fail(RN_EUSAGE, "tables are those of -f: leave %s= out", row->name);
    rn_log_about("%s", "");
    c->original = ORIGINAL_CHAIN;
    c->layout = RN_LAYOUT_BESIDE;
    return err;
}

int rn_play_check_versus(struct rn_play *p)
{
    struct rn_analysis a;
    if (!p->compare->versus)
        return 0;
    rn_log_about("--versus");
    int err = rn_chain_check(p->compare->versus, &p->session->stream->geom, &a);
    rn_log_about("%s", "");
    p->compare->delay = err ? 0 : a.delay;
    return err;
}

int rn_play_slots(const struct rn_play *p)
{
    return RN_PLAYER_SLOTS + 2 * p->compare->delay;
}

bool rn_play_has_versus(const struct rn_play *p)
{
    return p->compare->versus;
}

bool rn_play_is_swapped(const struct rn_play *p)
{
    return p->compare->swapped;
}

static const char *option_of(const struct rn_play *p, bool tuned)
{
    return p->compare->swapped == tuned ? "--versus" : "-f";
}

/* Each has its own history. */
static void exchange(struct rn_play *p)
{
    struct rn_play_compare *c = p->compare;
    struct rn_play_history *history = p->versus_history;
    p->versus_history = p->history;
    p->history = history;
    c->swapped = !c->swapped;
    outdate(p);
}

int rn_play_swap_chains(struct rn_play *p)
{
    struct rn_play_compare *c = p->compare;
    struct rn_chain *before = NULL;
    if (!c->versus) {
        rn_play_say(p, "there is no other chain: name it by --versus");
        return 0;
    }
    struct rn_chain *draft = rn_chain_copy(c->versus);
    int err = draft ? p->host->apply(p, draft, &before) : RN_EINTERNAL;
    if (err || !before)
        return err;
    rn_chain_destroy(&c->versus);
    c->versus = before;
    exchange(p);
    rn_play_tuner_select(p, 0, 0);
    rn_play_say(p, "the keys tune the chain of %s", option_of(p, true));
    return 0;
}

void rn_play_swap_back(struct rn_play *p)
{
    struct rn_chain *tuned = p->compare->versus;
    p->compare->versus = p->session->chain;
    p->session->chain = tuned;
    exchange(p);
}

struct rn_play_tuned rn_play_tuned_state(const struct rn_play *p, bool versus)
{
    const struct rn_play_compare *c = p->compare;
    return versus == c->swapped ? (struct rn_play_tuned){p->session->chain, p->history->n > 0}
                                : (struct rn_play_tuned){c->versus, p->versus_history->n > 0};
}

/* ---- keys */

static void name_chain(const struct rn_play *p, bool tuned, char *buf, size_t size)
{
    char *text = rn_chain_format(tuned ? p->session->chain : p->compare->versus);
    snprintf(buf, size, "%s: %s", option_of(p, tuned), text && *text ? text : "no filter");
    rn_printable(buf, false);
    free(text);
}

static void name_original(const struct rn_play *p, char *buf, size_t size)
{
    int at = rn_play_tuner_stage(p);
    if (p->compare->original == ORIGINAL_CHAIN)
        name_chain(p, false, buf, size);
    else if (p->compare->original == ORIGINAL_STAGE && rn_chain_count(p->session->chain))
        snprintf(buf, size, "before %d %s", at + 1,
                 rn_stage_name(rn_chain_stage(p->session->chain, at)));
    else
        snprintf(buf, size, "original");
}

void rn_play_next_original(struct rn_play *p)
{
    char name[160];
    struct rn_play_compare *c = p->compare;
    c->original = (enum original)((c->original + 1) % (c->versus ? 3 : 2));
    name_original(p, name, sizeof name);
    rn_play_say(p, "compared with: %s", c->original == ORIGINAL_INPUT ? "the input" : name);
    outdate(p);
}

static bool shows_difference(const struct rn_play *p)
{
    return p->compare->difference && !p->bypass &&
           rn_play_figures_fit(&original_of(p)->geom, &p->shown->out.geom);
}

static void say_gain(struct rn_play *p)
{
    if (p->compare->difference && p->shown && !p->bypass && !shows_difference(p))
        rn_play_say(p, "no difference: the chain changes the format");
    else if (p->compare->difference)
        rn_play_say(p, "difference x %d", p->compare->gain);
    else
        rn_play_say(p, "difference off");
}

void rn_play_toggle_bypass(struct rn_play *p)
{
    p->bypass = !p->bypass;
    rn_play_say(p, !p->bypass                               ? "chain on"
                   : p->compare->original == ORIGINAL_INPUT ? "chain bypassed"
                                                            : "the original alone");
    outdate(p);
}

void rn_play_toggle_layout(struct rn_play *p, int layout)
{
    struct rn_play_compare *c = p->compare;
    c->layout = (int)c->layout == layout ? RN_LAYOUT_ONE : (enum rn_ui_arrangement)layout;
    outdate(p);
}

void rn_play_toggle_difference(struct rn_play *p)
{
    p->compare->difference = !p->compare->difference;
    say_gain(p);
    outdate(p);
}

void rn_play_amplify(struct rn_play *p, int count)
{
    int *gain = &p->compare->gain;
    *gain = count > 0 ? *gain * 2 : *gain / 2;
    *gain = *gain < 1 ? 1 : *gain > MAX_GAIN ? MAX_GAIN : *gain;
    say_gain(p);
    outdate(p);
}

/* ---- differences */

/* The distance of samples that is shown white. */
static double limit_of(const struct rn_play *p, const struct rn_geom *geom)
{
    double window[2] = {(double)rn_geom_black(geom), (double)rn_geom_white(geom)};
    if (rn_play_window_level_fits(geom))
        rn_play_window_level_get(rn_play_window_level(p), geom, true, window);
    double width = fabs(window[1] - window[0]);
    return (width > 0 ? width : 1) / p->compare->gain;
}

static void write_line(const struct rn_play *p, const char *name,
                       const struct rn_play_figures_plane *of, FILE *f)
{
    const struct rn_rescale *r = &p->shown->out.geom.rescale;
    rn_number_write(f, "\n%s\t", name);
    rn_number_write(f, isnan(of->psnr) ? "-\t" : isinf(of->psnr) ? "inf\t" : "%.2f\t", of->psnr);
    rn_number_write(f, isnan(of->ssim) ? "-\t" : "%.6f\t", of->ssim);
    rn_number_write(f, "%.6g", of->max);
    if (r->slope != 0)
        rn_number_write(f, " = %.6g%s%s", fabs(r->slope) * of->max, *r->unit ? " " : "", r->unit);
}

static int write_figures(struct rn_play *p)
{
    struct rn_play_compare *c = p->compare;
    const struct rn_play_figures *figures = &c->figures;
    FILE *f = fmemopen(c->figures_text, sizeof c->figures_text - 1, "w"); /* cuts off the rest */
    if (!f)
        return rn_fail_memory();
    rn_number_write(f, "peak %.6g\tPSNR\tSSIM\tmax", figures->peak);
    for (int i = 0; i < figures->planes; i++)
        write_line(p, rn_plane_name(&p->shown->out.geom.fmt, i), &figures->plane[i], f);
    if (figures->planes > 1)
        write_line(p, "all", &figures->all, f);
    fclose(f);
    return 0;
}

bool rn_play_wants_figures(const struct rn_play *p)
{
    return shows_difference(p) && !rn_play_compare_is_busy(p) &&
           !(p->compare->measured && p->compare->of_three == rn_play_three_is_on(p->three)) &&
           (p->paused || rn_clock() >= p->compare->measure_after);
}

/* While it plays this takes a tenth of the time at most. */
static int measure(struct rn_play *p)
{
    struct rn_play_compare *c = p->compare;
    double begin = rn_clock();
    int err = rn_play_figures_measure(&c->figures, original_of(p), &p->shown->out,
                                      limit_of(p, &p->shown->out.geom));
    double end = rn_clock();
    c->measure_after = end + fmax(0.2, 9 * (end - begin));
    c->measured = !err;
    c->of_three = rn_play_three_is_on(p->three);
    return err ? err : write_figures(p);
}

int rn_play_show_figures(struct rn_play *p, struct rn_ui_scene *scene)
{
    struct rn_play_compare *c = p->compare;
    int err = rn_play_wants_figures(p) ? measure(p) : 0;
    if (err || !shows_difference(p) || !*c->figures_text)
        return err;
    scene->figures = c->figures_text;
    scene->histogram = c->figures.bins;
    scene->nbins = RN_FIGURES_BINS;
    return 0;
}

const char *rn_play_figures_text(const struct rn_play *p)
{
    bool shown = shows_difference(p) && !rn_play_compare_is_busy(p) && *p->compare->figures_text;
    return shown ? p->compare->figures_text : NULL;
}

void rn_play_outdate_figures(struct rn_play *p)
{
    p->compare->measured = false;
}

/* ---- pictures */

static void show(struct rn_play *p, struct rn_pix_display *display, const struct rn_image *img,
                 struct rn_screen *screen)
{
    rn_pix_display_fields(display, p->shown->frame.by_field, rn_play_visible_lines(p));
    rn_pix_display_show(display, img, screen);
}

/* The window of what the second runner makes: its own, or the one that is set by hand for what is
 * filtered. */
static void fit_other(struct rn_play *p, const struct rn_image *img)
{
    struct rn_play_compare *c = p->compare;
    if (!rn_play_window_level_can(&img->geom))
        return;
    rn_play_window_level_adopt(&c->scan, rn_play_window_level(p));
    if (rn_play_window_level_fits(&img->geom))
        rn_play_window_level_look(&c->scan, &p->shown->in, img, c->anew);
    c->anew = false;
    rn_play_window_level_apply(&c->scan, c->show_other, &img->geom, false);
}

static int show_original(struct rn_play *p, struct rn_screen *screen)
{
    struct rn_play_compare *c = p->compare;
    const struct rn_image *img = original_of(p);
    if (img == &p->shown->in) {
        show(p, p->show_in, img, screen);
        return 0;
    }
    int err = rn_pix_display_fit(&c->show_other, &img->geom, &p->viewing);
    if (err)
        return err;
    fit_other(p, img);
    show(p, c->show_other, img, screen);
    return 0;
}

static int show_filtered(struct rn_play *p, struct rn_screen *screen)
{
    const struct rn_image *out = &p->shown->out;
    if (shows_difference(p)) {
        struct rn_play_distance_view *view = &p->compare->distances;
        int err = rn_play_distance_view_make(view, original_of(p), out, limit_of(p, &out->geom),
                                             &p->viewing);
        if (!err)
            show(p, view->display, &view->image, screen);
        return err;
    }
    if (rn_play_shown_mask(p))
        return rn_play_show_mask(p, screen);
    show(p, p->show_out, out, screen);
    return 0;
}

bool rn_play_is_split(const struct rn_play *p)
{
    return p->compare->layout == RN_LAYOUT_SPLIT;
}

void rn_play_set_split(struct rn_play *p, double at)
{
    p->compare->split_at = fmin(1, fmax(0, at));
}

void rn_play_move_split(struct rn_play *p, int count)
{
    rn_play_set_split(p, p->compare->split_at + 0.01 * count);
}

enum rn_ui_arrangement rn_play_layout(const struct rn_play *p)
{
    return rn_play_three_is_on(p->three) ? RN_LAYOUT_GRID
           : p->bypass                   ? RN_LAYOUT_ONE
                                         : p->compare->layout;
}

/* In three views nothing is beside the filtered picture, and the original is the input: the planes
 * across the slices have no other one. */
static int show_three(struct rn_play *p, struct rn_ui_scene *scene, struct rn_screen *screen)
{
    bool draws = p->drawing == RN_DRAWING_PICTURES || !rn_ui_keeps(p->window, RN_LAYOUT_GRID);
    char readout[RN_PROBE_TEXT];
    struct rn_play_three_look look = {.scan = rn_play_window_level(p), .source = p->bypass};
    if (shows_difference(p)) {
        look.gain = p->compare->gain;
        look.limit = limit_of(p, &p->shown->out.geom);
    } else {
        look.mask = rn_play_shown_mask(p);
    }
    rn_play_describe_cross(p, readout, sizeof readout);
    int err = rn_play_three_show(p->three, &look, rn_play_slices_stack(p->slices),
                                 p->shown->frame.index, readout, draws, scene);
    if (err || !draws)
        return err;
    err = p->bypass ? show_original(p, screen) : show_filtered(p, screen);
    scene->pane[0].picture = screen;
    return err;
}

int rn_play_pictures(struct rn_play *p, struct rn_ui_scene *scene, struct rn_screen screen[2])
{
    int err = 0;
    if (rn_play_three_is_on(p->three))
        return show_three(p, scene, &screen[0]);
    scene->layout = rn_play_layout(p);
    bool both = scene->layout != RN_LAYOUT_ONE;
    scene->split_at = p->compare->split_at;
    scene->npanes = both ? 2 : 1;
    /* Names are told where there are two pictures, or one that is not what is usually there. */
    struct rn_play_compare *c = p->compare;
    if (original_of(p) == &p->shown->in) /* also before its kernels are built */
        snprintf(c->label[0], sizeof c->label[0], "original");
    else
        name_original(p, c->label[0], sizeof c->label[0]);
    size_t size = sizeof c->label[1];
    if (shows_difference(p))
        snprintf(c->label[1], size, "difference x %d", p->compare->gain);
    else if (p->compare->original == ORIGINAL_CHAIN)
        name_chain(p, true, c->label[1], size);
    else
        snprintf(c->label[1], size, "filtered");
    if (both || (p->bypass && c->original != ORIGINAL_INPUT))
        scene->pane[0].label = c->label[0];
    if (both || shows_difference(p))
        scene->pane[both].label = c->label[1];
    if (p->drawing != RN_DRAWING_PICTURES && rn_ui_keeps(p->window, scene->layout))
        return 0;
    if (both || p->bypass)
        err = show_original(p, &screen[0]);
    if (!err && !p->bypass)
        err = show_filtered(p, &screen[1]);
    scene->pane[0].picture = both || p->bypass ? &screen[0] : &screen[1];
    scene->pane[1].picture = both ? &screen[1] : NULL;
    return err;
}

static void leave(void *part)
{
    struct rn_play_compare *c = part;
    rn_pix_display_destroy(&c->show_other);
    rn_play_distance_view_free(&c->distances);
    c->scan = (struct rn_play_window_level){.of_file = false};
    c->measured = false;
    *c->figures_text = '\0';
}

static void begin(void *part)
{
    struct rn_play_compare *c = part;
    c->split_at = 0.5;
    c->gain = 4;
}

static void release(void *part)
{
    rn_chain_destroy(&((struct rn_play_compare *)part)->versus);
}

const struct rn_play_part_type rn_play_compare_part = {
    .size = sizeof(struct rn_play_compare), .begin = begin, .release = release, .leave = leave};
