/* SPDX-License-Identifier: MIT */
#include "app/commands/commands.h"

#include "app/commands/bench_report.h"
#include "app/run/report.h"
#include "app/process/signals.h"
#include "filters/base/clock.h"
#include "filters/base/owned.h"
#include "filters/base/threads/thread.h"
#include "filters/core/chain/level.h"

#define MAX_BYTES     (1LL << 30) /* of the frames in memory, and at most a quarter of the memory */
#define USUAL_CHAIN   "convolution" /* with USUAL_PRESET; commands.texts has both */
#define USUAL_PRESET  "outline"
#define USUAL_REPEATS 5

/* The first frames of the input, in memory: the chain is measured without the decoder. */
struct cached {
    struct rn_geom geom;
    int64_t n, next; /* next: of a pass through a pipeline */
    bool more;       /* the input has more frames */
    struct cached_frame {
        struct rn_image image;
        struct rn_frame frame; /* without data */
    } * frame;
};

struct bench {
    struct rn_app_cli cli; /* source.frames: limited to those in memory */
    struct rn_app_session session;
    struct cached cached;
    struct rn_analysis input_analysis; /* of the chain for the unconverted input */
    bool by_field;                     /* of the input */
    struct rn_app_bench_report report;
    struct rn_app_bench_place *place; /* current */
    struct rn_io_damage damage;       /* of the input */
};

static void show_status(const struct bench *b, const char *what, int repeat)
{
    char line[128];
    snprintf(line, sizeof line, "-d %s: %s, repeat %d", b->place->select, what, repeat + 1);
    rn_app_suite_show_status(line);
}

/* ---- the frames in memory */

/* Allocates frame cached->n, which does not count yet. */
static int add_frame(struct cached *cached)
{
    struct cached_frame *frame =
        realloc(cached->frame, (size_t)(cached->n + 1) * sizeof *cached->frame);
    if (!frame)
        return rn_fail_memory();
    cached->frame = frame;
    frame[cached->n].frame = (struct rn_frame){.data = NULL};
    return rn_image_alloc(&frame[cached->n].image, &cached->geom);
}

/* Reads at least one frame, until the source ends or the frames and their 16-bit copies would
 * exceed max_bytes. */
static int read_frames(struct cached *cached, struct rn_read_source *source, int64_t max_bytes)
{
    cached->geom = rn_read_stream_of(source)->geom;
    int64_t each = rn_geom_samples(&cached->geom) * (rn_format_bytes(&cached->geom.fmt) + 2);
    int err = 0;
    while (!cached->more && !err && !(err = add_frame(cached))) {
        struct cached_frame *f = &cached->frame[cached->n];
        err = rn_read_read(source, &f->image, &f->frame);
        rn_io_frame_release(&f->frame);
        cached->more = !err && cached->n > 0 && (cached->n + 1) * each > max_bytes;
        if (err || cached->more)
            rn_image_free(&f->image);
        else
            cached->n++;
    }
    return err == RN_END ? 0 : err;
}

/* Converts the frames to unsigned samples of 8 or 16 bits, black..white to black..white, by the
 * reference path. cached: zeroed. */
static int convert_frames(struct cached *cached, const struct cached *from, int bits)
{
    struct rn_format fmt = from->geom.fmt;
    RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL;
    RN_OWNED(rn_runner_close) struct rn_runner *runner = NULL;
    char name[24], text[64];
    fmt.depth = bits;
    fmt.number = RN_NUMBER_UNSIGNED;
    snprintf(text, sizeof text, "format=%s:values=range", rn_format_name(&fmt, name));
    int err = rn_chain_parse(&chain, text);
    err = err ? err : rn_runner_open(&runner, NULL, chain, &from->geom, 1);
    if (!err)
        cached->geom = *rn_runner_output(runner);
    while (!err && cached->n < from->n && !(err = add_frame(cached))) {
        struct rn_slot *slot = rn_runner_slot(runner, 0);
        const struct cached_frame *in = &from->frame[cached->n];
        struct cached_frame *out = &cached->frame[cached->n++];
        out->frame = in->frame;
        rn_image_copy(&in->image, &slot->in);
        slot->frame = (struct rn_frame){.data = NULL};
        err = rn_runner_submit(runner, slot);
        err = err ? err : rn_runner_wait(runner, slot);
        if (!err)
            rn_image_copy(&slot->out, &out->image);
        err = err ? err : rn_runner_recycle(runner, slot);
    }
    return err;
}

static void free_frames(struct cached *cached)
{
    for (int64_t i = 0; i < cached->n; i++)
        rn_image_free(&cached->frame[i].image);
    free(cached->frame);
}

static int feed_frame(void *arg, struct rn_image *img, struct rn_frame *frame)
{
    struct cached *cached = arg;
    frame->data = NULL;
    if (cached->next == cached->n)
        return RN_END;
    const struct cached_frame *f = &cached->frame[cached->next++];
    rn_image_copy(&f->image, img);
    *frame = f->frame;
    return 0;
}

/* Streams the frames through the pool once. *wall: seconds by the host's clock; meter->decode: of
 * the reader's copies. */
static int stream_once(struct cached *cached, struct rn_pool *pool, double *wall,
                       struct rn_app_meter *meter)
{
    RN_OWNED(rn_app_pipeline_destroy) struct rn_app_pipeline *pl = NULL;
    struct rn_io_ledger ledger = {.read = 0};
    struct rn_frame tail;
    struct rn_slot *slot;
    double t0 = rn_clock();
    const struct rn_app_feed frames = {.arg = cached, .read = feed_frame};
    cached->next = 0;
    int err = rn_app_pipeline_start(&pl, frames, pool, NULL, NULL);
    if (err)
        return err;
    rn_app_signals_watch(pl);
    while (!(err = rn_app_pipeline_next(pl, &slot)) && !(err = rn_app_pipeline_done(pl, slot)))
        ;
    rn_app_pipeline_join(pl, meter, &ledger, &tail);
    *wall = rn_clock() - t0;
    rn_app_signals_unwatch();
    return err == RN_END ? 0 : err;
}

/* The first pass does not count: it fills caches and raises clocks. */
static int repeat_in_memory(const struct bench *b, struct rn_app_bench_case *c,
                            struct cached *cached, struct rn_pool *pool)
{
    struct rn_app_meter meter;
    double wall;
    int err = 0;
    for (int i = -1; i < b->report.repeats && !err && !rn_app_signals_caught(); i++) {
        struct rn_timings before, after;
        show_status(b, c->converted ? "converted frames in memory" : "frames in memory", i);
        rn_pool_timings(pool, &before);
        err = stream_once(cached, pool, &wall, &meter);
        rn_pool_timings(pool, &after);
        if (err || i < 0)
            continue;
        const struct rn_timings t = rn_timings_between(&before, &after);
        double kernels = rn_timings_kernels(&t);
        for (int k = 0; k < rn_chain_count(b->session.chain); k++)
            c->seconds[RN_BENCH_STAGES + k][i] = t.stage[k];
        c->seconds[RN_BENCH_UPLOAD][i] = t.upload;
        c->seconds[RN_BENCH_DOWNLOAD][i] = t.download;
        c->seconds[RN_BENCH_KERNELS][i] = kernels;
        c->seconds[RN_BENCH_SUM][i] = t.upload + kernels + t.download;
        c->uploaded = t.uploaded;
        c->downloaded = t.downloaded;
        c->seconds[RN_BENCH_WALL][i] = wall;
        c->seconds[RN_BENCH_COPY][i] = meter.decode;
        c->inflight = meter.inflight;
        c->lanes = meter.pool.lanes;
    }
    return err;
}

static int measure(struct bench *b, struct rn_app_bench_case *c, struct cached *cached,
                   const struct rn_chain *chain)
{
    struct rn_pool *pool = NULL;
    const struct rn_pool_opts opts = {
        RN_SIZED(struct rn_pool_opts), .inflight = b->cli.inflight,
        .batch = b->cli.batch,         .threads = b->cli.threads,
        .by_field = b->by_field,       .mixed = b->cli.source.fields == RN_FIELDS_AUTO};
    c->geom = cached->geom;
    c->bytes = cached->n * rn_geom_bytes(&cached->geom);
    int err =
        rn_pool_open(&pool, b->session.device, b->session.ndevices, chain, &cached->geom, &opts);
    err = err ? err : rn_pool_start(pool);
    err = err ? err : repeat_in_memory(b, c, cached, pool);
    if (pool)
        err = rn_first_error(err, rn_pool_stop(pool, !err));
    return rn_first_error(err, rn_pool_close(&pool));
}

/* ---- other sample types */

/* Sets the level of `to` at the same place between black and white as that of `from`. */
static void move_level(const struct rn_param *row, const struct rn_stage *from,
                       const struct rn_geom *in, struct rn_stage *to, const struct rn_geom *out)
{
    const struct rn_level *level = (const void *)((const char *)from->params + row->off);
    struct rn_level *moved = (void *)((char *)to->params + row->off);
    double black = (double)rn_geom_black(in), to_black = (double)rn_geom_black(out);
    double factor = ((double)rn_geom_white(out) - to_black) / ((double)rn_geom_white(in) - black);
    double v = row->level == RN_DISTANCE
                   ? rn_level_distance(level, in) * factor
                   : to_black + (rn_level_position(level, in) - black) * factor;
    *moved = (struct rn_level){.value = (float)v, .scale = RN_SCALE_NATIVE, .unit = ""};
}

/* Moves the levels of the chain: values of the input may not exist in the converted frames. */
static int convert_chain(const struct bench *b, const struct rn_geom *geom, struct rn_chain *chain)
{
    const struct rn_chain *own = b->session.chain;
    struct rn_analysis analysis;
    for (int i = 0; i < rn_chain_count(chain); i++)
        for (const struct rn_param *row = rn_chain_stage(chain, i)->table; row->name; row++)
            if (row->level)
                rn_param_reset(row, rn_chain_stage(chain, i)->params);
    int err = rn_chain_check(chain, geom, &analysis);
    for (int i = 0; i < rn_chain_count(chain) && !err; i++)
        for (const struct rn_param *row = rn_chain_stage(chain, i)->table; row->name; row++)
            if (row->level)
                move_level(row, rn_chain_stage(own, i), &b->input_analysis.stage[i].in,
                           rn_chain_stage(chain, i), &analysis.stage[i].in);
    return err;
}

/* Measures the unconverted input, then 8 and 16 bit, unless the input has that depth. */
static int measure_in_memory(struct bench *b)
{
    int input_bits = 8 * rn_format_bytes(&b->cached.geom.fmt);
    struct rn_app_bench_place *place = b->place;
    place->ncases = 1;
    int err = measure(b, &place->cases[0], &b->cached, b->session.chain);
    for (int bits = 8; bits <= 16 && !err && !rn_app_signals_caught(); bits += 8)
        if (bits != input_bits) {
            RN_OWNED(free_frames) struct cached cached = {.n = 0};
            RN_OWNED(rn_chain_destroy) struct rn_chain *chain = rn_chain_copy(b->session.chain);
            struct rn_app_bench_case *c = &place->cases[place->ncases++];
            c->converted = true;
            err = chain ? convert_frames(&cached, &b->cached, bits) : RN_EINTERNAL;
            err = err ? err : convert_chain(b, &cached.geom, chain);
            err = err ? err : measure(b, c, &cached, chain);
        }
    return err;
}

/* ---- from and to files */

/* CPU time of all threads of the process. */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int write_once(struct bench *b, struct rn_app_output *out, double *wall, double *cpu)
{
    struct rn_app_session *s = &b->session;
    int err = rn_app_session_open_input(s, !strcmp(s->output, "null:"));
    err = err ? err : rn_app_output_check(s, s->output, NULL);
    err = err ? err : rn_app_session_bind_pool(s);
    char *name = err ? NULL : strdup(s->output);
    err = err ? err : name ? rn_app_output_open(out, s, name) : rn_fail_memory();
    double t0 = rn_clock(), cpu0 = cpu_seconds();
    err = err ? err : rn_app_output_write(out, s, NULL);
    b->damage = out->ledger.in.damage;
    *wall = rn_clock() - t0;
    *cpu = cpu_seconds() - cpu0;
    return err;
}

static int measure_files(struct bench *b)
{
    struct rn_app_bench_case *c = &b->place->cases[0];
    int err = 0;
    for (int i = 0; i < b->report.repeats && !err && !rn_app_signals_caught(); i++) {
        struct rn_app_output out = {.name = NULL};
        show_status(b, "from and to files", i);
        err =
            write_once(b, &out, &c->seconds[RN_BENCH_FILES][i], &c->seconds[RN_BENCH_FILES_CPU][i]);
        c->seconds[RN_BENCH_DECODE][i] = out.meter.decode;
        c->seconds[RN_BENCH_ENCODE][i] = out.encode;
        c->seconds[RN_BENCH_FILES_UPLOAD][i] = out.timings.upload;
        c->seconds[RN_BENCH_FILES_KERNELS][i] =
            rn_timings_kernels(&out.timings) /
            (out.meter.pool.lanes > 1 ? out.meter.pool.lanes : 1);
        c->seconds[RN_BENCH_FILES_DOWNLOAD][i] = out.timings.download;
        rn_outfile_set_policy(RN_OVERWRITE_YES); /* the next repeats replace our file */
        rn_app_output_free(&out);
        rn_pool_close(&b->session.pool);
        rn_read_close(&b->session.source);
    }
    c->from_files = true;
    return err;
}

/* ---- the command */

static int64_t cache_limit(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    int64_t quarter = pages > 0 && size > 0 ? (int64_t)pages / 4 * size : MAX_BYTES;
    return quarter < MAX_BYTES ? quarter : MAX_BYTES;
}

/* Without a filter, no frame would reach the device. */
static int amend_chain(void *arg, struct rn_chain *chain, const struct rn_app_cli *cli)
{
    int err = rn_app_suite_check_chain(chain);
    if (err || rn_chain_count(chain))
        return err;
    return rn_chain_append(chain, USUAL_CHAIN) ? rn_chain_set(chain, 0, "preset", USUAL_PRESET)
                                               : RN_EINTERNAL;
}

/* Adds n devices that share the frames. n = 0: the C reference path. */
static void add_place(struct rn_app_bench_report *r, const struct rn_device_info *devices, int n)
{
    struct rn_app_bench_place *p = &r->place[r->nplaces++];
    size_t used = (size_t)snprintf(p->select, sizeof p->select, "%s", n ? "" : "none");
    for (int i = 0; i < n; i++)
        used += (size_t)snprintf(p->select + used, sizeof p->select - used, "%s%d", i ? "," : "",
                                 devices[i].index);
    p->ndevices = n;
    if (n)
        p->device = devices[0];
}

/* Adds every device, or those of -d, each alone and all together. */
static int find_places(struct bench *b)
{
    RN_OWNED(rn_free_owned) struct rn_device_info *list = NULL;
    struct rn_app_bench_report *r = &b->report;
    int n = rn_app_suite_list_devices(&b->session, &list), err = n < 0 ? n : 0;
    r->place = err ? NULL : calloc((size_t)n + 1, sizeof *r->place);
    err = err || r->place ? err : rn_fail_memory();
    for (int i = 0; i < n && !err; i++)
        add_place(r, &list[i], 1);
    if (!err && (!n || (n > 1 && b->cli.device)))
        add_place(r, list, n);
    return err;
}

static int load(struct bench *b)
{
    struct rn_app_session *s = &b->session;
    int err = rn_app_session_open_input(s, true);
    err = err ? err : rn_app_output_check(s, s->output, NULL);
    err = err ? err : find_places(b);
    if (err)
        return err;
    b->by_field = s->stream->by_field;
    b->input_analysis = s->analysis;
    err = read_frames(&b->cached, s->source, cache_limit());
    if (!err && !b->cached.n)
        err = rn_fail(RN_EINPUT, "'%s' has no frame", b->report.input);
    b->report.frames = b->cached.n;
    b->report.more = b->cached.more;
    if (b->cached.more)
        b->cli.source.frames = b->cached.n;
    rn_read_close(&s->source);
    return err;
}

/* A failure of one of several devices does not stop the others. */
static int measure_places(struct bench *b)
{
    struct rn_app_session *s = &b->session;
    int failed = 0;
    for (int i = 0; i < b->report.nplaces && !rn_app_signals_caught(); i++) {
        b->place = &b->report.place[i];
        if (b->place->ndevices) /* or the warning that there is none would be lost */
            b->cli.device = b->place->select;
        int err = rn_app_session_open_devices(s, RN_MAX_DEVICES);
        err = err ? err : measure_in_memory(b);
        err = err || rn_app_signals_caught() ? err : measure_files(b);
        rn_pool_close(&s->pool);
        rn_read_close(&s->source);
        err = rn_first_error(err, rn_app_session_close_devices(s));
        b->place->failed = err == RN_EDEVICE;
        if (err && (err != RN_EDEVICE || b->report.nplaces == 1))
            return err;
        failed = err ? err : failed;
    }
    return rn_app_bench_fastest(&b->report) ? 0 : failed;
}

/* The result of a run that has measured a device. */
static int outcome(const struct bench *b)
{
    char text[RN_IO_DAMAGE_TEXT];
    bool damaged = rn_io_damage_describe(&b->damage, text);
    for (int i = 0; i < b->report.nplaces; i++)
        if (b->report.place[i].failed)
            return RN_EDEVICE;
    return damaged || (b->cli.strict && rn_losses_total(b->session.losses)) ? RN_EDAMAGED : 0;
}

static int run(struct bench *b)
{
    int err = load(b);
    if (err)
        return err;
    rn_app_signals_hold();
    err = measure_places(b);
    rn_app_suite_show_status(NULL);
    if (err)
        return err;
    if (rn_app_signals_caught()) {
        rn_log(RN_LOG_WARNING, "stopped by a signal before all was measured");
        return -(128 + rn_app_signals_caught());
    }
    rn_app_report_losses(b->session.losses);
    err = rn_app_bench_print(&b->report, NULL, -outcome(b));
    if (err || outcome(b) != RN_EDAMAGED)
        return err ? err : outcome(b);
    char damage[RN_IO_DAMAGE_TEXT];
    if (rn_io_damage_describe(&b->damage, damage))
        return rn_fail(RN_EDAMAGED, "%s", damage);
    char lacks[RN_REPORT_LACKS];
    return rn_fail(RN_EDAMAGED, "%s (--strict)", rn_app_report_lacks(b->session.losses, lacks));
}

static int bench_run(const struct rn_app_cli *cli)
{
    const char *output = cli->operand[1] ? cli->operand[1] : "null:";
    if (cli->mnist && cli->suite != RN_SUITE_NETWORK)
        return rn_fail(RN_EUSAGE, "--mnist is for --suite network");
    if (cli->operand[0] && (cli->suite || cli->quick))
        return rn_fail(RN_EUSAGE, "--suite and --quick measure without INPUT; leave '%.64s' out",
                       cli->operand[0]);
    if (!strcmp(output, "-") || !strcmp(output, "md5:"))
        return rn_fail(RN_EUSAGE, "bench prints its table to stdout: OUTPUT is a file, or null:");
    if (cli->metrics && !strcmp(cli->metrics, "-"))
        return rn_fail(RN_EUSAGE, "bench prints its table to stdout: --json is that of --metrics");
    if (!cli->operand[0])
        return rn_app_suite_run(cli);
    RN_OWNED(rn_free_owned) struct bench *b = calloc(1, sizeof *b);
    if (!b)
        return rn_fail_memory();
    b->cli = *cli;
    b->report =
        (struct rn_app_bench_report){.cli = cli,
                                     .input = cli->operand[0],
                                     .output = output,
                                     .cpus = rn_cores(),
                                     .repeats = cli->repeats ? cli->repeats : USUAL_REPEATS};
    int err = rn_app_session_read(&b->session, &b->cli, output, amend_chain, NULL);
    b->report.chain = b->session.chain;
    b->session.losses = rn_losses_create();
    err = err || b->session.losses ? err : rn_fail_memory();
    rn_app_signals_limit(cli->timeout, cli->operand[0], NULL, NULL);
    err = err ? err : rn_app_signals_install(NULL, NULL);
    err = err ? err : run(b);
    err = rn_app_session_close(&b->session, err);
    rn_app_signals_end();
    bool measured = !err || err == RN_EDAMAGED || err == RN_EDEVICE;
    if (cli->metrics && rn_app_bench_fastest(&b->report) && measured) {
        int written = rn_app_bench_print(&b->report, cli->metrics, -err);
        err = written ? written : err;
    }
    free(b->report.place);
    free_frames(&b->cached);
    rn_app_session_forget(&b->session);
    rn_losses_destroy(&b->session.losses);
    return err;
}

const struct rn_app_command rn_app_command_bench = {
    .name = "bench",
    .operands = "[INPUT [OUTPUT]]",
    .summary = "measure the devices, or a chain on INPUT",
    .options = RN_OPTIONS_FILTERS | RN_OPTIONS_BENCH | RN_OPTIONS_PIPELINE | RN_OPTIONS_JSON |
               RN_OPTIONS_DEVICE | RN_OPTIONS_INPUT | RN_OPTIONS_ENCODE | RN_OPTIONS_OVERWRITE |
               RN_OPTIONS_METRICS | RN_OPTIONS_GUARD,
    .max_operands = 2,
    .run = bench_run,
};
