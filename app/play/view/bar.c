#include "app/play/view/bar.h"

#include "app/play/loop/player.h"
#include "app/play/view/message.h"
#include "app/play/loop/marks.h"
#include "app/play/stacks/slices.h"
#include "app/play/view/scan_window.h"
#include "app/run/session.h"
#include "io/pixels/display.h"
#include "ui/window.h"
#include "app/play/loop/seek.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The time of the last frame; 0: there is no other one, or it is not known. */
static double span(struct rn_play *p)
{
    double length = p->session->stream->duration;
    double last = p->bar->thumbs ? rn_play_thumbs_last(p->bar->thumbs) : -1;
    if (last >= 0)
        return last;
    return fmax(0, length - rn_play_frame_duration(p));
}

/* The thread that finds pictures begins when they are first wanted. */
static void want_thumbs(struct rn_play *p)
{
    const struct rn_app_session *s = p->session;
    if (!p->bar->asked)
        rn_play_thumbs_open(&p->bar->thumbs, s->cli->operand[0], &s->cli->source, s->stream);
    p->bar->asked = true;
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
    double window[2];
    if (!b->display && rn_pix_display_create(&b->display, geom, &p->viewing))
        return;
    if (rn_play_scan_window_can(geom)) {
        rn_play_scan_window_get(p->scan, geom, true, window);
        rn_pix_display_window(b->display, window[0], window[1]);
    }
    rn_pix_display_show(b->display, thumb->image, &b->screen);
    b->scene.thumb = &b->screen;
}

/* As the overlay names it. */
static void name_frame(struct rn_play *p, const struct rn_frame *f)
{
    struct rn_play_bar *b = p->bar;
    char text[32];
    if (p->slices->stack.known) {
        rn_play_slices_tell(p->slices, f->index, b->label, sizeof b->label);
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
    if (!p->shown || !p->transport->seekable)
        return NULL;
    if (p->session->stream->duration <= 0)
        want_thumbs(p); /* they find out how long it is */
    double length = span(p);
    if (length <= 0)
        return NULL;
    b->label[0] = '\0';
    b->scene = (struct rn_ui_scene_bar){.at = p->shown->frame.time / length,
                                        .begin = place_of(&p->transport->marks.a, length),
                                        .end = place_of(&p->transport->marks.e, length),
                                        .always = b->always,
                                        .label = b->label};
    if (b->hovers) {
        /* What is told of the place under the pointer. */
        double time = b->hover * length;
        struct rn_play_thumb thumb;
        char text[32];
        if (b->thumbs && rn_play_thumbs_get(b->thumbs, time, &thumb)) {
            name_frame(p, &thumb.frame);
            show_thumb(p, &thumb);
        } else {
            print_time(p->shown->frame.start + time, text, sizeof text);
            snprintf(b->label, sizeof b->label, "%s", text);
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
    if (p->bar->thumbs && rn_play_thumbs_news(p->bar->thumbs))
        rn_play_redraw(p);
}

void rn_play_bar_free(struct rn_play *p)
{
    rn_play_thumbs_close(&p->bar->thumbs);
    rn_pix_display_destroy(&p->bar->display);
    *p->bar = (struct rn_play_bar){.always = p->bar->always};
}
