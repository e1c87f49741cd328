/* A line that is being typed. */
#ifndef RN_APP_PLAY_PANEL_TYPED_H
#define RN_APP_PLAY_PANEL_TYPED_H

#include <stdbool.h>

/* Zeroed: empty. */
struct rn_play_typed {
    char text[512]; /* UTF-8 */
    bool fresh;     /* what is typed takes the place of what is there */
};

/* Begins with a text, which stands there until something else is typed; "": nothing does. */
void rn_play_typed_begin(struct rn_play_typed *typed, const char *text);

/* Adds what was typed, if there is room for it. */
void rn_play_typed_add(struct rn_play_typed *typed, const char *text);

/* Removes the last character. */
void rn_play_typed_erase(struct rn_play_typed *typed);

#endif
