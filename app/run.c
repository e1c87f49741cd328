#include "app/run.h"

#include "app/clock.h"
#include "app/files.h"
#include "app/metrics.h"
#include "app/pipeline.h"
#include "app/progress.h"
#include "app/session.h"
#include "app/report.h"
#include "app/signals.h"
#include "filters/core/chain_internal.h"
#include "filters/base/err.h"
#include "io/write/sink.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
    struct rn_session session;
    const struct rn_run_hooks *hooks;
    double begin;
    struct rn_sink *sink;
    struct rn_progress *progress;
    bool data_on_stdout;
    int64_t last; /* the number of the frame that came last; -1: none */
    char *path;   /* where the output stands */
    struct rn_report report;
};

/* ---- the end from outside */

/* The last words where the run cannot come to its end; it may be anywhere, so nothing of it is read
 * that is not constant. */
static struct run *current;

static void report_quit(int status)
{
    struct rn_report bare = {.cli = current->session.cli,
                             .input = current->session.cli->operand[0],
                             .output = current->session.output};
    if (bare.cli->metrics)
        rn_metrics_write(bare.cli->metrics, &bare, status);
    rn_progress_end(current->progress, status, NULL);
}

/* ---- before the output is opened */

static bool carries_pictures_only(const struct rn_cli *cli, const char *output)
{
    return (!strcmp(output, "-") && !cli->container) || !strcmp(output, "null:") ||
           !strcmp(output, "md5:");
}

static struct rn_sink_opts sink_options(struct run *run)
{
    const struct rn_cli *cli = run->session.cli;
    return (struct rn_sink_opts){.container = cli->container,
                                 .codec = cli->codec,
                                 .codec_opts = cli->codec_opts,
                                 .pix_fmt = cli->pix_fmt,
                                 .audio = cli->audio,
                                 .subs = cli->subs,
                                 .threads = cli->threads,
                                 .losses = run->session.losses,
                                 .ledger = &run->report.ledger};
}

static int open_input(struct run *run)
{
    struct rn_session *s = &run->session;
    int err = rn_session_open_input(s, carries_pictures_only(s->cli, s->output));
    run->report.have_stream = s->stream != NULL;
    if (s->stream)
        run->report.stream = *s->stream;
    return err;
}

static int open_device(struct run *run)
{
    const struct rn_session *s = &run->session;
    int err = rn_session_open_device(&run->session);
    if (err)
        return err;
    run->report.have_device = true;
    run->report.on_device = s->device != NULL;
    if (s->device)
        run->report.device = *rn_device_info(s->device);
    return 0;
}

static int replay_frame(void *arg, int64_t frame)
{
    struct rn_session *s = arg;
    bool changed;
    int err = rn_replay_frame(s->replay, s->chain, frame, &changed);
    return err || !changed ? err : rn_runner_update(s->runner, s->chain);
}

/* Everything that can fail before the output is touched. */
static int set_up(struct run *run)
{
    struct rn_session *s = &run->session;
    struct rn_sink_opts opts = sink_options(run);
    int err = open_input(run);
    err = err ? err : rn_sink_check(s->output, &opts, s->source, &s->analysis.out);
    err = err ? err : open_device(run);
    err = err ? err : rn_session_bind(s, s->cli->inflight);
    return err || !run->hooks->bound ? err : run->hooks->bound(run->hooks->arg, s->runner);
}

/* ---- the stream */

static int write_frames(struct run *run, struct rn_pipeline *pl)
{
    struct rn_slot *slot;
    int err;
    while ((err = rn_pipeline_next(pl, &slot)) == 0) {
        run->last = slot->frame.index;
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
    const struct rn_ledger *ledger = &run->report.ledger;
    const struct rn_damage *damage = &ledger->in.damage;
    if (ledger->read != ledger->written)
        return rn_fail(RN_EINTERNAL, "%lld frames were read but %lld written",
                       (long long)ledger->read, (long long)ledger->written);
    if (ledger->written > 0 || run->report.meter.cut)
        return 0;
    if (damage->what[0])
        return rn_fail(RN_EINPUT, "no frame of '%s' could be read: %s",
                       run->session.cli->operand[0], damage->what);
    bool range = run->session.cli->source.from.kind || run->session.cli->source.to.kind;
    return rn_fail(RN_EINPUT, "'%s' has no frame%s", run->session.cli->operand[0],
                   range ? " between --from and --to" : "");
}

static void add_lost_sound(struct rn_report *report, int64_t packets)
{
    struct rn_damage *damage = &report->ledger.in.damage;
    damage->damaged += packets;
    if (packets && !*damage->what)
        snprintf(damage->what, sizeof damage->what, "%lld packets of sound cannot be decoded",
                 (long long)packets);
}

static int run_pipeline(struct run *run)
{
    struct rn_report *report = &run->report;
    struct rn_pipeline *pl = NULL;
    struct rn_frame tail = {0};
    rn_progress_start(run->progress, &report->stream, run->data_on_stdout && isatty(STDOUT_FILENO));
    int err = rn_pipeline_start(&pl, run->session.source, run->session.runner,
                                run->session.replay ? replay_frame : NULL, &run->session);
    if (err)
        return err;
    rn_signals_watch(pl);
    err = write_frames(run, pl);
    rn_pipeline_join(pl, &report->meter, &report->ledger, &tail);
    rn_signals_unwatch();
    rn_source_ledger(run->session.source, &report->ledger);
    report->streamed = true;
    if (!err)
        err = check_counts(run);
    if (!err && report->ledger.written > 0)
        err = rn_sink_tail(run->sink, &tail);
    int stopped = rn_source_conclude(run->session.source);
    err = err ? err : stopped;
    add_lost_sound(report, rn_sink_damaged(run->sink));
    rn_frame_release(&tail);
    rn_pipeline_destroy(&pl);
    return err;
}

/* After a failure: where that is what was written until then. */
static void mention_kept(struct run *run, const char *name)
{
    if (run->path && strcmp(run->path, name) != 0) {
        rn_log(RN_LOG_WARNING, "what was written until then is in '%s'", run->path);
    } else {
        free(run->path);
        run->path = NULL;
    }
}

static int close_sink(struct run *run, int err)
{
    struct rn_report *report = &run->report;
    enum rn_ending ending = RN_ENDING_COMPLETE;
    if ((err || report->meter.cut) && report->ledger.written == 0)
        ending = RN_ENDING_ABANDON;
    else if (err || report->meter.cut)
        ending = RN_ENDING_PARTIAL;
    const char *path = ending == RN_ENDING_ABANDON ? NULL : rn_sink_path(run->sink);
    char *name = path ? strdup(path) : NULL;
    double t0 = rn_clock();
    int closed = rn_sink_close(&run->sink, ending);
    report->encode += rn_clock() - t0;
    if (!err)
        err = closed;
    if (name) /* itself, if there is no partial file */
        run->path = rn_outfile_partial(name);
    if (!err && path && !run->path)
        err = rn_fail_memory();
    if (err)
        mention_kept(run, name);
    free(name);
    report->path = run->path;
    report->complete = !err && ending == RN_ENDING_COMPLETE;
    return err;
}

static int stream(struct run *run)
{
    struct rn_sink_opts opts = sink_options(run);
    rn_signals_hold();
    int err = rn_sink_open(&run->sink, run->session.output, &opts, run->session.source,
                           &run->session.analysis.out);
    if (err)
        return err;
    bool started = false;
    double t0 = rn_clock();
    run->report.setup = t0 - run->begin;
    if ((err = rn_runner_start(run->session.runner)) == 0) {
        started = true;
        err = run_pipeline(run);
    }
    err = close_sink(run, err);
    if (started) {
        int stopped = rn_runner_stop(run->session.runner, run->report.complete);
        if (!err)
            err = stopped;
    }
    run->report.wall = rn_clock() - t0;
    rn_runner_timings(run->session.runner, &run->report.timings);
    return err;
}

/* ---- the end */

/* What the input lost, and what the output lacks of the frames that were sent to the encoder: ""
 * for nothing. */
static void name_lost_frames(const struct rn_ledger *l, char *text, size_t size)
{
    const struct rn_damage *d = &l->in.damage;
    int n = 0;
    if (d->damaged > 0 || d->missing > 0)
        n = snprintf(text, size, "; the input has %lld damaged and %lld missing frames%s%.256s%s",
                     (long long)d->damaged, (long long)d->missing, *d->what ? " (" : "", d->what,
                     *d->what ? ")" : "");
    if (rn_ledger_output_lacks(l) > 0)
        snprintf(text + n, size - (size_t)n,
                 "; %lld frames were encoded, but %lld packets came out and %lld were written",
                 (long long)l->out.frames, (long long)l->out.encoded, (long long)l->out.packets);
    else if (l->out.seconds_lost > 0)
        snprintf(text + n, size - (size_t)n,
                 "; the output lasts another time than what was written, by %.3f s",
                 l->out.seconds_lost);
}

static const char *ending_signal(int sig)
{
    return sig == SIGINT ? "Ctrl-C" : sig == SIGTERM ? "SIGTERM" : "a signal";
}

/* Gives a run that came to its end in order its exit status, and says why it is not 0. */
static int judge(const struct run *run)
{
    const struct rn_report *r = &run->report;
    const struct rn_cli *cli = run->session.cli;
    long long written = r->ledger.written;
    const char *s = written == 1 ? "" : "s";
    char where[256] = "", lost[600] = "";
    if (r->path)
        snprintf(where, sizeof where, " to '%.240s'", r->path);
    name_lost_frames(&r->ledger, lost, sizeof lost);
    if (r->meter.cut) {
        int sig = rn_signals_caught();
        rn_log(RN_LOG_WARNING, "stopped by %s, %lld frame%s written%s%s", ending_signal(sig),
               written, s, where, lost);
        return -(128 + sig);
    }
    if (*lost)
        return rn_fail(RN_EDAMAGED, "%lld frame%s written%s%s", written, s, where, lost);
    if (cli->exact && r->ledger.in.short_range)
        return rn_fail(RN_EDAMAGED, "%lld frame%s written%s, fewer than were asked for (--exact)",
                       written, s, where);
    int losses = rn_losses_total(run->session.losses);
    if (cli->strict && losses)
        return rn_fail(RN_EDAMAGED, "%lld frame%s written%s, but %d loss%s listed above (--strict)",
                       written, s, where, losses, losses == 1 ? " is" : "es are");
    return 0;
}

static void warn_of_range(const struct run *run)
{
    const struct rn_report *r = &run->report;
    const struct rn_source_opts *o = &run->session.cli->source;
    bool frames = o->frames >= 0 && r->ledger.read < o->frames;
    if (r->ledger.in.short_range && !r->meter.cut)
        rn_log(RN_LOG_WARNING, "'%s' ends before %s: %lld frame%s came", r->input,
               frames ? "--frames are reached" : "--to", (long long)r->ledger.read,
               r->ledger.read == 1 ? "" : "s");
}

/* A recording of another input, or of more of it. */
static void warn_of_changes(struct run *run)
{
    struct rn_report *r = &run->report;
    if (!run->session.replay || r->meter.cut)
        return;
    r->unapplied = rn_replay_beyond(run->session.replay, run->last + 1);
    if (r->unapplied)
        rn_log(RN_LOG_WARNING,
               "'%s' has %lld change%s for frames behind the last one, number %lld: never applied",
               run->session.cli->replay, r->unapplied, r->unapplied == 1 ? "" : "s",
               (long long)run->last);
}

static void warn_of_losses(const struct run *run)
{
    const struct rn_losses *losses = run->session.losses;
    for (int i = 0; i < rn_losses_count(losses); i++)
        rn_log(RN_LOG_WARNING, "lost: %s", rn_losses_get(losses, i)->text);
    if (rn_losses_total(losses) > rn_losses_count(losses))
        rn_log(RN_LOG_WARNING, "lost: %d things more",
               rn_losses_total(losses) - rn_losses_count(losses));
}

/* A report that could not be written spoils a run that was in order but for its input. */
static int worse(int err, int report)
{
    return !err || (err == RN_EDAMAGED && report) ? report : err;
}

static int finish(struct run *run, int err)
{
    rn_progress_last(run->progress);
    if (!err)
        warn_of_changes(run);
    if (!err && rn_log_level() >= RN_LOG_INFO)
        rn_report_print(&run->report);
    if (!err)
        warn_of_range(run);
    if (run->report.streamed)
        warn_of_losses(run);
    if (!err)
        err = judge(run);
    err = rn_session_close(&run->session, err);
    err = worse(err, rn_progress_failure(run->progress));
    if (run->session.cli->metrics)
        err = worse(err, rn_metrics_write(run->session.cli->metrics, &run->report, -err));
    return worse(err, rn_progress_end(run->progress, -err, run->report.path));
}

static int run_session(struct run *run)
{
    struct rn_session *s = &run->session;
    s->losses = rn_losses_create();
    if (!s->losses)
        return rn_fail_memory();
    run->report.losses = s->losses;
    run->data_on_stdout = rn_files_use_stdout(s->cli, s->output, s->chain);
    run->report.chain = s->chain;
    int err = rn_progress_open(&run->progress, s->cli->progress);
    err = err ? err : rn_signals_install(report_quit, rn_progress_give_up);
    if (err)
        return err;
    err = set_up(run);
    err = err ? err : stream(run);
    return finish(run, err);
}

int rn_run(const struct rn_cli *cli, const char *output, const struct rn_run_hooks *hooks)
{
    static const struct rn_run_hooks none = {.arg = NULL};
    struct run run = {.hooks = hooks ? hooks : &none, .begin = rn_clock(), .last = -1};
    run.report = (struct rn_report){.cli = cli, .input = cli->operand[0], .output = output};
    current = &run;
    int err = rn_session_read(&run.session, cli, output, run.hooks->amend, run.hooks->arg);
    err = err ? err : run_session(&run);
    rn_signals_end();
    rn_progress_close(&run.progress);
    rn_session_forget(&run.session);
    rn_losses_destroy(&run.session.losses);
    free(run.path);
    return err;
}
