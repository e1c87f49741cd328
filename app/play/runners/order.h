/* Runners to order: one is opened, and its kernels built, in the worker's thread, while whoever
 * ordered it goes on with what there is. But for the first one and that of another input
 * (opening.h), no runner of the preview is opened in another way. All functions belong to the
 * player's thread. */
#ifndef RN_APP_PLAY_RUNNERS_ORDER_H
#define RN_APP_PLAY_RUNNERS_ORDER_H

#include "app/play/runners/worker.h"
#include "app/run/session.h"

struct rn_play_order;

/* Orders what was prepared by the session (rn_app_session_prepare_beside), and takes it over.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_play_order(struct rn_play_order **order, struct rn_play_worker *worker,
                  struct rn_app_beside *prepared);

/* Whether it waits to be taken: NULL: no. */
bool rn_play_order_is_ready(const struct rn_play_order *order);

/* Takes what is ready; *order becomes NULL. Returns 0, or the error of the opening, which was
 * logged, and is in why: there is no runner then. made: the caller's, in any case. */
int rn_play_order_take(struct rn_play_order **order, struct rn_app_beside *made,
                       char why[RN_WORKER_WHY]);

/* It is not wanted any more. *order becomes NULL, and may be NULL before. */
void rn_play_order_cancel(struct rn_play_order **order);

/* "building kernels: erosion, stats". Returns buf. */
const char *rn_play_order_name(const struct rn_chain *chain, char *buf, size_t size);

#endif
