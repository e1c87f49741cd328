/* The state of a look, for the files that share it: look.c opens what was written and reads its
 * beginning, look_ends.c finds its end. */
#ifndef RN_IO_WRITE_REPORT_LOOK_INTERNAL_H
#define RN_IO_WRITE_REPORT_LOOK_INTERNAL_H

#include "io/write/report/look.h"

#define RN_LOOK_STREAMS 64 /* those behind are not looked at */

struct rn_write_look {
    AVFormatContext *fmt;
    AVIOContext *pb;
    const char *name; /* borrowed */
    int video;        /* -1: none */
    struct rn_io_frame_data *kept;
    AVFrame *frame;
    int64_t first_us[RN_LOOK_STREAMS];
    int before[RN_LOOK_STREAMS]; /* packets without a time before that */
    struct rn_write_look_end end[RN_LOOK_STREAMS];
    const struct rn_write_head *head;
    size_t at; /* in head */
};

/* Opens what look->pb holds, from where it stands. Returns 0 or libav's error code; the caller
 * closes *fmt in any case. */
int rn_write_look_open_format(struct rn_write_look *look, AVFormatContext **fmt);

#endif
