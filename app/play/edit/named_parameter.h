/* SPDX-License-Identifier: MIT */
/* Parameters of the chain by name, for scripts: STAGE.PARAM. STAGE is the label of a stage, its
 * name, or its place from 1 on. Every stage has `on` as one more parameter. */
#pragma once

#include "app/play/remote/request.h"
#include "filters/core/chain/chain.h"

/* Returns the stage that a text names, from 0, or -1 with the reason in why. */
int rn_play_parameter_stage(const struct rn_chain *chain, const char *text, char why[RN_PLAY_WHY]);

/* Finds a parameter by name. row: of the stage's table, or of the parameters that every stage has.
 * Returns whether it exists. */
bool rn_play_parameter_find(const struct rn_chain *chain, const char *name, int *stage,
                            const struct rn_param **row, char why[RN_PLAY_WHY]);

/* Sets it in a draft that nothing uses yet. Returns whether the value is legal there. */
bool rn_play_parameter_set(struct rn_chain *draft, int stage, const struct rn_param *row,
                           const json_t *value, char why[RN_PLAY_WHY]);

/* Lists all parameters: an array of objects with name, stage (from 1), filter, type (int, float,
 * choice, text, bool), unit, help, fixed, default, value and range (for people). Numbers also have
 * min, max and step, choices their choices. analysis: of the chain. NULL: out of memory. */
json_t *rn_play_parameter_list(const struct rn_chain *chain, const struct rn_analysis *analysis);

/* Writes why a name is unknown, with the nearest of names (NULL ends them):
 * what 'name' (did you mean 'near'?)rest */
void rn_play_unknown(char why[RN_PLAY_WHY], const char *what, const char *name,
                     const char *const *names, const char *rest);
