#include "app/cli.h"
#include "app/commands/commands.h"
#include "app/play/loop/play.h"
#include "app/process/restart.h"
#include "app/process/standard_io.h"
#include "app/process/terminal.h"
#include "filters/base/err.h"
#include "io/dicom/worker.h"
#include "io/volumes/mat/mat_worker.h"

#include <sys/prctl.h>

static const struct rn_app_command *const commands[] = {
    &rn_app_command_render, &rn_play_command_play,   &rn_app_command_stats,   &rn_app_command_info,
    &rn_app_command_bench,  &rn_app_command_devices, &rn_app_command_filters, NULL,
};

int main(int argc, char **argv)
{
    struct rn_app_cli cli;
    int status;
    if (rn_dicom_worker_main(argc, argv, &status) || rn_vol_mat_worker_main(argc, argv, &status))
        return status;
    rn_app_restart_prepare(argc, argv);
    prctl(PR_SET_NAME, "runnel"); /* not runnel-media, which front.c executed */
    rn_app_standard_io_open();
    rn_app_terminal_open();
    int err = rn_app_cli_parse(&cli, commands, argc, argv);
    if (err == 0) {
        rn_log_set_level(cli.level);
        rn_outfile_set_policy(cli.overwrite);
        err = cli.command->run(&cli);
    } else if (err == RN_END) {
        err = 0;
    }
    return -rn_app_standard_io_close(err);
}
