/* runnel devices: every OpenCL device */
#ifndef RN_APP_COMMANDS_DEVICES_H
#define RN_APP_COMMANDS_DEVICES_H

#include "app/cli.h"

extern const struct rn_app_command rn_app_command_devices;

#endif
