/* How values are shown: the window of the samples (scan_window.h), and the filtered picture as a
 * mask over the source (mask.h). */
#ifndef RN_APP_PLAY_VIEW_WINDOWING_H
#define RN_APP_PLAY_VIEW_WINDOWING_H

#include <stdbool.h>

struct rn_ui_event;
struct rn_play;
struct rn_screen;

/* Fits the window of a scan to the picture that is to be shown now; anew: the chain may be another
 * one. */
void rn_play_fit(struct rn_play *p, bool anew);

/* Changes the window of the samples that are shown, by the mouse; takes it back. */
void rn_play_window(struct rn_play *p, const struct rn_ui_event *event);
void rn_play_window_auto(struct rn_play *p);

/* Switches the mask over the source on or off; changes its opacity by steps. What is not possible
 * is said. */
void rn_play_toggle_mask(struct rn_play *p);
void rn_play_mask_opacity(struct rn_play *p, int steps);

/* Is the mask shown in place of the filtered picture? Makes the picture of it: 0, or an error
 * (logged). */
bool rn_play_has_mask(const struct rn_play *p);
int rn_play_show_mask(struct rn_play *p, struct rn_screen *to);

#endif
