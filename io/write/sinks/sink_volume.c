/* Volumes in one array: NRRD, MetaImage, NIfTI, NumPy. The samples are written as they come, or at
 * the place that the format has for them, behind a header that is written first and, where other
 * pictures came than were expected, once more at the end. */
#include "io/write/sinks/sink_ops.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "filters/base/text/plural.h"
#include "filters/base/output/textout.h"
#include "io/read/images/names.h"
#include "io/common/av.h"
#include "io/volumes/layout.h"
#include "io/write/sinks/deflater.h"
#include "io/write/sinks/volume_out.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/avstring.h>
#include <libavutil/mem.h>

#include <zlib.h>

#define HEADER_ROOM 8192
#define ROWS_ROOM   (1 << 20)

struct volume_sink {
    struct rn_write_sink base;
    const struct rn_vol_format *format;
    const struct rn_read_source *source;
    struct rn_losses *losses;
    char *name, *beside; /* of the output, and of its samples if they are another file */
    struct rn_vol volume;
    struct rn_outfile file, samples; /* samples: only if beside */
    int fd;                          /* of the samples; -1: none yet */
    enum rn_vol_packing packing;     /* of the samples */
    bool whole;   /* the file is packed with gzip: the header is a member that is not compressed */
    bool known;   /* how many pictures come, to tell from what the input says */
    size_t head;  /* bytes of the header */
    size_t begin; /* where the samples begin, in the file of the header */
    struct rn_write_deflater *deflater;
    struct rn_write_compression wanted;
    int threads;
    uint8_t *rows;
    size_t row_bytes;
    int gathered;     /* rows of a picture that are written at once */
    int64_t at;       /* where the next packed bytes go: so far from where the samples begin */
    int64_t pictures; /* that came */
    bool ordered;     /* they come in the order in which they stand */
};

static const struct rn_vol_format *format_of(const char *output)
{
    const struct rn_vol_format *const *f = rn_vol_formats();
    size_t n = strlen(output);
    if (av_match_ext(output, "gz") && (n < 7 || av_strcasecmp(output + n - 7, ".nii.gz") != 0))
        return NULL;
    while (*f && !(*(*f)->extensions && av_match_ext(output, (*f)->extensions)))
        f++;
    return *f;
}

static bool volume_match(const char *output)
{
    return !strstr(output, "://") && !rn_read_is_pattern(output) && format_of(output) != NULL;
}

/* ---- opening */

static void volume_free(struct volume_sink *s)
{
    if (s->fd >= 0)
        close(s->fd);
    rn_write_deflater_destroy(&s->deflater);
    rn_outfile_free(&s->file);
    rn_outfile_free(&s->samples);
    av_free(s->rows);
    av_free(s->name);
    av_free(s->beside);
    av_free(s);
}

static int check_options(const struct volume_sink *s, const struct rn_write_opts *opts)
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
    char format[40];
    bool two = s->format->packed != NULL; /* kinds of files */
    snprintf(format, sizeof format, "%s%s", s->format->name,
             s->whole ? " (.nii.gz)"
             : two    ? " (.nii)"
                      : "");
    return rn_write_compression_check(&opts->compression, format, s->name);
}

/* Where the picture that comes as number i stands among the others. */
static int64_t place_of(const struct volume_sink *s, int64_t i)
{
    const struct rn_vol *v = &s->volume;
    int64_t at[RN_AXES];
    if (s->ordered)
        return i;
    rn_vol_at(v, i, at);
    return s->format->place(v, at[RN_AXIS_SLICE], at[RN_AXIS_CHANNEL], at[RN_AXIS_TIME]);
}

static bool is_ordered(struct volume_sink *s)
{
    int64_t n = rn_vol_pictures(&s->volume);
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
    if (!s->ordered && s->packing != RN_PACKING_NONE)
        return rn_fail(RN_EUSAGE,
                       "'%s': its pictures come in another order than they stand in, and what is "
                       "compressed is written forward: %s",
                       s->name, s->whole ? "write .nii" : "leave --compression deflate out");
    return 0;
}

static int make_rows(struct volume_sink *s)
{
    const struct rn_vol *v = &s->volume;
    s->row_bytes =
        (size_t)v->w * (size_t)rn_format_planes(&v->fmt) * (size_t)rn_format_bytes(&v->fmt);
    s->gathered = s->row_bytes < ROWS_ROOM ? (int)(ROWS_ROOM / s->row_bytes) : 1;
    s->rows = av_malloc(s->row_bytes * (size_t)s->gathered);
    return s->rows ? 0 : rn_fail_memory();
}

static int volume_make(struct volume_sink **out, const char *output,
                       const struct rn_write_opts *opts, const struct rn_read_source *source,
                       const struct rn_geom *geom, struct rn_losses *losses)
{
    struct volume_sink *s = av_mallocz(sizeof *s);
    if (!s)
        return rn_fail_memory();
    s->base.ops = &rn_write_volume_sink;
    s->fd = -1;
    s->source = source;
    s->losses = losses;
    s->format = format_of(output);
    s->name = av_strdup(output);
    s->wanted = opts->compression;
    s->threads = rn_io_threads(opts->threads);
    s->whole = s->format->packed && s->format->packed(output);
    s->packing = s->whole                                   ? RN_PACKING_GZIP
                 : s->wanted.kind == RN_COMPRESSION_DEFLATE ? s->format->packs
                                                            : RN_PACKING_NONE;
    if (s->format->samples)
        s->beside = s->format->samples(output, s->packing != RN_PACKING_NONE);
    rn_write_volume_out(&s->volume, source, geom, opts->made_by, losses, &s->known);
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

static int volume_check(const char *output, const struct rn_write_opts *opts,
                        const struct rn_read_source *source, const struct rn_geom *geom)
{
    struct volume_sink *s;
    int err = volume_make(&s, output, opts, source, geom, NULL);
    if (err)
        return err;
    err = rn_write_check_target(output, source);
    if (!err && s->beside)
        err = rn_write_check_target(s->beside, source);
    volume_free(s);
    return err;
}

static int volume_open(struct rn_write_sink **sink, const char *output,
                       const struct rn_write_opts *opts, const struct rn_read_source *source,
                       const struct rn_geom *geom)
{
    struct volume_sink *s;
    int err = volume_make(&s, output, opts, source, geom, opts->losses);
    if (!err)
        *sink = &s->base;
    return err;
}

/* ---- writing */

static int put_to(const struct volume_sink *s, int fd, const void *data, size_t n, int64_t at)
{
    const uint8_t *from = data;
    while (n) {
        ssize_t done = pwrite(fd, from, n, (off_t)at);
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

static int put(const struct volume_sink *s, const void *data, size_t n, int64_t at)
{
    return put_to(s, s->fd, data, n, at);
}

static int put_packed(void *opaque, const void *data, size_t n)
{
    struct volume_sink *s = opaque;
    int err = put(s, data, n, (s->beside ? 0 : (int64_t)s->begin) + s->at);
    s->at += (int64_t)n;
    return err;
}

/* A header of a packed file is stored as it is, so that it always takes the same place. */
static int store(struct volume_sink *s, int fd, const char *head, size_t n)
{
    uint8_t packed[HEADER_ROOM + 64];
    z_stream z = {.next_in = (Bytef *)(uintptr_t)head, .avail_in = (uInt)n};
    z.next_out = packed;
    z.avail_out = sizeof packed;
    if (deflateInit2(&z, 0, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return rn_fail_memory();
    deflate(&z, Z_FINISH);
    deflateEnd(&z);
    s->begin = z.total_out;
    return put_to(s, fd, packed, z.total_out, 0);
}

static int put_header(struct volume_sink *s, int fd)
{
    char head[HEADER_ROOM];
    struct rn_vol_heading h = {.volume = &s->volume,
                               .output = s->name,
                               .packing = s->packing,
                               .packed = s->at,
                               .about = !s->known,
                               .length = s->head};
    size_t n = s->format->header(&h, head, sizeof head);
    if (!n || (s->head && n != s->head))
        return rn_fail(RN_EOUTPUT, "'%s': %s has no header for so many pictures", s->name,
                       s->format->name);
    s->head = s->begin = n;
    return s->whole ? store(s, fd, head, n) : put_to(s, fd, head, n, 0);
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
    if (err || s->packing == RN_PACKING_NONE)
        return err;
    s->deflater =
        rn_write_deflater_create(&(struct rn_write_deflater_setup){.packing = s->packing,
                                                                   .level = s->wanted.level,
                                                                   .threads = s->threads,
                                                                   .put = put_packed,
                                                                   .opaque = s});
    return s->deflater ? 0 : rn_fail_memory();
}

static int volume_write(struct rn_write_sink *sink, const struct rn_image *img,
                        const struct rn_frame *frame)
{
    struct volume_sink *s = (struct volume_sink *)sink;
    (void)frame;
    int err = s->fd < 0 ? begin_file(s) : 0;
    int64_t size = (int64_t)s->row_bytes * img->geom.h;
    int64_t at = (s->beside ? 0 : (int64_t)s->begin) + place_of(s, s->pictures) * size;
    for (int y = 0; y < img->geom.h && !err; y += s->gathered) {
        int n = img->geom.h - y < s->gathered ? img->geom.h - y : s->gathered;
        for (int i = 0; i < n; i++) {
            uint8_t *to = s->rows + (size_t)i * s->row_bytes;
            const uint8_t *row = rn_vol_pixels_row(img, y + i, to);
            if (row != to)
                memcpy(to, row, s->row_bytes);
        }
        size_t bytes = (size_t)n * s->row_bytes;
        err = s->deflater ? rn_write_deflater_write(s->deflater, s->rows, bytes)
                          : put(s, s->rows, bytes, at);
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
    rn_write_volume_out_turned(&s->volume, s->name, s->losses);
    rn_write_volume_out_compare(&s->volume, s->source, s->name, s->losses);
}

/* Where other pictures came than were expected; those of an order of their own leave holes. */
static int correct_volume(struct volume_sink *s)
{
    int64_t expected = rn_vol_pictures(&s->volume);
    if (s->ordered) {
        rn_write_volume_out_end(&s->volume, s->source, s->pictures, s->name, s->losses);
        return 0;
    }
    rn_losses_add(s->losses, "geometry",
                  "'%s': %lld of its %lld pictures did not come: zeros stand there", s->name,
                  (long long)(expected - s->pictures), (long long)expected);
    int64_t size = expected * (int64_t)s->row_bytes * s->volume.h;
    return ftruncate(s->fd, (off_t)((s->beside ? 0 : (int64_t)s->begin) + size))
               ? rn_write_fail(s->name, errno)
               : 0;
}

static int finish(struct volume_sink *s)
{
    bool other = s->pictures != rn_vol_pictures(&s->volume);
    int err = s->deflater ? rn_write_deflater_finish(s->deflater) : 0;
    if (!err && other)
        err = correct_volume(s);
    if (!err && (other || (s->packing != RN_PACKING_NONE && !s->whole)))
        err = write_header(s);
    if (s->fd >= 0 && close(s->fd) && !err)
        err = rn_write_fail(s->name, errno);
    s->fd = -1;
    return err;
}

static int volume_close(struct rn_write_sink *sink, enum rn_write_ending ending)
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

static const char *volume_path(const struct rn_write_sink *sink)
{
    return ((const struct volume_sink *)sink)->name;
}

/* Some are the interval between points in time; of others that is a line of report_losses. */
static bool volume_rated(const struct rn_write_sink *sink)
{
    (void)sink;
    return true;
}

const struct rn_write_ops rn_write_volume_sink = {
    .match = volume_match,
    .check = volume_check,
    .open = volume_open,
    .write = volume_write,
    .close = volume_close,
    .rated = volume_rated,
    .compresses = true,
    .path = volume_path,
};
