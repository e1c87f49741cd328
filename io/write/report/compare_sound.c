#include "io/write/report/compare_internal.h"

#include "io/common/av.h"
#include "io/write/encode/channel_layout.h"

#include <stdio.h>

#include <libavcodec/codec_id.h>

/* Other codings say themselves which channels they hold, and a copy changes nothing of that. */
static const AVChannelLayout *found(const AVCodecParameters *given, const AVCodecParameters *is)
{
    bool told = rn_io_is_pcm(is->codec_id) || is->codec_id == AV_CODEC_ID_FLAC;
    bool same = is->ch_layout.nb_channels == given->ch_layout.nb_channels;
    return told && same ? &is->ch_layout : &given->ch_layout;
}

static void say_channels(const struct rn_write_pair *p, const AVChannelLayout *was,
                         const AVChannelLayout *is)
{
    char text[160], before[48] = "", now[48] = "";
    const char *more = "";
    av_channel_layout_describe(was, before, sizeof before);
    av_channel_layout_describe(is, now, sizeof now);
    if (was->nb_channels != is->nb_channels) {
        snprintf(text, sizeof text, "sound of %d channels becomes %d", was->nb_channels,
                 is->nb_channels);
    } else if (is->order != AV_CHANNEL_ORDER_UNSPEC) {
        snprintf(text, sizeof text, "the channels of the sound were %s and become %s", before, now);
    } else {
        snprintf(text, sizeof text, "which channels the sound has (%s) is not kept", before);
        more = rn_write_advice(p, "; .mov keeps it", RN_CONTAINER_KEEPS_CHANNELS);
    }
    rn_write_lose(p, "channels", text, more);
}

void rn_write_compare_sound(const struct rn_write_pair *p, const AVStream *was,
                            const AVStream *given, const AVStream *is)
{
    const AVCodecParameters *from = was->codecpar, *to = given->codecpar;
    const AVChannelLayout *heard = found(to, is->codecpar);
    char text[100];
    if (from->codec_type != AVMEDIA_TYPE_AUDIO)
        return;
    if (!rn_write_channel_layout_same(&from->ch_layout, from->codec_id, heard,
                                      is->codecpar->codec_id))
        say_channels(p, &from->ch_layout, heard);
    if (from->sample_rate <= to->sample_rate)
        return;
    snprintf(text, sizeof text, "the sample rate of the sound, %d Hz, becomes %d",
             from->sample_rate, to->sample_rate);
    rn_write_lose(p, "samplerate", text, "");
}
