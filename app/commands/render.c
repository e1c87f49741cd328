/* SPDX-License-Identifier: MIT */
#include "app/commands/commands.h"

#include "app/commands/processes.h"
#include "app/run/run.h"

#include <stdlib.h>
#include <string.h>

static int render_run(const struct rn_app_cli *cli)
{
    int here = cli->parts.here ? cli->parts.here : cli->parts.resume;
    const char *output = cli->noperands ? cli->operand[cli->noperands - 1] : "";
    if (!cli->parts.plan && cli->parts.segment)
        return rn_fail(RN_EUSAGE, "--segment goes with --plan FILE");
    if (cli->parts.plan && cli->noperands)
        return rn_fail(RN_EUSAGE, "--plan FILE brings INPUT and OUTPUT");
    if (cli->parts.skip && (here || cli->parts.plan))
        return rn_fail(RN_EUSAGE, "--skip-complete goes with none of --segments, --resume, --plan");
    if (cli->progress && here)
        return rn_fail(RN_EUSAGE, "--progress is of one process, and segments are several");
    if (cli->parts.dir && !cli->parts.plan && !here)
        return rn_fail(RN_EUSAGE, "--dir goes with --plan FILE, --segments N or --resume");
    if (strstr(output, "{}") && !cli->parts.plan && !getenv(RN_OWNER))
        return rn_app_render_batch(cli);
    if (here && !cli->dry_run && !cli->parts.plan)
        return rn_app_render_segments_here(cli, here);
    return cli->parts.plan ? rn_app_render_segment(cli) : rn_app_run(cli, cli->operand[1], NULL);
}

const struct rn_app_command rn_app_command_render = {
    .name = "render",
    .operands = "INPUT... OUTPUT",
    .summary = "filter INPUT and write the result to OUTPUT",
    .options = RN_OPTIONS_FILTERS | RN_OPTIONS_PIPELINE | RN_OPTIONS_DEVICE | RN_OPTIONS_INPUT |
               RN_OPTIONS_ENCODE | RN_OPTIONS_OVERWRITE | RN_OPTIONS_REPORT | RN_OPTIONS_METRICS |
               RN_OPTIONS_GUARD | RN_OPTIONS_REPLAY | RN_OPTIONS_PART | RN_OPTIONS_DIR,
    .min_operands = 2,
    .max_operands = RN_MAX_OPERANDS,
    .run = render_run,
};
