/* SPDX-License-Identifier: MIT */
#include "io/volumes/fields.h"

#include "filters/base/log.h"
#include "io/common/av.h"

#define SEEN 64 /* names that are counted once */

int rn_vol_fields_add(struct rn_vol *v, const char *format, struct rn_vol_field field)
{
    struct rn_vol_fields *f = v->fields;
    if (!f && !(f = v->fields = av_mallocz(sizeof *f)))
        return rn_fail_memory();
    f->format = format;
    struct rn_vol_field *all = av_realloc_array(f->field, (size_t)f->n + 1, sizeof *all);
    if (!all)
        return rn_fail_memory();
    f->field = all;
    char *data = av_mallocz(field.size + 1);
    if (data && field.size)
        memcpy(data, field.data, field.size);
    field.name = av_strdup(field.name);
    field.data = data;
    all[f->n++] = field;
    return field.name && data ? 0 : rn_fail_memory();
}

void rn_vol_fields_free(struct rn_vol *v)
{
    for (int i = 0; v->fields && i < v->fields->n; i++) {
        av_free((void *)(uintptr_t)v->fields->field[i].name);
        av_free((void *)(uintptr_t)v->fields->field[i].data);
    }
    if (v->fields)
        av_free(v->fields->field);
    av_freep(&v->fields);
}

static bool holds(const struct rn_vol *v, const char *format, const struct rn_vol_field *field)
{
    return format && !strcmp(format, v->fields->format) &&
           !(field->needs & (v->changed | RN_FIELD_LOST));
}

const struct rn_vol_field *rn_vol_fields_next(const struct rn_vol *v, const char *format,
                                              const struct rn_vol_field *last)
{
    int i = last ? (int)(last - v->fields->field) + 1 : 0;
    while (v->fields && i < v->fields->n && !holds(v, format, &v->fields->field[i]))
        i++;
    return v->fields && i < v->fields->n ? &v->fields->field[i] : NULL;
}

const struct rn_vol_field *rn_vol_fields_find(const struct rn_vol *v, const char *format,
                                              const char *name, unsigned tag)
{
    const struct rn_vol_field *f = rn_vol_fields_next(v, format, NULL);
    while (f && !f->owner && (f->tag != tag || strcmp(f->name, name) != 0))
        f = rn_vol_fields_next(v, format, f);
    return f && !f->owner ? f : NULL;
}

int rn_vol_fields_lost(const struct rn_vol *v, const char *format, char *text, size_t size)
{
    int n = 0, named = 0;
    const char *seen[SEEN];
    *text = '\0';
    for (int i = 0; v->fields && i < v->fields->n; i++) {
        const struct rn_vol_field *f = &v->fields->field[i];
        bool formal =
            f->needs & RN_FIELD_FORMAL && (!format || strcmp(format, v->fields->format) != 0);
        int k = 0;
        while (k < n && k < SEEN && strcmp(f->name, seen[k]) != 0)
            k++;
        if (formal || holds(v, format, f) || k < FFMIN(n, SEEN))
            continue;
        if (n < SEEN)
            seen[n] = f->name;
        if (named == n++ && strlen(text) + strlen(f->name) + sizeof ", ... (10000 more)" < size) {
            av_strlcatf(text, size, "%s%s", named ? ", " : "", f->name);
            named = n;
        }
    }
    if (named < n)
        av_strlcatf(text, size, "%s... (%d more)", named ? ", " : "", n - named);
    return n;
}
