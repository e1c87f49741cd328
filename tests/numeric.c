/* SPDX-License-Identifier: MIT */
/* Every registered filter on a device against its C reference, bit for bit.
 *
 * The parameter sets come from the tables (default, ends of each range, each choice, random values)
 * plus a short list of texts; sizes, formats, patterns and borders rotate over them with a running
 * number, because the full product would take hours. Each case runs three frames, twice. Unless
 * WHOLE=1, each set meets one border, and each filter one type of samples, every second one 8 bit:
 * filters that share kernels bring all types to them.
 *
 * Several processes may share the work: --shard I/N (0 <= I < N) runs every Nth block of cases. The
 * cases keep their numbers, so that all shards together run exactly what one process runs alone.
 *
 *   numeric [--small] [--singly] [--device SEL] [--seed N] [--filter NAME] [--shard I/N]
 *           [--verbose]
 *   numeric --chain TEXT [--size WxH] [--format NAME] ...   one case again, with every pattern */
#include "filters/base/text/words.h"
#include "tests/engine.h"
#include "tests/pictures.h"

enum { FRAMES = 3 };

struct size {
    int w, h;
};
static const struct size sizes[] = {{65, 33}, {1, 1}, {17, 5},   {2, 1},
                                    {64, 67}, {3, 2}, {131, 21}, {1, 5}};
/* For interpreters of kernels, which take seconds for a thousandth of a frame. */
static const struct size small_sizes[] = {{17, 5}, {3, 2}, {21, 9}, {1, 1}};
static const char *const formats[] = {"gray",      "yuv420p",  "gray16",   "gbrp",
                                      "yuv422p10", "yuva444p", "gray10",   "gbrp16",
                                      "gray12",    "yuv444p",  "yuv420p16"};
/* Of scans, whose levels are stored values in every second case. */
static const char *const scan_formats[] = {"grayf32", "grays16", "gbrpf32", "gray12", "gbrps16"};
static const char *const small_formats[] = {"gray", "gray10", "yuv420p", "gbrp10", "gbrp"};
/* Floats: EXTREMES are NaN of any kind, infinities and zeros among the numbers. */
enum pattern { ZERO, MAX, CHECKER, RAMP, RANDOM, EXTREMES, CORNERS, PATTERNS };
static const char *const pattern_names[] = {"zero",   "max",      "checker", "ramp",
                                            "random", "extremes", "corners"};

extern const struct rn_word_row numeric_texts[], numeric_large_texts[], numeric_chains[],
    numeric_tiled[]; /* numeric.words */

/* Of pictures of several tiles. */
static const struct size tiled_size = {331, 170};
static const char *const tiled_formats[] = {"gray", "gray10", "grays16", "grayf32"};

struct options {
    bool small, verbose, singly; /* singly: no chains */
    const char *device, *filter, *chain, *size, *format;
    int shard, shards;
    uint64_t seed;
};

struct side {
    struct rn_device *dev;
    struct rn_chain *chain;
    struct rn_analysis analysis;
    struct rn_runner *runner;
    struct rn_slot *slot[FRAMES];
    char csv[64];
};

struct test {
    struct check check;
    struct options opt;
    struct rn_device *dev;
    unsigned n;          /* running number: picks size, format, pattern, border */
    unsigned scans;      /* the same for scans */
    bool scan;           /* the next cases are of scans */
    bool only_counted;   /* cases take their numbers and are not run */
    enum rn_sample only; /* type that is tried; RN_SAMPLES: all are */
    int cases, refused;
    char where[256]; /* of the current case, for messages */
    char text[8192]; /* its chain */
};

/* ---- pictures */

/* One of every kind of float that devices may treat in their own way. */
static float special(struct rng *rng, float v)
{
    static const uint32_t kinds[] = {0x7fc00000, 0xffc12345, 0x7f800001, 0x7f800000, 0xff800000,
                                     0x80000000, 0x00000000, 0x7f7fffff, 0xdeadbeef, 0x00800000};
    union rn_float_bits f = {.value = v};
    int kind = rng_below(rng, 2 * COUNT(kinds));
    if (kind < COUNT(kinds))
        f.bits = (int32_t)kinds[kind];
    return f.value;
}

/* Writes v of 0..max as a sample of any type: of floats, some lie outside the declared range. */
static void put(struct rn_plane *pl, const struct rn_geom *geom, enum pattern pattern,
                struct rng *rng, int x, int y, int v, int max)
{
    enum rn_sample sample = rn_format_sample(&geom->fmt);
    if (sample != RN_SAMPLE_F32) {
        rn_sample_put(pl, sample, x, y, (float)(v + rn_format_min(&geom->fmt)));
        return;
    }
    float part = (float)v / (float)max;
    float f = geom->low + (part * 1.25f - 0.125f) * (geom->high - geom->low);
    f = pattern == EXTREMES ? special(rng, f) : pattern == ZERO ? 0 : f;
    memcpy(pl->data + y * pl->stride + 4 * x, &f, sizeof f);
}

static void paint_pattern(struct rn_image *img, enum pattern pattern, uint64_t seed)
{
    struct rng rng = rng_seed(seed);
    const struct rn_format *fmt = &img->geom.fmt;
    int max = fmt->number == RN_NUMBER_UNSIGNED ? rn_format_max(fmt) : 65535;
    for (int p = 0; p < rn_format_planes(&img->geom.fmt); p++) {
        struct rn_plane *pl = &img->plane[p];
        for (int y = 0; y < pl->h; y++) {
            for (int x = 0; x < pl->w; x++) {
                bool corner = (x == 0 || x == pl->w - 1) && (y == 0 || y == pl->h - 1);
                int random = rng_below(&rng, max + 1);
                const int v[PATTERNS] = {[ZERO] = 0,
                                         [MAX] = max,
                                         [CHECKER] = (x + y + p) & 1 ? max : 0,
                                         [RAMP] = (x * 3 + y * 5 + p * 7) % (max + 1),
                                         [RANDOM] = random,
                                         [EXTREMES] = random & 1 ? max : 0,
                                         [CORNERS] = corner ? max : max / 3};
                put(pl, &img->geom, pattern, &rng, x, y, v[pattern], max);
            }
        }
    }
}

/* Fills slot->in as a reader would, and what lies right of its rows with rubbish: none may look. */
static void fill(struct rn_image *in, struct rn_image *from)
{
    int bytes = rn_format_bytes(&in->geom.fmt);
    for (int p = 0; p < rn_format_planes(&in->geom.fmt); p++) {
        struct rn_plane *pl = &in->plane[p];
        size_t row = (size_t)pl->w * (size_t)bytes;
        for (int y = 0; y + 1 < pl->h; y++)
            memset(pl->data + y * pl->stride + row, 0x5a, (size_t)pl->stride - row);
        rn_plane_copy(&from->plane[p], pl, bytes);
    }
}

static void compare(struct test *t, const struct rn_image *got, const struct rn_image *want,
                    const char *what, int frame)
{
    if (!rn_format_equal(&got->geom.fmt, &want->geom.fmt) || got->geom.w != want->geom.w ||
        got->geom.h != want->geom.h) {
        char a[24], b[24];
        check_bad(&t->check, "%s: %dx%d %s instead of %dx%d %s; %s", what, got->geom.w, got->geom.h,
                  rn_format_name(&got->geom.fmt, a), want->geom.w, want->geom.h,
                  rn_format_name(&want->geom.fmt, b), t->where);
        return;
    }
    int p, x, y;
    enum rn_sample sample = rn_format_sample(&got->geom.fmt);
    if (find_difference(got, want, &p, &x, &y))
        check_bad(&t->check, "%s: frame %d plane %d x %d y %d is %.9g, not %.9g; %s; chain %.300s",
                  what, frame, p, x, y, (double)rn_sample_get(&got->plane[p], sample, x, y),
                  (double)rn_sample_get(&want->plane[p], sample, x, y), t->where, t->text);
}

/* ---- results of measuring stages */

static bool near(const char *a, const char *b)
{
    double x = strtod(a, NULL), y = strtod(b, NULL);
    return fabs(x - y) <= 1e-6 * fmax(fabs(x), fabs(y));
}

/* Fields are equal as text, except in the column lp, which powers of floats may reach. */
static bool same_line(char *a, char *b, int lp)
{
    char *pa, *pb;
    for (int i = 0;; i++, a = b = NULL) {
        char *fa = strtok_r(a, ",", &pa), *fb = strtok_r(b, ",", &pb);
        if (!fa || !fb)
            return !fa && !fb;
        if (strcmp(fa, fb) != 0 && !(i == lp && near(fa, fb)))
            return false;
    }
}

static int column(const char *header, const char *name)
{
    int i = 0;
    size_t n = strlen(name);
    for (const char *p = header; p; p = strchr(p, ','), p = p ? p + 1 : NULL, i++)
        if (!strncmp(p, name, n) && (p[n] == ',' || p[n] == '\0'))
            return i;
    return -1;
}

/* A line of a table of results, or "". */
static char *read_line(FILE *f, char line[4096])
{
    line[0] = '\0';
    if (fgets(line, 4096, f))
        line[strcspn(line, "\n")] = '\0';
    return line;
}

static void compare_results(struct test *t, const char *got, const char *want)
{
    FILE *a = fopen(got, "r"), *b = fopen(want, "r");
    char la[4096], lb[4096], ca[4096], cb[4096];
    int lp = -1, lines = 0;
    bool same = a && b;
    for (; same && *read_line(a, la) | *read_line(b, lb); lines++) {
        lp = lines ? lp : column(la, "lp");
        same = same_line(strcpy(ca, la), strcpy(cb, lb), lp);
        if (!same)
            check_bad(&t->check, "results line %d is '%s', not '%s'; %s; chain %.300s", lines, la,
                      lb, t->where, t->text);
    }
    if (lines < 2)
        check_bad(&t->check, "the table of results has %d lines; %s; chain %.300s", lines, t->where,
                  t->text);
    if (a)
        fclose(a);
    if (b)
        fclose(b);
}

/* ---- one case */

/* The text with @CSV replaced by this side's file. */
static void chain_text(char *out, size_t size, const char *text, const char *csv)
{
    const char *at = strstr(text, "@CSV");
    if (at)
        snprintf(out, size, "%.*s%s%s", (int)(at - text), text, csv, at + 4);
    else
        snprintf(out, size, "%s", text);
}

static int side_open(struct side *s, struct rn_device *dev, const char *text,
                     const struct rn_geom *geom)
{
    char full[sizeof((struct test *)0)->text + 64];
    s->dev = dev;
    chain_text(full, sizeof full, text, s->csv);
    int err = rn_chain_parse(&s->chain, full);
    err = err ? err : rn_chain_check(s->chain, geom, &s->analysis);
    err = err ? err : rn_runner_open(&s->runner, dev, s->chain, geom, FRAMES);
    err = err ? err : rn_runner_start(s->runner);
    return err;
}

static void side_close(struct side *s)
{
    rn_runner_close(&s->runner);
    rn_chain_destroy(&s->chain);
    unlink(s->csv);
}

/* Passes the pictures through, as one input. Their slots are then in s->slot, waited for. */
static int run_side(struct side *s, struct rn_image *pictures, int first)
{
    int err = 0, n = rn_runner_nslots(s->runner);
    for (int i = 0; i < FRAMES && !err; i++) {
        struct rn_slot *slot = s->slot[i] = rn_runner_slot(s->runner, (first + i) % n);
        fill(&slot->in, &pictures[i]);
        slot->frame =
            (struct rn_frame){.index = first + i, .pts = first + i, .time = (first + i) / 25.0};
        err = rn_runner_submit(s->runner, slot);
    }
    err = err ? err : rn_runner_drain(s->runner);
    for (int i = 0; i < FRAMES && !err; i++)
        err = rn_runner_wait(s->runner, s->slot[i]);
    return err;
}

/* A mask may name no plane that exists: then there are no results. */
static bool measures(const struct rn_analysis *a)
{
    for (int i = 0; i < a->n; i++)
        if (a->stage[i].desc->measuring && a->stage[i].traits.planes)
            return true;
    return false;
}

/* first: index of the first frame. The reference's output of the first round serves again, unless
 * measurements follow the frames. */
static int run_both(struct test *t, struct side *ref, struct side *dev, struct rn_image *pictures,
                    int round, int first)
{
    bool again = !round || first;
    int err = again ? run_side(ref, pictures, first) : 0;
    for (int i = 0; i < FRAMES && !err && again; i++)
        compare(t, &ref->slot[i]->in, &pictures[i], "the reference changed its input", i);
    err = err ? err : run_side(dev, pictures, first);
    for (int i = 0; i < FRAMES && !err; i++)
        compare(t, &dev->slot[i]->out, &ref->slot[i]->out,
                round ? "device, second round" : "device", i);
    for (int i = 0; i < FRAMES && !err; i++)
        err = rn_runner_recycle(dev->runner, dev->slot[i]);
    return err;
}

/* Oclgrind 21.10 takes buffers for uninitialized that lie where others were released before, so
 * each small case gets a device of its own. */
static int renew_device(struct test *t)
{
    if (!t->opt.small || !t->dev)
        return 0;
    int err = rn_device_close(&t->dev);
    return err ? err : rn_device_open(&t->dev, t->opt.device);
}

static void run_case(struct test *t, const char *text, const struct rn_geom *geom,
                     enum pattern pattern, uint64_t seed)
{
    struct side ref = {0}, dev = {0};
    struct rn_image pictures[FRAMES] = {{.geom.w = 0}};
    char name[24];
    snprintf(t->where, sizeof t->where, "%dx%d %s, pattern %s, seed %llu", geom->w, geom->h,
             rn_format_name(&geom->fmt, name), pattern_names[pattern], (unsigned long long)seed);
    snprintf(t->text, sizeof t->text, "%s", text);
    if (t->opt.verbose)
        fprintf(stderr, "%s; %.200s\n", t->where, text);
    if (is_refused(text, geom)) { /* nothing is to be compared */
        t->refused++;
        return;
    }
    t->cases++;
    snprintf(ref.csv, sizeof ref.csv, "/tmp/numeric-%ld-ref.csv", (long)getpid());
    snprintf(dev.csv, sizeof dev.csv, "/tmp/numeric-%ld-dev.csv", (long)getpid());

    int err = renew_device(t);
    for (int i = 0; i < FRAMES && !err; i++) {
        err = rn_image_alloc(&pictures[i], geom);
        if (!err)
            paint_pattern(&pictures[i], pattern, seed + (uint64_t)i);
    }
    err = err ? err : side_open(&ref, NULL, text, geom);
    err = err ? err : side_open(&dev, t->dev, text, geom);
    bool csv = !err && measures(&ref.analysis);
    int rounds = t->opt.small ? 1 : 2;
    for (int round = 0; round < rounds && !err; round++)
        err = run_both(t, &ref, &dev, pictures, round, csv ? round * FRAMES : 0);
    err = err ? err : rn_runner_stop(ref.runner, true);
    err = err ? err : rn_runner_stop(dev.runner, true);
    if (err)
        check_bad(&t->check, "error %d; %s; chain %.300s", err, t->where, text);
    else if (csv)
        compare_results(t, dev.csv, ref.csv);
    side_close(&dev);
    side_close(&ref);
    for (int i = 0; i < FRAMES; i++)
        rn_image_free(&pictures[i]);
}

/* ---- parameter sets */

/* Replaces '@ONES n' and the like by n numbers. */
static void expand(char *out, size_t size, const char *options)
{
    static const char *const kinds[] = {"@ONES ", "@COUNT ", "@ALT ", "@FLOAT "};
    const char *at = strchr(options, '@');
    if (!at) {
        snprintf(out, size, "%s", options);
        return;
    }
    int kind = 0;
    while (kind < 3 && strncmp(at, kinds[kind], strlen(kinds[kind])) != 0)
        kind++;
    char *end;
    int n = (int)strtol(at + strlen(kinds[kind]), &end, 10);
    size_t used = (size_t)snprintf(out, size, "%.*s", (int)(at - options), options);
    for (int i = 0; i < n; i++) {
        double v = kind == 0   ? 1
                   : kind == 1 ? i % 13 - 3
                   : kind == 2 ? (i & 1 ? -7 : 8)
                               : 0.37 * (i % 11) - 1.1;
        used += (size_t)snprintf(out + used, size - used, "%s%g", i ? " " : "", v);
    }
    snprintf(out + used, size - used, "%s", end);
}

static const char *rotate_border(struct test *t, const struct rn_param *row)
{
    return row->choices[(t->n + t->scans) % (unsigned)((int)row->max + 1)];
}

/* A chain of one stage. */
static void stage_text(char *out, size_t size, const struct rn_stage_desc *desc,
                       const char *options)
{
    bool file = desc->measuring && rn_param_find(desc->params, "file");
    snprintf(out, size, "%s%s%s%s%s", desc->name, *options || file ? "=" : "", options,
             *options && file ? ":" : "", file ? "file=@CSV" : "");
}

/* As many cases in turn as there are sizes: each shard gets all of them, and does not compile for
 * one case alone. */
static bool is_ours(const struct test *t, unsigned n)
{
    return !t->only_counted && (int)(n / COUNT(sizes) % (unsigned)t->opt.shards) == t->opt.shard;
}

static bool is_chosen(const struct test *t, const struct rn_geom *geom)
{
    return t->only == RN_SAMPLES || t->only == rn_format_sample(&geom->fmt);
}

static struct rn_geom sized(const struct test *t, const char *format, unsigned n)
{
    const struct size *size =
        t->opt.small ? &small_sizes[n % COUNT(small_sizes)] : &sizes[n % COUNT(sizes)];
    return geometry(format, size->w, size->h);
}

/* The same for the types of samples that video does not have. */
static void next_scan(struct test *t, const char *text)
{
    unsigned n = t->scans++;
    struct rn_geom geom = sized(t, scan_formats[n % COUNT(scan_formats)], n);
    geom.scan = n / 3 & 1;
    if (geom.fmt.number == RN_NUMBER_FLOAT) {
        geom.low = n & 4 ? -1000 : 0.25f;
        geom.high = n & 4 ? 3000 : 1;
    }
    if (geom.scan && n & 8)
        geom.rescale = (struct rn_rescale){0.5, -1024, "HU"};
    if (is_ours(t, n) && is_chosen(t, &geom))
        run_case(t, text, &geom, (enum pattern)(n % PATTERNS), t->opt.seed + n);
}

static void next_case(struct test *t, const char *text)
{
    if (t->scan) {
        next_scan(t, text);
        return;
    }
    unsigned n = t->n++;
    struct rn_geom geom = sized(
        t, t->opt.small ? small_formats[n % COUNT(small_formats)] : formats[n % COUNT(formats)], n);
    geom.matrix = (enum rn_colour_matrix)(n / 2 % 3);
    geom.full_range = geom.fmt.model == RN_RGB || n / 3 & 1;
    if (is_ours(t, n) && is_chosen(t, &geom))
        run_case(t, text, &geom, (enum pattern)(n % PATTERNS), t->opt.seed + t->n);
}

static void run_set(struct test *t, const struct rn_stage_desc *desc, const char *options,
                    int times)
{
    char text[sizeof t->text];
    stage_text(text, sizeof text, desc, options);
    for (int i = 0; i < times; i++)
        next_case(t, text);
}

static void random_value(struct test *t, struct rng *rng, const struct rn_param *row, char *out,
                         size_t size)
{
    int choices = (int)row->max + 1;
    double span = (row->max - row->min) / (t->opt.small ? 8 : 1);
    switch (row->type) {
    case RN_CHOICE:
        snprintf(out, size, "%s", row->choices[rng_below(rng, choices)]);
        break;
    case RN_INT: { /* mostly small ones: references of large elements take seconds */
        double u = rng_unit(rng);
        snprintf(out, size, "%d", (int)(row->min + u * u * u * (span + 0.999)));
        break;
    }
    case RN_FLOAT:
        snprintf(out, size, "%.7g", row->min + rng_unit(rng) * span);
        break;
    case RN_TEXT:
        out[0] = '\0';
        break;
    }
}

static void random_set(struct test *t, const struct rn_stage_desc *desc, struct rng *rng)
{
    char options[1024] = "", value[64];
    size_t used = 0;
    for (const struct rn_param *row = desc->params; row->name; row++) {
        if (row->type == RN_TEXT || !rng_below(rng, 3))
            continue;
        random_value(t, rng, row, value, sizeof value);
        used += (size_t)snprintf(options + used, sizeof options - used, "%s%s=%s", used ? ":" : "",
                                 row->name, value);
    }
    run_set(t, desc, options, t->opt.small || !is_whole() ? 1 : 2);
}

/* One parameter set, several times, with the borders in turn. */
static void run_borders(struct test *t, const struct rn_stage_desc *desc, const char *options)
{
    char full[4200];
    const struct rn_param *border = rn_param_find(desc->params, "border");
    int times = t->opt.small || t->scan || !is_whole() ? 1 : border ? 5 : 3;
    for (int i = 0; i < times; i++) {
        if (border && !strstr(options, "border="))
            snprintf(full, sizeof full, "%s:border=%s", options, rotate_border(t, border));
        else
            snprintf(full, sizeof full, "%s", options);
        run_set(t, desc, full, 1);
    }
}

/* Each end of each range, each choice. */
static void table_sets(struct test *t, const struct rn_stage_desc *desc)
{
    char options[128];
    for (const struct rn_param *row = desc->params; row->name; row++) {
        if (row->type == RN_CHOICE) {
            for (int i = 0; i <= (int)row->max; i++) {
                snprintf(options, sizeof options, "%s=%s", row->name, row->choices[i]);
                run_borders(t, desc, options);
            }
        } else if (row->type != RN_TEXT) {
            for (int end = 0; end < 2; end++) {
                snprintf(options, sizeof options, "%s=%.9g", row->name, end ? row->max : row->min);
                run_borders(t, desc, options);
            }
        }
    }
}

static void text_sets(struct test *t, const struct rn_stage_desc *desc,
                      const struct rn_word_row *text)
{
    char one[1024], options[4096];
    for (; text->words; text++)
        for (const char *at = text->meant; *at && !strcmp(text->words, desc->name);) {
            size_t n = strcspn(at, ";");
            snprintf(one, sizeof one, "%.*s", (int)n, at);
            expand(options, sizeof options, one);
            run_borders(t, desc, options);
            at += n + strspn(at + n, "; ");
        }
}

static void all_sets(struct test *t, const struct rn_stage_desc *desc)
{
    table_sets(t, desc);
    text_sets(t, desc, numeric_texts);
    if (!t->opt.small)
        text_sets(t, desc, numeric_large_texts);
}

static void test_stage(struct test *t, const struct rn_stage_desc *desc)
{
    struct rng rng = rng_seed(t->opt.seed);
    int before = t->cases;
    t->refused = 0;
    int whole = is_whole() ? COUNT(sizes) : 1;
    run_set(t, desc, "", t->opt.small ? COUNT(small_sizes) : whole * COUNT(formats));
    all_sets(t, desc);
    for (int i = 0; i < (t->opt.small ? 2 : is_whole() ? 12 : 4); i++)
        random_set(t, desc, &rng);
    t->scan = true;
    run_set(t, desc, "", t->opt.small ? 2 : whole * COUNT(scan_formats));
    if (!t->opt.small)
        all_sets(t, desc);
    t->scan = false;
    if (!t->only_counted)
        check_end(&t->check, "%s: %d cases, %d refused", desc->name, t->cases - before, t->refused);
}

/* Each shard begins with another part of the filters, so that what PoCL compiles for one of them is
 * there when the others come to it. The cases keep their numbers. */
static void test_filters(struct test *t)
{
    int n = 0;
    while (rn_registry[n])
        n++;
    int first = n * t->opt.shard / t->opt.shards;
    for (int turn = 0; turn < 2; turn++) {
        t->n = t->scans = 0;
        for (int i = 0; i < n; i++) {
            t->only_counted = (i < first) != (turn > 0);
            if (!is_whole() && !t->opt.small && !t->opt.filter)
                t->only = i % 2 ? (enum rn_sample)(RN_SAMPLE_U16 + i / 2 % 3) : RN_SAMPLE_U8;
            if (!t->opt.filter || !strcmp(t->opt.filter, rn_registry[i]->name))
                test_stage(t, rn_registry[i]);
        }
    }
    t->only_counted = false;
    t->only = RN_SAMPLES;
}

static void test_tiles(struct test *t)
{
    int before = t->cases;
    for (int i = 0; numeric_tiled[i / COUNT(tiled_formats)].meant; i++) {
        const char *format = tiled_formats[i % COUNT(tiled_formats)];
        struct rn_geom geom = geometry(format, tiled_size.w, tiled_size.h);
        geom.full_range = false;
        geom.high = 65535;
        int text = i / COUNT(tiled_formats);
        bool chosen = is_whole() || i % COUNT(tiled_formats) == text % COUNT(tiled_formats);
        if (chosen && text % t->opt.shards == t->opt.shard)
            run_case(t, numeric_tiled[text].meant, &geom, RANDOM, t->opt.seed + (uint64_t)i);
    }
    check_end(&t->check, "tiles: %d cases", t->cases - before);
}

static int chain_times(const struct test *t)
{
    return t->opt.small ? 1 : is_whole() ? COUNT(formats) : 1;
}

static void test_chains(struct test *t)
{
    int before = t->cases;
    for (const struct rn_word_row *row = numeric_chains; row->meant; row++) {
        if (is_refused(row->meant, NULL))
            check_bad(&t->check, "chain '%s' is not accepted", row->meant);
        for (int k = 0; k < chain_times(t); k++)
            next_case(t, row->meant);
    }
    check_end(&t->check, "chains: %d cases", t->cases - before);
    before = t->cases;
    for (int k = 0; k < chain_times(t); k++)
        next_case(t, "");
    check_end(&t->check, "the empty chain: %d cases", t->cases - before);
}

static bool test_one(struct test *t)
{
    struct rn_geom geom = {RN_SIZED(struct rn_geom), .w = 64,      .h = 48,
                           .full_range = true,       .low = -1000, .high = 3000};
    if (!rn_format_parse(t->opt.format ? t->opt.format : "gray", &geom.fmt) ||
        (t->opt.size && sscanf(t->opt.size, "%dx%d", &geom.w, &geom.h) != 2))
        return false;
    for (int p = 0; p < PATTERNS; p++)
        run_case(t, t->opt.chain, &geom, (enum pattern)p, t->opt.seed);
    check_end(&t->check, "%s: %d cases, %d refused", t->opt.chain, t->cases, t->refused);
    return true;
}

static bool parse_shard(struct options *opt, const char *text)
{
    char rest;
    return sscanf(text, "%d/%d%c", &opt->shard, &opt->shards, &rest) == 2 && opt->shard >= 0 &&
           opt->shard < opt->shards;
}

static bool parse_options(struct options *opt, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        const struct {
            const char *name;
            bool *flag;
            const char **word;
        } rows[] = {{"--small", &opt->small, NULL},   {"--verbose", &opt->verbose, NULL},
                    {"--singly", &opt->singly, NULL}, {"--device", NULL, &opt->device},
                    {"--filter", NULL, &opt->filter}, {"--chain", NULL, &opt->chain},
                    {"--size", NULL, &opt->size},     {"--format", NULL, &opt->format}};
        int k = 0;
        while (k < COUNT(rows) && strcmp(argv[i], rows[k].name) != 0)
            k++;
        if (k < COUNT(rows) && rows[k].flag)
            *rows[k].flag = true;
        else if (k < COUNT(rows) && value)
            *rows[k].word = argv[++i];
        else if (!strcmp(argv[i], "--seed") && value)
            opt->seed = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(argv[i], "--shard") && value && parse_shard(opt, value))
            i++;
        else
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    static struct test t = {.opt = {.seed = 1, .shards = 1}, .only = RN_SAMPLES};
    if (!parse_options(&t.opt, argc, argv)) {
        fprintf(stderr,
                "usage: numeric [--small] [--singly] [--verbose] [--device SEL] [--seed N] "
                "[--filter NAME] [--shard I/N]\n"
                "       numeric [--device SEL] --chain CHAIN [--size WxH] [--format FMT]\n");
        return 2;
    }
    if (open_device(&t.dev, t.opt.device))
        return 5;
    if (t.dev)
        printf("# device: %s\n", rn_device_info(t.dev)->name);
    else if (!t.opt.device || strcmp(t.opt.device, "none") != 0)
        check_bad(&t.check, "there is no OpenCL device: the reference would be compared to itself");
    if (t.opt.chain && !test_one(&t))
        check_bad(&t.check, "--size or --format is wrong");
    if (!t.opt.chain)
        test_filters(&t);
    if (!t.opt.filter && !t.opt.chain && !t.opt.singly) {
        test_chains(&t);
        if (!t.opt.small)
            test_tiles(&t);
    }
    printf("# %d cases in all, seed %llu\n", t.cases, (unsigned long long)t.opt.seed);
    return close_device(&t.dev, &t.check);
}
