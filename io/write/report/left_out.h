/* What an input holds beside the samples of its pictures, for outputs that hold nothing else: image
 * files, pages, volumes, DICOM, bare samples. All of it is lost there, which is a line of the loss
 * report for each kind of thing. What the pictures say of themselves (colours, rotation...) is for
 * compare.h. */
#ifndef RN_IO_WRITE_REPORT_LEFT_OUT_H
#define RN_IO_WRITE_REPORT_LEFT_OUT_H

#include <libavformat/avformat.h>

#include "filters/base/image.h"
#include "io/write/encode/midstream.h"

struct rn_io_media;
struct rn_write_opts;
struct rn_read_source;

/* What is known of the pictures' times; zeroed: none came. */
struct rn_write_left_out {
    const struct rn_read_source *source;
    struct rn_losses *losses;
    int64_t n, pts, step; /* pictures; the time of the last one; from the first to the second */
    bool varies;          /* another step is another one */
    struct rn_write_midstream midstream;
};

/* The kind of a stream, for people. */
const char *rn_write_left_out_kind(const AVStream *st);

/* Adds that a stream is not copied to output; why: the half of a sentence. */
void rn_write_left_out_stream(struct rn_losses *losses, const char *output, const AVStream *st,
                              const char *why);

/* Does a chapter lie within what is read of the input? */
bool rn_write_left_out_reaches(const struct rn_io_media *media, const AVChapter *chapter);

/* Adds tags, chapters, programs and the timecode of the input. */
void rn_write_left_out_headers(struct rn_losses *losses, const char *output,
                               const struct rn_read_source *source);

/* Adds all that is known before the first picture, and begins to watch the times. source and
 * opts->losses are borrowed until the end. */
void rn_write_left_out_begin(struct rn_write_left_out *l, const char *output,
                             const struct rn_write_opts *opts, const struct rn_read_source *source);

/* Takes notice of a picture; before frame->data is given away. */
void rn_write_left_out_watch(struct rn_write_left_out *l, const char *output,
                             const struct rn_frame *frame);

/* Adds what became of the times. rated: the output tells a constant rate. */
void rn_write_left_out_end(const struct rn_write_left_out *l, const char *output, bool rated);

#endif
