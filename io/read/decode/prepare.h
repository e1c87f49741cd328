/* SPDX-License-Identifier: MIT */
/* Deinterlaces, turns, crops and scales decoded pictures (geometry.h) with a graph of libavfilter.
 * If no option asks for it, there is no graph and pictures pass unchanged.
 *
 * Pictures go in with rising pts and a duration in the input's time base, and come out in that of
 * rn_read_prepare_time_base. One thread at a time. */
#pragma once

#include <libavcodec/avcodec.h>
#include <libavutil/frame.h>

#include "filters/base/losses.h"
#include "io/common/geometry.h"
#include "io/volumes/volume.h"

struct rn_read_prepare;

struct rn_read_prepare_setup {
    const char *input; /* its name, for messages; borrowed, as all here */
    const struct rn_io_geometry *geometry;
    const int32_t *matrix; /* the display matrix of the container; NULL: it has none */
    int threads;
    struct rn_losses *losses;
    bool is_signed; /* samples that travel as unsigned ones are signed */
    bool photos;    /* pictures that know nothing of each other: one without a matrix is upright */
};

/* Returns 0 or RN_EINTERNAL (logged). The caller closes it. */
int rn_read_prepare_open(struct rn_read_prepare **prepare,
                         const struct rn_read_prepare_setup *setup);
void rn_read_prepare_close(struct rn_read_prepare **prepare);

/* The origin of a decoded picture; it travels with the pictures that are made of it. */
struct rn_read_origin {
    int64_t pts;    /* in the input's time base */
    int64_t behind; /* by which it came too early to stand behind the one before */
    int64_t count;  /* of rn_read_frame_numbering_decoded */
    int w, h;       /* its size */
    bool second;    /* of two pictures that are made of it */
};

/* Takes a decoded picture, the first of which decides what is done to all. *goes_by is set if
 * nothing is done: the picture stays in frame; otherwise frame is empty afterwards. Returns 0, or
 * RN_EUSAGE, RN_EINPUT or RN_EINTERNAL (logged). */
int rn_read_prepare_give(struct rn_read_prepare *prepare, AVFrame *frame,
                         const struct rn_read_origin *origin, bool *goes_by);

/* Says that no picture comes any more. Returns 0 or RN_EINTERNAL (logged). */
int rn_read_prepare_end(struct rn_read_prepare *prepare);
bool rn_read_prepare_has_ended(const struct rn_read_prepare *prepare);

/* Moves the next picture into frame, which is empty. Returns 0, RN_END (another one has to be given
 * first; after the end: there are no more), or an error (logged). */
int rn_read_prepare_take(struct rn_read_prepare *prepare, AVFrame *frame,
                         struct rn_read_origin *origin);

/* The last picture was taken: warns if --deinterlace found no interlaced frame. */
void rn_read_prepare_conclude(const struct rn_read_prepare *prepare);

/* Drops all pictures after a seek; the decision by the first one stays. */
void rn_read_prepare_restart(struct rn_read_prepare *prepare);

/* ---- changes to the properties of the stream; known before the first picture */

/* Returns the time base of the pictures that come out if time_base is that of those that go in. */
AVRational rn_read_prepare_time_base(const struct rn_read_prepare *prepare, AVRational time_base);

/* Returns how many seconds earlier reading has to begin for the same result: deinterlacing reads
 * the neighbours of a frame. */
double rn_read_prepare_lead(const struct rn_io_geometry *geometry);

/* ---- known after the first picture */

/* Returns false if pictures pass unchanged. */
bool rn_read_prepare_is_active(const struct rn_read_prepare *prepare);

/* Returns the number of pictures that come out for one: 1 or 2. */
int rn_read_prepare_factor(const struct rn_read_prepare *prepare);

/* Returns the sample aspect ratio that `aspect` becomes. */
AVRational rn_read_prepare_aspect(const struct rn_read_prepare *prepare, AVRational aspect);

/* Returns the field order that `order` becomes. */
enum AVFieldOrder rn_read_prepare_fields(const struct rn_read_prepare *prepare,
                                         enum AVFieldOrder order);

/* The display matrix that the pictures still need; NULL: none. */
const int32_t *rn_read_prepare_matrix(const struct rn_read_prepare *prepare);

/* Returns true if pictures are turned, mirrored or cropped, so that positions in them change. */
bool rn_read_prepare_moves(const struct rn_read_prepare *prepare);

/* Makes v, which describes the pictures that go in, describe those that come out. */
void rn_read_prepare_place(const struct rn_read_prepare *prepare, struct rn_vol *v);
