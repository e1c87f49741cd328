/* SPDX-License-Identifier: MIT */
/* A pool of threads that work on the pieces of an input or an output. Pieces come back in the order
 * in which they were handed in, and their number at work is bounded. One thread, the owner, makes
 * all calls. */
#pragma once

#include <stdbool.h>

struct rn_workers;

/* Works on one piece, in any thread. Errors stay in the piece, for the owner to report. */
typedef void rn_work_fn(void *piece);

/* Makes a pool. threads: the most that run, >= 1. They are started as work comes; with one, or
 * where the system gives none, the owner works itself, in rn_workers_push. room: the most pieces
 * under way, >= 1. Returns NULL when out of memory. */
struct rn_workers *rn_workers_create(int threads, int room, rn_work_fn *work);

/* Waits for pieces at work, skips all others, ends the threads, and sets *w to NULL; NULL is legal.
 * The pieces stay the owner's. */
void rn_workers_destroy(struct rn_workers **w);

/* Whether as many pieces are under way as there is room for. */
bool rn_workers_are_full(const struct rn_workers *w);

/* Hands in a piece, which its owner leaves alone until it is popped. There must be room for it. */
void rn_workers_push(struct rn_workers *w, void *piece);

/* Takes the oldest piece back once the work on it is done. wait: waits for that, else returns NULL.
 * Returns NULL if no piece is under way. */
void *rn_workers_pop(struct rn_workers *w, bool wait);
