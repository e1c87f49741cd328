/* SPDX-License-Identifier: MIT */
/* `runnel learn`: reads a pair, trains, and writes the best network so far under its name each time
 * that there is a better one. */
#include "app/commands/commands.h"

#include "app/learn/pictures.h"
#include "app/process/signals.h"
#include "app/process/terminal.h"
#include "app/run/run.h"
#include "filters/base/clock.h"
#include "filters/base/output/outfile.h"
#include "filters/base/owned.h"
#include "filters/base/version.h"
#include "filters/learn/learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHARE  10   /* of the pictures one in so many is held out */
#define JUDGED 25   /* times on the way, */
#define LEAST  10   /* and so many steps from one to the next */
#define FLAT   8    /* judged so often without a gain, behind the middle: it ends */
#define GAIN   0.02 /* dB */

static const char *const prefixes[] = {"", "adam.m.", "adam.v."};

struct learning {
    struct rn_app_session session;
    struct rn_app_cli cli; /* with TARGET where files are checked */
    const struct rn_app_cli *given;
    struct rn_app_pictures input, target;
    char input_md5[RN_DIGEST], target_md5[RN_DIGEST];
    struct rn_learn_setup setup;
    struct rn_learn *learn;
    bool pair;
    double peak, best;
    int64_t best_step;
    int flat;
};

/* ---- the pictures */

static bool is_self(const struct learning *l)
{
    return !strcmp(l->given->operand[1], "self");
}

/* Odd and even pictures are each other's targets. */
static int pair_up(struct learning *l)
{
    struct rn_app_pictures *a = &l->input, *b = &l->target;
    if (a->n < 4)
        return rn_fail(RN_EUSAGE, "'%s' has too few pictures for pairs", l->given->operand[0]);
    if (a->n & 1)
        rn_image_free(&a->image[--a->n]);
    b->image = calloc((size_t)a->n, sizeof *b->image);
    if (!b->image)
        return rn_fail_memory();
    for (int i = 0; i < a->n; i++) /* the same memory: see release */
        b->image[i] = a->image[i ^ 1];
    b->n = a->n;
    return 0;
}

/* The values of samples that go in as 0 and 1, and those of a mask. */
static int find_ranges(struct learning *l)
{
    struct rn_network *n = &l->setup.net;
    const struct rn_geom *geom = &l->input.image->geom;
    float low, high, to_low, to_high;
    bool two = rn_app_pictures_range(&l->input, &low, &high);
    if (low >= high)
        return rn_fail(RN_EUSAGE, "'%s' has one value alone: there is nothing to learn",
                       l->given->operand[0]);
    if (l->target.n && !l->pair) {
        n->mask = rn_app_pictures_range(&l->target, &to_low, &to_high) && !two;
        l->setup.mask_white = to_high;
        char a[24], b[24];
        if (!n->mask && !rn_format_equal(&geom->fmt, &l->target.image->geom.fmt))
            return rn_fail(RN_EUSAGE, "'%s' has pictures of %s, '%s' of %s: -f format=... converts",
                           l->given->operand[0], rn_format_name(&geom->fmt, a),
                           l->given->operand[1], rn_format_name(&l->target.image->geom.fmt, b));
        low = n->mask || to_low > low ? low : to_low;
        high = n->mask || to_high < high ? high : to_high;
    }
    n->stored = geom->scan || geom->fmt.number != RN_NUMBER_UNSIGNED;
    n->low = low;
    n->high = high;
    rn_network_range(n, geom, &low, &high);
    l->peak = (double)high - (double)low;
    return 0;
}

static int check_pair(struct learning *l)
{
    const char *input = l->given->operand[0], *target = l->given->operand[1];
    int x, y;
    double better;
    if (l->target.n != l->input.n)
        return rn_fail(RN_EUSAGE, "'%s' has %d pictures, '%s' %d", input, l->input.n, target,
                       l->target.n);
    if (rn_app_pictures_equal(&l->input, &l->target))
        return rn_fail(RN_EUSAGE, "'%s' and '%s' have the same pictures: there is nothing to learn",
                       input, target);
    if (l->setup.net.mask)
        return 0;
    rn_app_pictures_shift(&l->input, &l->target, &x, &y, &better);
    if (better < 0.8)
        rn_log(RN_LOG_WARNING, "'%s' fits '%s' better if it is moved by %d, %d pixels", target,
               input, x, y);
    return 0;
}

static int read_pictures(struct learning *l)
{
    struct rn_app_session *s = &l->session;
    const char *target = l->given->operand[1];
    int64_t memory = 0;
    int err = rn_app_session_open_input(s, true);
    err = err ? err : rn_app_session_open_devices(s, 1);
    err = err ? err : rn_app_session_bind_pool(s);
    err = err ? err : rn_app_session_memory(s, 1, &memory);
    memory = s->stream ? s->stream->memory / 4 : 0;
    err = err ? err : rn_app_pictures_filter(&l->input, s, memory);
    if (!err && !l->input.n)
        err = rn_fail(RN_EINPUT, "'%s' gave no picture", l->given->operand[0]);
    if (!err && l->input.cut)
        rn_log(RN_LOG_WARNING,
               "'%s': %d pictures fit the memory, the others are left out (--memory)",
               l->given->operand[0], l->input.n);
    if (err || is_self(l))
        return err;
    if (l->pair)
        return pair_up(l);
    struct rn_io_read_opts opts = l->given->source;
    opts.threads = l->given->threads;
    opts.pictures_only = true;
    opts.index_mode = RN_FRAME_INDEX_ANY;
    if (l->input.cut)
        opts.frames = l->input.n;
    err = rn_app_pictures_read(&l->target, target, &opts, &l->input.image->geom,
                               l->given->operand[0]);
    return err;
}

static void release(struct learning *l)
{
    rn_learn_close(&l->learn);
    if (l->pair) {
        free(l->target.image);
        l->target.image = NULL;
        l->target.n = 0;
    }
    rn_app_pictures_free(&l->input);
    rn_app_pictures_free(&l->target);
}

/* ---- the model */

static void say_figure(const struct learning *l, double figure, char text[48])
{
    if (l->setup.net.mask)
        snprintf(text, 48, "Dice %.4f", figure);
    else if (l->setup.self)
        snprintf(text, 48, "%.6g in what is hidden", sqrt(figure));
    else
        snprintf(text, 48, "%.2f dB",
                 10 * log10(l->peak * l->peak / (figure > 0 ? figure : 1e-30)));
}

static int write_model(struct learning *l, FILE *f)
{
    const struct rn_learn_setup *s = &l->setup;
    const float *state[] = {rn_learn_state(l->learn, 0), rn_learn_state(l->learn, 1),
                            rn_learn_state(l->learn, 2)};
    char figure[48], more[512];
    say_figure(l, l->best, figure);
    snprintf(more, sizeof more,
             "\"runnel\":\"%s\",\"loss\":\"%s\",\"seed\":\"%u\",\"step\":\"%lld\","
             "\"steps\":\"%lld\",\"figure\":\"%s\",\"input\":\"%s\",\"target\":\"%s\"",
             RN_VERSION, s->l1 ? "l1" : "l2", s->seed, (long long)l->best_step, (long long)s->steps,
             figure, l->input_md5, l->target_md5);
    return rn_network_write(f, &s->net, more, prefixes, state, 3);
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
    char why[RN_TEXT_WHY] = "", step[RN_NETWORK_TEXT] = "0";
    size_t size;
    if (access(path, F_OK))
        return 0;
    int err = rn_bytes_read(&contents, &size, path, RN_NETWORK_BYTES, why);
    for (int i = 0; i < 3 && !err; i++) {
        RN_OWNED(rn_free_owned) float *floats = NULL;
        struct rn_network net;
        err = rn_network_parse(&net, contents, size, prefixes[i], &floats, why);
        if (!err && (net.layers != now->layers || net.width != now->width ||
                     net.inputs != now->inputs || net.mask != now->mask))
            err = snprintf(why, sizeof why, "it is of another form") ? RN_EUSAGE : 0;
        if (!err)
            memcpy(rn_learn_state(l->learn, i), floats, rn_network_floats(&net) * sizeof *floats);
    }
    if (err)
        return err == RN_EUSAGE ? rn_fail(err, "cannot go on from '%s': %s", path, why) : err;
    rn_network_text(contents, size, "step", step);
    rn_learn_resume(l->learn, atoll(step));
    rn_log(RN_LOG_INFO, "'%s': goes on from step %s", path, step);
    return 0;
}

/* ---- learning */

/* The best of a family of filters on what is held out, for comparison. */
static int try_filters(struct learning *l, const char *name, const char *const values[], int n)
{
    double least = 0;
    const char *which = NULL;
    char text[64], figure[48];
    int first = l->setup.held < l->setup.n ? l->setup.held : 0, err = 0;
    for (int i = 0; i < n && !err; i++) {
        struct rn_app_pictures made = {.image = NULL};
        snprintf(text, sizeof text, "%s=%s", name, values[i]);
        err = rn_app_pictures_apply(&l->input, first,
                                    l->session.ndevices ? l->session.device[0] : NULL, text, &made);
        double error = err ? 0 : rn_learn_compare(l->learn, made.image);
        rn_app_pictures_free(&made);
        if (!err && (!which || error < least)) {
            least = error;
            which = values[i];
        }
    }
    say_figure(l, least, figure);
    if (!err)
        rn_app_terminal_line("  %-18s %s (%s)", name, figure, which);
    return err;
}

static int describe_start(struct learning *l)
{
    static const char *const sigmas[] = {"0.5", "0.7", "1", "1.4", "2", "2.8", "4"};
    static const char *const radii[] = {"1", "2", "3"};
    int first = l->setup.held < l->setup.n ? l->setup.held : 0;
    char figure[48];
    if (l->setup.held == l->setup.n)
        rn_log(RN_LOG_WARNING,
               "'%s' is too short to hold pictures out: figures are those of what "
               "is learned from",
               l->given->operand[0]);
    if (l->setup.net.mask || l->setup.self || rn_log_level() < RN_LOG_INFO)
        return 0;
    say_figure(l, rn_learn_compare(l->learn, l->input.image + first), figure);
    rn_app_terminal_line("  %-18s %s", "the input", figure);
    int err = try_filters(l, "blur=sigma", sigmas, 7);
    return err ? err : try_filters(l, "median=radius", radii, 3);
}

/* Judges, prints a row, and keeps the state if it is the best. */
static int judge(struct learning *l, double begun)
{
    double figure, per = 1;
    char text[48], line[128];
    int err = rn_learn_judge(l->learn, &figure);
    int64_t step = rn_learn_steps(l->learn);
    if (err)
        return err;
    if (!isfinite(figure))
        return rn_fail(RN_EINPUT, "learning diverged at step %lld", (long long)step);
    bool mask = l->setup.net.mask, first = l->best_step < 0;
    per = pow(10, GAIN / 10);
    bool better = first || (mask ? figure > l->best : figure < l->best);
    bool much = first || (mask ? figure > l->best + 1e-4 : figure * per < l->best);
    l->flat = much ? 0 : l->flat + 1;
    if (better) {
        l->best = figure;
        l->best_step = step;
        err = save(l);
    }
    say_figure(l, figure, text);
    printf("%lld,%.6g\n", (long long)step,
           mask            ? figure
           : l->setup.self ? sqrt(figure)
                           : 10 * log10(l->peak * l->peak / (figure > 0 ? figure : 1e-30)));
    fflush(stdout);
    snprintf(line, sizeof line, "step %lld of %lld, %.0f s: %s", (long long)step,
             (long long)l->setup.steps, rn_clock() - begun, text);
    if (rn_app_terminal_redraws())
        rn_app_terminal_status(line);
    return err;
}

static int learn(struct learning *l)
{
    int64_t every = l->setup.steps / JUDGED > LEAST ? l->setup.steps / JUDGED : LEAST;
    double begun = rn_clock(), most = 60.0 * l->given->parts.minutes;
    int err = describe_start(l);
    l->best_step = -1;
    printf("step,%s\n", l->setup.net.mask ? "dice" : l->setup.self ? "error" : "psnr");
    while (!err && rn_learn_steps(l->learn) < l->setup.steps) {
        err = rn_learn_step(l->learn);
        int64_t step = rn_learn_steps(l->learn);
        bool late = (most > 0 && rn_clock() - begun > most) || rn_app_signals_caught();
        if (!err && (late || step == l->setup.steps || step % every == 0))
            err = judge(l, begun);
        if (late || (l->flat >= FLAT && 2 * step > l->setup.steps))
            break;
    }
    rn_app_terminal_status(NULL);
    return err;
}

static int set_up(struct learning *l)
{
    const struct rn_app_cli *cli = l->given;
    struct rn_learn_setup *s = &l->setup;
    l->pair = !strcmp(cli->operand[1], "pair");
    s->net = (struct rn_network){.layers = cli->learn.layers ? cli->learn.layers : 3,
                                 .width = cli->learn.width ? cli->learn.width : 16,
                                 .inputs = 2 * cli->learn.slices + 1};
    s->steps = cli->learn.steps ? cli->learn.steps : 2000;
    s->seed = (uint32_t)cli->learn.seed;
    s->l1 = cli->learn.loss == 1;
    s->self = is_self(l);
    if (l->pair && cli->learn.slices)
        return rn_fail(RN_EUSAGE, "`pair` takes neighbours for targets: it goes without --slices");
    if (!cli->parts.resume && rn_outfile_allowed(cli->operand[2]))
        return RN_EOUTPUT;
    if (cli->parts.resume && rn_outfile_permit(cli->operand[2]))
        return RN_EINTERNAL;
    if (!is_self(l) && !l->pair)
        l->cli.learn.target = cli->operand[1];
    return 0;
}

static int learn_run(const struct rn_app_cli *cli)
{
    static struct learning l; /* as in front.c */
    l = (struct learning){.given = cli, .cli = *cli};
    int err = rn_app_signals_install(NULL, NULL);
    err = err ? err : set_up(&l);
    l.cli.operand[1] = cli->operand[2];
    l.cli.noperands = 2;
    err = err ? err : rn_app_session_read(&l.session, &l.cli, cli->operand[2], NULL, NULL);
    rn_app_signals_hold();
    err = err ? err : read_pictures(&l);
    err = err ? err : rn_app_pictures_sign(&l.input, l.input_md5);
    err = err || !l.target.n ? err : rn_app_pictures_sign(&l.target, l.target_md5);
    err = err ? err : find_ranges(&l);
    err = err || !l.target.n || l.pair ? err : check_pair(&l);
    l.setup.input = l.input.image;
    l.setup.target = l.target.image;
    l.setup.n = l.setup.row = l.input.n;
    int out = (l.input.n + SHARE - 1) / SHARE;
    out += l.pair && out & 1;
    l.setup.held = l.input.n > 1 ? l.input.n - out : 1;
    err = err ? err
              : rn_learn_open(&l.learn, l.session.ndevices ? l.session.device[0] : NULL, &l.setup);
    if (!err && cli->parts.resume)
        err = resume(&l);
    err = err ? err : learn(&l);
    if (!err && l.best_step >= 0) {
        char text[48];
        say_figure(&l, l.best, text);
        rn_log(RN_LOG_INFO, "'%s': %s, of step %lld", cli->operand[2], text,
               (long long)l.best_step);
    }
    release(&l);
    err = rn_app_session_close(&l.session, err);
    rn_app_session_forget(&l.session);
    rn_app_signals_end();
    int sig = rn_app_signals_caught();
    return !err && sig ? -(128 + sig) : err;
}

const struct rn_app_command rn_app_command_learn = {
    .name = "learn",
    .operands = "INPUT TARGET MODEL",
    .summary = "train a small network for `network` from an example",
    .options = RN_OPTIONS_FILTERS | RN_OPTIONS_DEVICE | RN_OPTIONS_INPUT | RN_OPTIONS_OVERWRITE |
               RN_OPTIONS_GUARD | RN_OPTIONS_LEARN,
    .min_operands = 3,
    .max_operands = 3,
    .run = learn_run,
};
