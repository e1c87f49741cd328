/* SPDX-License-Identifier: MIT */
/* Counts the pictures before a keyframe if the container does not say it: a thread reads the
 * packets of the file once more from the beginning, without decoding. It reads as far as requested
 * and keeps what it has counted. */
#pragma once

#include <stdatomic.h>

#include "io/common/input.h"

struct rn_read_packet_index;

enum rn_read_indexed {
    RN_INDEX_KNOWN,
    RN_INDEX_PENDING, /* not read that far yet */
    RN_INDEX_NEVER,   /* the file cannot be read that far, or has no such keyframe */
};

/* Prepares an index of a file. input and opts as for rn_read_open, borrowed. *index is NULL if
 * input is no file. Returns 0 or RN_EINTERNAL (logged). */
int rn_read_packet_index_create(struct rn_read_packet_index **index, const char *input,
                                const struct rn_io_read_opts *opts);
/* Ends its thread. NULL is legal; *index is NULL afterwards. */
void rn_read_packet_index_destroy(struct rn_read_packet_index **index);

/* Returns true if the file is so small that a user at a window can wait for all of it. */
bool rn_read_packet_index_is_quick(const struct rn_read_packet_index *index);

/* Gets the number of pictures before the keyframe at pts, in the order of the file, and starts or
 * continues reading up to it. pts: as the reader of the pictures gives it (input.h), jumps of the
 * clock repaired. wait: waits until the number is known or *stop is set; otherwise it may be
 * pending. One thread at a time, as the functions below. */
enum rn_read_indexed rn_read_packet_index_before(struct rn_read_packet_index *index, int64_t pts,
                                                 bool wait, const atomic_bool *stop,
                                                 int64_t *before);

/* Reads the whole file, or until *stop is set. Returns true if its clock jumps anywhere: one that
 * starts again makes the times in front of the jump ambiguous, too. */
bool rn_read_packet_index_jumps(struct rn_read_packet_index *index, const atomic_bool *stop);
