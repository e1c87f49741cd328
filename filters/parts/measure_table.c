/* SPDX-License-Identifier: MIT */
#include "filters/parts/measure.h"

#include <string.h>

#include "filters/base/text/number.h"

enum { TEXT = 32, COLUMNS = 32 };

/* A number that may be an integer. */
static char *number(const struct rn_measure *m, double v, char text[TEXT])
{
    rn_number_print(text, TEXT, m->whole ? "%.0f" : "%.10g", v);
    return text;
}

/* ---- the columns, for CSV and JSON */

enum group { ALWAYS, UNITS, FLOATS, SIZED, SEVERAL };

struct cell {
    const char *name;
    enum group group;
    bool known, finite;
    const char *unit; /* the text of the unit; NULL: `text`, a number */
    char text[TEXT];
};

struct table {
    struct cell cell[COLUMNS];
    int n;
};

static void add(struct table *t, enum group group, const char *name, bool known, double v)
{
    struct cell *c = &t->cell[t->n++];
    *c = (struct cell){.name = name, .group = group, .known = known, .finite = isfinite(v)};
    rn_number_print(c->text, TEXT, "%.10g", v);
}

static void add_text(struct table *t, enum group group, const char *name, double v,
                     const char *text)
{
    add(t, group, name, true, v);
    snprintf(t->cell[t->n - 1].text, TEXT, "%s", text);
}

static void add_count(struct table *t, enum group group, const char *name, long long n)
{
    char text[TEXT];
    snprintf(text, TEXT, "%lld", n);
    add_text(t, group, name, 0, text);
}

static void add_previous(struct table *t, const struct rn_measure *m)
{
    char text[TEXT];
    number(m, m->dot_prev, text);
    if (m->whole && m->fmt->number == RN_NUMBER_SIGNED)
        snprintf(text, TEXT, "%lld", (long long)m->whole_dot);
    else if (m->whole)
        snprintf(text, TEXT, "%llu", (unsigned long long)m->whole_dot);
    /* JSON has both or none. */
    double both = m->has_previous ? m->dot_prev + m->ncc_prev : 0;
    add_text(t, ALWAYS, "dot_prev", both, text);
    add(t, ALWAYS, "ncc_prev", true, m->ncc_prev);
    for (int i = t->n - 2; i < t->n; i++) {
        t->cell[i].known = m->has_previous;
        t->cell[i].finite = isfinite(both);
    }
}

static void make(struct table *t, const struct rn_measure *m, const struct rn_rescale *r)
{
    char text[TEXT];
    t->n = 0;
    add_count(t, ALWAYS, "frame", m->frame->index);
    /* Since the start of the input, wherever the range begins. */
    rn_number_print(text, TEXT, "%.6f", m->frame->start + m->frame->time);
    add_text(t, ALWAYS, "time", 0, text);
    add_count(t, ALWAYS, "plane", m->plane);
    add(t, ALWAYS, "mean", true, m->mean);
    add(t, ALWAYS, "variance", true, m->variance);
    add_text(t, ALWAYS, "min", m->min, number(m, m->min, text));
    add_text(t, ALWAYS, "max", m->max, number(m, m->max, text));
    add_text(t, ALWAYS, "l1", m->l1, number(m, m->l1, text));
    add(t, ALWAYS, "l2", true, m->l2);
    add(t, ALWAYS, "lp", true, m->lp);
    add_text(t, ALWAYS, "linf", m->linf, number(m, m->linf, text));
    add(t, ALWAYS, "entropy", true, m->entropy);
    add_previous(t, m);
    bool rescaled = r->slope != 0; /* a filter in front may have been switched on */
    add(t, UNITS, "slope", rescaled, r->slope);
    add(t, UNITS, "intercept", rescaled, r->intercept);
    add(t, UNITS, "unit", rescaled, 0);
    t->cell[t->n - 1].unit = r->unit;
    add_count(t, FLOATS, "nan", (long long)m->nans);
    add(t, SIZED, "z_mm", m->frame->located, m->frame->z_mm);
    add(t, SIZED, "area_mm2", true, m->area_mm2);
    /* The distance of the slices is known, or does not matter. */
    add(t, SIZED, "volume_mm3", m->volume_mm3 > 0 || !m->nonzero, m->volume_mm3);
    add_count(t, SIZED, "nonzero", (long long)m->nonzero);
    add(t, SIZED, "time_s", m->frame->timed, m->frame->time_s);
    add_count(t, SEVERAL, "channel", m->frame->channel);
    add_count(t, SEVERAL, "time_index", m->frame->moment);
}

static bool has(const struct rn_measure_columns *c, enum group group)
{
    return group == UNITS    ? c->units
           : group == FLOATS ? c->floats
           : group == SIZED  ? c->sized
                             : group == ALWAYS || c->several;
}

/* ---- printed */

/* Quotes in the unit are doubled. */
static void print_csv_unit(FILE *f, const char *unit)
{
    bool quoted = strpbrk(unit, ",\"\n\r") != NULL;
    if (quoted)
        fputc('"', f);
    for (; *unit; unit++)
        fprintf(f, *unit == '"' ? "\"\"" : "%c", *unit);
    if (quoted)
        fputc('"', f);
}

static void print_json_unit(FILE *f, const char *unit)
{
    fputc('"', f);
    for (; *unit; unit++)
        if (*unit == '"' || *unit == '\\' || (unsigned char)*unit < ' ')
            fprintf(f, "\\u%04x", (unsigned)*unit);
        else
            fputc(*unit, f);
    fputc('"', f);
}

void rn_measure_print_head(FILE *f, const struct rn_measure_columns *c)
{
    static const struct rn_frame frame;
    struct table t;
    make(&t, &(const struct rn_measure){.frame = &frame}, &(const struct rn_rescale){.slope = 0});
    for (int i = 0; i < t.n && !c->json; i++)
        if (has(c, t.cell[i].group))
            fprintf(f, "%s%s", i ? "," : "", t.cell[i].name);
    fputs(c->json ? "" : "\n", f);
}

void rn_measure_print_row(FILE *f, const struct rn_measure_columns *c, const struct rn_measure *m,
                          const struct rn_rescale *r)
{
    struct table t;
    make(&t, m, r);
    for (int i = 0; i < t.n; i++) {
        const struct cell *cell = &t.cell[i];
        if (!has(c, cell->group) || (c->json && cell->group == UNITS && !cell->known))
            continue;
        fputs(i ? "," : c->json ? "{" : "", f);
        if (c->json) /* has no NaN and no infinity */
            fprintf(f, "\"%s\":", cell->name);
        if (cell->known && cell->unit)
            (c->json ? print_json_unit : print_csv_unit)(f, cell->unit);
        else if (c->json && !(cell->known && cell->finite))
            fputs("null", f);
        else if (cell->known)
            fputs(cell->text, f);
    }
    fputs(c->json ? "}\n" : "\n", f);
}

void rn_measure_describe(const struct rn_measure *m, char *text, size_t size)
{
    bool unit = *m->unit != '\0';
    char min[TEXT], max[TEXT], l1[TEXT];
    rn_number_print(text, size,
                    "%s  mean %.2f  std dev %.2f  min %s  max %s%s%s\n"
                    "L1 %s  L2 %.1f  L%d %.1f  entropy %.2f",
                    rn_plane_name(m->fmt, m->plane), m->mean, sqrt(m->variance),
                    number(m, m->min, min), number(m, m->max, max), unit ? "  " : "", m->unit,
                    number(m, m->l1, l1), m->l2, m->order, m->lp, m->entropy);
}
