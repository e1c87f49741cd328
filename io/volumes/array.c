/* SPDX-License-Identifier: MIT */
#include "io/volumes/layout.h"

#include "filters/base/log.h"
#include "io/volumes/fields.h"
#include "io/volumes/reader.h"

#define LARGE        (64 << 20) /* bytes of a picture, of which the file holds more than */
#define LARGE_FACTOR 4096       /* a part in so many; else only its header claims it */

#define SLAB (64 << 20) /* bytes of interleaved pictures that are gathered at once */

struct array {
    struct rn_vol_reader reader;
    struct rn_vol_layout layout; /* its volume: the selected pictures */
    struct rn_vol_selection selection;
    int64_t pictures; /* in the file */
    struct rn_vol_bytes *bytes;
    uint8_t *buf;          /* pictures as they are stored; NULL: frames are filled directly */
    size_t picture_bytes;  /* of one picture as it is stored */
    int64_t block;         /* file offset of buf; -1: empty */
    size_t got;            /* valid bytes in buf */
    int64_t slab, in_slab; /* first picture in buf and their count; count 0: none */
    int64_t slabs;         /* pictures that fit in buf; 0: each picture is contiguous */
    bool *bad;             /* pictures that were counted as corrupt */
    bool broken;           /* the end was counted as missing */
    bool announced;        /* a header alone, and not the user, says how much there is */
};

/* ---- reading */

static void mark_bad(struct array *s, int64_t i, const char *why)
{
    if (s->bad[i])
        return;
    s->bad[i] = true;
    s->reader.base.corrupt++;
    rn_io_damage_note(&s->reader.base.damage, "picture %" PRId64 " of '%s' is not whole: %s", i + 1,
                      s->reader.input, why);
}

/* Gathers interleaved pictures: reads all bytes once for as many pictures as fit in buf. */
static int64_t fill_slab(struct array *s, int64_t first)
{
    const struct rn_vol_layout *l = &s->layout;
    const struct rn_vol *v = &l->volume;
    int64_t all = s->pictures, bytes = rn_vol_layout_bytes(l), step = l->picture_step;
    int64_t n = all - first < s->slabs ? all - first : s->slabs, row = bytes * all, got = 0;
    RN_OWNED(av_freep) uint8_t *line = av_malloc((size_t)row);
    s->slab = first;
    s->in_slab = line ? n : 0;
    for (int64_t i = 0; line && i < (int64_t)v->w * v->h; i++) {
        int64_t at = i % v->w * l->column_step + i / v->w * l->row_step;
        size_t have = rn_vol_bytes_read(s->bytes, l->offset + at, line, (size_t)row);
        got += (int64_t)have;
        for (int64_t k = 0; k < n && (first + k + 1) * step <= (int64_t)have; k++)
            memcpy(s->buf + k * (int64_t)s->picture_bytes + i * bytes, line + (first + k) * step,
                   (size_t)bytes);
    }
    return got == row * v->w * v->h ? 0 : 1;
}

/* Returns the offset of the block that holds picture i. *in: the offset in that block. */
static int64_t address(const struct array *s, int64_t i, int64_t *in)
{
    const struct rn_vol_layout *l = &s->layout;
    int64_t at[RN_AXES], place = l->offset;
    *in = 0;
    if (!l->axis_step[RN_AXIS_SLICE])
        return place +
               rn_vol_selection_picture(&s->selection, &s->layout.volume, i) * l->picture_step;
    rn_vol_selection_at(&l->volume, i, at);
    for (int a = 0; a < RN_AXES; a++)
        *(l->vector && a == RN_AXIS_CHANNEL ? in : &place) += at[a] * l->axis_step[a];
    return place;
}

/* Reads picture i as it is stored. Returns the bytes read. */
static size_t fetch(struct array *s, int64_t i, const uint8_t **data)
{
    int64_t in, at = address(s, i, &in);
    if (!s->slabs) { /* interleaved channels: one read serves all channels of a picture */
        if (!s->layout.vector || at != s->block)
            s->got = rn_vol_bytes_read(s->bytes, at, s->buf, s->picture_bytes);
        s->block = at;
        *data = s->buf + in;
        return s->got;
    }
    int64_t picture = rn_vol_selection_picture(&s->selection, &s->layout.volume, i);
    if (!s->in_slab || picture < s->slab || picture >= s->slab + s->in_slab) {
        memset(s->buf, 0, s->picture_bytes * (size_t)s->slabs);
        if (fill_slab(s, picture) && s->in_slab)
            mark_bad(s, i, rn_vol_bytes_fault(s->bytes));
    }
    *data = s->buf + (picture - s->slab) * (int64_t)s->picture_bytes;
    return s->in_slab ? s->picture_bytes : 0;
}

/* Converts a row of complex samples to magnitudes, or to a row of each part. Returns a mask of
 * rn_vol_samples_load. */
static unsigned load_complex(const struct array *s, const uint8_t *from, size_t column_step,
                             size_t n, float *to)
{
    const struct rn_vol_layout *l = &s->layout;
    size_t plane = (size_t)l->volume.w * (size_t)l->volume.h;
    size_t part = (size_t)rn_vol_sample_types[l->type].bytes;
    unsigned found = 0;
    for (size_t i = 0; i < n; i++) {
        float z[2];
        found |= rn_vol_samples_load(l->type, l->swapped, from + i * column_step, part, 2, z, 1);
        to[i] = l->volume.fmt.complex ? z[0] : (float)hypot((double)z[0], (double)z[1]);
        if (l->volume.fmt.complex)
            to[plane + i] = z[1];
    }
    return found;
}

/* Returns true if the samples are stored as in a frame. */
static bool is_plain(const struct array *s)
{
    const struct rn_vol_layout *l = &s->layout;
    const struct rn_vol *v = &l->volume;
    int64_t pixel = rn_vol_layout_bytes(l) * (int64_t)l->comps;
    bool planar = v->fmt.number == RN_NUMBER_FLOAT && l->comps > 1;
    return rn_vol_sample_type_is_native(l->type, l->swapped) && !planar && !l->complex &&
           (s->slabs || (l->column_step == pixel && l->row_step == pixel * v->w));
}

/* Converts stored samples to those of a frame. line: bytes from row to row there; 0: no row has
 * more than its samples. Returns a mask of rn_vol_samples_load. */
static unsigned convert(const struct array *s, const uint8_t *from, uint8_t *to, ptrdiff_t line)
{
    static const int plane_of[] = {2, 0, 1, 3}; /* R G B A in planes of G B R A */
    const struct rn_vol_layout *l = &s->layout;
    const struct rn_vol *v = &l->volume;
    size_t n = (size_t)v->w * (size_t)v->h, bytes = (size_t)rn_format_bytes(&v->fmt);
    bool planar = v->fmt.number == RN_NUMBER_FLOAT && l->comps > 1;
    size_t column = (size_t)(s->slabs ? rn_vol_layout_bytes(l) : l->column_step);
    size_t row = s->slabs ? column * (size_t)v->w : (size_t)l->row_step;
    size_t step = planar ? 1 : (size_t)l->comps;
    unsigned found = 0;
    line = line ? line : (ptrdiff_t)((size_t)v->w * bytes * step);
    if (is_plain(s)) {
        memcpy(to, from, (size_t)s->reader.bytes);
        return 0;
    }
    for (int c = 0; c < l->comps; c++) {
        uint8_t *out = to + (planar ? (size_t)plane_of[c] * n : (size_t)c) * bytes;
        for (size_t y = 0; y < (size_t)v->h; y++, out += line) {
            const uint8_t *in = from + (size_t)(c * l->comp_step) + y * row;
            found |= l->complex ? load_complex(s, in, column, (size_t)v->w, (float *)(void *)out)
                                : rn_vol_samples_load(l->type, l->swapped, in, column, (size_t)v->w,
                                                      out, step);
        }
    }
    return found;
}

/* Reads picture i. If no byte of it is there, later ones are not tried. */
static int fill(struct rn_vol_reader *r, int i, AVFrame *frame)
{
    struct array *s = (struct array *)r;
    const uint8_t *data = frame->data[0];
    uint8_t *to = frame->data[0], *stored = s->buf ? s->buf : to;
    int64_t in;
    size_t got = s->buf ? fetch(s, i, &data)
                        : rn_vol_bytes_read(s->bytes, address(s, i, &in), to, s->picture_bytes);
    if (!got) {
        int64_t all = rn_vol_pictures(&s->layout.volume);
        r->base.next = r->base.end;
        if (s->broken)
            return RN_END;
        s->broken = true;
        r->base.damage.missing += all - i;
        rn_io_damage_note(&r->base.damage, "'%s' breaks off behind picture %d of %" PRId64 " (%s)",
                          r->input, i, all, rn_vol_bytes_fault(s->bytes));
        return RN_END;
    }
    if (s->picture_bytes > LARGE && got < s->picture_bytes / LARGE_FACTOR)
        return rn_fail(RN_EINPUT, "'%s' holds %zu bytes of picture %d, which has %zu: %s", r->input,
                       got, i + 1, s->picture_bytes, rn_vol_bytes_fault(s->bytes));
    if (got < s->picture_bytes) {
        if (s->buf || !r->fresh)
            memset(stored + got, 0, s->picture_bytes - got);
        mark_bad(s, i, rn_vol_bytes_fault(s->bytes));
    }
    if (!s->buf)
        return 0;
    if (s->layout.volume.fmt.complex)
        memset(to, 0, (size_t)r->bytes);
    unsigned found = convert(s, data, to, 0);
    if (!found)
        return 0;
    char text[1100];
    snprintf(text, sizeof text, "'%.1024s': picture %d", r->input, i + 1);
    int err = rn_vol_reader_judge(r, found, s->layout.type, text);
    r->base.next = err ? r->base.end : r->base.next;
    return err;
}

/* A picture of one plane that lies whole in one file. */
static bool is_apart(struct rn_vol_reader *r, int i)
{
    const struct array *s = (const struct array *)r;
    const struct rn_vol_layout *l = &s->layout;
    int64_t in;
    bool alone = l->packing == RN_PACKING_NONE && !l->paths.n && !s->slabs && !l->vector &&
                 !l->complex && l->comps == 1;
    return alone && address(s, i, &in) + (int64_t)s->picture_bytes <= rn_vol_bytes_size(s->bytes);
}

static bool samples(const struct rn_read_input *p, int64_t pts, struct rn_image *img, bool *copied)
{
    const struct array *s = (const struct array *)p;
    const struct rn_plane *to = &img->plane[0];
    size_t row = s->picture_bytes / (size_t)to->h;
    int64_t in, at = address(s, pts, &in);
    *copied = !is_plain(s);
    if (!*copied)
        return rn_vol_bytes_read_rows(s->bytes, at, row, to->h, to->data, to->stride);
    RN_OWNED(av_freep) uint8_t *stored = av_malloc(s->picture_bytes);
    if (!stored || !rn_vol_bytes_read_rows(s->bytes, at, s->picture_bytes, 1, stored, 0))
        return false;
    unsigned known = atomic_load(&s->reader.rounded) ? RN_LOAD_ROUNDED : 0;
    return !(convert(s, stored, to->data, to->stride) & ~known);
}

static int64_t announced_bytes(const struct array *s)
{
    const struct rn_vol_layout *l = &s->layout;
    return s->pictures * l->volume.w * l->volume.h * (int64_t)l->comps * rn_vol_layout_bytes(l);
}

/* Counts what is behind the samples of all series, once; packed data has its checksum there. */
static void count_surplus(struct array *s)
{
    const struct rn_vol_layout *l = &s->layout;
    int64_t all = announced_bytes(s), each = all / s->pictures;
    if (!s->announced || s->broken || s->reader.base.damage.surplus || s->reader.base.corrupt)
        return;
    int64_t end = l->all ? l->all : l->offset + all;
    int64_t n = l->packing == RN_PACKING_MAT
                    ? l->surplus
                    : rn_vol_bytes_surplus(s->bytes, end, -1, each / l->volume.h, each);
    rn_vol_reader_note_surplus(&s->reader, l->path, n, s->pictures, each);
    if (!rn_vol_bytes_broken(s->bytes))
        return;
    s->reader.base.corrupt++;
    rn_io_damage_note(&s->reader.base.damage, "'%s', behind its samples: %s", l->path,
                      rn_vol_bytes_fault(s->bytes));
}

static void array_finish(struct rn_read_input *p)
{
    struct array *s = (struct array *)p;
    if (s->reader.base.end == rn_vol_pictures(&s->layout.volume))
        count_surplus(s);
}

static const char *array_name(const struct rn_read_input *p, int64_t pts, int64_t *number)
{
    *number = -1;
    return ((const struct array *)p)->reader.input;
}

static void array_close(struct rn_vol_reader *r)
{
    struct array *s = (struct array *)r;
    rn_vol_bytes_close(&s->bytes);
    av_free(s->layout.path);
    rn_read_names_free(&s->layout.paths);
    rn_vol_fields_free(&s->layout.volume);
    rn_vol_selection_free(&s->selection);
    av_free(s->buf);
    av_free(s->bad);
}

/* ---- opening */

static const struct rn_vol_format *format_of(const char *path, uint8_t **head, size_t *n,
                                             bool *packed)
{
    struct stat st;
    *head = NULL;
    if (stat(path, &st) || !S_ISREG(st.st_mode) ||
        !(*head = rn_vol_head(path, RN_HEAD_SIZE, n, packed)))
        return NULL;
    const struct rn_vol_format *const *f = rn_vol_formats;
    while (*f && !(*f)->match(path, *head, *n))
        f++;
    return *f;
}

bool rn_vol_array_match(const char *input)
{
    RN_OWNED(av_freep) uint8_t *head = NULL;
    size_t n;
    bool packed;
    return format_of(input, &head, &n, &packed) != NULL;
}

static int set_complex(struct array *s, const struct rn_io_read_opts *opts)
{
    struct rn_vol_layout *l = &s->layout;
    struct rn_vol *v = &l->volume;
    bool parts = opts->complex == RN_COMPLEX_PARTS;
    if (!l->complex)
        return opts->complex
                   ? rn_fail(RN_EUSAGE, "--complex: '%s' holds no complex numbers", s->reader.input)
                   : 0;
    v->fmt.complex = parts;
    if (opts->complex == RN_COMPLEX_DEFAULT)
        rn_losses_add(s->reader.losses, "format",
                      "'%s': of its complex numbers the magnitude is taken (--complex parts takes "
                      "both)",
                      s->reader.input);
    if (!parts && v->rescale.slope != 0 && (v->rescale.slope < 0 || v->rescale.intercept != 0)) {
        rn_losses_add(s->reader.losses, "geometry",
                      "'%s': its slope and intercept are those of complex numbers, not of their "
                      "magnitudes: they are left out",
                      s->reader.input);
        v->rescale.slope = 0;
    }
    return 0;
}

static int parse(struct array *s, const struct rn_io_read_opts *opts)
{
    struct rn_vol_layout *l = &s->layout;
    const char *raw = opts->raw;
    RN_OWNED(av_freep) uint8_t *head = NULL;
    size_t n = 0;
    rn_vol_init(&l->volume, &(struct rn_geom){.w = 0}, 1);
    l->comps = 1;
    l->series = opts->series;
    l->input = s->reader.input;
    int err;
    if (raw) {
        err = rn_vol_raw_layout(raw, s->reader.input, l);
    } else {
        const struct rn_vol_format *f = format_of(s->reader.input, &head, &n, &l->packed);
        for (size_t most = RN_HEAD_SIZE; f && f->ends && n == most && most < RN_MAX_HEAD_SIZE &&
                                         !f->ends((const char *)head);) {
            most *= 8;
            av_free(head);
            head = rn_vol_head(s->reader.input, most, &n, &l->packed);
            f = head ? f : NULL;
        }
        l->format = f ? f->name : NULL;
        err = f ? f->parse(l, head, n) : rn_fail(RN_EINPUT, "'%s' is no volume", s->reader.input);
    }
    if (!err && !l->path && !(l->path = av_strdup(s->reader.input)))
        err = rn_fail_memory();
    err = err ? err : rn_vol_layout_check(s->reader.input, l);
    err = err ? err : set_complex(s, opts);
    if (!err && opts->series && !l->series_used)
        err = rn_fail(RN_EUSAGE,
                      "--series %s: '%s' holds one array: there is nothing to choose with it",
                      opts->series, s->reader.input);
    s->pictures = rn_vol_pictures(&l->volume);
    return err ? err : rn_vol_selection_make(&s->selection, &l->volume, s->reader.input, opts);
}

static int64_t pictures_per_pixel(const struct array *s)
{
    return s->layout.vector ? s->selection.n[RN_AXIS_CHANNEL] : 1;
}

static int open_samples(struct array *s)
{
    struct rn_vol_layout *l = &s->layout;
    int err = rn_read_note_file(&s->reader.base, s->reader.input, NULL), files = l->paths.n;
    err = err ? err : rn_read_note_file(&s->reader.base, l->path, NULL);
    for (int i = 1; i < files && !err; i++)
        err = rn_read_note_file(&s->reader.base, l->paths.path[i], NULL);
    if (!err && files && (announced_bytes(s) % files || l->to_end))
        err = rn_fail(RN_EINPUT,
                      "'%s' has %d files for its samples, which are not read but as equal parts",
                      s->reader.input, files);
    if (err)
        return err;
    int cause = l->packing == RN_PACKING_MAT
                    ? rn_vol_bytes_open_mat(&s->bytes, l->path, l->variable, l->picture_step)
                    : rn_vol_bytes_open(&s->bytes, l->path, l->skip, l->packing);
    if (cause)
        return rn_fail(RN_EINPUT, "cannot open '%s': %s", l->path, strerror(cause));
    rn_vol_bytes_set(s->bytes, l->type, l->paths.path, files,
                     announced_bytes(s) / (files ? files : 1));
    if (l->to_end && l->packing == RN_PACKING_NONE)
        l->offset =
            rn_vol_bytes_size(s->bytes) - s->pictures / pictures_per_pixel(s) * l->picture_step;
    return l->offset >= 0 ? 0 : rn_fail(RN_EINPUT, "'%s' is shorter than its header says", l->path);
}

/* Compares the file's size with its header or --raw. The size of compressed samples is unknown; a
 * run that reads all pictures counts by itself what is missing or too much. */
static int check_size(struct array *s, const char *raw)
{
    const struct rn_vol_layout *l = &s->layout;
    int64_t have = rn_vol_bytes_size(s->bytes) - l->offset;
    int64_t need = announced_bytes(s);
    if ((l->packing != RN_PACKING_NONE && l->packing != RN_PACKING_MAT) ||
        rn_vol_bytes_size(s->bytes) < 0 || l->paths.n)
        return 0;
    count_surplus(s);
    if (s->reader.base.damage.surplus)
        rn_log(RN_LOG_WARNING, "%s", s->reader.base.damage.what);
    if (have >= need || l->packing == RN_PACKING_MAT)
        return 0;
    if (raw)
        return rn_fail(RN_EINPUT, "'%s' has %lld bytes of samples, and --raw %s makes them %lld",
                       s->reader.input, (long long)(have > 0 ? have : 0), raw, (long long)need);
    rn_log(RN_LOG_WARNING,
           "'%s' is cut off: its header says %lld bytes of samples, and %lld follow",
           s->reader.input, (long long)need, (long long)(have > 0 ? have : 0));
    return 0;
}

static int reserve(struct array *s)
{
    const struct rn_vol_layout *l = &s->layout;
    const struct rn_vol *v = &l->volume;
    int64_t all = s->pictures, sample = rn_vol_layout_bytes(l);
    s->picture_bytes = (size_t)(sample * l->comps * pictures_per_pixel(s) * v->w * v->h);
    s->block = -1;
    if (l->picture_step < (int64_t)s->picture_bytes && all > 1) {
        int64_t fit = SLAB / (int64_t)s->picture_bytes;
        s->slabs = fit < 1 ? 1 : fit < all ? fit : all;
    }
    rn_vol_reader_format(&s->reader, rn_vol_pixfmt(&v->fmt), v->w, v->h);
    s->bad = av_calloc((size_t)rn_vol_pictures(v), sizeof *s->bad);
    bool buffered = s->slabs || l->vector || !is_plain(s);
    if (buffered)
        s->buf = av_malloc(s->picture_bytes * (size_t)(s->slabs ? s->slabs : 1));
    return s->bad && (s->buf || !buffered) ? 0 : rn_fail_memory();
}

static int array_open(struct rn_vol_reader *r, const struct rn_io_read_opts *opts)
{
    struct array *s = (struct array *)r;
    const struct rn_vol *v = &s->layout.volume;
    s->announced = !opts->raw;
    int err = parse(s, opts);
    err = err ? err : open_samples(s);
    if (!err && opts->described)
        err = check_size(s, opts->raw);
    err = err ? err : reserve(s);
    int n = (int)rn_vol_pictures(v);
    err = err ? err : rn_read_stills_range(&r->base, opts, n, NULL, "pictures");
    err = err ? err : rn_vol_reader_find_range(r, &s->layout.volume, n);
    if (err)
        return err;
    s->bad[n / 2] = s->broken = false; /* finding the range had set them */
    const char *note = s->layout.note;
    if (*note && r->losses)
        rn_losses_add(r->losses, "geometry", "'%s': %s", r->input, note);
    else if (*note)
        rn_log(RN_LOG_WARNING, "'%s': %s", r->input, note);
    if (v->spacing[0] > 0 && v->spacing[1] > 0)
        r->base.aspect = av_d2q(v->spacing[0] / v->spacing[1], 1 << 16);
    r->base.volume = v;
    return 0;
}

int rn_vol_array_open(struct rn_read_input **in, const char *input,
                      const struct rn_io_read_opts *opts, atomic_bool *stop)
{
    static const struct rn_vol_reader_ops ops = {
        .size = sizeof(struct array),
        .open = array_open,
        .fill = fill,
        .is_apart = is_apart,
        .close = array_close,
        .input = {.samples = samples, .name = array_name, .finish = array_finish},
    };
    return rn_vol_reader_open(in, &ops, input, opts, stop);
}
