#include "app/run.h"

#include "app/clock.h"
#include "app/metrics.h"
#include "app/pipeline.h"
#include "app/progress.h"
#include "app/record.h"
#include "app/report.h"
#include "app/signals.h"
#include "filters/core/err.h"
#include "io/names.h"
#include "io/sink.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct run {
    const struct rn_cli *cli;
    const char *output;
    int (*amend)(struct rn_chain *chain, const struct rn_cli *cli);
    double begin;
    struct rn_chain *chain;
    struct rn_source *source;
    struct rn_device *device;
    struct rn_runner *runner;
    struct rn_sink *sink;
    struct rn_progress *progress;
    struct rn_replay *replay;
    bool data_on_stdout;
    char *path; /* where the output stands */
    struct rn_report report;
};

/* ---- files beside the output */

/* The one name of a file, whether it exists or not; NULL if its folder does not exist. */
static char *full_name(const char *path)
{
    char *real = realpath(path, NULL), *name = NULL;
    if (real)
        return real;
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *in = folder ? realpath(folder, NULL) : NULL;
    size_t size = in ? strlen(in) + strlen(path) + 2 : 0;
    if (in && (name = malloc(size)) != NULL)
        snprintf(name, size, "%s/%s", in, slash ? slash + 1 : path);
    free(folder);
    free(in);
    return name;
}

static bool same_file(const char *a, const char *b)
{
    struct stat sa, sb;
    if (!strcmp(a, b))
        return true;
    if (!stat(a, &sa) && !stat(b, &sb))
        return sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino && S_ISREG(sa.st_mode);
    char *fa = full_name(a), *fb = full_name(b);
    bool same = fa && fb && !strcmp(fa, fb);
    free(fa);
    free(fb);
    return same;
}

/* What a measuring stage writes; "": nothing, or no measuring stage. */
static const char *table_of(const struct rn_stage *stage)
{
    const struct rn_param *row = rn_param_find(stage->desc->params, "file");
    if (!stage->desc->result_bytes || !row || row->type != RN_TEXT)
        return "";
    return *(const char *const *)(const void *)((char *)stage->params + row->off);
}

/* All files that the run writes: a slip of the fingers must cost neither the input nor one of them.
 * The chain may not be known yet. */
static int check_files(const struct run *run)
{
    struct {
        const char *what, *path;
    } file[RN_MAX_STAGES + 4] = {{"the output", run->output},
                                 {"--metrics", run->cli->metrics},
                                 {"--progress", run->cli->progress},
                                 {"--plot", run->cli->plot}};
    int n = 4;
    for (int i = 0; run->chain && i < run->chain->n; i++, n++) {
        file[n].what = run->chain->stage[i]->desc->name;
        file[n].path = table_of(run->chain->stage[i]);
    }
    const char *input = run->cli->operand[0];
    for (int i = 0; i < n; i++) {
        const char *path = file[i].path;
        if (!path || !*path || !strcmp(path, "-"))
            continue;
        if (i && (same_file(path, input) || rn_names_hold(input, path)))
            return rn_fail(RN_EUSAGE, "%s would overwrite the input: '%s'", file[i].what, path);
        for (int k = 0; k < i; k++)
            if (file[k].path && *file[k].path && same_file(path, file[k].path))
                return rn_fail(RN_EUSAGE, "%s and %s are the same file '%s'", file[k].what,
                               file[i].what, path);
    }
    return 0;
}

/* What is written at the very end: better to know now whether it can be. */
static int check_report_file(const char *option, const char *path, bool at_end)
{
    if (!path)
        return 0;
    if (!strcmp(path, "-"))
        return rn_fail(RN_EUSAGE, "--%s takes the name of a file, not '-'", option);
    int err = rn_outfile_allowed(path);
    struct rn_outfile probe;
    if (!err && at_end && (err = rn_outfile_begin(&probe, path)) == 0)
        rn_outfile_free(&probe);
    return err;
}

static int check_report_files(const struct run *run)
{
    int err = check_files(run);
    err = err ? err : check_report_file("metrics", run->cli->metrics, true);
    err = err ? err : check_report_file("progress", run->cli->progress, false);
    return err ? err : check_report_file("plot", run->cli->plot, true);
}

/* The last words where the run cannot come to its end; it may be anywhere, so nothing of it is read
 * that is not constant. */
static struct run *current;

static void report_quit(int status)
{
    struct rn_report bare = {
        .cli = current->cli, .input = current->cli->operand[0], .output = current->output};
    if (bare.cli->metrics)
        rn_metrics_write(bare.cli->metrics, &bare, status);
    rn_progress_end(current->progress, status, NULL);
}

/* ---- before the output is opened */

/* A table of measurements may go to stdout, but not among pictures, where it would be of use to
 * nobody. */
static int check_tables(struct run *run)
{
    bool taken = !strcmp(run->output, "-") || !strcmp(run->output, "md5:");
    for (int i = 0; i < run->chain->n; i++) {
        if (strcmp(table_of(run->chain->stage[i]), "-") != 0)
            continue;
        if (taken)
            return rn_fail(RN_EUSAGE, "%s: file=- would be mixed with other data on stdout",
                           run->chain->stage[i]->desc->name);
        taken = true;
    }
    run->data_on_stdout = taken;
    return 0;
}

static bool carries_pictures_only(const char *output)
{
    return !strcmp(output, "-") || !strcmp(output, "null:") || !strcmp(output, "md5:");
}

static struct rn_sink_opts sink_options(const struct rn_cli *cli)
{
    return (struct rn_sink_opts){.codec = cli->codec,
                                 .codec_opts = cli->codec_opts,
                                 .pix_fmt = cli->pix_fmt,
                                 .threads = cli->threads};
}

static int open_source(struct run *run)
{
    struct rn_source_opts opts = run->cli->source;
    opts.threads = run->cli->threads;
    opts.pictures_only = carries_pictures_only(run->output);
    int err = rn_source_open(&run->source, run->cli->operand[0], &opts);
    if (err)
        return err;
    run->report.stream = *rn_source_stream(run->source);
    run->report.have_stream = true;
    const char *files[] = {run->cli->metrics, run->cli->progress, run->cli->plot};
    for (int i = 0; i < 3; i++)
        if (files[i] && rn_source_is_file(run->source, files[i]))
            return rn_fail(RN_EUSAGE, "'%s' is a part of the input", files[i]);
    return 0;
}

static int open_device(struct run *run)
{
    int err = rn_device_open(&run->device, run->cli->device);
    if (err)
        return err;
    run->report.have_device = true;
    run->report.on_device = run->device != NULL;
    if (run->device)
        run->report.device = *rn_device_info(run->device);
    return 0;
}

static int make_chain(struct run *run)
{
    const struct rn_cli *cli = run->cli;
    const char *text = cli->filters;
    if (cli->replay && text)
        return rn_fail(RN_EUSAGE, "--replay brings its own chain: leave -f out");
    int err = cli->replay ? rn_replay_open(&run->replay, cli->replay, &text) : 0;
    return err ? err : rn_chain_parse(&run->chain, text);
}

static int replay_frame(void *arg, int64_t frame)
{
    struct run *run = arg;
    bool changed;
    int err = rn_replay_frame(run->replay, run->chain, frame, &changed);
    return err || !changed ? err : rn_runner_update(run->runner);
}

/* Everything that can fail before the output is touched. */
static int set_up(struct run *run)
{
    const struct rn_cli *cli = run->cli;
    struct rn_sink_opts opts = sink_options(cli);
    int err = make_chain(run);
    if (!err && run->amend)
        err = run->amend(run->chain, cli);
    if (!err)
        err = check_tables(run);
    if (!err)
        err = check_files(run);
    if (err)
        return err;
    run->report.chain = run->chain;
    if ((err = open_source(run)) != 0)
        return err;
    const struct rn_geom *geom = &run->report.stream.geom;
    if ((err = rn_chain_check(run->chain, geom)) != 0)
        return err;
    rn_chain_warn(run->chain);
    if (run->replay && rn_chain_delay(run->chain))
        return rn_fail(RN_EUSAGE, "--replay does not go with filters across frames: their frames "
                                  "depend on those before and behind");
    if ((err = rn_sink_check(run->output, &opts, run->source, &run->chain->out)) != 0)
        return err;
    if ((err = open_device(run)) != 0)
        return err;
    return rn_runner_open(&run->runner, run->device, run->chain, geom, cli->inflight);
}

/* ---- the stream */

static int write_frames(struct run *run, struct rn_pipeline *pl)
{
    struct rn_slot *slot;
    int err;
    while ((err = rn_pipeline_next(pl, &slot)) == 0) {
        double t0 = rn_clock();
        err = rn_sink_write(run->sink, &slot->out, &slot->frame);
        run->report.encode += rn_clock() - t0;
        if (err)
            return rn_pipeline_fail(pl, err);
        rn_progress_frame(run->progress, &slot->frame);
        if ((err = rn_pipeline_done(pl, slot)) != 0)
            return err;
    }
    return err == RN_END ? 0 : err;
}

/* Every frame that was read must have been written, and one at least. */
static int check_counts(const struct run *run)
{
    const struct rn_meter *meter = &run->report.meter;
    const struct rn_damage *damage = &run->report.damage;
    if (meter->read != meter->written)
        return rn_fail(RN_EINTERNAL, "%lld frames were read but %lld written",
                       (long long)meter->read, (long long)meter->written);
    if (meter->written > 0 || meter->cut)
        return 0;
    if (damage->what[0])
        return rn_fail(RN_EINPUT, "no frame of '%s' could be read: %s", run->cli->operand[0],
                       damage->what);
    bool range = run->cli->source.from.kind || run->cli->source.to.kind;
    return rn_fail(RN_EINPUT, "'%s' has no frame%s", run->cli->operand[0],
                   range ? " between --from and --to" : "");
}

static int run_pipeline(struct run *run)
{
    struct rn_report *report = &run->report;
    struct rn_pipeline *pl = NULL;
    struct rn_frame tail = {0};
    rn_progress_start(run->progress, &report->stream, run->data_on_stdout && isatty(STDOUT_FILENO));
    int err =
        rn_pipeline_start(&pl, run->source, run->runner, run->replay ? replay_frame : NULL, run);
    if (err)
        return err;
    rn_signals_watch(pl);
    err = write_frames(run, pl);
    rn_pipeline_join(pl, &report->meter, &tail);
    rn_signals_unwatch();
    rn_source_damage(run->source, &report->damage);
    report->streamed = true;
    if (!err)
        err = check_counts(run);
    if (!err && report->meter.written > 0)
        err = rn_sink_tail(run->sink, &tail);
    rn_frame_release(&tail);
    rn_pipeline_destroy(&pl);
    return err;
}

static int close_sink(struct run *run, int err)
{
    struct rn_report *report = &run->report;
    enum rn_ending ending = RN_ENDING_COMPLETE;
    if (err || (report->meter.cut && report->meter.written == 0))
        ending = RN_ENDING_ABANDON;
    else if (report->meter.cut)
        ending = RN_ENDING_PARTIAL;
    const char *path = ending == RN_ENDING_ABANDON ? NULL : rn_sink_path(run->sink);
    char *name = path ? strdup(path) : NULL;
    double t0 = rn_clock();
    int closed = rn_sink_close(&run->sink, ending);
    report->encode += rn_clock() - t0;
    if (!err)
        err = closed;
    if (!err && name)
        run->path = ending == RN_ENDING_PARTIAL ? rn_outfile_partial(name) : strdup(name);
    free(name);
    report->path = run->path;
    report->complete = !err && ending == RN_ENDING_COMPLETE;
    return err;
}

static int stream(struct run *run)
{
    struct rn_sink_opts opts = sink_options(run->cli);
    rn_signals_hold();
    int err = rn_sink_open(&run->sink, run->output, &opts, run->source, &run->chain->out);
    if (err)
        return err;
    bool started = false;
    double t0 = rn_clock();
    run->report.setup = t0 - run->begin;
    if ((err = rn_runner_start(run->runner)) == 0) {
        started = true;
        err = run_pipeline(run);
    }
    err = close_sink(run, err);
    if (started) {
        int stopped = rn_runner_stop(run->runner, run->report.complete);
        if (!err)
            err = stopped;
    }
    run->report.wall = rn_clock() - t0;
    rn_runner_times(run->runner, &run->report.times);
    return err;
}

/* ---- the end */

/* Gives a run that came to its end in order its exit status, and says why it is not 0. */
static int judge(const struct run *run)
{
    const struct rn_report *r = &run->report;
    long long written = r->meter.written, damaged = r->damage.damaged, missing = r->damage.missing;
    char where[256] = "", counts[400] = "";
    if (r->path)
        snprintf(where, sizeof where, " to '%.240s'", r->path);
    if (damaged > 0 || missing > 0)
        snprintf(counts, sizeof counts,
                 "; the input has %lld damaged and %lld missing frames%s%.256s%s", damaged, missing,
                 r->damage.what[0] ? " (" : "", r->damage.what, r->damage.what[0] ? ")" : "");
    if (r->meter.cut) {
        int sig = rn_signals_caught();
        rn_log(RN_LOG_WARNING, "stopped by %s, %lld frame%s written%s%s",
               sig == SIGINT    ? "Ctrl-C"
               : sig == SIGTERM ? "SIGTERM"
                                : "a signal",
               written, written == 1 ? "" : "s", where, counts);
        return -(128 + sig);
    }
    if (*counts)
        return rn_fail(RN_EDAMAGED, "%lld frame%s written%s%s", written, written == 1 ? "" : "s",
                       where, counts);
    return 0;
}

static int finish(struct run *run, int err)
{
    rn_progress_last(run->progress);
    if (!err && rn_log_level() >= RN_LOG_INFO)
        rn_report_print(&run->report);
    if (!err)
        err = judge(run);
    rn_runner_close(&run->runner);
    int closed = rn_device_close(&run->device);
    if (!err)
        err = closed;
    rn_source_close(&run->source);
    if (run->cli->metrics) {
        int written = rn_metrics_write(run->cli->metrics, &run->report, -err);
        if (written && (!err || err == RN_EDAMAGED))
            err = written;
    }
    rn_progress_end(run->progress, -err, run->report.path);
    rn_chain_destroy(&run->chain);
    rn_replay_close(&run->replay);
    return err;
}

int rn_run(const struct rn_cli *cli, const char *output,
           int (*amend)(struct rn_chain *chain, const struct rn_cli *cli))
{
    struct run run = {.cli = cli, .output = output, .amend = amend, .begin = rn_clock()};
    run.report.cli = cli;
    run.report.input = cli->operand[0];
    run.report.output = output;
    current = &run;
    rn_device_environment(cli->threads);
    rn_io_init();
    int err = check_report_files(&run);
    if (!err)
        err = rn_progress_open(&run.progress, cli->progress);
    if (!err)
        err = rn_signals_install(report_quit, rn_progress_give_up);
    if (!err) {
        err = set_up(&run);
        if (!err)
            err = stream(&run);
        err = finish(&run, err);
    }
    rn_signals_end();
    rn_progress_close(&run.progress);
    free(run.path);
    return err;
}
