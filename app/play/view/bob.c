#include "app/play/loop/player.h"
#include "app/play/loop/seek.h"
#include "app/play/view/message.h"
#include "app/play/view/bob.h"
#include "app/run/session.h"
#include "io/pixels/display.h"

#include "filters/base/clock.h"

#include <math.h>

static bool bobs(const struct rn_play *p)
{
    return p->bob->on && p->shown && rn_io_frame_is_interlaced(&p->shown->frame);
}

void rn_play_toggle_bob(struct rn_play *p)
{
    p->bob->on = !p->bob->on;
    rn_play_redraw_pictures(p);
    bool fields = p->shown && rn_io_frame_is_interlaced(&p->shown->frame);
    rn_play_say(p, !p->bob->on ? "fields: woven"
                   : fields    ? "fields: bobbed"
                               : "fields: bobbed, where frames are interlaced");
}

/* Which frame is on the screen, and since when? */
static void look(struct rn_play_bob *bob, const struct rn_slot *shown)
{
    if (bob->slot == shown && bob->time == shown->frame.time)
        return;
    bob->slot = shown;
    bob->time = shown->frame.time;
    bob->since = rn_clock();
    bob->second = false;
}

enum rn_pix_lines_shown rn_play_lines_shown(struct rn_play *p)
{
    look(p->bob, p->shown);
    bool even = rn_io_frame_top_field_first(&p->shown->frame) != p->bob->second;
    return !bobs(p) ? RN_SHOW_ALL : even ? RN_SHOW_EVEN : RN_SHOW_ODD;
}

void rn_play_next_field(struct rn_play *p, double *wait)
{
    const struct rn_io_rational *rate = &p->session->stream->rate;
    if (!bobs(p) || p->paused || p->bob->second || rate->num <= 0 || rate->den <= 0)
        return;
    double half = 0.5 * rate->den / rate->num / p->transport->clock.speed;
    double left = p->bob->since + half - rn_clock();
    if (left > 0.001) {
        *wait = fmin(*wait, left);
        return;
    }
    p->bob->second = true;
    rn_play_redraw_pictures(p);
    *wait = 0;
}
