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
 * `filter` is OpenCL C and computes one sample; custom=FILE.cl:gain=2 runs it. In it:
 *   PIXEL(dx, dy)   the sample dx to the right and dy below, a float from 0 to 255 (8-bit units) at
 *                   every depth; outside the image as `border` says. dx and dy reach as far as
 *                   //@reach says (0..64, 0 without) in all directions, and not farther.
 *   parameters      by their names, as floats; up to 16
 *   X Y             the sample's column and row; W H the width and height of the plane
 *   PLANE FRAME     indices of plane and frame, from 0
 * The result, in 8-bit units, is rounded half to even and saturated. The file may hold functions
 * besides: `float edge(IN, float level)` is called as `edge(ARGS, 8)`. A `#pragma unroll` before a
 * short loop of a fixed length lets CPUs compute many samples at once: ten times the speed. Names
 * that begin with rn_ or RN_ are the program's. A line //@param is NAME MIN MAX STEP DEFAULT and,
 * if one likes, help.
 *
 * Parameters are kernel arguments: turning a knob builds nothing. A file that changes is built
 * again, see poll. There is no C reference, so this filter needs a device; sums, differences and
 * products are the same on all devices, other functions nearly. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "filters/core/opencl.h"
#include "filters/core/stage.h"
#include "filters/core/kernelfile.h"

struct custom {
    const char *file;
    float value[RN_MAX_DECLARED]; /* in the order of the declarations */
    int border, planes;
};

static const struct rn_param params[] = {
    RN_P_TEXT(
        struct custom, file, "",
        "holds `float filter(IN) { return gain * PIXEL(0, 0); }` and declares its parameters: "
        "`//@param gain 0 4 0.1 1`"),
    RN_P_BORDER(struct custom),
    RN_P_PLANES(struct custom),
    RN_P_END,
};
enum { FIXED_ROWS = sizeof params / sizeof params[0] };

/* All tables of an instance: a player may hold rows of earlier ones. */
struct table {
    struct table *next;
    struct rn_param row[FIXED_ROWS + RN_MAX_DECLARED];
};

struct priv {
    struct rn_kernel_file file; /* that runs, or is going to */
    struct table *tables;
    /* device */
    struct rn_kernel kernel;
    int bytes;       /* of the samples that it is made for */
    unsigned builds; /* so far */
    /* reloading */
    struct rn_stamp tried; /* the last state of the file that was looked at, and its hash */
    uint64_t tried_hash;
    struct timespec looked;
    char *alert;
};

/* ---- parameters */

static float *value_of(struct custom *c, const struct rn_param *row)
{
    return (float *)(void *)((char *)c + row->off);
}

static bool same_table(const struct rn_param *a, const struct rn_param *b)
{
    for (; a->name && b->name; a++, b++)
        if (strcmp(a->name, b->name) != 0 || a->help != b->help || a->off != b->off ||
            a->min != b->min || a->max != b->max || a->step != b->step || a->def != b->def)
            return false;
    return !a->name && !b->name;
}

static void fill_table(struct rn_param *row, const struct rn_kernel_file *file)
{
    *row++ = params[0];
    for (int i = 0; i < file->n; i++) {
        const struct rn_declared *d = &file->param[i];
        *row++ =
            (struct rn_param){.name = d->name,
                              .unit = "",
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

/* Takes the declarations of file over into the instance. A parameter that was there keeps its value
 * as far as the range allows, unless nobody moved it from its default. */
static int adopt_table(struct rn_stage *stage, const struct rn_kernel_file *file)
{
    struct priv *priv = stage->priv;
    struct custom *c = stage->params, old = *c;
    struct table *t = calloc(1, sizeof *t);
    if (!t)
        return rn_fail_memory();
    fill_table(t->row, file);
    if (same_table(t->row, stage->table)) {
        free(t);
        return 0;
    }
    memset(c->value, 0, sizeof c->value);
    for (int i = 1; i <= file->n; i++) {
        const struct rn_param *row = &t->row[i], *was = rn_param_find(stage->table, row->name);
        rn_param_reset(row, c);
        if (!was || rn_param_is_default(was, &old))
            continue;
        float v = *value_of(&old, was), min = (float)row->min, max = (float)row->max;
        *value_of(c, row) = v < min ? min : v > max ? max : v;
    }
    t->next = priv->tables;
    priv->tables = t;
    stage->table = t->row;
    return 0;
}

static void adopt_file(struct priv *priv, struct rn_kernel_file *file)
{
    rn_kernel_file_free(&priv->file);
    priv->file = *file;
    priv->tried = file->stamp;
    priv->tried_hash = file->hash;
    memset(file, 0, sizeof *file);
}

static int set(struct rn_stage *stage, const struct rn_param *row)
{
    const struct custom *c = stage->params;
    struct rn_kernel_file file;
    char why[RN_WHY];
    if (row->type != RN_TEXT || !*c->file)
        return 0;
    int err = rn_kernel_file_read(&file, c->file, why);
    if (err == RN_EUSAGE)
        rn_fail(err, "custom: %s", why);
    err = err ? err : adopt_table(stage, &file);
    if (!err)
        adopt_file(stage->priv, &file);
    rn_kernel_file_free(&file);
    return err;
}

static int check(struct rn_stage *stage, const struct rn_geom *in, struct rn_geom *out)
{
    (void)in, (void)out;
    const struct custom *c = stage->params;
    const struct priv *priv = stage->priv;
    if (!*c->file || !priv->file.text)
        return rn_fail(RN_EUSAGE, "custom: the kernel's file is missing: custom=FILE.cl");
    stage->margin = RN_MAX_REACH; /* a file may come to reach farther while it runs */
    return 0;
}

static void destroy(struct rn_stage *stage)
{
    struct priv *priv = stage->priv;
    rn_kernel_file_free(&priv->file);
    free(priv->alert);
    while (priv->tables) {
        struct table *t = priv->tables;
        priv->tables = t->next;
        free(t);
    }
}

/* ---- building */

/* What stands before kernels/custom.cl. The first line makes each build's text another one: PoCL
 * takes kernels that it built from a like text out of its cache, and must not take a stale one. */
static char *make_head(const struct rn_kernel_file *file, unsigned builds)
{
    char *head = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&head, &size);
    if (!f)
        return NULL;
    fprintf(f, "typedef int rn_build_%u_%016" PRIx64 ";\n", builds, file->hash);
    fprintf(f, "#define RN_REACH %d\n#define RN_PARAMS", file->reach);
    for (int i = 0; i < file->n; i++)
        fprintf(f, " , float %s", file->param[i].name);
    fputs("\n#define RN_NAMES", f);
    for (int i = 0; i < file->n; i++)
        fprintf(f, " , %s", file->param[i].name);
    fputs("\n#define RN_KERNEL_PARAMS", f);
    for (int i = 0; i < file->n; i++)
        fprintf(f, " , float rn_v%d", i);
    fputs("\n#define RN_KERNEL_NAMES", f);
    for (int i = 0; i < file->n; i++)
        fprintf(f, " , rn_v%d", i);
    fputc('\n', f);
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

/* NVIDIA's compiler and Oclgrind pass over #line: they count the lines of all texts together, and
 * call them <kernel> or input.cl. Gives such a log the name and the lines of the user's file,
 * before which so many others stand. */
static char *name_lines(const char *log, const char *path, int before)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = strstr(log, path) ? NULL : open_memstream(&text, &size);
    if (!f)
        return strdup(log);
    for (const char *line = log; *line; line += strcspn(line, "\n"), line += *line != 0) {
        int n = (int)strcspn(line, "\n"), name = (int)strcspn(line, ":\n");
        char *end = NULL;
        long number = line[name] == ':' ? strtol(line + name + 1, &end, 10) : 0;
        if (number > before && *end == ':')
            fprintf(f, "%s:%ld%.*s\n", path, number - before, (int)(line + n - end), end);
        else
            fprintf(f, "%.*s\n", n, line);
    }
    return fclose(f) ? (free(text), NULL) : text;
}

/* Builds file. *log as of rn_kernel_build. */
static int build(struct rn_stage *stage, struct rn_device *dev, const struct rn_kernel_file *file,
                 struct rn_kernel *kernel, char **log)
{
    const struct custom *c = stage->params;
    struct priv *priv = stage->priv;
    char *head = make_head(file, priv->builds++), *line = make_line(c->file);
    const char *const texts[] = {head, rn_kernel_source("custom.cl"), line, file->text,
                                 "\nRN_CUSTOM_KERNEL\n"};
    *log = NULL;
    int err = head && line
                  ? rn_kernel_build(dev, texts, sizeof texts / sizeof texts[0], "rn_custom",
                                    rn_format_bytes(&stage->in.fmt), kernel, log)
                  : rn_fail_memory();
    char *named = *log ? name_lines(*log, c->file,
                                    count_lines(head) + count_lines(texts[1]) + count_lines(line))
                       : NULL;
    if (named) {
        free(*log);
        *log = named;
    }
    free(head);
    free(line);
    return err;
}

static int prepare(struct rn_stage *stage, struct rn_device *dev)
{
    const struct custom *c = stage->params;
    struct priv *priv = stage->priv;
    int bytes = rn_format_bytes(&stage->in.fmt);
    char *log;
    if (priv->kernel.cl && priv->bytes == bytes)
        return 0;
    struct rn_kernel kernel = {NULL};
    int err = build(stage, dev, &priv->file, &kernel, &log);
    if (log)
        rn_fail(err, "custom: '%s' does not build on '%s':\n%s", c->file, dev->info.name, log);
    free(log);
    if (err)
        return err;
    clFinish(dev->run);
    rn_kernel_release(dev, &priv->kernel);
    priv->kernel = kernel;
    priv->bytes = bytes;
    return 0;
}

static void release(struct rn_stage *stage, struct rn_device *dev)
{
    struct priv *priv = stage->priv;
    rn_kernel_release(dev, &priv->kernel);
}

/* ---- running */

/* values: of the parameters that file declares. */
static int launch(struct rn_stage *stage, struct rn_cmd *cmd, struct rn_kernel *kernel,
                  const struct rn_kernel_file *file, const float *values, const struct rn_dplane *s,
                  const struct rn_dplane *d, int p)
{
    const struct custom *c = stage->params;
    int bytes = rn_format_bytes(&stage->in.fmt);
    float scale = (float)(1 << (stage->in.fmt.depth - 8));
    int frame = cmd->frame > INT32_MAX ? INT32_MAX : (int)cmd->frame;
    struct rn_arg args[8 + RN_MAX_DECLARED] = {
        RN_ARG_PLANE(s),       RN_ARG_PLANE(d),
        RN_ARG_INT2(p, frame), RN_ARG_FLOAT(1 / scale),
        RN_ARG_FLOAT(scale),   RN_ARG_FLOAT((float)rn_format_max(&stage->in.fmt))};
    int n = 8;
    for (int i = 0; i < file->n; i++)
        args[n++] = RN_ARG_FLOAT(values[i]);
    int err = rn_fill_border(cmd, s, bytes, file->reach, file->reach, (enum rn_border)c->border, 0);
    return err ? err : rn_launch(cmd, kernel, (struct rn_area){0, 0, s->w, s->h}, args, n);
}

static int enqueue(struct rn_stage *stage, struct rn_cmd *cmd, const struct rn_dimage *src,
                   struct rn_dimage *dst, int p)
{
    const struct custom *c = stage->params;
    struct priv *priv = stage->priv;
    return launch(stage, cmd, &priv->kernel, &priv->file, c->value, &src->plane[p], &dst->plane[p],
                  p);
}

/* ---- reloading */

/* Runs a new kernel once on a black plane of real size, so that what it fails at costs no frame. */
static int try_kernel(struct rn_stage *stage, struct rn_device *dev, struct rn_kernel *kernel,
                      const struct rn_kernel_file *file)
{
    struct rn_dplane from = {.mem = NULL}, to = {.mem = NULL};
    struct rn_cmd cmd = {.dev = dev, .stage = -1};
    float values[RN_MAX_DECLARED];
    int bytes = rn_format_bytes(&stage->in.fmt), w, h;
    rn_geom_plane_size(&stage->in, 0, &w, &h);
    for (int i = 0; i < file->n; i++)
        values[i] = (float)file->param[i].def;
    int err = rn_dplane_create(dev, &from, w, h, bytes, RN_MAX_REACH, CL_MEM_READ_WRITE);
    err = err ? err : rn_dplane_create(dev, &to, w, h, bytes, RN_MAX_REACH, CL_MEM_READ_WRITE);
    err = err ? err : launch(stage, &cmd, kernel, file, values, &from, &to, 0);
    cl_int code = clFinish(dev->run);
    if (!err && code)
        err = rn_cl_fail(code, "a new kernel");
    for (int i = 0; i < cmd.nevents; i++)
        rn_event_release(dev, &cmd.events[i]);
    free(cmd.events);
    free(cmd.event_stage);
    rn_dplane_release(dev, &from);
    rn_dplane_release(dev, &to);
    return err;
}

/* What of a compiler's log is of use to a user: its lines with errors, at most five; without any
 * such line all of it. */
static char *brief(const char *log)
{
    char *text = NULL;
    size_t size = 0;
    int lines = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return NULL;
    for (const char *line = log; *line && lines < 5;
         line += strcspn(line, "\n"), line += *line != 0) {
        int n = (int)strcspn(line, "\n");
        const char *at = strstr(line, "error");
        if (at && at < line + n) {
            /* PoCL writes "error: FILE:LINE", all others "FILE:LINE: error" */
            int skip = strncmp(line, "error: ", 7) ? 0 : 7;
            fprintf(f, "%s%.*s", lines++ ? "\n" : "", n - skip, line + skip);
        }
    }
    if (!lines)
        fputs(log, f);
    return fclose(f) ? (free(text), NULL) : text;
}

/* Sets the alert and logs the whole of it. */
__attribute__((format(printf, 3, 4))) static void warn(struct priv *priv, const char *log,
                                                       const char *fmt, ...)
{
    char head[2 * RN_WHY];
    va_list args;
    va_start(args, fmt);
    vsnprintf(head, sizeof head, fmt, args);
    va_end(args);
    free(priv->alert);
    priv->alert = log ? brief(log) : strdup(head);
    rn_log(RN_LOG_ERROR, "custom: %s; the last good one goes on%s%s", head, log ? ":\n" : "",
           log ? log : "");
}

/* Puts a good file in the place of the one that runs. */
static int swap(struct rn_stage *stage, struct rn_device *dev, struct rn_kernel_file *file,
                struct rn_kernel *kernel)
{
    struct priv *priv = stage->priv;
    int err = adopt_table(stage, file);
    if (err)
        return err;
    clFinish(dev->run); /* frames that are under way keep their kernel */
    rn_kernel_release(dev, &priv->kernel);
    priv->kernel = *kernel;
    kernel->cl = NULL;
    adopt_file(priv, file);
    free(priv->alert);
    priv->alert = NULL;
    return 0;
}

static int reload(struct rn_stage *stage, struct rn_device *dev, struct rn_kernel_file *file)
{
    const struct custom *c = stage->params;
    struct rn_kernel kernel = {NULL};
    char *log;
    int err = build(stage, dev, file, &kernel, &log);
    if (log) {
        warn(stage->priv, log, "'%s' does not build", c->file);
        err = 0;
    } else if (!err && try_kernel(stage, dev, &kernel, file)) {
        warn(stage->priv, NULL, "'%s' builds, but does not run", c->file);
    } else if (!err) {
        err = swap(stage, dev, file, &kernel);
        if (!err)
            rn_log(RN_LOG_INFO, "custom: '%s' is new and runs", c->file);
    }
    free(log);
    rn_kernel_release(dev, &kernel);
    return err;
}

/* At most ten times a second. */
static bool time_to_look(struct priv *priv)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t ms =
        (now.tv_sec - priv->looked.tv_sec) * 1000 + (now.tv_nsec - priv->looked.tv_nsec) / 1000000;
    if (ms < 100)
        return false;
    priv->looked = now;
    return true;
}

/* A file that is away or empty is one that an editor is about to write: the kernel goes on. */
static int poll(struct rn_stage *stage, struct rn_device *dev, bool *changed)
{
    const struct custom *c = stage->params;
    struct priv *priv = stage->priv;
    struct rn_kernel_file file;
    struct rn_stamp stamp;
    char why[RN_WHY];
    if (!priv->kernel.cl || !time_to_look(priv) || !rn_stamp_get(&stamp, c->file))
        return 0;
    bool same = rn_stamp_equal(&stamp, &priv->tried);
    if (same && !rn_stamp_fresh(&stamp))
        return 0;
    int err = rn_kernel_file_read(&file, c->file, why);
    bool nothing_new = same && (!file.text || file.hash == priv->tried_hash);
    if (err == RN_EINTERNAL || nothing_new || (file.text && !*file.text)) {
        rn_kernel_file_free(&file);
        return err == RN_EINTERNAL ? err : 0;
    }
    priv->tried = file.text ? file.stamp : stamp;
    priv->tried_hash = file.hash;
    *changed = true;
    if (err) {
        warn(priv, NULL, "%s", why);
        err = 0;
    } else {
        err = reload(stage, dev, &file);
    }
    rn_kernel_file_free(&file);
    return err;
}

static const char *alert(const struct rn_stage *stage)
{
    const struct priv *priv = stage->priv;
    return priv->alert;
}

const struct rn_stage_desc rn_custom = {
    .name = "custom",
    .help = "runs a kernel of your own from a file; saving the file changes a running preview",
    .params = params,
    .params_size = sizeof(struct custom),
    .priv_size = sizeof(struct priv),
    .check = check,
    .prepare = prepare,
    .enqueue = enqueue,
    .release = release,
    .destroy = destroy,
    .set = set,
    .poll = poll,
    .alert = alert,
};
