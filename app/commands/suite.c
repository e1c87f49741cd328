/* SPDX-License-Identifier: MIT */
#include "app/commands/bench_report.h"
#include "app/process/environment.h"
#include "app/process/signals.h"
#include "app/process/terminal.h"
#include "filters/base/owned.h"
#include "filters/base/version.h"
#include "filters/base/text/printable.h"

#include <stdio.h>
#include <stdlib.h>

#define USUAL_REPEATS 5
#define QUICK_REPEATS 2

static const struct {
    const char *name;
    int (*run)(struct rn_app_suite *suite);
    bool takes_chain;
    int max_devices; /* of -d; 0: the suite opens devices itself */
} suites[] = {
    [RN_SUITE_DEVICES] = {"devices", rn_app_suite_devices, true, 0},
    [RN_SUITE_FILTERS] = {"filters", rn_app_suite_filters, true, 1},
    [RN_SUITE_STREAMING] = {"streaming", rn_app_suite_streaming, true, RN_MAX_DEVICES},
    [RN_SUITE_LINEAR] = {"linear", rn_app_suite_linear, false, 1},
};

json_t *rn_app_suite_spread(const struct rn_times *spread, double factor)
{
    return rn_app_json_when(spread->max * factor > 0,
                            rn_app_json_make("min:f median:f max:f", spread->min * factor,
                                             spread->median * factor, spread->max * factor));
}

void rn_app_suite_show_status(const char *what)
{
    if (rn_app_terminal_redraws() && rn_log_level() >= RN_LOG_INFO)
        rn_app_terminal_status(what);
}

int rn_app_suite_list_devices(struct rn_app_session *s, struct rn_device_info **list)
{
    const char *why;
    int n = s->cli->device ? 0 : rn_device_list(list, &why);
    if (!s->cli->device)
        return *list ? n : rn_fail_memory();
    int err = rn_app_session_open_devices(s, RN_MAX_DEVICES);
    *list = calloc(RN_MAX_DEVICES, sizeof **list);
    err = err || *list ? err : rn_fail_memory();
    for (; !err && n < s->ndevices; n++)
        (*list)[n] = *rn_device_info(s->device[n]);
    err = rn_first_error(err, rn_app_session_close_devices(s));
    return err ? err : n;
}

/* Fills text with "A + B", or "none". */
static void name_devices(const struct rn_app_suite *s, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", s->device ? "" : "none");
    for (int i = 0; i < s->session.ndevices && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " + " : "",
                                 rn_device_info(s->session.device[i])->name);
}

static json_t *make_record(const struct rn_app_suite *s, int i, int status)
{
    const struct rn_device_info *d = s->device ? rn_device_info(s->device) : NULL;
    char devices[512];
    name_devices(s, devices, sizeof devices);
    return rn_app_json_make(
        "schema:i program:t version:t command:t suite:t exit_status:i quick:b repeats:i threads:i "
        "chain:t device:t device_driver:t recommended:t openblas_threads:i? rows:o",
        RN_BENCH_SCHEMA, "runnel", RN_VERSION, "bench", suites[i].name, status, s->cli->quick,
        s->repeats, s->cli->threads, s->cli->filters, suites[i].max_devices ? devices : NULL,
        d ? d->driver : NULL, *s->recommended ? s->recommended : NULL, s->openblas_threads > 0,
        s->openblas_threads, json_incref(s->rows));
}

static int run(struct rn_app_suite *s, int i)
{
    int max = suites[i].max_devices;
    int err = max ? rn_app_session_open_devices(&s->session, max) : 0;
    s->device = s->session.device[0];
    if (!err && s->table && max) {
        char devices[512];
        name_devices(s, devices, sizeof devices);
        rn_printable(devices, false);
        printf("%-8s %s%s\n", "suite", suites[i].name,
               s->cli->quick ? ", --quick: the figures say little" : "");
        printf("%-8s %s\n", "device", s->device ? devices : "none: the C reference path");
        if (s->device)
            printf("%-8s %s\n", "driver", rn_device_info(s->device)->driver);
    }
    err = err ? err : suites[i].run(s);
    rn_app_suite_show_status(NULL);
    return err;
}

int rn_app_suite_check_chain(const struct rn_chain *chain)
{
    const struct rn_stage *stage;
    const struct rn_param *row = rn_chain_written(chain, &stage);
    if (row)
        return rn_fail(RN_EUSAGE, "bench runs the chain many times: leave %s= out", row->name);
    return rn_chain_check_code(chain);
}

int rn_app_suite_run(const struct rn_app_cli *cli)
{
    int i = cli->suite ? (int)cli->suite : RN_SUITE_DEVICES;
    struct rn_app_cli own = *cli;
    if (cli->filters && !suites[i].takes_chain) {
        if (cli->typed[rn_app_option_lettered(NULL, 'f') - rn_app_options])
            return rn_fail(RN_EUSAGE, "the suite '%s' has no chain: leave -f out", suites[i].name);
        own.filters = NULL; /* one in the user's file of options is for other commands */
        cli = &own;
    }
    RN_OWNED(rn_chain_destroy) struct rn_chain *chain = NULL; /* checked before a table begins */
    if (cli->allow_code)
        rn_stage_allow_all_code();
    int err = cli->filters ? rn_chain_parse(&chain, cli->filters) : 0;
    err = err || !chain ? err : rn_app_suite_check_chain(chain);
    if (err)
        return err;
    struct rn_app_suite s = {
        .cli = cli, .session = {.cli = cli}, .rows = json_array(), .table = !cli->json};
    s.repeats = cli->repeats ? cli->repeats : cli->quick ? QUICK_REPEATS : USUAL_REPEATS;
    rn_app_environment_prepare(cli->threads);
    rn_app_signals_limit(cli->timeout, NULL, NULL, NULL);
    err = rn_app_signals_install(NULL, NULL);
    err = err ? err : run(&s, i);
    int written = 0;
    if (!err || err == RN_EDEVICE) {
        written = s.rows ? 0 : rn_fail_memory();
        if (!written && cli->json)
            written = rn_app_json_write(make_record(&s, i, -err), NULL);
        if (!written && cli->metrics)
            written = rn_app_json_write(make_record(&s, i, -err), cli->metrics);
    }
    rn_app_signals_end();
    json_decref(s.rows);
    return rn_first_error(err ? err : written, rn_app_session_close_devices(&s.session));
}
