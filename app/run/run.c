/* SPDX-License-Identifier: MIT */
#include "app/run/files.h"
#include "app/run/segment.h"
#include "app/run/report.h"
#include "app/process/signals.h"
#include "app/process/terminal.h"
#include "filters/base/clock.h"
#include "filters/base/owned.h"
#include "filters/base/text/plural.h"
#include "io/write/encode/two_pass.h"

#include <signal.h>

struct run {
    struct rn_app_session session;
    const struct rn_app_run_hooks *hooks;
    double begin, since; /* of this pass; of the first one, or of the render that this joins */
    struct rn_app_progress *progress;
    bool data_on_stdout;
    bool skipped; /* OUTPUT is complete */
    struct rn_app_report report;
    char plan[RN_WRITE_PLAN];      /* what the output would be (--dry-run) */
    struct rn_write_passes passes; /* of --size */
};

/* ---- killed by a signal */

/* For the signal thread, which may only read what is constant during the run. */
static struct run *current;

/* Writes the reports of a run that is being killed. */
static void report_quit(int status)
{
    if (current->session.cli->dry_run) /* which writes nothing */
        return;
    struct rn_app_report bare = {.cli = current->session.cli,
                                 .output = current->session.output,
                                 .path = current->report.path};
    if (bare.cli->metrics)
        rn_app_metrics_write(bare.cli->metrics, &bare, status);
    rn_app_progress_end(current->progress, status, current->report.path);
}

static void report_stall(int status)
{
    struct rn_app_report *r = &current->report;
    struct rn_app_output *out = r->noutputs ? &r->outputs[r->noutputs - 1] : NULL;
    if (out) {
        rn_app_output_stall(out, &current->session, -status);
        r->path = out->path;
    }
    report_quit(status);
    rn_app_standard_io_flush();
}

/* ---- --dry-run */

/* The tables of the chain are opened with the kernels, so they are checked here and left out. */
static int drop_tables(struct rn_chain *chain)
{
    int err = 0;
    for (int i = 0; i < rn_chain_count(chain) && !err; i++) {
        struct rn_stage *stage = rn_chain_stage(chain, i);
        for (const struct rn_param *row = stage->table; row->name && !err; row++) {
            const char *path =
                row->file == RN_FILE_WRITTEN ? rn_param_text(row, stage->params) : "";
            if (!*path)
                continue;
            err = strcmp(path, "-") != 0 ? rn_textout_check(path) : 0;
            err = err ? err : rn_chain_set(chain, i, row->name, "");
        }
    }
    return err;
}

static int describe_run(struct run *run)
{
    struct rn_app_session *s = &run->session;
    const struct rn_geom *geom = &s->stream->geom;
    RN_OWNED(rn_free_owned) char *chain = rn_chain_format(s->chain);
    static const char *const titles[] = {"reads", "also", "writes"}; /* by rn_app_file.use */
    char format[24], input[160], count[48] = "";
    const char *about[] = {input, "", run->plan};
    if (!chain)
        return rn_fail_memory();
    if (s->stream->frames >= 0)
        snprintf(count, sizeof count, ", %s%lld frame%s", s->stream->exact ? "" : "about ",
                 (long long)s->stream->frames, rn_plural(s->stream->frames));
    snprintf(input, sizeof input, "%dx%d %s%s", geom->w, geom->h,
             rn_format_name(&geom->fmt, format), count);
    RN_OWNED(rn_free_owned) struct rn_app_file *file = NULL;
    int n = rn_app_files_list(s->cli, s->output, rn_app_session_named(s), &file);
    for (int use = RN_APP_FILE_INPUT; use <= RN_APP_FILE_WRITTEN && n >= 0; use++) {
        for (int i = 0; i < n; i++) {
            if ((int)file[i].use != use)
                continue;
            rn_app_terminal_line("  %-9s '%s'%s%s", titles[use], file[i].path,
                                 *about[use] ? ": " : "", about[use]);
            about[use] = ""; /* of the first one alone */
        }
        if (use == RN_APP_FILE_READ)
            rn_app_terminal_line("  %-9s %s", "chain", *chain ? chain : "(no filter)");
    }
    return n < 0 ? n : drop_tables(s->chain);
}

/* ---- before the output is opened */

/* Does everything that can fail before an output is touched. */
static int set_up(struct run *run)
{
    struct rn_app_session *s = &run->session;
    struct rn_app_report *r = &run->report;
    bool segment = s->cli->segment && !s->cli->segment->joins;
    int err = rn_app_session_open_input(s, segment || !rn_write_is_kept(s->output));
    r->have_stream = s->stream != NULL;
    if (s->stream)
        r->stream = *s->stream;
    if (!err && s->cli->parts.skip && (err = rn_app_identity_find(s, &run->skipped)) == 0 &&
        run->skipped)
        return RN_END;
    err = err ? err : rn_app_output_check(s, s->output, s->cli->dry_run ? run->plan : NULL);
    if (!err && s->cli->dry_run)
        err = describe_run(run);
    err = err ? err : rn_app_session_open_devices(s, RN_MAX_DEVICES);
    if (err)
        return err;
    rn_app_session_tell_idle(s);
    r->have_device = !s->cli->segment || !s->cli->segment->joins;
    r->ndevices = s->ndevices;
    for (int i = 0; i < s->ndevices; i++)
        r->device[i] = *rn_device_info(s->device[i]);
    err = rn_app_session_bind_pool(s);
    return err || !run->hooks->bound ? err : run->hooks->bound(run->hooks->arg, s->pool);
}

/* ---- the outputs */

/* Takes name over; NULL means out of memory. */
static int begin_output(struct run *run, char *name)
{
    struct rn_app_report *r = &run->report;
    struct rn_app_output *more =
        name ? realloc(r->outputs, (size_t)(r->noutputs + 1) * sizeof *more) : NULL;
    if (!more) {
        free(name);
        return rn_fail_memory();
    }
    r->outputs = more;
    struct rn_app_output *out = &more[r->noutputs++];
    *out = (struct rn_app_output){.name = NULL};
    return rn_app_output_open(out, &run->session, name);
}

static void log_output(const struct rn_app_output *out)
{
    long long n = out->ledger.written;
    if (out->complete && out->path)
        rn_log(RN_LOG_INFO, "'%s': %lld frame%s of %dx%d, the last is number %lld", out->path, n,
               rn_plural(n), out->w, out->h, (long long)out->last_frame);
}

/* Begins the output for pictures of the next size. Returns RN_END if the input has ended or a
 * signal was caught. */
static int next_output(struct run *run)
{
    struct rn_app_session *s = &run->session;
    struct rn_app_report *r = &run->report;
    const struct rn_app_output *last = &r->outputs[r->noutputs - 1];
    int err = rn_read_resume(s->source);
    if (!err || (err == RN_END && r->noutputs > 1))
        log_output(last);
    if (err)
        return err;
    r->complete = false;
    r->meter.cut |= rn_app_signals_caught() != 0;
    if (r->meter.cut)
        return RN_END;
    RN_OWNED(rn_free_owned) char *name = rn_app_output_name(s->output, r->noutputs + 1);
    rn_log_about("from frame %lld on", (long long)last->last_frame + 1);
    err = name ? rn_app_session_renew(s) : rn_fail_memory();
    err = err ? err : rn_app_files_check_output(s->cli, name, rn_app_session_named(s));
    err = err ? err : rn_app_output_check(s, name, NULL);
    err = err ? err : rn_app_session_bind_pool(s);
    err = err ? err : begin_output(run, rn_take_owned(&name));
    rn_log_about("%s", "");
    return err;
}

static int stream(struct run *run)
{
    int err = begin_output(run, rn_app_output_name(run->session.output, 1));
    if (err)
        return err;
    double t0 = rn_clock();
    run->report.setup = t0 - run->begin;
    run->report.part = run->since > 0;
    run->since = run->report.part ? run->since : t0;
    rn_app_progress_start(run->progress, &run->report.stream,
                          run->data_on_stdout && isatty(STDOUT_FILENO), run->since);
    do {
        struct rn_app_output *out = &run->report.outputs[run->report.noutputs - 1];
        err = rn_app_output_write(out, &run->session, run->progress);
        rn_app_report_add(&run->report, out);
    } while (!err && !(err = next_output(run)));
    run->report.wall = rn_clock() - run->since;
    return err == RN_END ? 0 : err;
}

/* ---- several passes */

static void begin_report(struct run *run)
{
    struct rn_app_session *s = &run->session;
    run->report = (struct rn_app_report){.cli = s->cli,
                                         .output = s->output,
                                         .losses = s->losses,
                                         .chain = s->first ? s->first : s->chain};
}

static void forget_outputs(struct run *run)
{
    for (int i = 0; i < run->report.noutputs; i++)
        rn_app_output_free(&run->report.outputs[i]);
    free(run->report.outputs);
}

/* Before each pass but the first everything is opened anew. Only the second is not silent. */
static int run_passes(struct run *run)
{
    struct rn_app_session *s = &run->session;
    enum rn_log_level level = rn_log_level();
    int err = rn_write_passes_open(s->passes, s->output);
    for (bool more = !err; more; rn_log_set_level(level)) {
        int number = ++s->passes->number;
        rn_log(RN_LOG_INFO, "'%s': pass %d%s", s->output, number,
               s->passes->again ? ", as the file was too large" : " of 2");
        rn_log_set_level(number == 2 ? level : RN_LOG_ERROR);
        err = stream(run);
        run->report.meter.cut |= rn_app_signals_caught() != 0;
        more = !err && !run->report.meter.cut && (number == 1 || s->passes->again);
        if (!more)
            continue;
        rn_log_set_level(RN_LOG_ERROR);
        forget_outputs(run);
        err = rn_app_session_rewind(s);
        begin_report(run);
        run->begin = rn_clock();
        err = err ? err : set_up(run);
        more = !err;
    }
    return err;
}

/* ---- the end */

/* Describes frames that the input lost or that were encoded but not written: "" if none. */
static void describe_lost_frames(const struct rn_io_ledger *l, char *text, size_t size)
{
    char damage[RN_IO_DAMAGE_TEXT];
    int n = 0;
    if (rn_io_damage_describe(&l->in.damage, damage))
        n = snprintf(text, size, "; %s", damage);
    if (n && l->in.unanswered)
        n += snprintf(text + n, size - (size_t)n, "; %lld of the damaged gave no frame",
                      (long long)l->in.unanswered);
    if (rn_io_ledger_output_lacks(l) > 0)
        snprintf(text + n, size - (size_t)n,
                 "; %lld frame%s encoded, but %lld packet%s came out and %lld %s written",
                 (long long)l->out.frames, l->out.frames == 1 ? " was" : "s were",
                 (long long)l->out.encoded, rn_plural(l->out.encoded), (long long)l->out.packets,
                 l->out.packets == 1 ? "was" : "were");
    else if (l->out.seconds_lost > 0)
        snprintf(text + n, size - (size_t)n,
                 "; the output lasts another time than what was written, by %.3f s",
                 l->out.seconds_lost);
}

/* Returns the exit status of a run without errors, and logs why it is not 0. */
static int judge(const struct run *run)
{
    const struct rn_app_report *r = &run->report;
    const struct rn_app_cli *cli = run->session.cli;
    long long written = r->ledger.written;
    char said[320], lost[900] = "";
    snprintf(said, sizeof said, "%lld frame%s written%s%.240s%s", written, rn_plural(written),
             r->path ? " to '" : "", r->path ? r->path : "", r->path ? "'" : "");
    describe_lost_frames(&r->ledger, lost, sizeof lost);
    const char *changed = rn_read_changed(run->session.source);
    if (changed)
        snprintf(lost + strlen(lost), sizeof lost - strlen(lost),
                 "; '%.200s' was changed while it was read: run again", changed);
    if (r->meter.cut) {
        int sig = rn_app_signals_caught();
        rn_log(RN_LOG_WARNING, "stopped by %s, %s%s",
               sig == SIGINT    ? "Ctrl-C"
               : sig == SIGTERM ? "SIGTERM"
                                : "a closed terminal (SIGHUP)",
               said, lost);
        return -(128 + sig);
    }
    if (*lost)
        return rn_fail(RN_EDAMAGED, "%s%s", said, lost);
    if (cli->exact && r->ledger.in.short_range)
        return rn_fail(RN_EDAMAGED, "%s, fewer than were asked for (--exact)", said);
    char lacks[RN_REPORT_LACKS];
    if (cli->strict && rn_losses_total(run->session.losses))
        return rn_fail(RN_EDAMAGED, "%s, but %s (--strict)", said,
                       rn_app_report_lacks(run->session.losses, lacks));
    return 0;
}

/* Warns where the recording is of another or longer input. */
static void warn_of_changes(struct run *run)
{
    struct rn_app_report *r = &run->report;
    const struct rn_app_segment *part = run->session.cli->segment;
    if (!run->session.replay || r->meter.cut || (part && !part->joins))
        return;
    int64_t last = r->outputs[r->noutputs - 1].last_frame;
    r->unapplied = rn_app_replay_beyond(run->session.replay, last + 1);
    if (r->unapplied)
        rn_log(RN_LOG_WARNING,
               "'%s' has %lld change%s for frames behind the last one, number %lld: never applied",
               run->session.cli->replay, r->unapplied, rn_plural(r->unapplied), (long long)last);
}

/* The error of a report replaces success and damaged input, but no other error. */
static int worse(int err, int report)
{
    return !err || (err == RN_EDAMAGED && report) ? report : err;
}

static int finish(struct run *run, int err)
{
    const struct rn_app_report *r = &run->report;
    int unwritten = rn_app_progress_final(run->progress);
    if (!err) {
        warn_of_changes(run);
        if (rn_log_level() >= RN_LOG_INFO)
            rn_app_report_print(&run->report);
        if (r->ledger.in.short_range && !r->meter.cut)
            rn_log(RN_LOG_WARNING, "'%s' ends before %s: %lld frame%s came", r->cli->operand[0],
                   r->ledger.read < r->cli->source.frames ? "--frames are reached" : "--to",
                   (long long)r->ledger.read, rn_plural(r->ledger.read));
    }
    if (run->report.streamed)
        rn_app_report_losses(run->session.losses);
    err = err ? err : judge(run);
    err = rn_app_session_close(&run->session, err);
    rn_app_signals_lock_output(); /* the reports are this thread's from now on */
    err = worse(err, unwritten);
    if (run->session.cli->metrics)
        err = worse(err, rn_app_metrics_write(run->session.cli->metrics, &run->report, -err));
    return worse(err, rn_app_progress_end(run->progress, -err, run->report.path));
}

static int run_session(struct run *run)
{
    struct rn_app_session *s = &run->session;
    run->passes = (struct rn_write_passes){.size = s->cli->write.size, .aim = RN_WRITE_AIM};
    const char *since = s->cli->segment && s->cli->segment->joins ? getenv(RN_JOIN_SINCE) : NULL;
    run->since = since ? 1e-6 * (double)atoll(since) : 0;
    s->passes = run->passes.size ? &run->passes : NULL;
    s->losses = rn_losses_create();
    if (!s->losses)
        return rn_fail_memory();
    run->data_on_stdout = rn_app_files_use_stdout(s->cli, s->output, s->chain);
    begin_report(run);
    int err = s->cli->dry_run ? 0 : rn_app_progress_open(&run->progress, s->cli->progress);
    rn_app_signals_limit(s->cli->timeout, s->cli->operand[0], s->output, report_stall);
    err = err ? err : rn_app_signals_install(report_quit, rn_app_progress_give_up);
    if (err)
        return err;
    err = set_up(run);
    if (run->skipped) {
        rn_log(RN_LOG_INFO, "'%s' is complete", s->output);
        return rn_app_session_close(s, 0);
    }
    if (s->cli->dry_run) {
        for (int i = 0; i < s->ndevices && !err; i++)
            rn_app_terminal_line("  %-9s %s", "device", rn_device_info(s->device[i])->name);
        rn_app_report_losses(s->losses);
        if (!err && s->cli->strict && rn_losses_total(s->losses)) {
            char lacks[RN_REPORT_LACKS];
            err = rn_fail(RN_EDAMAGED, "%s (--strict)", rn_app_report_lacks(s->losses, lacks));
        }
        if (!err)
            rn_app_terminal_line("  nothing was written (--dry-run)");
        return rn_app_session_close(s, err);
    }
    if (!err)
        rn_app_signals_hold();
    err = err ? err : s->passes ? run_passes(run) : stream(run);
    return finish(run, err);
}

int rn_app_run(const struct rn_app_cli *cli, const char *output,
               const struct rn_app_run_hooks *hooks)
{
    static const struct rn_app_run_hooks none = {.arg = NULL};
    struct run run = {.hooks = hooks ? hooks : &none, .begin = rn_clock()};
    current = &run;
    /* A file of another such run is refused when the input is open. */
    bool made = cli->parts.skip && rn_app_mark_is_there(output, NULL, NULL);
    int err = made ? rn_outfile_permit(output) : 0;
    err = err ? err
              : rn_app_session_read(&run.session, cli, output, run.hooks->amend, run.hooks->arg);
    err = err ? err : run_session(&run);
    if (err && run.report.complete && *run.session.key)
        rn_app_mark_remove(output);
    rn_app_signals_end();
    rn_app_progress_close(&run.progress);
    rn_app_session_forget(&run.session);
    rn_losses_destroy(&run.session.losses);
    forget_outputs(&run);
    rn_write_passes_close(&run.passes);
    return err;
}
