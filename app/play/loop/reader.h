/* SPDX-License-Identifier: MIT */
/* Reads ahead in a thread, which fills slots and can seek at any time. Caches decoded frames
 * (below), and reads them again from the cache. All functions belong to the player's thread. */
#pragma once

#include "filters/core/runner/runner.h"
#include "io/read/source.h"

struct rn_play_cache;
struct rn_play_reader;

/* The target of a seek. */
struct rn_play_goal {
    enum {
        RN_GOAL_TIME,  /* the first frame at or after a time; behind the end: the last one */
        RN_GOAL_FRAME, /* the frame of an index, likewise */
        RN_GOAL_LAST,
        RN_GOAL_NONE,
    } kind;
    double time;   /* seconds */
    int64_t index; /* rn_frame.index */
};

/* Starts reading into the slots of runner. NULL: there is none yet, and the first frame alone is
 * read, until rn_play_reader_begin. source and runner are borrowed until the stop. cache: the most
 * bytes of decoded frames to cache, without those that are being read: 32 MiB of it until the first
 * seek; a seek may take a quarter more on its way; 0: none. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_reader_start(struct rn_play_reader **reader, struct rn_read_source *source,
                         struct rn_runner *runner, size_t cache);
void rn_play_reader_stop(struct rn_play_reader **reader);

/* Without a runner: the first frame, with its input alone, as soon as it is read; NULL: not yet. */
const struct rn_slot *rn_play_reader_first(struct rn_play_reader *reader);

/* Goes on with that frame in the slots of a runner. Call while it is paused. Returns 0 or
 * RN_EINTERNAL (logged). */
int rn_play_reader_begin(struct rn_play_reader *reader, struct rn_runner *runner);

/* Takes the next frame, waiting up to timeout seconds for it. *slot: NULL if none came in time.
 * Returns 0, RN_END at the end of the input (until a seek), or RN_EINPUT (logged). */
int rn_play_reader_next(struct rn_play_reader *reader, double timeout, struct rn_slot **slot);

/* Returns a slot to the reader: one that was not submitted, or one from rn_runner_free. Releases
 * what its frame carries. */
void rn_play_reader_give(struct rn_play_reader *reader, struct rn_slot *slot);

/* Requests a seek. Until it is done, rn_play_reader_next returns no frame. Then the frames read
 * before are dropped, unless the input cannot seek. carries: from there on cached frames are used
 * only if they have what else the input holds for them (sound). */
void rn_play_reader_seek(struct rn_play_reader *reader, const struct rn_play_goal *goal,
                         bool carries);

enum rn_play_seek { RN_SEEK_PENDING, RN_SEEK_DONE, RN_SEEK_REFUSED };

/* The state of the last seek. */
enum rn_play_seek rn_play_reader_sought(struct rn_play_reader *reader);

/* Stops reading, and waits up to timeout seconds until no frame is being read and a requested seek
 * is done. Returns false if that takes longer: it then reads on. */
bool rn_play_reader_pause(struct rn_play_reader *reader, double timeout);

/* Resumes after rn_play_reader_pause. */
void rn_play_reader_resume(struct rn_play_reader *reader);

/* Replaces all slots by a runner's, from index `first` on, and drops frames that were not taken.
 * Call while it is paused. Returns 0, or RN_EINTERNAL (logged), after which it has no slots. */
int rn_play_reader_change(struct rn_play_reader *reader, struct rn_runner *runner, int first);

/* The number of frames that were not taken yet. */
int rn_play_reader_filled(struct rn_play_reader *reader);

/* Releases what frames in a runner's slots carry, once nothing reads into them; NULL is legal. */
void rn_play_reader_release(struct rn_runner *runner);

/* ---- cache.c: caches decoded pictures in the order of their frame indices, to read them again
 * without decoding: the most recently used ones, up to a number of bytes. Indices are exact: a
 * picture follows another if its index is the next. One thread at a time. */

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
