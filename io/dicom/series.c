/* The reader of DICOM: which files and stacks there are, how they follow each other and
 * what becomes of their values is decided before in files of their own. */
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/dicom/carried.h"
#include "io/dicom/frames.h"
#include "io/dicom/listing.h"
#include "io/dicom/order.h"
#include "io/dicom/stacks.h"
#include "io/dicom/values.h"
#include "io/dicom/space.h"
#include "io/dicom/worker.h"
#include "io/volumes/reader.h"

#include <stdio.h>
#include <math.h>
#include <string.h>

#include <libavutil/mem.h>

#ifndef RN_HAVE_GDCM

int rn_dicom_open(struct rn_read_packets **packets, const char *input,
                  const struct rn_read_opts *opts, atomic_bool *stop)
{
    (void)packets, (void)opts, (void)stop;
    return rn_fail(RN_EINPUT,
                   "'%s' is DICOM, which this runnel was built without: install the packages "
                   "libgdcm-dev and g++, then build it again",
                   input);
}

#else

struct series {
    struct rn_vol_reader reader;
    struct rn_dicom_files files;
    struct rn_dicom_pictures pictures; /* of the stack that is read, in their order */
    struct rn_dicom_values values;
    struct rn_vol volume;
    double (*origins)[3]; /* of the pictures; NULL: they lie in a grid, or nowhere */
    struct rn_dicom_carried carried;
    struct rn_dicom_worker *worker;
    struct rn_dicom_frames frames;
};

/* ---- opening */

/* Slices that lie unevenly, or aslant behind each other, still lie somewhere. */
static int describe_origins(struct series *s, const struct rn_dicom_volume *given)
{
    const struct rn_dicom_pictures *all = &s->pictures;
    if (s->volume.placed || !all->placed)
        return 0;
    s->origins = av_calloc((size_t)all->n, sizeof *s->origins);
    if (!s->origins)
        return rn_fail_memory();
    for (int i = 0; i < all->n; i++)
        memcpy(s->origins[i], all->list[i].place->origin, sizeof *s->origins);
    memcpy(s->volume.direction, given->direction, sizeof given->direction);
    s->volume.origins = (const double(*)[3])s->origins;
    return 0;
}

static int describe_volume(struct series *s)
{
    struct rn_dicom_volume given;
    rn_dicom_volume_describe(&given, &s->pictures, &s->values);
    struct rn_vol *v = &s->volume;
    struct rn_geom geom = {.fmt = given.fmt, .w = given.size[0], .h = given.size[1]};
    rn_vol_init(v, &geom, given.size[2]);
    double column[3][3];
    for (int i = 0; i < 9; i++)
        column[i / 3][i % 3] = given.spacing[i / 3] * given.direction[i / 3][i % 3];
    if (!given.placed || !rn_vol_place(v, column, given.origin))
        memcpy(v->spacing, given.spacing, sizeof v->spacing);
    v->scan = given.fmt.model == RN_GRAY;
    v->rescale = given.rescale;
    v->ranged = given.ranged;
    v->low = given.low;
    v->high = given.high;
    v->windowed = given.windowed;
    /* PS3.3, C.11.2.1.2.1: of whole values, width of them are seen. One alone is a step. */
    double reach = fmax(given.window_width - 1, 0.5) / 2;
    v->window[0] = given.window_center - 0.5 - reach;
    v->window[1] = given.window_center - 0.5 + reach;
    return describe_origins(s, &given);
}

static int open_series(struct series *s, const char *input, const struct rn_read_opts *opts)
{
    int err =
        opts->channel
            ? rn_fail(RN_EUSAGE, "--channel: '%s' is DICOM, whose pictures --time chooses", input)
            : rn_dicom_worker_start(&s->worker);
    if (!err)
        err = rn_dicom_files_read(&s->files, input, s->worker, &s->reader.base);
    if (!err)
        err = rn_dicom_choose_stack(&s->pictures, &s->files, opts->series, opts->losses);
    if (!err)
        err = rn_dicom_order(&s->pictures, &s->files, opts->time);
    if (!err)
        err = rn_vol_reader_range(&s->reader, opts, s->pictures.n, "pictures");
    if (!err)
        err = rn_dicom_values_choose(&s->values, &s->pictures);
    if (err)
        return err;
    err = describe_volume(s);
    err = err ? err : rn_dicom_carried_read(&s->carried, s->worker, &s->pictures);
    if (err)
        return err;
    const double *spacing = s->volume.spacing;
    if (spacing[0] > 0 && spacing[1] > 0)
        s->reader.base.aspect = av_d2q(spacing[0] / spacing[1], 1 << 16);
    rn_vol_reader_format(&s->reader, s->values.carrier, s->volume.w, s->volume.h);
    s->reader.base.volume = &s->volume;
    s->volume.carried = &s->carried;
    snprintf(s->volume.made_by, sizeof s->volume.made_by, "%s",
             rn_dicom_carried_get(&s->carried, 0x0008, 0x2111));
    return rn_dicom_frames_begin(&s->frames, s->worker, &s->pictures, s->reader.stop);
}

/* ---- reading */

/* The pictures of a file that were asked for and not read. */
static int count_lost(const struct series *s, const struct rn_dicom_file *file)
{
    int n = -file->given;
    for (int i = s->reader.begin; i < s->reader.end; i++)
        n += s->pictures.list[i].file == file;
    return n > 0 ? n : 1; /* after a seek some may have been read twice */
}

static const uint8_t *load(struct series *s, const struct rn_dicom_picture *picture)
{
    struct rn_dicom_file *file = picture->file;
    char why[200];
    bool others;
    if (file->bad)
        return NULL;
    const uint8_t *pixels = rn_dicom_frames_get(&s->frames, picture, &others, why, sizeof why);
    file->given += pixels != NULL;
    if (pixels || atomic_load(s->reader.stop))
        return pixels;
    file->bad = !others;
    s->reader.base.corrupt += others ? 1 : count_lost(s, file);
    file->given += others; /* it is counted */
    if (others)
        rn_io_damage_note(&s->reader.base.damage, "frame %d of '%s' %s", picture->frame + 1,
                          file->path, why);
    else
        rn_io_damage_note(&s->reader.base.damage, "'%s' %s", file->path, why);
    return NULL;
}

/* Slices that are missing in front of one that is read, unless it is the first. */
static void count_missing(struct series *s, int i)
{
    struct rn_dicom_picture *p = &s->pictures.list[i];
    if (i == s->reader.begin || p->missing <= 0)
        return;
    const struct rn_dicom_picture *before = p - 1;
    char how[80];
    if (p->at > before->at)
        snprintf(how, sizeof how, "are %g mm", p->at - before->at);
    else
        snprintf(how, sizeof how, "the instance numbers go from %ld to %ld",
                 before->file->head.number, p->file->head.number);
    s->reader.base.damage.missing += p->missing;
    rn_io_damage_note(&s->reader.base.damage, "between '%s' and '%s' %s: %d slice%s missing",
                      before->file->path, p->file->path, how, p->missing,
                      p->missing > 1 ? "s are" : " is");
    p->missing = 0; /* a seek may come back */
}

static int fill(struct rn_vol_reader *r, int i, AVFrame *frame)
{
    struct series *s = (struct series *)r;
    const struct rn_dicom_picture *p = &s->pictures.list[i];
    count_missing(s, i);
    const uint8_t *pixels = load(s, p);
    return pixels ? rn_dicom_values_convert(&s->values, p, pixels, frame->data[0]) : RN_END;
}

static const char *series_name(const struct rn_read_packets *packets, int64_t pts, int64_t *number)
{
    const struct series *s = (const struct series *)packets;
    *number = -1;
    return s->pictures.list[pts].file->path;
}

static bool series_is_file(const struct rn_read_packets *packets, const struct stat *st)
{
    const struct series *s = (const struct series *)packets;
    for (int i = 0; i < s->files.n; i++)
        if (s->files.file[i].dev == st->st_dev && s->files.file[i].ino == st->st_ino)
            return true;
    return false;
}

static void series_close(struct rn_read_packets *packets)
{
    struct series *s = (struct series *)packets;
    rn_dicom_frames_end(&s->frames);
    rn_dicom_worker_stop(&s->worker);
    rn_dicom_carried_free(&s->carried);
    av_freep(&s->pictures.list);
    av_freep(&s->origins);
    rn_dicom_files_free(&s->files);
    rn_vol_reader_end(&s->reader);
}

static const struct rn_read_packets_ops series_ops = {
    .picture = rn_vol_reader_picture,
    .name = series_name,
    .seek = rn_vol_reader_seek,
    .index = rn_vol_reader_index,
    .is_file = series_is_file,
    .close = series_close,
};

int rn_dicom_open(struct rn_read_packets **packets, const char *input,
                  const struct rn_read_opts *opts, atomic_bool *stop)
{
    struct series *s = av_mallocz(sizeof *s);
    if (!s)
        return rn_fail_memory();
    rn_vol_reader_begin(&s->reader, input, opts, stop, &series_ops, fill);
    int err = s->reader.base.data ? open_series(s, input, opts) : rn_fail_memory();
    if (err)
        series_close(&s->reader.base);
    else
        *packets = &s->reader.base;
    return err;
}

#endif
