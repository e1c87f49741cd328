/* SPDX-License-Identifier: MIT */
#include "app/play/edit/settings.h"

#include "filters/base/text/printable.h"
#include "filters/core/chain/level.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NONE (-1)

/* Which stages of two chains correspond: of[i] is that of `from` for stage i of `to`, or NONE. */
struct pairs {
    int of[RN_MAX_STAGES];
    bool moved[RN_MAX_STAGES]; /* by i */
    bool taken[RN_MAX_STAGES]; /* by the stage of `from` */
};

static bool is_kind(const struct rn_chain *a, int i, const struct rn_chain *b, int k)
{
    return rn_chain_stage(a, i)->desc == rn_chain_stage(b, k)->desc;
}

static void pair(struct pairs *p, const struct rn_chain *from, const struct rn_chain *to)
{
    int n = rn_chain_count(from), m = rn_chain_count(to);
    /* The longest common subsequence of the stages from i and k on. */
    int longest[RN_MAX_STAGES + 1][RN_MAX_STAGES + 1] = {{0}};
    for (int i = n - 1; i >= 0; i--)
        for (int k = m - 1; k >= 0; k--) {
            int skip =
                longest[i + 1][k] > longest[i][k + 1] ? longest[i + 1][k] : longest[i][k + 1];
            longest[i][k] = is_kind(from, i, to, k) ? longest[i + 1][k + 1] + 1 : skip;
        }
    for (int k = 0; k < m; k++)
        p->of[k] = NONE;
    for (int i = 0, k = 0; i < n && k < m;) {
        if (is_kind(from, i, to, k)) {
            p->taken[i] = true;
            p->of[k++] = i++;
        } else if (longest[i + 1][k] >= longest[i][k + 1]) {
            i++;
        } else {
            k++;
        }
    }
    for (int k = 0; k < m; k++)
        for (int i = 0; i < n && p->of[k] == NONE; i++)
            if (!p->taken[i] && is_kind(from, i, to, k)) {
                p->of[k] = i;
                p->moved[k] = p->taken[i] = true;
            }
}

char *rn_play_value_words(const struct rn_stage *stage, const struct rn_param *row,
                          const struct rn_geom *geom, char *buf, size_t size)
{
    const void *values = rn_stage_values(stage, row);
    const char *unit = rn_param_unit(row, values);
    char number[128];
    int v = row->type == RN_INT ? (int)rn_param_number(row, values) : -1;
    rn_level_value(row, values, geom, number, sizeof number);
    rn_mark_cut(number, sizeof number);
    if (v >= 0 && !strcmp(unit, "mask")) { /* a bit for each plane */
        *buf = '\0';
        for (int i = 0, n = 0; v >> i; i++)
            if (v >> i & 1)
                n += snprintf(buf + n, size - (size_t)n, "%s %d", n ? "," : "plane", i + 1);
        if (!v)
            snprintf(buf, size, "automatic");
    } else if (v >= 0 && row->min == 0 && row->max == 1) {
        snprintf(buf, size, v ? "on" : "off");
    } else if (row->type == RN_TEXT && !*number) {
        snprintf(buf, size, "none");
    } else {
        int length = (int)strlen(unit) - (v == 1 && !strcmp(unit, "frames")); /* 1 frame */
        snprintf(buf, size, "%s%s%.*s", number, *unit ? " " : "", length, unit);
        rn_mark_cut(buf, size);
    }
    return rn_printable(buf, false);
}

static void __attribute__((format(printf, 3, 4))) add(char *buf, size_t size, const char *fmt, ...)
{
    size_t used = strlen(buf);
    va_list args;
    used += (size_t)snprintf(buf + used, size - used, "%s", used ? ", " : "");
    va_start(args, fmt);
    if (used < size)
        vsnprintf(buf + used, size - used, fmt, args);
    va_end(args);
}

static void compare(const struct rn_stage *a, const struct rn_stage *b, const struct rn_geom *geom,
                    char *buf, size_t size)
{
    char was[128], is[128];
    if (a->on != b->on)
        add(buf, size, "%s %s", rn_stage_name(b), b->on ? "on" : "off");
    const struct rn_param *row;
    for (int k = 0; a->table == b->table && (row = rn_stage_row(b, k)) != NULL; k++) {
        rn_play_value_words(a, row, geom, was, sizeof was);
        rn_play_value_words(b, row, geom, is, sizeof is);
        if (row != rn_stage_rows && (!row->level || strcmp(was, is) != 0) &&
            !rn_param_equal(row, rn_stage_values(a, row), rn_stage_values(b, row)))
            add(buf, size, "%s.%s %s -> %s", rn_stage_name(b), row->name, was, is);
    }
    if (a->table != b->table)
        add(buf, size, "%s of another file", rn_stage_name(b));
}

char *rn_play_words(const struct rn_chain *from, const struct rn_chain *to,
                    const struct rn_geom *geom, char *buf, size_t size)
{
    struct pairs p = {.taken = {false}};
    *buf = '\0';
    pair(&p, from, to);
    for (int i = 0; i < rn_chain_count(from); i++)
        if (!p.taken[i])
            add(buf, size, "- %s", rn_stage_name(rn_chain_stage(from, i)));
    for (int k = 0; k < rn_chain_count(to); k++) {
        const struct rn_stage *stage = rn_chain_stage(to, k);
        if (p.of[k] == NONE)
            add(buf, size, "+ %s", rn_stage_name(stage));
        if (p.moved[k])
            add(buf, size, "%s moved to %d", rn_stage_name(stage), k + 1);
        if (p.of[k] != NONE)
            compare(rn_chain_stage(from, p.of[k]), stage, geom, buf, size);
    }
    if (!*buf)
        snprintf(buf, size, "the same settings");
    rn_mark_cut(buf, size);
    return rn_printable(buf, false);
}
