/* runnel render INPUT OUTPUT: filter and write. */
#ifndef RN_APP_COMMANDS_RENDER_H
#define RN_APP_COMMANDS_RENDER_H

#include "app/cli.h"

extern const struct rn_app_command rn_app_command_render;

#endif
