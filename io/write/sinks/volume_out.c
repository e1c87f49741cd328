/* SPDX-License-Identifier: MIT */
#include "io/write/sinks/sink_ops.h"

#include "filters/base/log.h"
#include "filters/base/text/plural.h"
#include "io/volumes/fields.h"

#include <string.h>

static void cut(struct rn_vol *v, int64_t first, int64_t n, const char *name,
                struct rn_losses *losses)
{
    bool placed = v->placed;
    if (!rn_vol_cut(v, first, n))
        rn_losses_add(losses, "geometry",
                      "'%s': the pictures are no whole channels and times: they count as slices%s",
                      name, placed ? " without positions" : "");
}

void rn_write_volume_out(struct rn_vol *v, const struct rn_write_sink *sink, const char *made_by)
{
    const struct rn_io_media *media = &sink->media;
    const struct rn_io_stream *stream = &media->stream;
    int64_t n = stream->frames > 0 ? stream->frames : 1;
    if (media->volume) {
        *v = *media->volume;
        cut(v, media->first_index, n, media->name, sink->losses);
    } else {
        enum rn_vol_axis axis = media->fmt ? RN_AXIS_TIME : RN_AXIS_SLICE;
        rn_vol_init(v, &sink->geom, 1);
        v->n[axis] = n;
        if (media->fmt && stream->rate.num > 0 && stream->rate.den > 0)
            v->interval = (double)stream->rate.den / stream->rate.num;
    }
    const struct rn_geom *geom = &sink->geom;
    if (v->fmt.number != geom->fmt.number || v->fmt.depth != geom->fmt.depth)
        v->windowed = v->white_is_zero = false, v->stored_bits = 0;
    v->fmt = geom->fmt;
    v->w = geom->w;
    v->h = geom->h;
    v->rescale = geom->rescale;
    v->scan = geom->scan;
    v->ranged = geom->fmt.number == RN_NUMBER_FLOAT;
    v->low = v->ranged ? (double)geom->low : 0;
    v->high = v->ranged ? (double)geom->high : 0;
    if (made_by && strchr(made_by, ':'))
        v->changed |= RN_CHANGED_VALUES;
    if (made_by)
        rn_vol_add_step(v, made_by);
}

int rn_write_volume_out_check(const struct rn_write_sink *sink, const char *format,
                              const struct rn_write_opts *opts)
{
    if (opts->codec || opts->codec_opts)
        return rn_fail(RN_EUSAGE, "'%s' is %s, which takes no --codec%s", sink->name, format,
                       opts->codec ? "" : "-opts");
    if (opts->pix_fmt)
        return rn_fail(RN_EUSAGE,
                       "'%s' is %s, which takes samples as they are: the filter format= converts "
                       "them",
                       sink->name, format);
    return 0;
}

void rn_write_volume_out_end(struct rn_vol *v, const struct rn_write_sink *sink, int64_t n)
{
    const struct rn_io_media *media = &sink->media;
    if (!media->volume)
        v->n[media->fmt ? RN_AXIS_TIME : RN_AXIS_SLICE] = n;
    else if (rn_vol_pictures(v) != n)
        cut(v, 0, n, sink->name, sink->losses);
}

void rn_write_volume_out_fields(const struct rn_vol *v, const struct rn_write_sink *sink,
                                const char *format)
{
    char names[120];
    int n = rn_vol_fields_lost(v, format, names, sizeof names);
    if (v->source_attributes && (!format || strcmp(format, "DICOM") != 0))
        rn_losses_add(sink->losses, "header",
                      "'%s': what DICOM says of patient, study, series and acquisition is left out "
                      "(.dcm keeps it)",
                      sink->name);
    if (n)
        rn_losses_add(sink->losses, "header", "'%s': %d field%s of the %s header %s left out: %s",
                      sink->name, n, rn_plural(n), v->fields->format, n > 1 ? "are" : "is", names);
}

void rn_write_volume_out_inverted(const struct rn_vol *v, const struct rn_write_sink *sink)
{
    if (v->white_is_zero)
        rn_losses_add(sink->losses, "format",
                      "'%s': white is 0 in the input, and %d here: all samples are inverted",
                      sink->name, rn_format_max(&v->fmt));
}

void rn_write_volume_out_compare(const struct rn_vol *v, const struct rn_write_sink *sink)
{
    struct rn_write_written written = rn_write_written_of(sink, v->w, v->h, rn_vol_pixfmt(&v->fmt));
    written.geom = (struct rn_geom){.w = v->w, .h = v->h};
    rn_vol_geom(v, &written.geom);
    written.bare = !sink->media.volume;
    rn_write_compare(&written);
}
