/* SPDX-License-Identifier: MIT */
/* The window's content: the pictures, and all that lies over them. */
#pragma once

#include <stdbool.h>

struct rn_play;

/* Whether drawing looks at samples of the frame on the screen: not only at what lies over pictures,
 * or at the same ones as they were drawn last. They have to be there. */
bool rn_play_needs_samples(const struct rn_play *p);

/* Draws everything anew. Returns 0 or an error (logged). */
int rn_play_draw(struct rn_play *p);
