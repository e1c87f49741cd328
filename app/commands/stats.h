/* runnel stats INPUT: measure every frame, CSV on stdout */
#ifndef RN_APP_COMMANDS_STATS_H
#define RN_APP_COMMANDS_STATS_H

#include "app/cli.h"

extern const struct rn_app_command rn_app_command_stats;

#endif
