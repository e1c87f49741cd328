#include "app/play/loop/player.h"
#include "app/play/loop/playback.h"
#include "app/play/view/message.h"
#include "app/play/view/compare.h"
#include "app/play/edit/tuner.h"
#include "app/play/loop/input.h"
#include "app/play/loop/times.h"
#include "app/play/panel/panel.h"
#include "app/play/view/bar.h"
#include "app/play/view/bob.h"
#include "app/play/view/probe.h"
#include "app/run/session.h"
#include "ui/window.h"

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
typedef int act_fn(struct rn_play *p, const struct rn_ui_event *e);

static int quit(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    p->quit = rn_play_may_quit(p);
    return 0;
}

static int pause_or_go(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    rn_play_pause(p, !p->paused);
    if (p->playback == RN_PLAYBACK_AT_END && !p->loop)
        rn_play_say(p, "the end: Home begins anew");
    return 0;
}

static int loop(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    p->loop = !p->loop;
    rn_play_say(p, p->loop ? "loop on" : "loop off");
    return 0;
}

static int show_times(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    p->times->on = !p->times->on;
    return 0;
}

static int show_readout(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    p->probe->on = !p->probe->on;
    return 0;
}

static int show_help(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    p->help = p->help && p->help >= rn_ui_help_pages(p->window) ? 0 : p->help + 1;
    return 0;
}

static int leave_help(struct rn_play *p, const struct rn_ui_event *e)
{
    p->help = e->count ? p->help : 0;
    return 0;
}

static int say_zoom(struct rn_play *p, const struct rn_ui_event *e)
{
    char text[64];
    double scale = e->position;
    rn_number_print(text, sizeof text, 100 * scale < 99.95 ? "%s%.3g %%" : "%s%.0f %%",
                    e->count ? "" : "fit, ", 100 * scale);
    rn_play_say(p, text);
    return 0;
}

static int save_picture(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    int err = rn_play_catch_up(p); /* the parameters may have changed since */
    return err ? err : rn_play_save_picture(p);
}

static int write_chain(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    char name[64], text[96], range[RN_PART_TEXT];
    int err =
        rn_play_tuner_write(p->tuner, p->session->cli->operand[0],
                            p->shown ? &p->shown->frame : NULL, rn_play_range(p, range), name);
    snprintf(text, sizeof text, err ? "could not write %s" : "wrote %s", name);
    rn_play_say(p, text);
    if (!err)
        rn_log(RN_LOG_INFO, "%s; `render -f @%s%s%s` applies it", text, name, *range ? " " : "",
               range);
    return 0;
}

static int nothing(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)p;
    (void)e;
    return 0;
}

/* ---- what others do */

static int undo(struct rn_play *p, const struct rn_ui_event *e)
{
    return rn_play_undo(p, -e->count);
}

static int store(struct rn_play *p, const struct rn_ui_event *e)
{
    return rn_play_store(p, e->count - 1);
}

static int recall(struct rn_play *p, const struct rn_ui_event *e)
{
    return rn_play_recall(p, e->count - 1);
}

static int flip(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    return rn_play_flip(p);
}

static int compare(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    return rn_play_compare(p);
}

static int take(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    return rn_play_take_offer(p);
}

static int next_stage(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_tuner_move_stage(p->tuner, e->count);
    rn_play_say_parameter(p);
    return 0;
}

static int select_stage(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_tuner_select(p->tuner, e->count - 1, 0);
    rn_play_say_parameter(p);
    return 0;
}

static int next_parameter(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_tuner_move(p->tuner, e->count);
    rn_play_say_parameter(p);
    return 0;
}

static int step(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_step(p, e->count);
    return 0;
}

static int step_slices(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_step_slices(p, e);
    return 0;
}

static int seek(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_seek_by(p, e->count);
    return 0;
}

static int go_first(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    rn_play_go(p, 0);
    return 0;
}

static int go_last(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    rn_play_go_last(p);
    return 0;
}

static int pace(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_pace(p, e->count);
    return 0;
}

static int mark(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_set_mark(p, e->count);
    return 0;
}

static int export(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    rn_play_export(p);
    return 0;
}

static int use_bar(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_bar_act(p, e);
    return 0;
}

static int next_input(struct rn_play *p, const struct rn_ui_event *e)
{
    return rn_play_next_input(p, e->count);
}

static int drop(struct rn_play *p, const struct rn_ui_event *e)
{
    bool taken;
    return rn_play_take_dropped(p, e->text, e->count, &taken);
}

static int bob(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    rn_play_toggle_bob(p);
    return 0;
}

static int copy(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    return rn_play_copy(p);
}

static int set_volume(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_set_volume(p, e->count);
    return 0;
}

static int mute(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    rn_play_set_volume(p, 0);
    return 0;
}

static int measure(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_measure(p, e);
    return 0;
}

static int show_three(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    rn_play_toggle_three(p);
    return 0;
}

static int move_cross(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_cross(p, e);
    return 0;
}

static int show_mask(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    rn_play_toggle_mask(p);
    return 0;
}

static int set_opacity(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_mask_opacity(p, e->count);
    return 0;
}

static int set_window(struct rn_play *p, const struct rn_ui_event *e)
{
    rn_play_window(p, e);
    return 0;
}

static int set_window_auto(struct rn_play *p, const struct rn_ui_event *e)
{
    (void)e;
    rn_play_window_auto(p);
    return 0;
}

/* ---- all of it */

/* Every action but POINT, see below. */
static act_fn *const acts[RN_ACTIONS] = {
    [RN_ACT_QUIT] = quit,
    [RN_ACT_STEP] = rn_play_edit,
    [RN_ACT_RESET] = rn_play_edit,
    [RN_ACT_RESET_ALL] = rn_play_edit,
    [RN_ACT_TOGGLE_STAGE] = rn_play_edit,
    [RN_ACT_ADD] = rn_play_edit,
    [RN_ACT_SET] = rn_play_edit,
    [RN_ACT_REMOVE] = rn_play_edit,
    [RN_ACT_DUPLICATE] = rn_play_edit,
    [RN_ACT_MOVE] = rn_play_edit,
    [RN_ACT_SOLO] = rn_play_edit,
    [RN_ACT_UNDO] = undo,
    [RN_ACT_STORE] = store,
    [RN_ACT_SNAPSHOT] = recall,
    [RN_ACT_FLIP] = flip,
    [RN_ACT_COMPARE] = compare,
    [RN_ACT_TAKE] = take,
    [RN_ACT_STAGE_NEXT] = next_stage,
    [RN_ACT_STAGE] = select_stage,
    [RN_ACT_PARAM_NEXT] = next_parameter,
    [RN_ACT_BYPASS] = rn_play_compare_act,
    [RN_ACT_SPLIT] = rn_play_compare_act,
    [RN_ACT_SPLIT_TO] = rn_play_compare_act,
    [RN_ACT_SPLIT_BY] = rn_play_compare_act,
    [RN_ACT_BESIDE] = rn_play_compare_act,
    [RN_ACT_DIFFERENCE] = rn_play_compare_act,
    [RN_ACT_GAIN] = rn_play_compare_act,
    [RN_ACT_ORIGINAL] = rn_play_compare_act,
    [RN_ACT_SWAP] = rn_play_compare_act,
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
    [RN_ACT_PANEL] = rn_play_panel_act,
    [RN_ACT_NEW] = rn_play_panel_act,
    [RN_ACT_GO] = rn_play_panel_act,
    [RN_ACT_TYPE] = rn_play_panel_act,
    [RN_ACT_TYPED] = rn_play_panel_act,
    [RN_ACT_ERASE] = rn_play_panel_act,
    [RN_ACT_CHOOSE] = rn_play_panel_act,
    [RN_ACT_COMPLETE] = rn_play_panel_act,
    [RN_ACT_ENTER] = rn_play_panel_act,
    [RN_ACT_CANCEL] = rn_play_panel_act,
    [RN_ACT_PANEL_PICK] = rn_play_panel_act,
    [RN_ACT_PANEL_SWITCH] = rn_play_panel_act,
    [RN_ACT_PANEL_TYPE] = rn_play_panel_act,
    [RN_ACT_PANEL_SLIDE] = rn_play_panel_act,
    [RN_ACT_PANEL_STEP] = rn_play_panel_act,
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

bool rn_play_can_act(enum rn_ui_action action)
{
    return action == RN_ACT_POINT || acts[action];
}

int rn_play_act(struct rn_play *p, const struct rn_ui_event *e)
{
    bool elsewhere = rn_play_point(p, e);
    if (e->action == RN_ACT_POINT) {
        if (elsewhere && p->probe->on)
            rn_play_redraw(p);
        return 0;
    }
    rn_play_redraw(p);
    return acts[e->action](p, e);
}
