/* SPDX-License-Identifier: MIT */
/* The loss report of media files: what was written is opened once more (look.c) and compared with
 * the description of the input. Each kind of thing that is missing or has changed is a line.
 * Ignored: who encoded it and when, statistics, the coding of the pictures, time bases. */
#pragma once

#include "io/write/mux/remux.h"
#include "io/write/mux/container.h"

/* What the file lacks; zeroed: nothing. */
struct rn_write_shortfall {
    double seconds;   /* by which it lasts less, or the pictures longer */
    int64_t pictures; /* missing packets of the pictures */
    bool unreadable;  /* no program can read the file */
};

struct rn_write_written {
    const char *name;                /* of the output, for the messages */
    const struct rn_io_media *media; /* of the input */
    struct rn_geom geom;             /* of the pictures that the chain gave */
    int w, h;                        /* of those that were encoded */
    enum AVPixelFormat coded;        /* how they were encoded */
    bool full_range;                 /* likewise */
    unsigned requested;              /* traits (traits.h) that the user's own options set */
    /* What the muxer was given, still open; NULL for image files: only pictures are compared. */
    const AVFormatContext *out;
    const struct rn_write_remux *remux; /* where the streams of out came from; NULL with it */
    int64_t first_us;                   /* when the first picture was to be shown */
    const char *temp;                   /* the file to open; NULL: head */
    const struct rn_write_head *head;   /* its beginning; both NULL: only samples were written, */
    bool bare;                          /* with their aspect, or without (bare) */
    struct rn_write_span shown;         /* of the pictures, as the sink got them */
    struct rn_losses *losses;           /* NULL: nothing is opened or reported */
};

struct rn_write_shortfall rn_write_compare(const struct rn_write_written *written);

/* ---- what outputs of pictures only (image files, pages, volumes, DICOM, raw samples) lose
 *
 * Streams, tags, chapters, times... For the properties of the pictures see above. */

/* The pictures' times so far; zeroed: none. */
struct rn_write_omitted {
    const struct rn_io_media *media; /* NULL: not begun */
    struct rn_losses *losses;
    int64_t n, pts, step; /* pictures; the time of the last one; from the first to the second */
    bool varies;          /* another step differs from it */
};

/* Adds everything that is known before the first picture, and begins to watch the times. audio,
 * subs: the user's requests (rn_write_opts); "none" is no loss. media and losses are borrowed until
 * the end. */
void rn_write_omitted_begin(struct rn_write_omitted *l, const char *output,
                            const struct rn_io_media *media, const char *audio, const char *subs,
                            struct rn_losses *losses);

/* Notes the time of a picture. */
void rn_write_omitted_watch(struct rn_write_omitted *l, const struct rn_frame *frame);

/* Reports lost times. rated: the output specifies a constant rate. */
void rn_write_omitted_end(const struct rn_write_omitted *l, const char *output, bool rated);
