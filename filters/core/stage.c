#include "filters/core/stage.h"

#include <stdlib.h>
#include <string.h>

#include "filters/core/err.h"
#include "filters/core/log.h"

const struct rn_stage_desc *rn_registry_find(const char *name)
{
    for (int i = 0; rn_registry[i]; i++)
        if (!strcmp(rn_registry[i]->name, name))
            return rn_registry[i];
    return NULL;
}

struct rn_stage *rn_stage_create(const struct rn_stage_desc *desc)
{
    struct rn_stage *stage = calloc(1, sizeof *stage);
    if (!stage)
        return NULL;
    stage->desc = desc;
    stage->on = true;
    stage->table = desc->params;
    stage->params_size = desc->params_size;
    stage->params = calloc(1, desc->params_size);
    stage->priv = calloc(1, desc->priv_size ? desc->priv_size : 1);
    if (!stage->params || !stage->priv) {
        rn_stage_destroy(&stage);
        return NULL;
    }
    rn_params_defaults(desc->params, stage->params);
    return stage;
}

void rn_stage_destroy(struct rn_stage **stage)
{
    struct rn_stage *s = *stage;
    if (!s)
        return;
    if (s->desc->destroy && s->priv)
        s->desc->destroy(s);
    free(s->label);
    free(s->params);
    free(s->priv);
    free(s);
    *stage = NULL;
}

int rn_stage_set(struct rn_stage *stage, const struct rn_param *row, const char *text)
{
    int err = rn_param_parse(row, stage->desc->name, text, stage->params);
    return err || !stage->desc->set ? err : stage->desc->set(stage, row);
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

int rn_stage_check(struct rn_stage *stage, const struct rn_geom *in)
{
    const struct rn_param *planes = rn_param_find(stage->table, "planes");
    stage->in = stage->out = *in;
    stage->margin = stage->delay = 0;
    stage->planes = rn_geom_all_planes(in);
    if (planes)
        stage->planes =
            rn_geom_planes(in, *(const int *)(const void *)((char *)stage->params + planes->off));
    stage->reads = 0;
    int err = stage->desc->check ? stage->desc->check(stage, &stage->in, &stage->out) : 0;
    stage->reads |= stage->planes;
    return err;
}
