/* SPDX-License-Identifier: MIT */
#include "app/commands/bench_report.h"

#include "app/process/terminal.h"
#include "filters/base/text/word_list.h"

#include <stdio.h>
#include <string.h>

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
    for (int i = 0; i < RN_MEASURE_PEERS; i++)
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
    json_t *list = json_array();
    const char *source;
    for (const struct rn_word_row *p = next_published(m, NULL); p; p = next_published(m, p)) {
        char figure[160];
        snprintf(figure, sizeof figure, "%.*s", figure_of(p, &source), p->meant);
        rn_app_json_append(&list, rn_app_json_make("figure:t source:t", figure, source));
    }
    return rn_app_json_make(
        "name:t size:t work:f unit:t rate:f ours_s:o plain_s:o plain_part:f openblas_s:o "
        "clblast_s:o fftw_s:o of_copy:o upload_s:o kernels_s:o download_s:o error:f tolerance:f "
        "right:b published:o",
        m->name, m->size, m->work, m->unit, rate(m, m->ours.median),
        rn_app_suite_spread(&m->ours, 1), measured(m->plain), m->part,
        measured(m->peer[RN_OPENBLAS]), measured(m->peer[RN_CLBLAST]), measured(m->peer[RN_FFTW]),
        measured(m->of_copy), measured(m->up), measured(m->kernels), measured(m->down), m->error,
        m->tolerance, is_right(m), list);
}

static int report(void *arg, const struct rn_figure *m)
{
    struct run *r = arg;
    char openblas[24] = "OpenBLAS";
    if (r->suite->openblas_threads)
        snprintf(openblas, sizeof openblas, "OpenBLAS/%d", r->suite->openblas_threads);
    if (!r->n++ && r->suite->table)
        printf("\nplain: one thread of plain C, which adds up in double; /N: with N threads;\n"
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

int rn_app_suite_linear(struct rn_app_suite *s)
{
    struct run r = {.suite = s};
    const struct rn_measure_opts opts = {s->repeats, s->cli->quick, s->cli->threads,
                                         s->cli->inflight};
    if (!s->device)
        return rn_fail(RN_EUSAGE, "the suite 'linear' measures an OpenCL device against plain C: "
                                  "choose one with -d");
    int err = rn_measures(s->device, &opts, &s->openblas_threads, report, &r);
    if (!err && r.wrong)
        err = rn_fail(RN_EDEVICE, "%d of %d results differ from plain C's: %s", r.wrong, r.n,
                      r.first);
    return err;
}
