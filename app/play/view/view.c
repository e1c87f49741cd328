/* SPDX-License-Identifier: MIT */
#include "app/play/view/view.h"

#include "app/play/loop/player.h"
#include "app/play/stacks/three.h"
#include "app/play/export/render_queue.h"
#include "app/play/overlay/times.h"
#include "app/play/panel/panel.h"
#include "app/play/runners/runner_group.h"
#include "app/play/overlay/message.h"
#include "app/play/overlay/region.h"
#include "app/play/view/bar.h"
#include "app/play/view/compare.h"
#include "app/play/overlay/probe.h"

bool rn_play_needs_samples(const struct rn_play *p)
{
    return p->drawing == RN_DRAWING_PICTURES || rn_play_probe_is_on(p->probe) ||
           rn_play_region_needs_samples(p->region) || !rn_ui_keeps(p->window, rn_play_layout(p)) ||
           rn_play_wants_figures(p);
}

int rn_play_draw(struct rn_play *p)
{
    struct rn_screen screen[RN_SCENE_PANES];
    char times[RN_TIMES_TEXT], numbers[512] = "", status[720], figures[200],
                               message[RN_RENDERS_TEXT + 2048];
    char readout[RN_PROBE_TEXT];
    struct rn_ui_scene scene = {.alert = rn_play_runners_alert(p->runners)};
    p->drawing = p->shown ? p->drawing : RN_DRAWING_OVERLAYS;
    bool kept = !p->shown && !rn_play_three_is_on(p->three) && /* which tell of p->shown */
                rn_ui_keeps(p->window, rn_play_layout(p));
    struct rn_ui_scene_region region, outline;
    int err = p->shown || kept ? rn_play_pictures(p, &scene, screen) : 0;
    if (!p->shown) { /* the window keeps the pictures of the input before until one of the next */
        p->drawing = RN_DRAWING_NOTHING;
        rn_play_show_panel(p, &scene);
        rn_play_write_messages(p, message, sizeof message);
        scene.message = *message ? message : NULL;
        return err || !kept ? err : rn_ui_draw(p->window, &scene);
    }
    err = err ? err : rn_play_region_show(p, &scene, &region);
    if (err)
        return err;
    if (scene.layout != RN_LAYOUT_GRID || scene.own_views) /* a contact sheet is of other chains */
        rn_runner_show(p->session->runner, numbers, sizeof numbers, &scene.histogram, &scene.nbins);
    err = rn_play_show_figures(p, &scene);
    if (err)
        return err;
    rn_play_show_scope(p, &scene);
    rn_play_show_panel(p, &scene);
    scene.bar = rn_play_bar(p);
    rn_play_region_outline(p, &scene, &outline);
    rn_play_tell_figures(p, figures, sizeof figures);
    snprintf(status, sizeof status, "%s%s%s", figures, *figures && *numbers ? "\n" : "", numbers);
    scene.status = *status ? status : NULL;
    rn_play_write_messages(p, message, sizeof message);
    scene.message = *message ? message : NULL;
    if (p->times->on)
        scene.times = rn_play_tell_times(p, times, sizeof times);
    if (rn_play_probe_is_on(p->probe) && rn_play_describe_samples(p, readout, sizeof readout))
        scene.readout = readout;
    scene.marks = scene.readout;
    p->drawing = RN_DRAWING_NOTHING;
    return rn_ui_draw(p->window, &scene);
}
