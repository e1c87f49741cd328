#include "app/cli.h"
#include "app/devices.h"
#include "app/filters.h"
#include "app/play.h"
#include "app/render.h"
#include "app/signals.h"
#include "app/stats.h"
#include "filters/core/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct rn_command *const commands[] = {
    &rn_command_render,  &rn_command_play,    &rn_command_stats,
    &rn_command_devices, &rn_command_filters, NULL,
};

int main(int argc, char **argv)
{
    struct rn_cli cli;
    rn_signals_prepare();
    int err = rn_cli_parse(&cli, commands, argc, argv);
    if (err == 0) {
        rn_log_set_level(cli.level);
        rn_outfile_set_policy(cli.overwrite);
        err = cli.command->run(&cli);
    } else if (err == RN_END) {
        err = 0;
    }
    if ((fflush(stdout) != 0 || ferror(stdout)) && err == 0) {
        err = RN_EOUTPUT;
        if (errno != EPIPE) /* a reader that has seen enough needs no message */
            rn_fail(err, "cannot write to stdout: %s", strerror(errno));
    }
    return -err;
}
