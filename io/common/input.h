/* SPDX-License-Identifier: MIT */
/* The options of a source, and its description of its pictures. source.h opens and reads it. */
#pragma once

#include "filters/base/image.h"
#include "filters/base/losses.h"
#include "io/common/geometry.h"
#include "io/common/ledger.h"

struct rn_read_source;

struct rn_io_rational {
    int num, den; /* den 0: unknown */
};

/* A point in the input: seconds, or a frame index counted from 0. */
struct rn_io_time {
    enum { RN_TIME_NONE, RN_TIME_SECONDS, RN_TIME_FRAME } kind;
    double seconds;
    int64_t frame;
};

/* The meaning of rn_frame.index after --from or a seek skipped pictures. */
enum rn_io_index_mode {
    RN_FRAME_INDEX_EXACT,       /* the frame's own index; the file is read up to there if need be */
    RN_FRAME_INDEX_APPROXIMATE, /* likewise; in a large file an estimate until that was read */
    RN_FRAME_INDEX_ANY,         /* the caller does not use it */
};

#define RN_MOST_SPECIFIERS 32

/* Stream specifiers (select.h), as given. */
struct rn_io_specifiers {
    const char *text[RN_MOST_SPECIFIERS];
    int n;
};

/* Which frames are given as two fields (rn_frame.by_field): those that the decoder says are
 * interlaced, none, or all. */
enum rn_io_fields { RN_FIELDS_AUTO, RN_FIELDS_FRAME, RN_FIELDS_FIELD };
/* Handling of pictures whose size or shape differs from the first. */
enum rn_io_on_change {
    RN_CHANGE_DEFAULT, /* those of a stream are scaled, the files of a sequence refused */
    RN_CHANGE_SCALE,   /* to the first size */
    RN_CHANGE_STOP,    /* the stream ends before them */
    RN_CHANGE_SPLIT,   /* likewise, and rn_read_resume goes on with them */
};

/* Options that only some inputs have something for. */
enum rn_io_limited {
    RN_LIMITED_FPS = 1,         /* what has no rate of its own */
    RN_LIMITED_STREAMS = 2,     /* --map, --drop: not single pictures */
    RN_LIMITED_DEINTERLACE = 4, /* likewise */
    RN_LIMITED_CHOICE = 8,      /* --series, --channel, --time, --complex: volumes */
};

/* Handling of complex samples. */
enum rn_io_complex {
    RN_COMPLEX_DEFAULT,   /* the magnitude, with a line of the loss report */
    RN_COMPLEX_MAGNITUDE, /* asked for, so nothing is lost */
    RN_COMPLEX_PARTS,     /* planes of the real and the imaginary part */
};

struct rn_io_read_opts {
    struct rn_io_time from, to; /* to is exclusive */
    int64_t frames;             /* the most frames to give; -1 = all */
    struct rn_io_rational fps;  /* frame rate of what has none of its own; den 0 = 25 */
    int threads;                /* decoder threads; 0 = as many as CPUs */
    const char *hwdec;          /* the hardware that decodes (decode/decoder.c); NULL: the CPU */
    int64_t memory;             /* bytes that the run may take; 0: rn_io_memory_budget's default */
    bool alone;                 /* no driver loads meanwhile: opening is confined to the memory */
    bool allow_playlists;       /* open the files and addresses, too, that the input names */
    int64_t probe_bytes;        /* the most to read for what the streams are; 0: FFmpeg's default */
    double probe_seconds;       /* the same in time */
    struct rn_io_specifiers map;  /* the streams to read; none: all... */
    struct rn_io_specifiers drop; /* ...but these */
    bool keep_start;              /* frames have the input's own times, not those since its start */
    bool pictures_only;           /* do not carry other streams (nothing will write them) */
    struct rn_losses *losses;     /* what cannot be given is added; borrowed; may be NULL */
    struct rn_io_geometry geometry; /* what becomes of the pictures; frames are counted after it */
    enum rn_io_fields fields;
    enum rn_io_index_mode index_mode;
    bool renumber; /* rn_frame.index counts from 0 at --from */
    enum rn_io_on_change on_change;
    const char
        *raw; /* the input is samples without a header: see rn_vol_raw_check; NULL = it is not */
    bool described; /* no more than the first picture will be read, to tell what the input is: that
                      * it holds less than it says shows nowhere else */
    const char *series; /* one of several: its number in the list, its name or UID; NULL: none */
    const char *time;   /* which points in time, or pictures at one position; NULL: all there are */
    enum rn_io_complex complex;
    const char *channel; /* which channels; NULL: all there are (io/volumes/reader.h) */
    unsigned standing;   /* of enum rn_io_limited: left out where the input has nothing for them,
                          * as the user's settings are for all inputs; the others are refused */
};

/* The source's description of its pictures. Only rn_read_resume changes it after opening. */
struct rn_io_stream {
    struct rn_geom geom;
    struct rn_io_rational time_base; /* of rn_frame.pts */
    struct rn_io_rational rate;      /* average frame rate */
    struct rn_io_rational aspect;    /* of a sample; den 0 = unknown */
    int64_t frames;                  /* how many frames will come; -1 = unknown */
    double duration;                 /* seconds; < 0 = unknown */
    bool coded;                      /* a decoder of video or pictures computes, too */
    bool by_field;                   /* frames by field are to be expected */
    bool matrix_assumed;             /* the input does not say geom.matrix */
    bool exact;                      /* frames is what the container counts, no estimate */
    int64_t decoder_bytes;           /* an estimate of what the decoder holds */
    int64_t memory;                  /* bytes that the run may take, with these */
    int64_t in_flight;               /* of them, those of frames in flight beyond the least */
};

/* ---- frames, and the libraries behind them */

/* Returns true if the frame, whose data was not taken, is two fields woven into one picture. */
bool rn_io_frame_is_interlaced(const struct rn_frame *frame);

/* Returns true if the field of the even lines (0, 2, ...) is the earlier one of such a frame. */
bool rn_io_frame_top_field_first(const struct rn_frame *frame);

/* Releases what a frame carries, for frames that no sink takes. Sets frame->data to NULL. */
void rn_io_frame_release(struct rn_frame *frame);

/* Prepares the libraries behind io: sends their messages through rn_log. Call once at the start. */
void rn_io_init(void);
