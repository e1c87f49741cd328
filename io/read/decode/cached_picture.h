/* SPDX-License-Identifier: MIT */
/* Decoded pictures that are held to be read once more. Nothing is copied: a held picture shares the
 * memory that it was decoded into, which the decoder gets back when it is released. All belongs to
 * the reader's thread, but releasing. */
#pragma once

#include "io/read/source.h"

struct rn_read_cached_picture {
    struct rn_frame frame; /* without data */
    size_t bytes;          /* of memory that it takes */
    /* What it came with, without properties. NULL: it was decoded on the way to another picture and
     * lacks the packets of other streams (sound, subtitles). */
    struct rn_io_frame_data *extra;
    struct AVFrame *picture;
    struct rn_read_cached_picture *next; /* of those that a seek passed */
};

/* Holds the picture that rn_read_read gave last as frame, whose data is still there. The caller
 * releases it. NULL: it cannot be held, which is no error: memory ran out, or its number is a guess
 * (rn_frame.about). */
struct rn_read_cached_picture *rn_read_cached_picture_hold(struct rn_read_source *source,
                                                           const struct rn_frame *frame);

/* NULL is legal; *decoded is NULL afterwards. Any thread. */
void rn_read_cached_picture_release(struct rn_read_cached_picture **decoded);

/* Gives it as rn_read_read did: img and frame as there. Returns 0 or an error (logged). */
int rn_read_cached_picture_read(struct rn_read_source *source,
                                const struct rn_read_cached_picture *decoded, struct rn_image *img,
                                struct rn_frame *frame);

/* From now on seeks hold the pictures that they decode on the way to the one that was sought, the
 * last ones up to so many bytes; 0: none, as at first. */
void rn_read_cache_passed_pictures(struct rn_read_source *source, size_t bytes);

/* After a seek: takes the first of those that were held, in their order; each follows the one
 * before, and the picture that was sought the last. NULL: no more. The caller releases it. */
struct rn_read_cached_picture *rn_read_take_passed_picture(struct rn_read_source *source);

/* How many pictures came out of the decoder so far. */
int64_t rn_read_count_decoded(const struct rn_read_source *source);
