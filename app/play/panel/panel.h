/* What the mouse and keys do in the panel of the preview (panel_rows.h), and what is typed. */
#ifndef RN_APP_PLAY_PANEL_PANEL_H
#define RN_APP_PLAY_PANEL_PANEL_H

#include "app/play/panel/panel_rows.h"

struct rn_play;
struct rn_ui_event;

/* Opens the panel, or closes it. */
void rn_play_panel_toggle(struct rn_play *p);

/* Opens a field, which what is typed next goes into. what: an rn_play_typing. */
void rn_play_panel_type(struct rn_play *p, int what);

/* Does what an event of the panel, or of typing, asks for. Returns 0 or an error (logged). */
int rn_play_panel_act(struct rn_play *p, const struct rn_ui_event *event);

#endif
