/* What can stand at the end of a stage that is being typed, as far as it is written: filters that
 * fit a word, the parameters of the filter that are not given yet, or the values of a parameter
 * that has choices. All from the registry's tables. */
#ifndef RN_APP_PLAY_PANEL_COMPLETION_H
#define RN_APP_PLAY_PANEL_COMPLETION_H

#include <stdbool.h>
#include <stddef.h>

struct rn_play_offer {
    const char *name; /* of the filter, parameter or value */
    char note[256];   /* about it; "": nothing */
    bool is_whole;    /* it can be entered as it stands */
};

/* Offer number n, from 0, the best first, for the end of text. Of a parameter without choices there
 * is one, that parameter, whose note has the range. Returns false if there are not so many. */
bool rn_play_completion_offer(const char *text, int n, struct rn_play_offer *offer);

/* Writes offer number n to the end of text, an array of size bytes, with the sign that goes on from
 * it, = or :. Text that has no room for it, or nothing to be completed, stays as it is. */
void rn_play_completion_take(char *text, size_t size, int n);

#endif
