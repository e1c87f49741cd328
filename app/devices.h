/* runnel devices: every OpenCL device */
#ifndef RN_DEVICES_H
#define RN_DEVICES_H

#include "app/cli.h"

extern const struct rn_command rn_command_devices;

#endif
