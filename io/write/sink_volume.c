/* Volumes in one array: NRRD, MetaImage, NIfTI, NumPy. The samples are written as they come, or at
 * the place that the format has for them, behind a header that is written first and, where other
 * pictures came than were expected, once more at the end. */
#include "io/write/sink_ops.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/outfile.h"
#include "filters/base/textout.h"
#include "io/read/names.h"
#include "io/volumes/layout.h"
#include "io/write/volume_out.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/avstring.h>
#include <libavutil/mem.h>

#include <zlib.h>

#define HEADER_ROOM 8192
#define ROWS_ROOM   (1 << 20)
#define OUT_ROOM    ((size_t)1 << 18)

struct volume_sink {
    struct rn_sink base;
    const struct rn_volume_format *format;
    const struct rn_source *source;
    struct rn_losses *losses;
    char *name, *beside; /* of the output, and of its samples if they are another file */
    struct rn_volume volume;
    struct rn_outfile file, samples; /* samples: only if beside */
    int fd;                          /* of the samples; -1: none yet */
    z_stream z;
    bool packed; /* with gzip: the header is a member of its own that is not compressed */
    size_t head; /* bytes of the header, in the file */
    uint8_t *rows, *out;
    size_t row_bytes;
    int gathered;     /* rows of a picture that are written at once */
    int64_t at;       /* where the next packed bytes go */
    int64_t pictures; /* that came */
    bool ordered;     /* they come in the order in which they stand */
};

static const struct rn_volume_format *format_of(const char *output)
{
    const struct rn_volume_format *const *f = rn_volume_formats();
    size_t n = strlen(output);
    if (av_match_ext(output, "gz") && (n < 7 || av_strcasecmp(output + n - 7, ".nii.gz") != 0))
        return NULL;
    while (*f && !(*(*f)->extensions && av_match_ext(output, (*f)->extensions)))
        f++;
    return *f;
}

static bool volume_match(const char *output)
{
    return !strstr(output, "://") && !rn_is_pattern(output) && format_of(output) != NULL;
}

/* ---- opening */

static void volume_free(struct volume_sink *s)
{
    if (s->fd >= 0)
        close(s->fd);
    if (s->z.state)
        deflateEnd(&s->z);
    rn_outfile_free(&s->file);
    rn_outfile_free(&s->samples);
    av_free(s->rows);
    av_free(s->out);
    av_free(s->name);
    av_free(s->beside);
    av_free(s);
}

static int check_options(const struct volume_sink *s, const struct rn_sink_opts *opts)
{
    if (opts->codec)
        return rn_fail(RN_EUSAGE, "'%s' is %s, which has no codecs", s->name, s->format->name);
    if (opts->codec_opts)
        return rn_fail(RN_EUSAGE, "'%s' is %s: --codec-opts has nothing to set", s->name,
                       s->format->name);
    if (opts->pix_fmt)
        return rn_fail(RN_EUSAGE,
                       "'%s' is %s, which takes samples as they are: the filter format= "
                       "makes others",
                       s->name, s->format->name);
    return 0;
}

/* Where the picture that comes as number i stands among the others. */
static int64_t place_of(const struct volume_sink *s, int64_t i)
{
    const struct rn_volume *v = &s->volume;
    int64_t at[RN_AXES];
    if (s->ordered)
        return i;
    for (int k = 0; k < RN_AXES; k++) {
        at[v->order[k]] = i % v->n[v->order[k]];
        i /= v->n[v->order[k]];
    }
    return s->format->place(v, at[RN_AXIS_SLICE], at[RN_AXIS_CHANNEL], at[RN_AXIS_TIME]);
}

static bool is_ordered(struct volume_sink *s)
{
    int64_t n = rn_volume_pictures(&s->volume);
    bool same = true;
    for (int64_t i = 0; s->format->place && same && i < n; i++)
        same = place_of(s, i) == i;
    return same;
}

static int check_volume(struct volume_sink *s, const struct rn_geom *geom)
{
    char why[160] = "";
    if (geom->fmt.model == RN_YUV)
        return rn_fail(RN_EUSAGE,
                       "'%s': %s holds gray or RGB: the filter format=gray or "
                       "format=gbrp makes it of Y'CbCr",
                       s->name, s->format->name);
    if (s->format->refuses(&s->volume, s->name, why, sizeof why))
        return rn_fail(RN_EUSAGE, "'%s': %s", s->name, why);
    s->ordered = is_ordered(s);
    if (!s->ordered && s->packed)
        return rn_fail(RN_EUSAGE,
                       "'%s': its pictures come in another order than they stand in, and what is "
                       "compressed is written forward: write .nii",
                       s->name);
    return 0;
}

static int make_rows(struct volume_sink *s)
{
    const struct rn_volume *v = &s->volume;
    s->row_bytes =
        (size_t)v->w * (size_t)rn_format_planes(&v->fmt) * (size_t)rn_format_bytes(&v->fmt);
    s->gathered = s->row_bytes < ROWS_ROOM ? (int)(ROWS_ROOM / s->row_bytes) : 1;
    s->rows = av_malloc(s->row_bytes * (size_t)s->gathered);
    s->out = av_malloc(OUT_ROOM);
    return s->rows && s->out ? 0 : rn_fail_memory();
}

static int volume_make(struct volume_sink **out, const char *output,
                       const struct rn_sink_opts *opts, const struct rn_source *source,
                       const struct rn_geom *geom, struct rn_losses *losses)
{
    struct volume_sink *s = av_mallocz(sizeof *s);
    bool known;
    if (!s)
        return rn_fail_memory();
    s->base.ops = &rn_volume_sink;
    s->fd = -1;
    s->source = source;
    s->losses = losses;
    s->format = format_of(output);
    s->name = av_strdup(output);
    s->packed = s->format->packed && s->format->packed(output);
    if (s->format->samples)
        s->beside = s->format->samples(output);
    rn_volume_out(&s->volume, source, geom, opts->made_by, losses, &known);
    s->ordered = false;
    int err = s->name ? check_options(s, opts) : rn_fail_memory();
    err = err ? err : check_volume(s, geom);
    err = err ? err : make_rows(s);
    if (err)
        volume_free(s);
    else
        *out = s;
    return err;
}

static int volume_check(const char *output, const struct rn_sink_opts *opts,
                        const struct rn_source *source, const struct rn_geom *geom)
{
    struct volume_sink *s;
    int err = volume_make(&s, output, opts, source, geom, NULL);
    if (err)
        return err;
    err = rn_check_target(output, source);
    if (!err && s->beside)
        err = rn_check_target(s->beside, source);
    volume_free(s);
    return err;
}

static int volume_open(struct rn_sink **sink, const char *output, const struct rn_sink_opts *opts,
                       const struct rn_source *source, const struct rn_geom *geom)
{
    struct volume_sink *s;
    int err = volume_make(&s, output, opts, source, geom, opts->losses);
    if (!err)
        *sink = &s->base;
    return err;
}

/* ---- writing */

static int put(struct volume_sink *s, const void *data, size_t n, int64_t at)
{
    const uint8_t *from = data;
    while (n) {
        ssize_t done = pwrite(s->fd, from, n, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return rn_write_fail(s->name, done ? errno : ENOSPC);
        from += done;
        n -= (size_t)done;
        at += done;
    }
    return 0;
}

/* Deflates, and ends the member if end. */
static int pack(struct volume_sink *s, const void *data, size_t n, bool end)
{
    s->z.next_in = (Bytef *)data;
    s->z.avail_in = (uInt)n;
    for (;;) {
        s->z.next_out = s->out;
        s->z.avail_out = OUT_ROOM;
        int ret = deflate(&s->z, end ? Z_FINISH : Z_NO_FLUSH);
        size_t got = OUT_ROOM - s->z.avail_out;
        int err = put(s, s->out, got, s->at);
        if (err)
            return err;
        s->at += (int64_t)got;
        if (end ? ret == Z_STREAM_END : s->z.avail_out > 0)
            return 0;
    }
}

static bool begin_member(struct volume_sink *s, int level)
{
    return deflateInit2(&s->z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK;
}

/* The header of a packed file is stored, so that it always takes the same place. */
static int put_header(struct volume_sink *s, int fd)
{
    char head[HEADER_ROOM];
    int samples = s->fd, err;
    size_t n = s->format->header(&s->volume, s->name, head, sizeof head);
    if (!n || (s->head && n != s->head))
        return rn_fail(RN_EOUTPUT, "'%s': %s has no header for so many pictures", s->name,
                       s->format->name);
    s->head = n;
    s->fd = fd;
    if (!s->packed) {
        err = put(s, head, n, 0);
    } else {
        int64_t behind = s->at;
        s->at = 0;
        err = begin_member(s, 0) ? pack(s, head, n, true) : rn_fail_memory();
        deflateEnd(&s->z);
        s->z = (z_stream){0};
        s->at = behind > s->at ? behind : s->at;
    }
    s->fd = samples;
    return err;
}

static int open_temp(const struct volume_sink *s, const struct rn_outfile *file, int *fd)
{
    *fd = open(file->temp, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return *fd < 0 ? rn_write_fail(s->name, errno) : 0;
}

static int write_header(struct volume_sink *s)
{
    int fd, err = open_temp(s, &s->file, &fd);
    if (err)
        return err;
    err = put_header(s, fd);
    if (close(fd) && !err)
        err = rn_write_fail(s->name, errno);
    return err;
}

static int begin_file(struct volume_sink *s)
{
    int err = rn_outfile_begin(&s->file, s->name);
    if (!err && s->beside)
        err = rn_outfile_begin(&s->samples, s->beside);
    err = err ? err : write_header(s);
    err = err ? err : open_temp(s, s->beside ? &s->samples : &s->file, &s->fd);
    if (!err && s->packed && !begin_member(s, 6))
        err = rn_fail_memory();
    return err;
}

static int volume_write(struct rn_sink *sink, const struct rn_image *img,
                        const struct rn_frame *frame)
{
    struct volume_sink *s = (struct volume_sink *)sink;
    (void)frame;
    int err = s->fd < 0 ? begin_file(s) : 0;
    int64_t size = (int64_t)s->row_bytes * img->geom.h;
    int64_t at = (s->beside ? 0 : (int64_t)s->head) + place_of(s, s->pictures) * size;
    for (int y = 0; y < img->geom.h && !err; y += s->gathered) {
        int n = img->geom.h - y < s->gathered ? img->geom.h - y : s->gathered;
        for (int i = 0; i < n; i++) {
            uint8_t *to = s->rows + (size_t)i * s->row_bytes;
            const uint8_t *row = rn_pixels_row(img, y + i, to);
            if (row != to)
                memcpy(to, row, s->row_bytes);
        }
        size_t bytes = (size_t)n * s->row_bytes;
        err = s->packed ? pack(s, s->rows, bytes, false) : put(s, s->rows, bytes, at);
        at += (int64_t)bytes;
    }
    s->pictures += !err;
    return err;
}

/* ---- the end */

static void report_losses(const struct volume_sink *s)
{
    char text[200] = "";
    if (s->format->lacks)
        s->format->lacks(&s->volume, text, sizeof text);
    if (*text)
        rn_losses_add(s->losses, "geometry", "'%s': %s has no place for %s (.nrrd has)", s->name,
                      s->format->name, text);
}

static int finish(struct volume_sink *s)
{
    int64_t expected = rn_volume_pictures(&s->volume);
    int err = s->packed ? pack(s, NULL, 0, true) : 0;
    if (!err && s->pictures != expected) {
        if (s->ordered)
            rn_volume_out_end(&s->volume, s->source, s->pictures, s->name, s->losses);
        else
            rn_losses_add(s->losses, "geometry",
                          "'%s': %lld of its %lld pictures did not come: they are zeros", s->name,
                          (long long)(expected - s->pictures), (long long)expected);
        err = write_header(s);
        if (!err && !s->ordered &&
            ftruncate(s->fd, (off_t)((s->beside ? 0 : (int64_t)s->head) +
                                     expected * (int64_t)s->row_bytes * s->volume.h)))
            err = rn_write_fail(s->name, errno);
    }
    if (s->fd >= 0 && close(s->fd) && !err)
        err = rn_write_fail(s->name, errno);
    s->fd = -1;
    return err;
}

static int volume_close(struct rn_sink *sink, enum rn_ending ending)
{
    struct volume_sink *s = (struct volume_sink *)sink;
    int err = 0;
    if (s->fd >= 0 && ending != RN_ENDING_ABANDON && s->pictures) {
        err = finish(s);
        if (!err && s->beside)
            err = rn_outfile_commit(&s->samples, false);
        if (!err)
            err = rn_outfile_commit(&s->file, ending == RN_ENDING_PARTIAL);
    }
    if (!err && ending == RN_ENDING_COMPLETE)
        report_losses(s);
    volume_free(s);
    return err;
}

static const char *volume_path(const struct rn_sink *sink)
{
    return ((const struct volume_sink *)sink)->name;
}

const struct rn_sink_ops rn_volume_sink = {
    .match = volume_match,
    .check = volume_check,
    .open = volume_open,
    .write = volume_write,
    .close = volume_close,
    .path = volume_path,
};
