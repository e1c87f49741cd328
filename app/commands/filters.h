/* runnel filters [NAME]: every filter, or every parameter of one */
#ifndef RN_APP_COMMANDS_FILTERS_H
#define RN_APP_COMMANDS_FILTERS_H

#include "app/cli.h"

extern const struct rn_app_command rn_app_command_filters;

#endif
