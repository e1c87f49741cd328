/* Reads ahead in a thread, which fills slots and can be sent elsewhere at any time. Caches what it
 * has decoded while there is space (cache.h), and reads that again from the cache. All functions
 * belong to the player's thread. */
#ifndef RN_APP_PLAY_LOOP_READER_H
#define RN_APP_PLAY_LOOP_READER_H

#include "filters/core/runner/runner.h"
#include "io/read/source.h"

struct rn_play_reader;

/* Where to go on. */
struct rn_play_goal {
    enum {
        RN_GOAL_TIME,  /* the first frame at or after a time; behind the end: the last one */
        RN_GOAL_FRAME, /* the frame of a number, likewise */
        RN_GOAL_LAST,
        RN_GOAL_NONE, /* nowhere */
    } kind;
    double time;   /* seconds */
    int64_t index; /* rn_frame.index */
};

/* Starts reading into the slots of runner. source and runner are borrowed until the stop. cache:
 * the most bytes of decoded frames to cache, without those that are being read: 32 MiB of it until
 * the first seek; a seek may take a quarter more on its way; 0: none. Returns 0 or RN_EINTERNAL
 * (logged). */
int rn_play_reader_start(struct rn_play_reader **reader, struct rn_read_source *source,
                         struct rn_runner *runner, size_t cache);
void rn_play_reader_stop(struct rn_play_reader **reader);

/* Takes the next frame, waiting up to timeout seconds for it. *slot: NULL if none came in time.
 * Returns 0, RN_END at the end of the input (until a seek), or RN_EINPUT (logged). */
int rn_play_reader_next(struct rn_play_reader *reader, double timeout, struct rn_slot **slot);

/* Gives a slot to be filled again: one that was not submitted, or that rn_runner_free gave. What
 * its frame carries is released. */
void rn_play_reader_give(struct rn_play_reader *reader, struct rn_slot *slot);

/* Asks to go on elsewhere. Until that is done, rn_play_reader_next gives nothing; then the frames
 * read before are dropped, unless the input turns out not to seek: nothing is lost then. carries:
 * cached frames are used from there on only if they carry what is beside the picture (sound). */
void rn_play_reader_seek(struct rn_play_reader *reader, const struct rn_play_goal *goal,
                         bool carries);

enum rn_play_seek { RN_SEEK_PENDING, RN_SEEK_DONE, RN_SEEK_REFUSED };

/* What became of the last seek. */
enum rn_play_seek rn_play_reader_sought(struct rn_play_reader *reader);

/* Stops reading, and waits up to timeout seconds until no frame is being read and a seek that was
 * asked for is done. Returns false if that takes longer: it goes on reading then. */
bool rn_play_reader_pause(struct rn_play_reader *reader, double timeout);

/* Goes on after rn_play_reader_pause. */
void rn_play_reader_resume(struct rn_play_reader *reader);

/* Takes the slots of runner, from number `first` on, in place of all that it has; what waits to be
 * taken is dropped. While it holds. Returns 0, or RN_EINTERNAL (logged), after which it has no
 * slots. */
int rn_play_reader_change(struct rn_play_reader *reader, struct rn_runner *runner, int first);

/* Frames that wait to be taken. */
int rn_play_reader_filled(struct rn_play_reader *reader);

/* Releases what the frames in the slots of a runner still carry; NULL is legal. Nobody may read
 * into them any more. */
void rn_play_reader_release(struct rn_runner *runner);

#endif
