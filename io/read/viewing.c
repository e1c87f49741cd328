/* SPDX-License-Identifier: MIT */
#include "io/read/viewing.h"

#include "io/pixels/convert.h"
#include "io/common/media.h"

#include <libavutil/avstring.h>
#include <libavutil/pixdesc.h>

#include "filters/base/log.h"

struct rn_io_traits rn_io_media_traits(const struct rn_io_media *media)
{
    struct rn_io_traits t = RN_TRAITS_UNKNOWN;
    if (media->fmt)
        rn_io_traits_add_stream(&t, media->fmt->streams[media->video]);
    rn_io_traits_add_frame(&t, media->first);
    return t;
}

/* Wide where nothing is said: it is asked for high dynamic range alone. */
static enum rn_pix_primaries primaries_of(enum AVColorPrimaries primaries)
{
    switch (primaries) {
    case AVCOL_PRI_BT2020:
    case AVCOL_PRI_UNSPECIFIED:
    case AVCOL_PRI_RESERVED0:
        return RN_PRIMARIES_BT2020;
    case AVCOL_PRI_SMPTE431:
    case AVCOL_PRI_SMPTE432:
        return RN_PRIMARIES_P3;
    default:
        return RN_PRIMARIES_BT709;
    }
}

void rn_read_viewing(const struct rn_read_source *source, struct rn_pix_viewing *v)
{
    struct rn_io_traits t = rn_io_media_traits(rn_read_media(source));
    *v = RN_VIEWING_PLAIN;
    v->oblique = !rn_pix_orient_of_matrix(rn_read_media(source)->matrix, &v->orient);
    v->transfer = t.transfer == AVCOL_TRC_SMPTE2084      ? RN_TRANSFER_PQ
                  : t.transfer == AVCOL_TRC_ARIB_STD_B67 ? RN_TRANSFER_HLG
                                                         : RN_TRANSFER_SDR;
    v->primaries = primaries_of(t.primaries);
    if (v->transfer == RN_TRANSFER_SDR && t.primaries != AVCOL_PRI_BT2020)
        v->primaries = RN_PRIMARIES_BT709; /* that of video or near it */
    v->siting = rn_pix_siting_of(rn_read_media(source)->first->chroma_location);
    /* What the pictures were mastered for, else their brightest pixel, else what most are. */
    double peak = t.mastering.has_luminance ? av_q2d(t.mastering.max_luminance) : 0;
    peak = peak > 0 ? peak : t.light.MaxCLL;
    v->peak = fmin(fmax(peak > 0 ? peak : 1000, 100), 10000);
}

void rn_io_media_announce_matrix(const struct rn_io_media *media)
{
    const struct rn_io_stream *s = &media->stream;
    enum AVColorSpace space = media->first->colorspace;
    const char *matrix = s->geom.matrix == RN_BT709 ? "BT.709" : "BT.601";
    if (!s->matrix_assumed)
        return;
    if (space == AVCOL_SPC_UNSPECIFIED || space == AVCOL_SPC_RESERVED)
        rn_log(RN_LOG_INFO,
               "'%s' does not say how its colours are coded: the matrix of %s is assumed, as its "
               "size suggests",
               media->name, matrix);
    else
        rn_log(RN_LOG_WARNING,
               "'%s': the matrix of its colours, %s, is not known here: that of %s is taken",
               media->name, av_color_space_name(space), matrix);
}

char *rn_read_viewing_tell(const struct rn_read_source *source, const struct rn_pix_viewing *v,
                           char *buf, size_t size)
{
    static const char *const matrices[] = {
        [RN_BT601] = "BT.601", [RN_BT709] = "BT.709", [RN_BT2020] = "BT.2020"};
    const struct rn_io_stream *s = rn_read_stream_of(source);
    const struct rn_geom *geom = &s->geom;
    *buf = '\0';
    if (geom->fmt.model == RN_YUV)
        av_strlcatf(buf, size, "colours\t%s%s, %s range\n", matrices[geom->matrix],
                    s->matrix_assumed ? " (assumed)" : "", geom->full_range ? "full" : "limited");
    enum AVColorTransferCharacteristic trc = rn_io_media_traits(rn_read_media(source)).transfer;
    bool said = trc != AVCOL_TRC_UNSPECIFIED && trc != AVCOL_TRC_RESERVED0;
    if (v->transfer == RN_TRANSFER_PQ)
        av_strlcatf(buf, size, "transfer\tPQ, %.0f -> 100 cd/m2 by BT.2390\n", v->peak);
    else if (v->transfer == RN_TRANSFER_HLG)
        av_strlcatf(buf, size, "transfer\tHLG, 1000 -> 100 cd/m2 by BT.2100, BT.2390\n");
    else if (geom->fmt.model == RN_YUV)
        av_strlcatf(buf, size, "transfer\t%s\n",
                    said ? av_color_transfer_name(trc) : "not said, shown as it is");
    if (v->transfer == RN_TRANSFER_SDR && v->primaries == RN_PRIMARIES_BT2020 &&
        geom->fmt.model != RN_GRAY)
        av_strlcatf(buf, size, "primaries\tBT.2020 -> BT.709, clipped by BT.2407\n");
    if (v->oblique)
        av_strlcatf(buf, size, "shown\tas stored, not at an angle\n");
    else if (!rn_pix_orient_is_upright(&v->orient))
        av_strlcatf(buf, size, "shown\t%s\n", rn_pix_orient_name(&v->orient));
    return buf;
}
