/* The panel of the preview: its rows, from the chain and from the registry, and what is typed. */
#ifndef RN_APP_PLAY_PANEL_PANEL_H
#define RN_APP_PLAY_PANEL_PANEL_H

#include "app/play/edit/tuner.h"
#include "app/play/panel/typed.h"
#include "filters/core/runner/runner.h"
#include "ui/panel.h"

#define RN_PANEL_MOST 512 /* rows */

struct rn_play;
struct rn_ui_event;

/* Zeroed at the beginning. */
struct rn_play_panel {
    bool open;
    enum { RN_TYPES_NOTHING, RN_TYPES_FILTER, RN_TYPES_VALUE, RN_TYPES_PLACE } types;
    struct rn_play_typed typed;
    int chosen;  /* of what can follow (completion.h) */
    double grip; /* the place in its range of the value that is being slid */

    /* What is drawn. */
    struct rn_ui_panel panel;
    struct rn_ui_panel_row row[RN_PANEL_MOST];
    struct {
        char name[64], value[64], note[256];
    } text[RN_PANEL_MOST];
    char title[128];
};

/* The panel as it is now; NULL: there is none. Valid until the next call. */
const struct rn_ui_panel *rn_play_panel(struct rn_play *p);

/* Does what an event of the panel, or of typing, asks for. Returns 0 or an error (logged). */
int rn_play_panel_act(struct rn_play *p, const struct rn_ui_event *event);

#endif
