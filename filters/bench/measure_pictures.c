/* SPDX-License-Identifier: MIT */
/* Convolutions by the size of their matrix, the closing of a scan with its transfers, and frames a
 * second: through the filters, as a chain runs them. */
#include "filters/base/owned.h"
#include "filters/bench/measuring.h"

#define PLAIN_WORK    2e8 /* multiplications that plain C does, at least a few rows of them */
#define MAX_SIDE      129
#define FFTW_ESTIMATE 64u /* do not measure plans */

/* ---- convolutions */

struct job {
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

static int run_ours(struct rn_gauge *m, void *arg)
{
    struct job *j = arg;
    struct rn_slot *slot = rn_runner_slot(j->runner, 0);
    slot->frame = (struct rn_frame){.data = NULL};
    int err = rn_runner_submit(j->runner, slot);
    err = err ? err : rn_runner_wait(j->runner, slot);
    return err ? err : rn_runner_recycle(j->runner, slot);
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

static int measure_convolution(struct rn_gauge *m, int side)
{
    struct job j = {.w = m->opts->quick ? 160 : 1280, .h = m->opts->quick ? 90 : 720, .side = side};
    struct rn_figure r = {.unit = "frames/s", .work = 1};
    const struct rn_turns turns = {.ours = run_ours, .peer = {[RN_FFTW] = run_fftw}};
    struct rn_geom geom = rn_synthetic_geom("gray", j.w, j.h);
    RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    RN_OWNED(rn_free_owned) char *text = make_chain(side);
    snprintf(r.name, sizeof r.name, "convolution %d x %d", side, side);
    snprintf(r.size, sizeof r.size, "%d x %d gray", j.w, j.h);
    int err = text ? rn_chain_parse(&chain, text) : RN_EINTERNAL;
    err = err ? err : rn_runner_open(&j.runner, m->dev, chain, &geom, 1);
    if (!err)
        rn_synthetic_paint(&rn_runner_slot(j.runner, 0)->in);
    open_fftw(m, &j);
    err = err ? err : rn_measure_in_turns(m, &turns, &j, &r, NULL);
    /* plain C takes a lower picture where the whole of it would take long */
    double each = (double)j.w * side * side;
    geom.h = PLAIN_WORK / each < j.h ? (int)(PLAIN_WORK / each) + 2 : j.h;
    int64_t differing = 0;
    err = err ? err : rn_tick_compare(m->dev, text, &geom, &differing, &r.plain);
    r.error = (double)differing;
    r.exact = true;
    r.part = (double)geom.h / j.h;
    r.plain /= r.part;
    if (j.forward)
        m->peers.fftw.destroy(j.forward);
    if (j.back)
        m->peers.fftw.destroy(j.back);
    free(j.area);
    free(j.spectrum);
    free(j.weights);
    rn_runner_close(&j.runner);
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

static int measure_stream(struct rn_gauge *m, size_t i)
{
    struct rn_stream_case c = streams[i].what;
    const struct rn_stream_opts opts = {.devs = &m->dev,
                                        .ndevs = 1,
                                        .inflight = m->opts->inflight,
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
    int err = rn_stream_measure(&c, &opts, &ours);
    err = err ? err : rn_stream_measure(&c, &once, &plain);
    struct rn_geom geom = rn_synthetic_geom(c.format, c.w, c.h);
    int64_t differing = 0;
    err = err ? err : rn_tick_compare(m->dev, c.chain, &geom, &differing, &r.plain);
    if (err)
        return err;
    r.exact = true;
    r.error = (double)differing;
    double times = streams[i].whole ? c.frames : 1;
    if (streams[i].whole)
        snprintf(r.size, sizeof r.size, "%d of %d x %d %s", c.frames, c.w, c.h, c.format);
    r.work = times;
    r.ours = ours.wall;
    rn_times_scale(&r.ours, times);
    r.plain = plain.wall.median * times;
    r.part = (double)plain.frames / c.frames;
    r.up = ours.alone.upload * times;
    r.kernels = ours.alone.run * times;
    r.down = ours.alone.download * times;
    return m->each(m->arg, &r);
}

int rn_measure_pictures(struct rn_gauge *m)
{
    static const int sides[] = {3, 5, 7, 9, 15, 31, 63, MAX_SIDE};
    int err = 0, n = m->opts->quick ? 3 : (int)(sizeof sides / sizeof *sides);
    for (int i = 0; i < n && !err; i++)
        err = measure_convolution(m, sides[i]);
    for (size_t i = 0; i < sizeof streams / sizeof *streams && !err; i++)
        err = measure_stream(m, i);
    return err;
}
