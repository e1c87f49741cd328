#include "app/play/view/readout.h"

#include "app/play/loop/player.h"
#include "app/play/view/message.h"
#include "app/play/stacks/slices.h"
#include "app/play/stacks/three.h"
#include "app/play/view/probe.h"
#include "app/play/view/region.h"
#include "app/run/session.h"
#include "ui/window.h"

#include <stdio.h>

/* ---- samples under the pointer */

bool rn_play_point(struct rn_play *p, const struct rn_ui_event *e)
{
    const struct rn_geom *geom = rn_runner_output(p->session->runner);
    int x = e->x, y = e->y;
    bool other = p->three->pane != e->pane;
    if (!p->three->on || !e->pane)
        rn_pix_turn_back(&p->viewing.orient, geom->w, geom->h, &x, &y);
    p->three->pane = e->pane;
    return rn_play_probe_point(p->probe, e->on_picture, x, y) || other;
}

/* In one of the planes across the slices. */
static bool tell_across(const struct rn_play *p, char *buf, size_t size)
{
    const struct rn_play_three *t = p->three;
    const struct rn_image *plane = t->planes.plane[t->pane == 1];
    struct rn_play_probe probe = *p->probe;
    char place[128], title[64];
    int64_t slice;
    int at[2];
    if (!probe.on_picture ||
        !rn_play_three_sample(t, p->slices, t->pane, probe.x, probe.y, at, &slice))
        return false;
    probe.y = (int)slice;
    snprintf(title, sizeof title, "%d, %d, slice %lld", at[0], at[1], (long long)slice + 1);
    rn_play_slices_place(p->slices, at[0], at[1], slice, place, sizeof place);
    return rn_play_probe_tell(&probe, &plane[1], &plane[0], title, place, buf, size);
}

/* At a sample of the slice that is shown. */
static bool tell_at(const struct rn_play *p, const struct rn_play_probe *probe, char *buf,
                    size_t size)
{
    char place[128];
    int64_t slice =
        p->slices->stack.known ? rn_io_stack_slice(&p->slices->stack, p->shown->frame.index) : 0;
    rn_play_slices_place(p->slices, probe->x, probe->y, slice, place, sizeof place);
    return rn_play_probe_tell(probe, &p->shown->in, &p->shown->out, NULL, place, buf, size);
}

bool rn_play_tell_samples(const struct rn_play *p, char *buf, size_t size)
{
    bool across = p->three->on && p->three->pane > 0;
    return across ? tell_across(p, buf, size) : tell_at(p, p->probe, buf, size);
}

/* ---- the region */

void rn_play_measure(struct rn_play *p, const struct rn_ui_event *e)
{
    const struct rn_geom *geom = rn_runner_output(p->session->runner);
    int x = e->x, y = e->y;
    rn_pix_turn_back(&p->viewing.orient, geom->w, geom->h, &x, &y);
    if (p->three->on && e->pane && e->count >= 0)
        rn_play_say(p, "a region is measured in the first view");
    else if (e->count > 0)
        rn_play_region_begin(p->region, x, y);
    else if (e->count == 0)
        rn_play_region_extend(p->region, x, y);
    else
        rn_play_region_clear(p->region);
}

int rn_play_show_region(struct rn_play *p, struct rn_ui_scene *scene, struct rn_ui_scene_region *to)
{
    struct rn_play_region *r = p->region;
    int err = rn_play_region_measure(r, p->shown);
    if (err || !r->on)
        return err;
    int x[2], y[2];
    for (int i = 0; i < 2; i++) {
        const struct rn_geom *geom = &p->shown->out.geom;
        x[i] = r->x[i];
        y[i] = r->y[i];
        rn_pix_turn_forth(&p->viewing.orient, geom->w, geom->h, &x[i], &y[i]);
    }
    *to = (struct rn_ui_scene_region){.x0 = x[x[1] < x[0]],
                                      .y0 = y[y[1] < y[0]],
                                      .x1 = x[x[1] >= x[0]],
                                      .y1 = y[y[1] >= y[0]],
                                      .table = r->table};
    to->planes = r->planes[0] > r->planes[1] ? r->planes[0] : r->planes[1];
    for (int k = 0; k < to->planes; k++) {
        const struct rn_play_region_plane *sides[] = {&r->plane[0][k], &r->plane[1][k]};
        int named = k < r->planes[1];
        to->plane[k].name = rn_plane_name(sides[named]->measure.fmt, k);
        for (int i = 0; i < 2; i++) {
            to->plane[k].bins[i] = sides[i]->bins;
            to->plane[k].n[i] = k < r->planes[i] ? sides[i]->n : 0;
        }
    }
    scene->region = to;
    return 0;
}
