/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf */
#include "app/commands/commands.h"

#include "app/process/terminal.h"
#include "app/run/files.h"
#include "app/run/json.h"
#include "app/run/output.h"
#include "app/run/segment.h"
#include "filters/base/clock.h"
#include "filters/base/output/path.h"
#include "filters/base/owned.h"
#include "filters/base/text/number.h"
#include "filters/base/text/plural.h"
#include "filters/base/version.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#define USUAL_SEGMENTS 10

/* ---- plan */

/* Refuses what one process alone can do. */
static int check(const struct rn_app_session *s, int cell)
{
    const struct rn_app_cli *cli = s->cli;
    const char *why = NULL;
    if (!rn_write_is_kept(s->output) || !strcmp(s->output, "-"))
        why = "OUTPUT is no file";
    else if (cli->write.size)
        why = "--size needs two passes over all pictures";
    else if (cli->write.grid == RN_GRID_OFF)
        why = "with --grid off an encoder makes other bytes of parts";
    else if (cli->verify)
        why = "--verify compares what one process has computed";
    else if (cli->source.on_change == RN_CHANGE_SPLIT)
        why = "--on-change split makes several outputs";
    else if (s->replay && rn_chain_written(rn_app_session_named(s), NULL))
        why = "a filter of the recording writes a table";
    else if (!cell)
        why = "the pictures of this output depend on all before";
    else if (!rn_read_can_seek(s->source))
        why = "INPUT cannot seek";
    return why ? rn_fail(RN_EUSAGE, "'%s' cannot be cut into segments: %s", s->output, why) : 0;
}

static int count_segments(const struct rn_app_session *s, int64_t cells)
{
    double minutes = s->stream->duration / 60;
    int64_t n = s->cli->parts.count;
    if (!n && s->cli->parts.minutes)
        n = minutes > 0 ? (int64_t)(minutes / s->cli->parts.minutes + 0.999) : 1;
    n = n ? n : USUAL_SEGMENTS;
    n = n > 1 ? n : 1;
    return (int)(n < cells ? n : cells);
}

/* The first cell of segment i of n, i from 0; of i = n the number of all. */
static int64_t first_cell(int64_t cells, int64_t i, int64_t n)
{
    return cells / n * i + (cells % n) * i / n;
}

static json_t *list_segments(const struct rn_app_session *s, const struct rn_write_parts *parts,
                             int n)
{
    struct rn_app_segment part = {.parts = *parts};
    int64_t cells = rn_app_plan_cells(parts->frames, parts->cell_frames);
    json_t *list = json_array();
    for (int i = 0; i < n; i++) {
        part.first = first_cell(cells, i, n);
        part.end = first_cell(cells, i + 1, n);
        struct rn_app_span frames = rn_app_segment_frames(&part);
        struct rn_app_span read = rn_app_segment_neighbours(&part, s);
        rn_app_json_append(
            &list, rn_app_json_make("segment:i first_cell:I cells:I first:I frames:I lead:I tail:I",
                                    i + 1, part.first, part.end - part.first, frames.first,
                                    frames.last - frames.first + 1, frames.first - read.first,
                                    read.last - frames.last));
    }
    return list;
}

/* How queues start the segments, for people. */
static void advise(const struct rn_app_session *s, int64_t frames, int n)
{
    rn_app_terminal_line(
        "%lld frames of '%s' in %d segment%s. Save what is printed as job.json, then",
        (long long)frames, s->cli->operand[0], n, rn_plural(n));
    rn_app_terminal_line("  Slurm:    job=$(sbatch --parsable --array=1-%d --open-mode=append "
                         "--wrap='exec runnel render --plan job.json --segment slurm')",
                         n);
    rn_app_terminal_line("            sbatch --dependency=afterany:$job --wrap='exec runnel join "
                         "job.json'");
    rn_app_terminal_line(
        "  parallel: seq %d | parallel runnel render --plan job.json --segment {}/%d; "
        "runnel join job.json",
        n, n);
}

/* Reads the first frame, and counts all where the container does not list them. */
static int count_frames(struct rn_app_session *s, struct rn_write_parts *parts)
{
    const struct rn_io_read_opts *opts = &s->cli->source;
    bool range = opts->frames >= 0 || opts->to.kind != RN_TIME_NONE;
    RN_OWNED(rn_image_free) struct rn_image img = {0};
    struct rn_frame frame = {0};
    int64_t last = -1;
    int err = rn_image_alloc(&img, &s->stream->geom);
    if (err)
        return err;
    err = rn_read_read(s->source, &img, &frame);
    rn_io_frame_release(&frame);
    parts->first_index = last = frame.index;
    parts->first_pts = frame.pts;
    parts->frames = s->stream->frames;
    if (!err && !s->stream->exact && !range)
        err = rn_read_seek_last(s->source);
    while (!err && !s->stream->exact && (err = rn_read_read(s->source, &img, &frame)) == 0) {
        last = frame.index;
        parts->frames = last - parts->first_index + 1;
        rn_io_frame_release(&frame);
    }
    rn_io_frame_release(&frame);
    err = err == RN_END && last >= 0 ? 0 : err;
    return !err && parts->frames <= 0 ? rn_fail(RN_EINPUT, "'%s' has no frame", s->cli->operand[0])
                                      : err;
}

static int print_plan(struct rn_app_session *s, int cell)
{
    struct rn_write_parts parts = {.cell_frames = cell};
    char source[RN_DIGEST], key[RN_DIGEST];
    RN_OWNED(json_decrefp) json_t *files = NULL;
    int err = rn_app_identity_files(s, &files);
    err = err ? err : rn_read_sign(s->source, source);
    err = err ? err : count_frames(s, &parts);
    if (err)
        return err;
    int64_t cells = rn_app_plan_cells(parts.frames, cell);
    int n = count_segments(s, cells);
    RN_OWNED(json_decrefp)
    json_t *plan = rn_app_json_make(
        "plan:i version:t library:t input:t output:t words:o source:t files:o frames:I "
        "first_index:I first_pts:I cell_frames:i segments:o",
        RN_PLAN_FORMAT, RN_VERSION, rn_io_library(), s->cli->operand[0], s->output,
        rn_app_identity_words(s, true), source, json_incref(files), parts.frames, parts.first_index,
        parts.first_pts, cell, list_segments(s, &parts, n));
    err = plan ? rn_app_json_digest(plan, key) : rn_fail_memory();
    if (!err && json_object_set_new(plan, "key", json_string(key)))
        err = rn_fail_memory();
    if (!err && rn_log_level() >= RN_LOG_INFO)
        advise(s, parts.frames, n);
    return err ? err : rn_app_json_write(json_incref(plan), NULL);
}

static bool is_utf8(const char *text)
{
    RN_OWNED(json_decrefp) json_t *json = json_string(text);
    return json;
}

static int plan_run(const struct rn_app_cli *cli)
{
    struct rn_app_session s;
    int cell = 0;
    bool utf8 = is_utf8(cli->operand[0]) && is_utf8(cli->operand[1]);
    for (int i = 0; i < cli->ngiven; i++)
        utf8 &= is_utf8(cli->given[i].value);
    if (!utf8)
        return rn_fail(RN_EUSAGE, "a plan is JSON, and takes names and options in UTF-8 alone");
    rn_outfile_set_policy(RN_OVERWRITE_YES); /* OUTPUT is not touched */
    int err = rn_app_session_read(&s, cli, cli->operand[1], NULL, NULL);
    if (!err && !(s.losses = rn_losses_create()))
        err = rn_fail_memory();
    err = err ? err : rn_app_session_open_input(&s, false);
    s.write.cell = &cell;
    if (!err && s.replay)
        err = rn_app_replay_check(s.replay, s.chain, &s.stream->geom, &s.analysis.out, true, NULL,
                                  NULL);
    if (!err && rn_write_is_kept(s.output))
        err = rn_app_output_check(&s, s.output, NULL);
    err = err ? err : check(&s, cell);
    err = err ? err : print_plan(&s, cell);
    err = rn_app_session_close(&s, err);
    rn_app_session_forget(&s);
    rn_losses_destroy(&s.losses);
    return err;
}

const struct rn_app_command rn_app_command_plan = {
    .name = "plan",
    .operands = "INPUT OUTPUT",
    .summary = "cut a render into segments for several hosts: JSON",
    .options = RN_OPTIONS_FILTERS | RN_OPTIONS_PIPELINE | RN_OPTIONS_DEVICE | RN_OPTIONS_INPUT |
               RN_OPTIONS_ENCODE | RN_OPTIONS_GUARD | RN_OPTIONS_REPLAY | RN_OPTIONS_PLAN,
    .min_operands = 2,
    .max_operands = 2,
    .run = plan_run,
};

/* ---- render --plan */

/* Chooses the segment "I/N" of the plan, or that of Slurm's task. */
static int choose(struct rn_app_segment *s, const char *text)
{
    const json_t *list = json_object_get(s->plan, "segments");
    long long n = (long long)json_array_size(list), i = 0, said = n;
    const char *slurm = getenv("SLURM_ARRAY_TASK_ID"), *slash = strchr(text, '/');
    bool queue = !strcmp(text, "slurm");
    char first[24];
    if (queue && !slurm)
        return rn_fail(RN_EUSAGE, "--segment slurm: this is no task of an array");
    snprintf(first, sizeof first, "%.*s", slash ? (int)(slash - text) : 0, text);
    if (slash && !rn_number_whole(slash + 1, 1, n, &said))
        said = 0;
    if (said != n || !rn_number_whole(queue ? slurm : first, 1, n, &i))
        return rn_fail(RN_EUSAGE,
                       "--segment takes I/%lld, I from 1 to %lld, for this plan, not '%.40s'", n, n,
                       text);
    const json_t *segment = json_array_get(list, (size_t)(i - 1));
    s->first = json_integer_value(json_object_get(segment, "first_cell"));
    s->end = s->first + json_integer_value(json_object_get(segment, "cells"));
    return 0;
}

/* Goes to the first cell that is not there yet, or is damaged. */
static int skip_complete(struct rn_app_segment *s)
{
    int whole = 1;
    while (s->first < s->end && (whole = rn_write_cell_check(&s->parts, s->first, false, true)) > 0)
        s->first = whole == RN_CELL_IS_LAST ? s->end : s->first + 1;
    return whole == RN_EINTERNAL ? whole : 0;
}

/* `render --plan FILE --segment I/N`. Returns as rn_app_run does. */
static int render_segment(const struct rn_app_cli *cli)
{
    if (!cli->parts.segment)
        return rn_fail(RN_EUSAGE, "--plan goes with --segment I/N");
    RN_OWNED(rn_app_segment_free) struct rn_app_segment s;
    int err = rn_app_segment_read(&s, cli->parts.plan, cli, &rn_app_command_render);
    err = err ? err : choose(&s, cli->parts.segment);
    int64_t begin = s.first;
    err = err ? err : skip_complete(&s);
    if (!err && s.first == s.end) {
        rn_log(RN_LOG_INFO, "segment %s of '%s' is complete: %lld cell%s", cli->parts.segment,
               s.path, (long long)(s.end - begin), rn_plural(s.end - begin));
    } else if (!err) {
        rn_outfile_set_policy(RN_OVERWRITE_YES); /* OUTPUT is not touched */
        err = rn_write_cells_open(&s.cells, &s.parts, s.first, true);
        err = err ? err : rn_app_run(s.cli, s.cli->operand[1], NULL);
    }
    return err;
}

/* ---- join */

/* Names the segments whose cells are missing, damaged or of another plan. */
static int check_all(const struct rn_app_segment *s)
{
    const json_t *list = json_object_get(s->plan, "segments"), *segment;
    size_t i;
    int bad = 0, found = 1;
    json_array_foreach(list, i, segment)
    {
        int64_t c = json_integer_value(json_object_get(segment, "first_cell"));
        int64_t end = c + json_integer_value(json_object_get(segment, "cells"));
        found = found > 0 ? found : 1; /* what is behind the last one is empty */
        for (; c < end && found == 1; c++)
            found = rn_write_cell_check(&s->parts, c, true, false);
        if (found == RN_EINTERNAL)
            return found;
        if (found == 0)
            rn_log(RN_LOG_ERROR, "segment %d of %d is missing, from cell %lld on", (int)i + 1,
                   (int)json_array_size(list), (long long)c - 1);
        bad += found <= 0;
    }
    return bad ? rn_fail(RN_EDAMAGED, "%d of %d segments %s not there: nothing was written", bad,
                         (int)json_array_size(list), bad == 1 ? "is" : "are")
               : 0;
}

static int join_run(const struct rn_app_cli *cli)
{
    RN_OWNED(rn_app_segment_free) struct rn_app_segment s;
    int err = rn_app_segment_read(&s, cli->operand[0], cli, &rn_app_command_render);
    s.joins = true;
    err = err ? err : check_all(&s);
    err = err ? err : rn_write_cells_open(&s.cells, &s.parts, 0, false);
    err = err ? err : rn_app_run(s.cli, s.cli->operand[1], NULL);
    return rn_app_segment_end(&s, err, false); /* of a run that has not begun */
}

const struct rn_app_command rn_app_command_join = {
    .name = "join",
    .operands = "PLAN",
    .summary = "put the segments of a plan together",
    .options = RN_OPTIONS_DIR | RN_OPTIONS_OVERWRITE | RN_OPTIONS_METRICS | RN_OPTIONS_GUARD,
    .min_operands = 1,
    .max_operands = 1,
    .run = join_run,
};

/* ---- render --segments */

/* Where an input has as many cells. More would read more frames twice, as leads and tails. */
#define SEGMENTS_A_PROCESS 4

/* Opens the plan, which this run alone has until it closes it. A file that is not what such a run
 * left stays as it is. Returns 0, or RN_EOUTPUT (logged). */
static int open_plan(const char *path, int *plan)
{
    static const char begin[] = "{\n  \"plan\": ";
    char text[sizeof begin] = "";
    struct stat st;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    const char *why = NULL;
    if (fd < 0)
        why = strerror(errno);
    else if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        why = "another run is rendering these segments";
    else if (fstat(fd, &st) || !st.st_nlink)
        why = "another run has just ended";
    else if (!S_ISREG(st.st_mode) || read(fd, text, sizeof begin - 1) < 0 ||
             strncmp(text, begin, strlen(text)) != 0)
        why = "it exists, and is no plan";
    else if (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))
        why = strerror(errno);
    if (why && fd >= 0)
        close(fd);
    *plan = why ? -1 : fd;
    return why ? rn_fail(RN_EOUTPUT, "cannot write '%s': %s", path, why) : 0;
}

/* out: a descriptor of it. */
static int make_plan(const struct rn_app_cli *cli, int out, int n)
{
    struct rn_app_words w = rn_app_words_begin("runnel plan -q");
    rn_app_words_add_options(&w, cli,
                             rn_app_command_plan.options & ~(RN_OPTIONS_PLAN | RN_OPTIONS_COMMON));
    rn_app_words_add(&w, "--count=%d", n);
    rn_app_words_add(&w, "--");
    rn_app_words_add(&w, "%s", cli->operand[0]);
    rn_app_words_add(&w, "%s", cli->operand[1]);
    return rn_app_process_run(&w, out);
}

/* By at most `most` processes at a time: one that ends makes room for the next segment. */
static int render_all(const struct rn_app_cli *cli, const char *plan, int segments, int most)
{
    int err = 0, started = 0, running = 0, place = 0;
    while (running || (started < segments && !err)) {
        if (started < segments && running < most && !err) {
            struct rn_app_words w = rn_app_words_begin("runnel render -q --no-config");
            rn_app_words_add_options(&w, cli,
                                     RN_OPTIONS_DIR | RN_OPTIONS_GUARD | RN_OPTIONS_DEVICE);
            rn_app_words_add(&w, "--plan=%s", plan);
            rn_app_words_add(&w, "--segment=%d/%d", started + 1, segments);
            err = rn_app_process_start(&w, started < most ? started : place, -1);
            running += !err;
            started++;
        } else {
            int ended = rn_app_process_finish(&place);
            err = err || ended == RN_EDAMAGED ? err : ended; /* of the input: the join tells it */
            running--;
        }
    }
    return rn_app_processes_end(err);
}

static int join_here(const struct rn_app_cli *cli, const char *plan)
{
    struct rn_app_words w = rn_app_words_begin("runnel join -y"); /* it was permitted */
    rn_app_words_add_options(
        &w, cli, RN_OPTIONS_DIR | RN_OPTIONS_METRICS | RN_OPTIONS_GUARD | RN_OPTIONS_COMMON);
    rn_app_words_add(&w, "--");
    rn_app_words_add(&w, "%s", plan);
    return rn_app_process_run(&w, -1);
}

/* ---- all of it */

/* Removes all cells, or those that are damaged, so that the next run renders them again. */
static void remove_cells(const struct rn_app_segment *s, bool all)
{
    for (int64_t c = 0; c < s->end; c++) {
        RN_OWNED(rn_free_owned) char *path = rn_write_cell_path(&s->parts, c);
        if (path && (all || rn_write_cell_check(&s->parts, c, true, true) != 1))
            unlink(path);
    }
}

/* `render --segments N`: renders by N processes of this host, which take segment after segment, so
 * that they end at about the same time, and joins them. Goes on where an earlier one was cut off.
 * Returns likewise. */
static int render_segments_here(const struct rn_app_cli *cli, int n)
{
    RN_OWNED(rn_app_segment_free) struct rn_app_segment s = {.path = NULL};
    const char *output = cli->operand[1], *slash = strrchr(output, '/');
    RN_OWNED(rn_free_owned) char *path = NULL;
    struct stat before = {.st_ino = 0}, after;
    char since[32];
    snprintf(since, sizeof since, "%lld", (long long)(1e6 * rn_clock()));
    setenv(RN_JOIN_SINCE, since, true);
    RN_OWNED(rn_close_owned) int plan = -1;
    RN_OWNED(rn_free_owned) struct rn_app_file *file = NULL;
    int nfiles = rn_app_files_list(cli, output, NULL, &file), err = nfiles < 0 ? nfiles : 0;
    for (int i = 0; i < nfiles && !err; i++) /* what joins the segments asks nobody */
        if (file[i].use == RN_APP_FILE_WRITTEN && strcmp(file[i].path, "-") != 0)
            err = rn_outfile_allowed(file[i].path);
    if (err)
        return err;
    const char *name = cli->parts.dir && slash ? slash + 1 : output, *dir = cli->parts.dir;
    if (asprintf(&path, "%s%s%s.plan", dir ? dir : "", dir ? "/" : "", name) < 0)
        return rn_fail_memory();
    rn_app_processes_handle_signals();
    err = open_plan(path, &plan);
    err = err ? err : make_plan(cli, plan, n > 1 ? n * SEGMENTS_A_PROCESS : 1);
    err = err ? err : rn_app_segment_read(&s, path, cli, &rn_app_command_render);
    int count = (int)json_array_size(json_object_get(s.plan, "segments"));
    if (!err && !rn_app_processes_end(0))
        rn_log(RN_LOG_INFO, "rendering %lld frames in %d segment%s, %d at a time ...",
               (long long)s.parts.frames, count, rn_plural(count), n < count ? n : count);
    err = err ? err : render_all(cli, path, count, n);
    if (err && s.plan)
        rn_log(RN_LOG_WARNING, "cells that are whole stay: the same command goes on from there");
    rn_path_look(output, &before);
    err = err ? err : join_here(cli, path);
    /* A damaged input: OUTPUT is there all the same. */
    bool written = !err || (err == RN_EDAMAGED && rn_path_look(output, &after) > 0 &&
                            after.st_ino != before.st_ino);
    if (written || err == RN_EDAMAGED)
        remove_cells(&s, written);
    if (plan >= 0 && (written || !s.plan))
        unlink(path);
    return rn_app_processes_end(err);
}

/* ---- several inputs */

/* The name of a file without folder and extension. The caller frees it. */
static char *stem_of(const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    const char *base = path + n, *dot = NULL;
    for (; base > path && base[-1] != '/'; base--)
        dot = !dot && base[-1] == '.' ? base - 1 : dot;
    return strndup(base, (size_t)((dot && dot != base ? dot : path + n) - base));
}

/* Refuses reports and tables that all runs would write, one over the other. */
static int check_names(const struct rn_app_cli *cli)
{
    RN_OWNED(rn_free_owned) struct rn_app_file *file = NULL;
    if (cli->allow_writes)
        return rn_fail(RN_EUSAGE, "--allow-writes is for one input: files name one table for all");
    int n = rn_app_files_list(cli, NULL, NULL, &file), err = n < 0 ? n : 0;
    for (int i = n - 1; i >= 0 && !err; i--)
        if (file[i].use == RN_APP_FILE_WRITTEN && !strstr(file[i].path, "{}"))
            err = rn_fail(RN_EUSAGE, "'%.255s' is one file for all inputs: put {} into its name",
                          file[i].path);
    return err;
}

/* What tells a file from others, whatever its names; false: there is none. */
static bool identify(const char *path, char id[48])
{
    struct stat st;
    bool there = rn_path_look(path, &st) > 0;
    snprintf(id, 48, "%llx:%llx", there ? (long long)st.st_dev : 0,
             there ? (long long)st.st_ino : 0);
    return there;
}

static int render(const struct rn_app_cli *cli, const char *input, const char *output,
                  const char *stem)
{
    char glance[RN_DIGEST];
    if (cli->parts.skip && rn_app_glance(cli, input, output, stem, glance) &&
        rn_app_mark_is_there(output, NULL, glance))
        return 0;
    struct rn_app_words w = rn_app_words_begin("runnel render");
    for (int i = 0; i < cli->ngiven; i++) /* the settings are read again */
        if (rn_app_cli_asked(cli, cli->given[i].row->name) || strstr(cli->given[i].value, "{}"))
            rn_app_words_add_option(&w, cli, i, stem);
    rn_app_words_add(&w, "--");
    rn_app_words_add(&w, "%s", input);
    rn_app_words_add(&w, "%s", output);
    rn_log(RN_LOG_INFO, "'%s' to '%s'", input, output);
    return rn_app_process_run(&w, -1);
}

/* Renders input i, or, with `all`, adds its output there. inputs: the identities of all. */
static int visit(const struct rn_app_cli *cli, int i, json_t *all, const json_t *inputs)
{
    char id[48];
    RN_OWNED(rn_free_owned) char *stem = stem_of(cli->operand[i]);
    RN_OWNED(rn_free_owned)
    char *output = stem ? rn_app_fill(cli->operand[cli->noperands - 1], stem) : NULL;
    if (!output)
        return rn_fail_memory();
    if (!all)
        return render(cli, cli->operand[i], output, stem);
    if (json_object_get(all, output))
        return rn_fail(RN_EUSAGE, "two inputs would make '%s'", output);
    if (identify(output, id) && json_object_get(inputs, id))
        return rn_fail(RN_EUSAGE, "'%s' is an input, and would be the output of another", output);
    return json_object_set_new_nocheck(all, output, json_true()) ? rn_fail_memory() : 0;
}

/* `render INPUT... OUTPUT`, with {} in OUTPUT: each input in turn, by a process of its own. The
 * status is that of the first one that failed. */
static int render_batch(const struct rn_app_cli *cli)
{
    int n = cli->noperands - 1, failed = 0, first = 0, err = check_names(cli);
    RN_OWNED(json_decrefp) json_t *all = json_object(), *inputs = json_object();
    char id[48];
    for (int i = 0; i < n && !err; i++)
        if (identify(cli->operand[i], id) && json_object_set_new(inputs, id, json_true()))
            err = rn_fail_memory();
    for (int i = 0; i < n && !err; i++)
        err = all ? visit(cli, i, all, inputs) : rn_fail_memory();

    rn_app_processes_handle_signals();
    for (int i = 0; i < n && !err && !rn_app_processes_end(0); i++) {
        int ended = visit(cli, i, NULL, NULL);
        failed += ended != 0;
        first = first ? first : ended;
    }
    if (failed && n > 1)
        rn_log(RN_LOG_ERROR, "%d of %d input%s failed", failed, n, rn_plural(n));
    return err ? err : rn_app_processes_end(first);
}

/* ---- render */

static int render_run(const struct rn_app_cli *cli)
{
    int here = cli->parts.here ? cli->parts.here : cli->parts.resume;
    const char *output = cli->noperands ? cli->operand[cli->noperands - 1] : "";
    if (!cli->parts.plan && cli->parts.segment)
        return rn_fail(RN_EUSAGE, "--segment goes with --plan FILE");
    if (cli->parts.plan && cli->noperands)
        return rn_fail(RN_EUSAGE, "--plan FILE brings INPUT and OUTPUT");
    if (cli->parts.skip && (here || cli->parts.plan))
        return rn_fail(RN_EUSAGE, "--skip-complete goes with none of --segments, --resume, --plan");
    if (cli->progress && here)
        return rn_fail(RN_EUSAGE, "--progress is of one process, and segments are several");
    if (cli->parts.dir && !cli->parts.plan && !here)
        return rn_fail(RN_EUSAGE, "--dir goes with --plan FILE, --segments N or --resume");
    if (strstr(output, "{}") && !cli->parts.plan && !getenv(RN_OWNER))
        return render_batch(cli);
    if (here && !cli->dry_run && !cli->parts.plan)
        return render_segments_here(cli, here);
    return cli->parts.plan ? render_segment(cli) : rn_app_run(cli, cli->operand[1], NULL);
}

const struct rn_app_command rn_app_command_render = {
    .name = "render",
    .operands = "INPUT... OUTPUT",
    .summary = "filter INPUT and write the result to OUTPUT",
    .options = RN_OPTIONS_FILTERS | RN_OPTIONS_PIPELINE | RN_OPTIONS_DEVICE | RN_OPTIONS_INPUT |
               RN_OPTIONS_ENCODE | RN_OPTIONS_OVERWRITE | RN_OPTIONS_REPORT | RN_OPTIONS_METRICS |
               RN_OPTIONS_GUARD | RN_OPTIONS_REPLAY | RN_OPTIONS_PART | RN_OPTIONS_DIR,
    .min_operands = 2,
    .max_operands = RN_MAX_OPERANDS,
    .run = render_run,
};
