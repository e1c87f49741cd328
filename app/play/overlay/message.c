#include "app/play/overlay/message.h"

#include "app/play/edit/tuner.h"
#include "app/play/export/render_queue.h"
#include "app/play/loop/player.h"
#include "filters/base/clock.h"
#include "filters/base/text/number.h"
#include "filters/base/text/printable.h"

#include <stdio.h>
#include <string.h>

#define MESSAGE_TIME 2.0 /* seconds */
#define MAX_ERROR    80  /* characters of an error that can be read on one line */

struct rn_play_message {
    char text[256];
    double until;       /* this time of rn_clock */
    bool drawn;         /* it was in what was drawn last */
    char building[256]; /* "": nothing */
};

void rn_play_say(struct rn_play *p, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    rn_number_vprint(p->message->text, sizeof p->message->text, fmt, args);
    va_end(args);
    rn_printable(p->message->text, false);
    p->message->until = rn_clock() + MESSAGE_TIME;
    rn_play_redraw(p);
}

void rn_play_say_refused(struct rn_play *p, const char *error)
{
    const char *part = strstr(error, "; ");
    bool cut = strlen(error) > MAX_ERROR && part;
    rn_play_say(p, "refused: %.*s%s", cut ? (int)(part - error) : 200, error,
                cut ? " (the terminal has the rest)" : "");
}

void rn_play_say_parameter(struct rn_play *p)
{
    char text[256];
    rn_play_say(p, "%s", rn_play_tuner_describe(p, text, sizeof text));
}

void rn_play_extend_message(struct rn_play *p, double seconds)
{
    p->message->until += seconds;
}

void rn_play_say_building(struct rn_play *p, const char *text)
{
    if (strcmp(text, p->message->building) != 0)
        rn_play_redraw(p);
    snprintf(p->message->building, sizeof p->message->building, "%s", text);
}

const char *rn_play_latest_message(const struct rn_play *p)
{
    return p->message->text;
}

void rn_play_write_messages(struct rn_play *p, char *buf, size_t size)
{
    char renders[RN_RENDERS_TEXT];
    rn_play_render_queue_describe(p->renders, renders);
    p->message->drawn = rn_clock() < p->message->until;
    const char *lines[] = {renders, p->message->drawn ? p->message->text : "",
                           p->message->building};
    *buf = '\0';
    for (size_t i = 0, used = 0; i < sizeof lines / sizeof *lines && used < size; i++)
        if (*lines[i])
            used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? "\n" : "", lines[i]);
}

void rn_play_poll_message(struct rn_play *p)
{
    if (p->message->drawn && rn_clock() >= p->message->until)
        rn_play_redraw(p);
}

const struct rn_play_part_type rn_play_message_part = {.size = sizeof(struct rn_play_message)};
