/* A place in the input as people type it: 90, 1:30.5 or 150f, as --from takes it; with a sign it is
 * as far from where they are. */
#ifndef RN_APP_PLAY_LOOP_PLACE_H
#define RN_APP_PLAY_LOOP_PLACE_H

#include <stdbool.h>

#include "io/read/source.h"

struct rn_play_place {
    int direction; /* 0: counted from the beginning; 1: from here on; -1: back */
    bool number;   /* nothing but a whole number: seconds, or of a stack slices, as time.frame */
    struct rn_read_time time;
};

/* Returns false if text is none. */
bool rn_play_place_parse(const char *text, struct rn_play_place *place);

#endif
