/* SPDX-License-Identifier: MIT */
#include "app/commands/bench_report.h"

#include "app/process/environment.h"
#include "app/process/signals.h"
#include "app/process/terminal.h"
#include "filters/base/owned.h"
#include "filters/base/text/printable.h"
#include "filters/base/text/words.h"
#include "filters/base/version.h"
#include "io/volumes/bytes.h"

#include <inttypes.h>
#include <limits.h>

#define NAME_WIDTH    76 /* of a chain in a table */
#define SECONDS       0.25
#define QUICK_SECONDS 0.005

static void print_chain(const char *text)
{
    RN_OWNED(rn_free_owned)
    char *line = rn_printable(strdup(*text ? text : "(no filter)"), false);
    printf("\n%.*s%s\n", NAME_WIDTH, line ? line : "",
           line && strlen(line) > NAME_WIDTH ? "..." : "");
}

/* ---- filters */

static int measure_filter(struct rn_app_suite *s, const char *chain, const char *format, int w,
                          int h)
{
    struct rn_geom geom = rn_synthetic_geom(format, w, h);
    struct rn_filtertime r;
    int err =
        rn_filtertime_measure(s->device, chain, &geom, s->cli->quick ? QUICK_SECONDS : SECONDS, &r);
    /* of the bytes read and written once */
    double speed = r.frame.median > 0 ? 2e-9 * (double)r.bytes / r.frame.median : 0;
    rn_app_json_append(
        &s->rows, rn_app_json_make(
                      "chain:t format:t width:i height:i frame_s:o gb_per_s:f copy_s:f? copies:o",
                      chain, format, w, h, rn_app_suite_spread(&r.frame, 1), speed, r.copy > 0,
                      r.copy, rn_app_suite_spread(&r.frame, r.copy > 0 ? 1 / r.copy : 0)));
    if (err || !s->table)
        return err;
    printf("  %-8s %4dx%-4d %10.4f %10.4f %10.4f %8.1f", format, w, h, 1e3 * r.frame.min,
           1e3 * r.frame.median, 1e3 * r.frame.max, speed);
    if (r.copy > 0)
        printf(" %8.1f %8.1f\n", r.frame.median / r.copy, r.frame.max / r.copy);
    else
        printf(" %8s %8s\n", "-", "-");
    return rn_app_standard_io_flush();
}

static int measure_formats(struct rn_app_suite *s, const char *chain)
{
    static const struct rn_filtertime_size quick[] = {{"quick", 160, 90}, {NULL, 0, 0}};
    int err = 0;
    rn_app_suite_show_status(chain);
    if (s->table)
        print_chain(chain);
    for (const char *const *format = rn_filtertime_formats; !err && *format; format++)
        for (const struct rn_filtertime_size *size = s->cli->quick ? quick : rn_filtertime_sizes;
             !err && size->name; size++)
            err = measure_filter(s, chain, *format, size->w, size->h);
    return err;
}

static int run_filters(struct rn_app_suite *s)
{
    const char *chain;
    int err = 0;
    if (s->table)
        printf("\n  %-8s %-9s %10s %10s %10s %8s %8s %8s\n", "format", "size", "min ms", "median",
               "max", "GB/s", "copies", "(max)");
    if (s->cli->filters)
        return measure_formats(s, s->cli->filters);
    for (int i = 0; !err && (chain = rn_filtertime_chain(i)) != NULL; i++)
        err = measure_formats(s, chain);
    return err;
}

/* ---- streaming */

static json_t *parts_record(const struct rn_stream_parts *parts)
{
    return rn_app_json_make("upload_s:f kernels_s:f download_s:f", parts->upload, parts->run,
                            parts->download);
}

static void report_stream(struct rn_app_suite *s, const struct rn_stream_case *c,
                          const struct rn_stream_result *r)
{
    const char *name;
    double slowest = rn_stream_slowest(&r->alone, &name);
    rn_app_json_append(
        &s->rows,
        rn_app_json_make("chain:t format:t width:i height:i frames:i inflight:i lanes:i frame_s:o "
                         "frame_callers_s:o frame_locked_s:o frame_alone_s:f alone:o together:o "
                         "slowest:t of_slowest:f? upload_bytes:f download_bytes:f",
                         c->chain, c->format, c->w, c->h, r->frames, r->inflight, r->lanes,
                         rn_app_suite_spread(&r->wall, 1), rn_app_suite_spread(&r->callers, 1),
                         rn_app_suite_spread(&r->locked, 1), r->wall_alone, parts_record(&r->alone),
                         parts_record(&r->together), name, slowest > 0, r->wall.median / slowest,
                         r->up_bytes, r->down_bytes));
    if (!s->table)
        return;
    print_chain(c->chain);
    printf("%dx%d %s, %d frames in flight, %d of them computed at once\n", c->w, c->h, c->format,
           r->inflight, r->lanes);
    printf("  %8.0f %8.0f %8.0f %8.4f %8.4f %8.4f %8.4f", 1 / r->callers.median,
           1 / r->locked.median, 1 / r->wall.median, 1e3 * r->wall_alone, 1e3 * r->alone.upload,
           1e3 * r->alone.run, 1e3 * r->alone.download);
    if (slowest > 0)
        printf(" %6.2f %s\n", r->wall.median / slowest, name);
    else
        printf(" %6s\n", "-");
}

static int measure_stream(struct rn_app_suite *s, struct rn_stream_case c)
{
    const struct rn_stream_opts opts = {.devs = s->session.device,
                                        .ndevs = s->session.ndevices,
                                        .inflight = s->cli->inflight,
                                        .repeats = s->repeats,
                                        .callers = true,
                                        .seconds = s->cli->quick ? 0.01 : 0.5};
    struct rn_stream_result r;
    rn_app_suite_show_status(c.chain);
    if (s->cli->quick)
        c = (struct rn_stream_case){c.chain, c.format, c.w / 8, c.h / 8, 20};
    int err = rn_stream_measure(&c, &opts, &r);
    if (!err)
        report_stream(s, &c, &r);
    return err ? err : rn_app_standard_io_flush();
}

static int run_streaming(struct rn_app_suite *s)
{
    int err = 0;
    const struct rn_stream_case own = {s->cli->filters, "yuv420p", 1280, 720, 2000};
    if (s->table)
        printf("\nframes a second: from a program's memory and back; the same with this memory\n"
               "locked for the device; in slots filled already\n"
               "ms a frame: of one slot at a time, and of each part of it;\n"
               "slowest: the slots take so many times the slowest part alone\n"
               "  %8s %8s %8s %8s %8s %8s %8s %s\n",
               "memory/s", "locked/s", "slots/s", "one", "upload", "kernels", "download",
               " slowest");
    if (s->cli->filters)
        return measure_stream(s, own);
    for (int i = 0; i < RN_STREAM_CASES && !err; i++)
        err = measure_stream(s, rn_stream_cases[i]);
    return err;
}

/* ---- linear */

extern const struct rn_word_row rn_published[]; /* published.words */

/* The next published result of a measure, or of it at this size, after `previous`, which is NULL
 * for the first. NULL: no more. */
static const struct rn_word_row *next_published(const struct rn_figure *m,
                                                const struct rn_word_row *previous)
{
    char name[sizeof m->name + sizeof m->size + 2];
    snprintf(name, sizeof name, "%s, %s", m->name, m->size);
    const struct rn_word_row *p = previous ? previous + 1 : rn_published;
    while (p->words && strcmp(p->words, m->name) != 0 && strcmp(p->words, name) != 0)
        p++;
    return p->words ? p : NULL;
}

/* Bytes of the figure; the source is behind it. */
static int figure_of(const struct rn_word_row *p, const char **source)
{
    const char *end = strstr(p->meant, " | ");
    *source = end + 3;
    return (int)(end - p->meant);
}

struct run {
    struct rn_app_suite *suite;
    int n, wrong;
    char first[160]; /* the first wrong result */
};

static bool is_right(const struct rn_figure *m)
{
    return m->exact ? m->error == 0 : m->error <= m->tolerance;
}

static double rate(const struct rn_figure *m, double seconds)
{
    double scale = m->unit[0] == 'G' ? 1e-9 : 1;
    return seconds > 0 ? scale * m->work / seconds : 0;
}

static void print_number(double v)
{
    if (v > 0)
        printf(" %10.*f", v < 10 ? 3 : 1, v);
    else
        printf(" %10s", "-");
}

static void print_row(const struct rn_figure *m)
{
    printf("%s, %s: %s", m->name, m->size, m->unit);
    if (m->of_copy > 0)
        printf(", %.0f %% of those of a copy", 100 * m->of_copy);
    printf("\n ");
    print_number(rate(m, m->ours.median));
    print_number(rate(m, m->plain));
    for (int i = 0; i < RN_NAIVE; i++)
        print_number(rate(m, m->peer[i]));
    if (m->exact)
        printf("   %s\n", is_right(m) ? "none" : "WRONG");
    else
        printf("   %.0e of %.0e%s\n", m->error, m->tolerance, is_right(m) ? "" : ": WRONG");
    if (m->up > 0 || m->down > 0)
        printf("  ms: Tr in %.3f, kernel %.3f, Tr out %.3f; %.3f in all\n", 1e3 * m->up,
               1e3 * m->kernels, 1e3 * m->down, 1e3 * m->ours.median);
    else if (m->kernels > 0)
        printf("  ms: Tr in and Tr out none: shared memory; kernel %.3f; %.3f in all\n",
               1e3 * m->kernels, 1e3 * m->ours.median);
    if (m->peer[RN_NAIVE] > 0)
        printf("  naive: %.3f, ours is %.1f times as fast\n", rate(m, m->peer[RN_NAIVE]),
               m->peer[RN_NAIVE] / m->ours.median);
    for (int i = 0; i < RN_PRIMITIVES_MOST; i++)
        if (m->operation[i] > 0)
            printf("  %-14s %8.1f us a step\n", rn_primitives[i].name, 1e6 * m->operation[i]);
    if (m->weights) /* of a network */
        printf("  accuracy: %.2f %%; weights: %016" PRIx64 "\n", 100 * m->accuracy, m->weights);
    const char *source;
    for (const struct rn_word_row *p = next_published(m, NULL); p; p = next_published(m, p)) {
        int n = figure_of(p, &source);
        printf("  published: %.*s\n    %s\n", n, p->meant, source);
    }
}

/* null without a measurement */
static json_t *measured(double value)
{
    return rn_app_json_when(value > 0, rn_app_json_real(value));
}

static json_t *make_row(const struct rn_figure *m)
{
    json_t *list = json_array(), *operations = json_array();
    const char *source;
    for (const struct rn_word_row *p = next_published(m, NULL); p; p = next_published(m, p)) {
        char figure[160];
        snprintf(figure, sizeof figure, "%.*s", figure_of(p, &source), p->meant);
        rn_app_json_append(&list, rn_app_json_make("figure:t source:t", figure, source));
    }
    for (int i = 0; i < RN_PRIMITIVES_MOST; i++)
        if (m->operation[i] > 0)
            rn_app_json_append(
                &operations,
                rn_app_json_make("name:t step_s:f", rn_primitives[i].name, m->operation[i]));
    return rn_app_json_make(
        "name:t size:t work:f unit:t rate:f ours_s:o plain_s:o plain_part:f openblas_s:o "
        "clblast_s:o fftw_s:o naive_s:o of_copy:o upload_s:o kernels_s:o download_s:o error:f "
        "tolerance:f right:b accuracy:o weights:o operations:o published:o",
        m->name, m->size, m->work, m->unit, rate(m, m->ours.median),
        rn_app_suite_spread(&m->ours, 1), measured(m->plain), m->part,
        measured(m->peer[RN_OPENBLAS]), measured(m->peer[RN_CLBLAST]), measured(m->peer[RN_FFTW]),
        measured(m->peer[RN_NAIVE]), measured(m->of_copy), measured(m->up), measured(m->kernels),
        measured(m->down), m->error, m->tolerance, is_right(m),
        rn_app_json_when(m->weights, rn_app_json_real(m->accuracy)),
        rn_app_json_when(m->weights, json_sprintf("%016" PRIx64, m->weights)), operations, list);
}

static int report(void *arg, const struct rn_figure *m)
{
    struct run *r = arg;
    char openblas[24] = "OpenBLAS";
    if (r->suite->openblas_threads)
        snprintf(openblas, sizeof openblas, "OpenBLAS/%d", r->suite->openblas_threads);
    if (!r->n++ && r->suite->table)
        printf("\nplain: one thread of plain C; naive: without tiles; /N: with N threads;\n"
               "- : not installed, or it has no such function; error: the largest difference\n"
               "to plain C, and what is allowed\n\n  %10s %10s %10s %10s %10s   %s\n",
               "ours", "plain", openblas, "CLBlast", "FFTW", "error");
    rn_app_suite_show_status(m->name);
    rn_app_json_append(&r->suite->rows, make_row(m));
    if (r->suite->table)
        print_row(m);
    if (!is_right(m) && !r->wrong++)
        snprintf(r->first, sizeof r->first, "%s, %s", m->name, m->size);
    return rn_app_standard_io_flush();
}

#define DIGITS "/usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz"

enum { AREA = RN_TRAINING_AREA, MOST = 1 << 20, SPREAD = 31, WIDE = 28 };

/* Each line is an image, 8 x 8 whole numbers from 0 to 16, and the digit. Images of a writer follow
 * each other there; here they are spread. Samples get the mean 0 and the variance 1. Where none are
 * installed, this logs that and reads none. The caller frees samples and labels. */
static int read_images(struct rn_training_images *im)
{
    RN_OWNED(rn_vol_bytes_close) struct rn_vol_bytes *bytes = NULL;
    RN_OWNED(rn_free_owned) char *text = calloc(MOST, 1);
    char *at = text;
    int lines = 0;
    if (text && rn_vol_bytes_open(&bytes, DIGITS, 0, RN_PACKING_GZIP)) {
        rn_log(RN_LOG_WARNING, "no network is trained: that takes '%s', of python3-sklearn",
               DIGITS);
        return 0;
    }
    size_t size = text ? rn_vol_bytes_read(bytes, 0, text, MOST - 1) : 0;
    for (size_t n = size; n--;)
        lines += text[n] == '\n';
    bool good = lines > 100 && lines % SPREAD && text[size - 1] == '\n';
    im->samples = calloc((size_t)lines + 1, AREA * sizeof *im->samples);
    im->labels = calloc((size_t)lines + 1, 1);
    if (!text || !im->samples || !im->labels)
        return rn_fail_memory();
    im->held = lines / 6;
    im->n = lines - im->held;
    for (int i = 0; i < lines; i++) {
        int to = i * SPREAD % lines;
        for (int k = 0; k < AREA; k++, at += *at == ',') {
            long value = strtol(at, &at, 10);
            good &= *at == ',' && value >= 0 && value <= 16;
            im->samples[to * AREA + k] = ((float)value - 4.88F) / 6.02F;
        }
        long label = strtol(at, &at, 10);
        good &= label >= 0 && label <= 9 && *at == '\n';
        im->labels[to] = (uint8_t)label;
    }
    return good ? 0 : rn_fail(RN_EINPUT, "'%s' has no images of digits, or is damaged", DIGITS);
}

/* Reads a file of MNIST's, packed by gzip or not: a head of big-endian numbers, the first its kind,
 * the second *n, and *n images or labels. The caller frees *data. Returns 0 or a logged error. */
static int read_idx(const char *folder, const char *name, bool images, uint8_t **data, int *n)
{
    size_t head = images ? 16 : 8, each = images ? WIDE * WIDE : 1;
    uint64_t kind = images ? 0x803 : 0x801;
    RN_OWNED(rn_vol_bytes_close) struct rn_vol_bytes *bytes = NULL;
    char path[PATH_MAX];
    uint8_t first[16] = {0};
    for (int packed = 1; packed >= 0 && !bytes; packed--) {
        snprintf(path, sizeof path, "%s/%s%s", folder, name, packed ? ".gz" : "");
        rn_vol_bytes_open(&bytes, path, 0, packed ? RN_PACKING_GZIP : RN_PACKING_NONE);
    }
    bool good = bytes && rn_vol_bytes_read(bytes, 0, first, head) == head &&
                rn_vol_number(first, 4, true) == kind &&
                (!images || rn_vol_number(first + 8, 8, true) == ((uint64_t)WIDE << 32 | WIDE));
    uint64_t count = rn_vol_number(first + 4, 4, true);
    *n = good && count > 0 && count < MOST ? (int)count : 0;
    size_t size = (size_t)*n * each;
    *data = malloc(size + 1);
    if (!*data)
        return rn_fail_memory();
    if (size && rn_vol_bytes_read(bytes, (int64_t)head, *data, size) == size)
        return 0;
    return rn_fail(RN_EINPUT, "'%s' is missing, or none of MNIST's", path);
}

/* The images of MNIST (LeCun et al.), 28 x 28 samples from 0 to 255. Of the 24 x 24 in the middle,
 * which have the digit, each 3 x 3 are one sample here: the networks take 8 x 8. */
static int read_mnist(struct rn_training_images *im, const char *folder)
{
    int n[4] = {0}, err = 0;
    uint8_t *data[4] = {NULL}; /* images and labels to train with, and held out */
    static const char *const names[] = {"train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                        "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};
    for (int i = 0; i < 4 && !err; i++)
        err = read_idx(folder, names[i], i % 2 == 0, &data[i], &n[i]);
    if (!err && (n[0] != n[1] || n[2] != n[3]))
        err = rn_fail(RN_EINPUT, "'%s' has not as many labels as images", folder);
    size_t all = err ? 0 : (size_t)n[0] + (size_t)n[2];
    im->n = n[0];
    im->held = n[2];
    im->samples = calloc(all + 1, AREA * sizeof *im->samples);
    im->labels = calloc(all + 1, 1);
    err = im->samples && im->labels ? err : rn_fail_memory();
    for (size_t i = 0; i < all && !err; i++) {
        int held = i >= (size_t)n[0];
        size_t at = held ? i - (size_t)n[0] : i;
        im->labels[i] = data[2 * held + 1][at];
        if (im->labels[i] > 9)
            err = rn_fail(RN_EINPUT, "'%s' has a label that is no digit", folder);
        for (size_t k = 0; k < AREA; k++) {
            const uint8_t *from = data[2 * held] + at * WIDE * WIDE + (2 + k / 8 * 3) * WIDE + 2;
            int sum = 0;
            for (size_t j = 0; j < 9; j++)
                sum += from[k % 8 * 3 + j / 3 * WIDE + j % 3];
            im->samples[i * AREA + k] = ((float)sum / (9 * 255) - 0.178F) / 0.3F;
        }
    }
    for (int i = 0; i < 4; i++)
        free(data[i]);
    return err;
}

static int run_measures(struct rn_app_suite *s)
{
    struct run r = {.suite = s};
    struct rn_training_images images = {.n = 0};
    bool network = s->cli->suite == RN_SUITE_NETWORK;
    const struct rn_measure_opts opts = {s->repeats, s->cli->quick, s->cli->threads,
                                         s->cli->inflight, network ? &images : NULL};
    if (!s->device && !network)
        return rn_fail(RN_EUSAGE, "the suite 'linear' measures an OpenCL device against plain C: "
                                  "choose one with -d");
    int err = !network        ? 0
              : s->cli->mnist ? read_mnist(&images, s->cli->mnist)
                              : read_images(&images);
    err = err ? err : rn_measures(s->device, &opts, &s->openblas_threads, report, &r);
    free(images.samples);
    free(images.labels);
    if (!err && r.wrong)
        err = rn_fail(RN_EDEVICE, "%d of %d results differ from plain C's: %s", r.wrong, r.n,
                      r.first);
    return err;
}

/* ---- the suites */

#define USUAL_REPEATS 5
#define QUICK_REPEATS 2

static const struct {
    const char *name;
    int (*run)(struct rn_app_suite *suite);
    bool takes_chain;
    int max_devices; /* of -d; 0: the suite opens devices itself */
} suites[] = {
    [RN_SUITE_DEVICES] = {"devices", rn_app_suite_devices, true, 0},
    [RN_SUITE_FILTERS] = {"filters", run_filters, true, 1},
    [RN_SUITE_STREAMING] = {"streaming", run_streaming, true, RN_MAX_DEVICES},
    [RN_SUITE_LINEAR] = {"linear", run_measures, false, 1},
    [RN_SUITE_NETWORK] = {"network", run_measures, false, 1},
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
        printf("%-8s %s%s\n", "suite", suites[i].name,
               s->cli->quick ? ", --quick: the figures say little" : "");
        printf("%-8s %s\n", "device",
               s->device ? rn_printable(devices, false) : "none: the C reference path");
        if (s->device)
            printf("%-8s %s\n", "driver", rn_device_info(s->device)->driver);
    }
    err = err ? err : suites[i].run(s);
    rn_app_suite_show_status(NULL);
    return err;
}

int rn_app_suite_check_chain(const struct rn_chain *chain)
{
    const struct rn_param *row = rn_chain_written(chain, NULL);
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
