#include "app/play/build.h"

#include "app/play/player.h"
#include "app/play/seek.h"
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

/* "building kernels: erosion, stats". Returns buf. */
static const char *name_filters(const struct rn_chain *chain, char *buf, size_t size)
{
    size_t used = (size_t)snprintf(buf, size, "building kernels");
    for (int i = 0; i < chain->n && used < size; i++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : ": ",
                                 chain->stage[i]->desc->name);
    return buf;
}

const char *rn_player_build_tell(const struct rn_player *p, char *buf, size_t size)
{
    const struct rn_player_build *b = &p->build;
    bool told = b->wanted && rn_clock() - b->since >= LONG;
    return told ? name_filters(p->session.chain, buf, size) : NULL;
}

/* ---- the first runner */

static int bind_first(void *player)
{
    struct rn_player *p = player;
    return rn_session_bind(&p->session, rn_player_slots(p));
}

static int draw_start(struct rn_player *p)
{
    char text[256];
    return rn_window_draw(
        p->window, &(struct rn_scene){.status = name_filters(p->session.chain, text, sizeof text)});
}

/* For rn_player_build_answer. Further ones are lost. */
static void keep(struct rn_player_build *b, const struct rn_event *event)
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

static void forget_kept(struct rn_player_build *b)
{
    while (b->nkept)
        free(b->kept[--b->nkept].text);
}

static int answer(struct rn_player *p, const struct rn_event *event)
{
    switch (event->action) {
    case RN_ACT_QUIT:
        p->quit = true;
        return 0;
    case RN_ACT_REDRAW:
        return draw_start(p);
    case RN_ACT_POINT:
        return 0;
    default:
        keep(&p->build, event);
        return draw_start(p);
    }
}

int rn_player_build_first(struct rn_player *p)
{
    struct rn_player_build *b = &p->build;
    struct rn_event event;
    char why[RN_WORKER_WHY];
    int err = rn_worker_open(&b->worker);
    err = err ? err : draw_start(p);
    if (err)
        return err;
    b->starts = true;
    rn_worker_start(b->worker, bind_first, p);
    while (!err && !p->quit && rn_worker_is_busy(b->worker))
        if (rn_window_event(p->window, ASK, &event))
            err = answer(p, &event);
    if (err || p->quit)
        return err;
    b->starts = false;
    return rn_worker_result(b->worker, why);
}

int rn_player_build_answer(struct rn_player *p)
{
    struct rn_player_build *b = &p->build;
    int err = 0;
    for (int i = 0; i < b->nkept && !err && !p->quit; i++)
        err = rn_player_act(p, &b->kept[i].event);
    forget_kept(b);
    return err;
}

/* ---- another runner */

static int open_beside(void *player)
{
    struct rn_player *p = player;
    return rn_session_open_beside(&p->session, &p->build.beside);
}

static void discard(struct rn_player_build *b)
{
    rn_runner_close(&b->beside.runner);
    rn_chain_destroy(&b->beside.chain);
    b->running = false;
}

static bool is_swapped(const struct rn_player *p)
{
    return p->compare.swapped != p->build.swapped;
}

/* That of the other chain does not count. */
static void look_at_history(struct rn_player *p)
{
    if (is_swapped(p))
        return;
    int now = rn_history_count(&p->history, -1);
    p->build.lowest = now < p->build.lowest ? now : p->build.lowest;
}

int rn_player_build(struct rn_player *p, const struct rn_chain *playing)
{
    struct rn_player_build *b = &p->build;
    look_at_history(p);
    p->redraw = true;
    if (b->wanted)
        return 0;
    b->playing = rn_chain_copy(playing);
    if (!b->playing)
        return RN_EINTERNAL;
    b->wanted = true;
    b->swapped = p->compare.swapped;
    b->since = rn_clock();
    b->from = b->lowest = rn_history_count(&p->history, -1);
    rn_times_renew(&p->times); /* of other stages */
    return 0;
}

void rn_player_build_drop(struct rn_player *p)
{
    rn_chain_destroy(&p->build.playing);
    p->build.wanted = false;
    p->redraw = true;
}

/* ---- what the device refuses */

/* The history becomes what it was before the first change that was refused; where something was
 * undone and then changed, at least nothing is left in it that was never played. */
static int restore_history(struct rn_player *p)
{
    struct rn_history *h = &p->history;
    int now = rn_history_count(h, -1), from = p->build.from, err = 0;
    look_at_history(p);
    if (now >= from || rn_history_count(h, 1) < from - now) {
        rn_history_cut(h, p->build.lowest);
        return 0;
    }
    while (!err && rn_history_count(h, -1) < from) {
        const struct rn_left *there = rn_history_look(h, 1);
        struct rn_chain *chain = NULL;
        if (there->place != RN_HISTORY_CHAIN) {
            err = rn_player_undo_store(p, 1);
        } else if ((chain = rn_chain_copy(there->chain)) != NULL) {
            rn_history_move(h, 1, p->session.chain);
            p->session.chain = chain;
        } else {
            err = RN_EINTERNAL;
        }
    }
    return err;
}

/* Back to the settings that play. */
static int go_back(struct rn_player *p, int refused, const char *why)
{
    struct rn_session *s = &p->session;
    if (is_swapped(p))
        rn_player_swap_back(p);
    int err = restore_history(p);
    rn_chain_destroy(&s->chain);
    s->chain = p->build.playing;
    p->build.playing = NULL;
    p->tuner.chain = s->chain;
    err = err ? err : rn_chain_check(s->chain, &s->stream->geom, &s->analysis);
    rn_tuner_move(&p->tuner, 0); /* the list may be shorter */
    p->tuned = true;
    discard(&p->build);
    rn_player_build_drop(p);
    p->build.refusals++;
    snprintf(p->build.why, sizeof p->build.why, "%s", why);
    rn_player_say_refused(p, p->build.why);
    return err ? err : refused == RN_EINTERNAL ? refused : 0;
}

static int begin(struct rn_player *p)
{
    struct rn_player_build *b = &p->build;
    struct rn_chain *chain = rn_chain_copy(p->session.chain);
    int err = chain ? rn_session_prepare_beside(&p->session, chain, &p->session.analysis,
                                                rn_player_slots(p), &b->beside)
                    : RN_EINTERNAL;
    if (err) {
        rn_chain_destroy(&chain);
        b->beside = (struct rn_beside){.chain = NULL};
        return go_back(p, err, rn_log_last());
    }
    b->running = true;
    rn_worker_start(b->worker, open_beside, p);
    return 0;
}

/* ---- the runner is ready */

static int change_display(struct rn_player *p)
{
    const struct rn_geom *out = rn_runner_output(p->build.beside.runner);
    if (rn_geom_equal(rn_runner_output(p->session.runner), out))
        return 0;
    rn_display_destroy(&p->show_out);
    return rn_display_create(&p->show_out, out, &p->viewing);
}

/* The frame on the screen is to have its own neighbours. Where playing had ended by a mark, those
 * behind it were given back: they are read once more. */
static void find_neighbours(struct rn_player *p, bool cut)
{
    if ((rn_companion_delay(&p->companion) || cut) && p->nahead && isnan(p->goal))
        rn_player_seek(p, p->ahead[0]->frame.time);
}

/* The reader holds. */
static int move(struct rn_player *p)
{
    struct rn_player_build *b = &p->build;
    bool cut = p->cut;
    int err = rn_player_move(p, b->beside.runner);
    err = err ? err : rn_runner_stop(p->session.runner, false);
    err = err ? err : change_display(p);
    rn_session_take(&p->session, &b->beside);
    rn_times_renew(&p->times);
    discard(b);
    rn_player_build_drop(p);
    if (!err)
        find_neighbours(p, cut);
    return err;
}

static int take(struct rn_player *p)
{
    struct rn_player_build *b = &p->build;
    bool taken = false;
    int err = rn_runner_try(b->beside.runner, p->session.chain, &taken);
    if (err)
        return go_back(p, err, rn_log_last());
    if (!taken) {
        discard(b); /* the settings are others by now */
        return 0;
    }
    if (!rn_reader_hold(p->reader, HOLD_TIME))
        return 0;
    err = move(p);
    rn_reader_go_on(p->reader);
    return err;
}

/* The worker has ended. */
static int collect(struct rn_player *p)
{
    struct rn_player_build *b = &p->build;
    char why[RN_WORKER_WHY];
    int err = rn_worker_result(b->worker, why);
    if (!b->wanted || (err && !rn_chain_equal(b->beside.chain, p->session.chain))) {
        discard(b);
        return 0;
    }
    return err ? go_back(p, err, why) : take(p);
}

bool rn_player_builds(const struct rn_player *p)
{
    return p->build.wanted || p->build.running;
}

int rn_player_build_poll(struct rn_player *p)
{
    struct rn_player_build *b = &p->build;
    char text[8];
    int err = 0;
    if (b->wanted)
        look_at_history(p);
    if (b->running && !rn_worker_is_busy(b->worker))
        err = collect(p);
    if (!err && b->wanted && !b->running)
        err = begin(p);
    bool told = rn_player_build_tell(p, text, sizeof text) != NULL;
    p->redraw |= told != b->told;
    b->told = told;
    return err;
}

void rn_player_build_wait(struct rn_player *p)
{
    rn_worker_wait(p->build.worker);
}

bool rn_player_build_end(struct rn_player *p)
{
    struct rn_player_build *b = &p->build;
    forget_kept(b);
    if (rn_worker_is_busy(b->worker))
        return false;
    rn_worker_close(&b->worker);
    discard(b);
    rn_chain_destroy(&b->playing);
    return true;
}
