#include "io/write/encode/codec_choice.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/write/encode/encoder_find.h"

#include <libavutil/avstring.h>

struct choice {
    const char *containers, *encoder;
};

static const struct choice usual[] = {
    {"mp4,mov,ipod,matroska,mpegts,flv,f4v,3gp,3g2,h264", "libx264"},
    {"nut,avi", "ffv1"},
    {"webm", "libvpx-vp9"},
    {"mpeg,vob,dvd,svcd", "mpeg2video"}, /* MPEG-1 knows no fields */
};
static const struct choice transparent[] = {
    {"mov", "prores_ks"},
    {"matroska", "ffv1"},
};

static const AVCodec *find(const struct choice *list, size_t n, const AVOutputFormat *of)
{
    for (size_t i = 0; i < n; i++)
        if (av_match_name(of->name, list[i].containers))
            return avcodec_find_encoder_by_name(list[i].encoder);
    return NULL;
}

int rn_write_codec_choose(const AVCodec **codec, const AVOutputFormat *of, const char *wanted,
                          const struct rn_io_media *media, const struct rn_geom *geom,
                          const char *name, bool quiet)
{
    if (wanted)
        return rn_write_encoder_find(wanted, codec);
    const AVCodec *common = find(usual, sizeof usual / sizeof usual[0], of);
    if (!common)
        common = avcodec_find_encoder(of->video_codec);
    *codec = media->transparent && geom->fmt.alpha
                 ? find(transparent, sizeof transparent / sizeof transparent[0], of)
                 : NULL;
    if (*codec && common && !quiet)
        rn_log(RN_LOG_INFO, "'%s': the pictures are encoded as %s, which holds their transparency",
               name, avcodec_get_name((*codec)->id));
    *codec = *codec ? *codec : common;
    return *codec ? 0
                  : rn_fail(RN_EUSAGE, "'%s': no encoder for %s; choose one with --codec", name,
                            of->name);
}

bool rn_write_codec_tells_range(const AVOutputFormat *of, enum AVCodecID id)
{
    static const enum AVCodecID telling[] = {
        AV_CODEC_ID_H264,  AV_CODEC_ID_HEVC,  AV_CODEC_ID_AV1,    AV_CODEC_ID_VP9,
        AV_CODEC_ID_MJPEG, AV_CODEC_ID_LJPEG, AV_CODEC_ID_JPEGLS,
    };
    for (size_t i = 0; i < sizeof telling / sizeof telling[0]; i++)
        if (telling[i] == id)
            return true;
    /* Of bare samples nobody takes anything for granted. */
    return av_match_name(of->name, "matroska,webm,mp4,yuv4mpegpipe,rawvideo");
}
