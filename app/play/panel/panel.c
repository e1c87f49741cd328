#include "app/play/panel/panel.h"

#include "app/play/edit/change.h"
#include "app/play/panel/completion.h"
#include "app/play/loop/player.h"
#include "app/play/overlay/times.h"
#include "app/play/overlay/message.h"
#include "app/play/edit/tuner.h"
#include "app/play/stacks/slices.h"
#include "app/run/session.h"
#include "ui/window.h"
#include "app/play/stacks/stacks.h"
#include "filters/base/text/printable.h"
#include "filters/core/chain/level.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_ROWS 512

struct rn_play_panel {
    bool open;
    enum rn_play_typing types;
    struct rn_play_typed typed;
    int chosen;  /* of the offers for what is typed */
    double grip; /* the place in its range of the value that is being slid; NAN: none is */

    /* What is drawn. */
    struct rn_ui_panel panel;
    struct rn_ui_panel_row row[MAX_ROWS];
    struct {
        char name[64], value[64], note[256];
    } text[MAX_ROWS];
    char title[128];
};

/* What can follow in a field, and how it is written there. NULL: nothing is offered. */
struct field {
    bool (*offer)(const char *text, int n, struct rn_play_offer *offer);
    void (*complete)(char *text, size_t size, int n);
};

static struct field field_of(const struct rn_play *p)
{
    return p->panel->types == RN_TYPES_FILTER
               ? (struct field){rn_play_completion_offer, rn_play_completion_take}
           : p->panel->types == RN_TYPES_COMMAND
               ? (struct field){p->host->offer_command, p->host->complete_command}
               : (struct field){NULL, NULL};
}

/* ---- rows */

/* NULL: the panel is full. */
static struct rn_ui_panel_row *add_row(struct rn_play_panel *panel, const char *name,
                                       const char *value, const char *note)
{
    int i = panel->panel.n;
    if (i == MAX_ROWS)
        return NULL;
    snprintf(panel->text[i].name, sizeof panel->text[i].name, "%s", name);
    snprintf(panel->text[i].value, sizeof panel->text[i].value, "%s", value);
    snprintf(panel->text[i].note, sizeof panel->text[i].note, "%s", note);
    panel->row[i] = (struct rn_ui_panel_row){.name = panel->text[i].name,
                                             .value = panel->text[i].value,
                                             .note = panel->text[i].note,
                                             .at = NAN};
    panel->panel.n++;
    return &panel->row[i];
}

static void add_head(struct rn_play *p, int i)
{
    const struct rn_stage *s = rn_chain_stage(p->session->chain, i);
    char name[64], value[64] = "";
    snprintf(name, sizeof name, "%d  %s%s%s", i + 1, s->desc->name, s->label ? " @" : "",
             s->label ? s->label : "");
    if (s->on)
        snprintf(value, sizeof value, "%.2f ms", 1e3 * p->times->per_frame.stage[i]);
    struct rn_ui_panel_row *row = add_row(p->panel, name, value, "");
    if (!row)
        return;
    row->head = true;
    row->off = !s->on;
}

static void add_param(struct rn_play *p, int i, const struct rn_param *param, bool selected)
{
    const struct rn_stage *s = rn_chain_stage(p->session->chain, i);
    const struct rn_geom *in = &p->session->analysis.stage[i].in;
    const char *unit = param->level ? "" : rn_param_unit(param, s->params);
    char number[48], value[64];
    rn_level_value(param, s->params, in, number, sizeof number);
    snprintf(value, sizeof value, "%s%s%s", number, *unit ? " " : "", unit);
    rn_printable(value, false);
    struct rn_ui_panel_row *row = add_row(p->panel, param->name, value, "");
    if (!row)
        return;
    row->off = !s->on;
    row->selected = selected;
    row->at = rn_level_place(param, s->params, in);
}

/* A stage without a parameter is selected itself. */
static void add_chain(struct rn_play *p)
{
    const struct rn_param *row, *selected = NULL;
    int stage = -1;
    rn_play_tuner_selected(p, &stage, &selected);
    for (int i = 0; i < rn_chain_count(p->session->chain); i++) {
        int places = rn_play_tuner_places(p, i);
        add_head(p, i);
        for (int k = 0; k < places; k++)
            if ((row = rn_play_tuner_place(p, i, k)) != NULL)
                add_param(p, i, row, i == stage && row == selected);
            else if (p->panel->panel.n)
                p->panel->row[p->panel->panel.n - 1].selected = i == stage;
    }
}

static void add_offers(struct rn_play *p)
{
    struct rn_play_offer offer;
    struct rn_ui_panel_row *row;
    for (int i = 0; field_of(p).offer(p->panel->typed.text, i, &offer) &&
                    (row = add_row(p->panel, offer.name, "", offer.note)) != NULL;
         i++)
        row->selected = i == p->panel->chosen;
}

const struct rn_ui_panel *rn_play_panel(struct rn_play *p)
{
    struct rn_play_panel *panel = p->panel;
    if (!panel->open && !panel->types)
        return NULL;
    panel->panel = (struct rn_ui_panel){
        .row = panel->row, .title = panel->types ? panel->title : "", .typed = panel->typed.text};
    if (field_of(p).offer)
        add_offers(p);
    else if (panel->open || panel->types == RN_TYPES_VALUE)
        add_chain(p);
    return &panel->panel;
}

/* The stage of row number n, and which of its parameters: -1: the row is its head. */
static bool find_row(const struct rn_play *p, int n, int *stage, int *place)
{
    for (int i = 0; i < rn_chain_count(p->session->chain); i++) {
        int places = rn_play_tuner_places(p, i);
        int rows = 1 + (rn_play_tuner_place(p, i, 0) ? places : 0);
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
    p->panel->chosen = 0;
    rn_ui_type(p->window, types != RN_TYPES_NOTHING);
}

/* The current value stands there until another one is typed. */
static void type_value(struct rn_play *p)
{
    const struct rn_param *row = NULL;
    int stage = 0;
    if (!p->session->runner) { /* before the first frame: the parameter is not known yet */
        rn_ui_type(p->window, true);
        return;
    }
    if (!rn_play_tuner_selected(p, &stage, &row) || !row)
        return;
    const struct rn_stage *s = rn_chain_stage(p->session->chain, stage);
    char range[96], value[sizeof p->panel->typed.text];
    rn_level_range(row, &p->session->analysis.stage[stage].in, range, sizeof range);
    snprintf(p->panel->title, sizeof p->panel->title, "%s [%s]:", row->name, range);
    rn_param_format(row, s->params, value, sizeof value);
    rn_play_typed_begin(&p->panel->typed, value);
    begin(p, RN_TYPES_VALUE);
}

void rn_play_panel_type(struct rn_play *p, int what)
{
    static const char *const titles[] = {[RN_TYPES_FILTER] = "add a stage:",
                                         [RN_TYPES_PLACE] = "go to (150f, 1:30, +5, -10f):",
                                         [RN_TYPES_COMMAND] = "command:"};
    size_t size = sizeof p->panel->title;
    if (what == RN_TYPES_VALUE) {
        type_value(p);
        return;
    }
    const struct rn_io_stack *stack = rn_play_slices_stack(p->slices);
    if (what == RN_TYPES_PLACE && stack)
        snprintf(p->panel->title, size, "go to slice 1..%lld (+5, -10):", (long long)stack->n);
    else
        snprintf(p->panel->title, size, "%s", titles[what]);
    rn_play_typed_begin(&p->panel->typed, "");
    begin(p, what);
}

void rn_play_panel_ask(struct rn_play *p, const char *question)
{
    snprintf(p->panel->title, sizeof p->panel->title, "%s", question);
    rn_printable(p->panel->title, false);
    rn_play_typed_begin(&p->panel->typed, "");
    begin(p, RN_TYPES_ANSWER);
}

static void choose(struct rn_play *p, int by)
{
    struct rn_play_panel *panel = p->panel;
    const struct field field = field_of(p);
    struct rn_play_offer offer;
    int n = 0;
    while (field.offer && field.offer(panel->typed.text, n, &offer))
        n++;
    panel->chosen = n ? ((panel->chosen + by) % n + n) % n : 0;
}

static void complete(struct rn_play *p)
{
    struct rn_play_panel *panel = p->panel;
    if (field_of(p).complete)
        field_of(p).complete(panel->typed.text, sizeof panel->typed.text, panel->chosen);
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
    bool offered = !named && p->host->offer_command(panel->typed.text, panel->chosen, &offer);
    snprintf(line, sizeof line, "%s", offered ? offer.name : panel->typed.text);
    bool empty = !*panel->typed.text && !panel->chosen;
    begin(p, RN_TYPES_NOTHING);
    int err = empty ? 0 : p->host->command_line(p, line, &done);
    if (!done && panel->types == RN_TYPES_NOTHING) /* the command may ask something */
        begin(p, RN_TYPES_COMMAND);
    return err;
}

static int answer(struct rn_play *p, bool yes)
{
    bool asked = p->panel->types == RN_TYPES_ANSWER;
    begin(p, RN_TYPES_NOTHING);
    return asked ? p->host->answer(p, yes) : 0;
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
    if (panel->types == RN_TYPES_ANSWER)
        return answer(p, !strcmp(panel->typed.text, "y") || !strcmp(panel->typed.text, "yes"));
    struct rn_play_offer offer;
    if (panel->types == RN_TYPES_FILTER) {
        bool whole = strpbrk(panel->typed.text, "=,");
        change.kind = RN_CHANGE_ADD;
        if (!whole && rn_play_completion_offer(panel->typed.text, panel->chosen, &offer))
            change.text = offer.name;
    }
    int err = p->host->edit(p, &change);
    if (!p->host->was_refused(p))
        begin(p, RN_TYPES_NOTHING);
    return err;
}

/* ---- the mouse */

static int pick(struct rn_play *p, const struct rn_ui_event *e)
{
    int stage, place;
    const struct field field = field_of(p);
    if (field.offer) {
        struct rn_play_offer offer;
        p->panel->chosen = e->count;
        if (!field.offer(p->panel->typed.text, e->count, &offer) || offer.is_whole)
            return enter(p);
        complete(p);
        return 0;
    }
    if (p->panel->types == RN_TYPES_ANSWER || !find_row(p, e->count, &stage, &place))
        return 0;
    begin(p, RN_TYPES_NOTHING);
    rn_play_tuner_select(p, stage, place < 0 ? 0 : place);
    rn_play_say_parameter(p);
    const struct rn_param *row = place < 0 ? NULL : rn_play_tuner_place(p, stage, place);
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
    rn_play_tuner_select(p, stage, place);
    return p->host->edit(
        p, &(struct rn_play_change){.kind = RN_CHANGE_STEP, .count = (int)e->position});
}

void rn_play_panel_toggle(struct rn_play *p)
{
    p->panel->open = !p->panel->open;
    rn_play_tuner_show_all(p, p->panel->open);
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
        choose(p, e->count);
        return 0;
    case RN_EVENT_COMPLETE:
        complete(p);
        return 0;
    case RN_EVENT_ENTER:
        return enter(p);
    case RN_EVENT_CANCEL:
        return answer(p, false);
    case RN_EVENT_PANEL_SLIDE:
        return slide(p, e);
    case RN_EVENT_PANEL_STEP:
        return step(p, e);
    default:
        return pick(p, e);
    }
}

const struct rn_play_part_type rn_play_panel_part = {.size = sizeof(struct rn_play_panel)};
