/* SPDX-License-Identifier: MIT */
/* Tells of filters and their parameters in JSON, for scripts, documents and completion. Values are
 * NULL when out of memory. */
#pragma once

#include "app/run/json.h"
#include "filters/core/chain/stage.h"

/* Whether it is the row `enable`, which is true or false. */
bool rn_app_describe_is_switch(const struct rn_param *row);

/* The value in a stage: a number, true or false, else a text as in a chain (also a number with a
 * unit). */
json_t *rn_app_describe_value(const struct rn_stage *stage, const struct rn_param *row);

/* Adds type (int, float, choice, text, bool), unit, help, fixed and default; of numbers min, max
 * and step, of choices their choices. */
void rn_app_describe_row(struct rn_app_json_object *o, const struct rn_stage *stage,
                         const struct rn_param *row);

/* Prints all filters, or the one with this name, to stdout: {"schema": 1, "filters": [{name, help,
 * about, aliases, parameters: [{name, ...}]}]}. Returns 0 or an error (logged). */
int rn_app_describe_filters(const struct rn_stage_desc *only);
