/* Reports what outputs of pictures only (image files, pages, volumes, DICOM, raw samples) lose of
 * an input: streams, tags, chapters, times... Each kind of thing is a line of the loss report. For
 * the properties of the pictures (colours, rotation...) see compare.h. */
#ifndef RN_IO_WRITE_REPORT_OMITTED_H
#define RN_IO_WRITE_REPORT_OMITTED_H

#include <libavformat/avformat.h>

#include "filters/base/image.h"
#include "filters/base/losses.h"

struct rn_io_media;

/* The pictures' times so far; zeroed: none. */
struct rn_write_omitted {
    const struct rn_io_media *media; /* NULL: not begun */
    struct rn_losses *losses;
    int64_t n, pts, step; /* pictures; the time of the last one; from the first to the second */
    bool varies;          /* another step differs from it */
};

/* Adds tags, chapters, programs and the timecode of the input. */
void rn_write_omitted_headers(struct rn_losses *losses, const char *output,
                              const struct rn_io_media *media);

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

#endif
