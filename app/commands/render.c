/* SPDX-License-Identifier: MIT */
#include "app/commands/commands.h"

#include "app/run/files.h"
#include "app/run/segment.h"
#include "app/run/session.h"
#include "filters/base/output/path.h"
#include "filters/base/owned.h"
#include "filters/base/text/plural.h"

#include <stdlib.h>
#include <string.h>

/* ---- several inputs */

#define SHARED 256 /* bytes of a name */

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

static void look_for(void *shared, const char *path, enum rn_app_file_use use)
{
    if (use == RN_APP_FILE_WRITTEN && !strstr(path, "{}"))
        snprintf(shared, SHARED, "%.*s", SHARED - 1, path);
}

/* Refuses reports and tables that all runs would write, one over the other. */
static int check_names(const struct rn_app_cli *cli)
{
    char shared[SHARED] = "";
    if (cli->allow_writes)
        return rn_fail(RN_EUSAGE, "--allow-writes is for one input: files name one table for all");
    int err = rn_app_files_visit(cli, NULL, NULL, look_for, shared);
    return err || !*shared
               ? err
               : rn_fail(RN_EUSAGE, "'%s' is one file for all inputs: put {} into its name",
                         shared);
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

/* ---- the command */

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
        return rn_app_render_segments_here(cli, here);
    return cli->parts.plan ? rn_app_render_segment(cli) : rn_app_run(cli, cli->operand[1], NULL);
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
