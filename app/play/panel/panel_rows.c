#include "app/play/panel/panel_rows.h"

#include "app/play/panel/completion.h"
#include "app/play/loop/player.h"
#include "app/play/edit/tuner.h"
#include "app/play/loop/times.h"
#include "app/run/session.h"
#include "ui/window.h"
#include "filters/base/text/printable.h"
#include "filters/core/chain/level.h"

#include <math.h>
#include <stdio.h>

/* ---- rows of the chain */

/* The next row, with texts of its own to fill; NULL: there is no room. */
static struct rn_ui_panel_row *add_row(struct rn_play_panel *panel)
{
    int i = panel->panel.n;
    if (i == RN_PANEL_MOST)
        return NULL;
    struct rn_ui_panel_row *row = &panel->row[i];
    panel->text[i].name[0] = panel->text[i].value[0] = panel->text[i].note[0] = '\0';
    *row = (struct rn_ui_panel_row){
        .name = panel->text[i].name, .value = panel->text[i].value, .note = "", .at = NAN};
    panel->panel.n++;
    return row;
}

static void add_head(struct rn_play *p, int i)
{
    const struct rn_stage *s = rn_chain_stage(p->session->chain, i);
    struct rn_play_panel *panel = p->panel;
    int n = panel->panel.n;
    struct rn_ui_panel_row *row = add_row(panel);
    if (!row)
        return;
    row->head = true;
    row->off = !s->on;
    snprintf(panel->text[n].name, sizeof panel->text[n].name, "%d  %s%s%s", i + 1, s->desc->name,
             s->label ? " @" : "", s->label ? s->label : "");
    if (s->on)
        snprintf(panel->text[n].value, sizeof panel->text[n].value, "%.2f ms",
                 1e3 * p->times->per_frame.stage[i]);
}

static void add_param(struct rn_play *p, int i, const struct rn_param *param, bool selected)
{
    const struct rn_stage *s = rn_chain_stage(p->session->chain, i);
    const struct rn_geom *in = &p->session->analysis.stage[i].in;
    struct rn_play_panel *panel = p->panel;
    int n = panel->panel.n;
    struct rn_ui_panel_row *row = add_row(panel);
    char value[48];
    if (!row)
        return;
    row->off = !s->on;
    row->selected = selected;
    row->at = rn_level_place(param, s->params, in);
    const char *unit = param->level ? "" : rn_param_unit(param, s->params);
    snprintf(panel->text[n].name, sizeof panel->text[n].name, "%s", param->name);
    rn_level_value(param, s->params, in, value, sizeof value);
    snprintf(panel->text[n].value, sizeof panel->text[n].value, "%s%s%s", value, *unit ? " " : "",
             unit);
    rn_printable(panel->text[n].value, false);
}

/* A stage without a parameter is selected itself. */
static void add_chain(struct rn_play *p)
{
    const struct rn_param *row;
    int at = 0;
    for (int i = 0; i < rn_chain_count(p->session->chain); i++) {
        int places = rn_play_tuner_places(p->tuner, i);
        add_head(p, i);
        for (int k = 0; k < places; k++, at++)
            if ((row = rn_play_tuner_place(p->tuner, i, k)) != NULL)
                add_param(p, i, row, at == p->tuner->selected);
            else if (p->panel->panel.n)
                p->panel->row[p->panel->panel.n - 1].selected = at == p->tuner->selected;
    }
}

/* ---- what can follow in what is typed */

static void add_offers(struct rn_play_panel *panel)
{
    struct rn_play_offer offer;
    for (int i = 0; panel->offer(panel->typed.text, i, &offer); i++) {
        int n = panel->panel.n;
        struct rn_ui_panel_row *row = add_row(panel);
        if (!row)
            return;
        row->selected = i == panel->chosen;
        row->note = panel->text[n].note;
        snprintf(panel->text[n].name, sizeof panel->text[n].name, "%s", offer.name);
        snprintf(panel->text[n].note, sizeof panel->text[n].note, "%s", offer.note);
    }
}

const struct rn_ui_panel *rn_play_panel(struct rn_play *p)
{
    struct rn_play_panel *panel = p->panel;
    if (!panel->open && !panel->types)
        return NULL;
    panel->panel = (struct rn_ui_panel){
        .row = panel->row, .title = panel->types ? panel->title : "", .typed = panel->typed.text};
    if (panel->types && panel->offer)
        add_offers(panel);
    else if (panel->open || panel->types != RN_TYPES_PLACE)
        add_chain(p);
    return &panel->panel;
}
