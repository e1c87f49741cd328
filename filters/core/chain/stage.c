/* SPDX-License-Identifier: MIT */
#include "filters/core/chain/stage.h"

#include <assert.h>

#include "filters/base/arguments.h"
#include "filters/base/owned.h"
#include "filters/base/text/words.h"
#include "filters/core/chain/length.h"
#include "filters/core/chain/level.h"
#include "filters/core/chain/region_weights.h"

const struct rn_stage_desc *rn_registry_at(int i)
{
    for (int k = 0; k < i && rn_registry[k]; k++)
        if (!rn_registry[k + 1])
            return NULL;
    return i < 0 ? NULL : rn_registry[i];
}

const struct rn_stage_desc *rn_registry_find(const char *name)
{
    RN_NEED(NULL, "name", name);
    for (int i = 0; rn_registry[i]; i++)
        if (!strcmp(rn_registry[i]->name, name))
            return rn_registry[i];
    return NULL;
}

const struct rn_stage_desc *rn_registry_alias(const char *name)
{
    RN_NEED(NULL, "name", name);
    for (int i = 0; rn_registry[i]; i++)
        if (rn_word_is_listed(rn_registry[i]->aliases, ',', name, strlen(name), true))
            return rn_registry[i];
    return NULL;
}

static const char *const region_names[] = {"none", "rectangle", "ellipse", "mask", NULL};

const struct rn_param rn_stage_rows[] = {
    RN_P_ROW(RN_INT, "enable", "",
             "0 = off: the frames pass unchanged, in `play` until it is switched on",
             RN_OFF(struct rn_stage, on, int), 0, 1, 1, 1),
    RN_P_ROW(RN_CHOICE, "region", "", "where it filters; elsewhere the frames pass unchanged",
             RN_OFF_ENUM(struct rn_stage, region.kind), 0, 3, 1, RN_REGION_NONE,
             .choices = region_names),
    RN_P_ROW(RN_FLOAT, "rx", "%", "left edge of the rectangle or ellipse, of the frame's width",
             RN_OFF(struct rn_stage, region.x, float), -100, 100, 1, 25),
    RN_P_ROW(RN_FLOAT, "ry", "%", "its upper edge, of the frame's height",
             RN_OFF(struct rn_stage, region.y, float), -100, 100, 1, 25),
    RN_P_ROW(RN_FLOAT, "rw", "%", "its width, of the frame's",
             RN_OFF(struct rn_stage, region.w, float), 0, 300, 1, 50),
    RN_P_ROW(RN_FLOAT, "rh", "%", "its height, of the frame's",
             RN_OFF(struct rn_stage, region.h, float), 0, 300, 1, 50),
    RN_P_ROW(RN_FLOAT, "feather", "px", "how far within its edge the filter reaches full strength",
             RN_OFF(struct rn_stage, region.feather, float), 0, 1000, 1, 0),
    RN_P_TEXT_ROW("mask",
                  "binary PGM (P5) of the frame's size: white filters, black does not, gray mixes",
                  RN_OFF(struct rn_stage, region.mask, const char *), "", RN_FILE_PGM,
                  .contents = RN_OFF(struct rn_stage, region.pgm, const char *)),
    RN_P_END,
};

const char *rn_stage_name(const struct rn_stage *stage)
{
    RN_NEED("", "stage", stage);
    return stage->label ? stage->label : stage->desc->name;
}

const struct rn_param *rn_stage_row(const struct rn_stage *stage, int i)
{
    RN_NEED(NULL, "stage", stage);
    int own = 0;
    while (stage->table[own].name && own < i)
        own++;
    return i >= 0 && stage->table[own].name ? &stage->table[own]
                                            : rn_param_at(rn_stage_rows, i - own);
}

const struct rn_param *rn_stage_find(const struct rn_stage *stage, const char *name)
{
    RN_NEED(NULL, "stage name", stage, name);
    const struct rn_param *row = rn_param_find(stage->table, name);
    return row ? row : rn_param_find(rn_stage_rows, name);
}

void *rn_stage_values(const struct rn_stage *stage, const struct rn_param *row)
{
    RN_NEED(NULL, "stage row", stage, row);
    bool common = false;
    for (const struct rn_param *of_all = rn_stage_rows; of_all->name; of_all++)
        common |= row == of_all;
    return common ? (void *)(size_t)stage : stage->params;
}

struct rn_stage *rn_stage_create(const struct rn_stage_desc *desc)
{
    RN_NEED(NULL, "desc", desc);
    assert(desc->params_size);
    RN_OWNED(rn_stage_destroy) struct rn_stage *stage = calloc(1, sizeof *stage);
    if (!stage)
        return NULL;
    *stage = (struct rn_stage){.desc = desc, .table = desc->params};
    if (!(stage->params = calloc(1, desc->params_size)))
        return NULL;
    rn_params_defaults(desc->params, stage->params);
    rn_params_defaults(rn_stage_rows, stage);
    return rn_take_owned(&stage);
}

struct rn_stage *rn_stage_copy(const struct rn_stage *from)
{
    RN_NEED(NULL, "stage", from);
    struct rn_stage *stage = rn_stage_create(from->desc);
    if (!stage)
        return NULL;
    stage->on = from->on;
    stage->region = from->region;
    stage->table = from->table;
    stage->named_by = from->named_by;
    memcpy(stage->params, from->params, from->desc->params_size);
    if (from->label && !(stage->label = strdup(from->label)))
        rn_stage_destroy(&stage);
    return stage;
}

void rn_stage_destroy(struct rn_stage **stage)
{
    RN_NEED(, "stage", stage);
    if (!*stage)
        return;
    free((*stage)->label);
    free((*stage)->params);
    free(*stage);
    *stage = NULL;
}

static _Thread_local const char *origin; /* of values */
static bool all_code_is_allowed;

void rn_stage_allow_all_code(void)
{
    all_code_is_allowed = true;
}

const char *rn_stage_origin(const char *name)
{
    const char *before = origin;
    origin = name;
    return before;
}

static int set(struct rn_stage *stage, const struct rn_param *row, const char *text)
{
    size_t size = stage->desc->params_size;
    void *values = rn_stage_values(stage, row);
    if (!stage->desc->reload || row->type != RN_TEXT || values != stage->params)
        return rn_param_parse(row, stage->desc->name, text, values);
    void *before = malloc(size);
    if (!before)
        return rn_fail_memory();
    memcpy(before, stage->params, size);
    int err = rn_param_parse(row, stage->desc->name, text, stage->params);
    err = err ? err : stage->desc->reload->declare(stage, row);
    if (err)
        memcpy(stage->params, before, size);
    free(before);
    return err;
}

int rn_stage_set(struct rn_stage *stage, const struct rn_param *row, const char *text)
{
    RN_NEED(RN_EUSAGE, "stage row text", stage, row, text);
    int err = set(stage, row, text);
    if (!err && row->file == RN_FILE_RUN && origin && !all_code_is_allowed)
        stage->named_by = origin;
    return err;
}

int rn_stage_check_code(const struct rn_stage *stage)
{
    RN_NEED(RN_EUSAGE, "stage", stage);
    for (const struct rn_param *row = stage->table; row->name && stage->named_by; row++)
        if (row->file == RN_FILE_RUN && *rn_param_text(row, stage->params))
            return rn_fail(RN_EUSAGE,
                           "'%s' names code to run, '%s': if that is meant, add --allow-code",
                           stage->named_by, rn_param_text(row, stage->params));
    return 0;
}

int rn_stage_check_slices(const struct rn_stage *stage, int slices, enum rn_border border)
{
    return slices && border == RN_WRAP
               ? rn_fail(RN_EUSAGE,
                         "%s: border=wrap would need the last frame before the first; with slices "
                         "take clamp, zero or mirror",
                         stage->desc->name)
               : 0;
}

int rn_stage_check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    int err = rn_stage_check_code(stage);
    const struct rn_param *row;
    for (row = stage->table; row->name && !err; row++)
        if ((err = rn_level_check(row, stage->desc->name, stage->params, in)) == 0)
            err = rn_length_check(row, stage->desc->name, stage->params, in);
    if (err)
        return err;
    row = rn_param_find(stage->table, "planes");
    *traits = (struct rn_traits){.out = *in};
    traits->planes =
        row ? rn_geom_planes(in, rn_param_int(row, stage->params)) : rn_geom_all_planes(in);
    err = stage->desc->check ? stage->desc->check(stage, in, traits) : 0;
    traits->reads |= traits->planes;
    if (err || !stage->region.kind)
        return err;
    if (stage->desc->measuring || !rn_format_equal(&in->fmt, &traits->out.fmt) ||
        in->w != traits->out.w || in->h != traits->out.h)
        return rn_fail(RN_EUSAGE,
                       "%s: a region limits only filters whose output has the input's "
                       "format and size",
                       stage->desc->name);
    return rn_region_check(&stage->region, stage->desc->name, in);
}
