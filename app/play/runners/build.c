#include "app/play/runners/build.h"

#include "app/play/loop/player.h"
#include "app/play/edit/history.h"
#include "app/play/edit/tuner.h"
#include "app/play/loop/reader.h"
#include "app/play/loop/times.h"
#include "app/play/panel/panel.h"
#include "app/play/runners/companion.h"
#include "app/play/runners/reload.h"
#include "app/play/view/compare.h"
#include "app/run/session.h"
#include "io/pixels/display.h"
#include "ui/window.h"
#include "app/play/loop/seek.h"
#include "filters/base/clock.h"
#include "filters/base/err.h"
#include "filters/base/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOLD_TIME 0.05 /* seconds that a frame which is being read is waited for, again and again */
#define LONG      0.2  /* seconds after which the screen says it */
#define ASK       0.01 /* seconds until the first runner is asked for again */

/* ---- what is told */

const char *rn_play_build_tell(const struct rn_play *p, char *buf, size_t size)
{
    const struct rn_play_build *b = p->build;
    if (b->wanted && rn_clock() - b->since >= LONG)
        return rn_play_order_name(p->session->chain, buf, size);
    return rn_play_worker_tell(b->worker, buf, size);
}

/* ---- the first runner */

static int bind_first(void *player)
{
    struct rn_play *p = player;
    return rn_app_session_bind(p->session, rn_play_slots(p));
}

static void keep_first(void *player)
{
    (void)player; /* the session closes it */
}

static int draw_start(struct rn_play *p)
{
    char text[256];
    const struct rn_ui_scene scene = {.status =
                                          rn_play_order_name(p->session->chain, text, sizeof text),
                                      .panel = rn_play_panel(p)};
    return rn_ui_draw(p->window, &scene);
}

/* For rn_play_build_answer. Further ones are lost. */
static void keep(struct rn_play_build *b, const struct rn_ui_event *event)
{
    char *text = event->text ? strdup(event->text) : NULL;
    if (b->nkept == RN_BUILD_KEPT || (event->text && !text)) {
        free(text);
        return;
    }
    b->kept[b->nkept].event = *event;
    b->kept[b->nkept].event.text = b->kept[b->nkept].text = text;
    b->nkept++;
}

static void forget_kept(struct rn_play_build *b)
{
    while (b->nkept)
        free(b->kept[--b->nkept].text);
}

/* Keys behind one that opens a field are text, and what is typed is seen; all of it is done once
 * more from the kept events, on what those before have made of the chain. */
static int show_typed(struct rn_play *p, const struct rn_ui_event *event)
{
    const struct rn_ui_event cancel = {.action = RN_ACT_CANCEL};
    switch (event->action) {
    case RN_ACT_NEW:
    case RN_ACT_GO:
    case RN_ACT_TYPED:
    case RN_ACT_ERASE:
    case RN_ACT_CHOOSE:
    case RN_ACT_COMPLETE:
        return rn_play_panel_act(p, event);
    case RN_ACT_TYPE: /* a value, of a parameter that is not known yet */
        rn_ui_type(p->window, true);
        return 0;
    case RN_ACT_ENTER:
    case RN_ACT_CANCEL:
    case RN_ACT_PANEL_PICK:
        return rn_play_panel_act(p, &cancel);
    default:
        return 0;
    }
}

static int answer(struct rn_play *p, const struct rn_ui_event *event)
{
    int err;
    switch (event->action) {
    case RN_ACT_QUIT:
        p->quit = true;
        return 0;
    case RN_ACT_REDRAW:
        return draw_start(p);
    case RN_ACT_POINT:
        return 0;
    default:
        keep(p->build, event);
        err = show_typed(p, event);
        return err ? err : draw_start(p);
    }
}

int rn_play_build_first(struct rn_play *p)
{
    struct rn_play_build *b = p->build;
    struct rn_ui_event event;
    char why[RN_WORKER_WHY];
    int err = rn_play_worker_open(&b->worker);
    err = err ? err : draw_start(p);
    if (err)
        return err;
    b->starts = true;
    struct rn_play_job *job = rn_play_worker_ask(b->worker, "", bind_first, keep_first, p);
    if (!job)
        return RN_EINTERNAL;
    while (!err && !p->quit && !rn_play_job_is_done(job))
        if (rn_ui_next_event(p->window, ASK, &event))
            err = answer(p, &event);
    if (err || p->quit) {
        b->starts = !rn_play_job_is_done(job);
        rn_play_job_leave(&job);
        return err;
    }
    b->starts = false;
    return rn_play_job_take(&job, why);
}

int rn_play_build_answer(struct rn_play *p)
{
    struct rn_play_build *b = p->build;
    const struct rn_ui_event cancel = {.action = RN_ACT_CANCEL};
    int err = rn_play_panel_act(p, &cancel); /* what was seen of it */
    for (int i = 0; i < b->nkept && !err && !p->quit; i++)
        err = rn_play_act(p, &b->kept[i].event);
    forget_kept(b);
    return err;
}

/* ---- another runner */

static bool is_swapped(const struct rn_play *p)
{
    return p->compare->swapped != p->build->swapped;
}

/* That of the other chain does not count. */
static void look_at_history(struct rn_play *p)
{
    if (is_swapped(p))
        return;
    int now = rn_play_history_count(p->history, -1);
    p->build->lowest = now < p->build->lowest ? now : p->build->lowest;
}

int rn_play_build(struct rn_play *p, const struct rn_chain *playing)
{
    struct rn_play_build *b = p->build;
    look_at_history(p);
    p->redraw = true;
    if (b->wanted)
        return 0;
    b->playing = rn_chain_copy(playing);
    if (!b->playing)
        return RN_EINTERNAL;
    b->wanted = true;
    b->swapped = p->compare->swapped;
    b->since = rn_clock();
    b->from = b->lowest = rn_play_history_count(p->history, -1);
    rn_play_times_renew(p->times); /* of other stages */
    return 0;
}

void rn_play_build_drop(struct rn_play *p)
{
    rn_chain_destroy(&p->build->playing);
    p->build->wanted = false;
    p->redraw = true;
}

void rn_play_build_leave(struct rn_play *p)
{
    rn_play_build_drop(p);
    rn_play_order_cancel(&p->build->order);
    rn_app_session_drop_beside(&p->build->made);
}

/* ---- what the device refuses */

/* The history becomes what it was before the first change that was refused; where something was
 * undone and then changed, at least nothing is left in it that was never played. */
static int restore_history(struct rn_play *p)
{
    struct rn_play_history *h = p->history;
    int now = rn_play_history_count(h, -1), from = p->build->from, err = 0;
    look_at_history(p);
    if (now >= from || rn_play_history_count(h, 1) < from - now) {
        rn_play_history_cut(h, p->build->lowest);
        return 0;
    }
    while (!err && rn_play_history_count(h, -1) < from) {
        const struct rn_play_left *there = rn_play_history_look(h, 1);
        struct rn_chain *chain = NULL;
        if (there->place != RN_HISTORY_CHAIN) {
            err = rn_play_undo_store(p, 1);
        } else if ((chain = rn_chain_copy(there->chain)) != NULL) {
            rn_play_history_move(h, 1, p->session->chain);
            p->session->chain = chain;
        } else {
            err = RN_EINTERNAL;
        }
    }
    return err;
}

/* Back to the settings that play. */
static int go_back(struct rn_play *p, int refused, const char *why)
{
    struct rn_app_session *s = p->session;
    if (is_swapped(p))
        rn_play_swap_back(p);
    int err = restore_history(p);
    rn_chain_destroy(&s->chain);
    s->chain = p->build->playing;
    p->build->playing = NULL;
    p->tuner->chain = s->chain;
    err = err ? err : rn_chain_check(s->chain, &s->stream->geom, &s->analysis);
    rn_play_tuner_move(p->tuner, 0); /* the list may be shorter */
    p->tuned = true;
    rn_play_build_leave(p);
    p->build->refusals++;
    snprintf(p->build->why, sizeof p->build->why, "%s", why);
    rn_play_say_refused(p, p->build->why);
    return err ? err : refused == RN_EINTERNAL ? refused : 0;
}

static int begin(struct rn_play *p)
{
    struct rn_play_build *b = p->build;
    struct rn_app_beside prepared;
    int err =
        rn_app_session_prepare_beside(p->session, p->session->chain, rn_play_slots(p), &prepared);
    err = err ? err : rn_play_order(&b->order, b->worker, &prepared);
    return err ? go_back(p, err, rn_log_last()) : 0;
}

/* ---- the runner is ready */

static int change_display(struct rn_play *p)
{
    const struct rn_geom *out = rn_runner_output(p->build->made.runner);
    if (rn_geom_equal(rn_runner_output(p->session->runner), out))
        return 0;
    rn_pix_display_destroy(&p->show_out);
    return rn_pix_display_create(&p->show_out, out, &p->viewing);
}

/* The reader holds. */
static int move(struct rn_play *p)
{
    struct rn_play_build *b = p->build;
    bool cut = p->cut; /* then those behind the mark were given back */
    int err = rn_play_move(p, b->made.runner);
    err = err ? err : rn_runner_stop(p->session->runner, false);
    err = err ? err : change_display(p);
    rn_play_reload_leave(p->reload);
    rn_app_session_take(p->session, &b->made);
    rn_play_times_renew(p->times);
    rn_play_build_leave(p);
    if (!err && (p->sought.wanted || cut || rn_play_companion_delay(p->companion)))
        rn_play_find_neighbours(p);
    return err;
}

static int take(struct rn_play *p)
{
    struct rn_play_build *b = p->build;
    bool taken = false;
    int err = rn_runner_try(b->made.runner, p->session->chain, false, &taken);
    if (err)
        return go_back(p, err, rn_log_last());
    if (!taken) {
        rn_app_session_drop_beside(&b->made); /* the settings are others by now */
        return 0;
    }
    if (!rn_play_reader_hold(p->reader, HOLD_TIME))
        return 0;
    err = move(p);
    rn_play_reader_go_on(p->reader);
    return err;
}

/* It is ready. */
static int collect(struct rn_play *p)
{
    struct rn_play_build *b = p->build;
    char why[RN_WORKER_WHY];
    int err = rn_play_order_take(&b->order, &b->made, why);
    bool other = !rn_chain_equal(b->made.chain, p->session->chain);
    if (err && b->wanted && !other)
        return go_back(p, err, why);
    if (err || !b->wanted)
        rn_app_session_drop_beside(&b->made);
    return 0;
}

bool rn_play_builds(const struct rn_play *p)
{
    return p->build->wanted || p->build->order;
}

int rn_play_build_poll(struct rn_play *p)
{
    struct rn_play_build *b = p->build;
    char text[sizeof b->told];
    int err = 0;
    if (b->wanted)
        look_at_history(p);
    if (rn_play_order_is_ready(b->order))
        err = collect(p);
    if (!b->wanted)
        rn_app_session_drop_beside(&b->made);
    if (!err && b->made.runner)
        err = take(p);
    if (!err && b->wanted && !b->order && !b->made.runner)
        err = begin(p);
    if (!rn_play_build_tell(p, text, sizeof text))
        *text = '\0';
    p->redraw |= strcmp(text, b->told) != 0;
    memcpy(b->told, text, sizeof b->told);
    return err;
}

bool rn_play_build_end(struct rn_play *p)
{
    struct rn_play_build *b = p->build;
    forget_kept(b);
    rn_play_build_leave(p);
    if (rn_play_worker_is_busy(b->worker))
        return false;
    rn_play_worker_close(&b->worker);
    return true;
}
