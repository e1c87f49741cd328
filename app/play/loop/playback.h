/* Frames in their time: from the reader through the runner to the window. All functions return 0 or
 * an error that ends all (logged). */
#ifndef RN_APP_PLAY_LOOP_PLAYBACK_H
#define RN_APP_PLAY_LOOP_PLAYBACK_H

#include <stdbool.h>

struct rn_play;
struct rn_runner;

/* Brings the next frame, and shows it when its time has come. *wait: how long, in seconds, nothing
 * is to be done. */
int rn_play_advance(struct rn_play *p, double *wait);

/* Brings the screen up to date, if the settings or what is drawn over the picture have changed:
 * once for many keys. Waits for no device: with a chain that takes long the picture comes with a
 * later call. */
int rn_play_refresh(struct rn_play *p);

/* Waits until the picture on the screen has the settings of now. */
int rn_play_catch_up(struct rn_play *p);

/* Gives the frames in hand to another runner for the same input, with as many slots at least; the
 * one on the screen comes first and is shown again. While the reader holds. */
int rn_play_move(struct rn_play *p, struct rn_runner *runner);

#endif
