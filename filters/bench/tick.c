#include "filters/bench/tick.h"

#include "filters/bench/synthetic.h"
#include "filters/core/runner/runner.h"

#include <stdio.h>
#include <string.h>

#define WIDTH  131
#define HEIGHT 67

static const char *const chains[] = {"convolution=preset=outline", "blur=2", "median=radius=2",
                                     "closing=shape=disk:radius=3", "equalize"};
static const char *const formats[] = {"gray", "yuv420p10", "grays16", "grayf32"};

static int run(struct rn_runner *runner)
{
    struct rn_slot *slot = rn_runner_slot(runner, 0);
    rn_synthetic_paint(&slot->in);
    slot->frame = (struct rn_frame){.data = NULL};
    int err = rn_runner_submit(runner, slot);
    return err ? err : rn_runner_wait(runner, slot);
}

static bool same(const struct rn_image *a, const struct rn_image *b)
{
    size_t bytes = (size_t)rn_format_bytes(&a->geom.fmt);
    for (int p = 0; p < rn_format_planes(&a->geom.fmt); p++)
        for (int y = 0; y < a->plane[p].h; y++)
            if (memcmp(a->plane[p].data + y * a->plane[p].stride,
                       b->plane[p].data + y * b->plane[p].stride,
                       (size_t)a->plane[p].w * bytes) != 0)
                return false;
    return true;
}

static int compare(struct rn_device *dev, const struct rn_chain *chain, const char *format,
                   bool *equal)
{
    struct rn_runner *runner[2] = {NULL, NULL};
    struct rn_geom geom = rn_synthetic_geom(format, WIDTH, HEIGHT);
    int err = 0;
    for (int i = 0; i < 2 && !err; i++) {
        err = rn_runner_open(&runner[i], i ? NULL : dev, chain, &geom, 1);
        err = err ? err : run(runner[i]);
    }
    *equal = !err && same(&rn_runner_slot(runner[0], 0)->out, &rn_runner_slot(runner[1], 0)->out);
    rn_runner_close(&runner[0]);
    rn_runner_close(&runner[1]);
    return err;
}

static int try_chain(struct rn_device *dev, const char *text, struct rn_tick *tick)
{
    struct rn_chain *chain = NULL;
    int err = rn_chain_parse(&chain, text);
    for (size_t f = 0; f < sizeof formats / sizeof *formats && !err; f++) {
        bool equal;
        err = compare(dev, chain, formats[f], &equal);
        tick->cases += !err;
        if (err || equal)
            continue;
        if (!tick->differing++)
            snprintf(tick->first, sizeof tick->first, "%s on %s", text, formats[f]);
    }
    rn_chain_destroy(&chain);
    return err;
}

int rn_tick(struct rn_device *dev, struct rn_tick *tick)
{
    int err = 0;
    *tick = (struct rn_tick){.cases = 0};
    for (size_t i = 0; i < sizeof chains / sizeof *chains && dev && !err; i++)
        err = try_chain(dev, chains[i], tick);
    return err;
}
