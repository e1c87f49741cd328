/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf, basename */
#include "app/run/files.h"

#include "filters/base/owned.h"
#include "filters/base/output/path.h"
#include "filters/base/output/textout.h"
#include "io/common/media.h"
#include "io/read/images/names.h"

#include <limits.h>

#define MAX_LINKS 40 /* the kernel's limit for one path */

enum kind { KIND_PLAIN, KIND_INPUT, KIND_OUTPUT, KIND_SAMPLES };

struct file {
    const char *path;
    char role[160]; /* for messages */
    enum kind kind;
    bool written;
    bool needs_permission; /* written, but named only by a chain file or a replay */
};

struct list {
    struct file *file;
    int n;
    char *samples;      /* of the output */
    const char *origin; /* the chain file or replay with the chain; NULL: the command line */
};

/* ---- one file by two names */

/* The absolute name of a file, which need not exist (nor the target of a link), without links. NULL
 * if its folder does not exist. */
static char *full_name(const char *path, int links)
{
    char *real = realpath(path, NULL), target[PATH_MAX];
    ssize_t n = real || !links ? -1 : readlink(path, target, sizeof target - 1);
    target[n > 0 ? n : 0] = '\0';
    RN_OWNED(rn_free_owned) char *next = n < 0 ? NULL : rn_path_beside(path, target);
    if (next)
        real = full_name(next, links - 1);
    if (real || next)
        return real;
    RN_OWNED(rn_free_owned) char *folder = rn_path_beside(path, ".");
    RN_OWNED(rn_free_owned) char *in = folder ? realpath(folder, NULL) : NULL;
    char *name;
    if (!in || asprintf(&name, "%s/%s", in, basename(path)) < 0)
        name = NULL;
    return name;
}

/* 1 if both names are one file, 0 if not, or RN_EUSAGE (logged). */
static int same_file(const char *a, const char *b)
{
    struct stat sa, sb;
    int has_a = rn_path_look(a, &sa), has_b = has_a < 0 ? 0 : rn_path_look(b, &sb);
    if (has_a < 0 || has_b < 0)
        return rn_fail(RN_EUSAGE, "cannot look at '%s': %s", has_a < 0 ? a : b, strerror(errno));
    if (has_a != has_b)
        return 0;
    if (has_a)
        return sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino && S_ISREG(sa.st_mode);
    RN_OWNED(rn_free_owned)
    char *full_a = full_name(a, MAX_LINKS), *full_b = full_name(b, MAX_LINKS);
    return !strcmp(a, b) || (full_a && full_b && !strcmp(full_a, full_b));
}

/* 1 if a pattern writes path, or the file that path is a link to. */
static int pattern_writes(const char *pattern, const char *path)
{
    if (!rn_read_is_pattern(pattern))
        return 0;
    int found = rn_read_names_hold(pattern, path);
    if (found)
        return found;
    RN_OWNED(rn_free_owned) char *all = full_name(pattern, 0), *one = full_name(path, MAX_LINKS);
    char *in = all ? strrchr(all, '/') : NULL, *at = one ? strrchr(one, '/') : NULL;
    return in && at && in - all == at - one && !strncmp(all, one, (size_t)(in - all)) &&
           rn_read_pattern_makes(in + 1, at + 1);
}

/* Whether a folder or pattern contains a file. Inputs are not compared with the output: the sink
 * knows which of their files are read. */
static int contains(const struct file *set, const struct file *one)
{
    if (set->kind == KIND_OUTPUT)
        return pattern_writes(set->path, one->path);
    if (set->kind != KIND_INPUT || one->kind == KIND_OUTPUT)
        return 0;
    return rn_read_names_hold(set->path, one->path);
}

/* ---- the list */

static struct file *add(struct list *list, const char *path, enum kind kind, bool written,
                        const char *role)
{
    struct file *more = realloc(list->file, (size_t)(list->n + 1) * sizeof *more);
    if (!more)
        return NULL;
    list->file = more;
    struct file *f = &more[list->n++];
    *f = (struct file){.path = path, .kind = kind, .written = written};
    snprintf(f->role, sizeof f->role, "%s", role);
    return f;
}

static bool is_dash(const char *path)
{
    return path && !strcmp(path, "-");
}

/* Adds the file of an option, if any. For "-" see collect(). */
static bool add_option(struct list *list, const char *path, bool written, const char *role)
{
    return !path || is_dash(path) || add(list, path, KIND_PLAIN, written, role);
}

static const char *input_path(const char *input)
{
    struct stat st;
    if (!strcmp(input, "-"))
        return "/dev/stdin";
    return !strncmp(input, "file:", 5) && stat(input, &st) ? input + 5 : input;
}

bool rn_app_files_repeatable(const char *input)
{
    struct stat st;
    if (is_dash(input))
        return false;
    int found = rn_path_look(input, &st);
    found = found ? found : rn_path_look(input_path(input), &st);
    if (found)
        return found > 0 && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode));
    return strncmp(input, "pipe:", 5) != 0 && strncmp(input, "fd:", 3) != 0;
}

char *rn_app_files_canonical(const char *input)
{
    /* FFmpeg takes these before a colon for a protocol, a device or an address. */
    static const char scheme[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.";
    struct stat st;
    const char *path = input_path(input);
    bool is_path =
        path != input || input[strspn(input, scheme)] != ':' || rn_path_look(input, &st) > 0;
    char *full = is_path ? full_name(path, 0) : NULL;
    return full ? full : strdup(input);
}

static bool prints_frames(const struct rn_app_cli *cli, const char *output)
{
    return cli->play.md5 || (output && (!strcmp(output, "-") || !strcmp(output, "md5:")));
}

static bool add_operands(struct list *list, const struct rn_app_cli *cli, const char *output)
{
    int inputs = cli->command->options & RN_OPTIONS_PLAY ? cli->noperands : 1;
    for (int i = 0; i < inputs; i++)
        if (!add(list, input_path(cli->operand[i]), KIND_INPUT, false, "the input"))
            return false;
    if (!output || !strcmp(output, "null:") || prints_frames(cli, output))
        return true;
    if (!add(list, output, KIND_OUTPUT, true, "the output"))
        return false;
    list->samples = rn_write_samples_name(output, &cli->write);
    return !list->samples ||
           add(list, list->samples, KIND_SAMPLES, true, "the samples of the output");
}

static bool add_options(struct list *list, const struct rn_app_cli *cli)
{
    const char *chain_file = cli->filters && *cli->filters == '@' ? cli->filters + 1 : NULL;
    list->origin = chain_file ? chain_file : cli->replay;
    return (!cli->learn.target || add(list, cli->learn.target, KIND_INPUT, false, "TARGET")) &&
           add_option(list, chain_file, false, "the chain file") &&
           add_option(list, cli->replay, false, "--replay") &&
           add_option(list, cli->play.kernel, false, "--kernel") &&
           add_option(list, cli->play.reference, false, "--reference") &&
           add_option(list, cli->metrics, true, "--metrics") &&
           add_option(list, cli->progress, true, "--progress") &&
           add_option(list, cli->play.record, true, "--record");
}

static bool is_stdout(const struct rn_param *row, const char *path)
{
    return row->file == RN_FILE_WRITTEN && !strcmp(path, "-");
}

/* How many kinds of data go to stdout; last: of whom the last one is. */
static int count_prints(const struct rn_app_cli *cli, const char *output,
                        const struct rn_chain *chain, char last[160])
{
    const char *const reports[] = {cli->metrics, cli->progress};
    int n = prints_frames(cli, output);
    for (int i = 0; i < rn_chain_count(chain); i++) {
        const struct rn_stage *stage = rn_chain_stage(chain, i);
        for (const struct rn_param *row = stage->table; row->name; row++)
            if (row->type == RN_TEXT && is_stdout(row, rn_param_text(row, stage->params)) && ++n)
                snprintf(last, 160, "%s: %s=-", stage->desc->name, row->name);
    }
    for (int i = 0; i < 2; i++)
        if (is_dash(reports[i]) && ++n)
            snprintf(last, 160, "--%s -", i ? "progress" : "metrics");
    return n;
}

static bool add_row(struct list *list, const struct rn_stage *stage, const struct rn_param *row)
{
    const char *path = row->type == RN_TEXT ? rn_param_text(row, rn_stage_values(stage, row)) : "";
    char role[160];
    if (row->file == RN_FILE_NONE || !*path || is_stdout(row, path))
        return true;
    snprintf(role, sizeof role, "%s= of %s%s%.32s%s%.64s%s", row->name, stage->desc->name,
             stage->label ? "@" : "", stage->label ? stage->label : "", list->origin ? " in '" : "",
             list->origin ? list->origin : "", list->origin ? "'" : "");
    struct file *f = add(list, path, KIND_PLAIN, row->file == RN_FILE_WRITTEN, role);
    if (f)
        f->needs_permission = f->written && list->origin;
    return f != NULL;
}

static void free_list(struct list *list)
{
    free(list->samples);
    free(list->file);
}

/* list: zeroed. */
static int collect(struct list *list, const struct rn_app_cli *cli, const char *output,
                   const struct rn_chain *chain)
{
    bool printed = chain && rn_app_files_use_stdout(cli, output, chain);
    bool ok = add_operands(list, cli, output) &&
              add_option(list, printed ? "/dev/stdout" : NULL, true, "stdout") &&
              add_options(list, cli);
    for (int i = 0; chain && i < rn_chain_count(chain); i++) {
        const struct rn_stage *stage = rn_chain_stage(chain, i);
        RN_EACH_PARAM (row, stage)
            ok = ok && add_row(list, stage, row);
    }
    return ok ? 0 : rn_fail_memory();
}

/* ---- refusals */

static int check_overlaps(const struct list *list)
{
    for (int i = 0; i < list->n; i++)
        for (int k = 0; k < i; k++) {
            const struct file *a = &list->file[k], *b = &list->file[i];
            if (!a->written && !b->written)
                continue;
            if ((a->kind == KIND_SAMPLES && !b->written) ||
                (b->kind == KIND_SAMPLES && !a->written))
                continue; /* they replace no file */
            int found = same_file(a->path, b->path);
            found = found ? found : contains(a, b);
            found = found ? found : contains(b, a);
            if (found < 0)
                return found;
            const struct file *writer = b->written ? b : a, *other = b->written ? a : b;
            if (found && other->written)
                return rn_fail(RN_EUSAGE, "%s and %s are the same file '%s'", a->role, b->role,
                               b->path);
            if (found)
                return rn_fail(RN_EUSAGE, "%s would overwrite %s: '%s'", writer->role, other->role,
                               writer->path);
        }
    return 0;
}

/* --on-change split needs media files: a table is for frames of one size. */
static int check_split(const struct rn_app_cli *cli, const char *output,
                       const struct rn_chain *chain)
{
    const struct rn_stage *stage;
    const struct rn_param *row = rn_chain_written(chain, &stage);
    if (cli->source.on_change != RN_CHANGE_SPLIT)
        return 0;
    if (row)
        return rn_fail(RN_EUSAGE,
                       "--on-change split: pictures of several sizes make no table (%s=%s)",
                       row->name, rn_param_text(row, stage->params));
    if (!output || !rn_write_is_file(output, &cli->write))
        return rn_fail(RN_EUSAGE, "--on-change split is for `render` to a media file (out.mkv, "
                                  "out-2.mkv ...)");
    return 0;
}

/* --size runs twice over the input, for one file. */
static int check_size(const struct rn_app_cli *cli, const char *output,
                      const struct rn_chain *chain)
{
    if (!cli->write.size)
        return 0;
    bool single = rn_write_is_file(output, &cli->write) && cli->source.on_change != RN_CHANGE_SPLIT;
    const char *why = !single ? "is for a single media file such as out.mp4"
                      : !rn_app_files_repeatable(cli->operand[0])
                          ? "reads the input twice: this one can be read only once"
                      : rn_chain_written(chain, NULL)
                          ? "filters twice: write tables by a run of their own"
                          : NULL;
    return why ? rn_fail(RN_EUSAGE, "--size %s", why) : 0;
}

/* ---- interface */

bool rn_app_files_use_stdout(const struct rn_app_cli *cli, const char *output,
                             const struct rn_chain *chain)
{
    char last[160];
    return count_prints(cli, output, chain, last) > 0;
}

int rn_app_files_check(const struct rn_app_cli *cli, const char *output,
                       const struct rn_chain *chain)
{
    RN_OWNED(free_list) struct list list = {0};
    int err = check_split(cli, output, chain);
    err = err ? err : check_size(cli, output, chain);
    if (!err && is_dash(cli->play.record))
        err = rn_fail(RN_EUSAGE, "--record takes the name of a file, not '-'");
    char last[160];
    if (!err && count_prints(cli, output, chain, last) > 1)
        err = rn_fail(RN_EUSAGE, "%s would be mixed with other data on stdout", last);
    if (err)
        return err;
    err = collect(&list, cli, output, chain);
    err = err ? err : check_overlaps(&list);
    for (int i = 0; i < list.n && !err && !cli->allow_writes; i++)
        if (list.file[i].needs_permission)
            err = rn_fail(RN_EUSAGE,
                          "'%s' names a file to write, '%s': if that is meant, add --allow-writes",
                          list.origin, list.file[i].path);
    /* NAME.partial.EXT of a stopped run must not replace an input. */
    for (int i = 0; i < list.n && !err; i++)
        err = list.file[i].kind == KIND_SAMPLES ? 0 : rn_outfile_keep(list.file[i].path);
    /* Reports are opened after the run: refused before it if that cannot work. */
    const char *const reports[] = {cli->metrics, cli->progress}, *record = cli->play.record;
    RN_OWNED(rn_outfile_free) struct rn_outfile probe = {0};
    for (int i = 0; i < 2 && !err; i++)
        err = reports[i] && !is_dash(reports[i]) ? rn_textout_check(reports[i]) : 0;
    err = err || !record ? err : rn_outfile_allowed(record);
    return err || !record ? err : rn_outfile_begin(&probe, record);
}

int rn_app_files_check_output(const struct rn_app_cli *cli, const char *output,
                              const struct rn_chain *chain)
{
    RN_OWNED(free_list) struct list list = {0};
    int err = collect(&list, cli, output, chain);
    return err ? err : check_overlaps(&list);
}

int rn_app_files_check_source(const struct rn_app_cli *cli, const struct rn_chain *chain,
                              const struct rn_read_source *source)
{
    RN_OWNED(free_list) struct list list = {0};
    int err = collect(&list, cli, NULL, chain);
    for (int i = 0; i < list.n && !err; i++)
        if (list.file[i].written &&
            (err = rn_io_media_is_file(rn_read_media(source), list.file[i].path)) > 0)
            err = rn_fail(RN_EUSAGE, "'%s' is a part of the input", list.file[i].path);
    return err;
}

int rn_app_files_list(const struct rn_app_cli *cli, const char *output,
                      const struct rn_chain *chain, struct rn_app_file **files)
{
    RN_OWNED(free_list) struct list list = {0};
    RN_OWNED(rn_chain_destroy) struct rn_chain *own = NULL;
    int err = chain ? 0 : rn_chain_parse(&own, cli->replay ? NULL : cli->filters);
    err = err ? err : collect(&list, cli, output, chain ? chain : own);
    *files = err ? NULL : calloc((size_t)list.n + 1, sizeof **files);
    err = err || *files ? err : rn_fail_memory();
    for (int i = 0; i < list.n && !err; i++) {
        (*files)[i].path = rn_intern(list.file[i].path);
        (*files)[i].use = list.file[i].kind == KIND_INPUT ? RN_APP_FILE_INPUT
                          : list.file[i].written          ? RN_APP_FILE_WRITTEN
                                                          : RN_APP_FILE_READ;
        err = (*files)[i].path ? 0 : rn_fail_memory();
    }
    return err ? err : list.n;
}
