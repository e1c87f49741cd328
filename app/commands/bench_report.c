/* SPDX-License-Identifier: MIT */
#include "app/commands/bench_report.h"

#include "filters/base/owned.h"
#include "filters/base/version.h"
#include "filters/base/text/printable.h"

#include <inttypes.h>

#define NAME_WIDTH 28 /* makes lines of 79 columns */
/* From these shares of the wall time on, a part, or the CPUs, are the bottleneck. */
#define BUSY_PART 0.6
#define BUSY_CPU  0.85

static double gigabytes_per_s(int64_t bytes, double seconds)
{
    return seconds > 0 ? 1e-9 * (double)bytes / seconds : 0;
}

static int sample_bits(const struct rn_geom *geom)
{
    return 8 * rn_format_bytes(&geom->fmt);
}

static double median_of(const struct rn_app_bench_report *r, const struct rn_app_bench_case *c,
                        enum rn_app_bench_row row)
{
    return rn_times_of(c->seconds[row], r->repeats).median;
}

/* The parts of the run from and to files. */
static const struct part {
    const char *name;
    enum rn_app_bench_row row;
} parts[] = {{"decode", RN_BENCH_DECODE},
             {"upload", RN_BENCH_FILES_UPLOAD},
             {"kernels", RN_BENCH_FILES_KERNELS},
             {"download", RN_BENCH_FILES_DOWNLOAD},
             {"encode", RN_BENCH_ENCODE}};
#define NPARTS (sizeof parts / sizeof *parts)

/* The bottleneck of the run from and to files. */
struct bound {
    const char *longest; /* the part that was busy longest */
    double share;        /* of the wall time of the run, 0..1 */
    double cpu;          /* load of the CPUs, 0..1; 0: not known */
    const char *by;      /* the bottleneck: longest, "cpu", or NULL: none */
};

static struct bound find_bound(const struct rn_app_bench_report *r,
                               const struct rn_app_bench_case *c)
{
    struct bound b = {.longest = parts[0].name};
    double wall = median_of(r, c, RN_BENCH_FILES);
    for (size_t i = 0; i < NPARTS && wall > 0; i++) {
        double share = median_of(r, c, parts[i].row) / wall;
        if (share > b.share) {
            b.share = share;
            b.longest = parts[i].name;
        }
    }
    if (wall > 0 && r->cpus > 0)
        b.cpu = median_of(r, c, RN_BENCH_FILES_CPU) / wall / r->cpus;
    b.by = b.share >= BUSY_PART ? b.longest : b.cpu >= BUSY_CPU ? "cpu" : NULL;
    return b;
}

const struct rn_app_bench_place *rn_app_bench_fastest(const struct rn_app_bench_report *r)
{
    const struct rn_app_bench_place *best = NULL;
    double least = 0;
    for (int i = 0; i < r->nplaces; i++) {
        const struct rn_app_bench_place *p = &r->place[i];
        double wall = p->ncases && !p->failed ? median_of(r, &p->cases[0], RN_BENCH_FILES) : 0;
        if (wall > 0 && (!best || wall < least)) {
            best = p;
            least = wall;
        }
    }
    return best;
}

/* ---- the table */

static void print_row(const struct rn_app_bench_report *r, const char *name, const double *seconds,
                      int64_t bytes)
{
    struct rn_times s = rn_times_of(seconds, r->repeats);
    printf("  %-*.*s %9.4f %9.4f %9.4f %10.4f", NAME_WIDTH, NAME_WIDTH, name, s.min, s.median,
           s.max, 1e3 * s.median / (double)r->frames);
    if (bytes > 0)
        printf(" %7.2f", gigabytes_per_s(bytes, s.median));
    printf("\n");
}

static void print_transfer(const struct rn_app_bench_report *r, const struct rn_app_bench_place *p,
                           const char *name, const double *seconds, int64_t bytes)
{
    if (bytes > 0)
        print_row(r, name, seconds, bytes);
    else
        printf("  %-*s %9s\n", NAME_WIDTH, name, p->ndevices ? "no copy" : "no device");
}

static void print_files(const struct rn_app_bench_report *r, const struct rn_app_bench_case *c)
{
    struct bound b = find_bound(r, c);
    print_row(r, "the run, from and to files", c->seconds[RN_BENCH_FILES], 0);
    for (size_t i = 0; i < NPARTS; i++) {
        char name[32];
        snprintf(name, sizeof name, "  of that: %s", parts[i].name);
        bool copied = (parts[i].row != RN_BENCH_FILES_UPLOAD || c->uploaded) &&
                      (parts[i].row != RN_BENCH_FILES_DOWNLOAD || c->downloaded);
        if (copied)
            print_row(r, name, c->seconds[parts[i].row], 0);
    }
    if (c->lanes > 1)
        printf("  %d frames are computed at once: above, the kernels' times of all add up\n",
               c->lanes);
    if (b.by && strcmp(b.by, "cpu") == 0)
        printf("  bound by: the CPU, all of whose %d cores are busy for %.0f %% of the run\n",
               r->cpus, 100 * b.cpu);
    else if (b.by)
        printf("  bound by: %s, busy for %.0f %% of the run from and to files\n", b.by,
               100 * b.share);
    else
        printf("  bound by: nothing alone; even %s is busy for only %.0f %% of the run\n",
               b.longest, 100 * b.share);
}

static void print_case(const struct rn_app_bench_report *r, const struct rn_app_bench_place *p,
                       const struct rn_app_bench_case *c)
{
    char format[24], name[128];
    printf(
        "\n%d bit: %s, %s; %.1f MB\n", sample_bits(&c->geom), rn_format_name(&c->geom.fmt, format),
        c->converted ? "converted from the input's" : "as the input is", 1e-6 * (double)c->bytes);
    printf("  %-*s %9s %9s %9s %10s %7s\n", NAME_WIDTH, "seconds in all", "min", "median", "max",
           "ms a frame", "GB/s");
    print_transfer(r, p, "upload", c->seconds[RN_BENCH_UPLOAD], c->uploaded);
    for (int i = 0; i < rn_chain_count(r->chain); i++) {
        const struct rn_stage *s = rn_chain_stage(r->chain, i);
        snprintf(name, sizeof name, "%s%s%.64s", s->desc->name, s->label ? "@" : "",
                 s->label ? s->label : "");
        print_row(r, rn_printable(name, false), c->seconds[RN_BENCH_STAGES + i], 0);
    }
    print_transfer(r, p, "download", c->seconds[RN_BENCH_DOWNLOAD], c->downloaded);
    print_row(r, "these, one after the other", c->seconds[RN_BENCH_SUM], 0);
    print_row(r, "the run, frames in memory", c->seconds[RN_BENCH_WALL], 0);
    if (c->from_files)
        print_files(r, c);
}

static void print_head(const struct rn_app_bench_report *r, const char *chain)
{
    const struct rn_geom *geom = &rn_app_bench_fastest(r)->cases[0].geom;
    const char *const lines[][2] = {{"input", r->input}, {"output", r->output}, {"chain", chain}};
    for (int i = 0; i < 3; i++) {
        RN_OWNED(rn_free_owned) char *text = rn_printable(strdup(lines[i][1]), false);
        printf("%-8s %s\n", lines[i][0], text ? text : "");
    }
    printf("%-8s %" PRId64 " of %dx%d%s\n", "frames", r->frames, geom->w, geom->h,
           r->more ? ", the first of the input: there is no room in memory for more" : "");
    printf("%-8s %d, and one before them that is not counted\n", "repeats", r->repeats);
}

static void print_place(const struct rn_app_bench_report *r, const struct rn_app_bench_place *p)
{
    char name[sizeof p->device.name];
    snprintf(name, sizeof name, "%s", p->ndevices ? p->device.name : "none: the C reference path");
    rn_printable(name, false);
    if (p->ndevices > 1)
        printf("\n%-8s -d %s: %d devices share the frames\n", "device", p->select, p->ndevices);
    else if (r->nplaces > 1)
        printf("\n%-8s -d %s: %s\n", "device", p->select, name);
    else
        printf("%-8s %s\n", "device", name);
    if (p->failed)
        printf("  failed\n");
    for (int i = 0; i < p->ncases && !p->failed; i++)
        print_case(r, p, &p->cases[i]);
}

/* Compares the places by the run from and to files. */
static void print_comparison(const struct rn_app_bench_report *r)
{
    printf("\nfrom and to files, ms a frame\n%-8s %9s", "-d", "frames/s");
    for (size_t i = 0; i < NPARTS; i++)
        printf(" %8s", parts[i].name);
    printf("  %s\n", "bound by");
    for (int i = 0; i < r->nplaces; i++) {
        const struct rn_app_bench_place *p = &r->place[i];
        const struct rn_app_bench_case *c = &p->cases[0];
        double wall = p->failed ? 0 : median_of(r, c, RN_BENCH_FILES);
        printf("%-8s", p->select);
        if (wall <= 0) {
            printf(" %9s\n", "failed");
            continue;
        }
        struct bound b = find_bound(r, c);
        printf(" %9.1f", (double)r->frames / wall);
        for (size_t k = 0; k < NPARTS; k++) {
            double ms = 1e3 * median_of(r, c, parts[k].row) / (double)r->frames;
            if (ms > 0)
                printf(" %8.4f", ms);
            else
                printf(" %8s", "-");
        }
        printf("  %s\n", b.by ? b.by : "nothing alone");
    }
    printf("fastest: -d %s\n", rn_app_bench_fastest(r)->select);
}

/* ---- JSON */

static json_t *spread_record(const struct rn_app_bench_report *r, const double *seconds)
{
    struct rn_times s = rn_times_of(seconds, r->repeats);
    json_t *each = json_array();
    for (int i = 0; i < r->repeats; i++)
        rn_app_json_append(&each, rn_app_json_real(seconds[i]));
    return rn_app_json_make("min:f median:f max:f each:o", s.min, s.median, s.max, each);
}

/* GB/s of the median; null without copies. */
static json_t *speed_record(const struct rn_app_bench_report *r, const double *seconds,
                            int64_t bytes)
{
    double median = rn_times_of(seconds, r->repeats).median;
    return rn_app_json_when(bytes > 0 && median > 0,
                            rn_app_json_real(gigabytes_per_s(bytes, median)));
}

static json_t *case_record(const struct rn_app_bench_report *r, const struct rn_app_bench_case *c)
{
    static const char *const keys[RN_BENCH_STAGES] = {
        "upload_s",        "kernels_s",        "download_s", "sum_s",    "copy_s",
        "wall_s",          "wall_files_s",     "decode_s",   "encode_s", "files_upload_s",
        "files_kernels_s", "files_download_s", "files_cpu_s"};
    json_t *o = json_object();
    char name[24];
    rn_app_json_fill(&o,
                     "bits:i pixel_format:t converted:b inflight:i lanes:i bytes:I upload_bytes:I "
                     "download_bytes:I",
                     sample_bits(&c->geom), rn_format_name(&c->geom.fmt, name), c->converted,
                     c->inflight, c->lanes, c->bytes, c->uploaded, c->downloaded);
    for (int i = 0; i < RN_BENCH_STAGES; i++)
        rn_app_json_put(&o, keys[i],
                        c->from_files || i < RN_BENCH_FILES ? spread_record(r, c->seconds[i])
                                                            : json_null());
    json_t *stages = json_array();
    for (int i = 0; i < rn_chain_count(r->chain); i++) {
        const struct rn_stage *stage = rn_chain_stage(r->chain, i);
        rn_app_json_append(
            &stages, rn_app_json_make("name:t label:t total_s:o", stage->desc->name, stage->label,
                                      spread_record(r, c->seconds[RN_BENCH_STAGES + i])));
    }
    struct bound b = find_bound(r, c);
    rn_app_json_fill(&o,
                     "stages:o bound:t longest:t longest_share:f? cpu_share:f? upload_gb_per_s:o "
                     "download_gb_per_s:o",
                     stages, c->from_files ? b.by : NULL, c->from_files ? b.longest : NULL,
                     c->from_files, b.share, c->from_files && b.cpu > 0, b.cpu,
                     speed_record(r, c->seconds[RN_BENCH_UPLOAD], c->uploaded),
                     speed_record(r, c->seconds[RN_BENCH_DOWNLOAD], c->downloaded));
    return o;
}

static json_t *make_record(const struct rn_app_bench_report *r, int status)
{
    const struct rn_app_bench_place *best = rn_app_bench_fastest(r);
    const struct rn_geom *geom = &best->cases[0].geom;
    RN_OWNED(rn_free_owned) char *chain = rn_chain_format(r->chain);
    json_t *devices = json_array();
    for (int i = 0; i < r->nplaces; i++) {
        const struct rn_app_bench_place *p = &r->place[i];
        bool one = p->ndevices == 1;
        json_t *cases = json_array();
        for (int k = 0; k < p->ncases && !p->failed; k++)
            rn_app_json_append(&cases, case_record(r, &p->cases[k]));
        rn_app_json_append(
            &devices,
            rn_app_json_make("select:t name:t driver:t shares_memory:b? failed:b cases:o",
                             p->select, one ? p->device.name : NULL, one ? p->device.driver : NULL,
                             one, p->device.shared_memory, p->failed, cases));
    }
    return rn_app_json_make(
        "schema:i program:t version:t command:t exit_status:i input:t output:t chain:o width:i "
        "height:i frames:I frames_more:b repeats:i threads:i cpus:i? fastest:t devices:o",
        RN_BENCH_SCHEMA, "runnel", RN_VERSION, "bench", status, r->input, r->output,
        chain ? rn_app_json_text(chain) : NULL, geom->w, geom->h, r->frames, r->more, r->repeats,
        r->cli->threads, r->cpus > 0, r->cpus, best->select, devices);
}

int rn_app_bench_print(const struct rn_app_bench_report *r, const char *path, int status)
{
    if (path || r->cli->json)
        return rn_app_json_write(make_record(r, status), path);
    RN_OWNED(rn_free_owned) char *chain = rn_chain_format(r->chain);
    if (!chain)
        return rn_fail_memory();
    print_head(r, chain);
    for (int i = 0; i < r->nplaces; i++)
        print_place(r, &r->place[i]);
    if (r->nplaces > 1)
        print_comparison(r);
    return 0;
}
