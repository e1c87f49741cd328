/* SPDX-License-Identifier: MIT */
/* A user's own kernel, from a file, with parameters that the file declares:
 *
 *     //@param gain 0 4 0.1 1 how much the detail counts
 *     //@reach 1
 *
 *     float filter(IN)
 *     {
 *         return PIXEL(0, 0) + gain * (PIXEL(0, 0) - PIXEL(1, 0));
 *     }
 *
 * `filter` is OpenCL C and computes one sample; custom=FILE.cl:gain=2 runs it. It can use:
 *   PIXEL(dx, dy)   the sample dx to the right and dy below, as a float: of video from 0 to 255
 *                   (8-bit units) at every depth, of scans, signed samples and floats the stored
 *                   value itself; outside the image by the rule `border`. dx and dy lie between
 *                   -N and N, where N is given by //@reach (0..64), which only a file that reads
 *                   PIXEL(0, 0) alone can do without; what is computed is limited to that
 *   parameters      up to 16, by their names, as floats
 *   X Y             the sample's column and row; W H the width and height of the plane (of the
 *                   field, where an interlaced picture is filtered field by field: with a reach)
 *   PLANE FRAME     indices of plane and frame, from 0
 * The result, in the same units, is rounded half to even and saturated for integers, where NaN
 * becomes the smallest value; floats take it as it is. The file may define other
 * functions: `float edge(IN, float level)` is called as `edge(ARGS, 8)`. A `#pragma unroll` before
 * a short loop of fixed length lets CPUs compute many samples at once, ten times as fast. Names
 * that begin with rn_ or RN_ are reserved. A parameter is declared by
 *     //@param NAME MIN MAX STEP DEFAULT [help]
 *
 * Parameters are kernel arguments: changing one rebuilds nothing. A file that changes is built
 * again, see look. There is no C reference, so this filter needs a device; sums, differences and
 * products are the same on all devices, other functions nearly so. */
#include <inttypes.h>

#include "filters/base/owned.h"
#include "filters/core/device/opencl.h"
#include "filters/parts/texts.h"
#include "filters/parts/kernelfile.h"
#include "filters/parts/watched.h"

struct custom {
    const char *file;
    const char *source;           /* what is in it */
    float value[RN_MAX_DECLARED]; /* in the order of the declarations */
    enum rn_border border;
    int planes;
};

static const struct rn_param params[] = {
    RN_P_RUNS(
        struct custom, file, source,
        "holds `float filter(IN) { return gain * PIXEL(0, 0); }` and declares its parameters: "
        "`//@param gain 0 4 0.1 1`"),
    RN_P_BORDER(struct custom),
    RN_P_PLANES(struct custom),
    RN_P_END,
};
enum { FIXED_ROWS = sizeof params / sizeof params[0] };

/* A kernel, and what it was made of. */
struct built {
    struct rn_kernel kernel;
    const char *source; /* interned */
    enum rn_sample sample;
};

struct priv {
    struct built runs;
    struct built next;          /* built and tried, not applied yet */
    struct rn_kernel_file file; /* the declarations of the running kernel */
    unsigned builds;            /* so far */
    struct rn_watched watched;
};

/* ---- parameters */

static void fill_table(struct rn_param *row, const struct rn_kernel_file *file)
{
    *row++ = params[0];
    for (int i = 0; i < file->n; i++) {
        const struct rn_declared *d = &file->param[i];
        *row++ =
            (struct rn_param){.name = d->name,
                              .unit = params[0].unit,
                              .help = d->help,
                              .type = RN_FLOAT,
                              .off = offsetof(struct custom, value) + (size_t)i * sizeof(float),
                              .min = d->min,
                              .max = d->max,
                              .step = d->step,
                              .def = d->def};
    }
    memcpy(row, params + 1, sizeof params - sizeof params[0]);
}

/* Applies the declarations of file to the settings. A parameter that existed before keeps its value
 * as far as the range allows, unless the value was still its default. */
static int adopt_table(struct rn_stage *stage, const struct rn_kernel_file *file)
{
    struct custom *c = stage->params, old = *c;
    struct rn_param rows[FIXED_ROWS + RN_MAX_DECLARED];
    fill_table(rows, file);
    const struct rn_param *table = rn_params_intern(rows);
    if (!table)
        return rn_fail_memory();
    if (table == stage->table)
        return 0;
    memset(c->value, 0, sizeof c->value);
    for (int i = 1; i <= file->n; i++) {
        const struct rn_param *row = &table[i], *was = rn_param_find(stage->table, row->name);
        rn_param_reset(row, c);
        if (!was || rn_param_is_default(was, &old))
            continue;
        float v = *RN_FIELD(float, was, &old), min = (float)row->min, max = (float)row->max;
        *RN_FIELD(float, row, c) = v < min ? min : v > max ? max : v;
    }
    stage->table = table;
    return 0;
}

static int declare(struct rn_stage *stage, const struct rn_param *row)
{
    const struct custom *c = stage->params;
    struct rn_kernel_file file;
    char why[RN_KERNELFILE_WHY];
    int err = rn_kernel_file_parse(&file, c->file, c->source, why);
    if (err == RN_EUSAGE)
        rn_fail(err, "custom: %s", why);
    return err ? err : adopt_table(stage, &file);
}

static int check(const struct rn_stage *stage, const struct rn_geom *in, struct rn_traits *traits)
{
    const struct custom *c = stage->params;
    struct rn_kernel_file file;
    char why[RN_KERNELFILE_WHY];
    if (!*c->file)
        return rn_fail(RN_EUSAGE, "custom: the kernel's file is missing: custom=FILE.cl");
    rn_traits_drop_unit(traits);
    traits->margin = RN_MAX_REACH; /* a changed file may reach farther */
    traits->point = !rn_kernel_file_parse(&file, c->file, c->source, why) && !file.reach;
    return 0;
}

/* ---- building */

/* The text before kernels/custom.cl. Its first line makes the text of each build unique: PoCL
 * caches kernels by their text, and must not reuse a stale one. */
static char *make_head(const struct rn_kernel_file *file, unsigned builds)
{
    char *head = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&head, &size);
    if (!f)
        return NULL;
    fprintf(f, "typedef int rn_build_%u_%016" PRIx64 ";\n", builds, file->hash);
    fprintf(f, "#define RN_REACH %d\n", file->reach);
    static const char *const lists[][2] = {
        {"PARAMS", "float "}, {"NAMES", ""}, {"KERNEL_PARAMS", "float "}, {"KERNEL_NAMES", ""}};
    for (int k = 0; k < 4; k++) {
        fprintf(f, "#define RN_%s", lists[k][0]);
        for (int i = 0; i < file->n; i++)
            if (k < 2)
                fprintf(f, " , %s%s", lists[k][1], file->param[i].name);
            else
                fprintf(f, " , %srn_v%d", lists[k][1], i);
        fputc('\n', f);
    }
    return fclose(f) ? (free(head), NULL) : head;
}

/* Makes the compiler's messages name the user's file. */
static char *make_line(const char *path)
{
    char *line = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&line, &size);
    if (!f)
        return NULL;
    fputs("\n#line 1 \"", f);
    for (; *path; path++) {
        if (*path == '"' || *path == '\\')
            fputc('\\', f);
        fputc((unsigned char)*path < ' ' ? '?' : *path, f);
    }
    fputs("\"\n", f);
    return fclose(f) ? (free(line), NULL) : line;
}

static int count_lines(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* NVIDIA's compiler and Oclgrind ignore #line: they count the lines of all texts together, and call
 * them <kernel> or input.cl. Replaces these with the name and the lines of the user's file, which
 * that many other lines precede. PoCL puts "error: " in front of the place, and a line without one
 * behind all others. */
static char *name_lines(const char *log, const char *path, int before)
{
    char *text = NULL;
    size_t size = 0, length = strlen(path);
    bool named = strstr(log, path);
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line != 0) {
        int n = (int)strcspn(line, "\n"), name = (int)strcspn(line, ":\n");
        char *end = NULL;
        long number = line[name] == ':' && !named ? strtol(line + name + 1, &end, 10) : 0;
        const char *place = line + sizeof "error: " - 1;
        int at = named && name == 5 && !strncmp(line, "error: ", 7) && !strncmp(place, path, length)
                     ? (int)(length + strspn(place + length, ":0123456789"))
                     : 0;
        if (at)
            fprintf(f, "%.*s error:%.*s\n", at, place, (int)(line + n - place) - at, place + at);
        else if (named && !strncmp(line, "Device ", 7))
            continue;
        else if (number > before && *end == ':')
            fprintf(f, "%s:%ld%.*s\n", path, number - before, (int)(line + n - end), end);
        else
            fprintf(f, "%.*s\n", n, line);
    }
    return fclose(f) ? (free(text), NULL) : text;
}

/* Builds source with the declarations in file. number: of the build, another one each time. *log:
 * as for rn_kernel_build. */
static int build(struct rn_device *dev, const struct rn_snapshot *now, unsigned number,
                 const char *source, const struct rn_kernel_file *file, struct built *built,
                 char **log)
{
    const struct custom *c = now->params;
    RN_OWNED(rn_free_owned) char *head = make_head(file, number), *line = make_line(c->file);
    const char *const texts[] = {head, rn_source_find(rn_kernel_sources, "custom.cl"), line, source,
                                 "\nRN_CUSTOM_KERNEL\n"};
    *built = (struct built){.source = source, .sample = rn_format_sample(&now->in.fmt)};
    *log = NULL;
    int err = head && line ? rn_kernel_build(dev, texts, sizeof texts / sizeof texts[0],
                                             "rn_custom", built->sample, &built->kernel, log)
                           : rn_fail_memory();
    char *named = !*log ? NULL
                  : !strstr(source, "filter")
                      ? strdup("the kernel's file defines no function `float filter(IN)`")
                      : name_lines(*log, c->file,
                                   count_lines(head) + count_lines(texts[1]) + count_lines(line));
    if (named) {
        free(*log);
        *log = named;
    }
    return err;
}

static bool is_built_for(const struct built *built, const struct rn_snapshot *now)
{
    const struct custom *c = now->params;
    return built->kernel.cl && built->source == c->source &&
           built->sample == rn_format_sample(&now->in.fmt);
}

static int prepare(struct rn_bound *bound, const struct rn_snapshot *now)
{
    const struct custom *c = now->params;
    struct priv *priv = bound->priv;
    struct rn_kernel_file file;
    char why[RN_KERNELFILE_WHY];
    if (is_built_for(&priv->runs, now))
        return 0;
    int err = rn_kernel_file_parse(&file, c->file, c->source, why);
    if (err)
        return err == RN_EUSAGE ? rn_fail(err, "custom: %s", why) : err;
    struct built built = priv->next;
    priv->next = (struct built){.source = NULL};
    if (!is_built_for(&built, now)) {
        RN_OWNED(rn_free_owned) char *log = NULL;
        rn_kernel_release(bound->dev, &built.kernel);
        err = build(bound->dev, now, priv->builds++, c->source, &file, &built, &log);
        if (log)
            rn_fail_lines(err, log, "custom: '%s' does not build on '%s':", c->file,
                          bound->dev->info.name);
        if (err)
            return err;
    }
    cl_int code = clFinish(bound->dev->run); /* frames under way keep their kernel */
    rn_kernel_release(bound->dev, &priv->runs.kernel);
    priv->runs = built;
    priv->file = file;
    return rn_cl_check(code, "the kernel before");
}

static void release(struct rn_bound *bound)
{
    struct priv *priv = bound->priv;
    rn_kernel_release(bound->dev, &priv->runs.kernel);
    rn_kernel_release(bound->dev, &priv->next.kernel);
}

/* ---- running */

/* values: of the parameters declared by file. */
static int launch(const struct rn_snapshot *now, struct rn_cmd *cmd, struct rn_kernel *kernel,
                  const struct rn_kernel_file *file, const float *values, const struct rn_dplane *s,
                  const struct rn_dplane *d, int p)
{
    const struct custom *c = now->params;
    const struct rn_format *fmt = &now->in.fmt;
    bool stored = now->in.scan || fmt->number != RN_NUMBER_UNSIGNED;
    float scale = stored ? 1 : (float)(1 << (fmt->depth - 8));
    int frame = cmd->frame > INT32_MAX ? INT32_MAX : (int)cmd->frame;
    struct rn_arg args[6 + RN_MAX_DECLARED] = {
        RN_ARG_PLANE(s),         RN_ARG_PLANE(d),     RN_ARG_INT2(p, frame),
        RN_ARG_FLOAT(1 / scale), RN_ARG_FLOAT(scale), RN_ARG_FLOAT(rn_geom_white(&now->in))};
    int n = 6;
    for (int i = 0; i < file->n; i++)
        args[n++] = RN_ARG_FLOAT(values[i]);
    int err = rn_fill_border(cmd, s, rn_format_sample(fmt), file->reach, file->reach, c->border, 0);
    return err ? err : rn_launch(cmd, kernel, rn_area_of(s), args, n);
}

static int enqueue(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_cmd *cmd,
                   const struct rn_dimage *src, struct rn_dimage *dst, int p)
{
    const struct custom *c = now->params;
    struct priv *priv = bound->priv;
    return launch(now, cmd, &priv->runs.kernel, &priv->file, c->value, &src->plane[p],
                  &dst->plane[p], p);
}

/* ---- reloading */

/* Runs a new kernel once on a black plane of full size, so that a failure costs no frame. */
static int try_kernel(struct rn_device *dev, const struct rn_snapshot *now,
                      struct rn_kernel *kernel, const struct rn_kernel_file *file)
{
    struct rn_dplane from = {.mem = NULL}, to = {.mem = NULL};
    struct rn_cmd cmd = {.dev = dev, .stage = -1};
    float values[RN_MAX_DECLARED];
    int bytes = rn_format_bytes(&now->in.fmt), w, h;
    rn_geom_plane_size(&now->in, 0, &w, &h);
    for (int i = 0; i < file->n; i++)
        values[i] = (float)file->param[i].def;
    int err = rn_dplane_create(dev, &from, w, h, bytes, RN_MAX_REACH);
    err = err ? err : rn_dplane_create(dev, &to, w, h, bytes, RN_MAX_REACH);
    err = err ? err : launch(now, &cmd, kernel, file, values, &from, &to, 0);
    cl_int code = clFinish(dev->run);
    err = err ? err : rn_cl_check(code, "a new kernel");
    rn_dplane_release(dev, &from);
    rn_dplane_release(dev, &to);
    return err;
}

/* ---- an attempt to build a new text */

struct rn_attempt {
    struct rn_snapshot now; /* with a copy of the parameters */
    struct custom params;
    struct rn_kernel_file file; /* what the text declares */
    const char *text;           /* interned, as is the path */
    unsigned number;
    struct built built; /* counted by no device */
    char *log;          /* of the compiler: it does not build; else NULL */
    bool runs;
};

static int look(struct rn_bound *bound, const struct rn_snapshot *now, struct rn_attempt **attempt,
                bool *changed)
{
    const struct custom *c = now->params;
    struct priv *priv = bound->priv;
    struct rn_kernel_file file;
    char why[RN_KERNELFILE_WHY];
    const char *text = NULL;
    int err = priv->runs.kernel.cl
                  ? rn_watched_look(&priv->watched, bound, c->file, c->source, &text, changed)
                  : 0;
    if (err || !text)
        return err;
    err = rn_kernel_file_parse(&file, c->file, text, why);
    if (err == RN_EUSAGE) {
        rn_watched_warn(bound, NULL, "%s", why);
        *changed = true;
        return 0;
    }
    if (err)
        return err;
    struct rn_attempt *a = *attempt = calloc(1, sizeof *a);
    if (!a)
        return rn_fail_memory();
    *a = (struct rn_attempt){
        .now = *now, .params = *c, .text = text, .file = file, .number = priv->builds++};
    a->now.params = &a->params;
    return 0;
}

static int build_attempt(struct rn_attempt *a, struct rn_device *dev)
{
    int err = build(dev, &a->now, a->number, a->text, &a->file, &a->built, &a->log);
    if (a->log)
        return 0;
    a->runs = !err && !try_kernel(dev, &a->now, &a->built.kernel, &a->file);
    if (!err)
        rn_count(dev, -1); /* the device may be closed before the kernel is taken */
    return err;
}

static void drop_attempt(struct rn_attempt *a)
{
    if (a->built.kernel.cl)
        clReleaseKernel(a->built.kernel.cl);
    free(a->log);
    free(a);
}

/* A kernel that is good waits until the settings, into which its text goes, are applied. */
static int take_attempt(struct rn_bound *bound, const struct rn_snapshot *now,
                        struct rn_stage *stage, struct rn_attempt *a, bool *changed)
{
    struct custom *c = stage->params;
    struct priv *priv = bound->priv;
    int err = 0;
    *changed = true;
    if (a->log) {
        rn_watched_warn(bound, a->log, "'%s' does not build", a->params.file);
    } else if (!a->runs) {
        rn_watched_warn(bound, NULL, "'%s' builds, but does not run", a->params.file);
    } else if (a->built.sample != rn_format_sample(&now->in.fmt) || a->params.file != c->file) {
        priv->watched.tried_contents = NULL; /* it was made for other settings: once more */
        *changed = false;
    } else if ((err = adopt_table(stage, &a->file)) == 0) {
        c->source = a->text;
        rn_kernel_release(bound->dev, &priv->next.kernel);
        priv->next = a->built;
        rn_count(bound->dev, 1);
        a->built.kernel.cl = NULL;
        rn_watched_taken(bound, a->params.file);
    }
    return err;
}

static const struct rn_reload reloading = {
    .declare = declare,
    .look = look,
    .build = build_attempt,
    .take = take_attempt,
    .drop = drop_attempt,
};

RN_FILTER(custom) = {
    .name = RN_NAMED(custom),
    RN_SETTINGS(struct custom, params),
    .priv_size = sizeof(struct priv),
    .check = check,
    .prepare = prepare,
    .enqueue = enqueue,
    .release = release,
    .reload = &reloading,
    .numbered = true,
};
