/* The rows of the panel of the preview: from the chain, and from the registry for what is typed. */
#ifndef RN_APP_PLAY_PANEL_PANEL_ROWS_H
#define RN_APP_PLAY_PANEL_PANEL_ROWS_H

#include "app/play/panel/typed.h"
#include "ui/window.h"

#define RN_PANEL_MOST 512 /* rows */

struct rn_play;
struct rn_play_offer;

/* Zeroed at the beginning. */
struct rn_play_panel {
    bool open;
    enum rn_play_typing {
        RN_TYPES_NOTHING,
        RN_TYPES_FILTER,
        RN_TYPES_VALUE,
        RN_TYPES_PLACE,
        RN_TYPES_COMMAND,
    } types;
    struct rn_play_typed typed;
    /* What can follow in it (completion.h, command.h); NULL: nothing is offered. */
    bool (*offer)(const char *text, int n, struct rn_play_offer *offer);
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

#endif
