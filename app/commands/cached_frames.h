/* Frames of an input in memory, as many as there is room for: what `bench` filters over and over,
 * so that no decoder stands beside the chain. */
#ifndef RN_APP_COMMANDS_CACHED_FRAMES_H
#define RN_APP_COMMANDS_CACHED_FRAMES_H

#include <stdatomic.h>

#include "app/run/pipeline.h"
#include "filters/base/image.h"
#include "io/read/source.h"

struct rn_app_cached {
    struct rn_geom geom;
    int64_t n;
    bool more; /* the input has others, for which there was no room */
    struct rn_image *image;
    struct rn_frame *frame; /* without data */
};

/* Reads frames until the source ends, or all of them, and a copy of each with 16 bits a sample,
 * would need more than `most` bytes; one at least. Returns 0, RN_EINPUT or RN_EINTERNAL (logged).
 * cached: zeroed; rn_app_cached_free in any case. */
int rn_app_cached_read(struct rn_app_cached *cached, struct rn_read_source *source, int64_t most);

/* Converts the frames to unsigned samples of so many bits, 8 or 16, black..white to black..white.
 * cached: zeroed; rn_app_cached_free in any case. Returns 0, RN_EUSAGE where there is no such
 * format, or RN_EINTERNAL (logged). */
int rn_app_cached_convert(struct rn_app_cached *cached, const struct rn_app_cached *from, int bits);

/* How many bytes the samples of all frames have. */
int64_t rn_app_cached_bytes(const struct rn_app_cached *cached);

void rn_app_cached_free(struct rn_app_cached *cached);

/* Gives the frames to a pipeline, once. feed is of one pipeline. */
struct rn_app_cached_feed {
    const struct rn_app_cached *cached;
    int64_t next;
    atomic_bool stopped;
};
struct rn_app_feed rn_app_cached_feed(struct rn_app_cached_feed *feed,
                                      const struct rn_app_cached *cached);

#endif
