/* SPDX-License-Identifier: MIT */
#include "app/help/help.h"

#include "filters/base/owned.h"
#include "filters/base/text/number.h"

#include <math.h>

#define MAX_TEXT 1024 /* bytes of a value */

bool rn_app_describe_is_switch(const struct rn_param *row)
{
    return !strcmp(row->name, "enable");
}

json_t *rn_app_describe_value(const struct rn_stage *stage, const struct rn_param *row)
{
    const void *values = rn_stage_values(stage, row);
    char text[MAX_TEXT];
    if (rn_app_describe_is_switch(row))
        return json_boolean(rn_param_int(row, values));
    rn_param_format(row, values, text, sizeof text);
    char *end;
    double v = rn_number_parse(text, &end);
    if (row->type == RN_CHOICE || row->type == RN_TEXT || end == text || *end || !isfinite(v))
        return rn_app_json_text(text);
    return row->type == RN_INT ? json_integer((json_int_t)v) : json_real(v);
}

void rn_app_describe_row(json_t **o, const struct rn_stage *stage, const struct rn_param *row)
{
    static const char *const names[] = {
        [RN_INT] = "int", [RN_FLOAT] = "float", [RN_CHOICE] = "choice", [RN_TEXT] = "text"};
    bool is_switch = rn_app_describe_is_switch(row);
    RN_OWNED(rn_stage_destroy) struct rn_stage *usual = rn_stage_copy(stage);
    if (usual)
        rn_param_reset(row, rn_stage_values(usual, row));
    rn_app_json_fill(o, "type:t unit:t help:t fixed:b default:o",
                     is_switch ? "bool" : names[row->type], row->unit, row->help, row->fixed,
                     usual ? rn_app_describe_value(usual, row) : NULL);
    if (row->type == RN_CHOICE && !is_switch) {
        json_t *choices = json_array();
        for (int k = 0; k <= (int)row->max; k++)
            rn_app_json_append(&choices, json_string(row->choices[k]));
        rn_app_json_put(o, "choices", choices);
    }
    if (row->type == RN_INT || row->type == RN_FLOAT)
        rn_app_json_fill(o, "min:f max:f step:f", row->min, row->max, row->step);
}

static json_t *parted(const char *text) /* by ", " */
{
    json_t *list = json_array();
    while (text && *text) {
        size_t n = strcspn(text, ",");
        rn_app_json_append(&list, json_stringn(text, n));
        text += n;
        text += strspn(text, ", ");
    }
    return list;
}

static json_t *filter_record(const struct rn_stage_desc *desc)
{
    RN_OWNED(rn_stage_destroy) struct rn_stage *stage = rn_stage_create(desc);
    if (!stage)
        return NULL;
    json_t *rows = json_array();
    RN_EACH_PARAM (row, stage) {
        json_t *o = rn_app_json_make("name:t", row->name);
        rn_app_describe_row(&o, stage, row);
        rn_app_json_append(&rows, o);
    }
    return rn_app_json_make("name:t help:t about:t aliases:o parameters:o", desc->name, desc->help,
                            desc->about, parted(desc->aliases), rows);
}

int rn_app_describe_filters(const struct rn_stage_desc *only)
{
    json_t *list = json_array();
    for (int i = 0; rn_registry[i]; i++)
        if (!only || rn_registry[i] == only)
            rn_app_json_append(&list, filter_record(rn_registry[i]));
    return rn_app_json_write(rn_app_json_make("schema:i filters:o", 1, list), NULL);
}
