/* SPDX-License-Identifier: MIT */
#include "app/play/view/sheet.h"

#include "app/play/edit/snapshots.h"
#include "app/play/loop/player.h"
#include "app/play/overlay/message.h"
#include "app/play/view/compare.h"
#include "app/play/view/states.h"

/* With the chain as it is now, if there is room. */
static void show_with_chain(struct rn_play *p, struct rn_play_state sheet[RN_SCENE_PANES], int n)
{
    if (n < RN_SCENE_PANES)
        sheet[n++] = (struct rn_play_state){RN_STATE_NOW, 0};
    rn_play_show_sheet(p, sheet, n);
}

void rn_play_toggle_sheet(struct rn_play *p)
{
    struct rn_play_state sheet[RN_SNAPSHOTS] = {{.kind = RN_STATE_INPUT}};
    int n = 0;
    for (int i = 0; i < RN_SNAPSHOTS; i++) {
        struct rn_play_state state = {RN_STATE_SNAPSHOT, i};
        if (rn_play_state_exists(p, state))
            sheet[n++] = state;
    }
    if (rn_play_leave_sheet(p))
        return;
    if (n)
        show_with_chain(p, sheet, n);
    else
        rn_play_say(p, "no snapshots for a contact sheet");
}

_Static_assert(RN_SHEET_PRESETS <= RN_SCENE_PANES, "a pane for each");

void rn_play_next_presets(struct rn_play *p)
{
    struct rn_play_state sheet[RN_SCENE_PANES], first;
    char key[RN_KEY_NAME], leave[RN_KEY_NAME];
    int last, all;
    bool on = rn_play_sheet_state(p, 0, &first) && first.kind == RN_STATE_PRESET;
    rn_play_leave_sheet(p);
    int n = rn_play_sheet_presets_load(p->sheet_presets, on, &last, &all);
    for (int i = 0; i < RN_SCENE_PANES; i++)
        sheet[i] = (struct rn_play_state){RN_STATE_PRESET, i};
    if (n)
        show_with_chain(p, sheet, n);
    if (n)
        rn_play_say(p, "presets %d to %d of %d: a click takes one, %s goes on, %s leaves",
                    last - n + 1, last, all, rn_play_key(p, "presets", key),
                    rn_play_key(p, "leave", leave));
    else
        rn_play_say(p, on ? "no more presets" : "there are no presets");
}

bool rn_play_pick(struct rn_play *p, int pane, struct rn_play_state *state)
{
    bool any = rn_play_sheet_state(p, pane, state);
    rn_play_leave_sheet(p);
    return any;
}
