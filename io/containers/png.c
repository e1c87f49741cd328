#include "io/containers/png.h"

#include "filters/base/err.h"
#include "filters/base/log.h"

#include <string.h>

#include <libavutil/intreadwrite.h>

static AVRational share(const uint8_t *p)
{
    return (AVRational){(int)(AV_RB32(p) & INT32_MAX), 100000};
}

void rn_container_png_chromaticities(enum AVCodecID codec, const AVPacket *pkt,
                                     AVMasteringDisplayMetadata *m)
{
    size_t size = codec == AV_CODEC_ID_PNG ? (size_t)pkt->size : 0;
    const uint8_t *p = pkt->data;
    for (size_t pos = 8; pos + 8 + 32 <= size; pos += 12 + (size_t)AV_RB32(p + pos)) {
        const uint8_t *value = p + pos + 8;
        if (!memcmp(p + pos + 4, "IDAT", 4))
            return;
        if (memcmp(p + pos + 4, "cHRM", 4) != 0)
            continue;
        for (int i = 0; i < 2; i++) {
            m->white_point[i] = share(value + 4 * i);
            for (int k = 0; k < 3; k++)
                m->display_primaries[k][i] = share(value + 8 + 8 * k + 4 * i);
        }
        m->has_primaries = 1;
        return;
    }
}

int rn_container_png_describe(AVFrame *frame, const AVMasteringDisplayMetadata *m)
{
    if (!m->has_primaries || frame->color_primaries != AVCOL_PRI_UNSPECIFIED ||
        av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA))
        return 0;
    AVMasteringDisplayMetadata *own = av_mastering_display_metadata_create_side_data(frame);
    if (!own)
        return rn_fail_memory();
    *own = *m;
    return 0;
}
