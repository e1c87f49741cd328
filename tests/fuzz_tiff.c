/* SPDX-License-Identifier: MIT */
/* TIFF: the reader of pages, whatever the file looks like to the program. */
#include "tests/fuzz.h"

#include "io/volumes/reader.h"

#define MOST_PIXELS (1 << 18) /* of all pages; more take their time, and make more of the same */

/* Files with one page would go through libav. Returns false if the pages are too large. */
static bool read_pages(const char *path)
{
    struct rn_io_read_opts opts = {.frames = -1};
    struct rn_read_input *in = NULL;
    atomic_bool stop = false;
    AVFrame *frame = av_frame_alloc();
    FUZZ_CHECK(frame);
    bool small = true;
    if (!rn_vol_tiff_open_stack(&in, path, &opts, &stop)) {
        const struct rn_vol_reader *reader = (const struct rn_vol_reader *)in;
        small = (double)reader->w * reader->h * (double)rn_vol_pictures(in->volume) <= MOST_PIXELS;
        while (small && !in->ops->picture(in, frame))
            ;
        if (in->ops->finish)
            in->ops->finish(in);
        in->ops->close(in);
    }
    av_frame_free(&frame);
    return small;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 8 || (memcmp(data, "II", 2) != 0 && memcmp(data, "MM", 2) != 0))
        return -1;
    const char *path = rn_fuzz_file(data, size);
    if (!read_pages(path))
        return -1;
    if (rn_vol_tiff_match(path))
        rn_fuzz_source(path);
    return 0;
}
