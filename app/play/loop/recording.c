/* SPDX-License-Identifier: MIT */
#include "app/play/edit/settings.h"
#include "app/play/loop/player.h"
#include "app/play/runners/runners.h"
#include "filters/base/owned.h"

#include <math.h>

enum { MAX_TOUCHED = 64 }; /* values; further ones are the recording's */

/* Former states of a range of frames. */
struct rn_play_recording_edit {
    struct rn_app_span frames;
    struct rn_app_point *point; /* the first one may lie before the range */
    size_t n;
};

struct rn_play_recording {
    bool follows;
    struct touched {
        int stage;
        const struct rn_param *row;
    } touched[MAX_TOUCHED];
    int ntouched;
    int64_t last;  /* the frame that is shown */
    int64_t moved; /* the frame that is not shown again; -1: none */
    int64_t start; /* the first frame that is shown since the last seek; -1: not known */
    struct drawn { /* what the seek bar was drawn for */
        uint64_t edits;
        size_t points;
        const struct rn_param *row; /* NULL: no curve */
        int stage;
        double length;
    } drawn;
    double mark[RN_UI_BAR_MARKS];
    int nmarks;
    float curve[RN_UI_BAR_CURVE];
};

/* NULL: there is no recording. */
static const struct rn_app_timeline *timeline(const struct rn_play *p)
{
    return p->record            ? rn_app_record_frames(p->record)
           : p->session->replay ? rn_app_replay_frames(p->session->replay)
                                : NULL;
}

int rn_play_recording_begin(struct rn_play *p)
{
    const struct rn_app_session *s = p->session;
    p->recording->follows = s->replay;
    p->recording->moved = -1;
    if (!s->cli->play.record)
        return 0;
    int err = rn_app_record_create(&p->record, s->cli->play.record, s->chain);
    const struct rn_app_timeline *t = s->replay ? rn_app_replay_frames(s->replay) : NULL;
    for (size_t i = 0; t && i < t->n && !err; i++) {
        int64_t last = i + 1 < t->n ? t->point[i + 1].frame - 1 : RN_TO_THE_END;
        const struct rn_app_span frames = {t->point[i].frame, last};
        err = rn_app_record_set(p->record, frames, t->point[i].state);
    }
    return err;
}

/* ---- following it */

bool rn_play_recording_is_followed(const struct rn_play *p)
{
    return p->recording->follows;
}

static bool is_touched(const struct rn_play_recording *r, int stage, const struct rn_param *row)
{
    for (int i = 0; i < r->ntouched; i++)
        if (r->touched[i].stage == stage && r->touched[i].row == row)
            return true;
    return false;
}

/* The settings that a frame is to have: the recording's, and what the user has changed. NULL:
 * out of memory, or a chain that cannot be (logged). */
static struct rn_chain *wanted_chain(const struct rn_play *p, int64_t frame)
{
    const struct rn_app_timeline *t = timeline(p);
    const struct rn_play_recording *r = p->recording;
    struct rn_chain *now = p->session->chain, *chain = NULL;
    const char *text = t->point[rn_app_timeline_find(t, frame)].state->chain;
    int err = rn_app_chain_from(&chain, text, p->session->cli->replay);
    for (int i = 0; i < r->ntouched && !err && rn_chain_binds_alike(chain, now); i++)
        err = rn_app_value_copy(rn_chain_stage(chain, r->touched[i].stage),
                                rn_chain_stage(now, r->touched[i].stage), r->touched[i].row);
    if (err)
        rn_chain_destroy(&chain);
    return chain;
}

int rn_play_recording_follow(struct rn_play *p, int64_t frame, bool *changed, bool *waits)
{
    struct rn_app_session *s = p->session;
    RN_OWNED(rn_chain_destroy) struct rn_chain *before = NULL;
    bool taken = false;
    *changed = *waits = false;
    frame = frame < p->recording->start ? p->recording->start : frame;
    if (!p->recording->follows || !timeline(p) || frame <= p->recording->moved)
        return 0;
    if ((*waits = rn_play_builds(p)))
        return 0;
    struct rn_chain *chain = wanted_chain(p, frame < 0 ? 0 : frame);
    if (!chain || rn_chain_equal(chain, s->chain)) {
        p->recording->follows = chain;
        rn_chain_destroy(&chain);
        return 0;
    }
    int err = rn_runner_try(s->runner, chain, false, &taken);
    if (!err && taken) {
        rn_chain_destroy(&s->chain);
        s->chain = chain;
        *changed = true;
        return 0;
    }
    p->recording->ntouched = 0;
    p->recording->follows = false;                   /* it is no change of the user's */
    err = rn_play_apply_settings(p, chain, &before); /* it says what it refuses */
    *waits = p->recording->follows = before;
    return err;
}

int rn_play_recording_fill(struct rn_play *p, int64_t frame, bool follows)
{
    struct rn_play_recording *r = p->recording;
    int err = 0;
    for (int64_t i = r->last + 1; i < frame && follows && r->ntouched && p->record && !err; i++) {
        RN_OWNED(rn_chain_destroy) struct rn_chain *chain = wanted_chain(p, i);
        struct rn_app_state *state = chain ? rn_app_state_of(chain, RN_ALL_FRAMES) : NULL;
        err = state ? 0 : RN_EINTERNAL;
        if (state)
            rn_app_record_set(p->record, (struct rn_app_span){i, i}, state);
        rn_app_state_unref(state);
    }
    r->last = frame;
    return err;
}

void rn_play_recording_touch(struct rn_play *p, const struct rn_chain *before)
{
    struct rn_play_recording *r = p->recording;
    const struct rn_chain *now = p->session->chain;
    if (!r->follows)
        return;
    if (!rn_chain_binds_alike(before, now)) {
        rn_play_recording_toggle(p);
        return;
    }
    for (int i = 0; i < rn_chain_count(now); i++) {
        struct rn_stage *a = rn_chain_stage(before, i), *b = rn_chain_stage(now, i);
        RN_EACH_PARAM (row, b)
            if (!rn_param_equal(row, rn_stage_values(a, row), rn_stage_values(b, row)) &&
                !is_touched(r, i, row) && r->ntouched < MAX_TOUCHED)
                r->touched[r->ntouched++] = (struct touched){i, row};
    }
}

void rn_play_recording_leave(struct rn_play *p)
{
    p->recording->ntouched = 0;
    p->recording->moved = -1;
}

void rn_play_recording_shown_from(struct rn_play *p, int64_t frame)
{
    int64_t *start = &p->recording->start;
    *start = frame < 0 || *start < 0 ? frame : *start;
}

void rn_play_recording_skip_next(struct rn_play *p, int64_t shown)
{
    p->recording->moved = p->recording->follows && !p->paused ? shown : -1;
}

bool rn_play_recording_was_shown(struct rn_play *p, int64_t frame)
{
    bool was = frame == p->recording->moved;
    p->recording->moved = -1;
    return was;
}

static bool is_there(struct rn_play *p, bool edits)
{
    bool there = edits ? p->record != NULL : timeline(p) != NULL;
    if (!there)
        rn_play_say(p, edits ? "no recording: start with --record FILE"
                             : "no recording: start with --record FILE or --replay FILE");
    return there;
}

/* The frame on the screen gets its settings. */
static int show_followed(struct rn_play *p)
{
    bool changed, waits;
    if (!p->shown)
        return 0;
    int err = rn_play_recording_follow(p, p->shown->frame.index, &changed, &waits);
    if (changed)
        rn_play_mark_stale(p);
    return err;
}

void rn_play_recording_toggle(struct rn_play *p)
{
    struct rn_play_recording *r = p->recording;
    if (!is_there(p, false))
        return;
    r->follows = !r->follows;
    r->ntouched = 0;
    rn_play_say(p, r->follows ? "the recording sets the values: change one, and it stays yours"
                              : "the recording is not followed: frames get what is set now");
    show_followed(p);
}

/* ---- the changes */

static bool is_alike(const struct rn_app_timeline *t, size_t i, size_t k)
{
    return !strcmp(t->point[i].state->chain, t->point[k].state->chain);
}

/* The last point of the run of changes that begins with point i. */
static size_t end_of_run(const struct rn_app_timeline *t, size_t i)
{
    while (i + 1 < t->n &&
           (t->point[i + 1].frame == t->point[i].frame + 1 || is_alike(t, i, i + 1)))
        i++;
    return i;
}

/* The next change behind point i, which ends a run; t->n: none. */
static size_t next_change(const struct rn_app_timeline *t, size_t i)
{
    while (++i < t->n && is_alike(t, i, i - 1))
        ;
    return i;
}

/* The change of a frame: points *first to *last. The settings at the beginning are one. */
static void find_change(const struct rn_app_timeline *t, int64_t frame, size_t *first, size_t *last)
{
    *first = *last = 0;
    for (size_t next; (next = next_change(t, *last)) < t->n && t->point[next].frame <= frame;) {
        *first = next;
        *last = end_of_run(t, next);
    }
}

void rn_play_recording_go(struct rn_play *p, int count)
{
    const struct rn_app_timeline *t = timeline(p);
    size_t first, last;
    if (!p->shown || !is_there(p, false))
        return;
    int64_t frame = p->shown->frame.index;
    find_change(t, frame, &first, &last);
    size_t to = next_change(t, last);
    if (count > 0 && to == t->n) {
        rn_play_say(p, "no further change");
        return;
    }
    if (count < 0 && frame == t->point[first].frame && first)
        find_change(t, frame - 1, &first, &last);
    rn_play_pause(p, true);
    rn_play_go_frame(p, t->point[count > 0 ? to : first].frame);
}

/* ---- edits */

static void free_edit(struct rn_play_recording_edit *e)
{
    for (size_t i = 0; i < e->n; i++)
        rn_app_state_unref(e->point[i].state);
    free(e->point);
    *e = (struct rn_play_recording_edit){.n = 0};
}

/* Keeps the states of a range. */
static int keep(const struct rn_app_timeline *t, struct rn_app_span frames,
                struct rn_play_recording_edit *e)
{
    size_t first = rn_app_timeline_find(t, frames.first),
           n = rn_app_timeline_find(t, frames.last) + 1 - first;
    *e = (struct rn_play_recording_edit){frames, calloc(n, sizeof *e->point), n};
    if (!e->point)
        return rn_fail_memory();
    memcpy(e->point, t->point + first, n * sizeof *e->point);
    for (size_t i = 0; i < n; i++)
        rn_app_state_ref(e->point[i].state);
    return 0;
}

void rn_play_recording_forget(struct rn_play_recording_edit **edit)
{
    if (*edit)
        free_edit(*edit);
    free(rn_take_owned(edit));
}

/* Before an edit of a range: for the history. */
static int begin_edit(struct rn_play *p, struct rn_app_span frames)
{
    struct rn_play_recording_edit *e = calloc(1, sizeof *e);
    int err = e ? keep(timeline(p), frames, e) : rn_fail_memory();
    if (err) {
        free(e);
        return err;
    }
    rn_play_history_push(p->history, RN_HISTORY_RECORDING, NULL);
    p->history->entry[p->history->n - 1].edit = e;
    return 0;
}

/* The picture is that of the recording from now on. */
static int end_edit(struct rn_play *p, int err, const char *said)
{
    p->recording->follows = true;
    p->recording->ntouched = 0;
    rn_play_say(p, "%s", err ? "the recording has stopped: see the message in the terminal" : said);
    return show_followed(p);
}

static int set_frames(struct rn_play *p, int64_t first, int64_t last, struct rn_app_state *state)
{
    const struct rn_app_span frames = {first, last};
    return first > last ? 0 : rn_app_record_set(p->record, frames, state);
}

/* Writes the states of an edit. */
static int write_edit(struct rn_play *p, const struct rn_play_recording_edit *e)
{
    int err = 0;
    for (size_t i = 0; i < e->n && !err; i++) {
        int64_t first = e->point[i].frame > e->frames.first ? e->point[i].frame : e->frames.first;
        int64_t last = i + 1 < e->n ? e->point[i + 1].frame - 1 : e->frames.last;
        err = set_frames(p, first, last, e->point[i].state);
    }
    return err;
}

int rn_play_recording_undo(struct rn_play *p, int direction)
{
    struct rn_play_recording_edit *e = rn_play_history_peek(p->history, direction)->edit, other;
    int err = keep(timeline(p), e->frames, &other);
    err = err ? err : write_edit(p, e);
    free_edit(e);
    *e = other;
    rn_play_history_move(p->history, direction, NULL);
    return end_edit(p, err,
                    direction < 0 ? "undone: the edit of the recording"
                                  : "done again: the edit of the recording");
}

/* The change of the frame on the screen; false, and said: there is none. The points may go with the
 * next edit. */
static bool chosen_change(struct rn_play *p, size_t *first, size_t *last, bool begins)
{
    if (!p->shown || !is_there(p, true))
        return false;
    find_change(timeline(p), p->shown->frame.index, first, last);
    if (!*first && !begins)
        rn_play_say(p, "no change lies before this frame");
    return *first || begins;
}

static int64_t end_of_change(const struct rn_app_timeline *t, size_t last)
{
    size_t next = next_change(t, last);
    return next < t->n ? t->point[next].frame - 1 : RN_TO_THE_END;
}

/* The values that a change sets, each until another change sets it. */
struct change {
    struct rn_chain *before, *set;
    bool over[RN_MAX_STAGES][MAX_TOUCHED];
};

/* Gives chain, of a frame from the change on, the values from before it. Returns whether any
 * is the change's: 1; 0: none is any more; or an error (logged). */
static int take_back(struct change *c, struct rn_chain *chain, bool within)
{
    int any = 0, err = 0;
    for (int i = 0; i < rn_chain_count(chain); i++) {
        struct rn_stage *a = rn_chain_stage(c->before, i), *b = rn_chain_stage(c->set, i),
                        *to = rn_chain_stage(chain, i);
        const struct rn_param *row;
        for (int n = 0; n < MAX_TOUCHED && (row = rn_stage_row(a, n)) != NULL; n++) {
            const void *set = rn_stage_values(b, row);
            c->over[i][n] |= rn_param_equal(row, rn_stage_values(a, row), set) ||
                             (!within && !rn_param_equal(row, rn_stage_values(to, row), set));
            if (c->over[i][n])
                continue;
            any = 1;
            err = err ? err : rn_app_value_copy(to, a, row);
        }
    }
    return err ? err : any;
}

/* Finds the states without the change of points first to last, for frames up to where it ends. */
static int without(const struct rn_app_timeline *t, size_t first, size_t last,
                   struct rn_play_recording_edit *to)
{
    struct change c = {.before = NULL};
    int err = rn_chain_parse(&c.before, t->point[first - 1].state->chain);
    err = err ? err : rn_chain_parse(&c.set, t->point[last].state->chain);
    bool alike = !err && rn_chain_binds_alike(c.before, c.set);
    *to =
        (struct rn_play_recording_edit){.frames = {t->point[first].frame, end_of_change(t, last)}};
    to->point = err ? NULL : calloc(t->n - first, sizeof *to->point);
    err = err || to->point ? err : rn_fail_memory();
    for (size_t i = first; i < t->n && !err; i++) {
        RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
        struct rn_app_state *state = NULL;
        int taken = 1;
        err = rn_chain_parse(&chain,
                             alike ? t->point[i].state->chain : t->point[first - 1].state->chain);
        if (!err && alike)
            taken = rn_chain_binds_alike(chain, c.before) ? take_back(&c, chain, i <= last) : 0;
        else if (!err)
            taken = i <= last;
        err = err ? err : taken < 0 ? taken : 0;
        state = err || !taken ? NULL : rn_app_state_of(chain, t->point[i].state->neighbours);
        if (!state)
            break;
        to->point[to->n++] = (struct rn_app_point){t->point[i].frame, state};
        to->frames.last = i + 1 < t->n && alike ? t->point[i + 1].frame - 1 : to->frames.last;
    }
    if (alike && first + to->n == t->n)
        to->frames.last = RN_TO_THE_END;
    rn_chain_destroy(&c.before);
    rn_chain_destroy(&c.set);
    return err;
}

int rn_play_recording_remove(struct rn_play *p)
{
    size_t first, last;
    RN_OWNED(free_edit) struct rn_play_recording_edit removed = {.n = 0};
    if (!chosen_change(p, &first, &last, false))
        return 0;
    int err = without(timeline(p), first, last, &removed);
    err = err ? err : begin_edit(p, removed.frames);
    err = err ? err : write_edit(p, &removed);
    return end_edit(p, err, "the change is removed");
}

int rn_play_recording_shift(struct rn_play *p, int by)
{
    const struct rn_app_timeline *t = timeline(p);
    size_t first, last;
    if (!chosen_change(p, &first, &last, false))
        return 0;
    int64_t begin = t->point[first].frame, end = t->point[last].frame;
    /* A frame lies between, or the two would be one. */
    int64_t room =
        by > 0 ? end_of_change(t, last) - end - 1 : begin - t->point[first - 1].frame - 2;
    room = by < 0 && first == 1 ? begin - 1 : room > 0 ? room : 0;
    by = by > room ? (int)room : by < -room ? (int)-room : by;
    if (!by) {
        rn_play_say(p, "the next change is there");
        return 0;
    }
    const struct rn_app_span frames = {by < 0 ? begin + by : begin, by > 0 ? end + by : end};
    RN_OWNED(free_edit) struct rn_play_recording_edit moved = {.n = 0};
    struct rn_app_state *before = rn_app_state_ref(t->point[first - 1].state);
    int err = keep(t, (struct rn_app_span){begin, end}, &moved);
    for (size_t i = 0; i < moved.n; i++)
        moved.point[i].frame += by;
    moved.frames = (struct rn_app_span){begin + by, frames.last};
    err = err ? err : begin_edit(p, frames);
    err = err ? err : set_frames(p, frames.first, begin + by - 1, before);
    err = err ? err : write_edit(p, &moved);
    rn_app_state_unref(before);
    int shown = end_edit(p, err, by > 0 ? "the change comes later" : "the change comes earlier");
    rn_play_pause(p, true);
    rn_play_go_frame(p, begin + by);
    return shown;
}

/* Gives chain values between those of two others; *n: how many differ. */
static int set_between(struct rn_chain *chain, const struct rn_chain *from,
                       const struct rn_chain *to, double t, int *n)
{
    char a[64], b[64], text[64];
    int err = 0;
    for (int i = 0; i < rn_chain_count(chain) && !err; i++) {
        const struct rn_stage *x = rn_chain_stage(from, i), *y = rn_chain_stage(to, i);
        RN_EACH_PARAM (row, x) {
            rn_param_format(row, rn_stage_values(x, row), a, sizeof a);
            rn_param_format(row, rn_stage_values(y, row), b, sizeof b);
            if (err || row->fixed || !strcmp(a, b) ||
                !rn_app_value_between(row, a, b, t, text, sizeof text))
                continue;
            ++*n;
            err = rn_stage_set(rn_chain_stage(chain, i), row, text);
        }
    }
    return err;
}

int rn_play_recording_ramp(struct rn_play *p, int way)
{
    const struct rn_app_timeline *t = timeline(p);
    RN_OWNED(rn_chain_destroy) struct rn_chain *from = NULL, *to = NULL, *chain = NULL;
    bool smooth = way == 2;
    size_t first, last;
    int n = 0;
    if (!chosen_change(p, &first, &last, true))
        return 0;
    size_t next = next_change(t, last);
    if (next == t->n) {
        rn_play_say(p, "no change follows, to which the values could go");
        return 0;
    }
    int64_t begin = t->point[last].frame, length = t->point[next].frame - begin;
    int err = rn_chain_parse(&from, t->point[last].state->chain);
    err = err ? err : rn_chain_parse(&to, t->point[next].state->chain);
    bool alike = !err && rn_chain_binds_alike(from, to);
    err = err || !alike ? err : rn_chain_assign(&chain, from);
    err = err || !alike ? err : set_between(chain, from, to, 0, &n);
    if (!err && n)
        err = begin_edit(p, (struct rn_app_span){begin + 1, begin + length - 1});
    for (int64_t i = 1; i < length && !err && n; i++) {
        double x = (double)i / (double)length;
        struct rn_app_state *state = NULL;
        err = set_between(chain, from, to, rn_app_ease(x, smooth), &n);
        state = err ? NULL : rn_app_state_of(chain, RN_ALL_FRAMES);
        err = state ? set_frames(p, begin + i, begin + i, state) : RN_EINTERNAL;
        rn_app_state_unref(state);
    }
    if (!err && !n) {
        rn_play_say(p,
                    alike ? "no number changes here" : "other filters follow: no number can go on");
        return 0;
    }
    return end_edit(p, err,
                    smooth ? "the values go smoothly to the next change"
                           : "the values go in equal steps to the next change");
}

/* ---- on the screen */

/* The curve of a value over all frames, 0..1 of those that it has; NAN: the filter is not there. */
static void trace(struct rn_play_recording *r, const struct rn_app_timeline *t,
                  const struct rn_stage *of, double frames)
{
    const struct rn_app_state *state = NULL;
    float value = NAN, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < RN_UI_BAR_CURVE; i++) {
        int64_t frame = (int64_t)(i * frames / (RN_UI_BAR_CURVE - 1));
        const struct rn_app_state *there = t->point[rn_app_timeline_find(t, frame)].state;
        RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
        if (there != state && !rn_chain_parse(&chain, there->chain)) {
            const struct rn_stage *stage = rn_chain_stage(chain, (int)r->drawn.stage);
            const struct rn_param *row = r->drawn.row;
            bool same = stage && stage->table == of->table;
            value = same ? (float)rn_param_number(row, rn_stage_values(stage, row)) : NAN;
        }
        state = there;
        r->curve[i] = value;
        low = fminf(low, value);
        high = fmaxf(high, value);
    }
    for (int i = 0; i < RN_UI_BAR_CURVE; i++)
        r->curve[i] = high > low ? (r->curve[i] - low) / (high - low) : NAN;
}

void rn_play_recording_draw(struct rn_play *p, double length, struct rn_ui_scene_bar *bar)
{
    struct rn_play_recording *r = p->recording;
    const struct rn_app_timeline *t = timeline(p);
    const struct rn_play_selected at = rn_play_cursor_selected(p);
    const struct rn_param *row = at.row && at.row->type != RN_TEXT ? at.row : NULL;
    if (!t)
        return;
    double frames = length / rn_play_frame_duration(p);
    const struct drawn *was = &r->drawn;
    if (was->edits != t->edits || was->points != t->n || was->row != row ||
        was->stage != at.stage || was->length != length) {
        r->drawn = (struct drawn){t->edits, t->n, row, at.stage, length};
        r->nmarks = 0;
        for (size_t i = next_change(t, 0); i < t->n && r->nmarks < RN_UI_BAR_MARKS;
             i = next_change(t, end_of_run(t, i)))
            r->mark[r->nmarks++] = (double)t->point[i].frame / frames;
        if (row)
            trace(r, t, at.of, frames);
    }
    bar->change = r->mark;
    bar->nchanges = r->nmarks;
    bar->curve = row ? r->curve : NULL;
}

const struct rn_play_part_type rn_play_recording_part = {.size = sizeof(struct rn_play_recording)};
