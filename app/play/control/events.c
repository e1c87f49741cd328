/* SPDX-License-Identifier: MIT */
/* Events of the window: commands, the mouse, typing. */
#include "app/play/control/command_table.h"

#include "app/play/edit/settings.h"
#include "app/play/export/export.h"
#include "app/play/loop/player.h"
#include "app/play/panel/panel.h"
#include "app/play/stacks/stacks.h"
#include "app/play/view/compare.h"
#include "app/play/view/presentation.h"

static void say_zoom(struct rn_play *p, const struct rn_ui_event *e)
{
    double percent = 100 * e->position;
    rn_play_say(p, percent < 99.95 ? "%s%.3g %%" : "%s%.0f %%", e->count ? "" : "whole picture, ",
                percent);
}

/* Takes what is shown in a pane of a contact sheet. */
static int pick(struct rn_play *p, int pane)
{
    struct rn_play_state state;
    char said[80];
    const char *name;
    bool any = rn_play_sheet_state(p, pane, &state);
    rn_play_leave_sheet(p);
    if (!any || state.kind == RN_STATE_NOW)
        return 0;
    if (state.kind == RN_STATE_SNAPSHOT)
        return rn_play_recall(p, state.n);
    const struct rn_chain *chain = rn_play_sheet_preset(p->sheet_presets, state.n, &name);
    snprintf(said, sizeof said, "preset %s", name);
    return rn_play_adopt(p, chain, said);
}

int rn_play_handle_event(struct rn_play *p, const struct rn_ui_event *e)
{
    static void (*const acts[RN_EVENT_PANEL_PICK])(struct rn_play *, const struct rn_ui_event *) = {
        [RN_EVENT_ZOOM] = say_zoom,
        [RN_EVENT_REGION] = rn_play_region_act,
        [RN_EVENT_CROSS] = rn_play_cross,
        [RN_EVENT_SLICE] = rn_play_step_slices,
        [RN_EVENT_WINDOW] = rn_play_drag_window,
        [RN_EVENT_BAR_POINT] = rn_play_bar_act,
        [RN_EVENT_BAR_SEEK] = rn_play_bar_act,
        [RN_EVENT_MENU] = rn_play_panel_menu,
    };
    bool taken;
    rn_play_point(p, e);
    if (e->kind == RN_EVENT_POINT)
        return 0;
    rn_play_redraw(p);
    if (e->kind == RN_EVENT_COMMAND)
        return rn_play_run_command(p, e->command, e->count);
    if (e->kind == RN_EVENT_DROP)
        return rn_play_take_dropped(p, e->text, e->count, &taken);
    if (e->kind >= RN_EVENT_PANEL_PICK)
        return rn_play_panel_act(p, e);
    if (e->kind == RN_EVENT_CLOSE)
        p->quit = rn_play_may_quit(p);
    else if (e->kind == RN_EVENT_PICK)
        return pick(p, e->pane);
    else if (e->kind == RN_EVENT_REGION && rn_play_region_limits(p->region))
        return rn_play_region_limit(p, e);
    else if (e->kind == RN_EVENT_SPLIT)
        rn_play_set_split(p, e->position);
    else if (acts[e->kind])
        acts[e->kind](p, e);
    return 0;
}
