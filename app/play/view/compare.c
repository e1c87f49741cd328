/* SPDX-License-Identifier: MIT */
#include "app/play/view/compare.h"

#include "app/play/edit/settings.h"
#include "app/play/loop/player.h"
#include "app/play/runners/runners.h"
#include "app/play/stacks/stacks.h"
#include "app/play/view/presentation.h"

#include <math.h>
#include <string.h>

#define SIDES RN_RUNNERS_BESIDE
_Static_assert(SIDES >= RN_SCENE_PANES, "a runner for each");

/* The sides of a comparison: the original and the filtered picture; more in a contact sheet. */
enum { LEFT, RIGHT };

struct rn_play_compare {
    enum rn_ui_arrangement layout;
    double split_at;                   /* see window.h */
    struct rn_play_state state[SIDES]; /* what is made comes from runners of that index */
    int nsheet;                        /* of these are in the contact sheet; 0: there is none */
    struct rn_play_state left_for_sheet[2];

    struct rn_chain *versus; /* NULL: no --versus */
    bool swapped;            /* it is that of -f, and the one of --versus is tuned */
    int delay;               /* the longest of a second runner so far, frames */

    struct {
        struct rn_pix_display *display;   /* shows what a runner of the group makes */
        struct rn_play_window_level scan; /* of it */
        bool anew;                        /* it makes other pictures than before */
    } made[SIDES];
    struct rn_play_distance_view distances;
    char label[SIDES][160];
};

/* ---- what the sides are */

/* Three views compare with the input alone. */
static struct rn_play_state state_of(const struct rn_play *p, int side)
{
    static const struct rn_play_state in_three[] = {{RN_STATE_INPUT, 0}, {RN_STATE_NOW, 0}};
    return rn_play_three_is_on(p->three) ? in_three[side] : p->compare->state[side];
}

bool rn_play_compares_reference(const struct rn_play *p)
{
    return state_of(p, LEFT).kind == RN_STATE_REFERENCE ||
           state_of(p, RIGHT).kind == RN_STATE_REFERENCE;
}

/* What another runner makes of the frame on the screen, or the reference has; NULL: not yet. */
static const struct rn_image *made_by(const struct rn_play *p, int side)
{
    struct rn_play_state state = state_of(p, side);
    return state.kind == RN_STATE_REFERENCE ? rn_play_reference_picture(p)
           : rn_play_state_is_made(state)   ? rn_play_runners_picture(p->runners, side, p->shown)
                                            : NULL;
}

const struct rn_image *rn_play_side_image(const struct rn_play *p, int side)
{
    const struct rn_image *made = made_by(p, side);
    bool filtered = rn_play_state_is_made(state_of(p, side))
                        ? side == RIGHT
                        : state_of(p, side).kind == RN_STATE_NOW;
    return made ? made : filtered ? &p->shown->out : &p->shown->in;
}

static void outdate(struct rn_play *p)
{
    rn_play_redraw_pictures(p);
    rn_play_outdate_figures(p, true);
}

static const struct rn_play_state at_first[SIDES] = {[RIGHT] = {RN_STATE_NOW, 0}};

/* Gives the runner of a side its settings. */
static int set_made(struct rn_play *p, int side)
{
    struct rn_play_compare *c = p->compare;
    struct rn_play_runners_change change = {.anew = false};
    struct rn_chain *chain = rn_play_state_chain(p, c->state[side]);
    int err = chain ? rn_play_runners_set(p->runners, side, p->jobs, chain, &change) : RN_EUSAGE;
    rn_chain_destroy(&chain);
    if (err) {
        rn_play_say_refused(p, rn_log_last());
        c->state[side] = at_first[side];
        rn_play_runners_close(p->runners, side);
        outdate(p);
        return err == RN_EINTERNAL ? err : 0;
    }
    c->delay = change.delay > c->delay ? change.delay : c->delay;
    if (change.stale)
        rn_play_mark_stale(p);
    c->made[side].anew |= change.stale || change.anew;
    if (change.anew)
        outdate(p);
    if (change.anew && change.delay)
        rn_play_find_neighbours(p, true);
    return 0;
}

int rn_play_accompany(struct rn_play *p)
{
    int err = 0;
    for (int i = 0; i < SIDES && !err; i++)
        if (!rn_play_state_is_made(p->compare->state[i]))
            rn_play_runners_close(p->runners, i);
        else if (!rn_play_builds(p)) /* when the chain that it goes with is there */
            err = set_made(p, i);
    return err;
}

bool rn_play_compare_is_busy(const struct rn_play *p)
{
    bool lacks = rn_play_compares_reference(p) && !rn_play_reference_picture(p);
    return rn_play_runners_is_pending(p->runners) || (p->shown && lacks);
}

/* What the other chain is copied from when its runner is set again has the file of now, too. */
int rn_play_poll_original(struct rn_play *p)
{
    int err = 0;
    bool comes = p->next && (!p->paused || p->seeking); /* another frame is waited for */
    if (p->shown && !comes && !rn_play_reference_picture(p) &&
        rn_play_reference_fetch(p, p->shown, 0) && rn_play_reference_picture(p))
        outdate(p);
    if (rn_play_runners_is_ready(p->runners))
        rn_play_redraw(p);
    for (int i = 0; i < SIDES && !err; i++) {
        const struct rn_chain *changed;
        if (p->compare->state[i].kind == RN_STATE_REFERENCE && !rn_play_reference_exists(p))
            p->compare->state[i] = at_first[i];
        err = rn_play_runners_poll(p->runners, i, p->jobs, &changed);
        if (changed)
            rn_play_mark_stale(p);
        if (!err && changed && p->compare->state[i].kind == RN_STATE_VERSUS)
            err = rn_chain_reread(p->compare->versus, changed);
    }
    return err;
}

/* ---- the chain of --versus */

int rn_play_read_versus(struct rn_play *p)
{
    struct rn_play_compare *c = p->compare;
    const char *text = p->session->cli->play.versus;
    bool reference = p->session->cli->play.reference;
    c->split_at = 0.5;
    memcpy(c->state, at_first, sizeof c->state);
    c->state[LEFT].kind = reference ? RN_STATE_REFERENCE : text ? RN_STATE_VERSUS : RN_STATE_INPUT;
    c->layout = reference || text ? RN_LAYOUT_BESIDE : RN_LAYOUT_ONE;
    if (!text)
        return 0;
    rn_log_about("--versus");
    int err = rn_chain_parse(&c->versus, text);
    err = err ? err : rn_chain_check_code(c->versus);
    const struct rn_param *row = err ? NULL : rn_chain_written(c->versus, NULL);
    if (row)
        err = rn_fail(RN_EUSAGE, "tables are those of -f: leave %s= out", row->name);
    rn_log_about("%s", "");
    return err;
}

int rn_play_check_versus(struct rn_play *p)
{
    struct rn_analysis a;
    if (!p->compare->versus)
        return 0;
    rn_log_about("--versus");
    int err = rn_chain_check(p->compare->versus, &p->session->stream->geom, &a);
    rn_log_about("%s", "");
    p->compare->delay = err ? 0 : a.delay;
    return err;
}

int rn_play_slots(const struct rn_play *p)
{
    return RN_PLAYER_SLOTS + 2 * p->compare->delay;
}

bool rn_play_has_versus(const struct rn_play *p)
{
    return p->compare->versus;
}

bool rn_play_is_swapped(const struct rn_play *p)
{
    return p->compare->swapped;
}

/* Each has its own history. */
static void exchange(struct rn_play *p)
{
    struct rn_play_compare *c = p->compare;
    struct rn_play_history *history = p->versus_history;
    p->versus_history = p->history;
    p->history = history;
    c->swapped = !c->swapped;
    outdate(p);
}

int rn_play_swap_chains(struct rn_play *p)
{
    struct rn_play_compare *c = p->compare;
    struct rn_chain *before = NULL;
    if (!c->versus) {
        rn_play_say(p, "there is no other chain: name it by --versus");
        return 0;
    }
    int err = rn_play_apply_settings(p, rn_chain_copy(c->versus), &before);
    if (err || !before)
        return err;
    rn_chain_destroy(&c->versus);
    c->versus = before;
    exchange(p);
    rn_play_cursor_select(p, 0, 0);
    rn_play_say(p, "the keys tune the chain of %s", c->swapped ? "--versus" : "-f");
    return 0;
}

void rn_play_swap_back(struct rn_play *p)
{
    struct rn_chain *tuned = p->compare->versus;
    p->compare->versus = p->session->chain;
    p->session->chain = tuned;
    exchange(p);
}

struct rn_play_tuned rn_play_tuned_state(const struct rn_play *p, bool versus)
{
    const struct rn_play_compare *c = p->compare;
    return versus == c->swapped ? (struct rn_play_tuned){p->session->chain, p->history->n > 0}
                                : (struct rn_play_tuned){c->versus, p->versus_history->n > 0};
}

/* ---- keys */

/* What is shown is named where it is not what is usually there. */
static char *name_side(const struct rn_play *p, int side, char *buf, size_t size)
{
    struct rn_play_state state = state_of(p, side);
    if (rn_play_state_is_made(state) && !made_by(p, side)) /* its kernels are being built */
        state = at_first[side];
    return rn_play_state_name(p, state, state_of(p, p->compare->nsheet ? LEFT : !side), buf, size);
}

static void set_side(struct rn_play *p, int side, struct rn_play_state state)
{
    const struct rn_play_state *old = &p->compare->state[side];
    if (old->kind != state.kind || old->n != state.n)
        rn_play_reference_note(p, NULL); /* the figures so far are of other states */
    p->compare->state[side] = state;
    p->compare->made[side].anew = true;
    outdate(p);
}

static void set_sides(struct rn_play *p, const struct rn_play_state *of, int n)
{
    for (int i = 0; i < SIDES; i++)
        set_side(p, i, i < n ? of[i] : (struct rn_play_state){.kind = RN_STATE_INPUT});
}

void rn_play_show_sheet(struct rn_play *p, const struct rn_play_state *sheet, int n)
{
    struct rn_play_compare *c = p->compare;
    rn_play_leave_sheet(p);
    memcpy(c->left_for_sheet, c->state, sizeof c->left_for_sheet);
    c->nsheet = n;
    set_sides(p, sheet, n);
}

bool rn_play_leave_sheet(struct rn_play *p)
{
    bool any = p->compare->nsheet;
    p->compare->nsheet = 0;
    if (any)
        set_sides(p, p->compare->left_for_sheet, 2);
    return any;
}

bool rn_play_sheet_state(const struct rn_play *p, int pane, struct rn_play_state *state)
{
    *state = p->compare->state[pane];
    return pane < p->compare->nsheet;
}

void rn_play_next_state(struct rn_play *p, int side)
{
    char name[160];
    struct rn_play_compare *c = p->compare;
    rn_play_leave_sheet(p);
    set_side(p, side, rn_play_state_next(p, c->state[side], at_first[!side].kind));
    rn_play_state_name(p, c->state[side], c->state[!side], name, sizeof name);
    rn_play_say(p, side == RIGHT ? "on the right: %s" : "compared with: %s", name);
}

void rn_play_set_states(struct rn_play *p, struct rn_play_state left, struct rn_play_state right)
{
    struct rn_play_compare *c = p->compare;
    rn_play_leave_sheet(p);
    set_side(p, LEFT, left);
    set_side(p, RIGHT, right);
    c->layout = c->layout == RN_LAYOUT_ONE && !p->bypass ? RN_LAYOUT_BESIDE : c->layout;
}

bool rn_play_show_chain(struct rn_play *p, bool alone)
{
    const struct rn_play_compare *c = p->compare;
    bool single = c->layout == RN_LAYOUT_ONE;
    if (c->nsheet || c->state[RIGHT].kind == RN_STATE_NOW ||
        (single ? p->bypass : alone || c->state[LEFT].kind == RN_STATE_NOW))
        return false;
    set_side(p, RIGHT, at_first[RIGHT]);
    if (alone)
        rn_play_say(p, "the chain again");
    return true;
}

bool rn_play_leave_comparison(struct rn_play *p, bool chosen)
{
    struct rn_play_compare *c = p->compare;
    bool other =
        c->state[LEFT].kind != at_first[LEFT].kind || c->state[RIGHT].kind != at_first[RIGHT].kind;
    if (c->nsheet || c->layout == RN_LAYOUT_ONE || (chosen && !other))
        return false;
    rn_play_set_states(p, at_first[LEFT], at_first[RIGHT]);
    c->layout = RN_LAYOUT_ONE;
    rn_play_say(p, "the chain alone");
    return true;
}

void rn_play_compare_snapshot(struct rn_play *p)
{
    struct rn_play_compare *c = p->compare;
    struct rn_play_snapshots *s = p->snapshots;
    bool back;
    rn_play_snapshots_flip(s, p->session->chain, &back);
    struct rn_play_state left = {RN_STATE_SNAPSHOT, back ? s->before : s->recent};
    back = back && left.n == RN_SNAPSHOTS && s->previous;
    left.n = back || rn_play_state_exists(p, left) ? left.n : s->recent;
    const struct rn_chain *other = back ? s->previous : rn_play_snapshots_get(s, left.n);
    char words[512], name[] = {rn_play_snapshot_name(left.n), '\0'}, key[RN_KEY_NAME];
    if (!other) {
        rn_play_say(p, "no snapshot to compare with");
    } else if (memcmp(&c->state[LEFT], &left, sizeof left) != 0 ||
               c->state[RIGHT].kind != RN_STATE_NOW || !rn_play_leave_comparison(p, true)) {
        rn_play_words(other, p->session->chain, &p->session->stream->geom, words, sizeof words);
        rn_play_set_states(p, left, at_first[RIGHT]);
        rn_play_say(p, "%s to now: %s; %s: the chain alone", back ? "the earlier chain" : name,
                    words, rn_play_key(p, "leave", key));
        rn_play_extend_message(p, 3);
    }
}

bool rn_play_can_measure(const struct rn_play *p)
{
    return !p->compare->nsheet && rn_play_figures_fit(&rn_play_side_image(p, LEFT)->geom,
                                                      &rn_play_side_image(p, RIGHT)->geom);
}

bool rn_play_compares_chosen(const struct rn_play *p)
{
    bool plain =
        state_of(p, LEFT).kind <= RN_STATE_BEFORE && state_of(p, RIGHT).kind == RN_STATE_NOW;
    return p->compare->layout != RN_LAYOUT_ONE && !p->compare->nsheet && !plain;
}

void rn_play_toggle_bypass(struct rn_play *p)
{
    char name[160];
    int side = (p->bypass = !p->bypass) ? LEFT : RIGHT;
    if (p->compare->state[side].kind == at_first[side].kind)
        rn_play_say(p, p->bypass ? "chain bypassed" : "chain on");
    else
        rn_play_say(p, "%s alone", name_side(p, side, name, sizeof name));
    outdate(p);
}

/* After the layout that a command is for comes none; after two pictures beside each other they are
 * turned first. */
static enum rn_ui_arrangement layout_after(const struct rn_play *p, int layout)
{
    enum rn_ui_arrangement now = p->compare->layout;
    if (layout == RN_LAYOUT_SPLIT || now < RN_LAYOUT_BESIDE)
        return (int)now == layout ? RN_LAYOUT_ONE : (enum rn_ui_arrangement)layout;
    return now != RN_LAYOUT_BESIDE          ? RN_LAYOUT_ONE
           : rn_ui_is_above(p->window, now) ? RN_LAYOUT_COLUMNS
                                            : RN_LAYOUT_ROWS;
}

/* alone: the picture of a single one. */
static const char *layout_word(const struct rn_play *p, enum rn_ui_arrangement layout,
                               const char *alone)
{
    return layout == RN_LAYOUT_ONE             ? alone
           : layout == RN_LAYOUT_SPLIT         ? "split view"
           : rn_ui_is_above(p->window, layout) ? "above each other"
                                               : "side by side";
}

void rn_play_toggle_layout(struct rn_play *p, int layout)
{
    char key[RN_KEY_NAME], name[96];
    rn_play_leave_sheet(p);
    p->compare->layout = layout_after(p, layout);
    struct rn_play_state right = state_of(p, RIGHT);
    bool chain = right.kind == RN_STATE_NOW; /* else its changes are not seen alone */
    const char *alone = chain ? "the filtered picture alone"
                              : rn_play_state_name(p, right, state_of(p, LEFT), name, sizeof name);
    if (!chain && p->compare->layout == RN_LAYOUT_ONE)
        rn_play_say(p, "%s alone; %s: the chain", alone, rn_play_key(p, "leave", key));
    else
        rn_play_say(p, "%s; %s: %s", layout_word(p, p->compare->layout, alone),
                    rn_play_key(p, "beside", key),
                    layout_word(p, layout_after(p, RN_LAYOUT_BESIDE), "the right one alone"));
    outdate(p);
}

/* ---- pictures */

static void show(struct rn_play *p, struct rn_pix_display *display, const struct rn_image *img,
                 struct rn_screen *screen)
{
    bool rests = p->paused || rn_play_at_end(p);
    rn_pix_display_fields(display, p->shown->frame.by_field, rn_play_visible_lines(p));
    rn_pix_display_reduce(display, rests ? 1 : rn_ui_reduction(p->window, rn_play_layout(p)));
    rn_pix_display_show(display, img, screen);
}

static int show_side(struct rn_play *p, int side, struct rn_screen *screen)
{
    const struct rn_image *img = rn_play_side_image(p, side);
    struct rn_pix_display **made = &p->compare->made[side].display;
    bool in = img == &p->shown->in;
    if (in || img == &p->shown->out) {
        show(p, in ? p->show_in : p->show_out, img, screen);
        return 0;
    }
    int err = rn_pix_display_fit(made, &img->geom, &p->viewing);
    if (err)
        return err;
    if (rn_play_window_level_can(&img->geom)) {
        /* A window of its own, or the one that is set by hand for what is filtered. */
        struct rn_play_window_level *scan = &p->compare->made[side].scan;
        const struct rn_play_window_level *filtered = rn_play_window_level(p);
        scan->of_file = filtered->of_file;
        memcpy(scan->file, filtered->file, sizeof scan->file);
        memcpy(scan->set, filtered->set, sizeof scan->set);
        if (rn_play_window_level_fits(&img->geom))
            rn_play_window_level_look(scan, &p->shown->in, img, p->compare->made[side].anew);
        p->compare->made[side].anew = false;
        rn_play_window_level_apply(scan, *made, &img->geom, false);
    }
    show(p, *made, img, screen);
    return 0;
}

static int show_right(struct rn_play *p, struct rn_screen *screen)
{
    const struct rn_image *right = rn_play_side_image(p, RIGHT);
    double limit;
    if (rn_play_shown_gain(p, &limit)) {
        struct rn_play_distance_view *view = &p->compare->distances;
        int err = rn_play_distance_view_make(view, rn_play_side_image(p, LEFT), right, limit,
                                             &p->viewing);
        if (!err)
            show(p, view->display, &view->image, screen);
        return err;
    }
    if (right == &p->shown->out && rn_play_shown_mask(p))
        return rn_play_show_mask(p, screen);
    return show_side(p, RIGHT, screen);
}

bool rn_play_is_split(const struct rn_play *p)
{
    return p->compare->layout == RN_LAYOUT_SPLIT;
}

void rn_play_set_split(struct rn_play *p, double at)
{
    p->compare->split_at = fmin(1, fmax(0, at));
}

void rn_play_move_split(struct rn_play *p, int count)
{
    rn_play_set_split(p, p->compare->split_at + 0.01 * count);
}

enum rn_ui_arrangement rn_play_layout(const struct rn_play *p)
{
    return rn_play_three_is_on(p->three) ? RN_LAYOUT_GRID
           : p->bypass                   ? RN_LAYOUT_ONE
           : p->compare->nsheet == 2     ? RN_LAYOUT_BESIDE
           : p->compare->nsheet          ? RN_LAYOUT_GRID
                                         : p->compare->layout;
}

/* In three views nothing is beside the filtered picture, and the original is the input: the planes
 * across the slices have no other one. */
static int show_three(struct rn_play *p, struct rn_ui_scene *scene, struct rn_screen *screen)
{
    bool draws = p->drawing == RN_DRAWING_PICTURES || !rn_ui_keeps(p->window, RN_LAYOUT_GRID);
    int err = rn_play_three_show(p, draws, scene);
    if (err || !draws)
        return err;
    err = p->bypass ? show_side(p, LEFT, screen) : show_right(p, screen);
    scene->pane[0].picture = screen;
    return err;
}

int rn_play_pictures(struct rn_play *p, struct rn_ui_scene *scene,
                     struct rn_screen screen[RN_SCENE_PANES])
{
    double limit;
    int err = 0, gain = rn_play_shown_gain(p, &limit);
    if (rn_play_three_is_on(p->three))
        return show_three(p, scene, &screen[0]);
    scene->layout = rn_play_layout(p);
    bool both = scene->layout != RN_LAYOUT_ONE;
    scene->split_at = p->compare->split_at;
    scene->picks = p->compare->nsheet && !p->bypass;
    scene->npanes = !both ? 1 : p->compare->nsheet ? p->compare->nsheet : 2;
    /* Names are told where there are two pictures, or one that is not what is usually there. */
    struct rn_play_compare *c = p->compare;
    for (int i = 0; i < 2 || i < scene->npanes; i++) {
        name_side(p, i, c->label[i], sizeof c->label[i]);
        scene->pane[i].label = i > RIGHT ? c->label[i] : NULL;
    }
    if (gain)
        snprintf(c->label[RIGHT], sizeof c->label[RIGHT], "difference x %d", gain);
    if (both || (p->bypass && c->state[LEFT].kind != RN_STATE_INPUT))
        scene->pane[0].label = c->label[0];
    if (both || (!p->bypass && (gain || c->state[RIGHT].kind != RN_STATE_NOW)))
        scene->pane[both].label = c->label[1];
    if (p->drawing != RN_DRAWING_PICTURES && rn_ui_keeps(p->window, scene->layout))
        return 0;
    if (both || p->bypass)
        err = show_side(p, LEFT, &screen[0]);
    if (!err && !p->bypass)
        err = show_right(p, &screen[1]);
    scene->pane[0].picture = both || p->bypass ? &screen[0] : &screen[1];
    scene->pane[1].picture = both ? &screen[1] : NULL;
    for (int i = 2; i < scene->npanes && !err; i++) {
        err = show_side(p, i, &screen[i]);
        scene->pane[i].picture = &screen[i];
    }
    return err;
}

static void leave(void *part)
{
    struct rn_play_compare *c = part;
    for (int i = 0; i < SIDES; i++) {
        rn_pix_display_destroy(&c->made[i].display);
        c->made[i].scan = (struct rn_play_window_level){.of_file = false};
    }
    rn_play_distance_view_free(&c->distances);
}

static void release(void *part)
{
    struct rn_play_compare *c = part;
    rn_chain_destroy(&c->versus);
}

const struct rn_play_part_type rn_play_compare_part = {
    .size = sizeof(struct rn_play_compare), .release = release, .leave = leave};
