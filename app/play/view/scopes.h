/* Scopes of the two sides of a comparison, beside each other: the waveform (levels over columns),
 * the vectorscope (chroma), the histogram. */
#ifndef RN_APP_PLAY_VIEW_SCOPES_H
#define RN_APP_PLAY_VIEW_SCOPES_H

struct rn_play;
struct rn_ui_scene;

/* Shows the next scope, or none after the last. */
void rn_play_next_scope(struct rn_play *p);

/* Adds the scope to the scene: of the pictures that are to be drawn, or the one of before. */
void rn_play_show_scope(struct rn_play *p, struct rn_ui_scene *scene);

#endif
