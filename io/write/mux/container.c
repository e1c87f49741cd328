#include "io/write/mux/container.h"

#include "io/common/av.h"

#include <errno.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavutil/avstring.h>
#include <libavutil/mem.h>

bool rn_write_container_is_matroska(const AVOutputFormat *of)
{
    return !strcmp(of->name, "matroska");
}

bool rn_write_container_is_mov(const AVOutputFormat *of)
{
    return av_match_name(of->name, "mov,mp4,ipod,3gp,3g2,psp,ismv,f4v");
}

bool rn_write_container_is_timeless(const AVOutputFormat *of)
{
    return av_match_name(of->name, "avi,mxf,mxf_d10,mxf_opatom");
}

bool rn_write_container_is_pictures_only(const AVOutputFormat *of)
{
    return of->audio_codec == AV_CODEC_ID_NONE && of->subtitle_codec == AV_CODEC_ID_NONE;
}

/* Muxers that take everything, and what comes back from them by its name. */
static const enum AVCodecID in_mpegts[] = {
    AV_CODEC_ID_H264,         AV_CODEC_ID_HEVC,      AV_CODEC_ID_MPEG1VIDEO,
    AV_CODEC_ID_MPEG2VIDEO,   AV_CODEC_ID_MPEG4,     AV_CODEC_ID_VC1,
    AV_CODEC_ID_DIRAC,        AV_CODEC_ID_CAVS,      AV_CODEC_ID_AVS2,
    AV_CODEC_ID_MP1,          AV_CODEC_ID_MP2,       AV_CODEC_ID_MP3,
    AV_CODEC_ID_AAC,          AV_CODEC_ID_AAC_LATM,  AV_CODEC_ID_AC3,
    AV_CODEC_ID_EAC3,         AV_CODEC_ID_DTS,       AV_CODEC_ID_TRUEHD,
    AV_CODEC_ID_OPUS,         AV_CODEC_ID_S302M,     AV_CODEC_ID_DVB_SUBTITLE,
    AV_CODEC_ID_DVB_TELETEXT, AV_CODEC_ID_SMPTE_KLV, AV_CODEC_ID_HDMV_PGS_SUBTITLE,
    AV_CODEC_ID_TIMED_ID3,    AV_CODEC_ID_NONE,
};
static const enum AVCodecID in_mpegps[] = {
    AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_H264,         AV_CODEC_ID_MP1,
    AV_CODEC_ID_MP2,        AV_CODEC_ID_MP3,        AV_CODEC_ID_AC3,          AV_CODEC_ID_DTS,
    AV_CODEC_ID_PCM_DVD,    AV_CODEC_ID_PCM_S16BE,  AV_CODEC_ID_DVD_SUBTITLE, AV_CODEC_ID_NONE,
};
/* Of sound; its query takes all. */
static const enum AVCodecID in_mxf[] = {AV_CODEC_ID_PCM_S16LE, AV_CODEC_ID_PCM_S24LE,
                                        AV_CODEC_ID_NONE};
/* Likewise: AAC has no times there, or falls into other packets. */
static const enum AVCodecID in_rm[] = {AV_CODEC_ID_AC3, AV_CODEC_ID_NONE};
static const enum AVCodecID in_wtv[] = {AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3,
                                        AV_CODEC_ID_AC3, AV_CODEC_ID_NONE};
static const struct {
    const char *names;
    const enum AVCodecID *holds;
    bool sound_only;
} lavish[] = {
    {"mpegts", in_mpegts, false},
    {"mpeg,vcd,svcd,vob,dvd", in_mpegps, false},
    {"mxf,mxf_d10,mxf_opatom", in_mxf, true},
    {"rm", in_rm, true},
    {"wtv", in_wtv, true},
};

/* Muxers that write no header for sound alone. */
static const char *const need_pictures = "mxf,mxf_d10,mxf_opatom,gxf,dv,swf,film_cpk";

static const enum AVCodecID *list_of(const AVOutputFormat *of, enum AVCodecID id)
{
    bool sound = avcodec_get_type(id) == AVMEDIA_TYPE_AUDIO;
    for (size_t i = 0; i < sizeof lavish / sizeof lavish[0]; i++)
        if (av_match_name(of->name, lavish[i].names) && (sound || !lavish[i].sound_only))
            return lavish[i].holds;
    return NULL;
}

void rn_write_container_choose_tag(const AVOutputFormat *of, AVCodecParameters *par)
{
    unsigned tag;
    if (of->codec_tag && av_codec_get_id(of->codec_tag, par->codec_tag) != par->codec_id &&
        av_codec_get_tag2(of->codec_tag, par->codec_id, &tag))
        par->codec_tag = 0;
}

bool rn_write_container_is_pcm(enum AVCodecID id)
{
    return id >= AV_CODEC_ID_FIRST_AUDIO && id < AV_CODEC_ID_ADPCM_IMA_QT;
}

void rn_write_container_choose_layout(const AVOutputFormat *of, AVCodecParameters *par)
{
    bool unknown = par->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC;
    if (unknown && rn_write_container_is_pcm(par->codec_id) && rn_write_container_is_mov(of) &&
        strcmp(of->name, "mov") != 0)
        av_channel_layout_default(&par->ch_layout, par->ch_layout.nb_channels);
}

int rn_write_container_compliance(const AVOutputFormat *of)
{
    /* FLAC, TrueHD and stereo pictures in MP4 are standards that libavformat thinks of as new. */
    return av_match_name(of->name, "mov,mp4") ? FF_COMPLIANCE_EXPERIMENTAL
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
    bool late = rn_write_container_is_mov(of) && rn_write_container_is_pcm(par->codec_id);
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
    return listed != 0 && (av_match_name(of->name, need_pictures) || writes_header(of, par));
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
