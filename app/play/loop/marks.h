/* SPDX-License-Identifier: MIT */
/* The marked range of the input, from a frame to a frame. */
#pragma once

#include "io/read/source.h"

/* Zeroed: not set. */
struct rn_play_mark {
    bool set;
    int64_t index; /* rn_frame.index */
    double time;   /* rn_frame.time */
};

struct rn_play_marks {
    struct rn_play_mark a, e; /* begin and end; the range includes both */
};

/* A range of the input as values of the options --from, --to and --frames; "": not given. */
struct rn_play_range {
    char from[32], to[32], frames[32];
};

enum { RN_RANGE_TEXT = 128 };

/* Set one mark. The other one is cleared if the range would be empty. */
void rn_play_marks_begin(struct rn_play_marks *marks, int64_t index, double time);
void rn_play_marks_end(struct rn_play_marks *marks, int64_t index, double time);

/* Whether playing passes the end of the range between two successive frames. */
bool rn_play_marks_cross(const struct rn_play_marks *marks, int64_t from, int64_t to);

/* The marked range as values of options. opts: the range that is played; first: the number of its
 * first frame (rn_io_media.first_index). Returns false and an empty range if there is no mark. */
bool rn_play_marks_range(const struct rn_play_marks *marks, const struct rn_io_read_opts *opts,
                         int64_t first, struct rn_play_range *range);

/* Writes a range as options, "--from 150f --to 176f"; "" without any. Returns buf, of RN_RANGE_TEXT
 * bytes. */
char *rn_play_range_options(const struct rn_play_range *range, char *buf);
