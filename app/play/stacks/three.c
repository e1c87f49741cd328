/* SPDX-License-Identifier: MIT */
#include "app/play/stacks/three.h"

#include "app/play/loop/part.h"
#include "app/play/runners/sweep.h"
#include "app/play/stacks/reslice.h"
#include "app/play/stacks/slices.h"
#include "app/play/view/figures.h"
#include "app/play/view/mask.h"
#include "app/play/view/window_level.h"
#include "filters/base/clock.h"
#include "ui/window.h"
#include "filters/base/owned.h"

#include <string.h>

#define REDRAW_TIME 0.1 /* seconds from one drawing of what is being filled to the next */

/* The pane of each plane. */
enum { PANE_SLICE, PANE_COLUMNS, PANE_ROWS };

struct rn_play_three {
    bool on;
    bool aimed;                  /* the cross was set: */
    int x, y;                    /* at this column and row of the slices */
    struct rn_play_sweep *sweep; /* NULL: not open */
    struct rn_chain *chain;      /* that it has begun with, or was refused with; NULL: none yet */
    bool renew, restart;         /* the sweep is to begin anew: with changed files; at all */
    bool failed, done;           /* it has ended: in vain; with all slices */
    bool refused;                /* in vain with these settings: others may be taken */
    int64_t channel, moment;     /* of the frames that are put in the planes */
    struct rn_play_reslice planes;
    struct view {
        struct rn_pix_display *display; /* of filtered or source; NULL: none yet */
        struct rn_play_mask_view mask;
        struct rn_play_distance_view distances;
        struct rn_screen screen;
    } view[2];       /* enum rn_play_across */
    bool changed;    /* the planes have, since they were drawn */
    double drawn_at; /* rn_clock when they were drawn */
    char label[3][16], side[3][4][4], note[512];
};

void rn_play_three_toggle(struct rn_play_three *t)
{
    t->on = !t->on;
    t->renew |= t->failed;
    t->failed = false;
}

bool rn_play_three_is_on(const struct rn_play_three *t)
{
    return t->on;
}

static enum rn_play_across across_of(int pane)
{
    return pane == PANE_ROWS ? RN_ACROSS_ROWS : RN_ACROSS_COLUMNS;
}

/* ---- the cross */

static void aim(struct rn_play_three *t)
{
    t->aimed = true;
    if (!rn_play_reslice_aim(&t->planes, t->x, t->y) && t->chain)
        t->restart = true; /* other planes have to be filled from the first slice on */
}

int64_t rn_play_three_point(struct rn_play_three *t, int pane, int x, int y)
{
    t->x = pane == PANE_COLUMNS ? t->x : x;
    t->y = pane == PANE_COLUMNS ? x : pane == PANE_SLICE ? y : t->y;
    aim(t);
    return pane == PANE_SLICE ? -1 : y;
}

static int moved(int at, int count, int length)
{
    at += count;
    return at < 0 ? 0 : at < length ? at : length - 1;
}

void rn_play_three_step(struct rn_play_three *t, const struct rn_geom *geom, int pane, int count)
{
    if (pane == PANE_COLUMNS)
        t->x = moved(t->x, count, geom->w);
    else
        t->y = moved(t->y, count, geom->h);
    aim(t);
}

void rn_play_three_cross(const struct rn_play_three *t, int *x, int *y)
{
    *x = t->x;
    *y = t->y;
}

const struct rn_image *rn_play_three_sample(const struct rn_play_three *t, int pane, int x, int y,
                                            int at[2])
{
    at[0] = pane == PANE_ROWS ? x : t->x;
    at[1] = pane == PANE_ROWS ? t->y : x;
    bool has = y >= 0 && y < t->planes.n && t->planes.has[y];
    return has ? t->planes.plane[across_of(pane)] : NULL;
}

/* ---- filling the planes */

/* The sweep goes on no more. What is wrong with the input is told; other errors end all. */
static int fail(struct rn_play_three *t, int err)
{
    t->failed = err == RN_EINPUT || err == RN_EUSAGE;
    t->changed = true;
    rn_play_sweep_close(&t->sweep);
    return t->failed ? 0 : err;
}

/* Remembers which settings the planes have, or cannot have. */
static int note_chain(struct rn_play_three *t, const struct rn_chain *chain)
{
    t->restart = t->renew = t->done = false;
    return rn_chain_assign(&t->chain, chain);
}

/* The input cannot be had, or not with these settings, for which the device may lack the memory: no
 * slices of other settings are shown in their place. */
static int refuse(struct rn_play_three *t, const struct rn_chain *chain, int err)
{
    int noted = note_chain(t, chain);
    t->refused = err == RN_EUSAGE || err == RN_EDEVICE;
    rn_play_reslice_empty(&t->planes);
    return noted ? noted : fail(t, t->refused ? RN_EUSAGE : err);
}

void rn_play_three_renew(struct rn_play_three *t)
{
    t->renew = true;
    rn_play_sweep_forget(t->sweep);
}

/* Another chain, files or stack: the sweep begins at the first frame. */
static int begin(struct rn_play_three *t, struct rn_app_session *session, struct rn_play_jobs *jobs,
                 const struct rn_io_stack *stack)
{
    bool begun;
    const struct rn_chain *chain = session->chain;
    t->failed = t->refused = false;
    int err = t->sweep ? 0 : rn_play_sweep_open(&t->sweep, session, jobs);
    if (err)
        return err;
    err = rn_play_sweep_begin(t->sweep, chain, t->renew, &begun);
    if (err || !begun)
        return err ? refuse(t, chain, err) : 0;
    err = note_chain(t, chain);
    err = err ? err
              : rn_play_reslice_begin(&t->planes, rn_play_sweep_output(t->sweep),
                                      &session->stream->geom, stack->n, RN_RESLICE_MAX);
    return err ? fail(t, err) : 0;
}

struct stack_of {
    const struct rn_io_stack *stack;
    int64_t channel, moment;
};

static bool is_wanted(const void *arg, const struct rn_frame *f)
{
    const struct stack_of *of = arg;
    return f->channel == of->channel && (!of->stack->space || f->moment == of->moment);
}

static int take(struct rn_play_three *t, const struct stack_of *of, bool *busy)
{
    struct rn_slot *slot;
    int err = rn_play_sweep_next(t->sweep, is_wanted, of, &slot);
    t->done = err == RN_END;
    *busy = !t->done;
    if (err || !slot)
        return t->done || !err ? 0 : fail(t, err);
    int slice = (int)rn_io_stack_slice(of->stack, slot->frame.index);
    if (is_wanted(of, &slot->frame))
        err = rn_play_reslice_put(&t->planes, slice, &slot->out, &slot->in);
    return rn_first_error(err, rn_play_sweep_give(t->sweep, slot));
}

int rn_play_three_work(struct rn_play_three *t, struct rn_app_session *session,
                       struct rn_play_jobs *jobs, const struct rn_io_stack *stack,
                       const struct rn_frame *shown, bool *drawn, bool *busy)
{
    const struct stack_of of = {stack, shown->channel, shown->moment};
    int filled = t->planes.filled;
    bool done = t->done;
    *drawn = *busy = false;
    int err = 0;
    if (!t->aimed) { /* the cross is in the middle until it is set */
        t->x = session->stream->geom.w / 2;
        t->y = session->stream->geom.h / 2;
        aim(t);
    }
    bool same_chain = t->chain && rn_chain_equal(t->chain, session->chain);
    bool other = t->restart || t->renew || !same_chain || of.channel != t->channel ||
                 (of.stack->space && of.moment != t->moment);
    /* A failed sweep is tried again with changed files, and with other settings if the device
     * refused these. */
    bool in_vain = t->failed && !t->renew && !(t->refused && !same_chain);
    if (other && !in_vain) {
        t->restart = true;
        t->channel = of.channel;
        t->moment = of.moment;
        err = begin(t, session, jobs, stack);
        *busy = true;
    } else if (t->sweep && !t->done) {
        err = take(t, &of, busy);
    }
    t->changed |= filled != t->planes.filled || done != t->done;
    *drawn = t->changed && (t->done || t->failed || rn_clock() - t->drawn_at >= REDRAW_TIME);
    return err;
}

/* ---- drawing */

static const char *name_of(const struct rn_io_stack *s, int axis, const char *unknown)
{
    char letters[4];
    rn_io_stack_letters(s, axis, false, letters);
    return !*letters                     ? unknown
           : strchr("LR", *letters) != 0 ? "sagittal"
           : strchr("AP", *letters) != 0 ? "coronal"
                                         : "axial";
}

/* Which axes of the stack a pane shows: across, down, and its normal. */
static const int axes_of[][3] = {{0, 1, 2}, {1, 2, 0}, {0, 2, 1}};

/* Radiologists have the patient's right at the left, the front at the top or left, the head at the
 * top. */
static bool is_mirrored(const struct rn_io_stack *s, int axis)
{
    char letters[4];
    rn_io_stack_letters(s, axis, false, letters);
    return *letters && strchr("RAS", *letters);
}

static void describe_pane(struct rn_play_three *t, const struct rn_io_stack *s, int pane,
                          struct rn_ui_scene_pane *to)
{
    static const char *const plain[] = {"xy", "yz", "xz"};
    const int *axes = axes_of[pane];
    const double *spacing = s->spacing;
    snprintf(t->label[pane], sizeof t->label[pane], "%s", name_of(s, axes[2], plain[pane]));
    to->label = t->label[pane];
    for (int i = 0; i < 4; i++) {
        to->mirrored[i / 2] = is_mirrored(s, axes[i / 2]);
        rn_io_stack_letters(s, axes[i / 2], (i % 2 == 0) != to->mirrored[i / 2], t->side[pane][i]);
        to->side[i] = *t->side[pane][i] ? t->side[pane][i] : NULL;
    }
    if (pane != PANE_SLICE && spacing[axes[0]] > 0 && spacing[2] > 0)
        to->aspect = spacing[axes[0]] / spacing[2];
    else if (pane != PANE_SLICE)
        to->aspect = 1;
}

static int draw_plane(struct rn_play_three *t, const struct rn_play_three_look *look,
                      enum rn_play_across across)
{
    struct view *v = &t->view[across];
    const struct rn_image *plane = t->planes.plane[across];
    double window[2];
    const struct rn_pix_viewing viewing = RN_VIEWING_PLAIN;
    /* Planes of settings before may have another format. */
    if (look->gain && rn_play_figures_fit(&plane[0].geom, &plane[1].geom)) {
        int err =
            rn_play_distance_view_make(&v->distances, &plane[1], &plane[0], look->limit, &viewing);
        if (!err)
            rn_pix_display_show(v->distances.display, &v->distances.image, &v->screen);
        return err;
    }
    if (look->mask && rn_play_mask_fits(&plane[1].geom, &plane[0].geom)) {
        rn_play_window_level_get(look->scan, &plane[1].geom, true, window);
        return rn_play_mask_show(look->mask, &v->mask, &plane[1], &plane[0], &viewing, window,
                                 &v->screen);
    }
    const struct rn_image *img = &plane[look->source];
    int err = rn_pix_display_fit(&v->display, &img->geom, &viewing);
    if (err)
        return err;
    rn_play_window_level_apply(look->scan, v->display, &img->geom, look->source);
    rn_pix_display_show(v->display, img, &v->screen);
    return 0;
}

static void write_note(struct rn_play_three *t, const struct rn_io_stack *s, int gain,
                       int64_t index, const char *readout)
{
    char text[128];
    FILE *f = fmemopen(t->note, sizeof t->note - 1, "w"); /* cuts off what does not fit */
    if (!f)
        return;
    fprintf(f, "%s\n%s", rn_play_slices_describe(s, index, text, sizeof text), readout);
    if (*rn_play_slices_place(s, t->x, t->y, rn_io_stack_slice(s, index), text, sizeof text))
        fprintf(f, "\n%s", text);
    if (gain)
        fprintf(f, "\ndifference x %d from the source", gain);
    if (t->failed)
        fputs("\nnot filled: see the terminal", f);
    else if (!t->done)
        fprintf(f, "\n%d of %lld slices filtered", t->planes.filled, (long long)s->n);
    fclose(f);
}

int rn_play_three_show(struct rn_play_three *t, const struct rn_play_three_look *look,
                       const struct rn_io_stack *s, int64_t index, const char *readout, bool draws,
                       struct rn_ui_scene *scene)
{
    bool planes = t->planes.n > 0;
    scene->layout = RN_LAYOUT_GRID;
    scene->own_views = true;
    scene->npanes = planes ? 3 : 1;
    for (int i = 0; i < scene->npanes; i++)
        describe_pane(t, s, i, &scene->pane[i]);
    int row = (int)rn_io_stack_slice(s, index);
    const int at[][2] = {{t->x, t->y}, {t->y, row}, {t->x, row}};
    for (int i = 0; i < 3; i++) {
        scene->pane[i].crossed = true;
        scene->pane[i].cross_x = at[i][0];
        scene->pane[i].cross_y = at[i][1];
    }
    write_note(t, s, look->gain, index, readout);
    scene->note = t->note;
    int err = 0;
    for (int i = 1; i < scene->npanes && draws && !err; i++) {
        err = draw_plane(t, look, across_of(i));
        scene->pane[i].picture = &t->view[across_of(i)].screen;
    }
    t->drawn_at = draws ? rn_clock() : t->drawn_at;
    t->changed &= !draws;
    return err;
}

static void leave(void *three)
{
    struct rn_play_three *t = three;
    rn_play_sweep_close(&t->sweep);
    rn_chain_destroy(&t->chain);
    rn_play_reslice_free(&t->planes);
    for (int i = 0; i < 2; i++) {
        rn_pix_display_destroy(&t->view[i].display);
        rn_play_mask_view_free(&t->view[i].mask);
        rn_play_distance_view_free(&t->view[i].distances);
    }
    *t = (struct rn_play_three){.on = false};
}

const struct rn_play_part_type rn_play_three_part = {.size = sizeof(struct rn_play_three),
                                                     .leave = leave};
