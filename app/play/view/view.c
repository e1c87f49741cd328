#include "app/play/loop/player.h"
#include "app/play/view/readout.h"

#include "filters/base/clock.h"
#include "filters/base/err.h"
#include "filters/base/text/printable.h"

#include <stdio.h>
#include <string.h>

#define MESSAGE_TIME 2.0 /* seconds */
#define LONGEST      80  /* characters of an error that can be read on one line */

void rn_player_say(struct rn_player *p, const char *text)
{
    snprintf(p->message, sizeof p->message, "%s", text);
    rn_printable(p->message, false);
    p->message_until = rn_clock() + MESSAGE_TIME;
    p->redraw = true;
}

void rn_player_say_refused(struct rn_player *p, const char *error)
{
    char text[256];
    const char *part = strstr(error, "; ");
    bool cut = strlen(error) > LONGEST && part;
    snprintf(text, sizeof text, "refused: %.*s%s", cut ? (int)(part - error) : 200, error,
             cut ? " (the terminal has the rest)" : "");
    rn_player_say(p, text);
}

void rn_player_say_parameter(struct rn_player *p)
{
    char text[256];
    rn_player_say(p, rn_tuner_describe(&p->tuner, text, sizeof text));
}

/* Not only what lies over them, or the same pictures as they were drawn last. */
static bool needs_samples(const struct rn_player *p)
{
    return p->fresh || p->probe.on || (p->region.on && !p->region.measured) ||
           !rn_window_keeps(p->window, rn_player_layout(p)) || rn_player_wants_figures(p);
}

/* What is rendered, the message of now and what is built, each a line. NULL: nothing is told. */
static const char *tell(struct rn_player *p, char *buf, size_t size)
{
    char renders[RN_RENDERS_TEXT], building[256] = "";
    bool said = p->message_seen = rn_clock() < p->message_until;
    rn_render_queue_tell(&p->renders, renders);
    rn_player_build_tell(p, building, sizeof building);
    int used = snprintf(buf, size, "%s%s", renders, *renders && said ? "\n" : "");
    used += snprintf(buf + used, size - (size_t)used, "%s", said ? p->message : "");
    snprintf(buf + used, size - (size_t)used, "%s%s", used && *building ? "\n" : "", building);
    return *buf ? buf : NULL;
}

/* Of the kernels that are tuned, or of those compared with. */
static const char *alert_of(const struct rn_player *p)
{
    const char *alert = rn_runner_alert(p->session.runner);
    return alert ? alert : rn_companion_alert(&p->companion);
}

int rn_player_draw(struct rn_player *p)
{
    struct rn_screen screen[2];
    char times[RN_TIMES_TEXT], numbers[512] = "", message[RN_RENDERS_TEXT + 1024];
    char readout[RN_PROBE_TEXT];
    struct rn_scene scene = {.help = p->help, .alert = alert_of(p)};
    if (!p->shown)
        return 0;
    if (p->refiltered && needs_samples(p))
        return rn_player_catch_up(p); /* which draws */
    struct rn_scene_region region;
    int err = rn_player_pictures(p, &scene, screen);
    err = err ? err : rn_player_show_region(p, &scene, &region);
    if (err)
        return err;
    rn_runner_show(p->session.runner, numbers, sizeof numbers, &scene.histogram, &scene.nbins);
    err = rn_player_figures(p, &scene);
    if (err)
        return err;
    scene.panel = rn_player_panel(p);
    scene.bar = rn_player_bar(p);
    scene.status = *numbers ? numbers : NULL;
    scene.message = tell(p, message, sizeof message);
    if (p->times.on)
        scene.times = rn_player_tell_times(p, times, sizeof times);
    if (p->probe.on && rn_player_tell_samples(p, readout, sizeof readout))
        scene.readout = readout;
    return rn_window_draw(p->window, &scene);
}
