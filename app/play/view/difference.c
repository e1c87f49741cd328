#include "app/play/view/difference.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "filters/base/sample.h"

static const unsigned char *bytes_at(const struct rn_plane *p, int bytes, int x, int y)
{
    return p->data + y * p->stride + (ptrdiff_t)x * bytes;
}

static void compare_row(struct rn_play_difference *d, const struct rn_plane *a,
                        const struct rn_plane *b, enum rn_sample sample, int y)
{
    int bytes = rn_sample_bytes(sample);
    if (!memcmp(bytes_at(a, bytes, 0, y), bytes_at(b, bytes, 0, y), (size_t)a->w * (size_t)bytes))
        return;
    for (int x = 0; x < a->w; x++) {
        if (!memcmp(bytes_at(a, bytes, x, y), bytes_at(b, bytes, x, y), (size_t)bytes))
            continue;
        double u = rn_sample_get(a, sample, x, y), v = rn_sample_get(b, sample, x, y);
        d->most = fmax(d->most, fabs(u - v));
        d->differing++;
    }
}

struct rn_play_difference rn_play_difference(const struct rn_image *a, const struct rn_image *b)
{
    struct rn_play_difference d = {.samples = rn_geom_samples(&a->geom)};
    for (int i = 0; i < rn_format_planes(&a->geom.fmt); i++)
        for (int y = 0; y < a->plane[i].h; y++)
            compare_row(&d, &a->plane[i], &b->plane[i], rn_format_sample(&a->geom.fmt), y);
    return d;
}

char *rn_play_difference_tell(const struct rn_play_difference *d, const char *a, const char *b,
                              char *buf, size_t size)
{
    if (!d->differing)
        snprintf(buf, size, "%s = %s: identical pictures", a, b);
    else
        snprintf(buf, size, "%s and %s differ in %" PRId64 " of %" PRId64 " samples, at most by %g",
                 a, b, d->differing, d->samples, d->most);
    return buf;
}
