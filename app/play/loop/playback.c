/* SPDX-License-Identifier: MIT */
#include "app/play/edit/settings.h"
#include "app/play/export/export.h"
#include "app/play/loop/player.h"
#include "app/play/panel/panel.h"
#include "app/play/runners/runners.h"
#include "app/play/stacks/stacks.h"
#include "app/play/view/compare.h"
#include "app/play/view/presentation.h"
#include "filters/base/owned.h"
#include "io/read/audio.h"

#include <math.h>

/* ---- the content of the window */

/* Whether drawing looks at samples of the frame on the screen: not only at what lies over pictures,
 * or at the same ones as they were drawn last. They have to be there. */
static bool needs_samples(const struct rn_play *p)
{
    return p->drawing == RN_DRAWING_PICTURES || p->probe->on ||
           rn_play_region_needs_samples(p->region) || !rn_ui_keeps(p->window, rn_play_layout(p)) ||
           rn_play_wants_figures(p);
}

/* Draws everything anew: the pictures, and all that lies over them. */
static int draw(struct rn_play *p)
{
    struct rn_screen screen[RN_SCENE_PANES];
    char times[RN_TIMES_TEXT], numbers[512] = "", status[720], figures[200];
    char readout[RN_PROBE_TEXT], renders[RN_RENDERS_TEXT], message[RN_RENDERS_TEXT + 2048];
    struct rn_ui_scene scene = {.alert = rn_play_runners_alert(p->runners)};
    p->drawing = p->shown ? p->drawing : RN_DRAWING_OVERLAYS;
    bool kept = !p->shown && !rn_play_three_is_on(p->three) && /* which tell of p->shown */
                rn_ui_keeps(p->window, rn_play_layout(p));
    struct rn_ui_scene_region region, outline;
    int err = p->shown || kept ? rn_play_pictures(p, &scene, screen) : 0;
    rn_play_show_panel(p, &scene);
    rn_play_render_queue_describe(p->renders, renders);
    rn_play_write_messages(p, renders, message, sizeof message);
    scene.message = *message ? message : NULL;
    if (!p->shown) { /* the window keeps the pictures of the input before until one of the next */
        p->drawing = RN_DRAWING_NOTHING;
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
    scene.bar = rn_play_bar(p);
    rn_play_region_outline(p, &scene, &outline);
    rn_play_tell_figures(p, figures, sizeof figures);
    snprintf(status, sizeof status, "%s%s%s", figures, *figures && *numbers ? "\n" : "", numbers);
    scene.status = *status ? status : NULL;
    if (p->times->on)
        scene.times = rn_play_tell_times(p, times, sizeof times);
    if (p->probe->on && rn_play_describe_samples(p, readout, sizeof readout))
        scene.readout = readout;
    scene.marks = scene.readout;
    p->drawing = RN_DRAWING_NOTHING;
    return rn_ui_draw(p->window, &scene);
}

/* ---- frames */

/* The frames that filters across frames had for a frame, if they were fewer than these reach. */
static struct rn_app_span neighbours(const struct rn_play *p, const struct rn_slot *slot)
{
    struct rn_app_span had = rn_play_runners_run(p->runners, slot);
    int reach = rn_runner_delay(p->session->runner); /* in both directions */
    int64_t frame = slot->frame.index;
    /* The end of the input is no mark. */
    bool ends =
        rn_play_is_cut(p) || p->session->cli->source.to.kind || p->session->cli->source.frames >= 0;
    if (!reach)
        return RN_ALL_FRAMES;
    return (struct rn_app_span){had.first > frame - reach ? had.first : 0,
                                ends && had.last < frame + reach ? had.last : RN_TO_THE_END};
}

/* Updates all parts after p->shown has changed, and draws. follows: see record.h. */
static int present(struct rn_play *p, bool follows)
{
    struct rn_frame frame = p->shown->frame;
    frame.data = NULL;
    int err = p->hashes ? rn_write_write(p->hashes, &p->shown->out, &frame) : 0;
    rn_play_greet(p);
    char text[96];
    bool other = rn_play_slices_has_changed(p->slices, frame.index);
    const struct rn_io_stack *stack = rn_play_slices_stack(p->slices);
    if (stack && p->paused && p->drawn && other)
        rn_play_say(p, "%s", rn_play_slices_describe(stack, frame.index, text, sizeof text));
    rn_play_fit_window(p, !follows);
    p->drawing = RN_DRAWING_PICTURES;
    rn_play_region_outdate(p->region);
    rn_play_outdate_figures(p, false);
    bool dropped = follows && !rn_play_recording_is_followed(p);
    err = err ? err : rn_play_recording_fill(p, frame.index, follows);
    if (!err && p->record &&
        rn_app_record_frame(p->record, frame.index, neighbours(p, p->shown), dropped))
        rn_play_say(p, "the recording has stopped: see the message in the terminal");
    p->drawn++;
    p->visibility = RN_VISIBILITY_SEEN;
    return err ? err : draw(p);
}

/* Whether a frame is too late, and others follow it. */
static bool is_late(struct rn_play *p, double time)
{
    rn_play_follow_sound(p);
    double slack = 1.5 * rn_play_frame_duration(p) * fmax(1, rn_play_speed(p));
    return !p->seeking && !p->session->cli->play.untimed && p->nahead &&
           time + slack < rn_play_time(p);
}

/* Takes frames from the reader, up to a limit ahead, so that their sound is queued early. */
static int gather(struct rn_play *p, int limit, double timeout)
{
    while (p->seeking != RN_SEEKING_READER && !rn_play_is_cut(p) && p->nahead < limit) {
        struct rn_slot *slot;
        int err = rn_play_reader_next(p->reader, p->nahead ? 0 : timeout, &slot);
        if (err || !slot)
            return err == RN_END && (p->nahead || p->next) ? 0 : err;
        if (!rn_play_look(p, slot)) {
            rn_play_reader_give(p->reader, slot);
            continue;
        }
        if (!rn_play_leads_in(p, slot))
            rn_play_push_sound(p, &slot->frame);
        p->ahead[p->nahead++] = slot;
    }
    return 0;
}

static struct rn_slot *take_ahead(struct rn_play *p)
{
    struct rn_slot *slot = p->ahead[0];
    memmove(p->ahead, p->ahead + 1, (size_t)--p->nahead * sizeof p->ahead[0]);
    return slot;
}

/* Recycles a frame that is not shown any more; NULL is legal. */
static int let_go(struct rn_play *p, struct rn_slot *slot)
{
    int err = slot ? rn_play_runners_recycle(p->runners, slot) : 0;
    while ((slot = rn_runner_free(p->session->runner)) != NULL)
        rn_play_reader_give(p->reader, slot);
    return err;
}

/* Ends playing at the mark. */
static void cut_off(struct rn_play *p)
{
    p->playback = rn_play_at_end(p) ? RN_PLAYBACK_AT_CUT : RN_PLAYBACK_CUT;
    while (p->nahead)
        rn_play_reader_give(p->reader, take_ahead(p));
}

/* Counts a frame that is not shown, unless it only leads in another one. */
static void drop(struct rn_play *p, bool leads)
{
    if (leads)
        return;
    p->dropped++;
    rn_play_note_skipped(p->transport);
}

/* Sets p->next to the first complete frame that is to be shown. */
static int take_ready(struct rn_play *p)
{
    struct rn_slot *slot;
    int err = 0;
    while (!err && !p->next && (slot = rn_play_runners_ready(p->runners)) != NULL) {
        bool leads = rn_play_leads_in(p, slot), late = rn_play_runners_delay(p->runners) > 0;
        if (rn_play_is_beyond(p, slot)) { /* the mark was set after it was submitted */
            cut_off(p);
            err = let_go(p, slot);
        } else if (!leads && !(late && is_late(p, slot->frame.time))) {
            p->next = slot;
        } else {
            drop(p, leads);
            err = let_go(p, slot);
        }
    }
    return err;
}

/* Takes the remaining frames at the end of the input. */
static int take_last(struct rn_play *p)
{
    int err = rn_play_runners_drain(p->runners);
    err = err ? err : take_ready(p);
    return err ? err : p->next ? 0 : RN_END;
}

/* Notes what slot is computed with. Frames of filters across frames are all filtered again before
 * the next one, if the settings have changed (rn_runner_keep). */
static void note_computed(struct rn_play *p, const struct rn_slot *slot)
{
    const struct rn_runner *runner = p->session->runner;
    if (!p->record)
        return;
    const struct rn_chain *chain = rn_play_build_chain(p);
    rn_app_record_compute(p->record, chain, slot->frame.index);
    for (int i = 0; rn_runner_delay(runner) && (slot = rn_play_runners_frame(p->runners, i)); i++)
        if (rn_runner_holds(runner, slot))
            rn_app_record_compute(p->record, chain, slot->frame.index);
}

/* Submits frames until one is complete: p->next. Late frames are dropped; if filters need them as
 * neighbours, they are filtered but not shown. */
static int take(struct rn_play *p, double timeout)
{
    int err = rn_play_is_cut(p) ? RN_END : gather(p, RN_PLAYER_SLOTS, timeout);
    if (err == RN_END)
        return take_last(p);
    while (!err && !p->next && p->nahead && p->seeking != RN_SEEKING_READER) {
        if (rn_play_is_beyond(p, p->ahead[0])) {
            cut_off(p);
            return take_last(p);
        }
        bool changed, waits = false;
        const struct rn_frame *frame = &p->ahead[0]->frame;
        if (!rn_play_leads_in(p, p->ahead[0])) { /* the settings are those of what it completes */
            rn_play_recording_shown_from(p, frame->index);
            err = rn_play_recording_follow(p, frame->index - rn_play_runners_delay(p->runners),
                                           &changed, &waits);
        }
        if (err || waits)
            return err;
        struct rn_slot *slot = take_ahead(p);
        if (rn_play_runners_delay(p->runners) || !is_late(p, slot->frame.time)) {
            note_computed(p, slot);
            err = rn_play_runners_submit(p->runners, slot);
            err = err ? err : take_ready(p);
        } else {
            drop(p, false);
            rn_play_reader_give(p->reader, slot);
        }
    }
    return err;
}

/* Drops the picture that the device may be busy with: it will not be shown. */
static int leave_refiltered(struct rn_play *p)
{
    bool filtering = rn_play_is_filtering(p);
    p->picture = rn_play_is_stale(p) ? RN_PICTURE_STALE : RN_PICTURE_CURRENT;
    return filtering ? rn_play_runners_wait(p->runners, p->shown) : 0;
}

/* Ends a seek of the reader, which was done or refused. */
static int land(struct rn_play *p, bool done)
{
    rn_play_end_seek(p, done);
    if (!done)
        return 0;
    rn_play_recording_shown_from(p, -1);
    if (p->sound->audio)
        rn_read_audio_flush(p->sound->audio);
    rn_play_forget_sound(p);
    /* The picture that is still filtered is recorded with the mark that it was cut at. */
    int err = rn_play_is_filtering(p) ? rn_play_finish_filtering(p) : 0;
    p->playback = RN_PLAYBACK_GOES_ON;
    /* Recycles all frames but the one on the screen. */
    err = err ? err : rn_play_runners_reset(p->runners);
    err = rn_first_error(err, let_go(p, p->next));
    p->next = NULL;
    while (p->nahead)
        rn_play_reader_give(p->reader, take_ahead(p));
    return err;
}

/* Filters the frames in hand anew. Those from before a seek stay: their neighbours are gone. */
static int filter_again(struct rn_play *p)
{
    int err = rn_play_runners_again(p->runners);
    const struct rn_runner *runner = p->session->runner;
    bool filtering = !err && p->shown && rn_runner_holds(runner, p->shown);
    if (filtering)
        note_computed(p, p->shown);
    if (!err && p->next && rn_runner_holds(runner, p->next))
        note_computed(p, p->next);
    p->picture = filtering ? RN_PICTURE_FILTERING : RN_PICTURE_CURRENT;
    rn_play_times_begin(p->times);
    return err || filtering || p->visibility == RN_VISIBILITY_SEEN
               ? err
               : present(p, p->visibility == RN_VISIBILITY_UNSEEN_FOLLOWS);
}

static int show_refiltered(struct rn_play *p)
{
    int err = leave_refiltered(p);
    err = err ? err : present(p, p->visibility == RN_VISIBILITY_UNSEEN_FOLLOWS);
    rn_play_times_end(p->times);
    return err;
}

int rn_play_refresh(struct rn_play *p)
{
    int err = rn_play_is_stale(p) || p->drawing ? rn_play_accompany(p) : 0;
    bool busy = (rn_play_is_filtering(p) && !rn_play_runners_done(p->runners, p->shown)) ||
                (p->next && !rn_play_runners_done(p->runners, p->next));
    /* A picture that was begun is shown first, so a held key does not stop the screen. */
    if (!err && rn_play_is_stale(p) && !busy)
        err = rn_play_is_filtering(p) ? show_refiltered(p) : filter_again(p);
    if (!err && rn_play_is_filtering(p) && rn_play_runners_done(p->runners, p->shown))
        err = show_refiltered(p);
    if (err || !p->drawing)
        return err;
    bool waits = p->shown && rn_play_is_filtering(p) && needs_samples(p);
    return waits ? rn_play_finish_filtering(p) : draw(p);
}

int rn_play_finish_filtering(struct rn_play *p)
{
    int err = rn_play_accompany(p);
    err = !err && rn_play_is_stale(p) ? filter_again(p) : err;
    return err || !rn_play_is_filtering(p) ? err : show_refiltered(p);
}

/* ---- another runner */

/* The frames in hand, in order; all submitted ones are complete. */
struct hand {
    struct rn_slot *slot[RN_PLAYER_MOST];
    int n;
};

static int pick_up(struct rn_play *p, struct hand *hand)
{
    struct rn_play_runners *c = p->runners;
    struct rn_slot *slot = p->next;
    if (p->shown)
        hand->slot[hand->n++] = p->shown;
    int err = leave_refiltered(p);
    err = err ? err : rn_play_runners_drain(c);
    for (slot = slot ? slot : rn_play_runners_ready(c); slot && !err;
         slot = rn_play_runners_ready(c)) {
        hand->slot[hand->n++] = slot;
        err = rn_play_runners_wait(c, slot);
    }
    for (int i = 0; i < p->nahead; i++)
        hand->slot[hand->n++] = p->ahead[i];
    return err;
}

int rn_play_move(struct rn_play *p, struct rn_runner *runner)
{
    struct hand hand = {.n = 0};
    int err = p->seeking == RN_SEEKING_READER
                  ? land(p, rn_play_reader_sought(p->reader) == RN_SEEK_DONE)
                  : 0;
    err = err ? err : gather(p, RN_PLAYER_MOST, 0);
    err = err == RN_END ? 0 : err;
    err = err ? err : pick_up(p, &hand);
    err = err ? err : rn_play_reader_change(p->reader, runner, hand.n);
    if (err)
        return err;
    for (int i = 0; i < hand.n; i++) {
        p->ahead[i] = rn_runner_slot(runner, i);
        rn_image_copy(&hand.slot[i]->in, &p->ahead[i]->in);
        p->ahead[i]->frame = hand.slot[i]->frame;
        hand.slot[i]->frame = (struct rn_frame){0};
    }
    err = rn_play_runners_leave(p->runners);
    rn_play_reader_release(p->session->runner); /* neighbours that are not in hand */
    if (p->shown)
        rn_play_recording_skip_next(p, p->ahead[0]->frame.index);
    p->nahead = hand.n;
    p->shown = p->next = NULL;
    p->playback = RN_PLAYBACK_GOES_ON;
    p->picture = RN_PICTURE_CURRENT;
    p->seeking = hand.n > 0 && p->seeking == RN_SEEKING_NOT ? RN_SEEKING_FRAME : p->seeking;
    return err;
}

/* ---- on and on */

/* Continues after the last frame was shown for its duration: next input, or loop. */
static void end(struct rn_play *p, double *wait)
{
    double time = p->shown ? p->shown->frame.time + rn_play_frame_duration(p) : 0;
    rn_play_follow_sound(p);
    bool over =
        p->shown && (p->seeking || p->session->cli->play.untimed || rn_play_time(p) >= time);
    p->seeking = RN_SEEKING_NOT;
    bool followed = over && !rn_play_is_cut(p) && rn_play_input_ended(p, wait);
    if (over && !followed && (p->loop || rn_play_is_cut(p))) {
        rn_play_rewind(p);
        *wait = 0;
    } else if (over && !followed) {
        rn_play_reach_end(p);
    }
}

/* The user may have changed a value since the next frame was filtered with those that the recording
 * has for it. *again: it is filtered again. */
static int follow_next(struct rn_play *p, bool *again)
{
    bool waits;
    int err = rn_play_recording_follow(p, p->next->frame.index, again, &waits);
    *again |= waits;
    if (err || !*again || waits)
        return err;
    err = rn_play_runners_again(p->runners);
    note_computed(p, p->next);
    return err;
}

/* Shows the next frame if it is due and complete. */
static int show_when_due(struct rn_play *p, double *wait)
{
    rn_play_follow_sound(p);
    bool at_once = p->seeking || p->session->cli->play.untimed;
    double due = at_once ? 0 : (p->next->frame.time - rn_play_time(p)) / rn_play_speed(p);
    if (due > 0.001) {
        *wait = fmin(due, 0.05);
        return 0;
    }
    if (!rn_play_runners_done(p->runners, p->next) || !rn_play_reference_fetch(p, p->next, 0)) {
        *wait = RN_PLAYER_BUSY;
        return 0;
    }
    *wait = 0;
    bool again;
    int err = follow_next(p, &again);
    if (err || again)
        return err;
    err = leave_refiltered(p);
    err = err ? err : rn_play_runners_wait(p->runners, p->next);
    err = err ? err : let_go(p, p->shown);
    p->shown = rn_take_owned(&p->next);
    bool follows = !p->seeking;
    if (p->seeking)
        rn_play_set_time(p, p->shown->frame.time);
    p->seeking = p->seeking == RN_SEEKING_FRAME ? RN_SEEKING_NOT : p->seeking;
    rn_play_reach_target(p);
    if (err || rn_play_recording_was_shown(p, p->shown->frame.index))
        return err;
    bool recorded = p->record || rn_play_recording_is_followed(p);
    if (!rn_play_is_stale(p) || p->visibility != RN_VISIBILITY_SEEN || recorded)
        return present(p, follows);
    p->visibility = follows ? RN_VISIBILITY_UNSEEN_FOLLOWS : RN_VISIBILITY_UNSEEN;
    return 0;
}

int rn_play_advance(struct rn_play *p, double *wait)
{
    *wait = 0.05;
    if (p->seeking == RN_SEEKING_READER) {
        enum rn_play_seek state = rn_play_reader_sought(p->reader);
        *wait = state == RN_SEEK_PENDING ? 0.002 : 0;
        return state == RN_SEEK_PENDING ? 0 : land(p, state == RN_SEEK_DONE);
    }
    rn_play_go_to_slice(p);
    rn_play_take_step(p);
    if (p->seeking == RN_SEEKING_READER) {
        *wait = 0;
        return 0;
    }
    if (p->paused && !p->seeking)
        return 0;
    int err = 0;
    if (p->next && rn_play_is_beyond(p, p->next)) { /* the mark came after it was submitted */
        cut_off(p);
        err = let_go(p, p->next);
        p->next = NULL;
        p->playback = RN_PLAYBACK_AT_CUT;
    } else if (p->next) {
        err = gather(p, RN_PLAYER_SLOTS, 0);
    } else if (!rn_play_at_end(p)) {
        err = take(p, p->seeking ? 0.02 : 0.008);
        if (err == RN_END) {
            err = 0;
            p->playback = rn_play_is_cut(p) ? RN_PLAYBACK_AT_CUT : RN_PLAYBACK_AT_END;
            rn_play_drop_target(p);
            if (rn_ui_reduction(p->window, rn_play_layout(p)) > 1)
                rn_play_redraw_pictures(p); /* it rests now: all pixels count */
            else
                rn_play_redraw(p);
        }
    }
    if (!err && p->next)
        return show_when_due(p, wait);
    bool waits = rn_play_recording_is_followed(p) && rn_play_builds(p);
    *wait = waits                          ? RN_PLAYER_BUSY
            : !rn_play_at_end(p)           ? 0
            : p->loop || rn_play_is_cut(p) ? 0.01
                                           : 0.05; /* the reader was waited for */
    if (!err && rn_play_at_end(p))
        end(p, wait);
    return err;
}
