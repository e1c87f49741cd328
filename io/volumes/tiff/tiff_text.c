/* SPDX-License-Identifier: MIT */
#include "io/volumes/tiff/tiff_text.h"

#include "filters/base/log.h"
#include "io/common/av.h"
#include "io/volumes/layout.h"

#include <limits.h>

#include <libavutil/eval.h>

struct imagej {
    int64_t images, n[RN_AXES];
    char unit[3][24], time_unit[8];                       /* of columns, rows, slices */
    bool curved;                                          /* the calibration is no straight line */
    double spacing, interval, min, max, slope, intercept; /* max NaN: no window */
    bool calibrated;
    struct rn_vol *v;
};

static const char *const axis_names[RN_AXES] = {"slices", "channels", "frames"};

static const char *const own_names[RN_VOL_KEYS] = {[RN_VOL_WINDOW] = "runnel.window",
                                                   [RN_VOL_RANGE] = "runnel.range",
                                                   [RN_VOL_MADE_BY] = "runnel.made"};

static void take_line(struct imagej *ij, const char *key, const char *value)
{
    const struct {
        const char *key;
        double *to;
    } numbers[] = {{"spacing", &ij->spacing}, {"finterval", &ij->interval}, {"min", &ij->min},
                   {"max", &ij->max},         {"c0", &ij->intercept},       {"c1", &ij->slope}};
    struct rn_vol *v = ij->v;
    int64_t whole = strtoll(value, NULL, 10);
    for (int a = 0; a < RN_AXES; a++)
        if (!strcmp(key, axis_names[a]))
            ij->n[a] = whole;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!strcmp(key, numbers[i].key))
            *numbers[i].to = av_strtod(value, NULL);
    if (!strcmp(key, "images"))
        ij->images = whole;
    else if (!strcmp(key, "unit"))
        snprintf(ij->unit[0], sizeof ij->unit[0], "%.23s", value);
    else if (!strcmp(key, "yunit") || !strcmp(key, "zunit"))
        snprintf(ij->unit[*key - 'x'], sizeof ij->unit[0], "%.23s", value);
    else if (!strcmp(key, "tunit"))
        snprintf(ij->time_unit, sizeof ij->time_unit, "%.7s", value);
    else if (!strcmp(key, "cf"))
        ij->curved = !(ij->calibrated = whole == 0); /* a straight line */
    else if (!strcmp(key, "vunit") && strcmp(value, "Gray Value") != 0)
        snprintf(v->rescale.unit, sizeof v->rescale.unit, "%.15s", value);
    else if (!strcmp(key, "runnel.spacing"))
        rn_vol_numbers_parse(value, " ", v->spacing, 3);
    else if (!strcmp(key, "runnel.origin"))
        v->placed = rn_vol_numbers_parse(value, " ", v->origin, 3) == 3;
    else if (!strcmp(key, "runnel.direction"))
        rn_vol_numbers_parse(value, " ", &v->direction[0][0], 9);
    else if (!strcmp(key, "runnel.bits")) {
        int bits = (int)strtol(value, NULL, 10);
        bool wide = v->fmt.number == RN_NUMBER_UNSIGNED && v->fmt.model == RN_GRAY &&
                    !v->fmt.alpha && v->fmt.depth == 16;
        v->fmt.depth = wide && bits > 8 && bits < 16 ? bits : v->fmt.depth;
    } else {
        rn_vol_key_parse(own_names, key, value, v);
    }
}

/* Returns true if v has a member for a line, or the line says nothing. *needs: the
 * rn_vol_field.needs of a line that is kept as a field. */
static bool has_member(const struct imagej *ij, const char *key, const char *value, bool spaced,
                       unsigned *needs)
{
    static const char made[] = "ImageJ,images,slices,channels,frames,hyperstack";
    const struct rn_vol *v = ij->v;
    bool curve = av_match_name(key, "cf,vunit,c0,c1,c2,c3,c4,c5");
    bool ends = av_match_name(key, "min,max"), place = av_match_name(key, "xorigin,yorigin");
    *needs = RN_TIFF_NO_LINES | (curve || ends ? RN_CHANGED_VALUES : 0) |
             (place ? RN_CHANGED_GRID : 0) | (!strcmp(key, "zorigin") ? RN_CHANGED_SLICES : 0);
    if (av_match_name(key, "unit,yunit,zunit"))
        return spaced || av_match_name(value, "pixel,pixels");
    if (!strcmp(key, "spacing"))
        return spaced && v->spacing[2] > 0;
    if (!strcmp(key, "finterval") || !strcmp(key, "tunit"))
        return v->interval > 0;
    if (curve)
        return !strcmp(value, "Gray Value") ||
               (!ij->curved &&
                (strcmp(key, "vunit") != 0 || strlen(value) < sizeof v->rescale.unit));
    if (ends)
        return ij->min < ij->max;
    return av_match_name(key, made) || av_strstart(key, "runnel.", NULL) ||
           (!strcmp(key, "loop") && !strcmp(value, "false"));
}

/* Adds the other lines as they are. */
static int add_fields(struct imagej *ij, const char *text, bool spaced)
{
    int err = 0;
    while (*text && !err) {
        size_t n = strcspn(text, "\r\n"), name = strcspn(text, "=\r\n");
        unsigned needs;
        RN_OWNED(av_freep) char *line = av_strndup(text, n), *key = av_strndup(text, name);
        err = line && key ? 0 : rn_fail_memory();
        if (!err && n && !has_member(ij, key, line + name + (name < n), spaced, &needs))
            err = rn_vol_fields_add(ij->v, RN_TIFF_FORMAT,
                                    (struct rn_vol_field){key, line, n, needs, 0, 0});
        text += n + strspn(text + n, "\r\n");
    }
    return err;
}

/* ImageJ adds 32768 to signed 16-bit samples. */
static double offset_of(const struct rn_vol *v)
{
    return v->fmt.number == RN_NUMBER_SIGNED ? 32768 : 0;
}

/* Sets the axes if their product is the number of all pictures. */
static bool take_axes(struct rn_vol *v, const int64_t n[RN_AXES], int64_t all)
{
    for (int a = 0; a < RN_AXES; a++) {
        if (n[a] < 1 || all % n[a])
            return false;
        all /= n[a];
    }
    if (all != 1)
        return false;
    memcpy(v->n, n, sizeof v->n);
    return true;
}

int rn_vol_tiff_text_read(struct rn_vol_tiff_text *t, const char *text, double xres, double yres,
                          struct rn_vol *v)
{
    struct imagej ij = {.n = {1, 1, 1}, .max = (double)NAN, .v = v};
    *t = (struct rn_vol_tiff_text){.known =
                                       !strncmp(text, "ImageJ=", 7) && strlen(text) <= 64u << 20};
    if (!t->known)
        return 0;
    RN_OWNED(av_freep) char *copy = av_strdup(text);
    if (!copy)
        return rn_fail_memory();
    for (char *rest = copy, *line; (line = rn_vol_line_next(&rest)) != NULL;) {
        char *equals = strchr(line, '=');
        if (equals) {
            *equals = '\0';
            take_line(&ij, line, equals + 1);
        }
    }
    int64_t product = 1;
    for (int a = 0; a < RN_AXES; a++)
        product = ij.n[a] >= 1 && ij.n[a] <= INT_MAX && product <= INT_MAX ? product * ij.n[a] : 0;
    t->pictures = ij.images >= 1 && ij.images <= INT_MAX ? ij.images : product > 0 ? product : 1;
    if (product == 1) /* a plain stack has no line for slices */
        ij.n[RN_AXIS_SLICE] = t->pictures;
    double mm[3];
    bool spaced = v->spacing[0] > 0;
    for (int i = 0; i < 3; i++)
        mm[i] = rn_vol_unit_mm(*ij.unit[i] ? ij.unit[i] : ij.unit[0]);
    t->unit = mm[0];
    if (mm[0] > 0 && mm[1] > 0 && mm[2] > 0 && xres > 0 && yres > 0) {
        snprintf(v->length_unit, sizeof v->length_unit, "%s", ij.unit[0]);
        if (!spaced) {
            v->spacing[0] = mm[0] / xres;
            v->spacing[1] = mm[1] / yres;
            v->spacing[2] = fabs(ij.spacing) * mm[2];
        }
        spaced = true;
    }
    double seconds = *ij.time_unit ? rn_vol_unit_seconds(ij.time_unit) : 1;
    v->interval = ij.interval > 0 && isfinite(ij.interval) ? ij.interval * seconds : 0;
    v->axis_order[0] = RN_AXIS_CHANNEL;
    v->axis_order[1] = RN_AXIS_SLICE;
    if (!take_axes(v, ij.n, t->pictures))
        v->n[RN_AXIS_SLICE] = t->pictures;
    if (ij.curved)
        *v->rescale.unit = '\0';
    if (ij.calibrated && ij.slope != 0) {
        v->rescale.slope = ij.slope;
        v->rescale.intercept = ij.intercept;
    }
    if (!v->windowed && ij.min < ij.max) {
        v->windowed = true;
        v->window[0] = rn_vol_rescale_apply(&v->rescale, ij.min - offset_of(v));
        v->window[1] = rn_vol_rescale_apply(&v->rescale, ij.max - offset_of(v));
    }
    if (!v->ranged) {
        v->ranged = v->windowed && v->fmt.number == RN_NUMBER_FLOAT;
        v->low = rn_vol_rescale_undo(&v->rescale, v->window[0]);
        v->high = rn_vol_rescale_undo(&v->rescale, v->window[1]);
    }
    return add_fields(&ij, text, spaced);
}

bool rn_vol_tiff_text_has_order(const struct rn_vol *v)
{
    int last = -1;
    static const int rank[RN_AXES] = {1, 0, 2};
    for (int i = 0; i < RN_AXES; i++) {
        if (v->n[v->axis_order[i]] == 1)
            continue;
        if (rank[v->axis_order[i]] < last)
            return false;
        last = rank[v->axis_order[i]];
    }
    return true;
}

static void put_values(struct rn_vol_text *t, const char *key, const double *values, int n)
{
    rn_vol_text_add(t, "%s=", key);
    for (int i = 0; i < n; i++)
        rn_vol_text_add(t, "%s%.17g", i ? " " : "", values[i]);
    rn_vol_text_add(t, "\n");
}

char *rn_vol_tiff_text_write(const struct rn_vol *v)
{
    const struct rn_vol_field *f = NULL;
    size_t size = 4096;
    while ((f = rn_vol_fields_next(v, RN_TIFF_FORMAT, f)) != NULL && !f->owner)
        size += f->tag ? 0 : f->size + 1;
    struct rn_vol_text t = {.to = malloc(size), .size = size};
    if (!t.to)
        return NULL;
    bool ordered = rn_vol_tiff_text_has_order(v);
    rn_vol_text_add(&t, "ImageJ=1.53t\nimages=%lld\n", (long long)rn_vol_pictures(v));
    for (int a = 0; a < RN_AXES && ordered; a++)
        if (v->n[a] > 1)
            rn_vol_text_add(&t, "%s=%lld\n", axis_names[a], (long long)v->n[a]);
    if (ordered && (v->n[RN_AXIS_CHANNEL] > 1 || v->n[RN_AXIS_TIME] > 1))
        rn_vol_text_add(&t, "hyperstack=true\n");
    if (v->spacing[0] > 0 && v->spacing[1] > 0)
        rn_vol_text_add(&t, "unit=%s\n", *v->length_unit ? v->length_unit : "mm");
    if (v->spacing[2] > 0)
        rn_vol_text_add(&t, "spacing=%.15g\n", v->spacing[2] / rn_vol_tiff_text_unit(v));
    if (v->interval > 0 && (v->n[RN_AXIS_TIME] > 1 || v->fields))
        rn_vol_text_add(&t, "finterval=%.17g\n", v->interval);
    if (v->rescale.slope != 0)
        rn_vol_text_add(&t, "cf=0\nc0=%.17g\nc1=%.17g\n", v->rescale.intercept, v->rescale.slope);
    if (*v->rescale.unit)
        rn_vol_text_add(&t, "vunit=%s\n", v->rescale.unit);
    double low = v->windowed ? rn_vol_rescale_undo(&v->rescale, v->window[0]) : v->low;
    double high = v->windowed ? rn_vol_rescale_undo(&v->rescale, v->window[1]) : v->high;
    if (v->windowed || v->ranged)
        rn_vol_text_add(&t, "min=%.17g\nmax=%.17g\n", low + offset_of(v), high + offset_of(v));
    if (!rn_vol_fields_find(v, RN_TIFF_FORMAT, "loop", 0))
        rn_vol_text_add(&t, "loop=false\n");
    for (f = NULL; (f = rn_vol_fields_next(v, RN_TIFF_FORMAT, f)) != NULL && !f->owner;)
        if (!f->tag && !(f->needs & RN_FIELD_LOST))
            rn_vol_text_add(&t, "%s\n", (const char *)f->data);
    if (v->spacing[0] > 0)
        put_values(&t, "runnel.spacing", v->spacing, 3);
    if (v->placed) {
        put_values(&t, "runnel.origin", v->origin, 3);
        put_values(&t, "runnel.direction", &v->direction[0][0], 9);
    }
    if (v->fmt.number == RN_NUMBER_UNSIGNED && v->fmt.depth > 8 && v->fmt.depth < 16)
        rn_vol_text_add(&t, "runnel.bits=%d\n", v->fmt.depth);
    rn_vol_text_add_keys(&t, own_names, "=", v);
    t.to[t.n] = '\0';
    return t.to;
}
