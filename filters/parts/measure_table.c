/* SPDX-License-Identifier: MIT */
#include "filters/parts/measure.h"

#include <math.h>
#include <string.h>

#include "filters/base/text/number.h"

/* Since the start of the input, wherever the range begins. */
static double time_of(const struct rn_measure *m)
{
    return m->frame->start + m->frame->time;
}

enum { TEXT = 32 };

/* The texts of the columns that may be integers. */
struct texts {
    char min[TEXT], max[TEXT], l1[TEXT], linf[TEXT], dot[TEXT];
};

static void make_texts(struct texts *t, const struct rn_measure *m)
{
    rn_number_print(t->min, TEXT, m->whole ? "%.0f" : "%.10g", m->min);
    rn_number_print(t->max, TEXT, m->whole ? "%.0f" : "%.10g", m->max);
    rn_number_print(t->l1, TEXT, m->whole ? "%.0f" : "%.10g", m->l1);
    rn_number_print(t->linf, TEXT, m->whole ? "%.0f" : "%.10g", m->linf);
    if (!m->whole)
        rn_number_print(t->dot, TEXT, "%.10g", m->dot_prev);
    else if (m->fmt->number == RN_NUMBER_SIGNED)
        snprintf(t->dot, TEXT, "%lld", (long long)m->whole_dot);
    else
        snprintf(t->dot, TEXT, "%llu", (unsigned long long)m->whole_dot);
}

/* The distance of the slices is known, or does not matter. */
static bool has_volume(const struct rn_measure *m)
{
    return m->volume_mm3 > 0 || !m->nonzero;
}

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

static void print_csv(FILE *f, const struct rn_measure_columns *c, const struct rn_measure *m,
                      const struct rn_rescale *r)
{
    struct texts t;
    make_texts(&t, m);
    rn_number_write(f, "%lld,%.6f,%d,%.10g,%.10g,%s,%s,%s,%.10g,%.10g,%s,%.10g,",
                    (long long)m->frame->index, time_of(m), m->plane, m->mean, m->variance, t.min,
                    t.max, t.l1, m->l2, m->lp, t.linf, m->entropy);
    if (m->has_previous)
        rn_number_write(f, "%s,%.10g", t.dot, m->ncc_prev);
    else
        rn_number_write(f, ",");
    if (c->units && r->slope != 0) {
        rn_number_write(f, ",%.10g,%.10g,", r->slope, r->intercept);
        print_csv_unit(f, r->unit);
    } else if (c->units) { /* a filter in front was switched on */
        fputs(",,,", f);
    }
    if (c->floats)
        fprintf(f, ",%llu", (unsigned long long)m->nans);
    if (c->sized) {
        fputc(',', f);
        if (m->frame->located)
            rn_number_write(f, "%.10g", m->frame->z_mm);
        rn_number_write(f, ",%.10g,", m->area_mm2);
        if (has_volume(m))
            rn_number_write(f, "%.10g", m->volume_mm3);
        fprintf(f, ",%llu,", (unsigned long long)m->nonzero);
        if (m->frame->timed)
            rn_number_write(f, "%.10g", m->frame->time_s);
    }
    if (c->several)
        fprintf(f, ",%lld,%lld", (long long)m->frame->channel, (long long)m->frame->moment);
    fputc('\n', f);
}

/* JSON has no NaN and no infinity. */
static void print_key(FILE *f, const char *key, double v)
{
    if (isfinite(v))
        rn_number_write(f, "\"%s\":%.10g,", key, v);
    else
        fprintf(f, "\"%s\":null,", key);
}

static void print_key_text(FILE *f, const char *key, double v, const char *text)
{
    fprintf(f, "\"%s\":%s,", key, isfinite(v) ? text : "null");
}

static void print_json_unit(FILE *f, const char *unit)
{
    fputs(",\"unit\":\"", f);
    for (; *unit; unit++)
        if (*unit == '"' || *unit == '\\' || (unsigned char)*unit < ' ')
            fprintf(f, "\\u%04x", (unsigned)*unit);
        else
            fputc(*unit, f);
    fputc('"', f);
}

static void print_json(FILE *f, const struct rn_measure_columns *c, const struct rn_measure *m,
                       const struct rn_rescale *r)
{
    struct texts t;
    make_texts(&t, m);
    rn_number_write(f, "{\"frame\":%lld,\"time\":%.6f,\"plane\":%d,", (long long)m->frame->index,
                    time_of(m), m->plane);
    print_key(f, "mean", m->mean);
    print_key(f, "variance", m->variance);
    print_key_text(f, "min", m->min, t.min);
    print_key_text(f, "max", m->max, t.max);
    print_key_text(f, "l1", m->l1, t.l1);
    print_key(f, "l2", m->l2);
    print_key(f, "lp", m->lp);
    print_key_text(f, "linf", m->linf, t.linf);
    print_key(f, "entropy", m->entropy);
    if (m->has_previous && isfinite(m->dot_prev) && isfinite(m->ncc_prev))
        rn_number_write(f, "\"dot_prev\":%s,\"ncc_prev\":%.10g", t.dot, m->ncc_prev);
    else
        fputs("\"dot_prev\":null,\"ncc_prev\":null", f);
    if (c->units && r->slope != 0) {
        rn_number_write(f, ",\"slope\":%.10g,\"intercept\":%.10g", r->slope, r->intercept);
        print_json_unit(f, r->unit);
    }
    if (c->floats)
        fprintf(f, ",\"nan\":%llu", (unsigned long long)m->nans);
    if (c->sized) {
        fputc(',', f);
        print_key(f, "z_mm", m->frame->located ? m->frame->z_mm : NAN);
        print_key(f, "area_mm2", m->area_mm2);
        print_key(f, "volume_mm3", has_volume(m) ? m->volume_mm3 : NAN);
        print_key(f, "time_s", m->frame->timed ? m->frame->time_s : NAN);
        fprintf(f, "\"nonzero\":%llu", (unsigned long long)m->nonzero);
    }
    if (c->several)
        fprintf(f, ",\"channel\":%lld,\"time_index\":%lld", (long long)m->frame->channel,
                (long long)m->frame->moment);
    fputs("}\n", f);
}

void rn_measure_print_head(FILE *f, const struct rn_measure_columns *c)
{
    if (!c->json)
        fprintf(f,
                "frame,time,plane,mean,variance,min,max,l1,l2,lp,linf,entropy,dot_prev,ncc_prev%s%"
                "s%s%s\n",
                c->units ? ",slope,intercept,unit" : "", c->floats ? ",nan" : "",
                c->sized ? ",z_mm,area_mm2,volume_mm3,nonzero,time_s" : "",
                c->several ? ",channel,time_index" : "");
}

void rn_measure_print_row(FILE *f, const struct rn_measure_columns *c, const struct rn_measure *m,
                          const struct rn_rescale *r)
{
    (c->json ? print_json : print_csv)(f, c, m, r);
}

void rn_measure_describe(const struct rn_measure *m, char *text, size_t size)
{
    bool unit = *m->unit != '\0';
    struct texts t;
    make_texts(&t, m);
    rn_number_print(text, size,
                    "%s  mean %.2f  std dev %.2f  min %s  max %s%s%s\n"
                    "L1 %s  L2 %.1f  L%d %.1f  entropy %.2f",
                    rn_plane_name(m->fmt, m->plane), m->mean, sqrt(m->variance), t.min, t.max,
                    unit ? "  " : "", m->unit, t.l1, m->l2, m->order, m->lp, m->entropy);
}
