/* SPDX-License-Identifier: MIT */
#include "filters/core/chain/region_weights.h"

#include <limits.h>
#include <string.h>

#include "filters/base/log.h"

/* ---- masks */

/* A number of the header, behind blanks and comments; moves *at past it. */
static bool number(const char **at, int most, int *value)
{
    static const char blanks[] = " \t\n\v\f\r";
    *at += strspn(*at, blanks);
    while (**at == '#') {
        *at += strcspn(*at, "\r\n");
        *at += strspn(*at, blanks);
    }
    const char *first = *at;
    for (*value = 0; **at >= '0' && **at <= '9' && *value <= most / 10; ++*at)
        *value = 10 * *value + (**at - '0');
    return *at > first && *value >= 1 && *value <= most && strchr("# \t\n\v\f\r", **at) && **at;
}

bool rn_pgm_parse(const char *file, size_t size, struct rn_pgm *pgm)
{
    const char *at = file + 2;
    if (size < 2 || memcmp(file, "P5", 2) != 0 || !number(&at, INT_MAX / 16, &pgm->w) ||
        !number(&at, INT_MAX / 16, &pgm->h) || !number(&at, 65535, &pgm->max))
        return false;
    pgm->samples = (const unsigned char *)at + 1;
    size_t left = size - (size_t)(at + 1 - file), row = (size_t)pgm->w << (pgm->max > 255);
    return left / row >= (size_t)pgm->h;
}

int rn_region_check(const struct rn_region *r, const char *owner, const struct rn_geom *in)
{
    struct rn_pgm pgm;
    if (r->kind != RN_REGION_MASK)
        return 0;
    if (!*r->pgm)
        return rn_fail(RN_EUSAGE, "%s: region=mask needs mask=FILE, a PGM picture", owner);
    rn_pgm_parse(r->pgm, SIZE_MAX, &pgm); /* the whole file was checked when it was read */
    if (pgm.w != in->w || pgm.h != in->h)
        return rn_fail(RN_EUSAGE, "%s: the mask '%s' has %dx%d pixels, the frames have %dx%d",
                       owner, r->mask, pgm.w, pgm.h, in->w, in->h);
    return 0;
}

/* ---- weights */

/* The pixels of a frame that a sample of a plane stands for: from, and up to, which is excluded. */
struct span {
    int from, to;
};

static struct span covered(int i, int sub, int n)
{
    int end = (i + 1) << sub;
    return (struct span){i << sub, end < n ? end : n};
}

static double mask_weight(const struct rn_pgm *pgm, struct span x, struct span y)
{
    int sum = 0, n = (x.to - x.from) * (y.to - y.from);
    for (int row = y.from; row < y.to; row++)
        for (int col = x.from; col < x.to; col++) {
            size_t at = (size_t)row * (size_t)pgm->w + (size_t)col;
            const unsigned char *wide = pgm->samples + 2 * at;
            int v = pgm->max > 255 ? wide[0] << 8 | wide[1] : pgm->samples[at];
            sum += v < pgm->max ? v : pgm->max;
        }
    return (double)sum / ((double)n * pgm->max);
}

/* How far a place lies within the region, in px, where that is less than any feather; of an ellipse
 * along its shorter axis. */
static double depth(const struct rn_region *r, const struct rn_geom *in, struct span x,
                    struct span y)
{
    double half_w = (double)r->w * in->w / 200, half_h = (double)r->h * in->h / 200;
    double dx = fabs((x.from + x.to) / 2.0 - ((double)r->x * in->w / 100 + half_w));
    double dy = fabs((y.from + y.to) / 2.0 - ((double)r->y * in->h / 100 + half_h));
    if (half_w <= 0 || half_h <= 0)
        return 0;
    if (r->kind == RN_REGION_RECTANGLE)
        return fmin(half_w - dx, half_h - dy);
    dx /= half_w;
    dy /= half_h;
    return (1 - sqrt(dx * dx + dy * dy)) * fmin(half_w, half_h);
}

void rn_region_weights(const struct rn_region *r, const struct rn_geom *in, int p, float *to)
{
    struct rn_pgm pgm = {0};
    int w, h;
    bool chroma = in->fmt.model == RN_YUV && (p == 1 || p == 2);
    rn_geom_plane_size(in, p, &w, &h);
    if (r->kind == RN_REGION_MASK)
        rn_pgm_parse(r->pgm, SIZE_MAX, &pgm);
    for (int row = 0; row < h; row++) {
        struct span y = covered(row, chroma ? in->fmt.sub_y : 0, in->h);
        for (int col = 0; col < w; col++) {
            struct span x = covered(col, chroma ? in->fmt.sub_x : 0, in->w);
            double d = r->kind == RN_REGION_MASK ? 0 : depth(r, in, x, y);
            double weight = r->kind == RN_REGION_MASK ? mask_weight(&pgm, x, y)
                            : d <= 0                  ? 0
                            : d >= (double)r->feather ? 1
                                                      : d / (double)r->feather;
            *to++ = (float)weight;
        }
    }
}
