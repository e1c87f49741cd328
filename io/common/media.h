/* What a sink may know about a source beside its pictures, to copy it to the output. All of it is
 * known once the source is open; fmt belongs to the reader's thread from the first frame on. */
#ifndef RN_IO_COMMON_MEDIA_H
#define RN_IO_COMMON_MEDIA_H

#include <stdbool.h>
#include <stdint.h>

#include <libavformat/avformat.h>

#include "io/containers/plays.h"
#include "io/read/source.h"

struct rn_vol; /* io/volumes/volume.h */

struct rn_io_media {
    const char *name;              /* of the input, as given */
    const AVFormatContext *fmt;    /* NULL for image files */
    int video;                     /* index of the pictures' stream in fmt */
    const AVFrame *first;          /* properties of the first picture, no samples */
    enum AVFieldOrder field_order; /* of the pictures' stream */
    AVRational nominal;            /* the frame rate that the container suggests; num 0: none */
    const int32_t *matrix;         /* the display matrix of the pictures; NULL: none */
    bool moved;        /* what the stream says of places in the picture is not true any more */
    bool transparent;  /* the pictures hold transparency, not just a place for it */
    int plays;         /* how often all pictures are to be shown; 0: unknown; RN_PLAYS_FOREVER */
    bool cut;          /* starts later than the input */
    int64_t offset_us; /* all timestamps are moved back by this */
    int64_t end_us;    /* where the range is expected to end; INT64_MAX = with the input */
    bool open_end;     /* it may end sooner, where the pictures change; end_us then says where, once
                          the last frame was read */
    int64_t number;    /* of the first picture in a numbered sequence; -1 = none */
    const struct rn_read_geometry *geometry; /* what was done to the pictures of the input */
    const struct rn_vol *volume;             /* of a scan: all of the input; else NULL */
    int64_t first_index;  /* of the first picture that is given, in the whole input */
    int64_t first_number; /* its rn_frame.index, which --renumber makes 0 */
};

const struct rn_io_media *rn_read_media(const struct rn_read_source *source);

#endif
