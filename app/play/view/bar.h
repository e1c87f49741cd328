/* SPDX-License-Identifier: MIT */
/* The seek bar of the preview: its content, and seeks from it. */
#pragma once

struct rn_play;
struct rn_play_bar;
struct rn_ui_event;
struct rn_ui_scene_bar;

/* The current bar. NULL: the input cannot seek, has no known length, or is a single picture. Valid
 * until the next call. */
const struct rn_ui_scene_bar *rn_play_bar(struct rn_play *p);

/* Shows the bar always, or only where the pointer is near; does what an event of the bar asks
 * for. */
void rn_play_bar_toggle(struct rn_play *p);
void rn_play_bar_act(struct rn_play *p, const struct rn_ui_event *event);

/* Redraws the bar when a thumbnail for it has arrived. */
void rn_play_bar_poll(struct rn_play *p);
