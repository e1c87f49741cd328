/* SPDX-License-Identifier: MIT */
#include "io/read/decode/hardware.h"

#include "filters/base/log.h"
#include "io/common/av.h"

#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/hwcontext.h>
#include <libavutil/pixdesc.h>

static int refuse_type(const char *text)
{
    char list[256] = "";
    enum AVHWDeviceType type = AV_HWDEVICE_TYPE_NONE;
    while ((type = av_hwdevice_iterate_types(type)) != AV_HWDEVICE_TYPE_NONE)
        av_strlcatf(list, sizeof list, "%s %s", *list ? "," : "", av_hwdevice_get_type_name(type));
    return rn_fail(RN_EUSAGE, "--hwdec %.64s: FFmpeg has no such hardware, but%s", text,
                   *list ? list : " none at all");
}

int rn_read_hardware_open(AVBufferRef **device, const char *text)
{
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    const char *which = strchr(text, ':');
    enum AVHWDeviceType type = av_hwdevice_find_type_by_name(name);
    if (type == AV_HWDEVICE_TYPE_NONE)
        return refuse_type(text);
    rn_io_capture_begin();
    int ret = av_hwdevice_ctx_create(device, type, which ? which + 1 : NULL, NULL, 0);
    rn_io_capture_end();
    return ret < 0 ? rn_fail(RN_EDEVICE, "--hwdec %.64s: %s", text, rn_io_cause(ret)) : 0;
}

int rn_read_hardware_fetch(AVFrame *frame)
{
    if (!frame->hw_frames_ctx)
        return 0;
    AVFrame *copy = av_frame_alloc();
    int ret = copy ? av_hwframe_transfer_data(copy, frame, 0) : AVERROR(ENOMEM);
    ret = ret < 0 ? ret : av_frame_copy_props(copy, frame);
    /* Hardware crops at the right and at the bottom alone. */
    ret = ret < 0 ? ret : av_frame_apply_cropping(copy, AV_FRAME_CROP_UNALIGNED);
    if (ret >= 0) {
        av_frame_unref(frame);
        av_frame_move_ref(frame, copy);
    }
    av_frame_free(&copy);
    return ret < 0 ? ret : 0;
}

/* Whether the standard leaves no choice of roundings. */
static bool is_exact(enum AVCodecID id)
{
    return id == AV_CODEC_ID_H264 || id == AV_CODEC_ID_HEVC || id == AV_CODEC_ID_VP8 ||
           id == AV_CODEC_ID_VP9 || id == AV_CODEC_ID_AV1;
}

void rn_read_hardware_tell(const AVCodecContext *dec, const char *text, bool used, const char *name)
{
    if (used)
        rn_log(RN_LOG_INFO, "'%s': %s decodes, which does not tell of damage inside of pictures%s",
               name, text, is_exact(dec->codec_id) ? "" : ", and rounds otherwise than FFmpeg");
    else
        rn_log(RN_LOG_WARNING, "'%s': %s does not decode %s %s, the CPU does", name, text,
               avcodec_get_name(dec->codec_id), av_get_pix_fmt_name(dec->pix_fmt));
}
