/* A bounded first-in first-out queue of pointers between threads. Both ends may close it; the
 * reason travels in it. Lock order: a queue's lock is never held while another lock is taken. */
#ifndef RN_QUEUE_H
#define RN_QUEUE_H

struct rn_queue;

/* capacity: the most pointers it holds, >= 1. Returns NULL when out of memory. */
struct rn_queue *rn_queue_create(int capacity);

/* Destroys the queue and sets *q to NULL; what is still inside is not freed. NULL is legal.
 * No other thread may use the queue any more. */
void rn_queue_destroy(struct rn_queue **q);

/* Appends item, waiting for room. Returns 0, or RN_END if the queue is or gets closed (item is then
 * still the caller's). */
int rn_queue_push(struct rn_queue *q, void *item);

/* Takes the oldest item, waiting for one. Returns 0, or RN_END once the queue is closed and empty,
 * or was aborted. */
int rn_queue_pop(struct rn_queue *q, void **item);

/* No more items will come: pushes fail from now on, pops drain what is inside and then end. */
void rn_queue_close(struct rn_queue *q);

/* Everything ends at once: pushes and pops fail from now on. */
void rn_queue_abort(struct rn_queue *q);

#endif
