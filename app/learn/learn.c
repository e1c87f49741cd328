/* SPDX-License-Identifier: MIT */
/* `runnel learn`: reads a pair, trains, and writes the best network so far under its name each time
 * that there is a better one. */
#include "app/commands/commands.h"

#include "app/learn/pictures.h"
#include "app/process/signals.h"
#include "app/process/terminal.h"
#include "app/run/session.h"
#include "filters/base/clock.h"
#include "filters/base/output/outfile.h"
#include "filters/base/owned.h"
#include "filters/base/version.h"
#include "filters/learn/learn.h"

#include <math.h>

#define SHARE     10   /* of the pictures one in so many is held out */
#define JUDGED    25   /* times on the way, */
#define LEAST     10   /* and so many steps from one to the next */
#define FLAT      8    /* judged so often without a gain, behind the middle: it ends */
#define GAIN      0.02 /* dB, or of Dice */
#define GAIN_DICE 1e-4

static const char *const prefixes[] = {"", "adam.m.", "adam.v."};

enum { LOSS_OF_TARGET, LOSS_L2, LOSS_L1 }; /* as --loss has them */

struct learning {
    struct rn_app_session session;
    struct rn_app_cli cli; /* with TARGET where files are checked */
    const struct rn_app_cli *given;
    const char *from, *to; /* INPUT and TARGET */
    struct rn_app_pictures input, target;
    struct rn_learn learn;
    double best; /* of learn.s.net.steps steps; 0: none */
    int flat;
};

/* ---- the pictures */

/* The values of samples that go in as 0 and 1, and those of a mask. */
static int find_ranges(struct learning *l)
{
    struct rn_network *n = &l->learn.s.net;
    const struct rn_geom *geom = &l->input.image->geom;
    char a[24], b[24];
    float low, high;
    bool two = rn_app_pictures_range(&l->input, &n->low, &n->high);
    n->stored = geom->scan || geom->fmt.number != RN_NUMBER_UNSIGNED;
    if (n->low >= n->high)
        return rn_fail(RN_EUSAGE, "'%s' has one value alone: there is nothing to learn", l->from);
    if (!l->target.n)
        return 0;
    n->doubles = l->target.image->geom.w == 2 * geom->w;
    if (n->doubles && geom->scan)
        return rn_fail(RN_EUSAGE, "'%s' is twice as large as '%s': networks double video alone",
                       l->to, l->from);
    if (rn_app_pictures_range(&l->target, &low, &high) && !two) {
        bool probability = l->given->learn.loss == LOSS_OF_TARGET;
        n->output = probability ? RN_NETWORK_PROBABILITY : RN_NETWORK_MASK;
        l->learn.s.mask_white = high;
        return 0;
    }
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
    if (l->input.hash == l->target.hash)
        return rn_fail(RN_EUSAGE, "'%s' and '%s' have the same pictures: there is nothing to learn",
                       l->from, l->to);
    if (!rn_network_is_mask(&l->learn.s.net) && !l->learn.s.net.doubles &&
        rn_app_pictures_shift(&l->input, &l->target, &x, &y))
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
    err = err ? err : rn_app_pictures_filter(&l->input, s, s->stream->memory / 4);
    if (!err && l->input.n < 1 + 3 * (l->learn.s.from == RN_LEARN_PAIR))
        err = rn_fail(RN_EINPUT, "'%s' has too few pictures", l->from);
    if (!err && l->input.cut)
        rn_log(RN_LOG_WARNING,
               "'%s': %d pictures fit the memory, the others are left out (--memory)", l->from,
               l->input.n);
    if (!err && l->learn.s.from == RN_LEARN_PAIR && l->input.n & 1)
        rn_image_free(&l->input.image[--l->input.n]);
    if (err || l->learn.s.from != RN_LEARN_TARGET)
        return err;
    struct rn_io_read_opts opts = l->given->source;
    opts.threads = l->given->threads;
    opts.pictures_only = true;
    opts.index_mode = RN_FRAME_INDEX_ANY;
    opts.frames = l->input.cut ? l->input.n : opts.frames;
    return rn_app_pictures_read(&l->target, l->to, &opts, &l->input.image->geom, l->from);
}

/* ---- the model */

static void say_figure(const struct learning *l, double figure, char text[32])
{
    snprintf(text, 32, rn_network_is_mask(&l->learn.s.net) ? "Dice %.4f" : "%.2f dB", figure);
}

static int write_model(struct learning *l, FILE *f)
{
    const struct rn_learn_setup *s = &l->learn.s;
    const float *const floats[] = {l->learn.floats[0], l->learn.floats[1], l->learn.floats[2]};
    const char *loss = s->net.output == RN_NETWORK_PROBABILITY ? "cross-entropy"
                       : s->l1                                 ? "l1"
                                                               : "l2";
    char figure[32], more[512];
    say_figure(l, l->best, figure);
    snprintf(more, sizeof more,
             "\"runnel\":\"%s\",\"loss\":\"%s\",\"seed\":\"%u\",\"steps\":\"%lld\","
             "\"figure\":\"%s\",\"input\":\"%016llx\",\"target\":\"%016llx\"",
             RN_VERSION, loss, s->seed, (long long)s->steps, figure,
             (unsigned long long)l->input.hash, (unsigned long long)l->target.hash);
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
    const struct rn_network *now = &l->learn.s.net;
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
        if (!err &&
            (net.layers != now->layers || net.width != now->width || net.inputs != now->inputs ||
             net.output != now->output || net.doubles != now->doubles || net.imported))
            err = snprintf(why, sizeof why, "it is of another form") ? RN_EUSAGE : 0;
        if (!err)
            memcpy(l->learn.floats[i], floats, rn_network_floats(&net) * sizeof *floats);
    }
    if (err)
        return err == RN_EUSAGE ? rn_fail(err, "cannot go on from '%s': %s", path, why) : err;
    l->learn.steps = net.steps;
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
    int first = l->learn.s.held < l->learn.s.n ? l->learn.s.held : 0, err = 0;
    const char *which = NULL;
    for (; *chains && !err; chains++) {
        struct rn_app_pictures made = {.image = NULL};
        err = rn_app_pictures_apply(&l->input, first, dev, *chains, &made);
        err = err ? err : rn_learn_judge(&l->learn, made.image, &figure);
        rn_app_pictures_free(&made);
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
    if (l->learn.s.held == l->learn.s.n)
        rn_log(RN_LOG_WARNING,
               "'%s' is too short to hold pictures out: figures are those of what is learned from",
               l->from);
    if (rn_network_is_mask(&l->learn.s.net) || l->learn.s.from == RN_LEARN_SELF ||
        rn_log_level() < RN_LOG_INFO)
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
    int err = rn_learn_judge(&l->learn, NULL, &figure);
    long long step = l->learn.steps;
    if (err)
        return err;
    if (!isfinite(figure))
        return rn_fail(RN_EINPUT, "learning diverged at step %lld", step);
    double gain = !l->learn.s.net.steps ? HUGE_VAL : figure - l->best;
    l->flat = gain > (rn_network_is_mask(&l->learn.s.net) ? GAIN_DICE : GAIN) ? 0 : l->flat + 1;
    if (gain > 0) {
        l->best = figure;
        l->learn.s.net.steps = (int)step;
        err = save(l);
    }
    printf("%lld,%.6g\n", step, figure);
    fflush(stdout);
    say_figure(l, figure, text);
    snprintf(line, sizeof line, "step %lld of %lld, %.0f s: %s", step, (long long)l->learn.s.steps,
             rn_clock() - begun, text);
    if (rn_app_terminal_redraws())
        rn_app_terminal_status(line);
    return err;
}

static int learn(struct learning *l)
{
    int64_t every = l->learn.s.steps / JUDGED > LEAST ? l->learn.s.steps / JUDGED : LEAST;
    double begun = rn_clock(), most = 60.0 * l->given->parts.minutes;
    int err = describe_start(l);
    printf("step,%s\n", rn_network_is_mask(&l->learn.s.net) ? "dice" : "psnr");
    while (!err && l->learn.steps < l->learn.s.steps) {
        err = rn_learn_step(&l->learn);
        int64_t step = l->learn.steps;
        bool late = (most > 0 && rn_clock() - begun > most) || rn_app_signals_caught();
        if (!err && (late || step == l->learn.s.steps || step % every == 0))
            err = judge(l, begun);
        if (late || (l->flat >= FLAT && 2 * step > l->learn.s.steps))
            break;
    }
    rn_app_terminal_status(NULL);
    char text[32];
    say_figure(l, l->best, text);
    if (!err && l->learn.s.net.steps)
        rn_log(RN_LOG_INFO, "'%s': %s, of step %d", l->given->operand[2], text,
               l->learn.s.net.steps);
    return err;
}

/* What the command line says, before anything is read. */
static int set_up(struct learning *l)
{
    const struct rn_app_cli *cli = l->given;
    const char *model = cli->operand[2];
    struct rn_learn_setup *s = &l->learn.s;
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
    s->l1 = cli->learn.loss == LOSS_L1;
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
    struct rn_learn_setup *s = &l->learn.s;
    int err = find_ranges(l), out = (l->input.n + SHARE - 1) / SHARE;
    err = err || !l->target.n ? err : check_pair(l);
    if (err)
        return err;
    s->input = l->input.image;
    s->target = l->target.image;
    s->n = l->input.n;
    out += s->from == RN_LEARN_PAIR && out & 1;
    s->held = s->n > 1 ? s->n - out : 1;
    err = rn_learn_open(&l->learn, l->session.ndevices ? l->session.device[0] : NULL);
    return err || !l->given->parts.resume ? err : resume(l);
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
    rn_app_pictures_free(&l.input);
    rn_app_pictures_free(&l.target);
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
