#ifndef RN_INFO_H
#define RN_INFO_H

#include "app/cli.h"

extern const struct rn_command rn_command_info;

#endif
