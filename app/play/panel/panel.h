/* SPDX-License-Identifier: MIT */
/* What the mouse operates: the panel, lists, and the seek bar. */
#pragma once

struct rn_play;
struct rn_ui_event;
struct rn_ui_scene;
struct rn_ui_scene_bar;

/* ---- panel.c: the panel of the preview: rows of the chain; the field for typing, with the list of
 * what fits, which is also the help and the menus; and what the mouse and keys do in them. */

enum rn_play_typing {
    RN_TYPES_NOTHING,
    RN_TYPES_FILTER,
    RN_TYPES_VALUE,
    RN_TYPES_PLACE,
    RN_TYPES_COMMAND,
    RN_TYPES_ANSWER,
    RN_TYPES_HELP,
    RN_TYPES_MENU,
};

/* Adds the panel and the list to a scene, where they are open. Valid until the next call. */
void rn_play_show_panel(struct rn_play *p, struct rn_ui_scene *scene);

/* Opens or closes the panel; changes its side; shows or hides the selected stage's parameters. */
void rn_play_panel_toggle(struct rn_play *p);
void rn_play_panel_change_side(struct rn_play *p);
void rn_play_panel_fold(struct rn_play *p);

/* Opens the menu for what was clicked: RN_EVENT_MENU. */
void rn_play_panel_menu(struct rn_play *p, const struct rn_ui_event *event);

/* Opens a field, which what is typed next goes into. what: an rn_play_typing. */
void rn_play_panel_type(struct rn_play *p, int what);

/* Opens one for the answer to a question: rn_play_answer gets it. */
void rn_play_panel_ask(struct rn_play *p, const char *question);

/* Does what an event of the panel, or of typing, asks for. Returns 0 or an error (logged). */
int rn_play_panel_act(struct rn_play *p, const struct rn_ui_event *event);

/* ---- view/bar.c: the seek bar of the preview: its content, and seeks from it. */

/* The current bar. NULL: the input cannot seek, has no known length, or is a single picture. Valid
 * until the next call. */
const struct rn_ui_scene_bar *rn_play_bar(struct rn_play *p);

/* Shows the bar always, or only near the pointer; does what an event of the bar asks for. */
void rn_play_bar_toggle(struct rn_play *p);
void rn_play_bar_act(struct rn_play *p, const struct rn_ui_event *event);

/* Redraws the bar when a thumbnail for it has arrived. */
void rn_play_bar_poll(struct rn_play *p);
