/* SPDX-License-Identifier: MIT */
/* Reads ahead in a thread, which fills slots and can seek at any time. Caches decoded frames
 * (cache.h), and reads them again from the cache. All functions belong to the player's thread. */
#pragma once

#include "filters/core/runner/runner.h"
#include "io/read/source.h"

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
 * read, until rn_play_reader_begin. source and runner are borrowed until the stop. cache:
 * the most bytes of decoded frames to cache, without those that are being read: 32 MiB of it until
 * the first seek; a seek may take a quarter more on its way; 0: none. Returns 0 or RN_EINTERNAL
 * (logged). */
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

/* Replaces all slots by those of a runner, from index `first` on, and drops the frames that were
 * not taken. Call while it is paused. Returns 0, or RN_EINTERNAL (logged), after which it has no
 * slots. */
int rn_play_reader_change(struct rn_play_reader *reader, struct rn_runner *runner, int first);

/* The number of frames that were not taken yet. */
int rn_play_reader_filled(struct rn_play_reader *reader);

/* Releases what the frames in the slots of a runner still carry; NULL is legal. Call when nothing
 * reads into them any more. */
void rn_play_reader_release(struct rn_runner *runner);
