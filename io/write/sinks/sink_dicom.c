/* DICOM files that are derived of the input's pictures: one for each, under numbered names, or one
 * alone. */
#include "io/write/sinks/sink_ops.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/output/outfile.h"
#include "io/dicom/derived.h"
#include "io/common/frame_data.h"
#include "io/common/media.h"
#include "io/read/images/names.h"
#include "io/write/sinks/volume_out.h"

#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/mem.h>

struct dicom_sink {
    struct rn_write_sink base;
    const struct rn_read_source *source;
    struct rn_losses *losses;
    struct rn_io_ledger *ledger;
    char *name;                     /* of the output, as given */
    struct rn_read_pattern pattern; /* prefix NULL: a single file */
    struct rn_vol volume;
    struct rn_dicom_derived *derived; /* from the first picture on */
    struct rn_outfile file;           /* the single one, until the sink is closed */
    uint8_t *pixels;                  /* of a picture */
    int64_t pictures, files;          /* that came, that were written */
    bool failed;                      /* which was said */
};

static bool dicom_match(const char *output)
{
    return !strstr(output, "://") && av_match_ext(output, "dcm");
}

/* ---- opening */

static void dicom_free(struct dicom_sink *s)
{
    rn_dicom_derived_end(&s->derived);
    rn_outfile_free(&s->file);
    rn_read_pattern_free(&s->pattern);
    av_free(s->pixels);
    av_free(s->name);
    av_free(s);
}

static int check_options(const struct dicom_sink *s, const struct rn_write_opts *opts)
{
    if (opts->codec || opts->codec_opts)
        return rn_fail(RN_EUSAGE, "'%s' is DICOM that is not compressed: it takes no --codec%s",
                       s->name, opts->codec ? "" : "-opts");
    if (opts->pix_fmt)
        return rn_fail(RN_EUSAGE,
                       "'%s' is DICOM, which takes samples as they are: the filter format= makes "
                       "others",
                       s->name);
    return 0;
}

static int check_pictures(const struct dicom_sink *s)
{
    char why[200];
    if (!rn_dicom_derived_can(&s->volume, why, sizeof why))
        return rn_fail(RN_EUSAGE, "'%s': %s", s->name, why);
    return s->pattern.prefix ? 0 : rn_write_check_single(s->name, s->source);
}

static int dicom_make(struct dicom_sink **out, const char *output, const struct rn_write_opts *opts,
                      const struct rn_read_source *source, const struct rn_geom *geom, bool quiet)
{
    struct dicom_sink *s = av_mallocz(sizeof *s);
    bool known;
    if (!s)
        return rn_fail_memory();
    s->base.ops = &rn_write_dicom_sink;
    s->source = source;
    s->losses = quiet ? NULL : opts->losses;
    s->ledger = quiet ? NULL : opts->ledger;
    s->name = av_strdup(output);
    bool parsed = rn_read_pattern_parse(output, &s->pattern) == rn_read_is_pattern(output);
    rn_write_volume_out(&s->volume, source, geom, opts->made_by, s->losses, &known);
    int err = s->name && parsed ? check_options(s, opts) : rn_fail_memory();
    if (!err)
        err = check_pictures(s);
    if (err)
        dicom_free(s);
    else
        *out = s;
    return err;
}

static int dicom_check(const char *output, const struct rn_write_opts *opts,
                       const struct rn_read_source *source, const struct rn_geom *geom)
{
    struct dicom_sink *s;
    int err = dicom_make(&s, output, opts, source, geom, true);
    if (err)
        return err;
    err = s->pattern.prefix ? rn_write_check_pattern(&s->pattern, source)
                            : rn_write_check_target(output, source);
    dicom_free(s);
    return err;
}

static int dicom_open(struct rn_write_sink **sink, const char *output,
                      const struct rn_write_opts *opts, const struct rn_read_source *source,
                      const struct rn_geom *geom)
{
    struct dicom_sink *s;
    int err = dicom_make(&s, output, opts, source, geom, false);
    if (!err)
        *sink = &s->base;
    return err;
}

/* ---- writing */

static int begin(struct dicom_sink *s, const struct rn_frame *frame)
{
    const struct rn_io_media *media = rn_read_media(s->source);
    int64_t first = media->volume ? media->first_index : frame->index;
    int err = rn_dicom_derived_begin(&s->derived, &s->volume, first);
    s->pixels = err ? NULL : av_mallocz(rn_dicom_derived_size(s->derived));
    return err ? err : s->pixels ? 0 : rn_fail_memory();
}

/* Little endian, as the file has them. */
static void pack(const struct rn_image *img, uint8_t *to)
{
    const struct rn_format *fmt = &img->geom.fmt;
    const uint16_t one = 1;
    size_t n = (size_t)img->geom.w * (size_t)(rn_format_planes(fmt) * rn_format_bytes(fmt));
    bool swaps = rn_format_bytes(fmt) == 2 && *(const uint8_t *)&one == 0;
    for (int y = 0; y < img->geom.h; y++, to += n) {
        const uint8_t *row = rn_vol_pixels_row(img, y, to);
        if (row != to)
            memcpy(to, row, n);
        for (size_t i = 0; swaps && i < n; i += 2)
            FFSWAP(uint8_t, to[i], to[i + 1]);
    }
}

/* The picture's number among all of the input, where the source has a volume. */
static int64_t index_of(const struct dicom_sink *s, const struct rn_frame *frame)
{
    const struct rn_io_media *media = rn_read_media(s->source);
    return media->volume ? frame->index - media->first_number + media->first_index : frame->index;
}

static int write_file(struct dicom_sink *s, const struct rn_frame *frame)
{
    bool named = frame->data && frame->data->number >= 0;
    int64_t name = named ? frame->data->number : frame->index;
    char *path = s->pattern.prefix ? rn_read_pattern_name(&s->pattern, name) : av_strdup(s->name);
    int err = path ? rn_outfile_begin(&s->file, path) : rn_fail_memory();
    av_free(path);
    if (err)
        return err;
    size_t size;
    const uint8_t *bytes =
        rn_dicom_derived_file(s->derived, index_of(s, frame), s->pictures, s->pixels, &size);
    if (!bytes)
        return RN_EINTERNAL;
    return rn_write_file(&s->file, bytes, size);
}

static int put_picture(struct dicom_sink *s, const struct rn_image *img,
                       const struct rn_frame *frame)
{
    int err = s->derived ? 0 : begin(s, frame);
    if (err)
        return err;
    pack(img, s->pixels);
    err = write_file(s, frame);
    if (!err && s->pattern.prefix)
        err = rn_outfile_commit(&s->file, false);
    s->files += !err;
    if (err || s->pattern.prefix)
        rn_outfile_free(&s->file);
    return err;
}

static int dicom_write(struct rn_write_sink *sink, const struct rn_image *img,
                       const struct rn_frame *frame)
{
    struct dicom_sink *s = (struct dicom_sink *)sink;
    bool several = !s->pattern.prefix && s->pictures > 0;
    int err = several ? rn_write_fail_several(s->name) : put_picture(s, img, frame);
    s->pictures++;
    s->failed |= err != 0;
    return err;
}

static int dicom_close(struct rn_write_sink *sink, enum rn_write_ending ending)
{
    struct dicom_sink *s = (struct dicom_sink *)sink;
    int err = 0;
    if (s->ledger)
        s->ledger->out = (struct rn_io_outflow){
            .counted = true, .frames = s->pictures, .encoded = s->files, .packets = s->files};
    if (s->files > 0)
        rn_write_volume_out_turned(&s->volume, s->name, s->losses);
    if (!s->failed && ending == RN_ENDING_COMPLETE)
        rn_write_volume_out_compare(&s->volume, s->source, s->name, s->losses);
    if (!s->failed && ending != RN_ENDING_ABANDON && s->file.temp)
        err = rn_outfile_commit(&s->file, ending == RN_ENDING_PARTIAL);
    dicom_free(s);
    return err;
}

static const char *dicom_path(const struct rn_write_sink *sink)
{
    return ((const struct dicom_sink *)sink)->name;
}

const struct rn_write_ops rn_write_dicom_sink = {
    .match = dicom_match,
    .check = dicom_check,
    .open = dicom_open,
    .write = dicom_write,
    .close = dicom_close,
    .path = dicom_path,
};
