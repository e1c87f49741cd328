/* SPDX-License-Identifier: MIT */
#include "app/play/edit/settings.h"

#include "app/play/loop/player.h"
#include "filters/core/chain/level.h"

struct rn_play_cursor {
    int selected; /* position in the list */
    bool all;     /* fixed parameters are listed as well */
};

/* Keys and the panel have their own way to `enable`; without a region nothing is said of it. */
static bool is_listed(const struct rn_play *p, const struct rn_stage *s, const struct rn_param *row)
{
    return (rn_stage_values(s, row) == s->params || (s->region.kind && row != rn_stage_rows)) &&
           (!row->fixed || (p->cursor->all && row->file != RN_FILE_WRITTEN));
}

/* Counts the places of stage i, at least one. *row: the parameter at place n; NULL: none. */
static int walk_stage(const struct rn_play *p, int i, int n, const struct rn_param **row)
{
    const struct rn_stage *s = rn_chain_stage(p->session->chain, i);
    int count = 0;
    *row = NULL;
    RN_EACH_PARAM (r, s)
        if (is_listed(p, s, r) && count++ == n)
            *row = r;
    return count ? count : 1;
}

int rn_play_cursor_places(const struct rn_play *p, int stage)
{
    const struct rn_param *row;
    return walk_stage(p, stage, -1, &row);
}

const struct rn_param *rn_play_cursor_place(const struct rn_play *p, int stage, int n)
{
    const struct rn_param *row;
    walk_stage(p, stage, n, &row);
    return row;
}

/* The number of places in the list. */
static int count_places(const struct rn_play *p)
{
    int count = 0;
    for (int i = 0; i < rn_chain_count(p->session->chain); i++)
        count += rn_play_cursor_places(p, i);
    return count;
}

struct rn_play_selected rn_play_cursor_selected(const struct rn_play *p)
{
    struct rn_play_selected s = {.stage = 0};
    int n = p->cursor->selected;
    for (int i = 0, count; i < rn_chain_count(p->session->chain) && !s.of; i++, n -= count) {
        count = walk_stage(p, i, n, &s.row);
        if (n < count)
            s = (struct rn_play_selected){i, rn_chain_stage(p->session->chain, i), s.row,
                                          &p->session->analysis.stage[i].in};
    }
    return s;
}

void rn_play_cursor_select(struct rn_play *p, int stage, int n)
{
    p->cursor->selected = 0;
    stage =
        stage < rn_chain_count(p->session->chain) ? stage : rn_chain_count(p->session->chain) - 1;
    for (int i = 0; i < stage; i++)
        p->cursor->selected += rn_play_cursor_places(p, i);
    int count = stage < 0 ? 1 : rn_play_cursor_places(p, stage);
    p->cursor->selected += n < count ? n : count - 1;
}

void rn_play_cursor_go(struct rn_play *p, int n)
{
    int count = count_places(p);
    p->cursor->selected = count ? (n % count + count) % count : 0;
}

void rn_play_cursor_move(struct rn_play *p, int n)
{
    rn_play_cursor_go(p, p->cursor->selected + n);
}

void rn_play_cursor_show_all(struct rn_play *p, bool all)
{
    const struct rn_play_selected was = rn_play_cursor_selected(p);
    const struct rn_param *row;
    int n = 0;
    p->cursor->all = all;
    for (int k = 0; was.of && (row = rn_stage_row(was.of, k)) != NULL && row != was.row; k++)
        n += is_listed(p, was.of, row);
    rn_play_cursor_select(p, was.stage, n);
}

void rn_play_reset_values(struct rn_chain *chain)
{
    for (int i = 0; i < rn_chain_count(chain); i++) {
        struct rn_stage *s = rn_chain_stage(chain, i);
        RN_EACH_PARAM (row, s)
            if (!row->fixed && row != rn_stage_rows) /* it stays off */
                rn_param_reset(row, rn_stage_values(s, row));
    }
}

static bool take_value(struct rn_stage *to, const struct rn_stage *from, const struct rn_param *row)
{
    char text[128];
    if (to->table != from->table ||
        rn_param_equal(row, rn_stage_values(to, row), rn_stage_values(from, row)))
        return false;
    rn_param_format(row, rn_stage_values(from, row), text, sizeof text);
    return !rn_stage_set(to, row, text);
}

int rn_play_take_values(const struct rn_play *p, struct rn_chain *draft,
                        const struct rn_chain *from, int *first)
{
    int places = 0, values = 0, differed = 0;
    for (int i = 0; i < rn_chain_count(draft) && i < rn_chain_count(from); i++) {
        struct rn_stage *stage = rn_chain_stage(draft, i);
        const struct rn_stage *other = rn_chain_stage(from, i);
        int listed = 0;
        differed += stage->on != other->on;
        stage->on = other->on;
        RN_EACH_PARAM (row, stage) {
            if (!row->fixed && take_value(stage, other, row) && !values++)
                *first = places + listed;
            listed += is_listed(p, stage, row);
        }
        places += rn_play_cursor_places(p, i);
    }
    return differed + values;
}

char *rn_play_cursor_value(const struct rn_play *p, int stage, const struct rn_param *row,
                           char *buf, size_t size)
{
    return rn_play_value_words(rn_chain_stage(p->session->chain, stage), row,
                               &p->session->analysis.stage[stage].in, buf, size);
}

char *rn_play_cursor_describe(const struct rn_play *p, char *buf, size_t size)
{
    const struct rn_play_selected at = rn_play_cursor_selected(p);
    char value[64], range[128], key[RN_KEY_NAME], help[RN_KEY_NAME];
    const char *off = at.of && !at.of->on ? "  (off)" : "";
    int place = p->cursor->selected + 1, places = count_places(p);
    if (!at.of)
        snprintf(buf, size, "the chain is empty: %s adds a filter, %s shows keys",
                 rn_play_key(p, "new", key), rn_play_key(p, "help", help));
    else if (!at.row)
        snprintf(buf, size, "%d/%d  %s%s", place, places, rn_stage_name(at.of), off);
    else
        snprintf(buf, size, "%d/%d  %s.%s  %s  [%s]%s", place, places, rn_stage_name(at.of),
                 at.row->name, rn_play_cursor_value(p, at.stage, at.row, value, sizeof value),
                 rn_level_range(at.row, at.input, range, sizeof range), off);
    return buf;
}

const struct rn_play_part_type rn_play_cursor_part = {.size = sizeof(struct rn_play_cursor)};
