/* SPDX-License-Identifier: MIT */
#include "app/commands/commands.h"

#include "app/help/help.h"
#include "app/run/report.h"
#include "filters/base/owned.h"
#include "filters/parts/measure.h"

static int describe_filters(void)
{
    return rn_app_describe_filters(rn_registry_find("convolution")); /* has all types */
}

/* A record with all columns that a table may have, or with those that each has. */
static json_t *stats_example(bool all)
{
    const struct rn_frame frame = {.located = true, .timed = true};
    const struct rn_measure m = {.frame = &frame, .has_previous = true, .unit = ""};
    char text[1024] = "";
    FILE *f = fmemopen(text, sizeof text, "w");
    if (!f)
        return NULL;
    rn_measure_print_row(f, &(const struct rn_measure_columns){true, all, all, all, all}, &m,
                         &(const struct rn_rescale){.slope = 1});
    fclose(f);
    return json_loads(text, JSON_DECODE_INT_AS_REAL, NULL);
}

static int describe_stats(void)
{
    RN_OWNED(json_decrefp)
    json_t *all = stats_example(true), *always = stats_example(false), *example = json_object();
    json_t *value;
    const char *key;
    char name[64];
    json_object_foreach(all, key, value)
    {
        snprintf(name, sizeof name, "%s%s", key, json_object_get(always, key) ? "" : "*");
        json_object_set(example, name, value);
    }
    return all && always ? rn_app_json_write(json_incref(example), NULL) : rn_fail_memory();
}

static const struct {
    const char *name, *help;
    int (*describe)(void);
} schemas[] = {
    {"devices", "what `runnel devices --json` prints", rn_app_devices_describe},
    {"filters", "what `runnel filters --json` prints", describe_filters},
    {"folder", "what `runnel info --json` prints of a folder of several types of files",
     rn_app_folder_describe},
    {"info", "what `runnel info --json` prints of an input", rn_app_info_describe},
    {"metrics", "the object of --metrics", rn_app_metrics_describe},
    {"progress", "a line of --progress", rn_app_progress_describe},
    {"stats", "a line of `runnel stats --json`", describe_stats},
};

static int schema_run(const struct rn_app_cli *cli)
{
    const char *name = cli->operand[0];
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        if (!name)
            printf("%-8s %s\n", schemas[i].name, schemas[i].help);
        if (!name || strcmp(schemas[i].name, name) != 0)
            continue;
        rn_app_json_describe();
        return schemas[i].describe();
    }
    return name ? rn_fail(RN_EUSAGE, "unknown schema '%.64s'; `runnel schema` lists them", name)
                : 0;
}

const struct rn_app_command rn_app_command_schema = {
    .name = "schema",
    .operands = "[NAME]",
    .summary = "print the JSON Schema of what runnel prints as JSON",
    .max_operands = 1,
    .run = schema_run,
};
