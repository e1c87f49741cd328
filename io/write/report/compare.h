/* The loss report of media files: what was written is opened once more (look.c) and compared with
 * what the input said of itself. Everything that is gone or became another is a line, one for each
 * kind of thing. What nobody would miss is passed over: who encoded it and when, statistics, the
 * coding of the pictures, time bases. */
#ifndef RN_IO_WRITE_REPORT_COMPARE_H
#define RN_IO_WRITE_REPORT_COMPARE_H

#include "io/write/mux/remux.h"
#include "io/write/mux/span.h"
#include "io/write/mux/tee.h"

/* What the file lacks of that; zeroed: nothing. */
struct rn_write_shortfall {
    double seconds;   /* by which it lasts less, or the pictures longer */
    int64_t pictures; /* their packets that are not there */
};

struct rn_write_written {
    const char *name;                /* of the output, for the messages */
    const struct rn_io_media *media; /* of the input */
    struct rn_geom geom;             /* of the pictures that the chain gave */
    int w, h;                        /* of those that were encoded */
    enum AVPixelFormat coded;        /* how they were encoded */
    bool full_range;                 /* likewise */
    unsigned requested;              /* traits (traits.h) that the user's own options set */
    /* What the muxer was given, still open; NULL for image files, where the pictures alone are
     * compared. */
    const AVFormatContext *out;
    const struct rn_write_remux *remux; /* where the streams of out came from; NULL with it */
    int64_t first_us;                   /* when the first picture was to be shown */
    const char *temp;                   /* what to open, or, if NULL... */
    const struct rn_write_head
        *head;                  /* ...the beginning of it; both NULL: only samples were written,
                                     and their aspect, unless... */
    bool bare;                  /* ...not even that */
    struct rn_write_span shown; /* of the pictures, as they were given */
    struct rn_write_shortfall *lacks; /* filled; may be NULL */
    bool *broken;             /* set where the file can be of no use to anybody; may be NULL */
    struct rn_losses *losses; /* NULL: nobody wants to know, nothing is opened */
};

void rn_write_compare(const struct rn_write_written *written);

#endif
