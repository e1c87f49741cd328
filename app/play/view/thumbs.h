/* SPDX-License-Identifier: MIT */
/* Thumbnails of any place of the input, for the seek bar. A second source, in a low-priority thread
 * of its own, decodes the latest request. Thumbnails are not filtered, and a bounded number of them
 * is cached. All functions belong to the player's thread. */
#pragma once

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

/* Gets the thumbnail of the first frame at or after time. Returns false if it is not decoded yet;
 * it soon is, unless another one is requested first. */
bool rn_play_thumbs_get(struct rn_play_thumbs *thumbs, double time, struct rn_play_thumb *thumb);

/* Returns whether anything was decoded since the last call. *last_time: of the last frame of the
 * input; < 0: not known yet. */
bool rn_play_thumbs_poll(struct rn_play_thumbs *thumbs, double *last_time);
