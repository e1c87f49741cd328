/* Convolutions by the size of their matrix, the closing of a scan with its transfers, and frames a
 * second: through the filters, as a chain runs them. */
#include "filters/linear/measuring.h"

#include "filters/base/clock.h"
#include "filters/bench/stream.h"
#include "filters/bench/synthetic.h"
#include "filters/core/runner/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN_WORK    2e8 /* multiplications that plain C does, at least a few rows of them */
#define MOST_SIDE     129
#define FFTW_ESTIMATE 64u /* do not measure plans */

/* ---- convolutions */

struct job {
    const char *chain;
    int w, h, side; /* side: of the matrix */
    struct rn_runner *runner;
    /* of FFTW: the picture with its border and its spectrum, and that of the matrix */
    int fft_w, fft_h;
    float *area;
    float *spectrum, *weights;
    void *forward, *back;
};

/* Whole numbers in no order, so that the matrix is not a product of a column and a row. */
static char *make_chain(int side)
{
    size_t size = 64 + 3 * (size_t)side * (size_t)side, used = 0;
    char *text = malloc(size);
    uint32_t seed = 1;
    if (!text) {
        rn_fail_memory();
        return NULL;
    }
    used += (size_t)snprintf(text, size, "convolution=matrix='");
    for (int i = 0; i < side * side; i++)
        used += (size_t)snprintf(text + used, size - used, "%d ",
                                 (int)((seed = seed * 1664525 + 1013904223) >> 28) % 10);
    snprintf(text + used, size - used, "'");
    return text;
}

static int open_runner(struct rn_device *dev, const char *text, int w, int h,
                       struct rn_runner **runner)
{
    struct rn_chain *chain = NULL;
    struct rn_geom geom = rn_synthetic_geom("gray", w, h);
    int err = rn_chain_parse(&chain, text);
    err = err ? err : rn_runner_open(runner, dev, chain, &geom, 1);
    if (!err)
        rn_synthetic_paint(&rn_runner_slot(*runner, 0)->in);
    rn_chain_destroy(&chain);
    return err;
}

static int run_frame(struct rn_runner *runner)
{
    struct rn_slot *slot = rn_runner_slot(runner, 0);
    slot->frame = (struct rn_frame){.data = NULL};
    int err = rn_runner_submit(runner, slot);
    err = err ? err : rn_runner_wait(runner, slot);
    return err;
}

static int run_ours(struct rn_gauge *m, void *arg)
{
    struct job *j = arg;
    int err = run_frame(j->runner);
    (void)m;
    return err ? err : rn_runner_recycle(j->runner, rn_runner_slot(j->runner, 0));
}

/* There, times the spectrum of the matrix, and back. */
static int run_fftw(struct rn_gauge *m, void *arg)
{
    struct job *j = arg;
    size_t n = (size_t)j->fft_h * ((size_t)j->fft_w / 2 + 1);
    if (!j->forward || !j->back)
        return RN_END;
    m->peers.fftw.execute(j->forward);
    for (size_t i = 0; i < n; i++) {
        float re = j->spectrum[2 * i], im = j->spectrum[2 * i + 1];
        const float *by = j->weights + 2 * i;
        j->spectrum[2 * i] = re * by[0] - im * by[1];
        j->spectrum[2 * i + 1] = re * by[1] + im * by[0];
    }
    m->peers.fftw.execute(j->back);
    return 0;
}

static void open_fftw(struct rn_gauge *m, struct job *j)
{
    const struct rn_fftw *f = &m->peers.fftw;
    j->fft_w = rn_round_up(j->w + j->side - 1, 32);
    j->fft_h = rn_round_up(j->h + j->side - 1, 32);
    size_t n = (size_t)j->fft_w * (size_t)j->fft_h;
    if (!f->forward)
        return;
    j->area = rn_measure_numbers(n, 1);
    j->spectrum = rn_measure_numbers(2 * n, 2);
    j->weights = rn_measure_numbers(2 * n, 3);
    if (!j->area || !j->spectrum || !j->weights)
        return;
    j->forward = f->forward(j->fft_h, j->fft_w, j->area, j->spectrum, FFTW_ESTIMATE);
    j->back = f->back(j->fft_h, j->fft_w, j->spectrum, j->area, FFTW_ESTIMATE);
}

static void close_fftw(struct rn_gauge *m, struct job *j)
{
    if (j->forward)
        m->peers.fftw.destroy(j->forward);
    if (j->back)
        m->peers.fftw.destroy(j->back);
    free(j->area);
    free(j->spectrum);
    free(j->weights);
}

/* Of 8-bit samples. */
static double differing(const struct rn_image *a, const struct rn_image *b)
{
    double n = 0;
    for (int p = 0; p < rn_format_planes(&a->geom.fmt); p++)
        for (int y = 0; y < a->plane[p].h; y++)
            for (int x = 0; x < a->plane[p].w; x++)
                n += a->plane[p].data[y * a->plane[p].stride + x] !=
                     b->plane[p].data[y * b->plane[p].stride + x];
    return n;
}

/* On a lower picture where the whole of it would take long; error: samples that differ. */
static int compare(struct rn_gauge *m, const struct job *j, struct rn_figure *r)
{
    struct rn_runner *runner[2] = {NULL, NULL};
    double each = (double)j->w * j->side * j->side;
    int h = PLAIN_WORK / each < j->h ? (int)(PLAIN_WORK / each) + 2 : j->h, err = 0;
    for (int i = 0; i < 2 && !err; i++) {
        err = open_runner(i ? m->dev : NULL, j->chain, j->w, h, &runner[i]);
        double t = rn_clock();
        err = err ? err : run_frame(runner[i]);
        r->plain = i ? r->plain : rn_clock() - t;
    }
    if (!err)
        r->error =
            differing(&rn_runner_slot(runner[0], 0)->out, &rn_runner_slot(runner[1], 0)->out);
    r->exact = true;
    r->part = (double)h / j->h;
    r->plain /= r->part;
    rn_runner_close(&runner[0]);
    rn_runner_close(&runner[1]);
    return err;
}

static int measure_convolution(struct rn_gauge *m, int side)
{
    struct job j = {.w = m->opts->quick ? 160 : 1280, .h = m->opts->quick ? 90 : 720, .side = side};
    struct rn_figure r = {.unit = "frames/s", .work = 1};
    const struct rn_turns turns = {.ours = run_ours, .peer = {[RN_FFTW] = run_fftw}};
    char *chain = make_chain(side);
    j.chain = chain;
    snprintf(r.name, sizeof r.name, "convolution %d x %d", side, side);
    snprintf(r.size, sizeof r.size, "%d x %d gray", j.w, j.h);
    int err = chain ? open_runner(m->dev, chain, j.w, j.h, &j.runner) : RN_EINTERNAL;
    open_fftw(m, &j);
    err = err ? err : rn_measure_in_turns(m, &turns, &j, &r, NULL);
    err = err ? err : compare(m, &j, &r);
    close_fftw(m, &j);
    rn_runner_close(&j.runner);
    free(chain);
    return err ? err : m->each(m->arg, &r);
}

/* ---- streams */

static const struct {
    const char *name;
    bool whole; /* the unit is all frames, not one */
    struct rn_stream_case what;
} streams[] = {
    {"closing of a scan, 2-D",
     true,
     {"closing=shape=cross:radius=1:border=zero", "gray", 512, 512, 771}},
    {"closing of a scan, 3-D",
     true,
     {"closing=shape=cross:radius=1:slices=1:border=zero", "gray", 512, 512, 771}},
    {"convolution 3 x 3", false, {"convolution=preset=outline", "yuv420p", 1280, 720, 2000}},
    {"prewitt", false, {"prewitt", "yuv420p", 1280, 720, 2000}},
    {"median 3 x 3", false, {"median=radius=1", "yuv420p", 1280, 720, 2000}},
};

/* Frames through the device and through plain C: samples that differ. */
static int compare_stream(struct rn_gauge *m, const struct rn_stream_case *c, struct rn_figure *r)
{
    struct rn_runner *runner[2] = {NULL, NULL};
    struct rn_geom geom = rn_synthetic_geom(c->format, c->w, c->h);
    struct rn_chain *chain = NULL;
    int err = rn_chain_parse(&chain, c->chain);
    for (int i = 0; i < 2 && !err; i++) {
        err = rn_runner_open(&runner[i], i ? m->dev : NULL, chain, &geom, 1);
        struct rn_slot *slot = err ? NULL : rn_runner_slot(runner[i], 0);
        if (slot)
            rn_synthetic_paint(&slot->in);
        err = err ? err : rn_runner_submit(runner[i], slot);
        err = err ? err : rn_runner_drain(runner[i]);
        err = err ? err : rn_runner_wait(runner[i], slot);
    }
    if (!err)
        r->error =
            differing(&rn_runner_slot(runner[0], 0)->out, &rn_runner_slot(runner[1], 0)->out);
    r->exact = true;
    rn_runner_close(&runner[0]);
    rn_runner_close(&runner[1]);
    rn_chain_destroy(&chain);
    return err;
}

static void scale(struct rn_times *s, double factor)
{
    s->min *= factor;
    s->median *= factor;
    s->max *= factor;
}

static int measure_stream(struct rn_gauge *m, size_t i)
{
    struct rn_stream_case c = streams[i].what;
    const struct rn_stream_opts opts = {.inflight = m->opts->inflight,
                                        .repeats = m->opts->repeats,
                                        .seconds = m->opts->quick ? 0.01 : 1.0};
    const struct rn_stream_opts once = {
        .inflight = 1, .repeats = 1, .seconds = m->opts->quick ? 0.01 : 0.5};
    struct rn_stream_result ours, plain;
    struct rn_figure r = {.unit = "frames/s", .work = 1, .part = 1};
    if (m->opts->quick)
        c = (struct rn_stream_case){c.chain, c.format, c.w / 8, c.h / 8, 20};
    snprintf(r.name, sizeof r.name, "%s", streams[i].name);
    snprintf(r.size, sizeof r.size, "%d x %d %s", c.w, c.h, c.format);
    int err = rn_stream_measure(m->dev, &c, &opts, &ours);
    err = err ? err : rn_stream_measure(NULL, &c, &once, &plain);
    err = err ? err : compare_stream(m, &c, &r);
    if (err)
        return err;
    double times = streams[i].whole ? c.frames : 1;
    if (streams[i].whole)
        snprintf(r.size, sizeof r.size, "%d of %d x %d %s", c.frames, c.w, c.h, c.format);
    r.work = times;
    r.ours = ours.wall;
    scale(&r.ours, times);
    r.plain = plain.wall.median * times;
    r.part = (double)plain.frames / c.frames;
    r.up = ours.alone.upload * times;
    r.kernels = ours.alone.run * times;
    r.down = ours.alone.download * times;
    return m->each(m->arg, &r);
}

int rn_measure_pictures(struct rn_gauge *m)
{
    static const int sides[] = {3, 5, 7, 9, 15, 31, 63, MOST_SIDE};
    int err = 0, n = m->opts->quick ? 3 : (int)(sizeof sides / sizeof *sides);
    for (int i = 0; i < n && !err; i++)
        err = measure_convolution(m, sides[i]);
    for (size_t i = 0; i < sizeof streams / sizeof *streams && !err; i++)
        err = measure_stream(m, i);
    return err;
}
