/* SPDX-License-Identifier: MIT */
#include "io/volumes/reader.h"

#include "filters/base/log.h"
#include "filters/base/text/plural.h"
#include "io/common/av_versions.h"
#include "io/read/source.h"
#include "io/volumes/fields.h"

#include <sys/mman.h>

#include <libavutil/imgutils.h>

/* ---- reading */

static void unmap_buffer(void *size, uint8_t *data)
{
    munmap(data, (size_t)(uintptr_t)size);
}

/* Zeros that take no memory until they are written: a header may claim samples that its file lacks.
 * libswscale reads beyond the end of a picture. */
static AVBufferRef *map_buffer(size_t size)
{
    /* cppcheck-suppress invalidFunctionArg; POSIX wants -1 here */
    void *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    AVBufferRef *buffer =
        data == MAP_FAILED ? NULL
                           : av_buffer_create(data, size, unmap_buffer, (void *)(uintptr_t)size, 0);
    if (!buffer && data != MAP_FAILED)
        munmap(data, size);
    return buffer;
}

static void describe_frame(const struct rn_vol_reader *r, AVFrame *frame)
{
    av_frame_unref(frame);
    frame->format = r->format;
    frame->width = r->w;
    frame->height = r->h;
}

/* Reuses the buffer of the last frame once the frame is released. */
static int attach_buffer(struct rn_vol_reader *r, AVFrame *frame)
{
    describe_frame(r, frame);
    if (r->buffer && !av_buffer_is_writable(r->buffer))
        av_buffer_unref(&r->buffer);
    r->fresh = !r->buffer;
    if (!r->buffer)
        r->buffer = map_buffer((size_t)r->bytes + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!r->buffer || !(frame->buf[0] = av_buffer_ref(r->buffer)))
        return rn_fail_memory();
    return av_image_fill_arrays(frame->data, frame->linesize, r->buffer->data, r->format, r->w,
                                r->h, 1) < 0
               ? rn_fail(RN_EINPUT, "'%s': pictures of %dx%d are too large", r->input, r->w, r->h)
               : 0;
}

static int reader_picture(struct rn_read_input *in, AVFrame *frame)
{
    struct rn_vol_reader *r = (struct rn_vol_reader *)in;
    int err = RN_END;
    while (err == RN_END && in->next < in->end && !atomic_load(r->stop)) {
        int i = in->next++;
        bool left_out = in->leaves_out && r->own->is_apart(r, i);
        if (left_out)
            describe_frame(r, frame);
        err = left_out ? 0 : attach_buffer(r, frame);
        err = err || left_out ? err : r->own->fill(r, i, frame);
        frame->best_effort_timestamp = i;
    }
    if (err)
        av_frame_unref(frame);
    else
        rn_io_set_duration(frame, 1);
    return err;
}

static bool reader_is_apart(struct rn_read_input *in)
{
    struct rn_vol_reader *r = (struct rn_vol_reader *)in;
    return in->next < in->end && r->own->is_apart(r, in->next);
}

static int reader_seek(struct rn_read_input *in, int64_t target, bool again)
{
    if (again)
        return RN_END;
    in->next = target >= in->end ? in->end : target < in->begin ? in->begin : (int)target;
    return 0;
}

static int64_t reader_index(const struct rn_read_input *in, int64_t pts)
{
    return pts; /* the time base counts pictures */
}

static void reader_close(struct rn_read_input *in)
{
    struct rn_vol_reader *r = (struct rn_vol_reader *)in;
    r->own->close(r);
    av_buffer_unref(&r->buffer);
    rn_read_forget_files(in);
    rn_io_frame_data_destroy(&in->data);
    av_free(r);
}

/* ---- opening */

int rn_vol_reader_open(struct rn_read_input **in, const struct rn_vol_reader_ops *ops,
                       const char *input, const struct rn_io_read_opts *opts,
                       const atomic_bool *stop)
{
    struct rn_vol_reader *r = av_mallocz(ops->size);
    if (!r)
        return rn_fail_memory();
    r->own = ops;
    r->ops = ops->input;
    r->ops.picture = reader_picture;
    r->ops.is_apart = reader_is_apart;
    r->ops.seek = reader_seek;
    r->ops.index = reader_index;
    r->ops.close = reader_close;
    rn_read_stills_begin(&r->base, &r->ops, opts);
    r->input = input;
    r->losses = opts->losses;
    r->stop = stop;
    int err = r->base.data ? ops->open(r, opts) : rn_fail_memory();
    if (err)
        reader_close(&r->base);
    else
        *in = &r->base;
    return err;
}

void rn_vol_reader_format(struct rn_vol_reader *r, enum AVPixelFormat format, int w, int h)
{
    r->format = format;
    r->w = w;
    r->h = h;
    r->bytes = av_image_get_buffer_size(format, w, h, 1);
}

void rn_vol_reader_note_surplus(struct rn_vol_reader *r, const char *path, int64_t bytes,
                                int64_t pictures, int64_t each)
{
    if (!bytes)
        return;
    r->base.damage.surplus += bytes;
    rn_io_damage_note(&r->base.damage,
                      "behind the %lld picture%s that '%s' announces are %lld bytes, as many as "
                      "%.4g pictures have",
                      (long long)pictures, rn_plural(pictures), path, (long long)bytes,
                      (double)bytes / (double)each);
}

int rn_vol_reader_judge(struct rn_vol_reader *r, unsigned found, enum rn_vol_sample_type type,
                        const char *text)
{
    if (found & RN_LOAD_TOO_LARGE)
        return rn_fail(RN_EINPUT,
                       "%s has whole numbers (%s) of more than 24 bits, which a 32-bit float does "
                       "not hold",
                       text, rn_vol_sample_types[type].name);
    if (found & RN_LOAD_ROUNDED && !r->rounded) {
        rn_losses_add(r->losses, "format", "'%s': its %s are rounded to floats of 32 bits",
                      r->input, rn_vol_sample_types[type].name);
        r->rounded = true;
    }
    return 0;
}

/* Sets low and high from n float samples: 0 and 1 if all lie between, else their minimum and
 * maximum. Sets nothing without two different finite samples. */
static void find_range(struct rn_vol *v, const float *sample, size_t n)
{
    float low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(sample[i])) {
            low = fminf(low, sample[i]);
            high = fmaxf(high, sample[i]);
        }
    }
    bool unit = low >= 0 && high <= 1;
    v->ranged = unit || low < high;
    v->low = unit ? 0 : (double)low;
    v->high = unit ? 1 : (double)high;
}

int rn_vol_reader_find_range(struct rn_vol_reader *r, struct rn_vol *v, int n)
{
    if (v->fmt.number != RN_NUMBER_FLOAT || v->ranged)
        return 0;
    struct rn_io_damage damage = r->base.damage;
    int64_t corrupt = r->base.corrupt;
    RN_OWNED(av_frame_free) AVFrame *frame = av_frame_alloc();
    int err = frame ? attach_buffer(r, frame) : rn_fail_memory();
    err = err ? err : r->own->fill(r, n / 2, frame);
    if (!err)
        find_range(v, (const float *)(const void *)frame->data[0],
                   (size_t)r->w * (size_t)r->h * (size_t)rn_format_planes(&v->fmt));
    r->base.damage = damage; /* the picture is read again, or is outside the range */
    r->base.corrupt = corrupt;
    r->base.next = r->base.begin;
    r->rounded = false;
    return err == RN_END ? 0 : err;
}

/* ---- the selection */

/* Parses a number from 1, of at most 9 digits. Returns the text behind it; NULL: invalid. */
static const char *parse_number(const char *text, int64_t *value)
{
    size_t digits = strspn(text, "0123456789");
    *value = digits <= 9 ? strtol(text, NULL, 10) : 0;
    return digits && *value >= 1 ? text + digits : NULL;
}

/* Parses an entry of a list. *last: INT64_MAX if the range is open. */
static const char *parse_part(const char *text, int64_t *first, int64_t *last)
{
    text = parse_number(text, first);
    *last = *first;
    if (text && *text == '-') {
        text++;
        *last = INT64_MAX;
        if (*text && *text != ',')
            text = parse_number(text, last);
    }
    return text && *first <= *last && (!*text || *text == ',') ? text : NULL;
}

/* Marks the entries of a list. is_selected NULL: only reads it. Returns false if it is none, or one
 * is greater than n. */
static bool mark(const char *text, int64_t n, bool *is_selected)
{
    do {
        int64_t first, last;
        text = parse_part(text, &first, &last);
        if (!text || first > n || (last > n && last != INT64_MAX))
            return false;
        for (int64_t i = first; is_selected && i <= last && i <= n; i++)
            is_selected[i - 1] = true;
    } while (*text++);
    return true;
}

bool rn_vol_selection_check(const char *text)
{
    return !strcmp(text, "all") || mark(text, INT64_MAX, NULL);
}

static int refuse(const char *input, const char *text, enum rn_vol_axis axis, int64_t n)
{
    bool channel = axis == RN_AXIS_CHANNEL;
    if (n == 1)
        return rn_fail(RN_EUSAGE, "--%s %s: '%s' has one %s%s", channel ? "channel" : "time", text,
                       input, channel ? "channel" : "point in time",
                       channel ? " (planes= of a filter chooses colours)" : "");
    return rn_fail(RN_EUSAGE, "--%s %s: '%s' has %s 1 to %" PRId64, channel ? "channel" : "time",
                   text, input, channel ? "channels" : "points in time", n);
}

static int select_indices(struct rn_vol_selection *c, struct rn_vol *v, const char *input,
                          const char *text, enum rn_vol_axis axis)
{
    int64_t n = c->n[axis];
    if (!text || !strcmp(text, "all"))
        return 0;
    if (n == 1 && strcmp(text, "1") != 0)
        return refuse(input, text, axis, n);
    RN_OWNED(av_freep) bool *is_selected = av_calloc((size_t)n, sizeof *is_selected);
    c->file_index[axis] = av_calloc((size_t)n, sizeof **c->file_index);
    int err = is_selected && c->file_index[axis] ? 0 : rn_fail_memory();
    if (!err && !mark(text, n, is_selected))
        err = refuse(input, text, axis, n);
    v->n[axis] = 0;
    for (int64_t i = 0; !err && i < n; i++)
        if (is_selected[i])
            c->file_index[axis][v->n[axis]++] = i;
    v->file_index[axis] = c->file_index[axis];
    if (v->n[axis] != n)
        v->changed |= axis == RN_AXIS_TIME ? RN_CHANGED_TIMES : RN_CHANGED_CHANNELS;
    return err;
}

int rn_vol_selection_make(struct rn_vol_selection *c, struct rn_vol *v, const char *input,
                          const struct rn_io_read_opts *opts)
{
    *c = (struct rn_vol_selection){.n = {0}};
    memcpy(c->n, v->n, sizeof c->n);
    int err = select_indices(c, v, input, opts->channel, RN_AXIS_CHANNEL);
    err = err ? err : select_indices(c, v, input, opts->time, RN_AXIS_TIME);
    const int64_t *t = v->file_index[RN_AXIS_TIME];
    double steps = t && !err && v->n[RN_AXIS_TIME] > 1 ? (double)(t[1] - t[0]) : 1;
    for (int64_t i = 2; t && !err && i < v->n[RN_AXIS_TIME]; i++)
        if (t[i] - t[i - 1] != t[1] - t[0])
            steps = 0; /* times at uneven distances have no interval */
    v->interval = steps > 0 ? v->interval * steps : 0;
    return err;
}

void rn_vol_selection_free(struct rn_vol_selection *c)
{
    for (int a = 0; a < RN_AXES; a++)
        av_freep(&c->file_index[a]);
}

void rn_vol_selection_at(const struct rn_vol *v, int64_t i, int64_t at[RN_AXES])
{
    rn_vol_at(v, i, at);
    for (int a = 0; a < RN_AXES; a++)
        at[a] = v->file_index[a] ? v->file_index[a][at[a]] : at[a];
}

int64_t rn_vol_selection_picture(const struct rn_vol_selection *c, const struct rn_vol *v,
                                 int64_t i)
{
    int64_t at[RN_AXES], picture = 0;
    rn_vol_selection_at(v, i, at);
    for (int k = RN_AXES - 1; k >= 0; k--)
        picture = picture * c->n[v->axis_order[k]] + at[v->axis_order[k]];
    return picture;
}
