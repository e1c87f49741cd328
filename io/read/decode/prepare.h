/* Pictures between the decoder and everybody else: deinterlaced, turned, cropped and scaled
 * (geometry.h) by a graph of libavfilter. Where nothing of it is wanted there is no graph, and
 * pictures go by untouched.
 *
 * What goes in are pictures with pts and duration in the input's time base, which rise; what comes
 * out has them in the time base of rn_read_prepare_time_base. One thread at a time. */
#ifndef RN_IO_READ_DECODE_PREPARE_H
#define RN_IO_READ_DECODE_PREPARE_H

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>
#include <libavutil/frame.h>

#include "filters/base/losses.h"
#include "io/common/geometry.h"

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

/* What is known of a decoded picture beside itself. It travels with what is made of it. */
struct rn_read_origin {
    int64_t pts;    /* in the input's time base */
    int64_t behind; /* by which it came too early to stand behind the one before */
    int64_t count;  /* of rn_read_frame_numbering_decoded */
    int w, h;       /* its size */
    bool second;    /* of two pictures that are made of it */
};

/* Looks at a decoded picture, the first of which decides what is done to all. *goes_by: nothing is;
 * it stays with the caller. Else it is taken, and frame is empty. Returns
 * 0, or RN_EUSAGE, RN_EINPUT or RN_EINTERNAL (logged). */
int rn_read_prepare_give(struct rn_read_prepare *prepare, AVFrame *frame,
                         const struct rn_read_origin *origin, bool *goes_by);

/* Says that no picture comes any more. Returns 0 or RN_EINTERNAL (logged). */
int rn_read_prepare_end(struct rn_read_prepare *prepare);
bool rn_read_prepare_has_ended(const struct rn_read_prepare *prepare);

/* Moves the next picture into frame, which is empty. Returns 0, RN_END: another one has to be given
 * first (or, after the end, none is left), or an error (logged). */
int rn_read_prepare_take(struct rn_read_prepare *prepare, AVFrame *frame,
                         struct rn_read_origin *origin);

/* The last picture was taken: says if nothing of what was asked for could be done. */
void rn_read_prepare_conclude(const struct rn_read_prepare *prepare);

/* Forgets all pictures, not what the first decided: the next one comes from another place. */
void rn_read_prepare_restart(struct rn_read_prepare *prepare);

/* ---- what becomes of the properties of the stream; known before the first picture */

/* Of the pictures that come out, where those that go in have time_base. */
AVRational rn_read_prepare_time_base(const struct rn_read_prepare *prepare, AVRational time_base);

/* How much earlier, in seconds, reading has to begin so that a picture comes out as it does in its
 * place: deinterlacing looks at the frames beside it. */
double rn_read_prepare_lead(const struct rn_io_geometry *geometry);

/* ---- known after the first picture */

/* How many pictures come out for one: 1 or 2. */
int rn_read_prepare_factor(const struct rn_read_prepare *prepare);

/* The shape of a sample, where it was aspect. */
AVRational rn_read_prepare_aspect(const struct rn_read_prepare *prepare, AVRational aspect);

/* The order of fields, where it was order. */
enum AVFieldOrder rn_read_prepare_fields(const struct rn_read_prepare *prepare,
                                         enum AVFieldOrder order);

/* The display matrix that the pictures still need; NULL: none. */
const int32_t *rn_read_prepare_matrix(const struct rn_read_prepare *prepare);

/* Turned, mirrored or cropped: what tells of places in the picture is not true any more. */
bool rn_read_prepare_moves(const struct rn_read_prepare *prepare);

#endif
