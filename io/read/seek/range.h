/* The range of the input that --from, --to and --frames ask for: what a source knows of it before,
 * and where it ends. Belongs to the reader's thread. */
#ifndef RN_IO_READ_SEEK_RANGE_H
#define RN_IO_READ_SEEK_RANGE_H

#include <stdbool.h>
#include <stdint.h>

struct rn_read_source;
struct rn_io_time;

/* Makes times of the options, which count from zero_us, a time of the input. */
void rn_read_range_begin(struct rn_read_source *src, int64_t zero_us);

/* Sets both ends by what is known with the first picture, and stream.duration. */
void rn_read_range_set_end(struct rn_read_source *src);

/* How many pictures will come, as far as the container knows; -1: it does not. */
int64_t rn_read_range_frames(const struct rn_read_source *src);

/* Is that number the container's own count, and the range one of frames? */
bool rn_read_range_is_exact(const struct rn_read_source *src);

/* How many seconds the range lasts; < 0: unknown. */
double rn_read_range_duration(const struct rn_read_source *src);

/* Is the picture in src->frame before t, a limit of the range? us: t as the input's time. */
bool rn_read_range_is_before(const struct rn_read_source *src, const struct rn_io_time *t,
                             int64_t us);

/* Did the input end before --to or --frames? Known when it was read to its end. */
bool rn_read_range_is_short(const struct rn_read_source *src);

#endif
