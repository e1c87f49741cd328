/* SPDX-License-Identifier: MIT */
#include "io/write/mux/container.h"

#include "filters/base/log.h"
#include "filters/base/text/words.h"
#include "io/common/av.h"

#include <libavutil/opt.h>

#define MOVIE_TIMESCALE 90000
#define MAX_CONTAINERS  512 /* of libav's */

/* The codings of a muxer that accepts what no demuxer can identify; NULL: libavformat knows. */
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

/* The strict_std_compliance with which of takes every standard. */
static int compliance_of(const AVOutputFormat *of)
{
    return rn_container_of_output(of)->experimental ? FF_COMPLIANCE_EXPERIMENTAL
                                                    : FF_COMPLIANCE_UNOFFICIAL;
}

/* Where memory runs out, which libavformat does not always say, it is left to the real header to
 * fail: a stream must not stay behind for that. */
static bool writes_header(const AVOutputFormat *of, const AVCodecParameters *par)
{
    AVFormatContext *out = NULL;
    RN_OWNED(av_dict_free) AVDictionary *options = NULL;
    uint8_t *buf = NULL;
    bool written = false;
    errno = 0;
    rn_io_capture_begin();
    if (avformat_alloc_output_context2(&out, of, NULL, NULL) < 0)
        goto end;
    AVStream *st = avformat_new_stream(out, NULL);
    if (!st || avcodec_parameters_copy(st->codecpar, par) < 0 || avio_open_dyn_buf(&out->pb) < 0)
        goto end;
    out->strict_std_compliance = compliance_of(of);
    rn_write_container_choose_tag(of, st->codecpar);
    rn_write_container_choose_layout(of, st->codecpar);
    bool late = rn_container_of_output(of)->index_in_trailer && rn_io_is_pcm(par->codec_id);
    if (late && av_dict_set(&options, "movflags", "empty_moov", 0) < 0) /* else at the end */
        goto end;
    st->time_base = par->sample_rate > 0 ? (AVRational){1, par->sample_rate} : (AVRational){1, 25};
    written = avformat_write_header(out, &options) >= 0;
end:
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

bool rn_write_container_lists(const AVOutputFormat *of, enum AVCodecID id)
{
    const enum AVCodecID *list = list_of(of, id);
    return list ? is_known(list, id) : avformat_query_codec(of, id, FF_COMPLIANCE_NORMAL) == 1;
}

bool rn_write_container_holds(const AVOutputFormat *of, const AVCodecParameters *par)
{
    const enum AVCodecID *list = list_of(of, par->codec_id);
    if (list)
        return is_known(list, par->codec_id);
    /* 0: no; else try it */
    int listed = avformat_query_codec(of, par->codec_id, compliance_of(of));
    return listed != 0 &&
           (rn_container_of_output(of)->header_needs_pictures || writes_header(of, par));
}

bool rn_write_container_holds_coding(const AVOutputFormat *of, const AVCodecParameters *par,
                                     enum AVCodecID id)
{
    RN_OWNED(avcodec_parameters_free) AVCodecParameters *other = avcodec_parameters_alloc();
    if (!other || avcodec_parameters_copy(other, par) < 0)
        return false;
    other->codec_id = id; /* without what an encoder will add */
    other->codec_tag = 0;
    av_freep(&other->extradata);
    other->extradata_size = 0;
    return rn_write_container_lists(of, id) || rn_write_container_holds(of, other);
}

/* ---- muxers */

/* container: the user's name or extension, or NULL. Returns NULL if there is none. */
static const AVOutputFormat *guess_muxer(const char *output, const char *container)
{
    if (!container)
        return !strcmp(output, "-") ? av_guess_format(RN_CONTAINER_FOR_STDOUT, NULL, NULL)
                                    : av_guess_format(NULL, output, NULL);
    char sample[40] = "x.";
    av_strlcat(sample, container, sizeof sample);
    const AVOutputFormat *of = av_guess_format(container, NULL, NULL);
    return of ? of : av_guess_format(NULL, sample, NULL);
}

static int refuse_container(const char *name)
{
    const char *names[MAX_CONTAINERS + 1], *near;
    void *iter = NULL;
    int n = 0;
    for (const AVOutputFormat *of; n < MAX_CONTAINERS && (of = av_muxer_iterate(&iter));)
        names[n++] = of->name;
    names[n] = NULL;
    near = rn_nearest(name, names);
    return rn_fail(RN_EUSAGE,
                   "--container %.64s: FFmpeg has no such container (%s%s); \"ffmpeg -muxers\" "
                   "lists them",
                   name, near ? "did you mean " : "try matroska", near ? near : "");
}

/* Refuses a name without a muxer; suggests other formats for those that are only read. */
static int refuse_name(const char *name)
{
    static const struct {
        const char *extensions, *text;
    } read_only[] = {
        {"mat", "MATLAB's .mat is read only"},
        {"cfl,hdr", "BART's .cfl and .hdr are read only"},
        {"img", ".hdr and .img are read only"},
    };
    if (av_match_ext(name, "raw,bin,dat"))
        return rn_fail(RN_EUSAGE,
                       "'%s': which samples --raw reads nobody can tell from such a file: .nhdr "
                       "writes them beside a header, .npy behind one, --container rawvideo without "
                       "one",
                       name);
    for (size_t i = 0; i < sizeof read_only / sizeof read_only[0]; i++)
        if (av_match_ext(name, read_only[i].extensions))
            return rn_fail(RN_EUSAGE,
                           "'%s': %s; volumes are written as .nii, .nii.gz, .nrrd, .nhdr, .mha, "
                           ".mhd, .npy, .tif and .dcm",
                           name, read_only[i].text);
    return rn_fail(RN_EUSAGE, "'%s': the %s (try .mp4 or .mkv)", name,
                   strrchr(av_basename(name), '.') ? "extension names no container"
                                                   : "name has no extension");
}

int rn_write_muxer_open(AVFormatContext **muxer, const char *name, const char *container,
                        bool streamed)
{
    const AVOutputFormat *of = guess_muxer(name, container);
    if (!of && container)
        return refuse_container(container);
    if (!of && streamed)
        return rn_fail(RN_EUSAGE, "'%s': which container? Add --container matroska, or another",
                       name);
    /* libav 7.1 considers .hdr an image. */
    if (!of || (!container && of->flags & AVFMT_NOFILE && av_match_ext(name, "hdr")))
        return refuse_name(name);
    if (of->flags & AVFMT_NOFILE || of->video_codec == AV_CODEC_ID_NONE)
        return rn_fail(RN_EUSAGE, "'%s': %s cannot hold video in one file (try .mp4 or .mkv)", name,
                       of->name);
    const struct rn_container *kind = rn_container_of_output(of);
    if (streamed && kind->needs_seek)
        return rn_fail(RN_EUSAGE, "'%s': %s cannot be written through a pipe (try matroska or nut)",
                       name, of->name);
    errno = 0; /* libav ignores failures to allocate its defaults */
    if (avformat_alloc_output_context2(muxer, of, NULL, name) < 0 || errno == ENOMEM) {
        avformat_free_context(*muxer);
        *muxer = NULL;
        return rn_fail_memory();
    }
    AVFormatContext *out = *muxer;
    out->flags |= AVFMT_FLAG_BITEXACT; /* no dates, no versions: the same bytes every time */
    out->strict_std_compliance = compliance_of(of); /* y4m: more than 8 bits, gray16 */
    /* The muxer would check the file name, which is temporary. */
    if (rn_container_has_fixed_ids(kind, name) &&
        av_opt_set_int(out->priv_data, "mpegts_m2ts_mode", 1, 0) < 0)
        return rn_fail_memory();
    /* The beginnings of streams are stored in its ticks, of a millisecond by default. */
    if (kind->movie_timescale &&
        av_opt_set_int(out->priv_data, "movie_timescale", MOVIE_TIMESCALE, 0) < 0)
        return rn_fail_memory();
    /* Sound encoded with a lead-in starts before 0; by default the muxer would move every other
     * stream back by as much, in AVI by whole pictures. Matroska holds negative times, of what goes
     * to AVI the lead-in is left out. */
    if (kind->keeps_negative_times)
        out->avoid_negative_ts = 0;
    return 0;
}
