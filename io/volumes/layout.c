/* SPDX-License-Identifier: MIT */
#include "io/volumes/layout.h"

#include "filters/base/log.h"
#include "io/common/av.h"

#include <stdarg.h>

#include <libavutil/avconfig.h>
#include <libavutil/eval.h>

#define MAX_PICTURES 100000000
#define MAX_BYTES    (INT32_MAX / 2) /* of a picture */
#define MAX_FILES    100000

const struct rn_vol_format *const rn_vol_formats[] = {&rn_vol_nrrd_format,
                                                      &rn_vol_meta_format,
                                                      &rn_vol_nifti_format,
                                                      &rn_vol_npy_format,
                                                      &rn_vol_bart_format,
                                                      &rn_vol_mat_format,
                                                      NULL};

uint8_t *rn_vol_head(const char *path, size_t most, size_t *n, bool *packed)
{
    RN_OWNED(rn_vol_bytes_close) struct rn_vol_bytes *bytes = NULL;
    uint8_t magic[2] = {0};
    *n = 0;
    if (rn_vol_bytes_open(&bytes, path, 0, RN_PACKING_NONE))
        return NULL;
    rn_vol_bytes_read(bytes, 0, magic, 2);
    *packed = magic[0] == 0x1f && magic[1] == 0x8b;
    if (*packed) {
        rn_vol_bytes_close(&bytes);
        if (rn_vol_bytes_open(&bytes, path, 0, RN_PACKING_GZIP))
            return NULL;
    }
    uint8_t *head = av_mallocz(most + 1); /* parsers of text need a zero at the end */
    if (head)
        *n = rn_vol_bytes_read(bytes, 0, head, most);
    return head;
}

int rn_vol_layout_refuse(const struct rn_vol_layout *l, const char *what, const char *value)
{
    return rn_fail(RN_EINPUT, "'%s' (%s): %s '%.60s' cannot be read", l->input, l->format, what,
                   value);
}

char *rn_vol_sibling(const char *header, const char *name)
{
    if (!*name || strchr(name, '/') || !strcmp(name, "..")) {
        rn_fail(RN_EINPUT, "'%s' names '%.100s' for its samples: only a file beside it is opened",
                header, name);
        return NULL;
    }
    char *path = av_asprintf("%.*s%s", (int)(av_basename(header) - header), header, name);
    if (!path)
        rn_fail_memory();
    return path;
}

static int add_file(struct rn_vol_layout *l, const char *name)
{
    char *path = rn_vol_sibling(l->input, name + (!strncmp(name, "./", 2) ? 2 : 0));
    return !path || l->paths.n == MAX_FILES ? RN_EINPUT : rn_read_names_append(&l->paths, path);
}

int rn_vol_layout_take_file(struct rn_vol_layout *l, const char *name, char *rest)
{
    char word[256], *line;
    int first, last, step = 1, err = 0;
    RN_OWNED(rn_read_pattern_free) struct rn_read_pattern pattern = {0};
    if (!strncmp(name, "LIST", 4)) {
        while (!err && (line = rn_vol_line_next(&rest)) != NULL)
            err = *line ? add_file(l, line) : 0;
    } else if (sscanf(name, "%255s %d %d %d", word, &first, &last, &step) >= 3 && step &&
               rn_read_pattern_parse(word, &pattern)) {
        for (int64_t i = first; !err && (step > 0 ? i <= last : i >= last); i += step) {
            RN_OWNED(av_freep) char *file = rn_read_pattern_name(&pattern, i);
            err = file ? add_file(l, file) : rn_fail_memory();
        }
    } else {
        l->path = rn_vol_sibling(l->input, name + (!strncmp(name, "./", 2) ? 2 : 0));
        return l->path ? 0 : RN_EINPUT;
    }
    l->path = l->paths.n ? av_strdup(l->paths.path[0]) : NULL;
    return err || l->path ? err : rn_fail(RN_EINPUT, "'%s' names no file of samples", l->input);
}

char *rn_vol_partner(const char *path, const char *extension)
{
    const char *base = av_basename(path), *dot = strrchr(base, '.');
    char name[300];
    snprintf(name, sizeof name, "%.*s.%s", (int)(dot ? dot - base : (int)strlen(base)), base,
             extension);
    return rn_vol_sibling(path, name);
}

bool rn_vol_layout_place(struct rn_vol_layout *l, const double column[3][3], const double origin[3])
{
    bool placed = rn_vol_place(&l->volume, column, origin);
    if (!placed)
        snprintf(l->note, sizeof l->note,
                 "its axes do not span space: its place and orientation are left out");
    return placed;
}

int64_t rn_vol_place_by_slice(const struct rn_vol *v, int64_t slice, int64_t channel, int64_t time)
{
    return slice + v->n[RN_AXIS_SLICE] * (time + v->n[RN_AXIS_TIME] * channel);
}

static void set_strides(struct rn_vol_layout *l)
{
    const struct rn_vol *v = &l->volume;
    int64_t bytes = rn_vol_layout_bytes(l);
    l->comp_step = bytes;
    l->column_step = bytes * l->comps * (l->vector ? v->n[RN_AXIS_CHANNEL] : 1);
    l->row_step = l->column_step * v->w;
    l->picture_step = l->row_step * v->h;
    if (!l->vector)
        return;
    l->axis_step[RN_AXIS_CHANNEL] = bytes;
    int64_t step = l->picture_step;
    for (int k = 0; k < RN_AXES; k++) {
        enum rn_vol_axis a = v->axis_order[k];
        if (a != RN_AXIS_CHANNEL) {
            l->axis_step[a] = step;
            step *= v->n[a];
        }
    }
}

int rn_vol_layout_check(const char *path, struct rn_vol_layout *l)
{
    struct rn_vol *v = &l->volume;
    int64_t pictures = 1;
    if (v->w < 1 || v->h < 1 || v->w > RN_MAX_SIDE || v->h > RN_MAX_SIDE)
        return rn_fail(RN_EINPUT, "'%s': pictures of %dx%d: a side is 1..%d pixels", path, v->w,
                       v->h, RN_MAX_SIDE);
    for (int i = 0; i < RN_AXES; i++) {
        if (v->n[i] < 1 || v->n[i] > MAX_PICTURES || pictures * v->n[i] > MAX_PICTURES)
            return rn_fail(RN_EINPUT, "'%s': its header counts more pictures than there can be",
                           path);
        pictures *= v->n[i];
    }
    if (!rn_vol_sample_type_format(l->type, l->comps, &v->fmt))
        return rn_fail(RN_EINPUT, "'%s': %d samples of %s per pixel cannot be read", path, l->comps,
                       rn_vol_sample_types[l->type].name);
    if (l->complex && v->fmt.number != RN_NUMBER_FLOAT)
        return rn_fail(RN_EINPUT, "'%s': complex samples of %s cannot be read, only of floats",
                       path, rn_vol_sample_types[l->type].name);
    v->stored_bits = 8 * rn_vol_sample_types[l->type].bytes;
    v->stored_number = rn_vol_sample_types[l->type].number;
    v->scan = v->fmt.model == RN_GRAY || v->fmt.number != RN_NUMBER_UNSIGNED;
    int64_t bytes = (int64_t)rn_vol_layout_bytes(l) * l->comps * v->w;
    if (l->vector && v->n[RN_AXIS_CHANNEL] > MAX_BYTES)
        return rn_fail(RN_EINPUT, "'%s': pixels of so many channels cannot be read", path);
    if (l->vector)
        bytes *= v->n[RN_AXIS_CHANNEL];
    if (bytes > MAX_BYTES || bytes * v->h > MAX_BYTES || l->offset < 0 || l->skip < 0)
        return rn_fail(RN_EINPUT, "'%s': pictures of %dx%d are too large", path, v->w, v->h);
    if (!l->picture_step)
        set_strides(l);
    if (v->windowed && !v->ranged && v->fmt.number == RN_NUMBER_FLOAT) {
        v->low = rn_vol_rescale_undo(&v->rescale, v->window[0]);
        v->high = rn_vol_rescale_undo(&v->rescale, v->window[1]);
        v->ranged = v->low < v->high;
    }
    return 0;
}

int rn_vol_numbers_parse(const char *text, const char *between, double *to, int max)
{
    int n = 0;
    for (;;) {
        text += strspn(text, between);
        char *end;
        double v = av_strtod(text, &end);
        if (end == text)
            return n;
        if (n < max)
            to[n] = v;
        n++;
        text = end;
    }
}

/* ---- lines of headers */

char *rn_vol_line_next(char **text)
{
    char *line = *text, *end = line + strcspn(line, "\n");
    if (!*line)
        return NULL;
    *text = end + (*end != '\0');
    *end = '\0';
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    return line;
}

char *rn_vol_text_trim(char *text)
{
    for (char *end = text + strlen(text); end > text && strchr(" \t", end[-1]);)
        *--end = '\0';
    return text + strspn(text, " \t");
}

static const struct {
    size_t offset;
    int numbers; /* 0: a text */
    size_t size; /* of a text */
} keys[RN_VOL_KEYS] = {
    [RN_VOL_SLOPE] = {offsetof(struct rn_vol, rescale.slope), 1, 0},
    [RN_VOL_INTERCEPT] = {offsetof(struct rn_vol, rescale.intercept), 1, 0},
    [RN_VOL_UNIT] = {offsetof(struct rn_vol, rescale.unit), 0,
                     sizeof((struct rn_rescale *)0)->unit},
    [RN_VOL_WINDOW] = {offsetof(struct rn_vol, window), 2, 0},
    [RN_VOL_RANGE] = {offsetof(struct rn_vol, low), 2, 0}, /* and high */
    [RN_VOL_INTERVAL] = {offsetof(struct rn_vol, interval), 1, 0},
    [RN_VOL_MADE_BY] = {offsetof(struct rn_vol, made_by), 0, RN_MADE_BY_SIZE},
};

bool rn_vol_key_parse(const char *const names[RN_VOL_KEYS], const char *key, const char *value,
                      struct rn_vol *v)
{
    int k = 0;
    double number[2] = {0};
    while (k < RN_VOL_KEYS && !(names[k] && !strcmp(key, names[k])))
        k++;
    if (k == RN_VOL_KEYS)
        return false;
    char *to = (char *)v + keys[k].offset;
    bool whole = rn_vol_numbers_parse(value, " ", number, 2) == keys[k].numbers;
    if (!keys[k].numbers)
        snprintf(to, keys[k].size, "%s", value);
    else if (whole || keys[k].numbers == 1)
        memcpy(to, number, (size_t)keys[k].numbers * sizeof *number);
    v->windowed = v->windowed || (whole && k == RN_VOL_WINDOW);
    if (whole && k == RN_VOL_RANGE)
        v->ranged = v->low < v->high;
    return whole || !keys[k].numbers;
}

void rn_vol_text_add(struct rn_vol_text *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(t->to + t->n, t->size - t->n, fmt, args);
    va_end(args);
    if (n < 0 || (size_t)n >= t->size - t->n)
        t->full = true;
    else
        t->n += (size_t)n;
}

void rn_vol_text_add_keys(struct rn_vol_text *t, const char *const names[RN_VOL_KEYS],
                          const char *separator, const struct rn_vol *v)
{
    const bool known[RN_VOL_KEYS] = {v->rescale.slope != 0,
                                     v->rescale.slope != 0,
                                     *v->rescale.unit,
                                     v->windowed,
                                     v->ranged,
                                     v->interval > 0,
                                     *v->made_by};
    for (int k = 0; k < RN_VOL_KEYS; k++) {
        const char *from = (const char *)v + keys[k].offset;
        const double *number = (const void *)from;
        if (!names[k] || !known[k])
            continue;
        rn_vol_text_add(t, "%s%s", names[k], separator);
        if (!keys[k].numbers)
            rn_vol_text_add(t, "%s", from);
        for (int i = 0; i < keys[k].numbers; i++)
            rn_vol_text_add(t, "%s%.17g", i ? " " : "", number[i]);
        rn_vol_text_add(t, "\n");
    }
}

size_t rn_vol_text_widen(struct rn_vol_text *t, size_t at, size_t n)
{
    if (t->full || t->n > n || n > t->size)
        return 0;
    size_t more = n - t->n;
    memmove(t->to + at + more, t->to + at, t->n - at);
    memset(t->to + at, ' ', more);
    t->n = n;
    return n;
}
