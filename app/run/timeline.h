/* The values of a chain's parameters over time: every frame has a state.
 *
 * A state is a JSON array with an object {NAME:TEXT,...} per stage, the rows of every stage
 * ("enable") included, fixed rows left out. One thread at a time. */
#ifndef RN_APP_RUN_TIMELINE_H
#define RN_APP_RUN_TIMELINE_H

#include <jansson.h>

#include "filters/core/chain/chain.h"

#define RN_TIMELINE_END INT64_MAX /* as the last frame: all that follow */

/* The state from a frame on, to the next point. */
struct rn_app_point {
    int64_t frame;
    json_t *state; /* owned */
};

/* Neighbouring points have different states; the first is at frame 0. */
struct rn_app_timeline {
    struct rn_app_point *point;
    size_t n, room;
};

/* What the parameters of chain are now; the caller releases it. NULL (logged) when out of memory.
 */
json_t *rn_app_timeline_state(const struct rn_chain *chain);

/* Begins a timeline: all frames have this state. Returns 0 or RN_EINTERNAL (logged). */
int rn_app_timeline_begin(struct rn_app_timeline *timeline, json_t *state);
void rn_app_timeline_free(struct rn_app_timeline *timeline);

/* The state of a frame, >= 0; borrowed. */
json_t *rn_app_timeline_at(const struct rn_app_timeline *timeline, int64_t frame);

/* Do the frames first to last all have this state? */
bool rn_app_timeline_has(const struct rn_app_timeline *timeline, int64_t first, int64_t last,
                         json_t *state);

/* Gives the frames first to last this state; all others keep theirs. Returns 0 or RN_EINTERNAL
 * (logged). */
int rn_app_timeline_set(struct rn_app_timeline *timeline, int64_t first, int64_t last,
                        json_t *state);

#endif
