/* SPDX-License-Identifier: MIT */
#include "app/play/loop/player.h"
#include "app/play/runners/runners.h"
#include "app/play/stacks/stacks.h"
#include "app/play/view/compare.h"
#include "app/play/view/presentation.h"
#include "filters/base/clock.h"
#include "filters/base/owned.h"

#include <math.h>

#define REDRAW_TIME 0.1 /* seconds from one drawing of what is being filled to the next */
#define SWEEP_SLOTS 3
#define PAUSE_TIME  0.01 /* seconds that the reader may take to come to a stop */

/* The pane of each plane. */
enum { PANE_SLICE, PANE_COLUMNS, PANE_ROWS };

/* Filters all frames of the input once more, from the first one on, while the player goes on. It
 * has its own source, read by threads of its own, and its own runner on the same device; the caller
 * waits for neither. Nothing is measured. */
struct sweep {
    struct rn_play_pending *pending; /* of the next runner; NULL: none */
    struct rn_read_source *source;   /* NULL: not open yet */
    struct rn_losses *losses;        /* of the source */
    struct rn_runner *runner;
    struct rn_device *device; /* of the runner */
    struct rn_play_reader *reader;
    struct rn_slot *complete; /* the device may still be busy with it; NULL: none */
    struct rn_slot *given;    /* to the caller */
    int nframes;              /* frames in the runner that were not given back */
    bool begun, ended;        /* ended: all frames are in the runner */
};

struct rn_play_three {
    bool on;
    bool aimed;              /* the cross was set: */
    int x, y;                /* at this column and row of the slices */
    struct sweep *sweep;     /* NULL: not open */
    struct rn_chain *chain;  /* that it has begun with, or was refused with; NULL: none yet */
    bool renew, restart;     /* the sweep is to begin anew: with changed files; at all */
    bool failed, done;       /* it has ended: in vain; with all slices */
    bool refused;            /* in vain with these settings: others may be taken */
    int64_t channel, moment; /* of the frames that are put in the planes */
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

struct stack_of {
    const struct rn_io_stack *stack;
    int64_t channel, moment;
};

/* Whether a frame needs filtering: asked if no other frame depends on it. */
static bool is_wanted(const struct stack_of *of, const struct rn_frame *f)
{
    return f->channel == of->channel && (!of->stack->space || f->moment == of->moment);
}

/* ---- the sweep */

/* Drops the runner that is being opened, as files have changed since; the source that was opened
 * for it stays. NULL is legal. */
static void sweep_forget(struct sweep *s)
{
    if (!s)
        return;
    rn_play_pending_take_source(s->pending, &s->source, &s->losses);
    rn_play_pending_cancel(&s->pending);
}

static void sweep_close(struct sweep **sweep)
{
    struct sweep *s = rn_take_owned(sweep);
    if (!s)
        return;
    sweep_forget(s);
    rn_play_reader_stop(&s->reader);
    rn_play_reader_release(s->runner);
    rn_runner_close(&s->runner);
    rn_device_close(&s->device);
    rn_read_close(&s->source);
    rn_losses_destroy(&s->losses);
    free(s);
}

/* ---- from the beginning */

static void give_free(struct sweep *s)
{
    struct rn_slot *slot;
    while ((slot = rn_runner_free(s->runner)) != NULL)
        rn_play_reader_give(s->reader, slot);
}

static int sweep_give(struct sweep *s, struct rn_slot *slot)
{
    int err = rn_runner_recycle(s->runner, slot);
    s->given = s->given == slot ? NULL : s->given;
    s->nframes--;
    give_free(s);
    return err;
}

static void restart(struct sweep *s)
{
    s->nframes = 0;
    s->ended = false;
    rn_play_reader_seek(s->reader, &(struct rn_play_goal){.kind = RN_GOAL_TIME}, false);
}

/* What was made has the settings. *begun: the reader has stopped for it. */
static int take_made(struct sweep *s, bool *begun)
{
    *begun = !s->reader || rn_play_reader_pause(s->reader, PAUSE_TIME);
    if (!*begun)
        return 0;
    struct rn_runner *made = rn_play_pending_runner(s->pending);
    int err;
    if (!s->reader) {
        err = rn_play_reader_start(&s->reader, s->source, made, 0);
    } else {
        rn_play_reader_release(s->runner);
        s->given = s->complete = NULL;
        err = rn_play_reader_change(s->reader, made, 0);
        restart(s);
    }
    rn_play_pending_take(&s->pending, &s->runner, &s->device);
    if (s->reader)
        rn_play_reader_resume(s->reader);
    return err;
}

/* By what was made, by the runner of now, or by one that is requested. */
static int begin_runner(struct rn_play *p, const struct rn_chain *chain, bool *begun)
{
    struct sweep *s = p->three->sweep;
    bool ready = rn_play_pending_is_ready(s->pending); /* asked once: its source goes with it */
    rn_play_pending_take_source(s->pending, &s->source, &s->losses);
    int err = ready ? rn_play_pending_poll(&s->pending, chain, &ready) : 0;
    if (!err && ready)
        err = take_made(s, begun);
    if (!err && !*begun && s->reader && !p->three->renew) {
        err = rn_runner_try(s->runner, chain, false, begun);
        if (!err && *begun) {
            /* The frames in the runner are wanted no more. */
            struct rn_slot *held = s->given ? s->given : s->complete;
            rn_play_pending_cancel(&s->pending);
            err = held ? sweep_give(s, held) : 0;
            s->complete = NULL;
            err = rn_first_error(err, rn_runner_reset(s->runner));
            give_free(s);
            restart(s);
        }
    }
    if (err || *begun || s->pending)
        return err;
    const struct rn_play_pending_request request = {.kind = RN_PENDING_SWEEP,
                                                    .session = p->session,
                                                    .chain = chain,
                                                    .slots = SWEEP_SLOTS,
                                                    .source = s->source};
    return rn_play_pending_request(&s->pending, p->jobs, &request);
}

/* Restarts at the first frame with the current settings. If *begun is false, call again: the runner
 * is not ready. Returns 0 or an error (logged), after which the sweep cannot go on. */
static int sweep_begin(struct rn_play *p, bool *begun)
{
    *begun = false;
    RN_OWNED(rn_chain_destroy) struct rn_chain *settings = rn_chain_copy(p->session->chain);
    rn_chain_measure_nothing(settings); /* the frames that are played are measured */
    int err = settings ? begin_runner(p, settings, begun) : RN_EINTERNAL;
    p->three->sweep->begun |= !err && *begun;
    return err;
}

/* ---- on and on */

/* At most one frame into the runner, so that who calls is not kept. */
static int submit(struct sweep *s, const struct stack_of *of)
{
    struct rn_slot *slot;
    int delay = rn_runner_delay(s->runner);
    if (s->ended || s->nframes > delay + 1)
        return 0;
    int err = rn_play_reader_next(s->reader, 0, &slot);
    if (err == RN_END) {
        s->ended = true;
        return rn_runner_drain(s->runner);
    }
    if (err || !slot)
        return err;
    if (!delay && !is_wanted(of, &slot->frame)) {
        rn_play_reader_give(s->reader, slot);
        return 0;
    }
    s->nframes++;
    return rn_runner_submit(s->runner, slot);
}

/* The next complete frame, which the caller gives back; *slot: NULL if there is none yet. Returns
 * 0, RN_END after the last frame, or an error (logged). */
static int sweep_next(struct sweep *s, const struct stack_of *of, struct rn_slot **slot)
{
    *slot = NULL;
    if (!s->begun || s->given)
        return 0;
    if (rn_play_reader_sought(s->reader) == RN_SEEK_REFUSED)
        return rn_fail(RN_EINPUT, "this input cannot be read from its beginning again");
    int err = submit(s, of);
    struct rn_runner *runner = s->runner;
    s->complete = !err && !s->complete ? rn_runner_ready(runner) : s->complete;
    if (err || !s->complete)
        return err ? err : s->ended && !s->nframes ? RN_END : 0;
    if (!rn_runner_done(runner, s->complete))
        return 0;
    err = rn_runner_wait(runner, s->complete);
    *slot = s->given = rn_take_owned(&s->complete);
    return err;
}

/* ---- the views */

void rn_play_toggle_three(struct rn_play *p)
{
    struct rn_play_three *t = p->three;
    if (!t->on && !rn_play_slices_stack(p->slices)) {
        rn_play_say(p, "three views are for stacks: volumes, pages, image files");
        return;
    }
    if (!t->on && !rn_pix_orient_is_upright(&p->viewing.orient)) {
        rn_play_say(p, "no three views of pictures that are shown turned");
        return;
    }
    t->on = !t->on;
    t->renew |= t->failed;
    t->failed = false;
    rn_play_redraw_pictures(p);
    rn_play_say(p, t->on ? "three views: drag the cross, wheel in each" : "one view");
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

void rn_play_cross(struct rn_play *p, const struct rn_ui_event *e)
{
    struct rn_play_three *t = p->three;
    if (!t->on || !p->shown)
        return;
    t->x = e->pane == PANE_COLUMNS ? t->x : e->x;
    t->y = e->pane == PANE_COLUMNS ? e->x : e->pane == PANE_SLICE ? e->y : t->y;
    aim(t);
    rn_play_redraw_pictures(p);
    if (e->pane == PANE_SLICE)
        return;
    rn_play_pause(p, true);
    rn_play_set_steps(p, 0);
    rn_play_slices_go(p->slices, p->shown->frame.index, e->y);
}

static int moved(int at, int count, int length)
{
    at += count;
    return at < 0 ? 0 : at < length ? at : length - 1;
}

bool rn_play_step_cross(struct rn_play *p, const struct rn_ui_event *e)
{
    struct rn_play_three *t = p->three;
    if (!t->on || e->pane == PANE_SLICE || !p->shown)
        return false;
    const struct rn_geom *geom = &p->shown->in.geom;
    if (e->pane == PANE_COLUMNS)
        t->x = moved(t->x, e->count, geom->w);
    else
        t->y = moved(t->y, e->count, geom->h);
    aim(t);
    rn_play_redraw_pictures(p);
    return true;
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
    sweep_close(&t->sweep);
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
    sweep_forget(t->sweep);
}

/* Another chain, files or stack: the sweep begins at the first frame. */
static int begin(struct rn_play *p)
{
    struct rn_play_three *t = p->three;
    bool begun;
    const struct rn_chain *chain = p->session->chain;
    t->failed = t->refused = false;
    if (!t->sweep && !(t->sweep = calloc(1, sizeof *t->sweep)))
        return rn_fail_memory();
    int err = sweep_begin(p, &begun);
    if (err || !begun)
        return err ? refuse(t, chain, err) : 0;
    err = note_chain(t, chain);
    err = err ? err
              : rn_play_reslice_begin(&t->planes, rn_runner_output(t->sweep->runner),
                                      &p->session->stream->geom, rn_play_slices_stack(p->slices)->n,
                                      RN_RESLICE_MAX);
    return err ? fail(t, err) : 0;
}

static int take(struct rn_play_three *t, const struct stack_of *of, bool *busy)
{
    struct rn_slot *slot;
    int err = sweep_next(t->sweep, of, &slot);
    t->done = err == RN_END;
    *busy = !t->done;
    if (err || !slot)
        return t->done || !err ? 0 : fail(t, err);
    int slice = (int)rn_io_stack_slice(of->stack, slot->frame.index);
    if (is_wanted(of, &slot->frame))
        err = rn_play_reslice_put(&t->planes, slice, &slot->out, &slot->in);
    return rn_first_error(err, sweep_give(t->sweep, slot));
}

int rn_play_work_three(struct rn_play *p, double *wait)
{
    struct rn_play_three *t = p->three;
    if (!t->on || !p->shown || rn_play_builds(p))
        return 0; /* the chain of now may still be refused */
    const struct stack_of of = {rn_play_slices_stack(p->slices), p->shown->frame.channel,
                                p->shown->frame.moment};
    int filled = t->planes.filled, err = 0;
    bool done = t->done, busy = false;
    if (!t->aimed) { /* the cross is in the middle until it is set */
        t->x = p->session->stream->geom.w / 2;
        t->y = p->session->stream->geom.h / 2;
        aim(t);
    }
    bool same_chain = t->chain && rn_chain_equal(t->chain, p->session->chain);
    bool other = t->restart || t->renew || !same_chain || of.channel != t->channel ||
                 (of.stack->space && of.moment != t->moment);
    /* A failed sweep is tried again with changed files, and with other settings if the device
     * refused these. */
    bool in_vain = t->failed && !t->renew && !(t->refused && !same_chain);
    if (other && !in_vain) {
        t->restart = true;
        t->channel = of.channel;
        t->moment = of.moment;
        err = begin(p);
        busy = true;
    } else if (t->sweep && !t->done) {
        err = take(t, &of, &busy);
    }
    t->changed |= filled != t->planes.filled || done != t->done;
    if (t->changed && (t->done || t->failed || rn_clock() - t->drawn_at >= REDRAW_TIME))
        rn_play_redraw_pictures(p);
    *wait = busy ? fmin(*wait, RN_PLAYER_BUSY) : *wait;
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

static void describe_pane(struct rn_play_three *t, const struct rn_io_stack *s, int pane,
                          struct rn_ui_scene_pane *to)
{
    static const char *const plain[] = {"xy", "yz", "xz"};
    const int *axes = axes_of[pane];
    const double *spacing = s->spacing;
    snprintf(t->label[pane], sizeof t->label[pane], "%s", name_of(s, axes[2], plain[pane]));
    to->label = t->label[pane];
    for (int i = 0; i < 4; i++) {
        /* Radiologists have the patient's right at the left, the front at the top or left, the head
         * at the top. */
        char begin[4];
        rn_io_stack_letters(s, axes[i / 2], false, begin);
        to->mirrored[i / 2] = *begin && strchr("RAS", *begin);
        rn_io_stack_letters(s, axes[i / 2], (i % 2 == 0) != to->mirrored[i / 2], t->side[pane][i]);
        to->side[i] = *t->side[pane][i] ? t->side[pane][i] : NULL;
    }
    bool spaced = spacing[axes[0]] > 0 && spacing[2] > 0;
    if (pane != PANE_SLICE)
        to->aspect = spaced ? spacing[axes[0]] / spacing[2] : 1;
}

static int draw_plane(const struct rn_play *p, enum rn_play_across across)
{
    struct view *v = &p->three->view[across];
    const struct rn_image *plane = p->three->planes.plane[across];
    const struct rn_play_window_level *window = rn_play_window_level(p);
    const struct rn_play_mask *mask = rn_play_shown_mask(p);
    const struct rn_pix_viewing viewing = RN_VIEWING_PLAIN;
    double limit, range[2];
    int gain = rn_play_shown_gain(p, &limit);
    /* Planes of settings before may have another format. */
    if (gain && rn_play_figures_fit(&plane[0].geom, &plane[1].geom)) {
        int err = rn_play_distance_view_make(&v->distances, &plane[1], &plane[0], limit, &viewing);
        if (!err)
            rn_pix_display_show(v->distances.display, &v->distances.image, &v->screen);
        return err;
    }
    if (!gain && mask && rn_play_mask_fits(&plane[1].geom, &plane[0].geom)) {
        rn_play_window_level_get(window, &plane[1].geom, true, range);
        return rn_play_mask_show(mask, &v->mask, &plane[1], &plane[0], &viewing, range, &v->screen);
    }
    const struct rn_image *img = &plane[p->bypass];
    int err = rn_pix_display_fit(&v->display, &img->geom, &viewing);
    if (err)
        return err;
    rn_play_window_level_apply(window, v->display, &img->geom, p->bypass);
    rn_pix_display_show(v->display, img, &v->screen);
    return 0;
}

static void write_note(const struct rn_play *p, const struct rn_io_stack *s)
{
    struct rn_play_three *t = p->three;
    int64_t index = p->shown->frame.index;
    double limit;
    int gain = rn_play_shown_gain(p, &limit);
    char text[RN_PROBE_TEXT];
    FILE *f = fmemopen(t->note, sizeof t->note - 1, "w"); /* cuts off what does not fit */
    if (!f)
        return;
    fputs(rn_play_slices_describe(s, index, text, sizeof text), f);
    fprintf(f, "\n%s", rn_play_describe_pixel(p, t->x, t->y, text, sizeof text));
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

int rn_play_three_show(const struct rn_play *p, bool draws, struct rn_ui_scene *scene)
{
    struct rn_play_three *t = p->three;
    const struct rn_io_stack *s = rn_play_slices_stack(p->slices);
    scene->layout = RN_LAYOUT_GRID;
    scene->own_views = true;
    scene->npanes = t->planes.n > 0 ? 3 : 1;
    for (int i = 0; i < scene->npanes; i++)
        describe_pane(t, s, i, &scene->pane[i]);
    int row = (int)rn_io_stack_slice(s, p->shown->frame.index);
    const int at[][2] = {{t->x, t->y}, {t->y, row}, {t->x, row}};
    for (int i = 0; i < 3; i++) {
        scene->pane[i].crossed = true;
        scene->pane[i].cross_x = at[i][0];
        scene->pane[i].cross_y = at[i][1];
    }
    write_note(p, s);
    scene->note = t->note;
    int err = 0;
    for (int i = 1; i < scene->npanes && draws && !err; i++) {
        err = draw_plane(p, across_of(i));
        scene->pane[i].picture = &t->view[across_of(i)].screen;
    }
    t->drawn_at = draws ? rn_clock() : t->drawn_at;
    t->changed &= !draws;
    return err;
}

static void leave(void *three)
{
    struct rn_play_three *t = three;
    sweep_close(&t->sweep);
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
