/* SPDX-License-Identifier: MIT */
/* Reads a DICOM series. Other files list the files, select the stack, sort its pictures and choose
 * the format of samples. */
#include "filters/base/log.h"
#include "io/dicom/series_internal.h"
#include "io/dicom/worker.h"
#include "io/volumes/layout.h"
#include "io/volumes/reader.h"

#include <fcntl.h>

/* Stored values of frames. Frames of uncompressed or deflated files are read here, those of other
 * files are decoded by the worker. */
struct frames {
    const struct rn_dicom_file *file; /* the current one */
    bool again;                       /* the worker has decoded a frame of it */
    int fd;
    struct rn_vol_bytes *bytes; /* NULL: the worker decodes */
    int64_t at;                 /* of the first frame in bytes */
    uint8_t *frame;             /* the last one read from bytes */
};

struct series {
    struct rn_vol_reader reader;
    struct rn_dicom_file_list files;
    struct rn_dicom_pictures pictures; /* of the stack, sorted */
    struct rn_vol_selection selection; /* of their times */
    struct rn_dicom_rescale values;
    struct rn_vol volume;
    double (*origins)[3]; /* of the pictures; NULL: they form a grid, or have no positions */
    struct rn_dicom_source_attributes source;
    struct rn_dicom_worker *worker;
    struct frames frames;
};

/* ---- stored values */

static void close_file(struct frames *f)
{
    if (f->bytes)
        close(f->fd);
    rn_vol_bytes_close(&f->bytes);
    f->again = false;
    f->file = NULL;
}

/* Opens the file if it stores frames as memory does. */
static void begin_file(struct frames *f, const struct rn_dicom_file *file)
{
    struct rn_dicom_pixel_data data;
    close_file(f);
    f->fd = file->head.frames > 1 && file->head.is_plain
                ? open(file->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
                : -1;
    if (f->fd >= 0 && !rn_dicom_find_pixels(f->fd, &data, &f->bytes))
        close(f->fd);
    else if (f->fd >= 0 && (data.is_compressed || rn_vol_is_swapped(data.is_big) ||
                            (uint64_t)data.size < rn_dicom_size(&file->head)))
        close_file(f);
    else if (f->fd >= 0)
        f->at = data.at;
    f->file = file;
}

static int begin_frames(struct series *s)
{
    struct frames *f = &s->frames;
    size_t decoded = 0, frame = 0;
    for (int i = 0; i < s->pictures.n; i++) {
        const struct rn_dicom_file *file = s->pictures.list[i].file;
        if (f->file == file)
            continue;
        begin_file(f, file);
        const struct rn_dicom_header stored = rn_dicom_as_stored(&file->head);
        if (!f->bytes)
            decoded = FFMAX(decoded, rn_dicom_frame_size(&stored));
        frame = FFMAX(frame, rn_dicom_frame_size(&file->head));
    }
    close_file(f);
    f->frame = malloc(frame);
    if (!f->frame)
        return rn_fail_memory();
    return decoded ? rn_dicom_worker_reserve(s->worker, decoded) : 0;
}

static const uint8_t *cut_tile(struct frames *f, int tile, const uint8_t *mosaic)
{
    const struct rn_dicom_header *h = &f->file->head;
    size_t row = rn_dicom_frame_size(h) / (size_t)h->h, x = (size_t)(tile % h->mosaic);
    size_t y = (size_t)(tile / h->mosaic * h->h);
    for (size_t i = 0; i < (size_t)h->h; i++)
        memcpy(f->frame + i * row, mosaic + ((y + i) * (size_t)h->mosaic + x) * row, row);
    return f->frame;
}

/* Reads rn_dicom_frame_size bytes of a picture, valid until the next call. Returns NULL on failure,
 * with the reason in why (size bytes) and *others true if other frames of the file may be readable;
 * or after a stop. */
static const uint8_t *read_frame(struct series *s, const struct rn_dicom_picture *picture,
                                 bool *others, char *why, size_t size)
{
    struct frames *f = &s->frames;
    struct rn_dicom_file *file = picture->file;
    const struct rn_dicom_header stored = rn_dicom_as_stored(&file->head);
    struct rn_dicom_surplus surplus = {0};
    *others = false;
    if (f->file != file && !rn_dicom_is_complete(file->path, &stored, &surplus)) {
        snprintf(why, size, "is cut off at its end");
        return NULL;
    }
    if (f->file != file)
        begin_file(f, file);
    if (!file->surplus && surplus.bytes)
        rn_vol_reader_note_surplus(&s->reader, file->path, file->surplus = surplus.bytes,
                                   file->head.frames, surplus.frame);
    if (f->bytes) {
        size_t bytes = rn_dicom_frame_size(&file->head);
        int64_t at = f->at + (int64_t)bytes * picture->frame;
        if (rn_vol_bytes_read(f->bytes, at, f->frame, bytes) == bytes)
            return f->frame;
        snprintf(why, size, "cannot be read to its end");
        return NULL;
    }
    const bool tiled = file->head.mosaic;
    const uint8_t *pixels =
        rn_dicom_decode(s->worker, file->path, &stored, tiled ? 0 : picture->frame, f->again,
                        s->reader.stop, others, why, size);
    f->again = true;
    if (pixels && tiled)
        pixels = cut_tile(f, picture->frame, pixels);
    if (!pixels && !*others)
        close_file(f); /* after a stop the file may still be readable */
    return pixels;
}

/* ---- opening */

/* Sets the direction from the first slice to the last, which a tilted gantry turns from the normal.
 * Returns the distance of two slices. */
static double set_slices(const struct rn_dicom_pictures *all, double direction[3])
{
    const struct rn_dicom_place *first = all->list[0].place, *last = all->list[all->n - 1].place;
    const struct rn_dicom_header *h = &all->list[0].file->head;
    double way[3];
    int steps = all->n - 1;
    for (int i = 0; i < 3; i++)
        way[i] = last->origin[i] - first->origin[i];
    for (int i = 1; i < all->n; i++)
        steps += all->list[i].missing;
    double length = all->placed ? sqrt(rn_vol_dot(way, way)) : 0;
    if (length > 0 && all->n > 1) {
        for (int i = 0; i < 3; i++)
            direction[i] = way[i] / length;
        return length / steps;
    }
    rn_dicom_normal(first, direction);
    return h->between > 0 ? h->between : h->thickness;
}

/* Returns true if slices form a grid: none is missing, and their distances are equal. Pictures at
 * one position pass: missing ones are times there. */
static bool is_even(const struct rn_dicom_pictures *pictures, double spacing)
{
    for (int i = 1; i < pictures->n; i++) {
        double distance = pictures->list[i].at - pictures->list[i - 1].at;
        double mean =
            (pictures->list[pictures->n - 1].at - pictures->list[0].at) / (pictures->n - 1);
        bool missing = pictures->list[i].missing && distance > 0;
        if (missing || fabs(distance - mean) > 0.01 * spacing)
            return false;
    }
    return true;
}

/* Keeps the origin of each slice if they form no grid. */
static int describe_origins(struct series *s, const double direction[3][3])
{
    const struct rn_dicom_pictures *all = &s->pictures;
    if (s->volume.placed || !all->placed)
        return 0;
    const int slices = all->n / all->times;
    s->origins = av_calloc((size_t)slices, sizeof *s->origins);
    if (!s->origins)
        return rn_fail_memory();
    for (int i = 0; i < slices; i++)
        memcpy(s->origins[i], all->list[i].place->origin, sizeof *s->origins);
    memcpy(s->volume.direction, direction, sizeof s->volume.direction);
    s->volume.origins = (const double(*)[3])s->origins;
    return 0;
}

static int describe_volume(struct series *s)
{
    struct rn_vol *v = &s->volume;
    const struct rn_dicom_pictures *all = &s->pictures;
    struct rn_dicom_pictures one = *all; /* time, as all the others */
    one.n /= one.times;
    const struct rn_dicom_rescale *values = &s->values;
    const struct rn_dicom_header *h = &all->list[0].file->head;
    const struct rn_dicom_place *first = all->list[0].place;
    struct rn_geom geom = {RN_SIZED(struct rn_geom), .fmt = values->fmt, .w = h->w, .h = h->h};
    rn_vol_init(v, &geom, one.n);
    v->n[RN_AXIS_TIME] = all->times;
    v->interval = all->interval;
    double spacing[3] = {first->spacing[0], first->spacing[1], 0}, column[3][3], direction[3][3];
    memcpy(direction[0], first->row, sizeof first->row);
    memcpy(direction[1], first->column, sizeof first->column);
    spacing[2] = set_slices(&one, direction[2]);
    for (int i = 0; i < 9; i++)
        column[i / 3][i % 3] = spacing[i / 3] * direction[i / 3][i % 3];
    bool placed = first->has_position && is_even(&one, spacing[2]);
    if (!placed || !rn_vol_place(v, (const double(*)[3])column, first->origin))
        memcpy(v->spacing, spacing, sizeof v->spacing);
    v->scan = values->fmt.model == RN_GRAY;
    v->rescale = values->rescale;
    v->ranged = values->fmt.number == RN_NUMBER_FLOAT;
    v->low = values->low;
    v->high = values->high;
    v->windowed = h->window[1] > 0;
    /* PS3.3, C.11.2.1.2.1: a window shows `width` integers; a width of 1 is a step. */
    double reach = fmax(h->window[1] - 1, 0.5) / 2;
    v->window[0] = h->window[0] - 0.5 - reach;
    v->window[1] = h->window[0] - 0.5 + reach;
    rn_log(RN_LOG_DEBUG, "'%s': spacing %g %g %g mm, window %g %g", all->input, spacing[0],
           spacing[1], spacing[2], h->window[0], h->window[1]);
    const double *o = first->origin, *d = direction[0];
    if (placed)
        rn_log(RN_LOG_DEBUG, "'%s': origin %g %g %g, direction %g %g %g, %g %g %g, %g %g %g",
               all->input, o[0], o[1], o[2], d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7], d[8]);
    return describe_origins(s, (const double(*)[3])direction);
}

/* Reads what derived files refer to. A file without it is no failure. */
static void read_source(struct series *s, const char *first)
{
    struct rn_dicom_entry entry;
    rn_dicom_describe(s->worker, first, &entry, NULL, NULL);
    if (entry.result == RN_DICOM_OK)
        memcpy(s->source.text, entry.source, sizeof s->source.text);
    else
        rn_log(RN_LOG_DEBUG, "'%s': whose it is was not read", first);
    s->source.pictures = &s->pictures;
    s->volume.source_attributes = &s->source;
    snprintf(s->volume.made_by, sizeof s->volume.made_by, "%.*s", RN_MADE_BY_SIZE - 1,
             s->source.text[RN_DICOM_DERIVATION]);
}

static int series_open(struct rn_vol_reader *r, const struct rn_io_read_opts *opts)
{
    struct series *s = (struct series *)r;
    const char *input = r->input;
    if (opts->channel)
        return rn_fail(RN_EUSAGE, "--channel: '%s' is DICOM, whose pictures --time chooses", input);
    int err = rn_dicom_worker_start(&s->worker);
    err = err ? err : rn_dicom_file_list_read(&s->files, input, s->worker, &s->reader.base);
    for (int i = 0; !err && i < s->files.n; i++)
        err = rn_read_note_file(&s->reader.base, s->files.file[i].path, NULL);
    err = err ? err : rn_dicom_choose_stack(&s->pictures, &s->files, opts->series, opts->losses);
    err = err ? err : rn_dicom_sort_pictures(&s->pictures, &s->files, opts->time);
    err = err ? err : rn_dicom_rescale_choose(&s->values, &s->pictures);
    err = err ? err : describe_volume(s);
    struct rn_io_read_opts chosen = *opts;
    chosen.time = s->pictures.times > 1 ? opts->time : NULL;
    err = err ? err : rn_vol_selection_make(&s->selection, &s->volume, input, &chosen);
    int n = err ? 0 : (int)rn_vol_pictures(&s->volume);
    err = err ? err : rn_read_stills_range(&s->reader.base, opts, n, NULL, "pictures");
    if (err)
        return err;
    const struct rn_dicom_file *first = s->pictures.list[0].file;
    read_source(s, first->path);
    if (first->head.mosaic && !first->places)
        rn_losses_add(
            opts->losses, "geometry",
            "'%s' does not say where the slices of its mosaic lie: their place is left out",
            first->path);
    if (*s->pictures.note && s->volume.n[RN_AXIS_TIME] > 1)
        rn_losses_add(opts->losses, "geometry", "'%s': %s", input, s->pictures.note);
    const double *spacing = s->volume.spacing;
    if (spacing[0] > 0 && spacing[1] > 0)
        s->reader.base.aspect = av_d2q(spacing[0] / spacing[1], 1 << 16);
    rn_vol_reader_format(&s->reader, s->values.carrier, s->volume.w, s->volume.h);
    s->reader.base.volume = &s->volume;
    return begin_frames(s);
}

/* ---- reading */

static struct rn_dicom_picture *picture_at(const struct series *s, int64_t i)
{
    return &s->pictures.list[rn_vol_selection_picture(&s->selection, &s->volume, i)];
}

/* Returns true if missing pictures are black, so that the others stay at their slices and times. */
static bool is_grid(const struct series *s)
{
    return s->pictures.times > 1 && s->pictures.n > s->pictures.times;
}

static const uint8_t *load(struct series *s, const struct rn_dicom_picture *picture)
{
    struct rn_dicom_file *file = picture->file;
    char why[200];
    bool others;
    if (file->bad)
        return NULL;
    const uint8_t *pixels = read_frame(s, picture, &others, why, sizeof why);
    file->counted += pixels != NULL;
    if (pixels || atomic_load(s->reader.stop))
        return pixels;
    file->bad = !others;
    int lost = others ? 1 : -file->counted;
    for (int i = s->reader.base.begin; i < s->reader.base.end && !others; i++)
        lost += picture_at(s, i)->file == file && !picture_at(s, i)->absent;
    s->reader.base.corrupt += lost > 0 ? lost : 1; /* a seek may have read pictures twice */
    file->counted += others;
    if (others)
        rn_io_damage_note(&s->reader.base.damage, "frame %d of '%s' %s", picture->frame + 1,
                          file->path, why);
    else
        rn_io_damage_note(&s->reader.base.damage, "'%s' %s", file->path, why);
    return NULL;
}

/* Counts a picture that is absent, and slices that are missing in front of picture i unless it is
 * the first to be read. */
static void count_missing(struct series *s, int i)
{
    struct rn_dicom_picture *p = picture_at(s, i);
    const int at = (int)(p - s->pictures.list), slices = s->pictures.n / s->pictures.times;
    s->reader.base.damage.missing += p->absent && !p->counted;
    if (p->absent && !p->counted)
        rn_io_damage_note(&s->reader.base.damage,
                          "slice %d of time %d is missing, which '%s' is at another time",
                          at % slices + 1, at / slices + 1, p->file->path);
    p->counted = p->absent;
    if (i == s->reader.base.begin || p->missing <= 0)
        return;
    const struct rn_dicom_picture *before = p - 1;
    char how[80];
    if (p->at > before->at)
        snprintf(how, sizeof how, "are %g mm", p->at - before->at);
    else if (is_grid(s))
        snprintf(how, sizeof how, "the temporal positions go from %g to %g", before->value,
                 p->value);
    else
        snprintf(how, sizeof how, "the instance numbers go from %ld to %ld",
                 before->file->head.number, p->file->head.number);
    s->reader.base.damage.missing += p->missing;
    rn_io_damage_note(&s->reader.base.damage, "between '%s' and '%s' %s: %d slice%s missing",
                      before->file->path, p->file->path, how, p->missing,
                      p->missing > 1 ? "s are" : " is");
    p->missing = 0; /* counts once, also after a seek back */
}

static int fill(struct rn_vol_reader *r, int i, AVFrame *frame)
{
    struct series *s = (struct series *)r;
    const struct rn_dicom_picture *p = picture_at(s, i);
    count_missing(s, i);
    const uint8_t *pixels = p->absent ? NULL : load(s, p);
    if (!pixels && is_grid(s) && !atomic_load(r->stop)) {
        memset(frame->data[0], 0, (size_t)r->bytes);
        return 0;
    }
    return pixels ? rn_dicom_rescale_convert(&s->values, p, pixels, frame->data[0]) : RN_END;
}

static const char *series_name(const struct rn_read_input *in, int64_t pts, int64_t *number)
{
    const struct series *s = (const struct series *)in;
    *number = -1;
    return picture_at(s, pts)->file->path;
}

static void series_close(struct rn_vol_reader *r)
{
    struct series *s = (struct series *)r;
    close_file(&s->frames);
    free(s->frames.frame);
    rn_dicom_worker_stop(&s->worker);
    av_freep(&s->pictures.list);
    av_freep(&s->origins);
    rn_dicom_file_list_free(&s->files);
    rn_vol_selection_free(&s->selection);
}

int rn_dicom_open(struct rn_read_input **in, const char *input, const struct rn_io_read_opts *opts,
                  atomic_bool *stop)
{
#ifndef RN_HAVE_GDCM
    return rn_fail(RN_EINPUT,
                   "'%s' is DICOM, which this runnel was built without: install the packages "
                   "libgdcm-dev and g++, then build it again",
                   input);
#endif
    static const struct rn_vol_reader_ops ops = {
        .size = sizeof(struct series),
        .open = series_open,
        .fill = fill,
        .close = series_close,
        .input = {.name = series_name},
    };
    return rn_vol_reader_open(in, &ops, input, opts, stop);
}
