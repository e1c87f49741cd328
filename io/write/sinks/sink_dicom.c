/* SPDX-License-Identifier: MIT */
/* Writes DICOM files that are derived from the input's pictures: one for each, under numbered
 * names, or a single one. */
#include "io/write/sinks/sink_ops.h"

#include "filters/base/log.h"
#include "filters/base/text/plural.h"
#include "io/common/av.h"
#include "io/dicom/derived_file.h"
#include "io/common/frame_data.h"

struct dicom_sink {
    struct rn_write_sink base;
    struct rn_dicom_derived_file derived; /* begun with the first picture */
    uint8_t *pixels;                      /* of a picture; NULL: none came yet */
};

static bool dicom_match(const char *output)
{
    return !strstr(output, "://") && av_match_ext(output, "dcm");
}

static int dicom_open(struct rn_write_sink *sink, const struct rn_write_opts *opts)
{
    struct dicom_sink *s = (struct dicom_sink *)sink;
    int err = rn_write_volume_out_check(sink, "uncompressed DICOM", opts);
    if (err)
        return err;
    rn_write_volume_out(&s->derived.volume, sink, opts->made_by);
    const char *why = rn_dicom_derived_file_obstacle(&s->derived.volume);
    return why ? rn_fail(RN_EUSAGE, "'%s': %s", sink->name, why) : 0;
}

static void dicom_release(struct rn_write_sink *sink)
{
    struct dicom_sink *s = (struct dicom_sink *)sink;
    rn_dicom_derived_file_end(&s->derived);
    av_free(s->pixels);
}

/* Packs samples as the file has them: little-endian. */
static void pack(const struct rn_image *img, uint8_t *to)
{
    const struct rn_format *fmt = &img->geom.fmt;
    size_t n = (size_t)img->geom.w * (size_t)(rn_format_planes(fmt) * rn_format_bytes(fmt));
    bool swaps = rn_format_bytes(fmt) == 2 && AV_HAVE_BIGENDIAN;
    for (int y = 0; y < img->geom.h; y++, to += n) {
        const uint8_t *row = rn_vol_pixels_row(img, y, to);
        if (row != to)
            memcpy(to, row, n);
        for (size_t i = 0; swaps && i < n; i += 2)
            FFSWAP(uint8_t, to[i], to[i + 1]);
    }
}

static int dicom_write(struct rn_write_sink *sink, const struct rn_image *img,
                       const struct rn_frame *frame)
{
    struct dicom_sink *s = (struct dicom_sink *)sink;
    const struct rn_io_media *media = &sink->media;
    /* The index among all pictures of the input, if that is a volume. */
    int64_t index =
        media->volume ? frame->index - media->first_number + media->first_index : frame->index;
    size_t size;
    if (!s->pixels) {
        int64_t first = media->volume ? media->first_index : frame->index;
        int err = rn_dicom_derived_file_begin(&s->derived, first);
        s->pixels = err ? NULL : av_mallocz(rn_dicom_derived_file_size(&s->derived));
        if (!s->pixels)
            return err ? err : rn_fail_memory();
    }
    pack(img, s->pixels);
    const uint8_t *bytes =
        rn_dicom_derived_file_make(&s->derived, index, sink->frames - 1, s->pixels, &size);
    return bytes ? rn_write_picture_file(sink, rn_io_frame_number(frame), bytes, size)
                 : RN_EINTERNAL;
}

static int dicom_close(struct rn_write_sink *sink, enum rn_write_ending ending)
{
    const struct dicom_sink *s = (struct dicom_sink *)sink;
    char names[160];
    if (sink->ledger)
        sink->ledger->out = (struct rn_io_outflow){.counted = true,
                                                   .frames = sink->frames,
                                                   .encoded = sink->files,
                                                   .packets = sink->files};
    if (sink->files > 0)
        rn_write_volume_out_inverted(&s->derived.volume, sink);
    if (!sink->failed && ending == RN_ENDING_COMPLETE)
        rn_write_volume_out_fields(&s->derived.volume, sink, "DICOM");
    int n = rn_dicom_derived_file_lost(&s->derived, names, sizeof names);
    if (n)
        rn_losses_add(sink->losses, "header",
                      "'%s': %d element%s of the DICOM header %s left out: %s", sink->name, n,
                      rn_plural(n), n > 1 ? "are" : "is", names);
    if (!sink->failed && ending == RN_ENDING_COMPLETE)
        rn_write_volume_out_compare(&s->derived.volume, sink);
    bool kept = !sink->failed && ending != RN_ENDING_ABANDON && sink->file.temp;
    return kept ? rn_outfile_commit(&sink->file, ending == RN_ENDING_PARTIAL) : 0;
}

const struct rn_write_ops rn_write_dicom_sink = {
    .size = sizeof(struct dicom_sink),
    .numbered = true,
    .file_per_picture = true,
    .match = dicom_match,
    .open = dicom_open,
    .write = dicom_write,
    .close = dicom_close,
    .release = dicom_release,
};
