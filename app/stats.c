#include "app/stats.h"

#include "app/run.h"
#include "filters/core/err.h"

#include <string.h>

#define STAGE "stats"

static int set_param(struct rn_stage *stage, const char *name, const char *text)
{
    const struct rn_param *row = rn_param_find(stage->desc->params, name);
    if (!row)
        return rn_fail(RN_EINTERNAL, "the stage %s has no parameter %s", STAGE, name);
    return rn_param_parse(row, STAGE, text, stage->params);
}

static bool has_file(const struct rn_stage *stage)
{
    const struct rn_param *row = rn_param_find(stage->desc->params, "file");
    return row && !rn_param_is_default(row, stage->params);
}

/* The measuring stage at the end of the chain: the user's own, else one that is appended. */
static int amend_chain(struct rn_chain *chain, const struct rn_cli *cli)
{
    struct rn_stage *stage = chain->n > 0 ? chain->stage[chain->n - 1] : NULL;
    if (!stage || strcmp(stage->desc->name, STAGE) != 0)
        stage = rn_chain_append(chain, STAGE);
    if (!stage)
        return RN_EUSAGE;
    int err = 0;
    if (!has_file(stage))
        err = set_param(stage, "file", "-");
    if (!err && cli->p)
        err = set_param(stage, "p", cli->p);
    return err;
}

static int stats_run(const struct rn_cli *cli)
{
    return rn_run(cli, "null:", amend_chain);
}

const struct rn_command rn_command_stats = {
    .name = "stats",
    .operands = "INPUT",
    .summary = "measure every frame of INPUT: CSV on stdout",
    .options = RN_OPTIONS_FILTERS | RN_OPTIONS_PIPELINE | RN_OPTIONS_STATS | RN_OPTIONS_DEVICE |
               RN_OPTIONS_INPUT | RN_OPTIONS_OVERWRITE | RN_OPTIONS_REPORT,
    .min_operands = 1,
    .max_operands = 1,
    .about =
        RN_ABOUT_INPUT "\n"
                       "The columns, one line per frame and plane, measured after the filters:\n"
                       "  frame,time,plane,mean,variance,min,max,l1,l2,lp,linf,entropy,dot_prev,\n"
                       "  ncc_prev (the last two, against the frame before, are empty at first)\n",
    .examples = "  runnel stats clip.mp4 > clip.csv\n"
                "  runnel stats 'slices/*.png' -f closing=radius=1 --p 3 > norms.csv\n"
                "  runnel stats clip.mp4 --from 1:00 --frames 100 -q | column -s, -t\n",
    .status = RN_STATUS_STREAM,
    .run = stats_run,
};
