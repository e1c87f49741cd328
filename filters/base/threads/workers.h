/* Threads that work on the pieces of an output, which come back in the order in which they were
 * handed in. What is under way at once is bounded. One thread, the owner, calls all of this. */
#ifndef RN_FILTERS_BASE_THREADS_WORKERS_H
#define RN_FILTERS_BASE_THREADS_WORKERS_H

#include <stdbool.h>

struct rn_workers;

/* Works on one piece, in any thread. What goes wrong stays in the piece, for the owner to say. */
typedef void rn_work_fn(void *piece);

/* threads: the most that run, >= 1. They are started as work comes; with one, or where the system
 * gives none, the owner works itself, in rn_workers_push. room: the most pieces under way, >= 1.
 * Returns NULL when out of memory. */
struct rn_workers *rn_workers_create(int threads, int room, rn_work_fn *work);

/* Waits for pieces that are being worked on, leaves out all others, ends the threads, and sets *w
 * to NULL; NULL is legal. The pieces are the owner's. */
void rn_workers_destroy(struct rn_workers **w);

/* Are as many pieces under way as there is room for? */
bool rn_workers_are_full(const struct rn_workers *w);

/* Hands in a piece, which nobody else touches until it is popped. There has to be room for it. */
void rn_workers_push(struct rn_workers *w, void *piece);

/* Takes the oldest piece back once the work on it is done: waits for that, or returns NULL. NULL
 * too if none is under way. */
void *rn_workers_pop(struct rn_workers *w, bool wait);

#endif
