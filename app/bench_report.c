#include "app/bench_report.h"

#include "app/json.h"
#include "app/version.h"
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/printable.h"
#include "filters/base/textout.h"
#include "filters/bench/timing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RN_BENCH_SCHEMA 1
#define NAME_WIDTH      34

static double gigabytes_per_s(int64_t bytes, double seconds)
{
    return seconds > 0 ? 1e-9 * (double)bytes / seconds : 0;
}

static int sample_bits(const struct rn_geom *geom)
{
    return 8 * rn_format_bytes(&geom->fmt);
}

/* The part that was busy longest of the run from and to files, and its share of that. */
static const char *bound_of(const struct rn_bench_report *r, const struct rn_bench_case *c,
                            double *share)
{
    static const struct {
        const char *name;
        enum rn_bench_row row;
    } parts[] = {{"decode", RN_BENCH_DECODE},
                 {"upload", RN_BENCH_UPLOAD},
                 {"kernels", RN_BENCH_KERNELS},
                 {"download", RN_BENCH_DOWNLOAD},
                 {"encode", RN_BENCH_ENCODE}};
    const char *name = "decode";
    double most = 0, wall = rn_times_of(c->seconds[RN_BENCH_FILES], r->repeats).median;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double median = rn_times_of(c->seconds[parts[i].row], r->repeats).median;
        if (median > most) {
            most = median;
            name = parts[i].name;
        }
    }
    *share = wall > 0 ? most / wall : 0;
    return name;
}

/* ---- the table */

static void print_row(const struct rn_bench_report *r, const char *name, const double *seconds,
                      int64_t bytes)
{
    struct rn_times s = rn_times_of(seconds, r->repeats);
    printf("  %-*.*s %10.4f %10.4f %10.4f %11.4f", NAME_WIDTH, NAME_WIDTH, name, s.min, s.median,
           s.max, 1e3 * s.median / (double)r->frames);
    if (bytes > 0)
        printf(" %8.2f", gigabytes_per_s(bytes, s.median));
    printf("\n");
}

static void print_transfer(const struct rn_bench_report *r, const char *name, const double *seconds,
                           int64_t bytes)
{
    if (bytes > 0)
        print_row(r, name, seconds, bytes);
    else
        printf("  %-*s %10s\n", NAME_WIDTH, name, r->on_device ? "no copy" : "no device");
}

static void print_case(const struct rn_bench_report *r, const struct rn_bench_case *c)
{
    char format[24], name[128];
    printf(
        "\n%d bit: %s, %s; %.1f MB\n", sample_bits(&c->geom), rn_format_name(&c->geom.fmt, format),
        c->converted ? "converted from the input's" : "as the input is", 1e-6 * (double)c->bytes);
    printf("  %-*s %10s %10s %10s %11s %8s\n", NAME_WIDTH, "seconds in all", "min", "median", "max",
           "ms a frame", "GB/s");
    print_transfer(r, "upload", c->seconds[RN_BENCH_UPLOAD], c->uploaded);
    for (int i = 0; i < r->chain->n; i++) {
        const struct rn_stage *s = r->chain->stage[i];
        snprintf(name, sizeof name, "%s%s%.64s", s->desc->name, s->label ? "@" : "",
                 s->label ? s->label : "");
        rn_printable(name, false);
        print_row(r, name, c->seconds[RN_BENCH_STAGES + i], 0);
    }
    print_transfer(r, "download", c->seconds[RN_BENCH_DOWNLOAD], c->downloaded);
    print_row(r, "these, one after the other", c->seconds[RN_BENCH_SUM], 0);
    print_row(r, "the run, frames in memory", c->seconds[RN_BENCH_WALL], 0);
    if (!c->from_files)
        return;
    print_row(r, "the run, from and to files", c->seconds[RN_BENCH_FILES], 0);
    print_row(r, "  of that: decode", c->seconds[RN_BENCH_DECODE], 0);
    print_row(r, "  of that: encode", c->seconds[RN_BENCH_ENCODE], 0);
    double share;
    const char *bound = bound_of(r, c, &share);
    printf("  bound by: %s, which takes %.0f %% of the run from and to files\n", bound,
           100 * share);
}

static void print_head(const struct rn_bench_report *r, const char *chain)
{
    const struct rn_geom *geom = &r->cases[0].geom;
    char *line[] = {strdup(r->input), strdup(r->output), strdup(chain)};
    static const char *const title[] = {"input", "output", "chain"};
    for (int i = 0; i < 3; i++) {
        if (line[i])
            rn_printable(line[i], false);
        printf("%-8s %s\n", title[i], line[i] ? line[i] : "");
        free(line[i]);
    }
    printf("%-8s %s\n", "device", r->on_device ? r->device.name : "none: the C reference path");
    printf("%-8s %" PRId64 " of %dx%d%s, %d repeat%s, one before them not counted\n", "frames",
           r->frames, geom->w, geom->h,
           r->more ? ", the first of the input: there is no room in memory for more" : "",
           r->repeats, r->repeats == 1 ? "" : "s");
}

/* ---- JSON */

static json_t *spread_record(const struct rn_bench_report *r, const double *seconds)
{
    struct rn_times s = rn_times_of(seconds, r->repeats);
    struct rn_json_object o = rn_json_begin();
    json_t *each = json_array();
    for (int i = 0; i < r->repeats; i++)
        rn_json_append(&each, rn_json_real(seconds[i]));
    rn_json_put(&o, "min", rn_json_real(s.min));
    rn_json_put(&o, "median", rn_json_real(s.median));
    rn_json_put(&o, "max", rn_json_real(s.max));
    rn_json_put(&o, "each", each);
    return rn_json_end(&o);
}

static json_t *stages_record(const struct rn_bench_report *r, const struct rn_bench_case *c)
{
    json_t *list = json_array();
    for (int i = 0; i < r->chain->n; i++) {
        struct rn_json_object o = rn_json_begin();
        rn_json_put(&o, "name", rn_json_text(r->chain->stage[i]->desc->name));
        rn_json_put(&o, "label", rn_json_text(r->chain->stage[i]->label));
        rn_json_put(&o, "total_s", spread_record(r, c->seconds[RN_BENCH_STAGES + i]));
        rn_json_append(&list, rn_json_end(&o));
    }
    return list;
}

/* GB/s of the median; null where nothing was copied. */
static json_t *speed_record(const struct rn_bench_report *r, const double *seconds, int64_t bytes)
{
    double median = rn_times_of(seconds, r->repeats).median;
    return rn_json_when(bytes > 0 && median > 0, rn_json_real(gigabytes_per_s(bytes, median)));
}

static json_t *case_record(const struct rn_bench_report *r, const struct rn_bench_case *c)
{
    static const struct {
        const char *key;
        enum rn_bench_row row;
    } keys[] = {{"upload_s", RN_BENCH_UPLOAD},     {"kernels_s", RN_BENCH_KERNELS},
                {"download_s", RN_BENCH_DOWNLOAD}, {"sum_s", RN_BENCH_SUM},
                {"copy_s", RN_BENCH_COPY},         {"wall_s", RN_BENCH_WALL},
                {"wall_files_s", RN_BENCH_FILES},  {"decode_s", RN_BENCH_DECODE},
                {"encode_s", RN_BENCH_ENCODE}};
    struct rn_json_object o = rn_json_begin();
    char name[24];
    rn_json_put(&o, "bits", json_integer(sample_bits(&c->geom)));
    rn_json_put(&o, "pixel_format", rn_json_text(rn_format_name(&c->geom.fmt, name)));
    rn_json_put(&o, "converted", json_boolean(c->converted));
    rn_json_put(&o, "bytes", json_integer(c->bytes));
    rn_json_put(&o, "upload_bytes", json_integer(c->uploaded));
    rn_json_put(&o, "download_bytes", json_integer(c->downloaded));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        bool known = c->from_files || keys[i].row < RN_BENCH_FILES;
        rn_json_put(&o, keys[i].key,
                    known ? spread_record(r, c->seconds[keys[i].row]) : json_null());
    }
    rn_json_put(&o, "stages", stages_record(r, c));
    double share;
    const char *bound = bound_of(r, c, &share);
    rn_json_put(&o, "bound", rn_json_text(c->from_files ? bound : NULL));
    rn_json_put(&o, "bound_share", rn_json_when(c->from_files, rn_json_real(share)));
    rn_json_put(&o, "upload_gb_per_s", speed_record(r, c->seconds[RN_BENCH_UPLOAD], c->uploaded));
    rn_json_put(&o, "download_gb_per_s",
                speed_record(r, c->seconds[RN_BENCH_DOWNLOAD], c->downloaded));
    return rn_json_end(&o);
}

static json_t *make_record(const struct rn_bench_report *r, int status)
{
    struct rn_json_object o = rn_json_begin();
    const struct rn_device_info *d = &r->device;
    char *chain = rn_chain_format(r->chain);
    json_t *cases = json_array();
    for (int i = 0; i < r->ncases; i++)
        rn_json_append(&cases, case_record(r, &r->cases[i]));
    rn_json_put(&o, "schema", json_integer(RN_BENCH_SCHEMA));
    rn_json_put(&o, "program", json_string("runnel"));
    rn_json_put(&o, "version", json_string(RN_VERSION));
    rn_json_put(&o, "command", json_string("bench"));
    rn_json_put(&o, "exit_status", json_integer(status));
    rn_json_put(&o, "input", rn_json_text(r->input));
    rn_json_put(&o, "output", rn_json_text(r->output));
    rn_json_put(&o, "chain", chain ? rn_json_text(chain) : NULL);
    rn_json_put(&o, "device", rn_json_text(r->on_device ? d->name : "none"));
    rn_json_put(&o, "device_driver", rn_json_text(r->on_device ? d->driver : NULL));
    rn_json_put(&o, "device_shares_memory",
                rn_json_when(r->on_device, json_boolean(d->shared_memory)));
    rn_json_put(&o, "width", json_integer(r->ncases ? r->cases[0].geom.w : 0));
    rn_json_put(&o, "height", json_integer(r->ncases ? r->cases[0].geom.h : 0));
    rn_json_put(&o, "frames", json_integer(r->frames));
    rn_json_put(&o, "frames_more", json_boolean(r->more));
    rn_json_put(&o, "repeats", json_integer(r->repeats));
    rn_json_put(&o, "inflight", json_integer(r->cli->inflight));
    rn_json_put(&o, "threads", json_integer(r->cli->threads));
    rn_json_put(&o, "cases", cases);
    free(chain);
    return rn_json_end(&o);
}

static char *make_text(const struct rn_bench_report *r, int status)
{
    json_t *record = make_record(r, status);
    char *text = rn_json_dump(record, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    json_decref(record);
    return text;
}

int rn_bench_print(const struct rn_bench_report *r)
{
    char *text = r->cli->json ? make_text(r, 0) : rn_chain_format(r->chain);
    if (!text)
        return rn_fail_memory();
    if (r->cli->json)
        printf("%s\n", text);
    else
        print_head(r, text);
    for (int i = 0; i < r->ncases && !r->cli->json; i++)
        print_case(r, &r->cases[i]);
    free(text);
    return 0;
}

int rn_bench_write(const struct rn_bench_report *r, const char *path, int status)
{
    struct rn_textout *out = NULL;
    char *text = make_text(r, status);
    int err = text ? rn_textout_open(&out, path) : rn_fail_memory();
    if (!err) {
        fprintf(rn_textout_stream(out), "%s\n", text);
        err = rn_textout_close(&out, RN_TEXT_COMPLETE);
    }
    free(text);
    return err;
}
