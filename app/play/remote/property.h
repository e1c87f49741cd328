/* What scripts can look at and change besides the parameters of the chain, each by a name: pause,
 * time-pos, chain ... */
#ifndef RN_APP_PLAY_REMOTE_PROPERTY_H
#define RN_APP_PLAY_REMOTE_PROPERTY_H

#include <jansson.h>

#include "app/play/remote/request.h"

struct rn_chain;
struct rn_play;

/* The value of a property or a parameter. NULL: there is none of that name; why says so. */
json_t *rn_play_property_get(struct rn_play *p, const char *name, char why[RN_PLAY_WHY]);

/* Sets one. *done: whether it was; if not, why says why. Returns 0, or an error that ends all
 * (logged). */
int rn_play_property_set(struct rn_play *p, const char *name, const json_t *value, bool *done,
                         char why[RN_PLAY_WHY]);

/* Their names, help and whether they can be set: an array of objects. NULL: out of memory. */
json_t *rn_play_property_list(void);

/* Goes to other settings by one change; as rn_play_property_set. */
int rn_play_property_adopt(struct rn_play *p, const struct rn_chain *there, bool *done,
                           char why[RN_PLAY_WHY]);

/* What `stats` measures of the picture on the screen, plane by plane, with frame, time, fps and
 * dropped. null: there is no picture now. NULL: out of memory. */
json_t *rn_play_property_stats(struct rn_play *p);

#endif
