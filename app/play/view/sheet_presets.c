/* SPDX-License-Identifier: MIT */
#include "app/play/view/sheet_presets.h"

#include "app/help/presets.h"
#include "app/play/loop/part.h"
#include "filters/core/chain/chain.h"

#include <stdio.h>

struct rn_play_sheet_presets {
    struct {
        char name[64];
        struct rn_chain *chain;
    } preset[RN_SHEET_PRESETS];
    int seen; /* up to those */
};

struct presets {
    struct rn_play_sheet_presets *of;
    int seen, n; /* visited; loaded */
};

/* One whose file has a mistake (logged) is left out. */
static void load_preset(void *arg, const char *name, const char *about)
{
    struct presets *to = arg;
    struct rn_play_sheet_presets *s = to->of;
    char text[sizeof s->preset[0].name + 1];
    const char *chain = text;
    if (to->seen++ < s->seen || to->n == RN_SHEET_PRESETS)
        return;
    s->seen = to->seen;
    snprintf(text, sizeof text, "@%s", name);
    rn_chain_destroy(&s->preset[to->n].chain);
    snprintf(s->preset[to->n].name, sizeof s->preset[0].name, "%s", name);
    to->n += !rn_app_preset_resolve(&chain) && !rn_chain_parse(&s->preset[to->n].chain, chain);
}

int rn_play_sheet_presets_load(struct rn_play_sheet_presets *s, bool next, int *last, int *all)
{
    struct presets found = {.of = s};
    s->seen = next ? s->seen : 0;
    rn_app_presets_visit(load_preset, &found);
    *last = s->seen;
    *all = found.seen;
    return found.n;
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
    for (int i = 0; i < RN_SHEET_PRESETS; i++)
        rn_chain_destroy(&s->preset[i].chain);
}

const struct rn_play_part_type rn_play_sheet_presets_part = {
    .size = sizeof(struct rn_play_sheet_presets), .release = release};
