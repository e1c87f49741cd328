/* SPDX-License-Identifier: MIT */
/* runnel play INPUT: filter and show; keys tune the filters. */
#pragma once

#include "app/cli.h"

extern const struct rn_app_command rn_play_command_play;
