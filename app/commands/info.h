#ifndef RN_APP_COMMANDS_INFO_H
#define RN_APP_COMMANDS_INFO_H

#include "app/cli.h"

extern const struct rn_app_command rn_app_command_info;

#endif
