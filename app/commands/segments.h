/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cli.h"

/* `render --plan FILE --segment I/N`. Returns as rn_app_run does. */
int rn_app_render_segment(const struct rn_app_cli *cli);
