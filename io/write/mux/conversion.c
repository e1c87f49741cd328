#include "io/write/mux/conversion.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/write/encode/audio_encode.h"
#include "io/write/mux/container.h"
#include "io/write/encode/encoder_choice.h"
#include "io/write/encode/subtitle.h"

#include <string.h>

#include <libavutil/avstring.h>

static int find_encoder(const AVCodec **codec, const char *text, enum AVMediaType type)
{
    const char *option = type == AVMEDIA_TYPE_AUDIO ? "audio" : "subs";
    char name[64];
    av_strlcpy(name, text, sizeof name);
    name[strcspn(name, ":")] = '\0';
    *codec = rn_write_encoder_named(name, type);
    if (*codec)
        return 0;
    char advice[300];
    return rn_fail(RN_EUSAGE, "--%s takes copy, none or an encoder, not '%.64s'%s", option, name,
                   rn_write_encoder_advice(name, type, advice, sizeof advice));
}

static int choose_wanted(struct rn_write_conversion *to, const AVOutputFormat *of, const char *name,
                         const AVStream *in, const char *text)
{
    bool sound = in->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    const AVCodec *codec;
    int err = find_encoder(&codec, text, in->codecpar->codec_type);
    if (err)
        return err;
    const char *colon = strchr(text, ':');
    if (colon && !sound)
        return rn_fail(RN_EUSAGE, "--subs takes no options: %s", text);
    if (!sound && !rn_write_subtitle_is_text(in->codecpar->codec_id))
        return rn_fail(RN_EUSAGE,
                       "--subs %s: stream %d of the input (%s) is no text; add --drop %d", text,
                       in->index, avcodec_get_name(in->codecpar->codec_id), in->index);
    if (!rn_write_container_holds_coding(of, in->codecpar, codec->id))
        return rn_fail(RN_EUSAGE, "'%s': %s cannot hold %s", name, of->name,
                       avcodec_get_name(codec->id));
    to->wanted = true;
    to->codec = sound ? codec : NULL;
    to->options = colon ? colon + 1 : NULL;
    to->subtitle = sound || codec->id == in->codecpar->codec_id ? AV_CODEC_ID_NONE : codec->id;
    return 0;
}

int rn_write_conversion_choose(struct rn_write_conversion *to, const AVOutputFormat *of,
                               const char *name, const AVStream *in, const char *wanted, bool fits)
{
    *to = (struct rn_write_conversion){.none = wanted && !strcmp(wanted, "none")};
    bool copy = wanted && !strcmp(wanted, "copy");
    if (to->none)
        return 0;
    if (wanted && !copy)
        return choose_wanted(to, of, name, in, wanted);
    if (fits)
        return 0;
    if (!copy && in->codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE)
        to->subtitle =
            rn_write_subtitle_target(in->codecpar->codec_id, rn_write_container_holds_subtitle, of);
    if (!copy && in->codecpar->codec_type == AVMEDIA_TYPE_AUDIO)
        to->codec = rn_write_audio_target(of, in->codecpar, &to->lossless);
    to->impossible = !to->subtitle && !to->codec;
    return 0;
}
