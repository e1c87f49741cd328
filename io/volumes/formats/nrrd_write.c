/* SPDX-License-Identifier: MIT */
#include "io/volumes/formats/nrrd_header.h"

#include <stdio.h>
#include <string.h>

#include <libavformat/avformat.h>
#include <libavutil/avconfig.h>
#include <libavutil/avstring.h>

#define SPARE 16 /* spare bytes while the number of pictures may grow */

/* The word of an axis without a value. */
static const char *none_of(enum rn_vol_nrrd_field f)
{
    return f == RN_NRRD_SPACE_DIRECTIONS                ? "none"
           : f == RN_NRRD_KINDS || f == RN_NRRD_CENTERS ? "\?\?\?"
           : f == RN_NRRD_UNITS || f == RN_NRRD_LABELS  ? "\"\""
                                                        : "nan";
}

char *rn_vol_nrrd_samples(const char *output, bool packed)
{
    const char *dot = strrchr(output, '.');
    return av_match_ext(output, "nhdr")
               ? av_asprintf("%.*s.raw%s", (int)(dot - output), output, packed ? ".gz" : "")
               : NULL;
}

/* Returns what v has kept of a field: its value, or the word of an axis. */
static const char *kept(const struct rn_vol *v, enum rn_vol_nrrd_field field, unsigned tag)
{
    const struct rn_vol_field *f =
        rn_vol_fields_find(v, RN_VOL_NRRD, rn_vol_nrrd_field_names[field], tag);
    return f ? f->data : NULL;
}

static void put(struct rn_vol_text *t, enum rn_vol_nrrd_field field, const char *value)
{
    if (value)
        rn_vol_text_add(t, "%s: %s\n", rn_vol_nrrd_field_names[field], value);
}

/* Writes the words of the axes: those that were kept, or own ("": there is none; NULL: for all). */
static void put_words(struct rn_vol_text *t, const struct rn_vol *v, enum rn_vol_nrrd_field f,
                      char (*own)[96])
{
    enum rn_vol_nrrd_axis axis[RN_NRRD_AXES];
    const char *word[RN_NRRD_AXES];
    int n = rn_vol_nrrd_list_axes(v, rn_format_planes(&v->fmt), axis);
    bool any = false;
    for (int i = 0; i < n; i++) {
        word[i] = kept(v, f, RN_NRRD_WORD + (unsigned)axis[i]);
        if (!word[i] && own && *own[axis[i]])
            word[i] = own[axis[i]];
        any |= word[i] != NULL;
    }
    if (any)
        rn_vol_text_add(t, "%s:", rn_vol_nrrd_field_names[f]);
    for (int i = 0; any && i < n; i++)
        rn_vol_text_add(t, " %s", word[i] ? word[i] : none_of(f));
    rn_vol_text_add(t, any ? "\n" : "%s", "");
}

/* Returns the place of the number of pictures, in front of which any number of blanks may stand. */
static size_t put_axes(const struct rn_vol *v, struct rn_vol_text *t)
{
    enum rn_vol_nrrd_axis axis[RN_NRRD_AXES];
    int planes = rn_format_planes(&v->fmt), n = rn_vol_nrrd_list_axes(v, planes, axis);
    char own[RN_NRRD_AXES][96];
    const char *space = kept(v, RN_NRRD_SPACE, 0), *dimension = kept(v, RN_NRRD_SPACE_DIMENSION, 0);
    rn_vol_text_add(t, "dimension: %d\n", n);
    put(t, RN_NRRD_SPACE, space || dimension || !v->placed ? space : "left-posterior-superior");
    put(t, RN_NRRD_SPACE_DIMENSION, dimension);
    rn_vol_text_add(t, "sizes:");
    if (planes > 1)
        rn_vol_text_add(t, " %d", planes);
    rn_vol_text_add(t, " %d %d", v->w, v->h);
    size_t place = t->n;
    for (int i = 2 + (planes > 1); i < n; i++)
        rn_vol_text_add(t, " %lld", (long long)v->n[axis[i] - RN_NRRD_SLICE]);
    rn_vol_text_add(t, "\n");
    for (int a = 0; a < RN_NRRD_AXES; a++)
        snprintf(own[a], sizeof own[a], "%s",
                 rn_vol_nrrd_own_kind((enum rn_vol_nrrd_axis)a, planes, v->fmt.complex));
    put_words(t, v, RN_NRRD_KINDS, own);
    return place;
}

static void put_place(const struct rn_vol *v, struct rn_vol_text *t)
{
    char vector[RN_NRRD_AXES][96] = {""}, step[RN_NRRD_AXES][96] = {""},
         unit[RN_NRRD_AXES][96] = {""};
    const char *space = kept(v, RN_NRRD_SPACE, 0), *units = kept(v, RN_NRRD_SPACE_UNITS, 0);
    double mm[3], sign[3] = {1, 1, 1};
    rn_vol_nrrd_parse_space_units(units ? units : "mm mm mm", mm);
    if (space)
        rn_vol_nrrd_parse_space(space, sign);
    for (int a = RN_NRRD_COLUMN; a < RN_NRRD_AXES; a++) {
        bool length = a <= RN_NRRD_SLICE;
        double d[3], value = length              ? v->spacing[a - RN_NRRD_COLUMN]
                             : a == RN_NRRD_TIME ? v->interval
                                                 : 0;
        for (int k = 0; length && k < 3; k++)
            d[k] = v->direction[a - RN_NRRD_COLUMN][k] * value * sign[k] / mm[k];
        double one = rn_vol_nrrd_unit_of(kept(v, RN_NRRD_UNITS, RN_NRRD_WORD + (unsigned)a),
                                         a == RN_NRRD_TIME);
        bool directed = kept(v, RN_NRRD_SPACE_DIRECTIONS, RN_NRRD_WORD + (unsigned)a);
        if (length && v->placed)
            snprintf(vector[a], sizeof vector[a], "(%.17g,%.17g,%.17g)", d[0], d[1], d[2]);
        else if (value > 0 && !directed)
            snprintf(step[a], sizeof step[a], "%.17g", value / (one > 0 ? one : 1));
        if (*step[a])
            snprintf(unit[a], sizeof unit[a], length ? "\"mm\"" : "\"s\"");
    }
    put_words(t, v, RN_NRRD_SPACE_DIRECTIONS, vector);
    put(t, RN_NRRD_SPACE_UNITS, units || !v->placed ? units : "\"mm\" \"mm\" \"mm\"");
    if (v->placed)
        rn_vol_text_add(t, "space origin: (%.17g,%.17g,%.17g)\n", v->origin[0] * sign[0] / mm[0],
                        v->origin[1] * sign[1] / mm[1], v->origin[2] * sign[2] / mm[2]);
    put(t, RN_NRRD_SPACE_ORIGIN, kept(v, RN_NRRD_SPACE_ORIGIN, 0));
    put_words(t, v, RN_NRRD_SPACINGS, step);
    put_words(t, v, RN_NRRD_UNITS, unit);
    for (int f = RN_NRRD_AXIS_MINS; f < RN_NRRD_FIELDS; f++)
        if (f != RN_NRRD_UNITS)
            put_words(t, v, (enum rn_vol_nrrd_field)f, NULL);
}

size_t rn_vol_nrrd_header(const struct rn_vol_heading *h, char *to, size_t size)
{
    const struct rn_vol *v = h->volume;
    struct rn_vol_text t = {.to = to, .size = size};
    bool packed = h->packing != RN_PACKING_NONE;
    const char *type = rn_vol_nrrd_types[rn_vol_sample_type_of(&v->fmt)];
    rn_vol_text_add(&t, "NRRD000%d\ntype: %.*s\n", kept(v, RN_NRRD_MEASUREMENT_FRAME, 0) ? 5 : 4,
                    (int)strcspn(type, ","), type);
    size_t place = put_axes(v, &t);
    put_place(v, &t);
    rn_vol_text_add(&t, "endian: %s\nencoding: %s\n", AV_HAVE_BIGENDIAN ? "big" : "little",
                    packed ? "gzip" : "raw");
    if (h->samples)
        rn_vol_text_add(&t, "data file: %s\n", h->samples);
    for (int f = RN_NRRD_CONTENT; f < RN_NRRD_SPACE; f++)
        put(&t, (enum rn_vol_nrrd_field)f, kept(v, (enum rn_vol_nrrd_field)f, 0));
    size_t spare = h->n_is_estimate ? SPARE : 0;
    for (const struct rn_vol_field *f = NULL; (f = rn_vol_fields_next(v, RN_VOL_NRRD, f));) {
        if (f->tag == RN_NRRD_LINE)
            rn_vol_text_add(&t, "%s\n", (const char *)f->data);
        else if (f->tag || f->needs & ~(unsigned)RN_FIELD_FORMAL) /* a longer word may replace it */
            spare += sizeof "\"mm\" \"mm\" \"mm\"";
    }
    rn_vol_text_add_keys(&t, rn_vol_nrrd_own_names, ":=", v);
    rn_vol_text_add(&t, "\n");
    return rn_vol_text_widen(&t, place, h->length ? h->length : t.n + spare);
}
