/* Small pictures of any place of the input, for the seek bar: a second source, in a thread of its
 * own with low priority, decodes the one that was asked for last. They are not filtered. A bounded
 * number of them is kept. All functions belong to the player's thread. */
#ifndef RN_APP_PLAY_VIEW_THUMBS_H
#define RN_APP_PLAY_VIEW_THUMBS_H

#include "io/read/source.h"

struct rn_play_thumbs;

struct rn_play_thumb {
    struct rn_frame frame;        /* without data */
    const struct rn_image *image; /* valid until the next call */
};

/* Starts the thread. input, opts: as the player opened it, borrowed; stream: what that found.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_play_thumbs_open(struct rn_play_thumbs **thumbs, const char *input,
                        const struct rn_io_read_opts *opts, const struct rn_io_stream *stream);

/* NULL is legal. */
void rn_play_thumbs_close(struct rn_play_thumbs **thumbs);

/* Gets the picture of the first frame at or after time. Returns false if it is not there yet: it
 * will be soon, unless another one is asked for first. */
bool rn_play_thumbs_get(struct rn_play_thumbs *thumbs, double time, struct rn_play_thumb *thumb);

/* The time of the last frame; < 0 until it was found. */
double rn_play_thumbs_last(struct rn_play_thumbs *thumbs);

/* Has something been found since the last call? */
bool rn_play_thumbs_news(struct rn_play_thumbs *thumbs);

#endif
