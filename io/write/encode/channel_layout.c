#include "io/write/encode/channel_layout.h"

/* The mask of the speakers that play the channels; 0: not known. */
static uint64_t speakers(const AVChannelLayout *layout, enum AVCodecID coding)
{
    const uint64_t sides = AV_CH_SIDE_LEFT | AV_CH_SIDE_RIGHT;
    const uint64_t backs = AV_CH_BACK_LEFT | AV_CH_BACK_RIGHT;
    AVChannelLayout known = *layout;
    if (layout->order == AV_CHANNEL_ORDER_UNSPEC)
        av_channel_layout_default(&known, layout->nb_channels);
    uint64_t mask = known.order == AV_CHANNEL_ORDER_NATIVE ? known.u.mask : 0;
    if (layout->order == AV_CHANNEL_ORDER_UNSPEC && coding == AV_CODEC_ID_FLAC)
        mask = layout->nb_channels == 3   ? AV_CH_LAYOUT_SURROUND
               : layout->nb_channels == 4 ? AV_CH_LAYOUT_QUAD
                                          : mask;
    if (mask == AV_CH_LAYOUT_STEREO_DOWNMIX)
        return AV_CH_LAYOUT_STEREO;
    return (mask & sides) == sides && !(mask & backs) ? (mask & ~sides) | backs : mask;
}

bool rn_write_channel_layout_same(const AVChannelLayout *a, enum AVCodecID a_coding,
                                  const AVChannelLayout *b, enum AVCodecID b_coding)
{
    uint64_t x = speakers(a, a_coding), y = speakers(b, b_coding);
    return a->nb_channels == b->nb_channels && (x && y ? x == y : !av_channel_layout_compare(a, b));
}

static int likeness(const AVChannelLayout *is, const AVChannelLayout *wanted)
{
    if (!av_channel_layout_compare(is, wanted))
        return 400;
    if (rn_write_channel_layout_same(is, AV_CODEC_ID_NONE, wanted, AV_CODEC_ID_NONE))
        return 300;
    int less = wanted->nb_channels - is->nb_channels;
    return less == 0 ? 200 : less > 0 ? 100 - less : 0;
}

const AVChannelLayout *rn_write_channel_layout_nearest(const AVChannelLayout *list,
                                                       const AVChannelLayout *layout)
{
    const AVChannelLayout *best = NULL;
    for (const AVChannelLayout *l = list; l && l->nb_channels; l++)
        if (!best || likeness(l, layout) > likeness(best, layout))
            best = l;
    return best;
}
