/* SPDX-License-Identifier: MIT */
/* Pictures in the caller's memory, passed through a pool: threads copy them into its slots and the
 * results out again, several pictures and parts of large ones at once. One thread that copies moves
 * 5 to 10 GB/s, a tenth of what a device's bus takes.
 *
 * A device with memory of its own copies pictures in locked memory itself (rn_exchange_lock).
 *
 * Any threads submit and wait, several of each: pictures are numbered in order of submission. */
#pragma once

#include "filters/core/pool/pool.h"

RN_API_BEGIN

#define RN_MAX_COPIERS 64

struct rn_exchange;

/* pool: started; new, or drained and all its frames recycled; borrowed, and nobody else uses it
 * until the exchange is closed. threads: that copy, at most RN_MAX_COPIERS; 0: what is best. Cores
 * that take a picture each in turn copy by themselves.
 * Returns 0 or an error (logged), with *exchange NULL. */
int rn_exchange_open(struct rn_exchange **exchange, struct rn_pool *pool, int threads);

/* Locks memory of the caller's in which pictures lie again and again, such as those of a camera:
 * from now on each picture that lies in it whole, its rows in rising order, is copied by the device
 * itself, as fast as its bus allows (results only where it is the pool's one device). It costs the
 * time of a copy or two, so it pays from the third use on; devices that share the host's memory
 * gain nothing. memory: `bytes` long; it is in no area locked before, and stays as it is until the
 * exchange is closed: after an error, too, a device may write there until then. Returns 0, or
 * RN_EUSAGE, RN_EDEVICE or RN_EINTERNAL (logged), after which all passes as before, or slower. */
int rn_exchange_lock(struct rn_exchange *exchange, void *memory, size_t bytes);

/* Submits a picture; waits first while all slots are in use. in: of the pool's geometry; out: of
 * rn_pool_output's, or NULL where only measures are wanted. Their structs are copied; their planes,
 * of any stride and alignment, stay the caller's: in is read and out is written at any time until
 * the picture was waited for. They may be the same planes. frame: what travels with it; NULL: its
 * number is its index. *number: from 0; NULL is legal. Returns 0, RN_EUSAGE (logged), or the error
 * of an earlier picture. */
int rn_exchange_submit(struct rn_exchange *exchange, const struct rn_image *in,
                       const struct rn_image *out, const struct rn_frame *frame, int64_t *number);

/* Ends the input, so that pictures that depend on later ones can be waited for. The next submit
 * begins another input; numbers go on. */
void rn_exchange_drain(struct rn_exchange *exchange);

/* Waits until out holds the result of picture `number` and both pictures are the caller's again. A
 * chain with a delay needs later ones, or a drain, from another thread or before. Returns 0,
 * RN_EUSAGE (logged: no such picture), or the first error of all, after which none is computed. */
int rn_exchange_wait(struct rn_exchange *exchange, int64_t number);

/* Drains, waits for all pictures and frees the exchange, not the pool; sets *exchange to NULL,
 * which is legal. No other thread is inside a call of it, or begins one. Returns 0 or the first
 * error of all pictures (logged when it came). */
int rn_exchange_close(struct rn_exchange **exchange);

RN_API_END
