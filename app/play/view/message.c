#include "app/play/view/message.h"

#include "app/play/edit/tuner.h"
#include "app/play/loop/player.h"
#include "filters/base/clock.h"
#include "filters/base/text/printable.h"

#include <stdio.h>
#include <string.h>

#define MESSAGE_TIME 2.0 /* seconds */
#define LONGEST      80  /* characters of an error that can be read on one line */

void rn_play_say(struct rn_play *p, const char *text)
{
    snprintf(p->message->text, sizeof p->message->text, "%s", text);
    rn_printable(p->message->text, false);
    p->message->until = rn_clock() + MESSAGE_TIME;
    rn_play_redraw(p);
}

void rn_play_say_refused(struct rn_play *p, const char *error)
{
    char text[256];
    const char *part = strstr(error, "; ");
    bool cut = strlen(error) > LONGEST && part;
    snprintf(text, sizeof text, "refused: %.*s%s", cut ? (int)(part - error) : 200, error,
             cut ? " (the terminal has the rest)" : "");
    rn_play_say(p, text);
}

void rn_play_say_parameter(struct rn_play *p)
{
    char text[256];
    rn_play_say(p, rn_play_tuner_describe(p->tuner, text, sizeof text));
}
