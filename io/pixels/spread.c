#include "io/pixels/spread.h"

#include "filters/base/sample.h"

#include <math.h>
#include <stdlib.h>

#define MOST     16384 /* samples of a plane that are looked at */
#define LEFT_OUT 0.005 /* at each end */

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Those of some rows and columns, evenly. Returns how many there are now. */
static size_t gather(const struct rn_plane *plane, enum rn_sample sample, float *to, size_t n)
{
    int step = 1;
    while ((int64_t)((plane->w + step - 1) / step) * ((plane->h + step - 1) / step) > MOST)
        step++;
    for (int y = step / 2 < plane->h ? step / 2 : 0; y < plane->h; y += step) {
        for (int x = step / 2 < plane->w ? step / 2 : 0; x < plane->w; x += step) {
            float v = rn_sample_get(plane, sample, x, y);
            to[n] = v;
            n += isfinite(v) != 0;
        }
    }
    return n;
}

bool rn_pix_spread_of(const struct rn_image *img, double *low, double *high)
{
    const struct rn_format *fmt = &img->geom.fmt;
    int planes = rn_format_planes(fmt) - fmt->alpha;
    float *all = malloc(((size_t)planes * MOST + 1) * sizeof *all);
    size_t n = 0;
    for (int p = 0; all && p < planes; p++)
        n = gather(&img->plane[p], rn_format_sample(fmt), all, n);
    if (n) {
        size_t out = (size_t)(LEFT_OUT * (double)n);
        qsort(all, n, sizeof *all, by_size);
        *low = (double)all[out];
        *high = (double)all[n - 1 - out];
    }
    free(all);
    return n > 0;
}
