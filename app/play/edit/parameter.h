/* The parameters of the chain by names, as scripts call them: STAGE.PARAM. STAGE is the label of a
 * stage, its name, or its place from 1 on; `on` is one more parameter of each. */
#ifndef RN_APP_PLAY_EDIT_PARAMETER_H
#define RN_APP_PLAY_EDIT_PARAMETER_H

#include <jansson.h>

#include "app/play/remote/request.h"
#include "filters/core/chain/chain.h"

/* The stage that a text names, from 0; -1: none, and why says so. */
int rn_play_parameter_stage(const struct rn_chain *chain, const char *text, char why[RN_PLAY_WHY]);

/* Finds one by its name; row: of its stage, one of those of every stage included. Returns whether
 * there is one. */
bool rn_play_parameter_find(const struct rn_chain *chain, const char *name, int *stage,
                            const struct rn_param **row, char why[RN_PLAY_WHY]);

/* Its value: a number, true or false for `on`, else a text as in a chain (also a number with a
 * unit). NULL: out of memory. */
json_t *rn_play_parameter_value(const struct rn_stage *stage, const struct rn_param *row);

/* Sets it, in a chain whose settings are no-one's yet. Returns whether the value is legal there. */
bool rn_play_parameter_set(struct rn_chain *draft, int stage, const struct rn_param *row,
                           const json_t *value, char why[RN_PLAY_WHY]);

/* All of them: an array of objects with name, stage (from 1), filter, type (int, float, choice,
 * text, bool), unit, help, fixed, default, value, range (as people read it) and, of numbers, min,
 * max and step, of choices the choices. analysis: of the chain. NULL: out of memory. */
json_t *rn_play_parameter_list(const struct rn_chain *chain, const struct rn_analysis *analysis);

#endif
