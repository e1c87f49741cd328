/* SPDX-License-Identifier: MIT */
/* A bounded first-in first-out queue of pointers between threads. Either end may close it. Lock
 * order: a queue's lock is never held while another lock is taken. */
#pragma once

struct rn_queue;

/* Makes a queue. capacity: the most pointers it holds, >= 1. batch: where one thread pops, it waits
 * for so many as long as they keep coming (rn_gather_wait); 1: for each. Returns NULL when out of
 * memory. */
struct rn_queue *rn_queue_create(int capacity, int batch);

/* Destroys the queue and sets *q to NULL; items still inside are not freed. NULL is legal. No other
 * thread may be using the queue. */
void rn_queue_destroy(struct rn_queue **q);

/* Appends item, waiting for room. Returns 0, or RN_END if the queue is closed, before or during the
 * wait; item then still belongs to the caller. */
int rn_queue_push(struct rn_queue *q, void *item);

/* Takes the oldest item, waiting for one. Returns 0, or RN_END once the queue is closed and empty,
 * or aborted. */
int rn_queue_pop(struct rn_queue *q, void **item);

/* Closes the queue: from now on pushes fail, and pops drain what is inside and then end. */
void rn_queue_close(struct rn_queue *q);

/* Aborts the queue: from now on pushes and pops fail. */
void rn_queue_abort(struct rn_queue *q);
