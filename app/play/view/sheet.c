/* SPDX-License-Identifier: MIT */
#include "app/play/view/sheet.h"

#include "app/help/presets.h"
#include "app/play/edit/snapshots.h"
#include "app/play/loop/player.h"
#include "app/play/overlay/message.h"
#include "app/play/view/compare.h"
#include "app/play/view/states.h"

#include <stdio.h>

struct rn_play_sheet {
    struct {
        char name[64];
        struct rn_chain *chain;
    } preset[RN_SCENE_PANES];
    int presets_seen; /* up to those of the sheet */
};

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

struct presets {
    struct rn_play_sheet *sheet;
    int seen, n; /* visited; loaded */
};

/* One whose file has a mistake (logged) is left out. */
static void load_preset(void *arg, const char *name, const char *about)
{
    struct presets *to = arg;
    struct rn_play_sheet *s = to->sheet;
    char text[sizeof s->preset[0].name + 1];
    const char *chain = text;
    (void)about;
    if (to->seen++ < s->presets_seen || to->n == RN_SCENE_PANES)
        return;
    s->presets_seen = to->seen;
    snprintf(text, sizeof text, "@%s", name);
    rn_chain_destroy(&s->preset[to->n].chain);
    snprintf(s->preset[to->n].name, sizeof s->preset[0].name, "%s", name);
    to->n += !rn_app_preset_resolve(&chain) && !rn_chain_parse(&s->preset[to->n].chain, chain);
}

void rn_play_next_presets(struct rn_play *p)
{
    struct rn_play_sheet *s = p->sheet;
    struct presets found = {.sheet = s};
    struct rn_play_state sheet[RN_SCENE_PANES], first;
    char key[RN_KEY_NAME];
    bool on = rn_play_sheet_state(p, 0, &first) && first.kind == RN_STATE_PRESET;
    rn_play_leave_sheet(p);
    s->presets_seen = on ? s->presets_seen : 0;
    rn_app_presets_visit(load_preset, &found);
    for (int i = 0; i < RN_SCENE_PANES; i++)
        sheet[i] = (struct rn_play_state){RN_STATE_PRESET, i};
    if (found.n)
        show_with_chain(p, sheet, found.n);
    if (found.n)
        rn_play_say(p, "presets %d to %d of %d: a click takes one, %s goes on",
                    s->presets_seen - found.n + 1, s->presets_seen, found.seen,
                    rn_play_key(p, "presets", key));
    else
        rn_play_say(p, on ? "no more presets" : "there are no presets");
}

const struct rn_chain *rn_play_sheet_preset(const struct rn_play *p, int i, const char **name)
{
    *name = p->sheet->preset[i].name;
    return p->sheet->preset[i].chain;
}

bool rn_play_pick(struct rn_play *p, int pane, struct rn_play_state *state)
{
    bool any = rn_play_sheet_state(p, pane, state);
    rn_play_leave_sheet(p);
    return any;
}

static void release(void *part)
{
    struct rn_play_sheet *s = part;
    for (int i = 0; i < RN_SCENE_PANES; i++)
        rn_chain_destroy(&s->preset[i].chain);
}

const struct rn_play_part_type rn_play_sheet_part = {.size = sizeof(struct rn_play_sheet),
                                                     .release = release};
