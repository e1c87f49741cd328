/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create */
#include "app/commands/plot.h"

#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "filters/base/output/path.h"
#include "filters/base/text/printable.h"
#include "io/process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define NORMS  4    /* l1, l2, lp, linf */
#define POINTS 2048 /* more than the columns of the picture; even */
#define BARS   256

/* Consecutive frames of one plane: one frame, until there are more than POINTS. */
struct point {
    int64_t frame; /* the first frame */
    int n;
    double low[NORMS], high[NORMS], sum[NORMS];
};

struct series {
    struct point *point;
    int npoints;
    uint64_t *histogram; /* of all frames */
};

struct rn_app_plot {
    const char *path;
    bool is_svg; /* else PNG */
    char *title;
    int64_t frames, first, last; /* their count, and the indices of the first and last */
    int per_point;               /* frames in a full point */
    struct rn_measure measure;   /* of the first frame; what it points to is gone */
    char unit[32];               /* after a comma; quotable */
    struct rn_format fmt;
    struct series plane[RN_MAX_PLANES];
};

/* ---- before the run */

/* Escapes text for single quotes in gnuplot: UTF-8, one line. */
static char *quotable(const char *text)
{
    char *plain = strdup(text), *copy = plain ? malloc(2 * strlen(plain) + 1) : NULL, *to = copy;
    if (copy)
        rn_printable(plain, false);
    for (const char *from = plain; copy && *from; from++) {
        if (*from == '\'')
            *to++ = '\'';
        *to++ = *from;
    }
    if (copy)
        *to = '\0';
    free(plain);
    return copy;
}

int rn_app_plot_open(struct rn_app_plot **out, const char *path, const char *title)
{
    const char *dot = strrchr(path, '.');
    if (!dot || (strcasecmp(dot, ".svg") != 0 && strcasecmp(dot, ".png") != 0))
        return rn_fail(RN_EUSAGE, "--plot writes .svg or .png, not '%s'", path);
    if (!rn_path_has("gnuplot"))
        return rn_fail(RN_EOUTPUT, "--plot needs the program gnuplot: install the package "
                                   "gnuplot-nox");
    struct rn_app_plot *plot = calloc(1, sizeof *plot);
    if (!plot)
        return rn_fail_memory();
    plot->path = path;
    plot->is_svg = !strcasecmp(dot, ".svg");
    plot->per_point = 1;
    plot->title = quotable(title);
    if (!plot->title) {
        rn_app_plot_close(&plot);
        return rn_fail_memory();
    }
    *out = plot;
    return 0;
}

void rn_app_plot_close(struct rn_app_plot **plot)
{
    if (!*plot)
        return;
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        free((*plot)->plane[p].point);
        free((*plot)->plane[p].histogram);
    }
    free((*plot)->title);
    free(*plot);
    *plot = NULL;
}

/* ---- during the run */

static void merge(struct point *a, const struct point *b)
{
    for (int k = 0; k < NORMS; k++) {
        a->low[k] = fmin(a->low[k], b->low[k]);
        a->high[k] = fmax(a->high[k], b->high[k]);
        a->sum[k] += b->sum[k];
    }
    a->n += b->n;
}

/* Halves the points of all planes. */
static void halve_points(struct rn_app_plot *plot)
{
    plot->per_point *= 2;
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        struct series *s = &plot->plane[p];
        int n = 0;
        for (int i = 0; i < s->npoints; i++) {
            if (n > 0 && s->point[n - 1].n + s->point[i].n <= plot->per_point)
                merge(&s->point[n - 1], &s->point[i]);
            else
                s->point[n++] = s->point[i];
        }
        s->npoints = n;
    }
}

static int begin_series(struct rn_app_plot *plot, const struct rn_measure *m)
{
    struct series *s = &plot->plane[m->plane];
    plot->measure = *m;
    char *unit = *m->unit ? quotable(m->unit) : NULL;
    snprintf(plot->unit, sizeof plot->unit, "%s%.28s", unit ? ", " : "", unit ? unit : "");
    free(unit);
    plot->fmt = *m->fmt;
    s->point = calloc(POINTS, sizeof *s->point);
    s->histogram = calloc((size_t)m->bins, sizeof *s->histogram);
    return s->point && s->histogram ? 0 : rn_fail_memory();
}

int rn_app_plot_add(struct rn_app_plot *plot, const struct rn_measure *m)
{
    struct series *s = &plot->plane[m->plane];
    if (!s->point && begin_series(plot, m))
        return RN_EINTERNAL;
    for (int v = 0; v < m->bins; v++)
        s->histogram[v] += m->histogram[v];
    struct point point = {.frame = m->frame->index, .n = 1};
    const double norms[NORMS] = {m->l1, m->l2, m->lp, m->linf};
    for (int k = 0; k < NORMS; k++)
        point.low[k] = point.high[k] = point.sum[k] = norms[k];
    if (s->npoints == POINTS && s->point[POINTS - 1].n == plot->per_point)
        halve_points(plot);
    if (s->npoints > 0 && s->point[s->npoints - 1].n < plot->per_point)
        merge(&s->point[s->npoints - 1], &point);
    else
        s->point[s->npoints++] = point;
    if (!plot->frames)
        plot->first = m->frame->index;
    plot->frames += !plot->frames || m->frame->index != plot->last;
    plot->last = m->frame->index;
    return 0;
}

/* ---- the script */

extern const char rn_app_plot_script[]; /* plot.gp, which says what stands in front of it */

struct bars {
    int first, last, width, n;         /* the range of used bins, bins in a bar, bars */
    double share[RN_MAX_PLANES][BARS]; /* of the samples */
};

static void find_bars(const struct rn_app_plot *plot, struct bars *b)
{
    *b = (struct bars){.first = plot->measure.bins, .last = 0};
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        for (int v = 0; plot->plane[p].npoints && v < plot->measure.bins; v++) {
            if (!plot->plane[p].histogram[v])
                continue;
            b->first = v < b->first ? v : b->first;
            b->last = v > b->last ? v : b->last;
        }
    }
    b->width = (b->last - b->first + BARS) / BARS;
    b->n = (b->last - b->first) / b->width + 1;
    for (int p = 0; p < RN_MAX_PLANES; p++) {
        double samples = 0;
        for (int v = b->first; plot->plane[p].npoints && v <= b->last; v++) {
            samples += (double)plot->plane[p].histogram[v];
            b->share[p][(v - b->first) / b->width] += (double)plot->plane[p].histogram[v];
        }
        for (int i = 0; samples > 0 && i < b->n; i++)
            b->share[p][i] /= samples;
    }
}

/* The sample value at a position on the axis of bins. */
static double value_at(const struct rn_app_plot *plot, double bin)
{
    return plot->measure.bin_first + bin * plot->measure.bin_step;
}

static void put_plane(FILE *f, const struct rn_app_plot *plot, int p, const struct bars *b)
{
    const struct series *s = &plot->plane[p];
    fprintf(f, "name%d = '%s'\npoints = %d\n", p, rn_plane_name(&plot->fmt, p), s->npoints);
    fprintf(f, "$norms%d << END\n", p);
    for (const struct point *pt = s->point; pt < s->point + s->npoints; pt++) {
        fprintf(f, "%.10g", (double)pt->frame + 0.5 * (pt->n - 1));
        for (int k = 0; k < NORMS; k++)
            fprintf(f, " %.10g %.17g %.17g", pt->sum[k] / pt->n, pt->low[k], pt->high[k]);
        fprintf(f, "\n");
    }
    fprintf(f, "END\n$bars%d << END\n", p);
    for (int i = 0; i <= b->n; i++) /* the last bar twice, for its right edge */
        fprintf(f, "%.10g %.6g\n", value_at(plot, b->first + i * b->width - 0.5),
                b->share[p][i < b->n ? i : b->n - 1]);
    fprintf(f, "END\n");
}

static void put_script(FILE *f, const struct rn_app_plot *plot)
{
    struct bars bars;
    char format[24];
    find_bars(plot, &bars);
    for (int p = 0; p < RN_MAX_PLANES; p++)
        if (plot->plane[p].npoints)
            put_plane(f, plot, p, &bars);
    int around = bars.last - bars.first < 8 ? 4 : 0;
    double low = value_at(plot, bars.first - around - 0.5);
    double high = value_at(plot, bars.last + bars.width + around - 0.5);
    bool plain = plot->fmt.number == RN_NUMBER_UNSIGNED && !*plot->unit;
    fprintf(f,
            "svg = %d\ntitle = '%s: %lld frame%s, %s'\nunit = '%s'\nper_point = %d\n"
            "first = %lld\nlast = %lld\norder = %d\nlargest = %d\nwidth = %d\nfloats = %d\n"
            "left = %.10g\nright = %.10g\n%s",
            plot->is_svg, plot->title, (long long)plot->frames, plot->frames == 1 ? "" : "s",
            rn_format_name(&plot->fmt, format), plot->unit, plot->per_point, (long long)plot->first,
            (long long)plot->last, plot->measure.order, plain ? plot->measure.bins - 1 : 0,
            bars.width, plot->fmt.number == RN_NUMBER_FLOAT, fmin(low, high), fmax(low, high),
            rn_app_plot_script);
}

/* ---- gnuplot */

/* Runs gnuplot with the script on stdin and the picture on stdout, so that no file name needs
 * quoting. Returns false if it failed: a signal ends it where the picture would be cut. */
static bool run_gnuplot(FILE *script, int picture, FILE *messages)
{
    char *argv[] = {(char[]){"gnuplot"}, (char[]){"-d"}, NULL}; /* -d: no start-up files */
    const struct rn_io_spawn how = {.fd = {fileno(script), picture, fileno(messages)}, .n = 3};
    pid_t pid;
    int status = -1, err = rn_io_spawn(&pid, argv[0], argv, &how);
    while (!err && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return !err && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* tmpfile() takes /tmp, whatever TMPDIR says. */
static FILE *open_temporary(void)
{
    int fd = memfd_create("runnel-plot", MFD_CLOEXEC);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

static int draw(const struct rn_app_plot *plot, const char *temp)
{
    FILE *script = open_temporary(), *messages = open_temporary();
    int picture = open(temp, O_WRONLY | O_TRUNC | O_CLOEXEC), err = 0;
    char line[256], cause[256] = "it ended without a message";
    if (!script || !messages || picture < 0) {
        err = rn_fail(RN_EOUTPUT, "cannot write '%s': %s", plot->path, strerror(errno));
        goto done;
    }
    put_script(script, plot);
    if (fflush(script) || ferror(script)) {
        err = rn_fail(RN_EOUTPUT, "cannot write a temporary file: %s", strerror(errno));
        goto done;
    }
    rewind(script);
    bool drawn = run_gnuplot(script, picture, messages);
    if (!drawn || lseek(picture, 0, SEEK_END) == 0) {
        rewind(messages);
        while (fgets(line, sizeof line, messages)) {
            line[strcspn(line, "\n")] = '\0';
            rn_printable(line, false);
            if (strspn(line, " ^") < strlen(line)) /* not the marker under a mistake */
                snprintf(cause, sizeof cause, "%s", line);
        }
        err = rn_fail(RN_EOUTPUT, "gnuplot could not draw '%s': %s", plot->path, cause);
    }
done:
    if (picture >= 0)
        close(picture);
    if (script)
        fclose(script);
    if (messages)
        fclose(messages);
    return err;
}

int rn_app_plot_write(struct rn_app_plot *plot, bool partial, char **name)
{
    struct rn_outfile file = {0};
    if (!plot->frames)
        return 0;
    int err = rn_outfile_begin(&file, plot->path);
    err = err ? err : draw(plot, file.temp);
    err = err ? err : rn_outfile_commit(&file, partial);
    if (!err && name)
        *name = strdup(file.path);
    rn_outfile_free(&file);
    return err;
}
