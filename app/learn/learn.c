/* SPDX-License-Identifier: MIT */
/* `runnel learn`: reads a pair, trains, and writes the best network so far under its name each time
 * that there is a better one. */
#include "app/commands/commands.h"

#include "app/process/signals.h"
#include "app/process/terminal.h"
#include "app/run/pipeline.h"
#include "app/run/session.h"
#include "filters/base/clock.h"
#include "filters/base/output/outfile.h"
#include "filters/base/owned.h"
#include "filters/base/sample.h"
#include "filters/base/text/hash.h"
#include "filters/base/version.h"
#include "filters/learn/learn.h"
#include "io/read/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pictures that a network learns from, in memory */

struct pictures {
    struct rn_image *image;
    int n;
    bool cut; /* there are more, which do not fit the memory */
};

#define SHIFT  4   /* pixels each way */
#define ENOUGH 0.8 /* of the error without a move */

static struct rn_image *add(struct pictures *p, const struct rn_geom *geom)
{
    if (!(p->n & (p->n - 1))) { /* a power of two, or 0 */
        struct rn_image *more = realloc(p->image, (size_t)(p->n ? 2 * p->n : 1) * sizeof *more);
        if (!more) {
            rn_fail_memory();
            return NULL;
        }
        p->image = more;
    }
    p->image[p->n] = (struct rn_image){.geom = {0}};
    return rn_image_alloc(&p->image[p->n], geom) ? NULL : &p->image[p->n++];
}

static int take(struct pictures *p, const struct rn_image *img, int64_t most)
{
    int64_t bytes = rn_geom_samples(&img->geom) * rn_format_bytes(&img->geom.fmt);
    p->cut = p->cut || bytes * (p->n + 1) > most;
    struct rn_image *copy = p->cut ? NULL : add(p, &img->geom);
    if (copy)
        rn_image_copy(img, copy);
    return p->cut || copy ? 0 : RN_EINTERNAL;
}

static int read_frame(void *source, struct rn_image *img, struct rn_frame *frame)
{
    return rn_read_read(source, img, frame);
}

/* Reads an input through the session's chain, whose pool is bound. most: bytes. Returns 0 or an
 * error (logged). The caller frees what came so far. */
static int pictures_filter(struct pictures *p, struct rn_app_session *s, int64_t most)
{
    struct rn_app_pipeline *pl;
    struct rn_app_meter meter;
    struct rn_io_ledger ledger = {0};
    struct rn_frame tail;
    struct rn_slot *slot;
    const struct rn_app_feed feed = {.arg = s->source, .read = read_frame, .source = s->source};
    int err = rn_pool_start(s->pool);
    err = err ? err : rn_app_pipeline_start(&pl, feed, s->pool, NULL, NULL);
    if (err)
        return err;
    while ((err = rn_app_pipeline_next(pl, &slot)) == 0) {
        err = take(p, &slot->out, most);
        if (p->cut)
            rn_app_pipeline_interrupt(pl);
        err = err ? rn_app_pipeline_fail(pl, err) : rn_app_pipeline_done(pl, slot);
        if (err)
            break;
    }
    rn_app_pipeline_join(pl, &meter, &ledger, &tail);
    rn_io_frame_release(&tail);
    rn_app_pipeline_destroy(&pl);
    return err == RN_END ? 0 : err;
}

/* Reads an input as it is. opts: those of the command line. geom: of the size that its pictures
 * must have; name: of the other input, for the message. Returns likewise. */
static int pictures_read(struct pictures *p, const char *input, const struct rn_io_read_opts *opts,
                         const struct rn_geom *geom, const char *name)
{
    struct rn_read_source *source = NULL;
    int err = rn_read_open(&source, input, opts);
    const struct rn_geom *is = err ? NULL : &rn_read_stream_of(source)->geom;
    if (!err && (is->w != geom->w || is->h != geom->h))
        err = rn_fail(RN_EUSAGE, "'%s' has pictures of %d x %d, '%s' of %d x %d", input, is->w,
                      is->h, name, geom->w, geom->h);
    while (!err) {
        struct rn_frame frame = {.data = NULL};
        struct rn_image *img = add(p, is);
        err = img ? rn_read_read(source, img, &frame) : RN_EINTERNAL;
        rn_io_frame_release(&frame);
    }
    if (err == RN_END)
        rn_image_free(&p->image[--p->n]);
    rn_read_close(&source);
    return err == RN_END ? 0 : err;
}

/* Tells pictures apart. */
static uint64_t pictures_hash(const struct pictures *p)
{
    uint64_t h = 0;
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < rn_format_planes(&p->image->geom.fmt); k++) {
            const struct rn_plane *plane = &p->image[i].plane[k];
            size_t row = (size_t)plane->w * (size_t)rn_format_bytes(&p->image->geom.fmt);
            for (int y = 0; y < plane->h; y++)
                h = h * 0x100000001b3u ^ rn_hash(plane->data + y * plane->stride, row);
        }
    return h;
}

static void pictures_free(struct pictures *p)
{
    for (int i = 0; i < p->n; i++)
        rn_image_free(&p->image[i]);
    free(p->image);
    *p = (struct pictures){.image = NULL};
}

/* Takes pictures from `first` on through a chain. dev: NULL: the C reference. into: as many,
 * allocated here. Returns 0 or an error (logged). */
static int pictures_apply(const struct pictures *p, int first, struct rn_device *dev,
                          const char *text, struct pictures *into)
{
    struct rn_chain *chain = NULL;
    struct rn_runner *runner = NULL;
    int err = rn_chain_parse(&chain, text);
    err = err ? err : rn_runner_open(&runner, dev, chain, &p->image[first].geom, 1);
    for (int i = first; i < p->n && !err; i++) {
        struct rn_slot *slot = rn_runner_slot(runner, 0);
        rn_image_copy(&p->image[i], &slot->in);
        slot->frame = (struct rn_frame){.index = i};
        err = rn_runner_submit(runner, slot);
        err = err ? err : rn_runner_wait(runner, slot);
        err = err ? err : take(into, &slot->out, INT64_MAX);
        err = err ? err : rn_runner_recycle(runner, slot);
    }
    rn_runner_close(&runner);
    rn_chain_destroy(&chain);
    return err;
}

/* The smallest and the largest sample of the planes that a network takes; and whether there are no
 * others. */
static bool pictures_range(const struct pictures *p, float *low, float *high)
{
    unsigned planes = rn_geom_planes(&p->image->geom, 0);
    enum rn_sample sample = rn_format_sample(&p->image->geom.fmt);
    bool between = false;
    *low = HUGE_VALF;
    *high = -HUGE_VALF;
    for (int id = 0; id < 2 * p->n * RN_MAX_PLANES; id++) {
        int k = id % RN_MAX_PLANES, i = id / RN_MAX_PLANES % p->n;
        const struct rn_plane *plane = &p->image[i].plane[k];
        if (!(planes >> k & 1))
            continue;
        bool again = id >= p->n * RN_MAX_PLANES;
        RN_EACH_SAMPLE (plane, x, y) {
            float v = rn_sample_get(plane, sample, x, y);
            between = between || (again && v != *low && v != *high);
            *low = v < *low ? v : *low;
            *high = v > *high ? v : *high;
        }
    }
    return !between && *low < *high;
}

/* The squared error of a against b, of which sample (x, y) lies by (dx, dy) further on. */
static double error_of(const struct rn_image *a, const struct rn_image *b, int dx, int dy)
{
    const struct rn_plane *p = &a->plane[0], *q = &b->plane[0];
    enum rn_sample sample = rn_format_sample(&a->geom.fmt);
    double sum = 0;
    for (int y = SHIFT; y < p->h - SHIFT; y += 3)
        for (int x = SHIFT; x < p->w - SHIFT; x += 3) {
            double e = (double)rn_sample_get(p, sample, x, y) -
                       (double)rn_sample_get(q, sample, x + dx, y + dy);
            sum += e * e;
        }
    return sum;
}

/* Whether b fits a clearly better if it is moved by some whole pixels, seen in the middle. */
static bool pictures_shift(const struct pictures *a, const struct pictures *b, int *x, int *y)
{
    const struct rn_image *p = &a->image[a->n / 2], *q = &b->image[b->n / 2];
    double least = ENOUGH * error_of(p, q, 0, 0);
    *x = *y = 0;
    for (int dy = -SHIFT; dy <= SHIFT; dy++)
        for (int dx = -SHIFT; dx <= SHIFT; dx++) {
            double error = error_of(p, q, dx, dy);
            if (error >= least)
                continue;
            least = error;
            *x = -dx;
            *y = -dy;
        }
    return *x || *y;
}

/* ---- a run */

#define SHARE     10   /* of the pictures one in so many is held out */
#define JUDGED    25   /* times on the way, */
#define LEAST     10   /* and so many steps from one to the next */
#define FLAT      8    /* judged so often without a gain, behind the middle: it ends */
#define GAIN      0.02 /* dB, or of Dice */
#define GAIN_DICE 1e-4

static const char *const prefixes[] = {"", "adam.m.", "adam.v."};

struct learning {
    struct rn_app_session session;
    struct rn_app_cli cli; /* with TARGET where files are checked */
    const struct rn_app_cli *given;
    const char *from, *to; /* INPUT and TARGET */
    struct pictures input, target;
    struct rn_learn_setup setup;
    struct rn_learn *learn;
    struct rn_learn_state *state;
    double best; /* of setup.net.steps steps; 0: none */
    int flat;
};

/* ---- what they are like */

/* The values of samples that go in as 0 and 1, and those of a mask. */
static int find_ranges(struct learning *l)
{
    struct rn_network *n = &l->setup.net;
    const struct rn_geom *geom = &l->input.image->geom;
    char a[24], b[24];
    float low, high;
    bool two = pictures_range(&l->input, &n->low, &n->high);
    n->stored = geom->scan || geom->fmt.number != RN_NUMBER_UNSIGNED;
    if (n->low >= n->high)
        return rn_fail(RN_EUSAGE, "'%s' has one value alone: there is nothing to learn", l->from);
    if (!l->target.n)
        return 0;
    n->mask = pictures_range(&l->target, &low, &high) && !two;
    l->setup.mask_white = high;
    if (n->mask)
        return 0;
    if (!rn_format_equal(&geom->fmt, &l->target.image->geom.fmt))
        return rn_fail(RN_EUSAGE, "'%s' has pictures of %s, '%s' of %s: -f format=... converts",
                       l->from, rn_format_name(&geom->fmt, a), l->to,
                       rn_format_name(&l->target.image->geom.fmt, b));
    n->low = low < n->low ? low : n->low;
    n->high = high > n->high ? high : n->high;
    return 0;
}

static int check_pair(const struct learning *l)
{
    int x, y;
    if (l->target.n != l->input.n)
        return rn_fail(RN_EUSAGE, "'%s' has %d pictures, '%s' %d", l->from, l->input.n, l->to,
                       l->target.n);
    if (pictures_hash(&l->input) == pictures_hash(&l->target))
        return rn_fail(RN_EUSAGE, "'%s' and '%s' have the same pictures: there is nothing to learn",
                       l->from, l->to);
    if (!l->setup.net.mask && pictures_shift(&l->input, &l->target, &x, &y))
        rn_log(RN_LOG_WARNING, "'%s' fits '%s' better if it is moved by %d, %d pixels", l->to,
               l->from, x, y);
    return 0;
}

static int read_pictures(struct learning *l)
{
    struct rn_app_session *s = &l->session;
    int err = rn_app_session_open_input(s, true);
    err = err ? err : rn_app_session_open_devices(s, 1);
    err = err ? err : rn_app_session_bind_pool(s);
    err = err ? err : pictures_filter(&l->input, s, s->stream->memory / 4);
    if (!err && l->input.n < 1 + 3 * (l->setup.from == RN_LEARN_PAIR))
        err = rn_fail(RN_EINPUT, "'%s' has too few pictures", l->from);
    if (!err && l->input.cut)
        rn_log(RN_LOG_WARNING,
               "'%s': %d pictures fit the memory, the others are left out (--memory)", l->from,
               l->input.n);
    if (!err && l->setup.from == RN_LEARN_PAIR && l->input.n & 1)
        rn_image_free(&l->input.image[--l->input.n]);
    if (err || l->setup.from != RN_LEARN_TARGET)
        return err;
    struct rn_io_read_opts opts = l->given->source;
    opts.threads = l->given->threads;
    opts.pictures_only = true;
    opts.index_mode = RN_FRAME_INDEX_ANY;
    opts.frames = l->input.cut ? l->input.n : opts.frames;
    return pictures_read(&l->target, l->to, &opts, &l->input.image->geom, l->from);
}

/* ---- the model */

static void say_figure(const struct learning *l, double figure, char text[32])
{
    snprintf(text, 32, l->setup.net.mask ? "Dice %.4f" : "%.2f dB", figure);
}

static int write_model(struct learning *l, FILE *f)
{
    const struct rn_learn_setup *s = &l->setup;
    const float *const floats[] = {l->state->floats[0], l->state->floats[1], l->state->floats[2]};
    char figure[32], more[512];
    say_figure(l, l->best, figure);
    snprintf(more, sizeof more,
             "\"runnel\":\"%s\",\"loss\":\"%s\",\"seed\":\"%u\",\"steps\":\"%lld\","
             "\"figure\":\"%s\",\"input\":\"%016llx\",\"target\":\"%016llx\"",
             RN_VERSION, s->l1 ? "l1" : "l2", s->seed, (long long)s->steps, figure,
             (unsigned long long)pictures_hash(&l->input),
             (unsigned long long)pictures_hash(&l->target));
    return rn_network_write(f, &s->net, more, prefixes, floats, 3);
}

static int save(struct learning *l)
{
    struct rn_outfile file = {.path = NULL};
    const char *path = l->given->operand[2];
    int err = rn_outfile_begin(&file, path);
    FILE *f = err ? NULL : fopen(file.temp, "wb");
    err = f ? write_model(l, f) : err;
    bool failed = !f || ferror(f);
    failed = (f && fclose(f)) || failed;
    if (!err && failed)
        err = rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, strerror(errno));
    err = err ? err : rn_outfile_commit(&file, false);
    err = err ? err : rn_outfile_permit(path); /* what is there is ours */
    rn_outfile_free(&file);
    return err;
}

/* Goes on from MODEL, if it is there. */
static int resume(struct learning *l)
{
    const char *path = l->given->operand[2];
    const struct rn_network *now = &l->setup.net;
    RN_OWNED(rn_free_owned) char *contents = NULL;
    char why[RN_TEXT_WHY] = "";
    struct rn_network net = *now;
    size_t size;
    if (access(path, F_OK))
        return 0;
    int err = rn_bytes_read(&contents, &size, path, RN_NETWORK_BYTES, why);
    for (int i = 0; i < 3 && !err; i++) {
        RN_OWNED(rn_free_owned) float *floats = NULL;
        err = rn_network_parse(&net, contents, size, prefixes[i], &floats, why);
        if (!err && (net.layers != now->layers || net.width != now->width ||
                     net.inputs != now->inputs || net.mask != now->mask))
            err = snprintf(why, sizeof why, "it is of another form") ? RN_EUSAGE : 0;
        if (!err)
            memcpy(l->state->floats[i], floats, rn_network_floats(&net) * sizeof *floats);
    }
    if (err)
        return err == RN_EUSAGE ? rn_fail(err, "cannot go on from '%s': %s", path, why) : err;
    l->state->steps = net.steps;
    rn_log(RN_LOG_INFO, "'%s': goes on from step %d", path, net.steps);
    return 0;
}

/* ---- learning */

/* The best of a family of filters on what is held out, for comparison. chains: as many as there
 * are, then NULL. */
static int try_filters(struct learning *l, const char *name, const char *const *chains)
{
    struct rn_device *dev = l->session.ndevices ? l->session.device[0] : NULL;
    double best = 0, figure;
    char text[32];
    int first = l->setup.held < l->setup.n ? l->setup.held : 0, err = 0;
    const char *which = NULL;
    for (; *chains && !err; chains++) {
        struct pictures made = {.image = NULL};
        err = pictures_apply(&l->input, first, dev, *chains, &made);
        err = err ? err : rn_learn_judge(l->learn, made.image, &figure);
        pictures_free(&made);
        if (!err && (!which || figure > best)) {
            best = figure;
            which = *chains;
        }
    }
    say_figure(l, best, text);
    if (!err)
        rn_app_terminal_line("  %-18s %s%s%s", name, text, *which ? ": " : "", which);
    return err;
}

static int describe_start(struct learning *l)
{
    static const char *const none[] = {"", NULL};
    static const char *const blurs[] = {"blur=0.5", "blur=0.7", "blur=1", "blur=1.4",
                                        "blur=2",   "blur=2.8", "blur=4", NULL};
    static const char *const medians[] = {"median=1", "median=2", "median=3", NULL};
    if (l->setup.held == l->setup.n)
        rn_log(RN_LOG_WARNING,
               "'%s' is too short to hold pictures out: figures are those of what is learned from",
               l->from);
    if (l->setup.net.mask || l->setup.from == RN_LEARN_SELF || rn_log_level() < RN_LOG_INFO)
        return 0;
    int err = try_filters(l, "the input", none);
    err = err ? err : try_filters(l, "the best blur", blurs);
    return err ? err : try_filters(l, "the best median", medians);
}

/* Judges, prints a row, and keeps the state if it is the best. */
static int judge(struct learning *l, double begun)
{
    double figure;
    char text[32], line[128];
    int err = rn_learn_judge(l->learn, NULL, &figure);
    long long step = l->state->steps;
    if (err)
        return err;
    if (!isfinite(figure))
        return rn_fail(RN_EINPUT, "learning diverged at step %lld", step);
    double gain = !l->setup.net.steps ? HUGE_VAL : figure - l->best;
    l->flat = gain > (l->setup.net.mask ? GAIN_DICE : GAIN) ? 0 : l->flat + 1;
    if (gain > 0) {
        l->best = figure;
        l->setup.net.steps = (int)step;
        err = save(l);
    }
    printf("%lld,%.6g\n", step, figure);
    fflush(stdout);
    say_figure(l, figure, text);
    snprintf(line, sizeof line, "step %lld of %lld, %.0f s: %s", step, (long long)l->setup.steps,
             rn_clock() - begun, text);
    if (rn_app_terminal_redraws())
        rn_app_terminal_status(line);
    return err;
}

static int learn(struct learning *l)
{
    int64_t every = l->setup.steps / JUDGED > LEAST ? l->setup.steps / JUDGED : LEAST;
    double begun = rn_clock(), most = 60.0 * l->given->parts.minutes;
    int err = describe_start(l);
    printf("step,%s\n", l->setup.net.mask ? "dice" : "psnr");
    while (!err && l->state->steps < l->setup.steps) {
        err = rn_learn_step(l->learn);
        int64_t step = l->state->steps;
        bool late = (most > 0 && rn_clock() - begun > most) || rn_app_signals_caught();
        if (!err && (late || step == l->setup.steps || step % every == 0))
            err = judge(l, begun);
        if (late || (l->flat >= FLAT && 2 * step > l->setup.steps))
            break;
    }
    rn_app_terminal_status(NULL);
    char text[32];
    say_figure(l, l->best, text);
    if (!err && l->setup.net.steps)
        rn_log(RN_LOG_INFO, "'%s': %s, of step %d", l->given->operand[2], text, l->setup.net.steps);
    return err;
}

/* What the command line says, before anything is read. */
static int set_up(struct learning *l)
{
    const struct rn_app_cli *cli = l->given;
    const char *model = cli->operand[2];
    struct rn_learn_setup *s = &l->setup;
    l->from = cli->operand[0];
    l->to = cli->operand[1];
    s->from = !strcmp(l->to, "pair")   ? RN_LEARN_PAIR
              : !strcmp(l->to, "self") ? RN_LEARN_SELF
                                       : RN_LEARN_TARGET;
    s->net = (struct rn_network){.layers = cli->learn.layers ? cli->learn.layers : 3,
                                 .width = cli->learn.width ? cli->learn.width : 16,
                                 .inputs = 2 * cli->learn.slices + 1};
    s->steps = cli->learn.steps ? cli->learn.steps : 2000;
    s->seed = (uint32_t)cli->learn.seed;
    s->l1 = cli->learn.loss == 1;
    if (s->from == RN_LEARN_PAIR && cli->learn.slices)
        return rn_fail(RN_EUSAGE, "`pair` takes neighbours for targets: it goes without --slices");
    l->cli.learn.target = s->from == RN_LEARN_TARGET ? l->to : NULL;
    l->cli.operand[1] = model;
    l->cli.noperands = 2;
    int err = cli->parts.resume ? rn_outfile_permit(model) : rn_outfile_allowed(model);
    return err ? err : rn_app_session_read(&l->session, &l->cli, model, NULL, NULL);
}

/* After the pictures are read. */
static int begin(struct learning *l)
{
    struct rn_learn_setup *s = &l->setup;
    int err = find_ranges(l), out = (l->input.n + SHARE - 1) / SHARE;
    err = err || !l->target.n ? err : check_pair(l);
    if (err)
        return err;
    s->input = l->input.image;
    s->target = l->target.image;
    s->n = l->input.n;
    out += s->from == RN_LEARN_PAIR && out & 1;
    s->held = s->n > 1 ? s->n - out : 1;
    err = rn_learn_open(&l->learn, l->session.ndevices ? l->session.device[0] : NULL, s);
    if (err)
        return err;
    l->state = rn_learn_state(l->learn);
    return l->given->parts.resume ? resume(l) : 0;
}

static int learn_run(const struct rn_app_cli *cli)
{
    static struct learning l; /* as in front.c */
    l = (struct learning){.given = cli, .cli = *cli};
    int err = rn_app_signals_install(NULL, NULL);
    err = err ? err : set_up(&l);
    rn_app_signals_hold();
    err = err ? err : read_pictures(&l);
    err = err ? err : begin(&l);
    err = err ? err : learn(&l);
    rn_learn_close(&l.learn);
    pictures_free(&l.input);
    pictures_free(&l.target);
    err = rn_app_session_close(&l.session, err);
    rn_app_session_forget(&l.session);
    rn_app_signals_end();
    int sig = rn_app_signals_caught();
    return !err && sig ? -(128 + sig) : err;
}

const struct rn_app_command rn_app_command_learn = {
    .name = "learn",
    .operands = "INPUT TARGET MODEL",
    .summary = "train a filter from an example; `network` applies it",
    .options = RN_OPTIONS_FILTERS | RN_OPTIONS_DEVICE | RN_OPTIONS_INPUT | RN_OPTIONS_OVERWRITE |
               RN_OPTIONS_GUARD | RN_OPTIONS_LEARN,
    .min_operands = 3,
    .max_operands = 3,
    .run = learn_run,
};
