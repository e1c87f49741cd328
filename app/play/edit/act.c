#include "app/play/loop/player.h"

#include "app/play/edit/kept.h"
#include "app/play/view/readout.h"
#include "app/play/export/screenshot.h"
#include "app/play/loop/seek.h"
#include "app/play/loop/sound.h"
#include "app/play/stacks/stacks.h"
#include "app/play/view/windowing.h"
#include "filters/base/log.h"
#include "filters/base/text/number.h"

#include <stdio.h>

/* ---- what is done here */

/* Does what an event asks for. Returns 0 or an error that ends all (logged). */
typedef int act_fn(struct rn_player *p, const struct rn_event *e);

static int quit(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    p->quit = rn_player_may_quit(p);
    return 0;
}

static int pause_or_go(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    rn_player_pause(p, !p->paused);
    if (p->at_end && !p->loop && !p->cut)
        rn_player_say(p, "the end: Home begins anew");
    return 0;
}

static int loop(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    p->loop = !p->loop;
    rn_player_say(p, p->loop ? "loop on" : "loop off");
    return 0;
}

static int show_times(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    p->times.on = !p->times.on;
    return 0;
}

static int show_readout(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    p->probe.on = !p->probe.on;
    return 0;
}

static int show_help(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    p->help = p->help && p->help >= rn_window_help_pages(p->window) ? 0 : p->help + 1;
    return 0;
}

static int leave_help(struct rn_player *p, const struct rn_event *e)
{
    p->help = e->count ? p->help : 0;
    return 0;
}

static int say_zoom(struct rn_player *p, const struct rn_event *e)
{
    char text[64];
    double scale = e->position;
    rn_number_print(text, sizeof text, 100 * scale < 99.95 ? "%s%.3g %%" : "%s%.0f %%",
                    e->count ? "" : "fit, ", 100 * scale);
    rn_player_say(p, text);
    return 0;
}

static int save_picture(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    int err = rn_player_catch_up(p); /* the parameters may have changed since */
    return err ? err : rn_player_save_picture(p);
}

static int write_chain(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    char name[64], text[96], range[RN_PART_TEXT];
    int err = rn_tuner_write(&p->tuner, p->session.cli->operand[0],
                             p->shown ? &p->shown->frame : NULL, rn_player_range(p, range), name);
    snprintf(text, sizeof text, err ? "could not write %s" : "wrote %s", name);
    rn_player_say(p, text);
    if (!err)
        rn_log(RN_LOG_INFO, "%s; `render -f @%s%s%s` applies it", text, name, *range ? " " : "",
               range);
    return 0;
}

static int nothing(struct rn_player *p, const struct rn_event *e)
{
    (void)p;
    (void)e;
    return 0;
}

/* ---- what others do */

static int undo(struct rn_player *p, const struct rn_event *e)
{
    return rn_player_undo(p, -e->count);
}

static int store(struct rn_player *p, const struct rn_event *e)
{
    return rn_player_store(p, e->count - 1);
}

static int recall(struct rn_player *p, const struct rn_event *e)
{
    return rn_player_recall(p, e->count - 1);
}

static int flip(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    return rn_player_flip(p);
}

static int compare(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    return rn_player_compare(p);
}

static int take(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    return rn_player_take_offer(p);
}

static int next_stage(struct rn_player *p, const struct rn_event *e)
{
    rn_tuner_move_stage(&p->tuner, e->count);
    rn_player_say_parameter(p);
    return 0;
}

static int select_stage(struct rn_player *p, const struct rn_event *e)
{
    rn_tuner_select(&p->tuner, e->count - 1, 0);
    rn_player_say_parameter(p);
    return 0;
}

static int next_parameter(struct rn_player *p, const struct rn_event *e)
{
    rn_tuner_move(&p->tuner, e->count);
    rn_player_say_parameter(p);
    return 0;
}

static int step(struct rn_player *p, const struct rn_event *e)
{
    rn_player_step(p, e->count);
    return 0;
}

static int step_slices(struct rn_player *p, const struct rn_event *e)
{
    rn_player_step_slices(p, e);
    return 0;
}

static int seek(struct rn_player *p, const struct rn_event *e)
{
    rn_player_seek_by(p, e->count);
    return 0;
}

static int go_first(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    rn_player_go(p, 0);
    return 0;
}

static int go_last(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    rn_player_go_last(p);
    return 0;
}

static int pace(struct rn_player *p, const struct rn_event *e)
{
    rn_player_pace(p, e->count);
    return 0;
}

static int mark(struct rn_player *p, const struct rn_event *e)
{
    rn_player_mark(p, e->count);
    return 0;
}

static int export(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    rn_player_export(p);
    return 0;
}

static int use_bar(struct rn_player *p, const struct rn_event *e)
{
    rn_player_bar_act(p, e);
    return 0;
}

static int next_input(struct rn_player *p, const struct rn_event *e)
{
    return rn_player_next_input(p, e->count);
}

static int drop(struct rn_player *p, const struct rn_event *e)
{
    bool taken;
    return rn_player_take_dropped(p, e->text, e->count, &taken);
}

static int bob(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    rn_player_bob(p);
    return 0;
}

static int copy(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    return rn_player_copy(p);
}

static int set_volume(struct rn_player *p, const struct rn_event *e)
{
    rn_player_set_volume(p, e->count);
    return 0;
}

static int mute(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    rn_player_set_volume(p, 0);
    return 0;
}

static int measure(struct rn_player *p, const struct rn_event *e)
{
    rn_player_measure(p, e);
    return 0;
}

static int show_three(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    rn_player_three(p);
    return 0;
}

static int move_cross(struct rn_player *p, const struct rn_event *e)
{
    rn_player_cross(p, e);
    return 0;
}

static int show_mask(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    rn_player_mask(p);
    return 0;
}

static int set_opacity(struct rn_player *p, const struct rn_event *e)
{
    rn_player_mask_opacity(p, e->count);
    return 0;
}

static int set_window(struct rn_player *p, const struct rn_event *e)
{
    rn_player_window(p, e);
    return 0;
}

static int set_window_auto(struct rn_player *p, const struct rn_event *e)
{
    (void)e;
    rn_player_window_auto(p);
    return 0;
}

/* ---- all of it */

/* Every action but POINT, see below. */
static act_fn *const acts[RN_ACTIONS] = {
    [RN_ACT_QUIT] = quit,
    [RN_ACT_STEP] = rn_player_edit,
    [RN_ACT_RESET] = rn_player_edit,
    [RN_ACT_RESET_ALL] = rn_player_edit,
    [RN_ACT_TOGGLE_STAGE] = rn_player_edit,
    [RN_ACT_ADD] = rn_player_edit,
    [RN_ACT_SET] = rn_player_edit,
    [RN_ACT_REMOVE] = rn_player_edit,
    [RN_ACT_DUPLICATE] = rn_player_edit,
    [RN_ACT_MOVE] = rn_player_edit,
    [RN_ACT_SOLO] = rn_player_edit,
    [RN_ACT_UNDO] = undo,
    [RN_ACT_STORE] = store,
    [RN_ACT_SNAPSHOT] = recall,
    [RN_ACT_FLIP] = flip,
    [RN_ACT_COMPARE] = compare,
    [RN_ACT_TAKE] = take,
    [RN_ACT_STAGE_NEXT] = next_stage,
    [RN_ACT_STAGE] = select_stage,
    [RN_ACT_PARAM_NEXT] = next_parameter,
    [RN_ACT_BYPASS] = rn_player_compare_act,
    [RN_ACT_SPLIT] = rn_player_compare_act,
    [RN_ACT_SPLIT_TO] = rn_player_compare_act,
    [RN_ACT_SPLIT_BY] = rn_player_compare_act,
    [RN_ACT_BESIDE] = rn_player_compare_act,
    [RN_ACT_DIFFERENCE] = rn_player_compare_act,
    [RN_ACT_GAIN] = rn_player_compare_act,
    [RN_ACT_ORIGINAL] = rn_player_compare_act,
    [RN_ACT_SWAP] = rn_player_compare_act,
    [RN_ACT_PAUSE] = pause_or_go,
    [RN_ACT_FRAME] = step,
    [RN_ACT_SLICE] = step_slices,
    [RN_ACT_SEEK] = seek,
    [RN_ACT_HOME] = go_first,
    [RN_ACT_END] = go_last,
    [RN_ACT_SPEED] = pace,
    [RN_ACT_MARK] = mark,
    [RN_ACT_EXPORT] = export,
    [RN_ACT_BAR] = use_bar,
    [RN_ACT_BAR_POINT] = use_bar,
    [RN_ACT_BAR_SEEK] = use_bar,
    [RN_ACT_INPUT] = next_input,
    [RN_ACT_DROP] = drop,
    [RN_ACT_TIMES] = show_times,
    [RN_ACT_BOB] = bob,
    [RN_ACT_READOUT] = show_readout,
    [RN_ACT_COPY] = copy,
    [RN_ACT_SCREENSHOT] = save_picture,
    [RN_ACT_WRITE_CHAIN] = write_chain,
    [RN_ACT_LOOP] = loop,
    [RN_ACT_HELP] = show_help,
    [RN_ACT_VOLUME] = set_volume,
    [RN_ACT_MUTE] = mute,
    [RN_ACT_PANEL] = rn_player_panel_act,
    [RN_ACT_NEW] = rn_player_panel_act,
    [RN_ACT_GO] = rn_player_panel_act,
    [RN_ACT_TYPE] = rn_player_panel_act,
    [RN_ACT_TYPED] = rn_player_panel_act,
    [RN_ACT_ERASE] = rn_player_panel_act,
    [RN_ACT_CHOOSE] = rn_player_panel_act,
    [RN_ACT_COMPLETE] = rn_player_panel_act,
    [RN_ACT_ENTER] = rn_player_panel_act,
    [RN_ACT_CANCEL] = rn_player_panel_act,
    [RN_ACT_PANEL_PICK] = rn_player_panel_act,
    [RN_ACT_PANEL_SWITCH] = rn_player_panel_act,
    [RN_ACT_PANEL_TYPE] = rn_player_panel_act,
    [RN_ACT_PANEL_SLIDE] = rn_player_panel_act,
    [RN_ACT_PANEL_STEP] = rn_player_panel_act,
    [RN_ACT_ZOOM] = say_zoom,
    [RN_ACT_REGION] = measure,
    [RN_ACT_THREE] = show_three,
    [RN_ACT_CROSS] = move_cross,
    [RN_ACT_MASK] = show_mask,
    [RN_ACT_MASK_BY] = set_opacity,
    [RN_ACT_WINDOW] = set_window,
    [RN_ACT_WINDOW_AUTO] = set_window_auto,
    [RN_ACT_FULLSCREEN] = leave_help,
    [RN_ACT_REDRAW] = nothing,
    [RN_ACT_NONE] = nothing,
};

bool rn_player_can_act(enum rn_action action)
{
    return action == RN_ACT_POINT || acts[action];
}

int rn_player_act(struct rn_player *p, const struct rn_event *e)
{
    bool elsewhere = rn_player_point(p, e);
    if (e->action == RN_ACT_POINT) {
        p->redraw |= elsewhere && p->probe.on;
        return 0;
    }
    p->redraw = true;
    return acts[e->action](p, e);
}
