/* SPDX-License-Identifier: MIT */
/* Commands that change the chain, and those that select a parameter or a stage. */
#include "app/play/control/command_table.h"

#include "app/help/help.h"
#include "app/play/edit/settings.h"
#include "app/play/loop/player.h"
#include "app/play/panel/panel.h"
#include "app/play/runners/runners.h"
#include "app/play/view/compare.h"
#include "filters/core/chain/level.h"

#include <string.h>

/* ---- the selection */

static void next_parameter(struct rn_play *p, int count)
{
    rn_play_cursor_move(p, count);
    rn_play_say_parameter(p);
}

static void next_stage(struct rn_play *p, int count)
{
    int n = rn_chain_count(p->session->chain), to = rn_play_cursor_selected(p).stage + count;
    if (n)
        rn_play_cursor_select(p, (to % n + n) % n, 0);
    rn_play_say_parameter(p);
}

static void select_stage(struct rn_play *p, int count)
{
    rn_play_cursor_select(p, count - 1, 0);
    rn_play_say_parameter(p);
}

/* ---- changes of what is selected */

static int edit_selected(struct rn_play_call *c)
{
    return rn_play_edit(c->p,
                        &(struct rn_play_change){.kind = (enum rn_play_change_kind)c->command->what,
                                                 .count = c->count});
}

/* ---- back and forth */

static int undo(struct rn_play_call *c)
{
    if (!rn_play_history_count(c->p->history, -c->count))
        return rn_play_refuse(c, c->count > 0 ? "nothing to undo" : "nothing to redo");
    return rn_play_undo(c->p, -c->count);
}

static int recall(struct rn_play_call *c)
{
    return rn_play_recall(c->p, c->count - 1);
}

static int store(struct rn_play_call *c)
{
    for (int i = 0; i < RN_SNAPSHOTS && !c->count; i++)
        if (!rn_play_snapshots_get(c->p->snapshots, i))
            return rn_play_store(c->p, i);
    return c->count ? rn_play_store(c->p, c->count - 1)
                    : rn_play_refuse(c, "A to D are taken: Shift+F1 to Shift+F4 replace one");
}

/* ---- stages that scripts name */

int rn_play_refuse_as_said(struct rn_play_call *c)
{
    static const char begin[] = "refused: ";
    const char *said = rn_play_latest_message(c->p);
    bool begins = !strncmp(said, begin, sizeof begin - 1);
    return rn_play_refuse(c, "%s", said + (begins ? sizeof begin - 1 : 0));
}

int rn_play_call_adopt(struct rn_play_call *c, const struct rn_chain *target)
{
    int err = rn_play_adopt(c->p, target, c->watch ? "set by a script" : "changed");
    return err || !rn_play_was_refused(c->p) ? err : rn_play_refuse_as_said(c);
}

/* Applies a draft, and frees it. made: the result of the edit that made it. */
static int adopt(struct rn_play_call *c, struct rn_chain *draft, int made)
{
    int err = made == RN_EINTERNAL ? made : 0;
    if (made)
        rn_play_refuse(c, "%s", rn_log_last());
    else
        err = rn_play_call_adopt(c, draft);
    rn_chain_destroy(&draft);
    return err;
}

/* The stage that argument i names, from 0; -1: none, and the call is refused. */
static int stage_of(struct rn_play_call *c, int i)
{
    int stage = rn_play_parameter_stage(c->p->session->chain, c->arg[i].text, c->answer->why);
    c->answer->done = stage >= 0;
    return stage;
}

static int add(struct rn_play_call *c)
{
    int places = rn_chain_count(c->p->session->chain) + 1;
    int at = c->arg[1].json ? (int)c->arg[1].number : places;
    if (at > places)
        return rn_play_refuse(c, "the place of a new stage is 1..%d", places);
    struct rn_chain *draft = rn_chain_copy(c->p->session->chain);
    return draft ? adopt(c, draft, rn_chain_insert(draft, at - 1, c->arg[0].text)) : RN_EINTERNAL;
}

/* Keys change the selected stage. Scripts name the stage, and the one to whose place it moves. */
static int edit_stage(struct rn_play_call *c)
{
    bool moves = c->command->what == RN_CHANGE_MOVE;
    if (!c->arg[0].json)
        return edit_selected(c);
    int stage = stage_of(c, 0), to = stage >= 0 && moves ? stage_of(c, 1) : stage;
    struct rn_chain *draft = to < 0 ? NULL : rn_chain_copy(c->p->session->chain);
    if (!draft)
        return to < 0 ? 0 : RN_EINTERNAL;
    return adopt(c, draft,
                 moves                                     ? rn_chain_move(draft, stage, to)
                 : c->command->what == RN_CHANGE_DUPLICATE ? rn_chain_duplicate(draft, stage)
                                                           : rn_chain_remove(draft, stage));
}

static int take_preset(struct rn_play_call *c)
{
    struct rn_chain *draft = NULL;
    char name[80];
    const char *text = name;
    snprintf(name, sizeof name, "@%s", c->arg[0].text);
    int made = rn_app_preset_resolve(&text);
    made = made ? made : rn_chain_parse(&draft, text);
    return adopt(c, draft, made);
}

/* ---- the search for the best values */

/* Steps a parameter by n, and stays there if that brings the two sides of the comparison nearer to
 * each other. *error: their mean squared error. */
static int try_steps(struct rn_play *p, int stage, const struct rn_param *row, int n, double *error)
{
    struct rn_play_figures f;
    struct rn_chain *draft = rn_chain_copy(p->session->chain), *before, *tried;
    if (!draft)
        return RN_EINTERNAL;
    rn_level_step(row, rn_stage_values(rn_chain_stage(draft, stage), row),
                  &p->session->analysis.stage[stage].in, n);
    int err = rn_play_apply_settings(p, draft, &before);
    if (err || !before)
        return err;
    err = rn_play_finish_filtering(p);
    err = err ? err : rn_play_measure_sides(p, &f);
    if (!err && f.all.mse < *error) {
        *error = f.all.mse;
    } else if (!err) {
        err = rn_play_apply_settings(p, before, &tried);
        before = tried;
    }
    rn_chain_destroy(&before);
    return err;
}

static int tune(struct rn_play_call *c)
{
    struct rn_play *p = c->p;
    struct rn_play_figures f;
    struct rn_ui_event event = {.kind = RN_EVENT_NONE};
    char names[512], text[512], *rest;
    const struct rn_param *row;
    const struct rn_play_state reference = {RN_STATE_REFERENCE, 0}, now = {RN_STATE_NOW, 0};
    if (rn_play_reference_exists(p))
        rn_play_set_states(p, reference, now);
    int stage, err = rn_play_finish_filtering(p);
    while (p->shown && !rn_play_reference_fetch(p, p->shown, 0.1))
        ; /* the reader is on its way to it */
    if (err || !p->shown || rn_play_build_is_busy(p) || !rn_play_can_measure(p))
        return err ? err : rn_play_refuse(c, "nothing to come near to: `states` chooses it");
    struct rn_chain *before = rn_chain_copy(p->session->chain);
    if (!before || rn_play_measure_sides(p, &f))
        return RN_EINTERNAL;
    double error = f.all.mse, last;
    for (int n = 64; n && !err && c->answer->done; n = error < last ? n : n / 2) {
        last = error;
        snprintf(names, sizeof names, "%s", c->arg[0].text);
        for (char *at = strtok_r(names, " ", &rest); at; at = strtok_r(NULL, " ", &rest)) {
            c->answer->done =
                rn_play_parameter_find(p->session->chain, at, &stage, &row, c->answer->why);
            if (c->answer->done && row->fixed)
                rn_play_refuse(c, "%s cannot change while it plays", at);
            for (int k = -1; k <= 1 && !err && c->answer->done; k += 2)
                err = try_steps(p, stage, row, k * n, &error);
        }
        if (rn_ui_next_event(p->window, 0, &event) && event.kind <= RN_EVENT_CLOSE)
            break; /* a key ends it */
    }
    rn_play_words(before, p->session->chain, &p->session->stream->geom, text, sizeof text);
    rn_play_say(p, "%s; mean squared error %.6g", text, error);
    if (rn_chain_equal(before, p->session->chain))
        rn_chain_destroy(&before);
    else
        rn_play_history_push(p->history, RN_HISTORY_CHAIN, before);
    return err;
}

/* ---- the table */

enum {
    REPEATS = RN_COMMAND_REPEATS,
    UNDOABLE = RN_COMMAND_UNDOABLE,
    TYPES = RN_COMMAND_TYPES,
};

// clang-format off
const struct rn_play_command rn_play_chain_commands[] = {
    {{"param-next", "next / previous parameter", "%d parameters on / back",
      RN_ARGS_INT("N", 1, -1000, 1000), REPEATS, .group = "Parameters",
      .keys = "Tab 1 | Shift+Tab -1 | PadRight 1 | PadLeft -1"}, .act_by = next_parameter},
    {{"step", "change it by one step", "change it by %d steps",
      RN_ARGS_INT("N", 1, -1000, 1000), REPEATS | UNDOABLE,
      .keys = "Up 1 | Down -1 | + 1 | - -1 | = 1 | " /* = where + needs Shift */
              "Shift+Up 10 | Shift+Down -10 | "
              "PadUp 1 | PadDown -1 | PadLUp 10 | PadLDown -10"},
     .run = edit_selected, .what = RN_CHANGE_STEP},
    {{"type", "type a value for it", .flags = TYPES, .count = RN_TYPES_VALUE, .menus = "s",
      .keys = "Enter"}, .act_by = rn_play_panel_type},
    {{"panel", "panel: stages, all parameters, times", .menus = "ps", .keys = "p | PadStart"},
     .act = rn_play_panel_toggle},
    {{"panel-side", "the panel at the other side", .menus = "s", .keys = "Alt+p"},
     .act = rn_play_panel_change_side},
    {{"fold", "fold or unfold its parameters", .menus = "s", .keys = "F"},
     .act = rn_play_panel_fold},
    {{"reset", "reset it to its default", .flags = UNDOABLE, .menus = "s", .keys = "r"},
     .run = edit_selected, .what = RN_CHANGE_RESET},
    {{"reset-all", "reset all parameters", .flags = UNDOABLE, .menus = "s", .keys = "R"},
     .run = edit_selected, .what = RN_CHANGE_RESET_ALL},
    {{"undo", "undo a change", .flags = REPEATS, .count = 1, .menus = "ps", .keys = "u | PadBack"},
     .run = undo},
    {{"redo", "redo it", .flags = REPEATS, .count = -1, .keys = "U"}, .run = undo},
    {{"snapshot", "go to snapshot A - D", NULL, RN_ARGS_INT("N", 1, 1, 4), UNDOABLE,
      .group = "Snapshots", .keys = "F1 1 | F2 2 | F3 3 | F4 4"}, .run = recall},
    {{"store", "store the chain as snapshot A - D", NULL, RN_ARGS_INT("N", 0, 0, 4), UNDOABLE,
      .menus = "p", .keys = "Shift+F1 1 | Shift+F2 2 | Shift+F3 3 | Shift+F4 4"}, .run = store},
    {{"flip", "flip: snapshot used last | chain", .flags = UNDOABLE, .keys = "F5"},
     .attempt = rn_play_flip},
    {{"compare", "snapshot and chain, and what differs", .menus = "p", .keys = "F6"},
     .act = rn_play_compare_snapshot},
    {{"take", "take the chain tuned earlier", .flags = UNDOABLE, .keys = "F7"},
     .attempt = rn_play_take_offer},
    {{"toggle-stage", "its stage on / off", .flags = UNDOABLE, .group = "Stages", .menus = "s",
      .keys = "x | PadX"}, .run = edit_selected, .what = RN_CHANGE_TOGGLE},
    {{"stage-next", "next / previous stage", "%d stages on / back",
      RN_ARGS_INT("N", 1, -100, 100), REPEATS, .keys = "PgDn 1 | PgUp -1 | PadRB 1 | PadLB -1"},
     .act_by = next_stage},
    {{"stage", "select a stage by its number", NULL, RN_ARGS_INT("N", 1, 1, 100),
      .keys = "Alt+1 1 | Alt+2 2 | Alt+3 3 | Alt+4 4 | Alt+5 5 | Alt+6 6 | Alt+7 7 | Alt+8 8 | "
              "Alt+9 9"}, .act_by = select_stage},
    {{"move", "move the stage down / up", "move the stage by %d places",
      {{RN_ARG_STAGE, "STAGE", -100, 100, 1, {NULL}}, {.type = RN_ARG_STAGE, .name = "PLACE"}},
      REPEATS | UNDOABLE, .menus = "s", .keys = "Shift+PgDn 1 | Shift+PgUp -1"},
     .run = edit_stage, .what = RN_CHANGE_MOVE, .least = 2},
    {{"new", "add a stage (32 at most): type a filter", .flags = TYPES, .count = RN_TYPES_FILTER,
      .menus = "ps", .keys = "n"}, .act_by = rn_play_panel_type},
    {{"duplicate", "duplicate the stage", .args = {{.type = RN_ARG_STAGE, .name = "STAGE"}},
      .flags = UNDOABLE, .menus = "s", .keys = "N"}, .run = edit_stage,
     .what = RN_CHANGE_DUPLICATE},
    {{"remove", "remove the stage", .args = {{.type = RN_ARG_STAGE, .name = "STAGE"}},
      .flags = UNDOABLE, .menus = "s", .keys = "Del"}, .run = edit_stage, .what = RN_CHANGE_REMOVE},
    {{"solo", "solo: the chain up to here; again: all", .flags = UNDOABLE, .menus = "s",
      .keys = "S"}, .run = edit_selected, .what = RN_CHANGE_SOLO},
    {{"add", "adds stages, at the end or before PLACE",
      .args = {{.type = RN_ARG_TEXT, .name = "CHAIN"},
               {.type = RN_ARG_INT, .name = "PLACE", .min = 1, .max = RN_MAX_STAGES + 1}},
      .flags = RN_COMMAND_SCRIPT | UNDOABLE}, .run = add, .least = 1},
    {{"preset", "takes a preset of `filters --presets`",
      .args = {{.type = RN_ARG_PRESET, .name = "NAME"}}, .flags = RN_COMMAND_SCRIPT | UNDOABLE},
     .run = take_preset, .least = 1},
    {{"tune", "searches the values with which the right is nearest to the left, on this frame",
      .args = {{.type = RN_ARG_TEXT, .name = "STAGE.PARAM..."}},
      .flags = RN_COMMAND_SCRIPT | UNDOABLE}, .run = tune, .least = 1},
    {.run = NULL},
};
// clang-format on
