/* Readouts of samples: those under the pointer (probe.h) and those of a region (region.h), drawn
 * and copied. */
#ifndef RN_APP_PLAY_VIEW_READOUT_H
#define RN_APP_PLAY_VIEW_READOUT_H

#include <stdbool.h>
#include <stddef.h>

struct rn_ui_event;
struct rn_play;
struct rn_ui_scene;
struct rn_ui_scene_region;

/* Sets the position of the pointer. Returns whether it is another sample than before. */
bool rn_play_point(struct rn_play *p, const struct rn_ui_event *event);

/* Writes the samples under the pointer into buf, of RN_PROBE_TEXT bytes. Returns false if nothing
 * is pointed at. A frame must be shown. */
bool rn_play_tell_samples(const struct rn_play *p, char *buf, size_t size);

/* Begins a region at the pointer, moves its other corner there, or ends it, as the event says. */
void rn_play_measure(struct rn_play *p, const struct rn_ui_event *event);

/* Measures the region, if there is one, fills `to` and adds it to the scene. A frame must be shown,
 * filtered with the current parameters. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_show_region(struct rn_play *p, struct rn_ui_scene *scene,
                        struct rn_ui_scene_region *to);

#endif
