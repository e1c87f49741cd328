/* SPDX-License-Identifier: MIT */
/* Caches decoded pictures in the order of their frame indices, to read them again without decoding:
 * the most recently used ones, up to a number of bytes. Indices are exact: a picture follows
 * another if its index is the next. One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rn_play_cache;

struct rn_play_cached {
    int64_t index; /* rn_frame.index */
    double time;   /* rn_frame.time */
    bool bare;     /* without what else the input holds: see rn_read_cached_picture */
    size_t bytes;  /* that item takes */
    void *item;
};

/* Creates an empty cache. limit: bytes of all items together. release: called for each item that is
 * dropped. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_cache_create(struct rn_play_cache **cache, size_t limit, void (*release)(void *item));

/* Raises the limit in bytes; it never falls. */
void rn_play_cache_allow(struct rn_play_cache *cache, size_t limit);

/* NULL is legal. */
void rn_play_cache_destroy(struct rn_play_cache **cache);

/* Adds a picture and owns its item. It replaces one of the same index unless that one is more
 * complete. The least recently used ones are dropped for it; a picture larger than the limit is not
 * cached. If its index or time contradicts the cached ones (a damaged input counts differently
 * after a seek), all of those are dropped. */
void rn_play_cache_put(struct rn_play_cache *cache, const struct rn_play_cached *cached);

/* Finds a picture: the first one at or after a time; one by its index; the last one of the input,
 * once rn_play_cache_ends was called. NULL: not cached, or not certain. Valid until the next
 * rn_play_cache_put; the picture counts as used. */
const struct rn_play_cached *rn_play_cache_at(struct rn_play_cache *cache, double time);
const struct rn_play_cached *rn_play_cache_frame(struct rn_play_cache *cache, int64_t index);
const struct rn_play_cached *rn_play_cache_last(struct rn_play_cache *cache);

/* Set the index of the input's first and last picture. */
void rn_play_cache_begins(struct rn_play_cache *cache, int64_t index);
void rn_play_cache_ends(struct rn_play_cache *cache, int64_t index);

/* The bytes that all items take, and how many there are. */
size_t rn_play_cache_bytes(const struct rn_play_cache *cache);
size_t rn_play_cache_count(const struct rn_play_cache *cache);
