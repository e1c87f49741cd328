/* The seek bar of the preview: its content, and seeks from it. */
#ifndef RN_APP_PLAY_VIEW_BAR_H
#define RN_APP_PLAY_VIEW_BAR_H

#include <stdbool.h>

#include "app/play/view/thumbs.h"
#include "io/pixels/display.h"
#include "ui/window.h"

struct rn_play;
struct rn_ui_event;

/* Zeroed at the beginning. */
struct rn_play_bar {
    bool always, hovers;
    double hover;                  /* the place under the pointer, 0..1 */
    bool asked;                    /* for thumbs: they may be NULL all the same */
    struct rn_play_thumbs *thumbs; /* from the first time that the pointer comes near */
    struct rn_pix_display *display;

    /* What is drawn. */
    struct rn_ui_scene_bar scene;
    struct rn_screen screen;
    char label[96];
};

/* The current bar. NULL: the input cannot seek, has no known length, or is a single picture. Valid
 * until the next call. */
const struct rn_ui_scene_bar *rn_play_bar(struct rn_play *p);

/* Shows the bar always, or only where the pointer is near; does what an event of the bar asks
 * for. */
void rn_play_bar_toggle(struct rn_play *p);
void rn_play_bar_act(struct rn_play *p, const struct rn_ui_event *event);

/* Redraws the bar when a thumbnail for it has arrived. */
void rn_play_bar_poll(struct rn_play *p);

void rn_play_bar_free(struct rn_play *p);

#endif
