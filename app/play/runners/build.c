/* SPDX-License-Identifier: MIT */
#include "app/play/loop/player.h"
#include "app/play/control/command_table.h"
#include "app/play/edit/settings.h"
#include "app/play/panel/panel.h"
#include "app/play/runners/runners.h"
#include "app/play/view/compare.h"
#include "app/play/view/presentation.h"
#include "filters/base/clock.h"

#include <stdlib.h>
#include <string.h>

#define MAX_KEPT   256  /* events of the start; further ones are lost */
#define PAUSE_TIME 0.05 /* seconds that a frame which is being read is waited for, at a time */
#define LONG       0.2  /* seconds after which the screen says it */
#define POLL_TIME  0.01 /* seconds until the first runner is polled again */

struct rn_play_build {
    struct {
        struct rn_ui_event event;
        char *text;   /* of it, owned; NULL: none */
    } kept[MAX_KEPT]; /* of that time */
    int nkept;
    const struct rn_slot *first;     /* read and shown until the first runner is there; or NULL */
    bool wanted;                     /* the settings are not those that play */
    double since;                    /* when it became wanted */
    struct rn_play_pending *pending; /* NULL: none */
    struct rn_chain *playing;        /* the settings that play, while others are wanted */
    int refusals;                    /* of the device, so far, and what the last one was */
    char why[256];
    bool swapped;                /* see compare.h; when it became wanted */
    int first_undo, lowest_undo; /* undo steps then, and the fewest since */
};

static const struct rn_ui_event cancel = {.kind = RN_EVENT_CANCEL};

/* ---- the first runner */

static int draw_start(struct rn_play *p)
{
    char text[256];
    struct rn_screen screen;
    struct rn_ui_scene scene = {.status =
                                    rn_play_pending_describe(p->session->chain, text, sizeof text)};
    rn_play_show_panel(p, &scene);
    if (p->build->first) {
        rn_pix_display_show(p->show_in, &p->build->first->in, &screen);
        scene.npanes = 1;
        scene.pane[0].picture = &screen;
        scene.pane[0].label = rn_chain_count(p->session->chain) ? "original" : NULL;
    }
    return rn_ui_draw(p->window, &scene);
}

/* Shows the first frame once it is there. */
static int look_at_first(struct rn_play *p)
{
    const struct rn_slot *slot = p->build->first ? NULL : rn_play_reader_first(p->reader);
    if (!slot)
        return 0;
    struct rn_slot shown = *slot; /* without an output */
    p->shown = &shown;
    rn_play_fit_window(p, true);
    p->shown = NULL;
    p->build->first = slot;
    return draw_start(p);
}

/* For rn_play_build_answer. Further ones are lost. */
static void keep(struct rn_play_build *b, const struct rn_ui_event *event)
{
    char *text = event->text ? strdup(event->text) : NULL;
    if (b->nkept == MAX_KEPT || (event->text && !text)) {
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
    const enum rn_ui_event_kind kind = event->kind;
    bool types = kind == RN_EVENT_TYPED || kind == RN_EVENT_ERASE || kind == RN_EVENT_CHOOSE ||
                 kind == RN_EVENT_PAGE || kind == RN_EVENT_COMPLETE;
    bool ends = kind == RN_EVENT_ENTER || kind == RN_EVENT_CANCEL || kind == RN_EVENT_LIST_PICK;
    if (kind == RN_EVENT_COMMAND && event->command->flags & RN_COMMAND_TYPES)
        return rn_play_run_command(p, event->command, event->count);
    return types || ends ? rn_play_panel_act(p, ends ? &cancel : event) : 0;
}

static int answer(struct rn_play *p, const struct rn_ui_event *event)
{
    int err;
    if (event->kind == RN_EVENT_COMMAND && event->command->flags & RN_COMMAND_WINDOW)
        return rn_play_run_command(p, event->command, event->count);
    switch (event->kind) {
    case RN_EVENT_CLOSE:
        p->quit = true;
        return 0;
    case RN_EVENT_REDRAW:
        return draw_start(p);
    case RN_EVENT_POINT:
        return 0;
    default:
        keep(p->build, event);
        err = show_typed(p, event);
        return err ? err : draw_start(p);
    }
}

static int poll_first(struct rn_play *p, bool *ready)
{
    const struct rn_play_pending_request first = {.kind = RN_PENDING_FIRST,
                                                  .session = p->session,
                                                  .chain = p->session->chain,
                                                  .slots = rn_play_slots(p)};
    return rn_play_pending_get(&p->build->pending, p->jobs, &first, ready);
}

int rn_play_build_begin(struct rn_play *p)
{
    bool ready;
    int err = rn_play_jobs_open(&p->jobs);
    err = err ? err : draw_start(p);
    return err ? err : poll_first(p, &ready);
}

int rn_play_build_first(struct rn_play *p)
{
    struct rn_play_build *b = p->build;
    struct rn_app_session *s = p->session;
    struct rn_ui_event event;
    bool ready = false;
    int err = 0;
    while (!err && !p->quit && !ready) {
        err = poll_first(p, &ready);
        err = err ? err : look_at_first(p);
        ready = ready && rn_play_reader_pause(p->reader, 0);
        if (!err && !ready && rn_ui_next_event(p->window, POLL_TIME, &event))
            err = answer(p, &event);
    }
    b->first = NULL;
    if (!err && ready)
        rn_play_pending_take(&b->pending, &s->runner, &s->runner_device);
    return err;
}

int rn_play_build_answer(struct rn_play *p)
{
    struct rn_play_build *b = p->build;
    int err = rn_play_panel_act(p, &cancel); /* what was seen of it */
    for (int i = 0; i < b->nkept && !err && !p->quit; i++)
        err = rn_play_handle_event(p, &b->kept[i].event);
    forget_kept(b);
    return err;
}

/* ---- another runner */

static bool is_swapped(const struct rn_play *p)
{
    return rn_play_is_swapped(p) != p->build->swapped;
}

/* That of the other chain does not count. */
static void look_at_history(struct rn_play *p)
{
    if (is_swapped(p))
        return;
    int now = rn_play_history_count(p->history, -1);
    p->build->lowest_undo = now < p->build->lowest_undo ? now : p->build->lowest_undo;
}

const struct rn_chain *rn_play_build_chain(const struct rn_play *p)
{
    return p->build->playing ? p->build->playing : p->session->chain;
}

int rn_play_build(struct rn_play *p, const struct rn_chain *playing)
{
    struct rn_play_build *b = p->build;
    look_at_history(p);
    rn_play_redraw(p);
    if (b->wanted)
        return 0;
    if (rn_chain_assign(&b->playing, playing))
        return RN_EINTERNAL;
    b->wanted = true;
    b->swapped = rn_play_is_swapped(p);
    b->since = rn_clock();
    b->first_undo = b->lowest_undo = rn_play_history_count(p->history, -1);
    rn_play_times_await(p->times, true);
    return 0;
}

void rn_play_build_drop(struct rn_play *p)
{
    rn_chain_destroy(&p->build->playing);
    if (p->build->wanted)
        rn_play_times_await(p->times, false);
    p->build->wanted = false;
    rn_play_redraw(p);
}

void rn_play_build_leave(struct rn_play *p)
{
    rn_play_build_drop(p);
    rn_play_pending_cancel(&p->build->pending);
}

/* ---- what the device refuses */

/* The history becomes what it was before the first change that was refused; where something was
 * undone and then changed, at least nothing is left in it that was never played. */
static int restore_history(struct rn_play *p)
{
    struct rn_play_history *h = p->history;
    int now = rn_play_history_count(h, -1), from = p->build->first_undo, err = 0;
    look_at_history(p);
    if (now >= from || rn_play_history_count(h, 1) < from - now) {
        rn_play_history_cut(h, p->build->lowest_undo);
        return 0;
    }
    while (!err && rn_play_history_count(h, -1) < from) {
        const struct rn_play_history_entry *there = rn_play_history_peek(h, 1);
        struct rn_chain *chain = NULL;
        if (there->place == RN_HISTORY_RECORDING) {
            err = rn_play_recording_undo(p, 1);
        } else if (there->place != RN_HISTORY_CHAIN) {
            err = rn_play_snapshots_undo(p->snapshots, h, 1);
        } else if ((chain = rn_chain_copy(there->chain)) != NULL) {
            rn_play_history_move(h, 1, p->session->chain);
            p->session->chain = chain;
        } else {
            err = RN_EINTERNAL;
        }
    }
    return err;
}

void rn_play_add_refusal(struct rn_play *p, const char *why)
{
    p->build->refusals++;
    snprintf(p->build->why, sizeof p->build->why, "%s", why);
}

int rn_play_refusals(const struct rn_play *p, const char **why)
{
    *why = p->build->why;
    return p->build->refusals;
}

/* Back to the settings that play. */
static int go_back(struct rn_play *p, int refused)
{
    struct rn_app_session *s = p->session;
    rn_play_add_refusal(p, rn_log_last());
    if (is_swapped(p))
        rn_play_swap_back(p);
    int err = restore_history(p);
    rn_chain_destroy(&s->chain);
    s->chain = p->build->playing;
    p->build->playing = NULL;
    err = err ? err : rn_chain_check(s->chain, &s->stream->geom, &s->analysis);
    rn_play_cursor_move(p, 0); /* the list may be shorter */
    rn_play_mark_unsaved(p);
    rn_play_build_leave(p);
    rn_play_say_refused(p, p->build->why);
    return err ? err : refused == RN_EINTERNAL ? refused : 0;
}

/* ---- the runner is ready */

/* Takes what is ready, and requests what is wanted. */
static int go_on(struct rn_play *p)
{
    struct rn_play_build *b = p->build;
    struct rn_app_session *s = p->session;
    const struct rn_play_pending_request wanted = {
        .kind = RN_PENDING_BESIDE, .session = s, .chain = s->chain, .slots = rn_play_slots(p)};
    bool ready;
    int err = rn_play_pending_get(&b->pending, p->jobs, &wanted, &ready);
    if (err)
        return go_back(p, err);
    if (!ready || !rn_play_reader_pause(p->reader, PAUSE_TIME))
        return 0;
    struct rn_runner *made = rn_play_pending_runner(b->pending);
    bool cut = rn_play_is_cut(p); /* then those behind the mark were given back */
    err = rn_play_move(p, made);
    err = err ? err : rn_runner_stop(s->runner, false);
    err = err ? err : rn_pix_display_fit(&p->show_out, rn_runner_output(made), &p->viewing);
    rn_play_pending_cancel(&p->rebuild);
    rn_play_pending_take(&b->pending, &s->runner, &s->runner_device);
    rn_play_times_renew(p->times);
    rn_play_build_leave(p);
    if (!err)
        rn_play_find_neighbours(p, cut || rn_play_runners_delay(p->runners));
    rn_play_reader_resume(p->reader);
    return err;
}

bool rn_play_builds(const struct rn_play *p)
{
    return p->build->wanted || p->build->pending;
}

bool rn_play_build_is_busy(const struct rn_play *p)
{
    return p->build->wanted;
}

int rn_play_build_poll(struct rn_play *p)
{
    struct rn_play_build *b = p->build;
    char text[256];
    int err = 0;
    if (b->wanted) {
        look_at_history(p);
        err = go_on(p);
    } else if (rn_play_pending_is_ready(b->pending)) {
        rn_play_pending_cancel(&b->pending);
    }
    if (b->wanted && rn_clock() - b->since >= LONG)
        rn_play_pending_describe(p->session->chain, text, sizeof text);
    else if (!rn_play_jobs_describe(p->jobs, text, sizeof text))
        *text = '\0';
    rn_play_say_building(p, text);
    return err;
}

bool rn_play_build_end(struct rn_play *p)
{
    forget_kept(p->build);
    rn_play_build_leave(p);
    if (rn_play_jobs_is_busy(p->jobs))
        return false;
    rn_play_jobs_close(&p->jobs);
    return true;
}

const struct rn_play_part_type rn_play_build_part = {.size = sizeof(struct rn_play_build)};
