/* What an input holds beside the samples of its pictures, for outputs that hold nothing else: image
 * files, pages, volumes, DICOM, bare samples. All of it is lost there, which is a line of the loss
 * report for each kind of thing. What the pictures say of themselves (colours, rotation...) is for
 * compare.h. */
#ifndef RN_IO_WRITE_REPORT_OMITTED_H
#define RN_IO_WRITE_REPORT_OMITTED_H

#include <libavformat/avformat.h>

#include "filters/base/image.h"
#include "filters/base/losses.h"

struct rn_io_media;

/* What is known of the pictures' times; zeroed: none came. */
struct rn_write_omitted {
    const struct rn_io_media *media; /* NULL: nothing is watched */
    struct rn_losses *losses;
    int64_t n, pts, step; /* pictures; the time of the last one; from the first to the second */
    bool varies;          /* another step is another one */
};

/* Adds tags, chapters, programs and the timecode of the input. */
void rn_write_omitted_headers(struct rn_losses *losses, const char *output,
                              const struct rn_io_media *media);

/* Adds all that is known before the first picture, and begins to watch the times. audio, subs: as
 * the user wants them (rn_write_opts), "none" is no loss. media and losses are borrowed until the
 * end. */
void rn_write_omitted_begin(struct rn_write_omitted *l, const char *output,
                            const struct rn_io_media *media, const char *audio, const char *subs,
                            struct rn_losses *losses);

/* Takes notice of the time of a picture. */
void rn_write_omitted_watch(struct rn_write_omitted *l, const struct rn_frame *frame);

/* Adds what became of the times. rated: the output tells a constant rate. */
void rn_write_omitted_end(const struct rn_write_omitted *l, const char *output, bool rated);

#endif
