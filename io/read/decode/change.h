/* Pictures that change their size or shape in mid-stream (--on-change). An output has one size and
 * one shape, those of the first picture. */
#ifndef RN_IO_READ_DECODE_CHANGE_H
#define RN_IO_READ_DECODE_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

#include <libavutil/frame.h>

#include "filters/base/losses.h"
#include "io/read/input.h"
#include "io/read/decode/prepare.h"
#include "io/common/input.h"

/* A picture as it was decoded, and where it stands. */
struct rn_read_change_place {
    int w, h;
    int64_t number; /* -1: unknown, as nobody has asked for numbers */
    double time;    /* seconds */
};

/* One kind of change: since when, to what at first, and how many pictures. */
struct rn_read_change_count {
    int64_t pictures;
    struct rn_read_change_place first;
    int w, h;
    AVRational aspect;
    bool others; /* there were further ones, too */
};

struct rn_read_changes {
    struct rn_read_change_count size;
    struct rn_read_change_count shape; /* of the samples alone */
    struct rn_read_change_count format;
    struct rn_read_change_count part; /* of the size before a crop, which finds another part then */
    int w, h; /* of the first picture as it was decoded; set by the caller */
    enum AVPixelFormat from, to;
    char stopped[256]; /* why reading has ended; "": it has not */
};

/* The shape of the samples of frame, which is prepared; num 0: unknown. A container that says how
 * large a picture is shown says it for all, and players follow it; what codes the pictures may
 * change it. */
AVRational rn_read_change_aspect(const struct rn_read_input *in,
                                 const struct rn_read_prepare *prepare, const AVFrame *frame);

/* Looks at the picture in src->frame, the next one, of this number. Returns 0: it is to be given,
 * scaled if it has another size; RN_END: it is not, and the stream, or a part of it, ends before it
 * (--on-change stop and split); RN_EINPUT (logged): the files of a sequence differ in size, and
 * nobody asked for scaling. */
int rn_read_change_look(struct rn_read_source *src, int64_t number);

/* Adds what became of the pictures to the losses. */
void rn_read_change_report(const struct rn_read_source *src);

#endif
