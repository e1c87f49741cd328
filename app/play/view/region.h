/* Statistics of a region of the picture: mean, standard deviation, minimum, maximum and a histogram
 * of every plane, before and after the chain. They are measured as `stats` measures whole planes
 * (filters/parts/measure.h): sums of integers are exact, values are in the input's unit if it has a
 * rescale slope, NaN does not count. */
#ifndef RN_APP_PLAY_VIEW_REGION_H
#define RN_APP_PLAY_VIEW_REGION_H

#include <stdio.h>

#include "filters/core/runner/runner.h"
#include "filters/parts/measure.h"

#define RN_REGION_BINS 64 /* at most */

/* One plane, before or after. */
struct rn_play_region_plane {
    struct rn_measure measure;     /* its histogram is this: */
    uint64_t *fine;                /* a bin for each integer; owned */
    uint64_t bins[RN_REGION_BINS]; /* groups of those, and what is in them */
    int n, first, step;            /* bin i: `step` fine ones from first + i * step */
};

/* Zeroed before the first use. */
struct rn_play_region {
    bool on;
    bool measured;  /* what follows is of the frame that is shown */
    int x[2], y[2]; /* the corner begun at and the other one, pixels of the first plane */
    int planes[2];  /* before, after */
    struct rn_play_region_plane plane[2][RN_MAX_PLANES];
    char *table; /* for people; owned */
};

/* Begin a region of one pixel, move its other corner, end it. */
void rn_play_region_begin(struct rn_play_region *region, int x, int y);
void rn_play_region_extend(struct rn_play_region *region, int x, int y);
void rn_play_region_clear(struct rn_play_region *region);

/* Measures the region unless that was done. slot: was waited for. Of a subsampled plane the samples
 * that cover the region count. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_region_measure(struct rn_play_region *region, const struct rn_slot *slot);

/* After rn_play_region_measure: writes the table and the histograms, cells parted by \t, for each
 * bin the value it begins at and its samples. Returns 0 or RN_EINTERNAL (logged). */
int rn_play_region_write(const struct rn_play_region *region, FILE *f);

/* Measures the whole of plane p. to: zeroed before the first use; the caller frees to->fine.
 * Returns 0 or RN_EINTERNAL (logged). */
int rn_play_region_measure_whole(struct rn_play_region_plane *to, const struct rn_image *img,
                                 int p);

void rn_play_region_free(struct rn_play_region *region);

#endif
