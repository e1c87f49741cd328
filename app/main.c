/* SPDX-License-Identifier: MIT */
#include "app/commands/commands.h"
#include "app/process/terminal.h"
#include "app/help/help.h"
#include "filters/core/chain/import.h"
#include "io/dicom/worker.h"
#include "app/onnx/onnx.h"
#include "io/process/child.h"
#include "io/volumes/mat/mat_worker.h"

#include <string.h>
#include <sys/prctl.h>

#pragma weak rn_play_command_play /* NULL in the half without a window */

static const struct rn_app_command *const all[] = {
    &rn_app_command_render,  &rn_play_command_play,  &rn_app_command_stats,
    &rn_app_command_info,    &rn_app_command_bench,  &rn_app_command_devices,
    &rn_app_command_filters, &rn_app_command_schema, &rn_app_command_plan,
    &rn_app_command_join,    &rn_app_command_learn,
};
#define N_ALL (sizeof all / sizeof *all)

/* The main function of both halves of the program, runnel-media.so and runnel-play.so: front.c. */
int rn_app_half_main(int argc, char **argv);

int rn_app_half_main(int argc, char **argv)
{
    const struct rn_app_command *commands[N_ALL + 1] = {NULL};
    static struct rn_app_cli cli; /* as in front.c */
    for (size_t i = 0, n = 0; i < N_ALL; i++)
        if (all[i])
            commands[n++] = all[i];
    if (*rn_io_child_own_program())
        rn_dicom_worker_set_program(rn_io_child_own_program());
    rn_vol_mat_worker_allow();
    rn_param_set_import(rn_onnx_import);
    rn_app_process_follow_owner();
    prctl(PR_SET_NAME, "runnel"); /* not "exe", where the program has started itself */
    rn_app_standard_io_open();
    rn_app_terminal_open();
    bool completes = argc > 2 && !strcmp(argv[1], "complete") && !strcmp(argv[2], "--");
    if (completes)
        rn_log_set_level(RN_LOG_QUIET);
    int err = completes ? rn_app_complete(commands, argc - 3, argv + 3)
                        : rn_app_cli_parse(&cli, commands, argc, argv);
    if (err == 0 && !completes) {
        rn_log_set_level(cli.level);
        rn_outfile_set_policy(cli.overwrite);
        if (cli.dry_run)
            rn_outfile_set_ask(rn_app_terminal_foretell);
        err = cli.command->run(&cli);
    } else if (err == RN_END) {
        err = 0;
    }
    return -rn_app_standard_io_close(err);
}
