/* Reads an input to its end, and once more from its middle. */
#ifndef RN_FUZZ_SOURCE_H
#define RN_FUZZ_SOURCE_H

#include "tests/fuzz.h"

#include "filters/base/err.h"
#include "io/read/source.h"

static inline void rn_fuzz_pictures(struct rn_read_source *source, int most)
{
    const struct rn_geom *geom = &rn_read_stream_of(source)->geom;
    struct rn_image img;
    struct rn_frame frame;
    if ((int64_t)geom->w * geom->h > 1 << 20 || rn_image_alloc(&img, geom))
        return;
    int err = 0;
    for (int64_t last = INT64_MIN; most > 0 && !err; most--) {
        err = rn_read_read(source, &img, &frame);
        if (!err)
            FUZZ_CHECK(frame.pts > last);
        last = frame.pts;
        rn_io_frame_release(&frame);
    }
    FUZZ_CHECK(err <= 0 || err == RN_END);
    rn_image_free(&img);
}

static inline void rn_fuzz_choice(const char *input, const struct rn_io_read_opts *opts)
{
    struct rn_read_source *source = NULL;
    struct rn_io_ledger ledger;
    if (rn_read_open(&source, input, opts))
        return;
    rn_fuzz_pictures(source, 64);
    if (!rn_read_seek(source, 0.1))
        rn_fuzz_pictures(source, 4);
    rn_read_ledger(source, &ledger);
    FUZZ_CHECK(ledger.in.damage.damaged >= 0 && ledger.in.damage.missing >= 0);
    rn_read_close(&source);
}

static inline void rn_fuzz_source(const char *input)
{
    struct rn_io_read_opts opts = {.frames = -1, .threads = 1};
    rn_fuzz_choice(input, &opts);
}

#endif
