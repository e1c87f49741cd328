#include "io/write/encode/codec_choice.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/containers/table.h"
#include "io/write/encode/encoder_find.h"

static const AVCodec *find(const char *encoder)
{
    return encoder ? avcodec_find_encoder_by_name(encoder) : NULL;
}

int rn_write_codec_choose(const AVCodec **codec, const AVOutputFormat *of, const char *wanted,
                          const struct rn_io_media *media, const struct rn_geom *geom,
                          const char *name, bool quiet)
{
    if (wanted)
        return rn_write_encoder_find(wanted, codec);
    const struct rn_container *container = rn_container_of_output(of);
    const AVCodec *common = find(container->video_encoder);
    if (!common)
        common = avcodec_find_encoder(of->video_codec);
    *codec = media->transparent && geom->fmt.alpha ? find(container->alpha_encoder) : NULL;
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
    return rn_container_of_output(of)->tells_range;
}
