/* SPDX-License-Identifier: MIT */
#include "filters/bench/bench.h"

#include "filters/base/clock.h"
#include "filters/base/owned.h"

#define WIDTH  131
#define HEIGHT 67

static const char *const chains[] = {"convolution=preset=outline", "blur=2", "median=radius=2",
                                     "closing=shape=disk:radius=3", "equalize"};
static const char *const formats[] = {"gray", "yuv420p10", "grays16", "grayf32"};

/* Samples that differ in any bit. */
static int64_t count_differing(const struct rn_image *a, const struct rn_image *b)
{
    size_t bytes = (size_t)rn_format_bytes(&a->geom.fmt);
    int64_t n = 0;
    for (int p = 0; p < rn_format_planes(&a->geom.fmt); p++)
        for (int y = 0; y < a->plane[p].h; y++)
            for (size_t x = 0; x < (size_t)a->plane[p].w; x++)
                n += memcmp(a->plane[p].data + y * a->plane[p].stride + x * bytes,
                            b->plane[p].data + y * b->plane[p].stride + x * bytes, bytes) != 0;
    return n;
}

int rn_tick_compare(struct rn_device *dev, const char *text, const struct rn_geom *geom,
                    int64_t *differing, double *plain_seconds)
{
    struct rn_runner *runner[2] = {NULL, NULL};
    RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    int err = rn_chain_parse(&chain, text);
    for (int i = 0; i < 2 && !err; i++) {
        err = rn_runner_open(&runner[i], i ? dev : NULL, chain, geom, 1);
        if (err)
            break;
        struct rn_slot *slot = rn_runner_slot(runner[i], 0);
        rn_synthetic_paint(&slot->in);
        double start = rn_clock();
        err = rn_runner_submit(runner[i], slot);
        err = err ? err : rn_runner_drain(runner[i]);
        err = err ? err : rn_runner_wait(runner[i], slot);
        *plain_seconds = i ? *plain_seconds : rn_clock() - start;
    }
    if (!err)
        *differing =
            count_differing(&rn_runner_slot(runner[0], 0)->out, &rn_runner_slot(runner[1], 0)->out);
    rn_runner_close(&runner[0]);
    rn_runner_close(&runner[1]);
    return err;
}

int rn_tick(struct rn_device *dev, struct rn_tick *tick)
{
    const int nformats = (int)(sizeof formats / sizeof *formats);
    int err = 0, n = dev ? nformats * (int)(sizeof chains / sizeof *chains) : 0;
    *tick = (struct rn_tick){.cases = 0};
    for (int i = 0; i < n && !err; i++) {
        const char *chain = chains[i / nformats], *format = formats[i % nformats];
        struct rn_geom geom = rn_synthetic_geom(format, WIDTH, HEIGHT);
        int64_t differing = 0;
        double seconds;
        err = rn_tick_compare(dev, chain, &geom, &differing, &seconds);
        tick->cases += !err;
        if (differing && !tick->differing++)
            snprintf(tick->first, sizeof tick->first, "%s on %s", chain, format);
    }
    return err;
}
