/* SPDX-License-Identifier: MIT */
#include "io/read/source_internal.h"

#include "filters/base/log.h"

#include <string.h>

#include <libavutil/timecode.h>

/* Returns false if the picture has none, or 0, with which encoders begin that know of none. */
static bool timecode_of(const AVFrame *f, AVRational rate, char text[AV_TIMECODE_STR_SIZE])
{
    const AVFrameSideData *gop = av_frame_get_side_data(f, AV_FRAME_DATA_GOP_TIMECODE);
    const AVFrameSideData *s12m = av_frame_get_side_data(f, AV_FRAME_DATA_S12M_TIMECODE);
    if (gop && gop->size >= sizeof(int64_t)) {
        int64_t code;
        memcpy(&code, gop->data, sizeof code);
        av_timecode_make_mpeg_tc_string(text, (uint32_t)code);
    } else if (s12m && s12m->size >= 2 * sizeof(uint32_t)) {
        uint32_t code[2]; /* how many there are, and the first */
        memcpy(code, s12m->data, sizeof code);
        av_timecode_make_smpte_tc_string2(text, rate, code[1], 0, 0);
    } else {
        return false;
    }
    return strspn(text, "0:;.") != strlen(text);
}

int rn_read_take_timecode(const struct rn_read_source *src)
{
    const struct rn_read_input *in = src->in;
    AVStream *st = rn_read_stream_in(in) ? in->fmt->streams[in->video] : NULL;
    char text[AV_TIMECODE_STR_SIZE];
    if (!st || av_dict_get(st->metadata, "timecode", NULL, 0) ||
        av_dict_get(in->fmt->metadata, "timecode", NULL, 0) ||
        !timecode_of(src->frame, in->rate, text))
        return 0;
    return av_dict_set(&st->metadata, "timecode", text, 0) < 0 ? rn_fail_memory() : 0;
}
