/* SPDX-License-Identifier: MIT */
#include "app/play/panel/panel.h"

#include "app/play/control/command_table.h"
#include "app/play/edit/settings.h"
#include "app/help/help.h"
#include "app/play/loop/player.h"
#include "app/play/stacks/stacks.h"
#include "filters/base/text/printable.h"
#include "filters/core/chain/level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS 512

/* What is drawn. */
struct rows {
    struct rn_ui_panel panel;
    struct rn_ui_panel_row row[MAX_ROWS];
    struct {
        char name[96], value[64], note[256];
    } text[MAX_ROWS];
};

struct rn_play_panel {
    bool open, left;
    double grip; /* the place in its range of the value that is being slid; NAN: none is */
    struct rows rows;
    struct {
        int stage, place;
    } at[MAX_ROWS];                                 /* of each row; place -1: it is a stage */
    uint32_t folded;                                /* a bit for each of the stages... */
    const struct rn_stage_desc *was[RN_MAX_STAGES]; /* ...which were these when it was drawn */

    /* What is typed or chosen from. */
    enum rn_play_typing types;
    struct rn_app_typed typed;
    enum rn_ui_menu menu;
    int chosen;                   /* of the offers; -1: none yet */
    struct rn_ui_key_line *lines; /* of the help; owned */
    int nlines;
    struct rows list;
    char title[128], about[512];
};

/* ---- what is offered */

/* The line of the help; of "down / up" the word for the argument. */
static void write_label(const struct rn_ui_command *c, int count, char *buf, size_t size)
{
    char text[128];
    rn_ui_command_help(c, count, text, sizeof text);
    char *slash = rn_ui_command_has_direction(c) ? strstr(text, " / ") : NULL;
    char *left = slash ? slash : text, *right = slash ? slash + 3 : text;
    while (left > text && left[-1] != ' ')
        left--;
    const char *rest = right + strcspn(right, " ");
    bool first = slash && count > 0;
    snprintf(buf, size, "%.*s%s", (int)((first ? slash : left) - text), text, first ? rest : right);
}

/* Offers command n, with its key, of those in the menu that contain what is typed. */
static bool offer_of_menu(const struct rn_play *p, int n, struct rn_app_offer *offer)
{
    for (const struct rn_ui_command *const *c = p->keys->commands; *c; c++) {
        const char *menus = (*c)->menus;
        for (int way = 1; way >= -1 && menus && strchr(menus, (char)p->panel->menu); way -= 2) {
            if (way < 0 && !rn_ui_command_has_direction(*c))
                continue;
            *offer = (struct rn_app_offer){
                .name = "", .command = *c, .count = way * rn_ui_command_default(*c)};
            write_label(*c, offer->count, offer->note, sizeof offer->note);
            rn_ui_keymap_key(p->keys, *c, offer->count, offer->keys);
            if (rn_app_holds(offer->note, p->panel->typed.text) && !n--)
                return true;
        }
    }
    return false;
}

/* Likewise of the lines of the help, with the titles of their groups. */
static bool offer_of_help(const struct rn_play_panel *panel, int n, struct rn_app_offer *offer)
{
    const char *last = "", *word = panel->typed.text;
    for (const struct rn_ui_key_line *line = panel->lines; line < panel->lines + panel->nlines;
         line++) {
        if (!rn_app_holds(line->keys, word) && !rn_app_holds(line->help, word) &&
            !rn_app_holds(line->command->name, word) && !rn_app_holds(line->group, word))
            continue;
        bool head = strcmp(line->group, last) != 0 && !n--;
        last = line->group;
        if (!head && n--)
            continue;
        *offer = (struct rn_app_offer){.name = head ? line->group : line->keys,
                                       .head = head,
                                       .command = line->command,
                                       .count = line->count};
        snprintf(offer->note, sizeof offer->note, "%s", head ? "" : line->help);
        return true;
    }
    return false;
}

/* Offer n for what is typed. Returns false if there are fewer. */
static bool offers(const struct rn_play *p, int n, struct rn_app_offer *offer)
{
    const struct rn_play_panel *panel = p->panel;
    const char *text = panel->typed.text;
    switch (panel->types) {
    case RN_TYPES_FILTER:
        return rn_app_completion_offer(text, n, offer);
    case RN_TYPES_COMMAND:
        return rn_play_command_offer(text, n, offer);
    case RN_TYPES_HELP:
        return offer_of_help(panel, n, offer);
    case RN_TYPES_MENU:
        return offer_of_menu(p, n, offer);
    default:
        return false;
    }
}

static const struct {
    const char *title; /* NULL: of what is asked */
    enum rn_ui_panel_kind kind;
} fields[] = {
    [RN_TYPES_FILTER] = {"add a filter:", RN_PANEL_LIST},
    [RN_TYPES_VALUE] = {NULL, RN_PANEL_FIELD},
    [RN_TYPES_PLACE] = {"go to (150f, 1:30, +5, -10f):", RN_PANEL_FIELD},
    [RN_TYPES_COMMAND] = {"command:", RN_PANEL_LIST},
    [RN_TYPES_ANSWER] = {NULL, RN_PANEL_FIELD},
    [RN_TYPES_HELP] = {"all keys (Esc closes); a word to find:", RN_PANEL_HELP},
    [RN_TYPES_MENU] = {"find:", RN_PANEL_MENU},
};

/* It can be typed into, and what is chosen is done, without a line of its own. */
static bool is_menu(const struct rn_play *p)
{
    return fields[p->panel->types].kind >= RN_PANEL_HELP;
}

/* ---- rows */

/* NULL: there is no space. */
static struct rn_ui_panel_row *add_row(struct rows *rows, const char *name, const char *value,
                                       const char *note)
{
    int i = rows->panel.n;
    if (i == MAX_ROWS)
        return NULL;
    snprintf(rows->text[i].name, sizeof rows->text[i].name, "%s", name);
    snprintf(rows->text[i].value, sizeof rows->text[i].value, "%s", value);
    snprintf(rows->text[i].note, sizeof rows->text[i].note, "%s", note);
    rows->row[i] = (struct rn_ui_panel_row){.name = rows->text[i].name,
                                            .value = rows->text[i].value,
                                            .note = rows->text[i].note,
                                            .at = NAN};
    rows->panel.n++;
    return &rows->row[i];
}

/* A row of stage i, or of its parameter in a place. */
static struct rn_ui_panel_row *add_own(struct rn_play *p, int i, int place, const char *name,
                                       const char *value)
{
    struct rn_play_panel *panel = p->panel;
    struct rn_ui_panel_row *row = add_row(&panel->rows, name, value, "");
    if (!row)
        return NULL;
    panel->at[row - panel->rows.row].stage = i;
    panel->at[row - panel->rows.row].place = place;
    row->off = !rn_chain_stage(p->session->chain, i)->on;
    return row;
}

static struct rn_ui_panel_row *add_head(struct rn_play *p, int i)
{
    const struct rn_stage *s = rn_chain_stage(p->session->chain, i);
    char name[64], value[64] = "";
    snprintf(name, sizeof name, "%d  %s%s%s", i + 1, s->desc->name, s->label ? " @" : "",
             s->label ? s->label : "");
    if (s->on)
        snprintf(value, sizeof value, "%.2f ms", 1e3 * p->times->per_frame.stage[i]);
    struct rn_ui_panel_row *row = add_own(p, i, -1, name, value);
    if (row) {
        row->head = true;
        row->folded = p->panel->folded >> i & 1;
    }
    return row;
}

static void add_param(struct rn_play *p, int i, int place, const struct rn_param *param,
                      bool selected)
{
    const struct rn_stage *s = rn_chain_stage(p->session->chain, i);
    char value[64];
    struct rn_ui_panel_row *row =
        add_own(p, i, place, param->name, rn_play_cursor_value(p, i, param, value, sizeof value));
    if (!row)
        return;
    row->selected = selected;
    row->at = rn_level_place(param, rn_stage_values(s, param), &p->session->analysis.stage[i].in);
}

/* Stages stay folded up to the first one that is new or elsewhere. */
static void follow_folds(struct rn_play *p)
{
    struct rn_play_panel *panel = p->panel;
    bool same = true;
    for (int i = 0; i < RN_MAX_STAGES; i++) {
        const struct rn_stage *s = rn_chain_stage(p->session->chain, i);
        same = same && panel->was[i] == (s ? s->desc : NULL);
        panel->was[i] = s ? s->desc : NULL;
        panel->folded &= ~((uint32_t)!same << i);
    }
}

/* A stage without a parameter, or a folded one, is selected itself. */
static void add_chain(struct rn_play *p)
{
    const struct rn_play_selected at = rn_play_cursor_selected(p);
    const struct rn_param *row;
    follow_folds(p);
    for (int i = 0; i < rn_chain_count(p->session->chain); i++) {
        int places = rn_play_cursor_places(p, i);
        struct rn_ui_panel_row *head = add_head(p, i);
        bool alone = !rn_play_cursor_place(p, i, 0) || p->panel->folded >> i & 1;
        if (head)
            head->selected = alone && i == at.stage;
        for (int k = 0; k < places && !alone; k++)
            if ((row = rn_play_cursor_place(p, i, k)) != NULL)
                add_param(p, i, k, row, i == at.stage && row == at.row);
    }
}

static void add_offers(struct rn_play *p)
{
    struct rn_play_panel *panel = p->panel;
    struct rn_app_offer offer;
    struct rn_ui_panel_row *row;
    bool menu = panel->types == RN_TYPES_MENU;
    for (int i = 0; offers(p, i, &offer); i++) {
        for (int k = 0; k < panel->nlines && panel->types == RN_TYPES_COMMAND; k++)
            if (!strcmp(panel->lines[k].command->name, offer.name) && !*offer.keys)
                snprintf(offer.keys, sizeof offer.keys, "%s", panel->lines[k].keys);
        row = add_row(&panel->list, menu ? offer.note : offer.name, offer.keys,
                      menu ? "" : offer.note);
        if (!row)
            return;
        row->selected = i == panel->chosen;
        row->head = offer.head;
    }
}

/* What the selected parameter does, and its range; NULL: none is selected. */
static const char *explain(struct rn_play *p)
{
    struct rn_play_panel *panel = p->panel;
    const struct rn_play_selected at = rn_play_cursor_selected(p);
    char range[160];
    if (!at.row)
        return NULL;
    rn_level_range(at.row, at.input, range, sizeof range);
    const size_t size = sizeof panel->about;
    size_t n = (size_t)snprintf(panel->about, size, "%s: %s", at.row->name, at.row->help);
    const char *sign = " (", *end = at.row->type == RN_CHOICE ? "|" : "";
    char *rest, *word = strtok_r(range, end, &rest);
    for (; word && n < size; word = strtok_r(NULL, end, &rest), sign = ", ")
        n += (size_t)snprintf(panel->about + n, size - n, "%s%s", sign, word);
    if (n < size)
        snprintf(panel->about + n, size - n, ")");
    return panel->about;
}

/* Says that nothing offered has the word that is typed: not of values, and the rest of a line. */
static const char *no_offer(const struct rn_play *p)
{
    const char *typed = p->panel->typed.text;
    bool names = fields[p->panel->types].kind == RN_PANEL_LIST;
    bool word = is_menu(p) || (names && !strpbrk(typed, " =,:@./"));
    return word && *typed && !p->panel->list.panel.n ? "nothing has this word" : NULL;
}

void rn_play_show_panel(struct rn_play *p, struct rn_ui_scene *scene)
{
    struct rn_play_panel *panel = p->panel;
    panel->rows.panel = (struct rn_ui_panel){
        .row = panel->rows.row, .kind = RN_PANEL_DOCK, .left = panel->left, .title = ""};
    panel->list.panel = (struct rn_ui_panel){
        .row = panel->list.row,
        .kind = fields[panel->types].kind,
        .title = panel->types == RN_TYPES_MENU && !*panel->typed.text ? "" : panel->title,
        .typed = panel->typed.text};
    if (panel->open) {
        add_chain(p);
        panel->rows.panel.about = explain(p);
        scene->panel = &panel->rows.panel;
    }
    if (panel->types) {
        add_offers(p);
        panel->list.panel.about = panel->types == RN_TYPES_VALUE ? explain(p) : no_offer(p);
        scene->list = &panel->list.panel;
    }
}

/* ---- typing */

static void begin(struct rn_play *p, enum rn_play_typing types)
{
    struct rn_play_panel *panel = p->panel;
    panel->types = types;
    panel->chosen = is_menu(p) ? -1 : 0;
    free(panel->lines);
    panel->lines = NULL;
    panel->nlines = types ? rn_ui_keymap_lines(p->keys, false, &panel->lines) : 0;
    rn_ui_type(p->window, types != RN_TYPES_NOTHING);
    if (panel->open) /* a list may come in its place */
        rn_play_redraw_pictures(p);
}

/* The current value stands there until another one is typed. */
static void type_value(struct rn_play *p)
{
    const struct rn_play_selected at = rn_play_cursor_selected(p);
    if (!p->session->runner) { /* before the first frame: the parameter is not known yet */
        rn_ui_type(p->window, true);
        return;
    }
    if (!at.row)
        return;
    const void *values = rn_stage_values(at.of, at.row);
    char value[sizeof p->panel->typed.text];
    snprintf(p->panel->title, sizeof p->panel->title, "%s:", at.row->name);
    rn_level_value(at.row, values, at.input, value, sizeof value);
    char *unit = at.row->level ? strstr(value, at.input->scan ? " stored" : " of 255") : NULL;
    if (unit) /* a number alone means that */
        *unit = '\0';
    else if (at.row->level && !*at.input->rescale.unit)
        rn_param_format(at.row, values, value, sizeof value);
    rn_app_typed_begin(&p->panel->typed, value);
    begin(p, RN_TYPES_VALUE);
}

void rn_play_panel_type(struct rn_play *p, int what)
{
    size_t size = sizeof p->panel->title;
    if (what == RN_TYPES_VALUE) {
        type_value(p);
        return;
    }
    const struct rn_io_stack *stack = rn_play_slices_stack(p->slices);
    if (what == RN_TYPES_PLACE && stack)
        snprintf(p->panel->title, size, "go to slice 1..%lld (+5, -10):", (long long)stack->n);
    else
        snprintf(p->panel->title, size, "%s", fields[what].title);
    p->panel->menu = p->panel->open ? RN_MENU_STAGE : RN_MENU_PICTURE;
    rn_app_typed_begin(&p->panel->typed, "");
    begin(p, (enum rn_play_typing)what);
}

void rn_play_panel_ask(struct rn_play *p, const char *question)
{
    snprintf(p->panel->title, sizeof p->panel->title, "%s", question);
    rn_printable(p->panel->title, false);
    rn_app_typed_begin(&p->panel->typed, "");
    begin(p, RN_TYPES_ANSWER);
}

/* Chooses the offer `by` further, round and round, or in pages to the last or the first; titles
 * are passed over. */
static void choose(struct rn_play *p, int by, bool pages)
{
    struct rn_play_panel *panel = p->panel;
    struct rn_app_offer offer = {.head = true};
    int n = 0, at = panel->chosen < 0 && by < 0 ? 0 : panel->chosen;
    while (offers(p, n, &offer))
        n++;
    offer.head = n > 0;
    if (pages && n) {
        at = at + by < 0 ? 0 : at + by < n ? at + by : n - 1;
        offers(p, at, &offer);
        by = 1;
    }
    for (int i = 0; i < n && offer.head; i++, by = by < 0 ? -1 : 1) {
        at = ((at + by) % n + n) % n;
        offers(p, at, &offer);
    }
    panel->chosen = n ? at : is_menu(p) ? -1 : 0;
}

static void choose_first(struct rn_play *p)
{
    p->panel->chosen = is_menu(p) ? -1 : 0;
    if (is_menu(p) && *p->panel->typed.text)
        choose(p, 1, false);
}

static void complete(struct rn_play *p)
{
    struct rn_play_panel *panel = p->panel;
    char *text = panel->typed.text;
    if (panel->types == RN_TYPES_FILTER)
        rn_app_completion_take(text, sizeof panel->typed.text, panel->chosen);
    if (panel->types == RN_TYPES_COMMAND)
        rn_play_command_complete(text, sizeof panel->typed.text, panel->chosen);
    panel->chosen = is_menu(p) ? panel->chosen : 0;
    panel->typed.fresh = false;
}

/* The field is closed first, because the command may open another one. */
static int enter_command(struct rn_play *p)
{
    struct rn_play_panel *panel = p->panel;
    struct rn_app_offer offer;
    char line[sizeof panel->typed.text];
    bool done = true, named = strchr(panel->typed.text, ' ');
    bool offered = !named && rn_play_command_offer(panel->typed.text, panel->chosen, &offer);
    bool empty = !*panel->typed.text && !panel->chosen;
    if (offered && !empty && !offer.is_whole) { /* its arguments are typed next */
        complete(p);
        return 0;
    }
    snprintf(line, sizeof line, "%s", offered ? offer.name : panel->typed.text);
    begin(p, RN_TYPES_NOTHING);
    int err = empty ? 0 : rn_play_command_line(p, line, &done);
    if (!done && panel->types == RN_TYPES_NOTHING) /* the command may ask something */
        begin(p, RN_TYPES_COMMAND);
    return err;
}

static int enter_menu(struct rn_play *p)
{
    struct rn_app_offer offer;
    bool any = p->panel->chosen >= 0 && offers(p, p->panel->chosen, &offer) && !offer.head;
    begin(p, RN_TYPES_NOTHING);
    return any ? rn_play_run_command(p, offer.command, offer.count) : 0;
}

static int answer(struct rn_play *p, bool yes)
{
    bool asked = p->panel->types == RN_TYPES_ANSWER;
    begin(p, RN_TYPES_NOTHING);
    return asked ? rn_play_answer(p, yes) : 0;
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
    if (is_menu(p))
        return enter_menu(p);
    if (panel->types == RN_TYPES_COMMAND)
        return enter_command(p);
    if (panel->types == RN_TYPES_ANSWER)
        return answer(p, !strcmp(panel->typed.text, "y") || !strcmp(panel->typed.text, "yes"));
    struct rn_app_offer offer;
    if (panel->types == RN_TYPES_FILTER) {
        bool whole = strpbrk(panel->typed.text, "=,");
        change.kind = RN_CHANGE_ADD;
        if (!whole && rn_app_completion_offer(panel->typed.text, panel->chosen, &offer))
            change.text = offer.name;
    }
    int err = rn_play_edit(p, &change);
    if (!rn_play_was_refused(p))
        begin(p, RN_TYPES_NOTHING);
    return err;
}

/* ---- the mouse */

static int pick_offer(struct rn_play *p, const struct rn_ui_event *e)
{
    struct rn_app_offer offer;
    if (!offers(p, e->count, &offer) || offer.head)
        return 0;
    p->panel->chosen = e->count;
    if (is_menu(p) || offer.is_whole)
        return e->kind == RN_EVENT_LIST_POINT ? 0 : enter(p);
    if (e->kind == RN_EVENT_LIST_PICK)
        complete(p);
    return 0;
}

/* Selects what a row is of. Returns the parameter; NULL: it is a stage. */
static const struct rn_param *select_row(struct rn_play *p, int n)
{
    int stage = p->panel->at[n].stage, place = p->panel->at[n].place;
    rn_play_cursor_select(p, stage, place < 0 ? 0 : place);
    rn_play_say_parameter(p);
    return place < 0 ? NULL : rn_play_cursor_place(p, stage, place);
}

static int pick(struct rn_play *p, const struct rn_ui_event *e)
{
    struct rn_play_panel *panel = p->panel;
    if (panel->types == RN_TYPES_ANSWER || e->count < 0 || e->count >= panel->rows.panel.n)
        return 0;
    begin(p, RN_TYPES_NOTHING);
    const struct rn_param *row = select_row(p, e->count);
    const struct rn_play_selected at = rn_play_cursor_selected(p);
    panel->grip = row ? rn_level_place(row, rn_stage_values(at.of, row), at.input) : NAN;
    if (e->kind == RN_EVENT_PANEL_SWITCH)
        return rn_play_edit(p, &(struct rn_play_change){.kind = RN_CHANGE_TOGGLE});
    if (e->kind == RN_EVENT_PANEL_FOLD && !row)
        rn_play_panel_fold(p);
    if (e->kind == RN_EVENT_PANEL_TYPE && row)
        type_value(p);
    bool slides = e->kind == RN_EVENT_PANEL_PICK && e->again && !isnan(panel->grip);
    panel->grip = slides ? e->position : panel->grip;
    const struct rn_play_change to = {.kind = RN_CHANGE_SLIDE, .position = e->position};
    return slides ? rn_play_edit(p, &to) : 0;
}

static int slide(struct rn_play *p, const struct rn_ui_event *e)
{
    double place = p->panel->grip + e->position;
    if (p->panel->types || isnan(p->panel->grip))
        return 0;
    const struct rn_play_change to = {
        .kind = RN_CHANGE_SLIDE, .position = fmin(fmax(place, 0), 1), .again = e->again};
    return rn_play_edit(p, &to);
}

static int step(struct rn_play *p, const struct rn_ui_event *e)
{
    if (p->panel->types || !select_row(p, e->count))
        return 0;
    return rn_play_edit(
        p, &(struct rn_play_change){.kind = RN_CHANGE_STEP, .count = (int)e->position});
}

void rn_play_panel_toggle(struct rn_play *p)
{
    p->panel->open = !p->panel->open;
    rn_play_cursor_show_all(p, p->panel->open);
    rn_play_redraw_pictures(p); /* they move aside */
}

void rn_play_panel_change_side(struct rn_play *p)
{
    p->panel->left = !p->panel->left;
    rn_play_redraw_pictures(p);
}

void rn_play_panel_fold(struct rn_play *p)
{
    if (rn_chain_count(p->session->chain))
        p->panel->folded ^= (uint32_t)1 << rn_play_cursor_selected(p).stage;
}

void rn_play_panel_menu(struct rn_play *p, const struct rn_ui_event *e)
{
    int row = e->count == RN_MENU_STAGE ? (int)e->position : -1;
    if (p->panel->types == RN_TYPES_ANSWER)
        return;
    if (row >= 0 && row < p->panel->rows.panel.n)
        select_row(p, row);
    rn_play_panel_type(p, RN_TYPES_MENU);
    rn_play_hint_done(p, "menu");
    p->panel->menu = (enum rn_ui_menu)e->count;
}

int rn_play_panel_act(struct rn_play *p, const struct rn_ui_event *e)
{
    struct rn_play_panel *panel = p->panel;
    switch (e->kind) {
    case RN_EVENT_TYPED:
        if (panel->types == RN_TYPES_HELP && !*panel->typed.text && !strcmp(e->text, "?"))
            return answer(p, false); /* as it was opened */
        rn_app_typed_add(&panel->typed, e->text);
        choose_first(p);
        return 0;
    case RN_EVENT_ERASE:
        rn_app_typed_erase(&panel->typed);
        choose_first(p);
        return 0;
    case RN_EVENT_CHOOSE:
    case RN_EVENT_PAGE:
        choose(p, e->count, e->kind == RN_EVENT_PAGE);
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
    case RN_EVENT_LIST_PICK:
    case RN_EVENT_LIST_POINT:
        return pick_offer(p, e);
    default:
        return pick(p, e);
    }
}

static void release(void *panel)
{
    free(((struct rn_play_panel *)panel)->lines);
}

const struct rn_play_part_type rn_play_panel_part = {.size = sizeof(struct rn_play_panel),
                                                     .release = release};
