#include "io/write/mux/container.h"

#include "io/common/av.h"
#include "io/containers/table.h"

#include <errno.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavutil/mem.h>

bool rn_write_container_is_pictures_only(const AVOutputFormat *of)
{
    return of->audio_codec == AV_CODEC_ID_NONE && of->subtitle_codec == AV_CODEC_ID_NONE;
}

/* Of the lavish ones, which take what no demuxer could name afterwards; NULL: it can be asked. */
static const enum AVCodecID *list_of(const AVOutputFormat *of, enum AVCodecID id)
{
    const struct rn_container *container = rn_container_of_output(of);
    bool sound = avcodec_get_type(id) == AVMEDIA_TYPE_AUDIO;
    return sound || !container->codecs_of_sound_only ? container->codecs : NULL;
}

void rn_write_container_choose_tag(const AVOutputFormat *of, AVCodecParameters *par)
{
    unsigned tag;
    if (of->codec_tag && av_codec_get_id(of->codec_tag, par->codec_tag) != par->codec_id &&
        av_codec_get_tag2(of->codec_tag, par->codec_id, &tag))
        par->codec_tag = 0;
}

void rn_write_container_choose_layout(const AVOutputFormat *of, AVCodecParameters *par)
{
    bool unknown = par->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC;
    if (unknown && rn_io_is_pcm(par->codec_id) && rn_container_of_output(of)->pcm_needs_layout)
        av_channel_layout_default(&par->ch_layout, par->ch_layout.nb_channels);
}

int rn_write_container_compliance(const AVOutputFormat *of)
{
    return rn_container_of_output(of)->experimental ? FF_COMPLIANCE_EXPERIMENTAL
                                                    : FF_COMPLIANCE_UNOFFICIAL;
}

/* Where memory runs out, which libavformat does not always say, it is left to the real header to
 * fail: a stream must not stay behind for that. */
static bool writes_header(const AVOutputFormat *of, const AVCodecParameters *par)
{
    AVFormatContext *out = NULL;
    AVDictionary *options = NULL;
    uint8_t *buf = NULL;
    bool written = false;
    errno = 0;
    rn_io_capture_begin();
    if (avformat_alloc_output_context2(&out, of, NULL, NULL) < 0)
        goto end;
    AVStream *st = avformat_new_stream(out, NULL);
    if (!st || avcodec_parameters_copy(st->codecpar, par) < 0 || avio_open_dyn_buf(&out->pb) < 0)
        goto end;
    out->strict_std_compliance = rn_write_container_compliance(of);
    rn_write_container_choose_tag(of, st->codecpar);
    rn_write_container_choose_layout(of, st->codecpar);
    bool late = rn_container_of_output(of)->index_in_trailer && rn_io_is_pcm(par->codec_id);
    if (late && av_dict_set(&options, "movflags", "empty_moov", 0) < 0) /* or it looks at the end */
        goto end;
    st->time_base = par->sample_rate > 0 ? (AVRational){1, par->sample_rate} : (AVRational){1, 25};
    written = avformat_write_header(out, &options) >= 0;
end:
    av_dict_free(&options);
    written |= errno == ENOMEM;
    rn_io_capture_end();
    if (out && out->pb) {
        avio_close_dyn_buf(out->pb, &buf);
        av_free(buf);
    }
    avformat_free_context(out);
    return written;
}

static bool is_known(const enum AVCodecID *list, enum AVCodecID id)
{
    for (; *list != AV_CODEC_ID_NONE; list++)
        if (*list == id)
            return true;
    return false;
}

/* Whether of holds a coding by the lists alone. */
static bool is_listed(const AVOutputFormat *of, enum AVCodecID id)
{
    const enum AVCodecID *list = list_of(of, id);
    if (list)
        return is_known(list, id);
    return avformat_query_codec(of, id, FF_COMPLIANCE_NORMAL) == 1;
}

bool rn_write_container_holds(const AVOutputFormat *of, const AVCodecParameters *par)
{
    const enum AVCodecID *list = list_of(of, par->codec_id);
    if (list)
        return is_known(list, par->codec_id);
    /* 0: not at all; else it can be tried */
    int listed = avformat_query_codec(of, par->codec_id, rn_write_container_compliance(of));
    return listed != 0 &&
           (rn_container_of_output(of)->header_needs_pictures || writes_header(of, par));
}

bool rn_write_container_holds_coding(const AVOutputFormat *of, const AVCodecParameters *par,
                                     enum AVCodecID id)
{
    AVCodecParameters *other = avcodec_parameters_alloc();
    bool holds = other && avcodec_parameters_copy(other, par) >= 0;
    if (holds) { /* without what an encoder will add */
        other->codec_id = id;
        other->codec_tag = 0;
        av_freep(&other->extradata);
        other->extradata_size = 0;
        holds = is_listed(of, id) || rn_write_container_holds(of, other);
    }
    avcodec_parameters_free(&other);
    return holds;
}

bool rn_write_container_holds_subtitle(const void *of, enum AVCodecID id)
{
    return is_listed(of, id);
}
