/* SPDX-License-Identifier: MIT */
/* Each change is made in a copy of the chain, so a refused one leaves no trace. If the runner
 * cannot take it (other filters, another format), another runner is built (runners.h). */
#include "app/play/loop/player.h"
#include "app/play/edit/settings.h"
#include "app/play/panel/panel.h"
#include "app/play/runners/runners.h"
#include "app/play/view/compare.h"
#include "filters/base/owned.h"
#include "filters/core/chain/level.h"

#include <assert.h>

struct rn_play_edits {
    bool refused;           /* the last change was refused, or changed nothing */
    bool drag_changed;      /* the current drag has changed the chain */
    struct rn_chain *asked; /* waits for an answer: it names code that is not allowed; or NULL */
};

static void release(void *part)
{
    rn_chain_destroy(&((struct rn_play_edits *)part)->asked);
}

const struct rn_play_part_type rn_play_edits_part = {.size = sizeof(struct rn_play_edits),
                                                     .release = release};

bool rn_play_was_refused(const struct rn_play *p)
{
    return p->edits->refused;
}

/* ---- edits: 0, or an error (logged) */

/* Switches the stages behind stage `at` off, or on again if all are off. */
static void solo(struct rn_chain *draft, int at)
{
    bool any = false;
    for (int i = at + 1; i < rn_chain_count(draft); i++)
        any |= rn_chain_stage(draft, i)->on;
    for (int i = at + 1; i < rn_chain_count(draft); i++)
        rn_chain_stage(draft, i)->on = !any;
}

/* Changes the selected parameter. */
static int edit_value(const struct rn_play *p, struct rn_chain *draft,
                      const struct rn_play_change *change)
{
    const struct rn_play_selected at = rn_play_cursor_selected(p);
    if (!at.row)
        return 0;
    void *values = rn_stage_values(rn_chain_stage(draft, at.stage), at.row);
    switch (change->kind) {
    case RN_CHANGE_STEP:
        rn_level_step(at.row, values, at.input, change->count);
        return 0;
    case RN_CHANGE_SLIDE:
        rn_level_slide(at.row, values, at.input, change->position);
        return 0;
    case RN_CHANGE_SET:
        return rn_chain_set(draft, at.stage, at.row->name, change->text);
    default:
        rn_param_reset(at.row, values);
        return 0;
    }
}

/* *to: the selected stage; afterwards the one to select. */
static int edit(const struct rn_play *p, struct rn_chain *draft,
                const struct rn_play_change *change, int *to)
{
    int at = *to;
    switch (change->kind) {
    case RN_CHANGE_RESET_ALL:
        rn_play_reset_values(draft);
        return 0;
    case RN_CHANGE_TOGGLE:
        if (rn_chain_count(draft))
            rn_chain_stage(draft, at)->on = !rn_chain_stage(draft, at)->on;
        return 0;
    case RN_CHANGE_REGION:
        rn_chain_stage(draft, at)->region = *change->region;
        return 0;
    case RN_CHANGE_SOLO:
        solo(draft, at);
        return 0;
    case RN_CHANGE_ADD:
        *to = rn_chain_count(draft) ? at + 1 : 0;
        return rn_chain_insert(draft, *to, change->text);
    case RN_CHANGE_REMOVE:
        *to = at < rn_chain_count(draft) - 1 || !at ? at : at - 1;
        return rn_chain_remove(draft, at);
    case RN_CHANGE_DUPLICATE:
        *to = at + 1;
        return rn_chain_duplicate(draft, at);
    case RN_CHANGE_MOVE:
        *to = at + change->count < 0 || at + change->count >= rn_chain_count(draft)
                  ? at
                  : at + change->count;
        return rn_chain_move(draft, at, *to);
    default:
        return edit_value(p, draft, change);
    }
}

/* ---- what is refused */

int rn_play_refused(struct rn_play *p, int err)
{
    rn_play_say_refused(p, rn_log_last());
    return err == RN_EINTERNAL ? err : 0;
}

static int refused(struct rn_play *p, struct rn_chain *draft, int err)
{
    rn_chain_destroy(&draft);
    return rn_play_refused(p, err);
}

/* ---- code that files name */

int rn_play_set_aside(struct rn_play *p)
{
    struct rn_app_session *s = p->session;
    if (!rn_chain_code(s->chain, true, NULL))
        return 0;
    if (rn_app_session_is_bound(s)) /* it could not be replaced later */
        return rn_chain_check_code(s->chain);
    p->edits->asked = s->chain;
    return rn_chain_parse(&s->chain, NULL);
}

int rn_play_can_ask(const struct rn_play *p)
{
    return !p->edits->asked || rn_ui_is_seen() ? 0 : rn_chain_check_code(p->edits->asked);
}

void rn_play_ask(struct rn_play *p)
{
    const struct rn_stage *stage;
    const struct rn_param *row =
        p->edits->asked ? rn_chain_code(p->edits->asked, true, &stage) : NULL;
    char text[128];
    if (!row)
        return;
    int n = 0;
    for (int i = 0; i < rn_chain_count(p->edits->asked); i++)
        n += rn_chain_stage(p->edits->asked, i)->named_by != NULL;
    const char *file = rn_param_text(row, stage->params), *slash = strrchr(file, '/');
    const char *others = n > 1 ? " and others" : "";
    snprintf(text, sizeof text, "run the code %.40s%s? y or n:", slash ? slash + 1 : file, others);
    rn_log(RN_LOG_WARNING,
           "'%s' names code to run, '%s'%s: the window asks; --allow-code allows it",
           stage->named_by, file, others);
    rn_play_say(p, "%s", text);
    rn_play_panel_ask(p, text);
}

int rn_play_answer(struct rn_play *p, bool yes)
{
    RN_OWNED(rn_chain_destroy) struct rn_chain *asked = rn_take_owned(&p->edits->asked);
    int err = 0;
    if (asked && yes) {
        rn_chain_allow_code(asked);
        err = rn_play_adopt(p, asked, "allowed");
    } else {
        rn_play_say(p, "not allowed: the chain is as it was");
    }
    return err;
}

/* Whether the draft may not be applied now; it is then owned. *err: of the refusal. */
static bool is_held(struct rn_play *p, struct rn_chain *draft, int *err)
{
    if (!rn_chain_code(draft, true, NULL))
        return false;
    *err = 0;
    if (p->scripted || !rn_ui_is_seen()) {
        *err = refused(p, draft, rn_chain_check_code(draft));
        return true;
    }
    rn_chain_destroy(&p->edits->asked);
    p->edits->asked = draft;
    rn_play_ask(p);
    return true;
}

/* ---- settings into force */

/* What the user of the window tunes is seen by him, also if a snapshot alone was on the screen. */
static void show_tuned(struct rn_play *p)
{
    if (!p->scripted)
        rn_play_show_chain(p, false);
}

int rn_play_apply_settings(struct rn_play *p, struct rn_chain *draft, struct rn_chain **before)
{
    struct rn_app_session *s = p->session;
    struct rn_analysis analysis;
    bool taken = false;
    int held;
    *before = NULL;
    if (!draft)
        return RN_EINTERNAL;
    if (is_held(p, draft, &held))
        return held;
    int err = rn_runner_try(s->runner, draft, rn_app_session_is_bound(s), &taken);
    if (!err && !taken) {
        err = rn_app_session_check_tables(s->chain);
        err = err ? err : rn_app_session_check_tables(draft);
        err = err ? err : rn_app_session_check(s, draft, &analysis);
    }
    if (err)
        return refused(p, draft, err);
    *before = s->chain;
    s->chain = draft;
    rn_play_mark_unsaved(p);
    show_tuned(p);
    rn_play_recording_touch(p, *before);
    if (!taken) {
        s->analysis = analysis;
        return rn_play_build(p, *before);
    }
    rn_play_mark_stale(p);
    rn_play_times_change(p->times);
    if (!rn_play_build_is_busy(p))
        return 0;
    rn_play_build_drop(p);
    return rn_chain_check(draft, &s->stream->geom, &s->analysis);
}

static void leave_unchanged(struct rn_play *p, const struct rn_play_change *change)
{
    const struct rn_param *row = rn_play_cursor_selected(p).row;
    char text[256];
    bool at_limit = change->kind == RN_CHANGE_STEP && row && row->type != RN_TEXT;
    p->edits->refused = false;
    p->edits->drag_changed = p->edits->drag_changed && change->again;
    show_tuned(p);
    rn_play_say(p, "%s%s", rn_play_cursor_describe(p, text, sizeof text),
                at_limit ? "  is at its limit" : "");
}

int rn_play_edit(struct rn_play *p, const struct rn_play_change *change)
{
    struct rn_chain *draft = rn_chain_copy(p->session->chain), *before = NULL;
    int stage = rn_play_cursor_selected(p).stage, to = stage, n = rn_chain_count(p->session->chain);
    p->edits->refused = true;
    if (!draft)
        return RN_EINTERNAL;
    int err = edit(p, draft, change, &to);
    /* A text that is typed once more may name a file that is another one now. */
    if (!err && change->kind != RN_CHANGE_SET && rn_chain_equal(draft, p->session->chain)) {
        rn_chain_destroy(&draft);
        leave_unchanged(p, change);
        return 0;
    }
    err = err ? refused(p, draft, err) : rn_play_apply_settings(p, draft, &before);
    if (err || !before)
        return err;
    p->edits->refused = false;
    if (to != stage || rn_chain_count(p->session->chain) != n)
        rn_play_cursor_select(p, to, 0);
    char key[RN_KEY_NAME];
    rn_play_say_parameter(p);
    if (change->kind == RN_CHANGE_ADD) {
        rn_play_say(p, "added %s; %s shows all parameters",
                    rn_stage_name(rn_chain_stage(p->session->chain, to)),
                    rn_play_key(p, "panel", key));
        rn_play_hint_done(p, "add");
    }
    /* One drag of the mouse is one change. */
    bool other = !rn_chain_equal(before, p->session->chain),
         moving = change->again && p->edits->drag_changed;
    if (other && !moving)
        rn_play_history_push(p->history, RN_HISTORY_CHAIN, before);
    else
        rn_chain_destroy(&before);
    p->edits->drag_changed =
        (other || moving) && (change->kind == RN_CHANGE_SLIDE || change->kind == RN_CHANGE_REGION);
    return 0;
}

/* Copies settings that are to be applied. If the filters are the current ones, files are not read
 * again. *first: the place in the list of the first difference; unchanged without one. NULL: out
 * of memory (logged). */
static struct rn_chain *copy_settings(const struct rn_play *p, const struct rn_chain *target,
                                      int *first)
{
    bool alike = rn_chain_binds_alike(p->session->chain, target);
    struct rn_chain *draft = rn_chain_copy(alike ? p->session->chain : target);
    if (draft && alike)
        rn_play_take_values(p, draft, target, first);
    return draft;
}

static const char *word_of(int direction)
{
    return direction < 0 ? "undone" : "done again";
}

/* A stored snapshot is nothing that the picture shows. */
static int undo_store(struct rn_play *p, int place, int direction)
{
    char key[RN_KEY_NAME];
    int err = rn_play_snapshots_undo(p->snapshots, p->history, direction);
    if (err)
        return err;
    rn_play_mark_unsaved(p);
    rn_play_say(p, "%s: snapshot %c stored; %s %s", word_of(direction),
                rn_play_snapshot_name(place), rn_play_key(p, direction < 0 ? "redo" : "undo", key),
                direction < 0 ? "brings it back" : "takes it back");
    return 0;
}

int rn_play_undo(struct rn_play *p, int direction)
{
    const struct rn_play_history_entry *entry = rn_play_history_peek(p->history, direction);
    struct rn_chain *before = NULL;
    assert(entry); /* the command has checked */
    if (entry->place == RN_HISTORY_RECORDING)
        return rn_play_recording_undo(p, direction);
    if (entry->place != RN_HISTORY_CHAIN)
        return undo_store(p, entry->place, direction);
    int first = -1;
    int err = rn_play_apply_settings(p, copy_settings(p, entry->chain, &first), &before);
    if (err || !before)
        return err;
    if (first >= 0)
        rn_play_cursor_go(p, first);
    else
        rn_play_cursor_move(p, 0); /* the list may be shorter */
    rn_play_history_move(p->history, direction, before);
    char text[200];
    const struct rn_chain *now = p->session->chain;
    rn_play_words(direction < 0 ? now : before, direction < 0 ? before : now,
                  &p->session->stream->geom, text, sizeof text);
    rn_play_say(p, "%s: %s", word_of(direction), text);
    return 0;
}

int rn_play_adopt(struct rn_play *p, const struct rn_chain *target, const char *said)
{
    struct rn_chain *before = NULL;
    int first;
    p->edits->refused = true;
    if (!rn_chain_equal(target, p->session->chain)) {
        int err = rn_play_apply_settings(p, copy_settings(p, target, &first), &before);
        if (err || !before)
            return err;
        rn_play_cursor_move(p, 0); /* the list may be shorter */
        rn_play_history_push(p->history, RN_HISTORY_CHAIN, before);
    }
    p->edits->refused = false;
    rn_play_say(p, "%s", said);
    return 0;
}

/* ---- snapshots */

static void say_of(struct rn_play *p, int place, const char *what)
{
    rn_play_say(p, "snapshot %c %s", rn_play_snapshot_name(place), what);
}

int rn_play_store(struct rn_play *p, int place)
{
    const struct rn_chain *stored = rn_play_snapshots_get(p->snapshots, place);
    bool same = stored && rn_chain_equal(stored, p->session->chain);
    struct rn_chain *copy = rn_chain_copy(p->session->chain);
    if (!copy)
        return RN_EINTERNAL;
    struct rn_chain *before = rn_play_snapshots_store(p->snapshots, place, copy);
    if (same)
        rn_chain_destroy(&before);
    else
        rn_play_history_push(p->history, place, before);
    rn_play_mark_unsaved(p);
    show_tuned(p);
    say_of(p, place, "stored");
    return 0;
}

static int go_to_snapshot(struct rn_play *p, int place)
{
    char text[32];
    snprintf(text, sizeof text, "snapshot %c", rn_play_snapshot_name(place));
    int err = rn_play_snapshots_leave(p->snapshots, place, p->session->chain);
    return err ? err : rn_play_adopt(p, p->snapshots->chain[place], text);
}

int rn_play_recall(struct rn_play *p, int place)
{
    if (rn_play_snapshots_get(p->snapshots, place))
        return go_to_snapshot(p, place);
    say_of(p, place, "is empty");
    return 0;
}

int rn_play_flip(struct rn_play *p)
{
    bool back;
    const struct rn_chain *target = rn_play_snapshots_flip(p->snapshots, p->session->chain, &back);
    if (target && back)
        return rn_play_adopt(p, target, "back from the snapshot");
    if (target)
        return go_to_snapshot(p, p->snapshots->recent);
    int other = p->snapshots->before; /* both were only stored yet */
    if (back && other != p->snapshots->recent && rn_play_snapshots_get(p->snapshots, other))
        return go_to_snapshot(p, other);
    rn_play_say(p, back ? "no other settings to flip to" : "no snapshot to flip to");
    return 0;
}
