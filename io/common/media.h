/* SPDX-License-Identifier: MIT */
/* The description of a source for sinks: its pictures, and the other contents of the input that can
 * be copied to the output.
 *
 * The source fills it on opening, and again in rn_read_resume. Sinks, encoders and reports copy
 * it by value and never see the source. The source owns what it points to, which is constant and
 * outlives every sink, except fmt: its streams' parameters, tags and side data do not change, the
 * rest belongs to the reader's thread from the first frame on. */
#pragma once

#include "io/common/input.h"
#include "io/common/traits.h"

struct rn_vol;        /* io/volumes/volume.h */
struct rn_read_input; /* io/read/input.h */

struct rn_io_media {
    const char *name;              /* of the input, as given */
    struct rn_io_stream stream;    /* of the pictures, as they are given */
    const AVFormatContext *fmt;    /* NULL for image files */
    int video;                     /* index of the pictures' stream in fmt */
    const AVFrame *first;          /* properties of the first picture, no samples */
    enum AVFieldOrder field_order; /* of the pictures' stream */
    AVRational nominal;            /* the frame rate that the container suggests; num 0: none */
    const int32_t *matrix;         /* the display matrix of the pictures; NULL: none */
    bool moved;        /* what the stream says of places in the picture is not true any more */
    bool transparent;  /* the pictures hold transparency, not just a place for it */
    int loop_count;    /* how often all pictures are to be shown; 0: unknown; RN_LOOP_FOREVER */
    bool cut;          /* starts later than the input */
    int64_t offset_us; /* all timestamps are moved back by this */
    int64_t end_us;    /* where the range is expected to end; INT64_MAX = with the input */
    bool open_end;     /* it may end sooner, where the pictures change: rn_io_frame_data.end_us of
                          RN_END says where */
    int64_t number;    /* of the first picture in a numbered sequence; -1 = none */
    const struct rn_io_geometry *geometry; /* what was done to the pictures of the input */
    const struct rn_vol *volume;           /* of a scan: all of the input; else NULL */
    int64_t first_index;            /* of the first picture that is given, in the whole input */
    int64_t first_number;           /* its rn_frame.index, which --renumber makes 0 */
    const struct rn_read_input *in; /* for rn_io_media_is_file alone */
};

/* 1 if path names the same file as the input (same inode; any member of a sequence), 0 if not, or
 * RN_EOUTPUT if that cannot be told (logged). */
int rn_io_media_is_file(const struct rn_io_media *media, const char *path);

/* Returns the traits of the pictures by the container and the first picture. */
struct rn_io_traits rn_io_media_traits(const struct rn_io_media *media);

/* Logs which matrix is assumed to convert colours; logs nothing if the input specifies it. */
void rn_io_media_announce_matrix(const struct rn_io_media *media);
