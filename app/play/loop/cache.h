/* Pictures that were read, in their order, to be read once more without decoding: those that were
 * used last, up to a number of bytes. Their numbers are exact, so that one follows another if its
 * number is the next. One thread at a time. */
#ifndef RN_APP_PLAY_LOOP_CACHE_H
#define RN_APP_PLAY_LOOP_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rn_play_cache;

struct rn_play_cached {
    int64_t index; /* rn_frame.index */
    double time;   /* rn_frame.time */
    bool bare;     /* without what else the input holds: see rn_read_cached_picture_is_bare */
    size_t bytes;  /* that item takes */
    void *item;
};

/* Makes an empty one. most: bytes of all items together; release: is called for each item that
 * goes. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_cache_create(struct rn_play_cache **cache, size_t most, void (*release)(void *item));

/* Allows so many bytes from now on; no fewer than before. */
void rn_play_cache_allow(struct rn_play_cache *cache, size_t most);

/* NULL is legal. */
void rn_play_cache_destroy(struct rn_play_cache **cache);

/* Adds a picture, in place of one of the same number unless that one is more complete; its item is
 * the cache's from now on. Those that were used longest ago make room; a picture that takes more
 * than all the room is not kept. Where numbers and times contradict those there are (a damaged
 * input counts differently after a seek), all of these go. */
void rn_play_cache_put(struct rn_play_cache *cache, const struct rn_play_cached *cached);

/* Finds a picture; NULL: it is not there, or it cannot be told from what is there. Valid until the
 * next rn_play_cache_put; the picture counts as used.
 * at: the first one at or after a time; frame: of a number; last: of the input, or NULL until that
 * was told. */
const struct rn_play_cached *rn_play_cache_at(struct rn_play_cache *cache, double time);
const struct rn_play_cached *rn_play_cache_frame(struct rn_play_cache *cache, int64_t index);
const struct rn_play_cached *rn_play_cache_last(struct rn_play_cache *cache);

/* Tell the number of the first picture of the input, and of the last one. */
void rn_play_cache_begins(struct rn_play_cache *cache, int64_t index);
void rn_play_cache_ends(struct rn_play_cache *cache, int64_t index);

/* The bytes that all items take, and how many there are. */
size_t rn_play_cache_bytes(const struct rn_play_cache *cache);
size_t rn_play_cache_count(const struct rn_play_cache *cache);

#endif
