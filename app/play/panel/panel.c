#include "app/play/panel/panel.h"

#include "app/play/edit/change.h"
#include "app/play/commands/command.h"
#include "app/play/panel/completion.h"
#include "app/play/loop/player.h"
#include "app/play/view/message.h"
#include "app/play/edit/tuner.h"
#include "app/play/stacks/slices.h"
#include "app/run/session.h"
#include "ui/window.h"
#include "app/play/stacks/stacks.h"
#include "filters/core/chain/level.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The stage of row number n, and which of its parameters: -1: the row is its head. */
static bool find_row(const struct rn_play *p, int n, int *stage, int *place)
{
    for (int i = 0; i < rn_chain_count(p->session->chain); i++) {
        int places = rn_play_tuner_places(p->tuner, i);
        int rows = 1 + (rn_play_tuner_place(p->tuner, i, 0) ? places : 0);
        if (n < rows) {
            *stage = i;
            *place = n - 1;
            return true;
        }
        n -= rows;
    }
    return false;
}

/* ---- typing */

static void begin(struct rn_play *p, enum rn_play_typing types)
{
    p->panel->types = types;
    p->panel->offer = types == RN_TYPES_FILTER    ? rn_play_completion_offer
                      : types == RN_TYPES_COMMAND ? rn_play_command_offer
                                                  : NULL;
    p->panel->chosen = 0;
    rn_ui_type(p->window, types != RN_TYPES_NOTHING);
}

static void type_filter(struct rn_play *p)
{
    snprintf(p->panel->title, sizeof p->panel->title, "add a stage:");
    rn_play_typed_begin(&p->panel->typed, "");
    begin(p, RN_TYPES_FILTER);
}

static void type_command(struct rn_play *p)
{
    snprintf(p->panel->title, sizeof p->panel->title, "command:");
    rn_play_typed_begin(&p->panel->typed, "");
    begin(p, RN_TYPES_COMMAND);
}

static void type_place(struct rn_play *p)
{
    if (p->slices->stack.known)
        snprintf(p->panel->title, sizeof p->panel->title,
                 "go to slice 1..%lld (+5, -10):", (long long)p->slices->stack.n);
    else
        snprintf(p->panel->title, sizeof p->panel->title, "go to (150f, 1:30, +5, -10f):");
    rn_play_typed_begin(&p->panel->typed, "");
    begin(p, RN_TYPES_PLACE);
}

/* The value of now stands there until another one is typed. */
static void type_value(struct rn_play *p)
{
    const struct rn_param *row = NULL;
    int stage = 0;
    if (!p->tuner->chain) { /* before the first frame: the parameter is not known yet */
        rn_ui_type(p->window, true);
        return;
    }
    if (!rn_play_tuner_selected(p->tuner, &stage, &row) || !row)
        return;
    const struct rn_stage *s = rn_chain_stage(p->session->chain, stage);
    char range[96];
    rn_level_range(row, &p->session->analysis.stage[stage].in, range, sizeof range);
    snprintf(p->panel->title, sizeof p->panel->title, "%s [%s]:", row->name, range);
    char value[sizeof p->panel->typed.text];
    rn_param_format(row, s->params, value, sizeof value);
    rn_play_typed_begin(&p->panel->typed, value);
    begin(p, RN_TYPES_VALUE);
}

void rn_play_panel_type(struct rn_play *p, int what)
{
    if (what == RN_TYPES_FILTER)
        type_filter(p);
    else if (what == RN_TYPES_PLACE)
        type_place(p);
    else if (what == RN_TYPES_VALUE)
        type_value(p);
    else if (what == RN_TYPES_COMMAND)
        type_command(p);
}

static void choose(struct rn_play_panel *panel, int by)
{
    struct rn_play_offer offer;
    int n = 0;
    while (panel->offer && panel->offer(panel->typed.text, n, &offer))
        n++;
    panel->chosen = n ? ((panel->chosen + by) % n + n) % n : 0;
}

static void complete(struct rn_play_panel *panel)
{
    if (panel->types == RN_TYPES_FILTER)
        rn_play_completion_take(panel->typed.text, sizeof panel->typed.text, panel->chosen);
    if (panel->types == RN_TYPES_COMMAND)
        rn_play_command_complete(panel->typed.text, sizeof panel->typed.text, panel->chosen);
    panel->chosen = 0;
    panel->typed.fresh = false;
}

/* The field is closed first, because the command may open another one. */
static int enter_command(struct rn_play *p)
{
    struct rn_play_panel *panel = p->panel;
    struct rn_play_offer offer;
    char line[sizeof panel->typed.text];
    bool done = true, named = strchr(panel->typed.text, ' ');
    bool offered = !named && rn_play_command_offer(panel->typed.text, panel->chosen, &offer);
    snprintf(line, sizeof line, "%s", offered ? offer.name : panel->typed.text);
    bool empty = !*panel->typed.text && !panel->chosen;
    begin(p, RN_TYPES_NOTHING);
    int err = empty ? 0 : rn_play_command_line(p, line, &done);
    if (!done)
        begin(p, RN_TYPES_COMMAND);
    return err;
}

/* What is refused can be typed on. */
static int enter(struct rn_play *p)
{
    struct rn_play_panel *panel = p->panel;
    struct rn_play_change change = {.kind = RN_CHANGE_SET, .text = panel->typed.text};
    if (panel->types == RN_TYPES_PLACE) {
        if (!*panel->typed.text || rn_play_go_to(p, panel->typed.text))
            begin(p, RN_TYPES_NOTHING);
        return 0;
    }
    if (panel->types == RN_TYPES_COMMAND)
        return enter_command(p);
    struct rn_play_offer offer;
    if (panel->types == RN_TYPES_FILTER) {
        bool whole = strpbrk(panel->typed.text, "=,");
        change.kind = RN_CHANGE_ADD;
        if (!whole && rn_play_completion_offer(panel->typed.text, panel->chosen, &offer))
            change.text = offer.name;
    }
    int err = p->host->edit(p, &change);
    if (!p->tuner->refused)
        begin(p, RN_TYPES_NOTHING);
    return err;
}

/* ---- the mouse */

static int pick(struct rn_play *p, const struct rn_ui_event *e)
{
    int stage, place;
    if (p->panel->offer) {
        struct rn_play_offer offer;
        p->panel->chosen = e->count;
        if (!p->panel->offer(p->panel->typed.text, e->count, &offer) || offer.is_whole)
            return enter(p);
        complete(p->panel);
        return 0;
    }
    if (!find_row(p, e->count, &stage, &place))
        return 0;
    begin(p, RN_TYPES_NOTHING);
    rn_play_tuner_select(p->tuner, stage, place < 0 ? 0 : place);
    rn_play_say_parameter(p);
    const struct rn_param *row = place < 0 ? NULL : rn_play_tuner_place(p->tuner, stage, place);
    p->panel->grip = row ? rn_level_place(row, rn_chain_stage(p->session->chain, stage)->params,
                                          &p->session->analysis.stage[stage].in)
                         : NAN;
    if (e->kind == RN_EVENT_PANEL_SWITCH)
        return p->host->edit(p, &(struct rn_play_change){.kind = RN_CHANGE_TOGGLE});
    if (e->kind == RN_EVENT_PANEL_TYPE && row)
        type_value(p);
    return 0;
}

static int slide(struct rn_play *p, const struct rn_ui_event *e)
{
    double place = p->panel->grip + e->position;
    if (p->panel->types || isnan(p->panel->grip))
        return 0;
    const struct rn_play_change to = {.kind = RN_CHANGE_SLIDE,
                                      .position = place < 0   ? 0
                                                  : place > 1 ? 1
                                                              : place,
                                      .again = e->again};
    return p->host->edit(p, &to);
}

static int step(struct rn_play *p, const struct rn_ui_event *e)
{
    int stage, place;
    if (p->panel->types || !find_row(p, e->count, &stage, &place) || place < 0)
        return 0;
    rn_play_tuner_select(p->tuner, stage, place);
    return p->host->edit(
        p, &(struct rn_play_change){.kind = RN_CHANGE_STEP, .count = (int)e->position});
}

void rn_play_panel_toggle(struct rn_play *p)
{
    p->panel->open = !p->panel->open;
    rn_play_tuner_show_all(p->tuner, p->panel->open);
}

int rn_play_panel_act(struct rn_play *p, const struct rn_ui_event *e)
{
    struct rn_play_panel *panel = p->panel;
    switch (e->kind) {
    case RN_EVENT_TYPED:
        rn_play_typed_add(&panel->typed, e->text);
        panel->chosen = 0;
        return 0;
    case RN_EVENT_ERASE:
        rn_play_typed_erase(&panel->typed);
        panel->chosen = 0;
        return 0;
    case RN_EVENT_CHOOSE:
        choose(panel, e->count);
        return 0;
    case RN_EVENT_COMPLETE:
        complete(panel);
        return 0;
    case RN_EVENT_ENTER:
        return enter(p);
    case RN_EVENT_CANCEL:
        begin(p, RN_TYPES_NOTHING);
        return 0;
    case RN_EVENT_PANEL_SLIDE:
        return slide(p, e);
    case RN_EVENT_PANEL_STEP:
        return step(p, e);
    default:
        return pick(p, e);
    }
}
