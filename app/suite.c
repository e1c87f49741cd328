#include "app/suite.h"

#include "app/environment.h"
#include "app/signals.h"
#include "app/terminal.h"
#include "app/version.h"
#include "filters/base/err.h"
#include "filters/base/textout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA        1
#define USUAL_REPEATS 5
#define QUICK_REPEATS 2

static const struct {
    const char *name;
    int (*run)(struct rn_suite *suite);
    bool takes_chain, all_devices;
} suites[] = {
    {"devices", rn_suite_devices, true, true},
    {"filters", rn_suite_filters, true, false},
    {"streaming", rn_suite_streaming, true, false},
    {"linear", rn_suite_linear, false, false},
};

void rn_suite_add(struct rn_suite *s, struct rn_json_object *row)
{
    rn_json_append(&s->rows, rn_json_end(row));
}

void rn_suite_put_spread(struct rn_json_object *o, const char *key, const struct rn_times *spread,
                         double factor)
{
    struct rn_json_object inner = rn_json_begin();
    rn_json_put(&inner, "min", rn_json_real(spread->min * factor));
    rn_json_put(&inner, "median", rn_json_real(spread->median * factor));
    rn_json_put(&inner, "max", rn_json_real(spread->max * factor));
    rn_json_put(o, key, rn_json_when(spread->max > 0, rn_json_end(&inner)));
}

void rn_suite_tell(const char *what)
{
    if (rn_terminal_redraws() && rn_log_level() >= RN_LOG_INFO)
        rn_terminal_status(what);
}

static char *make_text(const struct rn_suite *s, const char *name, int status)
{
    struct rn_json_object o = rn_json_begin();
    const struct rn_device_info *d = s->device ? rn_device_info(s->device) : NULL;
    rn_json_put(&o, "schema", json_integer(SCHEMA));
    rn_json_put(&o, "program", json_string("runnel"));
    rn_json_put(&o, "version", json_string(RN_VERSION));
    rn_json_put(&o, "command", json_string("bench"));
    rn_json_put(&o, "suite", rn_json_text(name));
    rn_json_put(&o, "exit_status", json_integer(status));
    rn_json_put(&o, "quick", json_boolean(s->cli->quick));
    rn_json_put(&o, "repeats", json_integer(s->repeats));
    rn_json_put(&o, "threads", json_integer(s->cli->threads));
    rn_json_put(&o, "chain", rn_json_text(s->cli->filters));
    if (strcmp(name, suites[0].name) != 0) {
        rn_json_put(&o, "device", rn_json_text(d ? d->name : "none"));
        rn_json_put(&o, "device_driver", rn_json_text(d ? d->driver : NULL));
    } else {
        rn_json_put(&o, "recommended", rn_json_text(s->recommended));
    }
    if (s->openblas_threads)
        rn_json_put(&o, "openblas_threads", json_integer(s->openblas_threads));
    rn_json_put(&o, "rows", json_incref(s->rows));
    json_t *record = rn_json_end(&o);
    char *text = rn_json_dump(record, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    json_decref(record);
    return text;
}

static int write_json(const struct rn_suite *s, const char *name, int status)
{
    const char *path = s->cli->metrics;
    struct rn_textout *out = NULL;
    char *text = s->rows ? make_text(s, name, status) : NULL;
    int err = text ? 0 : rn_fail_memory();
    if (!err && s->cli->json)
        printf("%s\n", text);
    if (!err && path)
        err = rn_textout_open(&out, path);
    if (out) {
        fprintf(rn_textout_stream(out), "%s\n", text);
        err = rn_textout_close(&out, RN_TEXT_COMPLETE);
    }
    free(text);
    return err;
}

static void print_head(const struct rn_suite *s, const char *name)
{
    const struct rn_device_info *d = s->device ? rn_device_info(s->device) : NULL;
    printf("%-8s %s%s\n", "suite", name, s->cli->quick ? ", --quick: the figures say little" : "");
    if (d)
        printf("%-8s %s, driver %s\n", "device", d->name, d->driver);
    else
        printf("%-8s none: the C reference path\n", "device");
}

static int run(struct rn_suite *s, size_t which)
{
    int err = suites[which].all_devices ? 0 : rn_device_open(&s->device, s->cli->device);
    if (!err && s->table && !suites[which].all_devices)
        print_head(s, suites[which].name);
    err = err ? err : suites[which].run(s);
    rn_suite_tell(NULL);
    return err;
}

int rn_suite_run(const struct rn_cli *cli)
{
    size_t i = 0;
    while (cli->suite && strcmp(suites[i].name, cli->suite) != 0)
        i++;
    if (cli->filters && !suites[i].takes_chain)
        return rn_fail(RN_EUSAGE, "the suite '%s' has no chain: leave -f out", suites[i].name);
    struct rn_suite s = {.cli = cli, .rows = json_array(), .table = !cli->json};
    s.repeats = cli->repeats ? cli->repeats : cli->quick ? QUICK_REPEATS : USUAL_REPEATS;
    rn_environment_prepare(cli->threads);
    int err = rn_signals_install(NULL, NULL);
    err = err ? err : run(&s, i);
    int written = !err || err == RN_EDEVICE ? write_json(&s, suites[i].name, -err) : 0;
    rn_signals_end();
    json_decref(s.rows);
    int closed = rn_device_close(&s.device);
    err = err ? err : written;
    return err ? err : closed;
}
