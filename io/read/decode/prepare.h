/* SPDX-License-Identifier: MIT */
/* Deinterlaces, turns, crops and scales decoded pictures (geometry.h) with a graph of libavfilter.
 * If no option asks for it, there is no graph and pictures pass unchanged.
 *
 * Pictures go in with rising pts and a duration in the input's time base, and come out in halves of
 * it if fields become pictures. One thread at a time. */
#pragma once

#include <libavcodec/avcodec.h>

#include "filters/base/losses.h"
#include "io/common/graph.h"
#include "io/pixels/turn.h"
#include "io/volumes/volume.h"

struct rn_read_prepare_setup {
    const char *input; /* its name, for messages; borrowed, as all here */
    const struct rn_io_geometry *geometry;
    const int32_t *matrix; /* the display matrix of the container; NULL: it has none */
    int threads;
    struct rn_losses *losses;
    bool is_signed; /* samples that travel as unsigned ones are signed */
    bool photos;    /* pictures that know nothing of each other: one without a matrix is upright */
};

/* The origin of a decoded picture; it travels with the pictures that are made of it. */
struct rn_read_origin {
    int64_t pts;    /* in the input's time base */
    int64_t behind; /* by which it came too early to stand behind the one before */
    int64_t count;  /* of rn_read_frame_numbering_decoded */
    int w, h;       /* its size */
    bool second;    /* of two pictures that are made of it */
};

#define RN_MAX_INSIDE 8 /* pictures in the graph: bwdif holds three */

/* A picture on its way through the graph. */
struct rn_read_prepared {
    struct rn_read_origin origin;
    int64_t duration;
    bool interlaced, fields_lost;
    AVRational aspect;
    enum AVColorRange range;
    enum AVColorPrimaries primaries;
    enum AVColorTransferCharacteristic transfer;
    enum AVColorSpace space;
    enum AVChromaLocation chroma;
};

struct rn_read_prepare {
    struct rn_read_prepare_setup setup;
    int32_t matrix[9]; /* of the first picture or its container */
    bool has_matrix;

    /* What the first picture decided. */
    bool decided, turned;
    bool active;       /* else pictures pass unchanged */
    int factor;        /* pictures that come out for one: 2 if fields become pictures, else 1 */
    bool keeps_fields; /* it is interlaced and stays so */
    bool fields_lost;  /* one of them was interlaced, and its fields are no more */
    bool deinterlaced; /* one of them */
    struct rn_pix_orient shown; /* by the display matrix */
    struct rn_pix_orient turn;  /* what is done */
    int crop_x, crop_y;         /* the first column and line that are left */
    int in_w, in_h;             /* that go into the scaler */
    int out_w, out_h;           /* that come out */

    struct rn_io_graph graph;
    AVFrame *like; /* what the graph was made for: size, format, colours */
    AVFrame *next; /* waits until the graph for the ones before is empty */
    bool waiting, draining;
    bool ended; /* no picture comes any more */
    struct rn_pix_import *import;
    struct rn_read_prepared inside[RN_MAX_INSIDE]; /* of picture n at n modulo its size */
    int64_t sent, first; /* pictures sent; the one whose result comes, or came last */
    bool begun;          /* one of its results came */
};

/* prepare: zeroed but for its setup; closed by the caller in any case. Returns 0 or RN_EINTERNAL
 * (logged). */
int rn_read_prepare_open(struct rn_read_prepare *prepare);
void rn_read_prepare_close(struct rn_read_prepare *prepare);

/* Takes a decoded picture, the first of which decides what is done to all. *goes_by is set if
 * nothing is done: the picture stays in frame; otherwise frame is empty afterwards. Returns 0, or
 * RN_EUSAGE, RN_EINPUT or RN_EINTERNAL (logged). */
int rn_read_prepare_give(struct rn_read_prepare *prepare, AVFrame *frame,
                         const struct rn_read_origin *origin, bool *goes_by);

/* Says that no picture comes any more. Returns 0 or RN_EINTERNAL (logged). */
int rn_read_prepare_end(struct rn_read_prepare *prepare);

/* Moves the next picture into frame, which is empty. Returns 0, RN_END (another one has to be given
 * first; after the end: there are no more), or an error (logged). */
int rn_read_prepare_take(struct rn_read_prepare *prepare, AVFrame *frame,
                         struct rn_read_origin *origin);

/* The last picture was taken: warns if --deinterlace found no interlaced frame. */
void rn_read_prepare_conclude(const struct rn_read_prepare *prepare);

/* Drops all pictures after a seek; the decision by the first one stays. */
void rn_read_prepare_restart(struct rn_read_prepare *prepare);

/* ---- changes to the properties of the stream; known before the first picture */

/* Returns how many seconds earlier reading has to begin for the same result: deinterlacing reads
 * the neighbours of a frame. */
static inline double rn_read_prepare_lead(const struct rn_io_geometry *geometry)
{
    return geometry->deinterlace != RN_DEINTERLACE_NONE ? 1 : 0;
}

/* ---- known after the first picture */

/* Returns the sample aspect ratio that `aspect` becomes. */
AVRational rn_read_prepare_aspect(const struct rn_read_prepare *prepare, AVRational aspect);

/* Returns the field order that `order` becomes. */
enum AVFieldOrder rn_read_prepare_fields(const struct rn_read_prepare *prepare,
                                         enum AVFieldOrder order);

/* Returns true if pictures are turned, mirrored or cropped, so that positions in them change. */
static inline bool rn_read_prepare_moves(const struct rn_read_prepare *p)
{
    return p->active && (!rn_pix_orient_is_upright(&p->turn) || p->setup.geometry->crop.w);
}

/* Makes v, which describes the pictures that go in, describe those that come out. */
void rn_read_prepare_place(const struct rn_read_prepare *prepare, struct rn_vol *v);
