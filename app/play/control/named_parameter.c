/* SPDX-License-Identifier: MIT */
#include "app/play/control/command_table.h"

#include "app/help/help.h"
#include "filters/base/log.h"
#include "filters/base/text/words.h"
#include "filters/base/text/number.h"
#include "filters/core/chain/level.h"

#include <string.h>

/* ---- names */

static int count_called(const struct rn_chain *chain, const char *text, int *first)
{
    int n = 0;
    for (int i = rn_chain_count(chain) - 1; i >= 0; i--)
        if (!strcmp(rn_stage_name(rn_chain_stage(chain, i)), text)) {
            *first = i;
            n++;
        }
    return n;
}

void rn_play_unknown(char why[RN_PLAY_WHY], const char *what, const char *name,
                     const char *const *names, const char *rest)
{
    char text[RN_UNKNOWN_TEXT];
    snprintf(why, RN_PLAY_WHY, "%s %s%s", what,
             rn_unknown_name(name, rn_nearest(name, names), text), rest);
}

int rn_play_parameter_stage(const struct rn_chain *chain, const char *text, char why[RN_PLAY_WHY])
{
    const char *names[RN_MAX_STAGES + 1];
    long long place;
    int at = rn_number_whole(text, 1, rn_chain_count(chain), &place) ? (int)place - 1 : -1;
    int n = at < 0 ? count_called(chain, text, &at) : 1;
    for (int i = 0; i < rn_chain_count(chain); i++)
        names[i] = rn_stage_name(rn_chain_stage(chain, i));
    names[rn_chain_count(chain)] = NULL;
    if (n == 0)
        rn_play_unknown(why, "no stage of the chain is called", text, names, "");
    if (n > 1)
        snprintf(why, RN_PLAY_WHY, "%d stages are called '%.60s': name one by its place from 1 on",
                 n, text);
    return n == 1 ? at : -1;
}

static const struct rn_param *find_row(const struct rn_stage *s, const char *name,
                                       char why[RN_PLAY_WHY])
{
    const char *names[64];
    int n = 0;
    const struct rn_param *row = rn_stage_find(s, strcmp(name, "on") ? name : "enable");
    RN_EACH_PARAM (r, s)
        if (n < 62)
            names[n++] = r->name;
    names[n++] = "on";
    names[n] = NULL;
    char what[RN_PLAY_WHY / 2];
    snprintf(what, sizeof what, "%s has no parameter", rn_stage_name(s));
    if (!row)
        rn_play_unknown(why, what, name, names, "");
    return row;
}

bool rn_play_parameter_find(const struct rn_chain *chain, const char *name, int *stage,
                            const struct rn_param **row, char why[RN_PLAY_WHY])
{
    char first[128];
    const char *dot = strrchr(name, '.');
    snprintf(first, sizeof first, "%.*s", dot ? (int)(dot - name) : 0, name);
    *stage = dot ? rn_play_parameter_stage(chain, first, why) : -1;
    *row = *stage < 0 ? NULL : find_row(rn_chain_stage(chain, *stage), dot + 1, why);
    return *row;
}

/* The shortest name that only this stage has. */
static void name_of(const struct rn_chain *chain, int stage, const char *row, char *buf,
                    size_t size)
{
    int first;
    if (count_called(chain, rn_stage_name(rn_chain_stage(chain, stage)), &first) == 1)
        snprintf(buf, size, "%s.%s", rn_stage_name(rn_chain_stage(chain, stage)), row);
    else
        snprintf(buf, size, "%d.%s", stage + 1, row);
}

/* ---- values */

/* Writes a value as in a chain. Returns false if it cannot be one. */
static bool write_value(const json_t *value, char *buf, size_t size)
{
    if (json_is_string(value))
        return (size_t)snprintf(buf, size, "%s", json_string_value(value)) < size;
    if (json_is_boolean(value))
        snprintf(buf, size, "%d", json_is_true(value));
    else if (json_is_integer(value))
        snprintf(buf, size, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        rn_number_print(buf, size, "%.9g", json_real_value(value));
    else
        return false;
    return true;
}

bool rn_play_parameter_set(struct rn_chain *draft, int stage, const struct rn_param *row,
                           const json_t *value, char why[RN_PLAY_WHY])
{
    char text[4096];
    snprintf(why, RN_PLAY_WHY, "%s takes a number, a text, true or false", row->name);
    if (!write_value(value, text, sizeof text))
        return false;
    int err = rn_stage_set(rn_chain_stage(draft, stage), row, text);
    snprintf(why, RN_PLAY_WHY, "%.*s", RN_PLAY_WHY - 1, err ? rn_log_last() : "");
    return !err;
}

/* ---- the list */

static json_t *describe(const struct rn_chain *chain, const struct rn_analysis *a, int i,
                        const struct rn_param *row)
{
    char name[256], range[256];
    const struct rn_stage *stage = rn_chain_stage(chain, i);
    name_of(chain, i, rn_app_describe_is_switch(row) ? "on" : row->name, name, sizeof name);
    json_t *o = rn_app_json_make("name:t stage:i filter:t value:o range:t", name, i + 1,
                                 stage->desc->name, rn_app_describe_value(stage, row),
                                 rn_level_range(row, &a->stage[i].in, range, sizeof range));
    rn_app_describe_row(&o, stage, row);
    return o;
}

json_t *rn_play_parameter_list(const struct rn_chain *chain, const struct rn_analysis *a)
{
    json_t *list = json_array();
    for (int i = 0; i < rn_chain_count(chain); i++) {
        rn_app_json_append(
            &list, describe(chain, a, i, rn_stage_find(rn_chain_stage(chain, i), "enable")));
        const struct rn_stage *s = rn_chain_stage(chain, i);
        RN_EACH_PARAM (row, s)
            if (rn_stage_values(s, row) == s->params ||
                (s->region.kind && !rn_app_describe_is_switch(row)))
                rn_app_json_append(&list, describe(chain, a, i, row));
    }
    return list;
}
