/* SPDX-License-Identifier: MIT */
/* Writes volumes in one array: NRRD, MetaImage, NIfTI, NumPy. The header is written first, and once
 * more at the end if the number of pictures was not as expected. Pictures are written in the order
 * in which they come, or where the format puts them.
 *
 * A separate file of samples replaces none: if its name is taken it gets another, which the header
 * names. So whatever header stands there is one of its own samples, also if the process is killed
 * or another one writes the same output. The old samples are removed after the old header. */
#include "io/write/sinks/sink_ops.h"

#include "filters/base/log.h"
#include "filters/base/output/outplace.h"
#include "filters/base/output/textout.h"
#include "io/common/av.h"
#include "io/volumes/layout.h"
#include "io/write/sinks/deflater.h"

#include <fcntl.h>

#include <zlib.h>

#define MAX_HEADER (1 << 24) /* bytes: headers hold extensions of the input */
#define BATCH      (1 << 20) /* bytes */

struct volume_sink {
    struct rn_write_sink base;
    const struct rn_vol_format *format;
    struct rn_vol volume;
    char *data_name;             /* of the file of samples; NULL: they follow the header */
    char *data_base;             /* the same without its folder, as the header has it */
    struct rn_outfile data_file; /* the file of samples */
    int fd;                      /* of the samples; -1: none yet */
    enum rn_vol_packing packing; /* of the samples */
    bool whole;    /* the whole file is gzip: the header is a member that is not compressed */
    bool known;    /* the input specifies the number of pictures */
    size_t header; /* bytes */
    size_t begin;  /* offset of the samples, if they follow the header */
    struct rn_write_deflater *deflater;
    struct rn_write_compression compression;
    int threads;
    uint8_t *rows;
    size_t row_bytes;
    int batch;        /* rows of a picture in one write */
    int64_t packed;   /* bytes of packed samples so far */
    int64_t pictures; /* written */
    int64_t piped;    /* bytes that went through a pipe, where nothing can be put right */
    bool ordered;     /* pictures come in the order of the file */
};

static const struct rn_vol_format *format_of(const char *output)
{
    const struct rn_vol_format *const *f = rn_vol_formats;
    size_t n = strlen(output);
    if (av_match_ext(output, "gz") && (n < 7 || av_strcasecmp(output + n - 7, ".nii.gz") != 0))
        return NULL;
    while (*f && !(*(*f)->extensions && av_match_ext(output, (*f)->extensions)))
        f++;
    return *f;
}

char *rn_write_volume_samples(const char *output, bool packed)
{
    const struct rn_vol_format *f = format_of(output);
    if (!f || !f->apart || !av_match_ext(output, f->apart))
        return NULL;
    return rn_vol_partner(output, f->samples[packed && f->packs != RN_PACKING_NONE]);
}

static bool volume_match(const char *output)
{
    return !strstr(output, "://") && !rn_read_is_pattern(output) && format_of(output) != NULL;
}

/* ---- opening */

static int check_options(const struct volume_sink *s, const struct rn_write_opts *opts)
{
    char kind[40];
    int err = rn_write_volume_out_check(&s->base, s->format->name, opts);
    snprintf(kind, sizeof kind, "%s%s", s->format->name,
             s->whole            ? " (.nii.gz)"
             : s->format->packed ? " (.nii)"
                                 : "");
    return err ? err : rn_write_compression_check(&opts->compression, kind, s->base.name);
}

/* The index in the file of the i-th picture that comes. */
static int64_t place_of(const struct volume_sink *s, int64_t i)
{
    const struct rn_vol *v = &s->volume;
    int64_t at[RN_AXES];
    if (s->ordered)
        return i;
    rn_vol_at(v, i, at);
    return s->format->place(v, at[RN_AXIS_SLICE], at[RN_AXIS_CHANNEL], at[RN_AXIS_TIME]);
}

static int check_volume(struct volume_sink *s)
{
    const char *name = s->base.name;
    const char *why = s->format->refuses ? s->format->refuses(&s->volume) : NULL;
    if (s->base.geom.fmt.model == RN_YUV)
        return rn_fail(RN_EUSAGE,
                       "'%s': %s holds gray or RGB: the filter format=gray or "
                       "format=gbrp makes it of Y'CbCr",
                       name, s->format->name);
    if (why)
        return rn_fail(RN_EUSAGE, "'%s': %s", name, why);
    int64_t n = s->format->place ? rn_vol_pictures(&s->volume) : 0;
    int64_t at = 0;
    while (at < n && place_of(s, at) == at)
        at++;
    s->ordered = at == n;
    if (!s->ordered && s->packing != RN_PACKING_NONE)
        return rn_fail(RN_EUSAGE,
                       "'%s': pictures come in another order than in the file, and compressed "
                       "samples are written in order: %s",
                       name, s->whole ? "write .nii" : "leave --compression deflate out");
    return 0;
}

static int volume_open(struct rn_write_sink *sink, const struct rn_write_opts *opts)
{
    struct volume_sink *s = (struct volume_sink *)sink;
    const struct rn_vol *v = &s->volume;
    s->fd = -1;
    s->format = format_of(sink->name);
    s->compression = opts->compression;
    s->threads = rn_io_threads(opts->threads);
    s->whole = s->format->packed && av_match_ext(sink->name, s->format->packed);
    s->packing = s->whole                                        ? RN_PACKING_GZIP
                 : s->compression.kind == RN_COMPRESSION_DEFLATE ? s->format->packs
                                                                 : RN_PACKING_NONE;
    s->data_name = rn_write_volume_samples(sink->name, s->packing != RN_PACKING_NONE);
    s->known = sink->media.stream.frames > 0 && sink->media.stream.exact;
    rn_write_volume_out(&s->volume, sink, opts->made_by);
    int err = check_options(s, opts);
    err = err ? err : check_volume(s);
    if (err)
        return err;
    s->row_bytes =
        (size_t)v->w * (size_t)rn_format_planes(&v->fmt) * (size_t)rn_format_bytes(&v->fmt);
    s->batch = s->row_bytes < BATCH ? (int)(BATCH / s->row_bytes) : 1;
    s->rows = av_malloc(s->row_bytes * (size_t)s->batch);
    return s->rows ? 0 : rn_fail_memory();
}

static void volume_release(struct rn_write_sink *sink)
{
    struct volume_sink *s = (struct volume_sink *)sink;
    if (s->fd >= 0)
        close(s->fd);
    rn_write_deflater_destroy(&s->deflater);
    rn_outfile_free(&s->data_file);
    av_free(s->rows);
    av_free(s->data_name);
    av_free(s->data_base);
}

/* ---- writing */

static int put(struct volume_sink *s, int fd, const void *data, size_t n, int64_t at)
{
    int cause =
        lseek(fd, (off_t)at, SEEK_SET) < 0 && (errno != ESPIPE || at != s->piped) ? errno : 0;
    cause = cause ? cause : rn_write_all(fd, data, n);
    if (!cause && fd == s->fd && s->ordered)
        rn_outfile_push(s->data_name ? &s->data_file : &s->base.file, at + (int64_t)n);
    s->piped += (int64_t)n;
    return cause ? rn_write_fail(s->base.name, cause) : 0;
}

/* The offset of the samples in their file. */
static int64_t samples_begin(const struct volume_sink *s)
{
    return s->data_name ? 0 : (int64_t)s->begin;
}

static int put_packed(void *opaque, const void *data, size_t n)
{
    struct volume_sink *s = opaque;
    int err = put(s, s->fd, data, n, samples_begin(s) + s->packed);
    s->packed += (int64_t)n;
    return err;
}

/* Stores the header of a packed file uncompressed, so that its size never changes. */
static int store(struct volume_sink *s, int fd, const char *head, size_t n)
{
    z_stream z = {.next_in = (Bytef *)(uintptr_t)head, .avail_in = (uInt)n};
    size_t size = n + n / 1000 + 64;
    RN_OWNED(av_freep) uint8_t *packed = av_malloc(size);
    z.next_out = packed;
    z.avail_out = (uInt)size;
    if (!packed || deflateInit2(&z, 0, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return rn_fail_memory();
    deflate(&z, Z_FINISH);
    deflateEnd(&z);
    s->begin = z.total_out;
    return put(s, fd, packed, z.total_out, 0);
}

static int open_temp(const struct volume_sink *s, const struct rn_outfile *file, int *fd)
{
    *fd = open(file->temp, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    return *fd < 0 ? rn_write_fail(s->base.name, errno) : 0;
}

static int write_header(struct volume_sink *s)
{
    int fd, err = open_temp(s, &s->base.file, &fd);
    RN_OWNED(av_freep) char *head = err ? NULL : av_malloc(MAX_HEADER);
    if (err)
        return err;
    struct rn_vol_heading h = {.volume = &s->volume,
                               .samples = s->data_base,
                               .packing = s->packing,
                               .packed = s->packed,
                               .n_is_estimate = !s->known,
                               .length = s->data_name ? 0 : s->header};
    size_t n = head ? s->format->header(&h, head, MAX_HEADER) : 0;
    if (!head) {
        err = rn_fail_memory();
    } else if (!n || (s->header && !s->data_name && n != s->header)) {
        err = rn_fail(RN_EOUTPUT, "'%s': %s has no header for so many pictures", s->base.name,
                      s->format->name);
    } else {
        s->header = s->begin = n;
        err = s->whole ? store(s, fd, head, n) : put(s, fd, head, n, 0);
    }
    if (close(fd) && !err)
        err = rn_write_fail(s->base.name, errno);
    return err;
}

static int begin(struct volume_sink *s)
{
    int err = rn_outfile_begin(&s->base.file, s->base.name);
    if (!err && s->data_name)
        err = rn_outfile_begin(&s->data_file, s->data_name);
    /* First, so that who reads a pipe finds no end behind the header. */
    err = err ? err : open_temp(s, s->data_name ? &s->data_file : &s->base.file, &s->fd);
    if (!err && ((s->packing != RN_PACKING_NONE && !s->whole) || !s->ordered) &&
        lseek(s->fd, 0, SEEK_CUR) < 0)
        err = rn_fail(RN_EOUTPUT,
                      "'%s' is a pipe: samples go there in their order and not compressed",
                      s->base.name);
    err = err ? err : write_header(s);
    if (err || s->packing == RN_PACKING_NONE)
        return err;
    s->deflater =
        rn_write_deflater_create(&(struct rn_write_deflater_setup){.packing = s->packing,
                                                                   .level = s->compression.level,
                                                                   .threads = s->threads,
                                                                   .put = put_packed,
                                                                   .opaque = s});
    return s->deflater ? 0 : rn_fail_memory();
}

static int volume_write(struct rn_write_sink *sink, const struct rn_image *img,
                        const struct rn_frame *frame)
{
    struct volume_sink *s = (struct volume_sink *)sink;
    int err = s->fd < 0 ? begin(s) : 0;
    int64_t size = (int64_t)s->row_bytes * img->geom.h;
    int64_t at = samples_begin(s) + place_of(s, s->pictures) * size;
    const struct rn_plane *plane = &img->plane[0];
    bool stored = rn_format_planes(&img->geom.fmt) == 1 && /* as in the file */
                  plane->stride == (ptrdiff_t)s->row_bytes;
    for (int y = 0; y < img->geom.h && !err; y += s->batch) {
        int n = img->geom.h - y < s->batch ? img->geom.h - y : s->batch;
        const uint8_t *rows = stored ? plane->data + y * plane->stride : s->rows;
        for (int i = 0; i < n && !stored; i++) {
            uint8_t *to = s->rows + (size_t)i * s->row_bytes;
            const uint8_t *row = rn_vol_pixels_row(img, y + i, to);
            if (row != to)
                memcpy(to, row, s->row_bytes);
        }
        size_t bytes = (size_t)n * s->row_bytes;
        err = s->deflater ? rn_write_deflater_write(s->deflater, rows, bytes)
                          : put(s, s->fd, rows, bytes, at);
        at += (int64_t)bytes;
    }
    s->pictures += !err;
    return err;
}

/* ---- the separate file of samples */

/* The file that a header names in its folder, (av_malloc); NULL: none, or it cannot be read. */
static char *samples_of(const char *header)
{
    static const char *const keys[] = {"data file:", "datafile:", "ElementDataFile"};
    char line[1024], *name = NULL;
    RN_OWNED(rn_close_file_owned) FILE *f = fopen(header, "re");
    for (int n = 0; f && !name && n < 1000 && fgets(line, sizeof line, f); n++)
        for (size_t i = 0; i < sizeof keys / sizeof *keys && !name; i++) {
            const char *value = line + strlen(keys[i]);
            if (av_strncasecmp(line, keys[i], strlen(keys[i])) != 0)
                continue;
            value += strspn(value, " \t=");
            line[strcspn(line, "\r\n")] = '\0';
            if (*value && !strchr(value, '/'))
                name = rn_vol_sibling(header, value);
        }
    return name;
}

/* True for the names that runnel gives: that of data_name, and with a number. */
static bool is_own_name(const struct volume_sink *s, const char *path)
{
    const char *own = s->data_name, *dot = strrchr(av_basename(own), '.');
    size_t stem = (size_t)(dot - own);
    const char *rest = strncmp(path, own, stem) ? "" : path + stem;
    if (*rest == '-' && rest[1] != '0')
        rest += 1 + strspn(rest + 1, "0123456789");
    return !strcmp(rest, dot);
}

/* The samples of the header that will be replaced, if they go with it: they are no input, and no
 * other header here names them. */
static char *find_old_samples(const struct volume_sink *s, const char *header, struct stat *st)
{
    static const char *const headers[] = {"nhdr", "mhd"};
    RN_OWNED(av_freep) char *old = samples_of(header);
    bool goes = old && is_own_name(s, old) && !lstat(old, st) && S_ISREG(st->st_mode) &&
                rn_io_media_is_file(&s->base.media, old) == 0;
    for (size_t i = 0; goes && i < sizeof headers / sizeof *headers; i++) {
        RN_OWNED(av_freep)
        char *other = av_match_ext(header, headers[i]) ? NULL : rn_vol_partner(header, headers[i]);
        RN_OWNED(av_freep) char *theirs = other ? samples_of(other) : NULL;
        goes = !theirs || strcmp(theirs, old) != 0;
    }
    return goes ? rn_take_owned(&old) : NULL;
}

/* The samples first, then the header that names them, then the samples of the old header. */
static int commit_pair(struct volume_sink *s, bool partial)
{
    struct stat was, now;
    char name[NAME_MAX + 1];
    const char *base = av_basename(s->base.name);
    rn_outplace_insert_word(name, base, partial ? "partial" : "", 1);
    RN_OWNED(av_freep)
    char *header = av_asprintf("%.*s%s", (int)(base - s->base.name), s->base.name, name);
    RN_OWNED(av_freep) char *old = header ? find_old_samples(s, header, &was) : NULL;
    int err = rn_outfile_commit_new(&s->data_file, partial);
    if (!err && !(s->data_base = av_strdup(av_basename(s->data_file.path))))
        err = rn_fail_memory();
    err = err ? err : write_header(s);
    err = err ? err : rn_outfile_commit(&s->base.file, partial);
    if (!err && !partial && strcmp(s->data_base, av_basename(s->data_name)) != 0)
        rn_log(RN_LOG_INFO, "'%s': its samples are in '%s'", s->base.name, s->data_file.path);
    if (!err && old && !strcmp(s->base.file.path, header) && !lstat(old, &now) &&
        now.st_dev == was.st_dev && now.st_ino == was.st_ino)
        unlink(old);
    return err;
}

/* ---- the end */

/* Corrects the number of pictures. Missing pictures leave holes if the others come out of order. */
static int correct_volume(struct volume_sink *s)
{
    int64_t expected = rn_vol_pictures(&s->volume);
    if (s->ordered) {
        rn_write_volume_out_end(&s->volume, &s->base, s->pictures);
        return 0;
    }
    rn_losses_add(s->base.losses, "geometry",
                  "'%s': %lld of its %lld pictures did not come: they are zeros", s->base.name,
                  (long long)(expected - s->pictures), (long long)expected);
    int64_t size = expected * (int64_t)s->row_bytes * s->volume.h;
    return ftruncate(s->fd, (off_t)(samples_begin(s) + size)) ? rn_write_fail(s->base.name, errno)
                                                              : 0;
}

static int volume_close(struct rn_write_sink *sink, enum rn_write_ending ending)
{
    struct volume_sink *s = (struct volume_sink *)sink;
    char lacks[200] = "";
    int err = 0;
    if (s->fd >= 0 && ending != RN_ENDING_ABANDON && s->pictures) {
        int64_t expected = rn_vol_pictures(&s->volume);
        bool miscounted = s->pictures != expected;
        if (miscounted && lseek(s->fd, 0, SEEK_CUR) < 0) {
            miscounted = false;
            rn_losses_add(sink->losses, "geometry",
                          "'%s': its header says %lld pictures, and %lld follow", sink->name,
                          (long long)expected, (long long)s->pictures);
        }
        err = s->deflater ? rn_write_deflater_finish(s->deflater) : 0;
        if (!err && miscounted)
            err = correct_volume(s);
        if (!err && !s->data_name && (miscounted || (s->packing != RN_PACKING_NONE && !s->whole)))
            err = write_header(s);
        if (close(s->fd) && !err)
            err = rn_write_fail(sink->name, errno);
        s->fd = -1;
        bool partial = ending == RN_ENDING_PARTIAL;
        if (!err)
            err = s->data_name ? commit_pair(s, partial) : rn_outfile_commit(&sink->file, partial);
    }
    if (err || ending != RN_ENDING_COMPLETE)
        return err;
    if (s->format->lacks)
        s->format->lacks(&s->volume, lacks, sizeof lacks);
    if (*lacks)
        rn_losses_add(sink->losses, "geometry", "'%s': %s has no place for %s (.nrrd has)",
                      sink->name, s->format->name, lacks);
    if (s->volume.origins && !s->volume.placed)
        rn_losses_add(sink->losses, "geometry",
                      "'%s': the slices lie at uneven distances: where they lie is left out (.dcm "
                      "keeps it)",
                      sink->name);
    rn_write_volume_out_fields(&s->volume, sink, s->format->name);
    rn_write_volume_out_inverted(&s->volume, sink);
    rn_write_volume_out_compare(&s->volume, sink);
    return 0;
}

const struct rn_write_ops rn_write_volume_sink = {
    .size = sizeof(struct volume_sink),
    .compresses = true,
    .rated = true, /* by some formats; volume_close reports the losses of others */
    .match = volume_match,
    .open = volume_open,
    .write = volume_write,
    .close = volume_close,
    .release = volume_release,
};
