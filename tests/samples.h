/* SPDX-License-Identifier: MIT */
/* Chains on the reference path whose samples, or measures, are known. */
#pragma once

#include "tests/engine.h"
#include "tests/pictures.h"

#define ROW(...)                                                                                   \
    (const float[])                                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Frames of w * h samples, which every plane begins with. One plane is taken. */
struct samples {
    const float *in;
    float *out;
    int64_t first; /* frame */
    int plane;
    struct rn_geom geom; /* of the output */
};

static inline void give_samples(struct rn_image *img, int64_t frame, void *arg)
{
    const struct samples *s = arg;
    int w = img->geom.w, n = w * img->geom.h;
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++)
        for (int i = 0; i < n; i++)
            rn_sample_put(&img->plane[p], rn_format_sample(&img->geom.fmt), i % w, i / w,
                          s->in[(frame - s->first) * n + i]);
}

static inline void take_samples(struct rn_image *img, int64_t frame, void *arg)
{
    struct samples *s = arg;
    int w = img->geom.w, n = w * img->geom.h;
    s->geom = img->geom;
    for (int i = 0; i < n; i++)
        s->out[(frame - s->first) * n + i] =
            rn_sample_get(&img->plane[s->plane], rn_format_sample(&img->geom.fmt), i % w, i / w);
}

static inline bool run_samples(struct check *check, const char *text, const struct rn_geom *geom,
                               int frames, struct samples *s)
{
    int err = run_chain(NULL, text, geom, s->first, frames, give_samples, take_samples, s);
    if (err)
        check_bad(check, "'%s' fails with %d", text, err);
    return !err;
}

/* NaN is NaN, and 0 is not -0. */
static inline bool same_sample(float a, float b)
{
    return !memcmp(&a, &b, sizeof a) || (a == b && a != 0);
}

/* Returns the geometry of the output. */
static inline struct rn_geom expect_samples(struct check *check, const char *text,
                                            const struct rn_geom *geom, int frames, const float *in,
                                            const float *want)
{
    static float got[65536];
    struct samples s = {.in = in, .out = got};
    char name[24];
    bool done = run_samples(check, text, geom, frames, &s);
    for (int i = 0; i < geom->w * geom->h * frames && done; i++)
        if (!same_sample(got[i], want[i]))
            check_bad(check, "%s on %s: sample %d, %g, becomes %.9g, not %.9g", text,
                      rn_format_name(&geom->fmt, name), i, (double)in[i], (double)got[i],
                      (double)want[i]);
    return s.geom;
}

#define TABLE_HEADER                                                                               \
    "frame,time,plane,mean,variance,min,max,l1,l2,lp,linf,entropy,dot_prev,ncc_prev"

/* Expects a table of stats with these options, which leaves the samples as they are. */
static inline void expect_table(struct check *check, const char *options,
                                const struct rn_geom *geom, int frames, const float *in,
                                const char *want)
{
    char path[] = "/tmp/table-XXXXXX", chain[256], got[4096];
    int fd = mkstemp(path);
    if (fd >= 0)
        close(fd);
    unlink(path);
    snprintf(chain, sizeof chain, "stats=%s%sfile=%s", options, *options ? ":" : "", path);
    expect_samples(check, chain, geom, frames, in, in);
    FILE *f = fopen(path, "r");
    got[f ? fread(got, 1, sizeof got - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    unlink(path);
    if (strcmp(got, want) != 0)
        check_bad(check, "stats gives\n%s# instead of\n%s", got, want);
}
