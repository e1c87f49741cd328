/* Messages that the window shows for a moment. */
#ifndef RN_APP_PLAY_VIEW_MESSAGE_H
#define RN_APP_PLAY_VIEW_MESSAGE_H

#include <stdbool.h>

struct rn_play;

/* Zeroed: nothing was said. */
struct rn_play_message {
    char text[256];
    double until;       /* this time of rn_clock */
    bool drawn;         /* it was in what was drawn last */
    char building[256]; /* what is built, for as long as that takes; "": nothing */
};

/* Show for two seconds: a message; a logged error as the reason for a refusal (its beginning if it
 * is long); the selected parameter. */
void rn_play_say(struct rn_play *p, const char *text);
void rn_play_say_refused(struct rn_play *p, const char *error);
void rn_play_say_parameter(struct rn_play *p);

#endif
