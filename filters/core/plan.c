#include "filters/core/plan.h"

#include <string.h>

static bool writes(const struct rn_stage *stage, int p)
{
    return stage->on && !stage->desc->result_bytes && (stage->planes >> p & 1);
}

/* Index of the last stage that writes plane p, -1 if there is none. */
static int last_writer(const struct rn_chain *chain, int p)
{
    int last = -1;
    for (int i = 0; i < chain->n; i++)
        if (writes(chain->stage[i], p))
            last = i;
    return last;
}

void rn_plan_make(struct rn_plan *plan, const struct rn_chain *chain)
{
    enum rn_place at[RN_MAX_PLANES] = {RN_IN, RN_IN, RN_IN, RN_IN};
    memset(plan, 0, sizeof *plan);
    for (int i = 0; i < chain->n; i++) {
        const struct rn_stage *stage = chain->stage[i];
        struct rn_step *step = &plan->step[i];
        memcpy(step->src, at, sizeof at);
        memcpy(step->dst, at, sizeof at);
        if (!stage->on)
            continue;
        plan->active = step->on = true;
        step->planes = stage->planes;
        for (int p = 0; p < RN_MAX_PLANES; p++) {
            if (at[p] == RN_IN && (stage->reads >> p & 1))
                plan->upload |= 1u << p;
            if (writes(stage, p))
                at[p] = i == last_writer(chain, p) ? RN_OUT : at[p] == RN_TMP0 ? RN_TMP1 : RN_TMP0;
        }
        memcpy(step->dst, at, sizeof at);
    }
    memcpy(plan->final, at, sizeof at);
    plan->upload &= rn_geom_all_planes(&chain->in);
}

int rn_plan_temporaries(const struct rn_chain *chain)
{
    int writers = 0;
    for (int i = 0; i < chain->n; i++)
        writers += !chain->stage[i]->desc->result_bytes;
    return writers > 2 ? 2 : writers > 1 ? 1 : 0;
}

void rn_plan_sizes(const struct rn_chain *chain, rn_plane_size_fn *size, const void *context,
                   size_t bytes[RN_MAX_PLANES])
{
    memset(bytes, 0, RN_MAX_PLANES * sizeof bytes[0]);
    for (int i = -1; i < chain->n; i++) {
        const struct rn_geom *geom = i < 0 ? &chain->in : &chain->stage[i]->out;
        for (int p = 0; p < rn_format_planes(&geom->fmt); p++) {
            size_t n = size(context, geom, p);
            bytes[p] = n > bytes[p] ? n : bytes[p];
        }
    }
}
