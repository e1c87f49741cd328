/* SPDX-License-Identifier: MIT */
#include "app/play/panel/panel.h"

#include "app/play/loop/player.h"
#include "app/play/stacks/stacks.h"
#include "app/play/view/presentation.h"
#include "app/play/view/compare.h"
#include "filters/base/threads/locked.h"
#include "filters/base/threads/thread.h"

#include <inttypes.h>
#include <math.h>
#include <sys/resource.h>

#define MAX_BYTES  (8 << 20)
#define MAX_THUMBS 256
#define NICENESS   10
#define MAX_WIDTH  160
#define MAX_HEIGHT 120

struct cached {
    double time; /* of the request */
    struct rn_frame frame;
    struct rn_image image;
    unsigned used; /* by the clock below; 0: never */
};

/* Thumbnails of any place of the input. A second source, in a low-priority thread of its own,
 * decodes the latest request. They are not filtered, and a bounded number of them is cached. */
struct thumbs {
    const char *input;
    struct rn_io_read_opts opts;
    struct rn_thread thread;
    struct rn_monitor monitor;
    struct rn_image copy;          /* of the thumbnail that the caller has */
    struct rn_read_source *source; /* the thread's; to interrupt it: protected by lock */
    /* -- protected by lock: */
    struct cached cached[MAX_THUMBS];
    int max_cached; /* 0: the source is not open */
    unsigned clock;
    double wanted_time, last_time; /* wanted_time: NAN: no request */
    bool news, stop;
};

struct rn_play_bar {
    bool always, hovers;
    double hover;          /* the place under the pointer, 0..1 */
    bool thumbs_requested; /* thumbs may be NULL all the same */
    struct thumbs *thumbs; /* from the first time that the pointer comes near */
    double last_time;      /* of the last frame; valid with thumbs; < 0: not known yet */
    struct rn_pix_display *display;

    /* What is drawn. */
    struct rn_ui_scene_bar scene;
    struct rn_screen screen;
    char label[96];
};

/* ---- the thread of thumbnails */

/* Pictures that are not scaled are rarely large. */
static void choose_size(struct rn_io_read_opts *opts, const struct rn_io_stream *stream)
{
    const struct rn_geom *geom = &stream->geom;
    const struct rn_io_rational *a = &stream->aspect;
    double aspect = a->num > 0 && a->den > 0 ? (double)a->num / a->den : 1;
    double w = geom->w * fmax(1, aspect), h = geom->h * fmax(1, 1 / aspect);
    double by = fmin(1, fmin(MAX_WIDTH / w, MAX_HEIGHT / h));
    if (geom->fmt.number != RN_NUMBER_UNSIGNED || geom->scan)
        return;
    opts->geometry.scale.w = 2 * (int)fmax(1, w * by / 2);
    opts->geometry.scale.h = 2 * (int)fmax(1, h * by / 2);
}

static int open_thumbs(struct thumbs *t)
{
    struct rn_read_source *source = NULL;
    int err = rn_read_open(&source, t->input, &t->opts);
    if (err)
        return err;
    const struct rn_geom *geom = &rn_read_stream_of(source)->geom;
    int64_t bytes = rn_geom_bytes(geom);
    int64_t fitting = bytes > 0 ? MAX_BYTES / bytes : 1;
    RN_LOCKED(&t->monitor.lock);
    t->source = source;
    t->max_cached = fitting > MAX_THUMBS ? MAX_THUMBS : fitting < 4 ? 4 : (int)fitting;
    return 0;
}

/* Reads the frame that was sought into image, which is made if there is none. */
static int read_one(struct thumbs *t, struct rn_image *image, struct rn_frame *frame)
{
    int err = image->plane[0].data ? 0 : rn_image_alloc(image, &rn_read_stream_of(t->source)->geom);
    err = err ? err : rn_read_read(t->source, image, frame);
    rn_io_frame_release(frame);
    return err;
}

/* The lock is held, and let go meanwhile. */
static void find_last(struct thumbs *t)
{
    struct rn_image image = {0};
    struct rn_frame frame;
    rn_monitor_unlock(&t->monitor);
    int err = rn_read_seek_last(t->source);
    err = err ? err : read_one(t, &image, &frame);
    rn_image_free(&image);
    rn_monitor_lock(&t->monitor);
    t->last_time = err ? -1 : frame.time;
    t->news = true;
}

static void find_picture(struct thumbs *t)
{
    double time = t->wanted_time;
    struct cached *k = &t->cached[0]; /* the oldest */
    for (int i = 1; i < t->max_cached; i++)
        k = t->cached[i].used < k->used ? &t->cached[i] : k;
    struct rn_image image = k->image;
    struct rn_frame frame;
    *k = (struct cached){0}; /* no request finds it meanwhile */
    rn_monitor_unlock(&t->monitor);
    int err = rn_read_seek(t->source, time);
    err = err ? err : read_one(t, &image, &frame);
    if (err == RN_END && !rn_read_seek_last(t->source))
        err = read_one(t, &image, &frame);
    rn_monitor_lock(&t->monitor);
    k->image = image;
    if (!err)
        *k = (struct cached){time, frame, image, ++t->clock};
    t->wanted_time = t->wanted_time == time ? NAN : t->wanted_time;
    t->news |= !err; /* a failure would be requested again at once */
}

static void *decode_all(void *arg)
{
    struct thumbs *t = arg;
    rn_log_mute(true);                      /* the player's source has logged the same */
    setpriority(PRIO_PROCESS, 0, NICENESS); /* of this thread alone */
    int err = open_thumbs(t);
    RN_LOCKED(&t->monitor.lock);
    bool found = false;
    while (!t->stop && !err) {
        if (!isnan(t->wanted_time)) {
            find_picture(t);
        } else if (!found) {
            find_last(t);
            found = true;
        } else {
            rn_monitor_wait(&t->monitor);
        }
    }
    return NULL;
}

/* ---- the player's thread */

static void close_thumbs(struct rn_play_bar *b)
{
    struct thumbs *t = b->thumbs;
    if (!t)
        return;
    rn_monitor_lock(&t->monitor);
    t->stop = true;
    if (t->source)
        rn_read_interrupt(t->source);
    rn_monitor_tell(&t->monitor);
    rn_monitor_unlock(&t->monitor);
    rn_thread_join(&t->thread);
    rn_monitor_destroy(&t->monitor);
    rn_read_close(&t->source);
    for (int i = 0; i < MAX_THUMBS; i++)
        rn_image_free(&t->cached[i].image);
    rn_image_free(&t->copy);
    free(t);
    b->thumbs = NULL;
}

static void leave(void *bar)
{
    struct rn_play_bar *b = bar;
    close_thumbs(b);
    rn_pix_display_destroy(&b->display);
    *b = (struct rn_play_bar){.always = b->always};
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
    struct thumbs *t = b->thumbs = calloc(1, sizeof *t);
    if (!t) {
        rn_fail_memory();
        return;
    }
    t->input = s->cli->operand[0];
    t->opts = s->cli->source;
    t->opts.threads = 1;
    t->opts.pictures_only = true;
    t->opts.index_mode = RN_FRAME_INDEX_APPROXIMATE;
    t->opts.losses = NULL;
    t->wanted_time = NAN;
    t->last_time = -1;
    choose_size(&t->opts, s->stream);
    rn_monitor_init(&t->monitor);
    if (rn_thread_start(&t->thread, "thumbnails", decode_all, t))
        close_thumbs(b);
}

/* The time of the last frame; 0: there is no other one, or it is not known. */
static double span(struct rn_play *p)
{
    const struct rn_play_bar *b = p->bar;
    return b->thumbs && b->last_time >= 0
               ? b->last_time
               : fmax(0, p->session->stream->duration - rn_play_frame_duration(p));
}

/* Copies the thumbnail of the first frame at or after time to t->copy. Returns false if it is not
 * decoded yet; it soon is, unless another one is requested first. */
static bool get_thumb(struct thumbs *t, double time, struct rn_frame *frame)
{
    RN_LOCKED(&t->monitor.lock);
    struct cached *k = NULL;
    for (int i = 0; i < t->max_cached && !k; i++)
        if (t->cached[i].used && t->cached[i].time == time)
            k = &t->cached[i];
    bool got = k && (t->copy.plane[0].data || !rn_image_alloc(&t->copy, &k->image.geom));
    if (got) {
        k->used = ++t->clock;
        rn_image_copy(&k->image, &t->copy);
        *frame = k->frame;
    }
    t->wanted_time = k ? NAN : time;
    rn_monitor_tell(&t->monitor);
    return got;
}

static void print_time(double seconds, char *text, size_t size)
{
    int64_t ms = llround(seconds * 1000), s = ms / 1000;
    if (s >= 3600)
        snprintf(text, size, "%" PRId64 ":%02d:%02d.%03d", s / 3600, (int)(s / 60 % 60),
                 (int)(s % 60), (int)(ms % 1000));
    else
        snprintf(text, size, "%d:%02d.%03d", (int)(s / 60), (int)(s % 60), (int)(ms % 1000));
}

static void show_thumb(struct rn_play *p)
{
    struct rn_play_bar *b = p->bar;
    const struct rn_geom *geom = &b->thumbs->copy.geom;
    if (rn_pix_display_fit(&b->display, geom, &p->viewing))
        return;
    rn_play_window_level_apply(rn_play_window_level(p), b->display, geom, true);
    rn_pix_display_show(b->display, &b->thumbs->copy, &b->screen);
    b->scene.thumb = &b->screen;
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
        struct rn_frame frame;
        if (b->thumbs && get_thumb(b->thumbs, time, &frame)) {
            const struct rn_io_stack *stack = rn_play_slices_stack(p->slices);
            char text[32];
            print_time(frame.start + frame.time, text, sizeof text);
            if (stack) /* as the overlay names it */
                rn_play_slices_describe(stack, frame.index, b->label, sizeof b->label);
            else
                snprintf(b->label, sizeof b->label, "%s  frame %s%" PRId64, text,
                         frame.about ? "~" : "", frame.index);
            show_thumb(p);
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
    struct thumbs *t = p->bar->thumbs;
    if (!t)
        return;
    RN_LOCKED(&t->monitor.lock);
    if (t->news)
        rn_play_redraw(p);
    t->news = false;
    p->bar->last_time = t->last_time;
}

const struct rn_play_part_type rn_play_bar_part = {.size = sizeof(struct rn_play_bar),
                                                   .leave = leave};
