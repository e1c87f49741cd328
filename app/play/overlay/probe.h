/* SPDX-License-Identifier: MIT */
/* Values of the samples under the pointer, before and after the chain, as they are stored and in
 * the input's unit. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define RN_PROBE_TEXT 2048 /* bytes of the texts below */

struct rn_play;
struct rn_play_probe;
struct rn_ui_event;

/* Shows the values on the screen, or not; whether they are shown. */
void rn_play_toggle_probe(struct rn_play *p);
bool rn_play_probe_is_on(const struct rn_play_probe *probe);

/* Sets the position of the pointer, and redraws values that it changes. */
void rn_play_point(struct rn_play *p, const struct rn_ui_event *event);

/* Writes the samples under the pointer, one line per plane: name, before, after, separated by \t. A
 * subsampled plane gives the sample that covers the pixel. Returns false if the pointer is on no
 * picture. A frame must be shown. */
bool rn_play_describe_samples(const struct rn_play *p, char *buf, size_t size);

/* The same for the cross of three views. */
void rn_play_describe_cross(const struct rn_play *p, char *buf, size_t size);
