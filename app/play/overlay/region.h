/* SPDX-License-Identifier: MIT */
/* Statistics of a region of the picture: mean, standard deviation, minimum, maximum and a histogram
 * of every plane, before and after the chain. They are measured as `stats` measures whole planes
 * (filters/parts/measure.h): sums of integers are exact, values are in the input's unit if it has a
 * rescale slope, NaN does not count. */
#pragma once

#include "filters/core/runner/runner.h"
#include "filters/parts/measure.h"

struct rn_play;
struct rn_play_region;
struct rn_ui_event;
struct rn_ui_scene;
struct rn_ui_scene_region;

/* Whether there is a region; whether it is to be measured; removes it. */
bool rn_play_region_is_on(const struct rn_play_region *region);
bool rn_play_region_needs_samples(const struct rn_play_region *region);
void rn_play_region_clear(struct rn_play_region *region);

/* The picture has changed. */
void rn_play_region_outdate(struct rn_play_region *region);

/* Begins a region of one pixel at the pointer, moves its other corner there, or ends it, as the
 * event says. */
void rn_play_region_act(struct rn_play *p, const struct rn_ui_event *event);

/* Whether drags set the region of the selected stage instead; begins or ends that; sets it, and
 * returns 0 or an error that ends the player (logged). */
bool rn_play_region_limits(const struct rn_play_region *region);
void rn_play_region_toggle_limit(struct rn_play *p);
int rn_play_region_limit(struct rn_play *p, const struct rn_ui_event *event);

/* Fills `to` with the outline of the region of the selected stage and adds it to the scene, while
 * drags set it, or beside the panel. */
void rn_play_region_outline(struct rn_play *p, struct rn_ui_scene *scene,
                            struct rn_ui_scene_region *to);

/* Measures the region unless that was done. slot: was waited for. Of a subsampled plane the samples
 * that cover the region count. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_region_measure(struct rn_play_region *region, const struct rn_slot *slot);

/* Measures the region, if there is one, fills `to` and adds it to the scene. A frame must be shown,
 * filtered with the current parameters. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_region_show(struct rn_play *p, struct rn_ui_scene *scene,
                        struct rn_ui_scene_region *to);

/* After rn_play_region_measure: writes the table and the histograms, cells separated by \t, for
 * each bin the value it begins at and its samples. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_region_write(const struct rn_play_region *region, FILE *f);

/* Measures the whole of plane p. to: without a histogram. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_region_measure_whole(struct rn_measure *to, const struct rn_image *img, int p);
