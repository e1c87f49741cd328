/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/cli.h"

/* `render INPUT... OUTPUT`, with {} in OUTPUT: each input in turn, by a process of its own. The
 * status is that of the first one that failed. */
int rn_app_render_batch(const struct rn_app_cli *cli);

/* `render --plan FILE --segment I/N`. Returns as rn_app_run does. */
int rn_app_render_segment(const struct rn_app_cli *cli);

/* `render --segments N`: renders N segments by as many processes of this host, and joins them. Goes
 * on where an earlier one was cut off. Returns likewise. */
int rn_app_render_segments_here(const struct rn_app_cli *cli, int n);
