/* Holds the first frames of an input in memory, so that `bench` measures the chain without the
 * decoder. */
#ifndef RN_APP_COMMANDS_CACHED_FRAMES_H
#define RN_APP_COMMANDS_CACHED_FRAMES_H

#include <stdatomic.h>

#include "app/run/pipeline.h"
#include "filters/base/image.h"
#include "io/read/source.h"

struct rn_app_cached {
    struct rn_geom geom;
    int64_t n;
    bool more; /* the input has more frames */
    struct rn_image *image;
    struct rn_frame *frame; /* without data */
};

/* Reads at least one frame, until the source ends or the frames and their 16-bit copies would
 * exceed max_bytes. Returns 0, RN_EINPUT or RN_EINTERNAL (logged). cached: zeroed; call
 * rn_app_cached_free in any case. */
int rn_app_cached_read(struct rn_app_cached *cached, struct rn_read_source *source,
                       int64_t max_bytes);

/* Converts the frames to unsigned samples of 8 or 16 bits, black..white to black..white. cached:
 * zeroed; call rn_app_cached_free in any case. Returns 0, RN_EUSAGE if there is no such format, or
 * RN_EINTERNAL (logged). */
int rn_app_cached_convert(struct rn_app_cached *cached, const struct rn_app_cached *from, int bits);

/* The size of the samples of all frames in bytes. */
int64_t rn_app_cached_bytes(const struct rn_app_cached *cached);

void rn_app_cached_free(struct rn_app_cached *cached);

/* Feeds the frames to one pipeline, once. */
struct rn_app_cached_feed {
    const struct rn_app_cached *cached;
    int64_t next;
    atomic_bool stopped;
};
struct rn_app_feed rn_app_cached_feed(struct rn_app_cached_feed *feed,
                                      const struct rn_app_cached *cached);

#endif
