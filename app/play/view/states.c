/* SPDX-License-Identifier: MIT */
#include "app/play/edit/settings.h"
#include "app/play/loop/player.h"
#include "app/play/view/compare.h"
#include "filters/base/owned.h"
#include "filters/base/text/number.h"
#include "filters/base/text/printable.h"
#include "app/help/help.h"

bool rn_play_state_is_made(struct rn_play_state state)
{
    return state.kind != RN_STATE_INPUT && state.kind != RN_STATE_NOW &&
           state.kind != RN_STATE_REFERENCE;
}

bool rn_play_state_exists(const struct rn_play *p, struct rn_play_state state)
{
    switch (state.kind) {
    case RN_STATE_VERSUS:
        return rn_play_has_versus(p);
    case RN_STATE_REFERENCE:
        return rn_play_reference_exists(p);
    case RN_STATE_SNAPSHOT:
        return state.n < RN_SNAPSHOTS && rn_play_snapshots_get(p->snapshots, state.n);
    case RN_STATE_AFTER:
        return state.n < rn_chain_count(p->session->chain);
    default:
        return true;
    }
}

bool rn_play_state_parse(const struct rn_play *p, const char *text, struct rn_play_state *state)
{
    static const char *const words[] = {[RN_STATE_INPUT] = "input",
                                        [RN_STATE_BEFORE] = "before",
                                        [RN_STATE_VERSUS] = "versus",
                                        [RN_STATE_REFERENCE] = "reference",
                                        [RN_STATE_NOW] = "now"};
    long long number = 0;
    bool known = rn_number_whole(text, 1, RN_MAX_STAGES, &number);
    *state = (struct rn_play_state){RN_STATE_AFTER, (int)(number - 1)};
    if (*text >= 'A' && *text < rn_play_snapshot_name(RN_SNAPSHOTS) && !text[1]) {
        *state = (struct rn_play_state){RN_STATE_SNAPSHOT, *text - rn_play_snapshot_name(0)};
        known = true;
    }
    for (int kind = 0; kind <= RN_STATE_NOW; kind++)
        if (words[kind] && !strcmp(words[kind], text)) {
            *state = (struct rn_play_state){.kind = (enum rn_play_state_kind)kind};
            known = true;
        }
    return known && rn_play_state_exists(p, *state);
}

struct rn_play_state rn_play_state_next(const struct rn_play *p, struct rn_play_state state,
                                        enum rn_play_state_kind without)
{
    do {
        bool many = state.kind == RN_STATE_SNAPSHOT || state.kind == RN_STATE_AFTER;
        state.n = many && state.n < RN_MAX_STAGES ? state.n + 1 : 0;
        if (!state.n)
            state.kind = state.kind < RN_STATE_NOW ? state.kind + 1 : RN_STATE_INPUT;
    } while (state.kind == without || state.kind == RN_STATE_AFTER ||
             state.kind == RN_STATE_PRESET || !rn_play_state_exists(p, state));
    return state;
}

/* Borrowed. */
static const struct rn_chain *chain_of(const struct rn_play *p, struct rn_play_state state)
{
    const char *name;
    return state.kind == RN_STATE_VERSUS   ? rn_play_tuned_state(p, !rn_play_is_swapped(p)).chain
           : state.kind == RN_STATE_PRESET ? rn_play_sheet_preset(p->sheet_presets, state.n, &name)
           : state.kind != RN_STATE_SNAPSHOT ? p->session->chain
           : state.n == RN_SNAPSHOTS         ? p->snapshots->previous
                                             : rn_play_snapshots_get(p->snapshots, state.n);
}

struct rn_chain *rn_play_state_chain(const struct rn_play *p, struct rn_play_state state)
{
    const struct rn_chain *from = chain_of(p, state);
    if (!from)
        rn_fail(RN_EUSAGE, "the snapshot is empty");
    struct rn_chain *chain = from && !rn_chain_check_code(from) ? rn_chain_copy(from) : NULL;
    int first_off = state.kind == RN_STATE_BEFORE  ? rn_play_cursor_selected(p).stage
                    : state.kind == RN_STATE_AFTER ? state.n + 1
                                                   : RN_MAX_STAGES;
    rn_chain_measure_nothing(chain);
    for (int i = first_off; chain && i < rn_chain_count(chain); i++)
        rn_chain_stage(chain, i)->on = false;
    return chain;
}

/* Where a chain that is too long for a small window differs from another one, behind a sign that
 * stages are left out. The text is overwritten in front of it. */
static const char *where_they_differ(char *text, const char *other)
{
    size_t n = 0, from = 0;
    for (; text[n] && text[n] == other[n]; n++)
        from = text[n] == ',' ? n + 1 : from;
    if (strlen(text) < 32 || from < 3 || !text[n])
        return text;
    return memset(text + from - 3, '.', 3);
}

char *rn_play_state_name(const struct rn_play *p, struct rn_play_state state,
                         struct rn_play_state beside, char *buf, size_t size)
{
    int stage = state.kind == RN_STATE_BEFORE ? rn_play_cursor_selected(p).stage : state.n;
    bool plain = state.kind == RN_STATE_NOW && beside.kind != RN_STATE_VERSUS &&
                 beside.kind != RN_STATE_SNAPSHOT;
    char letter[] = {rn_play_snapshot_name(state.n), '\0'};
    const char *preset = "";
    if (state.kind == RN_STATE_PRESET)
        rn_play_sheet_preset(p->sheet_presets, state.n, &preset);
    bool previous = state.n == RN_SNAPSHOTS;
    const struct rn_chain *chain = chain_of(p, state);
    if (state.kind == RN_STATE_REFERENCE) {
        snprintf(buf, size, "reference %s", p->session->cli->play.reference);
        rn_printable(buf, false);
    } else if (state.kind == RN_STATE_INPUT || !chain ||
               (state.kind == RN_STATE_BEFORE && !rn_chain_count(chain))) {
        snprintf(buf, size, "original");
    } else if (plain) {
        snprintf(buf, size, "filtered");
    } else if (state.kind == RN_STATE_BEFORE || state.kind == RN_STATE_AFTER) {
        const struct rn_stage *at = rn_chain_stage(chain, stage);
        snprintf(buf, size, "%s %d %s", state.kind == RN_STATE_BEFORE ? "before" : "after",
                 stage + 1, at ? rn_stage_name(at) : "");
    } else {
        RN_OWNED(rn_free_owned) char *text = rn_chain_format(chain);
        const struct rn_chain *other = chain_of(p, beside);
        RN_OWNED(rn_free_owned) char *others = other ? rn_chain_format(other) : NULL;
        const char *from = text && others ? where_they_differ(text, others) : text;
        bool versus = rn_play_has_versus(p) &&
                      (state.kind == RN_STATE_VERSUS || beside.kind == RN_STATE_VERSUS);
        bool swapped = rn_play_is_swapped(p) != (state.kind == RN_STATE_VERSUS);
        snprintf(buf, size, "%s: %s",
                 state.kind == RN_STATE_SNAPSHOT ? previous ? "earlier" : letter
                 : state.kind == RN_STATE_PRESET ? preset
                 : !versus                       ? "now"
                 : swapped                       ? "--versus"
                                                 : "-f",
                 from && *from ? from : "no filter");
        rn_printable(buf, false);
    }
    return buf;
}

/* ---- presets */

#define SHEET_PRESETS 4
_Static_assert(SHEET_PRESETS <= RN_SCENE_PANES, "a pane for each");

struct rn_play_sheet_presets {
    struct {
        char name[64];
        struct rn_chain *chain;
    } preset[SHEET_PRESETS];
    int seen; /* up to those */
};

/* Loads the next ones. One whose file has a mistake (logged) is left out. Returns their number. */
static int load_presets(struct rn_play_sheet_presets *s, const struct rn_app_preset *list, int all)
{
    int n = 0;
    for (; s->seen < all && n < SHEET_PRESETS; s->seen++) {
        char text[sizeof s->preset[0].name + 1];
        const char *chain = text, *name = list[s->seen].name;
        snprintf(text, sizeof text, "@%s", name);
        rn_chain_destroy(&s->preset[n].chain);
        snprintf(s->preset[n].name, sizeof s->preset[n].name, "%s", name);
        n += !rn_app_preset_resolve(&chain) && !rn_chain_parse(&s->preset[n].chain, chain);
    }
    return n;
}

const struct rn_chain *rn_play_sheet_preset(const struct rn_play_sheet_presets *s, int i,
                                            const char **name)
{
    *name = s->preset[i].name;
    return s->preset[i].chain;
}

static void release(void *part)
{
    struct rn_play_sheet_presets *s = part;
    for (int i = 0; i < SHEET_PRESETS; i++)
        rn_chain_destroy(&s->preset[i].chain);
}

const struct rn_play_part_type rn_play_sheet_presets_part = {
    .size = sizeof(struct rn_play_sheet_presets), .release = release};

/* ---- contact sheets */

/* With the chain as it is now, if there is room. */
static void show_with_chain(struct rn_play *p, struct rn_play_state sheet[RN_SCENE_PANES], int n)
{
    if (n < RN_SCENE_PANES)
        sheet[n++] = (struct rn_play_state){RN_STATE_NOW, 0};
    rn_play_show_sheet(p, sheet, n);
}

void rn_play_toggle_sheet(struct rn_play *p)
{
    struct rn_play_state sheet[RN_SNAPSHOTS] = {{.kind = RN_STATE_INPUT}};
    int n = 0;
    for (int i = 0; i < RN_SNAPSHOTS; i++) {
        struct rn_play_state state = {RN_STATE_SNAPSHOT, i};
        if (rn_play_state_exists(p, state))
            sheet[n++] = state;
    }
    if (rn_play_leave_sheet(p))
        return;
    if (n)
        show_with_chain(p, sheet, n);
    else
        rn_play_say(p, "no snapshots for a contact sheet");
}

void rn_play_next_presets(struct rn_play *p)
{
    struct rn_play_state sheet[RN_SCENE_PANES], first;
    char key[RN_KEY_NAME], leave[RN_KEY_NAME];
    struct rn_play_sheet_presets *s = p->sheet_presets;
    struct rn_app_preset list[RN_PRESETS_MOST];
    bool on = rn_play_sheet_state(p, 0, &first) && first.kind == RN_STATE_PRESET;
    rn_play_leave_sheet(p);
    s->seen = on ? s->seen : 0;
    int all = rn_app_presets_list(list), n = load_presets(s, list, all);
    for (int i = 0; i < RN_SCENE_PANES; i++)
        sheet[i] = (struct rn_play_state){RN_STATE_PRESET, i};
    if (n) {
        show_with_chain(p, sheet, n);
        rn_play_say(p, "presets %d to %d of %d: a click takes one, %s goes on, %s leaves",
                    s->seen - n + 1, s->seen, all, rn_play_key(p, "presets", key),
                    rn_play_key(p, "leave", leave));
        rn_play_extend_message(p, 3); /* their kernels are built first */
    } else {
        rn_play_say(p, on ? "no more presets" : "there are no presets");
    }
}
