/* SPDX-License-Identifier: MIT */
#include "app/commands/commands.h"

#include "app/process/environment.h"
#include "app/run/json.h"
#include "filters/base/owned.h"
#include "filters/core/device/device.h"

static const char *size_text(int64_t bytes, char *buf, size_t size)
{
    double mib = (double)bytes / (1 << 20);
    if (mib >= 1024)
        snprintf(buf, size, "%.1f GiB", mib / 1024);
    else if (mib >= 1)
        snprintf(buf, size, "%.0f MiB", mib);
    else
        snprintf(buf, size, "%.0f KiB", 1024 * mib);
    return buf;
}

static json_t *record_of(const struct rn_device_info *d, bool taken)
{
    return rn_app_json_make(
        "index:i platform:i device:i type:t name:t platform_name:t driver:t version:t "
        "compute_units:i global_memory_bytes:I max_allocation_bytes:I local_memory_bytes:I "
        "max_work_group:i shares_memory:b taken:b",
        d->index, d->platform, d->device, d->type, d->name, d->platform_name, d->driver, d->version,
        d->compute_units, (int64_t)d->global_memory, (int64_t)d->max_allocation,
        (int64_t)d->local_memory, d->max_work_group, d->shared_memory, taken);
}

static int print_json(const struct rn_device_info *list, int n, int taken)
{
    json_t *records = json_array();
    for (int i = 0; i < n; i++)
        rn_app_json_append(&records, record_of(&list[i], list[i].index == taken));
    return rn_app_json_write(rn_app_json_make("schema:i devices:o", 1, records), NULL);
}

int rn_app_devices_describe(void)
{
    return print_json(&(const struct rn_device_info){0}, 1, 0);
}

static void print_table(const struct rn_device_info *list, int n, int taken, bool given)
{
    printf("  %5s  %-4s  %-4s  %5s  %9s  %9s  %9s  %10s  %-6s  %s\n", "index", "p:d", "type",
           "units", "memory", "max alloc", "local", "work-group", "frames", "name");
    for (int i = 0; i < n; i++) {
        const struct rn_device_info *d = &list[i];
        char pair[24], global[32], max[32], local[32];
        snprintf(pair, sizeof pair, "%d:%d", d->platform, d->device);
        printf("%c %5d  %-4s  %-4.4s  %5d  %9s  %9s  %9s  %10d  %-6s  %s\n",
               d->index == taken ? '*' : ' ', d->index, pair, d->type, d->compute_units,
               size_text(d->global_memory, global, sizeof global),
               size_text(d->max_allocation, max, sizeof max),
               size_text(d->local_memory, local, sizeof local), d->max_work_group,
               d->shared_memory ? "mapped" : "copied", d->name);
        printf("%15s%s, driver %s, %s\n", "", d->platform_name, d->driver, d->version);
    }
    if (taken >= 0)
        printf("\n* is taken%s\n", given ? "" : " when -d is not given");
}

static int devices_run(const struct rn_app_cli *cli)
{
    const char *why = NULL;
    RN_OWNED(rn_free_owned) struct rn_device_info *list = NULL;
    rn_app_environment_prepare(cli->threads);
    int n = rn_device_list(&list, &why);
    if (n <= 0)
        return rn_fail(RN_EDEVICE, "no OpenCL device: %s; `-d none` needs none",
                       why ? why : "unknown reason");
    /* Opens the default device, so that the mark agrees with other commands. */
    struct rn_device *device = NULL;
    int err = rn_device_open(&device, cli->device);
    int taken = device ? rn_device_info(device)->index : -1;
    if (!cli->json)
        print_table(list, n, taken, cli->device && *cli->device);
    else if (!err)
        err = print_json(list, n, taken);
    return rn_first_error(err, rn_device_close(&device));
}

const struct rn_app_command rn_app_command_devices = {
    .name = "devices",
    .operands = "",
    .summary = "list every OpenCL device: index, type, limits, driver",
    .options = RN_OPTIONS_DEVICE | RN_OPTIONS_JSON,
    .run = devices_run,
};
