#include "app/play/player.h"

#include "app/play/kept.h"
#include "app/play/screenshot.h"
#include "app/play/seek.h"
#include "app/play/sound.h"
#include "app/play/stacks.h"
#include "filters/base/clock.h"
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- files */

static void write_chain(struct rn_player *p)
{
    char name[64], text[96], range[RN_MARKS_TEXT];
    int err = rn_tuner_write(&p->tuner, p->session.cli->operand[0],
                             p->shown ? &p->shown->frame : NULL, rn_player_range(p, range), name);
    snprintf(text, sizeof text, err ? "could not write %s" : "wrote %s", name);
    rn_player_say(p, text);
    if (!err)
        rn_log(RN_LOG_INFO, "%s; `render -f @%s%s%s` applies it", text, name, *range ? " " : "",
               range);
}

/* ---- keys */

static void say_zoom(struct rn_player *p, double scale, bool zoomed)
{
    char text[64];
    rn_number_print(text, sizeof text, 100 * scale < 99.95 ? "%s%.3g %%" : "%s%.0f %%",
                    zoomed ? "" : "fit, ", 100 * scale);
    rn_player_say(p, text);
}

/* The text to copy, to be freed; NULL: none, or an error (logged). */
static char *tell_all(struct rn_player *p)
{
    char probe[RN_PROBE_TEXT], *text = NULL;
    size_t size;
    bool pointed = p->shown && rn_player_tell_samples(p, probe, sizeof probe);
    bool region = p->shown && p->region.on && !rn_region_measure(&p->region, p->shown);
    const char *figures = p->shown ? rn_player_told_figures(p) : NULL;
    FILE *f = pointed || region || figures ? open_memstream(&text, &size) : NULL;
    if (!f)
        return NULL;
    if (pointed)
        fprintf(f, "%s%s", probe, region || figures ? "\n\n" : "");
    if (figures)
        fprintf(f, "%s%s", figures, region ? "\n\n" : "");
    int err = region ? rn_region_write(&p->region, f) : 0;
    if (fclose(f) || err) {
        free(text);
        return NULL;
    }
    return text;
}

static void copy_readout(struct rn_player *p)
{
    char *text = tell_all(p);
    rn_player_say(p, !text                  ? "nothing is pointed at"
                     : rn_window_copy(text) ? "copied"
                                            : "could not copy: see the message in the terminal");
    free(text);
}

static void set_region(struct rn_player *p, const struct rn_event *e)
{
    const struct rn_geom *geom = rn_runner_output(p->session.runner);
    int x = e->x, y = e->y;
    rn_turn_back(&p->viewing.orient, geom->w, geom->h, &x, &y);
    if (p->three.on && e->pane && e->count >= 0)
        rn_player_say(p, "a region is measured in the first view");
    else if (e->count > 0)
        rn_region_begin(&p->region, x, y);
    else if (e->count == 0)
        rn_region_extend(&p->region, x, y);
    else
        rn_region_clear(&p->region);
}

/* Returns whether it is another sample. */
static bool point(struct rn_player *p, const struct rn_event *e)
{
    const struct rn_geom *geom = rn_runner_output(p->session.runner);
    int x = e->x, y = e->y;
    bool other = p->three.pane != e->pane;
    if (!p->three.on || !e->pane)
        rn_turn_back(&p->viewing.orient, geom->w, geom->h, &x, &y);
    p->three.pane = e->pane;
    return rn_probe_point(&p->probe, e->on_picture, x, y) || other;
}

int rn_player_act(struct rn_player *p, const struct rn_event *e)
{
    bool elsewhere = point(p, e), done;
    if (e->action == RN_ACT_POINT) {
        p->redraw |= elsewhere && p->probe.on;
        return 0;
    }
    p->redraw = true;
    switch (e->action) {
    case RN_ACT_QUIT:
        p->quit = rn_player_may_quit(p);
        return 0;
    case RN_ACT_STEP:
    case RN_ACT_RESET:
    case RN_ACT_RESET_ALL:
    case RN_ACT_TOGGLE_STAGE:
    case RN_ACT_ADD:
    case RN_ACT_SET:
    case RN_ACT_REMOVE:
    case RN_ACT_DUPLICATE:
    case RN_ACT_MOVE:
    case RN_ACT_SOLO:
        return rn_player_edit(p, e);
    case RN_ACT_UNDO:
        return rn_player_undo(p, -e->count);
    case RN_ACT_STORE:
        return rn_player_store(p, e->count - 1);
    case RN_ACT_SNAPSHOT:
        return rn_player_recall(p, e->count - 1);
    case RN_ACT_FLIP:
        return rn_player_flip(p);
    case RN_ACT_COMPARE:
        return rn_player_compare(p);
    case RN_ACT_TAKE:
        return rn_player_take_offer(p);
    case RN_ACT_STAGE_NEXT:
        rn_tuner_move_stage(&p->tuner, e->count);
        rn_player_say_parameter(p);
        break;
    case RN_ACT_STAGE:
        rn_tuner_select(&p->tuner, e->count - 1, 0);
        rn_player_say_parameter(p);
        break;
    case RN_ACT_PARAM_NEXT:
        rn_tuner_move(&p->tuner, e->count);
        rn_player_say_parameter(p);
        break;
    case RN_ACT_BYPASS:
    case RN_ACT_SPLIT:
    case RN_ACT_SPLIT_TO:
    case RN_ACT_SPLIT_BY:
    case RN_ACT_BESIDE:
    case RN_ACT_DIFFERENCE:
    case RN_ACT_GAIN:
    case RN_ACT_ORIGINAL:
    case RN_ACT_SWAP:
        return rn_player_compare_act(p, e);
    case RN_ACT_PAUSE:
        rn_player_pause(p, !p->paused);
        break;
    case RN_ACT_FRAME:
        rn_player_step(p, e->count);
        break;
    case RN_ACT_SLICE:
        rn_player_step_slices(p, e);
        break;
    case RN_ACT_SEEK:
        rn_player_seek_by(p, e->count);
        break;
    case RN_ACT_HOME:
        rn_player_go(p, 0);
        break;
    case RN_ACT_END:
        rn_player_go_last(p);
        break;
    case RN_ACT_SPEED:
        rn_player_pace(p, e->count);
        break;
    case RN_ACT_MARK:
        rn_player_mark(p, e->count);
        break;
    case RN_ACT_EXPORT:
        rn_player_export(p);
        break;
    case RN_ACT_BAR:
    case RN_ACT_BAR_POINT:
    case RN_ACT_BAR_SEEK:
        rn_player_bar_act(p, e);
        break;
    case RN_ACT_INPUT:
        return rn_player_next_input(p, e->count);
    case RN_ACT_DROP:
        return rn_player_take_dropped(p, e->text, e->count, &done);
    case RN_ACT_TIMES:
        p->times = !p->times;
        break;
    case RN_ACT_BOB:
        rn_player_bob(p);
        break;
    case RN_ACT_READOUT:
        p->probe.on = !p->probe.on;
        break;
    case RN_ACT_COPY: {
        int err = rn_player_catch_up(p); /* the parameters may have changed since */
        copy_readout(p);
        return err;
    }
    case RN_ACT_SCREENSHOT: {
        int err = rn_player_catch_up(p); /* the parameters may have changed since */
        return err ? err : rn_player_save_picture(p);
    }
    case RN_ACT_WRITE_CHAIN:
        write_chain(p);
        break;
    case RN_ACT_LOOP:
        p->loop = !p->loop;
        rn_player_say(p, p->loop ? "loop on" : "loop off");
        break;
    case RN_ACT_HELP:
        p->help = p->help && p->help >= rn_window_help_pages(p->window) ? 0 : p->help + 1;
        break;
    case RN_ACT_VOLUME:
        rn_player_set_volume(p, e->count);
        break;
    case RN_ACT_MUTE:
        rn_player_set_volume(p, 0);
        break;
    case RN_ACT_PANEL:
    case RN_ACT_NEW:
    case RN_ACT_GO:
    case RN_ACT_TYPE:
    case RN_ACT_TYPED:
    case RN_ACT_ERASE:
    case RN_ACT_CHOOSE:
    case RN_ACT_COMPLETE:
    case RN_ACT_ENTER:
    case RN_ACT_CANCEL:
    case RN_ACT_PANEL_PICK:
    case RN_ACT_PANEL_SWITCH:
    case RN_ACT_PANEL_TYPE:
    case RN_ACT_PANEL_SLIDE:
    case RN_ACT_PANEL_STEP:
        return rn_player_panel_act(p, e);
    case RN_ACT_ZOOM:
        say_zoom(p, e->position, e->count);
        break;
    case RN_ACT_REGION:
        set_region(p, e);
        break;
    case RN_ACT_THREE:
        rn_player_three(p);
        break;
    case RN_ACT_CROSS:
        rn_player_cross(p, e);
        break;
    case RN_ACT_MASK:
        rn_player_mask(p);
        break;
    case RN_ACT_MASK_BY:
        rn_player_mask_opacity(p, e->count);
        break;
    case RN_ACT_WINDOW:
        rn_player_window(p, e);
        break;
    case RN_ACT_WINDOW_AUTO:
        rn_player_window_auto(p);
        break;
    case RN_ACT_FULLSCREEN:
        p->help = e->count ? p->help : 0;
        break;
    case RN_ACT_REDRAW:
    case RN_ACT_POINT:
    case RN_ACT_NONE:
        break;
    }
    return 0;
}
