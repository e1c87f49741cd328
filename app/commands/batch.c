/* SPDX-License-Identifier: MIT */
#include "app/commands/commands.h"

#include <stdlib.h>
#include <string.h>

#include "app/commands/processes.h"
#include "app/options.h"
#include "app/run/identity.h"
#include "filters/base/text/plural.h"

/* The name of a file without folder and extension. The caller frees it. */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    return strndup(base, dot && dot != base ? (size_t)(dot - base) : strlen(base));
}

/* Files that all runs would write, one over the other. */
static int check_names(const struct rn_app_cli *cli)
{
    struct rn_chain *chain = NULL;
    const struct rn_stage *stage;
    const char *const reports[] = {cli->metrics, cli->progress};
    for (int i = 0; i < 2; i++)
        if (reports[i] && !strstr(reports[i], "{}"))
            return rn_fail(RN_EUSAGE, "--%s '%s' is one file for all inputs: put {} into its name",
                           i ? "progress" : "metrics", reports[i]);
    int err = rn_chain_parse(&chain, cli->filters ? cli->filters : "");
    const struct rn_param *row = err ? NULL : rn_chain_written(chain, &stage);
    if (row && !strstr(rn_param_text(row, stage->params), "{}"))
        err = rn_fail(RN_EUSAGE, "%s=%s is one table for all inputs: put {} into its name",
                      row->name, rn_param_text(row, stage->params));
    rn_chain_destroy(&chain);
    return err;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Refuses two inputs that make one output. */
static int check_twice(char *const *output, int n)
{
    char **sorted = calloc((size_t)n, sizeof *sorted);
    int err = sorted ? 0 : rn_fail_memory();
    for (int i = 0; i < n && !err; i++)
        sorted[i] = output[i];
    if (!err)
        qsort(sorted, (size_t)n, sizeof *sorted, compare);
    for (int i = 1; i < n && !err; i++)
        if (!strcmp(sorted[i - 1], sorted[i]))
            err = rn_fail(RN_EUSAGE, "two inputs would make '%s'", sorted[i]);
    free(sorted);
    return err;
}

/* Renders one input. */
static int render(const struct rn_app_cli *cli, const char *input, const char *output,
                  const char *stem)
{
    char glance[RN_DIGEST];
    if (cli->parts.skip && rn_app_glance(cli, input, output, stem, glance) &&
        rn_app_mark_glances(output, glance))
        return 0;
    struct rn_app_words w = rn_app_words_begin("runnel render");
    for (int i = 0; i < cli->ngiven; i++) /* the settings are read again */
        if (rn_app_cli_asked(cli, cli->given[i].row->name))
            rn_app_words_add_option(&w, cli, i, stem);
    rn_app_words_add(&w, "--");
    rn_app_words_add(&w, "%s", input);
    rn_app_words_add(&w, "%s", output);
    rn_log(RN_LOG_INFO, "'%s' to '%s'", input, output);
    return rn_app_process_run(&w, -1);
}

int rn_app_render_batch(const struct rn_app_cli *cli)
{
    int n = cli->noperands - 1, failed = 0, first = 0, done = 0, err = check_names(cli);
    char **stem = calloc((size_t)n, sizeof *stem), **output = calloc((size_t)n, sizeof *output);
    if (!err && (!stem || !output))
        err = rn_fail_memory();
    for (int i = 0; i < n && !err; i++) {
        stem[i] = stem_of(cli->operand[i]);
        output[i] = stem[i] ? rn_app_fill(cli->operand[n], stem[i]) : NULL;
        err = output[i] ? 0 : rn_fail_memory();
    }
    err = err ? err : check_twice(output, n);
    rn_app_processes_handle_signals();
    for (; done < n && !err && !rn_app_processes_caught(); done++) {
        int ended = render(cli, cli->operand[done], output[done], stem[done]);
        failed += ended != 0;
        first = first ? first : ended;
    }
    for (int i = 0; stem && output && i < n; i++) {
        free(stem[i]);
        free(output[i]);
    }
    free(stem);
    free(output);
    if (failed && n > 1)
        rn_log(RN_LOG_ERROR, "%d of %d input%s failed", failed, n, rn_plural(n));
    int sig = rn_app_processes_caught();
    return err ? err : sig ? -(128 + sig) : first;
}
