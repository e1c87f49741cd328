/* SPDX-License-Identifier: MIT */
#include "app/play/view/bar.h"

#include "app/play/loop/player.h"
#include "app/play/overlay/message.h"
#include "app/play/loop/recording.h"
#include "app/play/stacks/slices.h"
#include "app/play/view/presentation.h"
#include "app/play/view/reference.h"
#include "app/play/view/window_level.h"
#include "app/play/view/thumbs.h"
#include "app/run/session.h"
#include "app/play/loop/transport.h"

#include <inttypes.h>
#include <math.h>

struct rn_play_bar {
    bool always, hovers;
    double hover;                  /* the place under the pointer, 0..1 */
    bool thumbs_requested;         /* thumbs may be NULL all the same */
    struct rn_play_thumbs *thumbs; /* from the first time that the pointer comes near */
    double last_time;              /* of the last frame; valid with thumbs; < 0: not known yet */
    struct rn_pix_display *display;

    /* What is drawn. */
    struct rn_ui_scene_bar scene;
    struct rn_screen screen;
    char label[96];
};

static void leave(void *bar)
{
    struct rn_play_bar *b = bar;
    rn_play_thumbs_close(&b->thumbs);
    rn_pix_display_destroy(&b->display);
    *b = (struct rn_play_bar){.always = b->always};
}

/* The time of the last frame; 0: there is no other one, or it is not known. */
static double span(struct rn_play *p)
{
    const struct rn_play_bar *b = p->bar;
    return b->thumbs && b->last_time >= 0
               ? b->last_time
               : fmax(0, p->session->stream->duration - rn_play_frame_duration(p));
}

/* The thread that decodes thumbnails starts when they are first wanted. */
static void want_thumbs(struct rn_play *p)
{
    const struct rn_app_session *s = p->session;
    struct rn_play_bar *b = p->bar;
    if (b->thumbs_requested)
        return;
    b->thumbs_requested = true;
    b->last_time = -1;
    rn_play_thumbs_open(&b->thumbs, s->cli->operand[0], &s->cli->source, s->stream);
}

static void print_time(double seconds, char *text, size_t size)
{
    int64_t ms = llround(seconds * 1000);
    int64_t s = ms / 1000;
    if (s >= 3600)
        snprintf(text, size, "%" PRId64 ":%02d:%02d.%03d", s / 3600, (int)(s / 60 % 60),
                 (int)(s % 60), (int)(ms % 1000));
    else
        snprintf(text, size, "%d:%02d.%03d", (int)(s / 60), (int)(s % 60), (int)(ms % 1000));
}

static void show_thumb(struct rn_play *p, const struct rn_play_thumb *thumb)
{
    struct rn_play_bar *b = p->bar;
    const struct rn_geom *geom = &thumb->image->geom;
    if (rn_pix_display_fit(&b->display, geom, &p->viewing))
        return;
    rn_play_window_level_apply(rn_play_window_level(p), b->display, geom, true);
    rn_pix_display_show(b->display, thumb->image, &b->screen);
    b->scene.thumb = &b->screen;
}

/* As the overlay names it. */
static void name_frame(struct rn_play *p, const struct rn_frame *f)
{
    struct rn_play_bar *b = p->bar;
    char text[32];
    const struct rn_io_stack *stack = rn_play_slices_stack(p->slices);
    if (stack) {
        rn_play_slices_describe(stack, f->index, b->label, sizeof b->label);
        return;
    }
    print_time(f->start + f->time, text, sizeof text);
    snprintf(b->label, sizeof b->label, "%s  frame %s%" PRId64, text, f->about ? "~" : "",
             f->index);
}

static double place_of(const struct rn_play_mark *mark, double length)
{
    return mark->set ? mark->time / length : NAN;
}

const struct rn_ui_scene_bar *rn_play_bar(struct rn_play *p)
{
    struct rn_play_bar *b = p->bar;
    if (!p->shown || !rn_play_can_seek(p))
        return NULL;
    if (p->session->stream->duration <= 0)
        want_thumbs(p); /* they find out how long it is */
    double length = span(p);
    if (length <= 0)
        return NULL;
    b->label[0] = '\0';
    b->scene = (struct rn_ui_scene_bar){.at = p->shown->frame.time / length,
                                        .begin = place_of(&rn_play_marks(p)->a, length),
                                        .end = place_of(&rn_play_marks(p)->e, length),
                                        .always = b->always,
                                        .label = b->label};
    rn_play_recording_draw(p, length, &b->scene);
    rn_play_reference_draw(p, length, &b->scene);
    if (b->hovers) {
        double time = b->hover * length;
        struct rn_play_thumb thumb;
        if (b->thumbs && rn_play_thumbs_get(b->thumbs, time, &thumb)) {
            name_frame(p, &thumb.frame);
            show_thumb(p, &thumb);
        } else {
            print_time(p->shown->frame.start + time, b->label, sizeof b->label);
        }
    }
    return &b->scene;
}

void rn_play_bar_toggle(struct rn_play *p)
{
    p->bar->always = !p->bar->always;
    if (p->bar->always && !rn_play_bar(p))
        rn_play_say(p, "this input has no seek bar: it cannot seek");
}

void rn_play_bar_act(struct rn_play *p, const struct rn_ui_event *e)
{
    struct rn_play_bar *b = p->bar;
    b->hovers = e->position >= 0;
    b->hover = e->position;
    if (b->hovers)
        want_thumbs(p);
    if (e->kind == RN_EVENT_BAR_SEEK)
        rn_play_go(p, e->position * span(p));
}

void rn_play_bar_poll(struct rn_play *p)
{
    if (p->bar->thumbs && rn_play_thumbs_poll(p->bar->thumbs, &p->bar->last_time))
        rn_play_redraw(p);
}

const struct rn_play_part_type rn_play_bar_part = {.size = sizeof(struct rn_play_bar),
                                                   .leave = leave};
