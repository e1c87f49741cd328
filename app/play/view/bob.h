/* How the window shows the two fields of interlaced frames: woven, both at once, or bobbed, each
 * for half the frame's time, with lines between its own that are their mean. */
#ifndef RN_APP_PLAY_VIEW_BOB_H
#define RN_APP_PLAY_VIEW_BOB_H

#include <stdbool.h>

#include "io/pixels/display.h"

struct rn_play;

/* Zeroed: woven. */
struct rn_play_bob {
    bool on;
    const void *slot; /* that is on the screen, and the frame in it */
    double time;
    double since; /* that is there since, by rn_clock */
    bool second;  /* its second field is shown */
};

/* Bobs, or weaves again, and says so. */
void rn_play_toggle_bob(struct rn_play *p);

/* The lines of the frame on the screen that are to be seen now. */
enum rn_pix_lines_shown rn_play_lines_shown(struct rn_play *p);

/* Has the second field shown when its time has come; *wait: shortened until then. */
void rn_play_next_field(struct rn_play *p, double *wait);

#endif
