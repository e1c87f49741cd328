/* runnel play INPUT: filter and show; keys tune the filters. */
#ifndef RN_APP_PLAY_LOOP_PLAY_H
#define RN_APP_PLAY_LOOP_PLAY_H

#include "app/cli.h"

extern const struct rn_app_command rn_play_command_play;

#endif
