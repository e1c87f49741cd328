/* SPDX-License-Identifier: MIT */
#include "io/write/encode/convert_stream.h"

#include "filters/base/log.h"
#include "io/write/mux/container.h"

#define MAX_TEXT (1 << 18) /* bytes of one encoded subtitle */

bool rn_write_subtitle_is_text(enum AVCodecID id)
{
    const AVCodecDescriptor *desc = avcodec_descriptor_get(id);
    return desc && desc->props & AV_CODEC_PROP_TEXT_SUB;
}

enum AVCodecID rn_write_subtitle_target(enum AVCodecID from, const AVOutputFormat *of)
{
    /* ASS keeps every style; the others keep the text and common styles. */
    static const enum AVCodecID plain[] = {AV_CODEC_ID_SUBRIP, AV_CODEC_ID_MOV_TEXT,
                                           AV_CODEC_ID_WEBVTT, AV_CODEC_ID_ASS};
    if (!rn_write_subtitle_is_text(from) || !avcodec_find_decoder(from))
        return AV_CODEC_ID_NONE;
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (rn_write_container_lists(of, plain[i]) && avcodec_find_encoder(plain[i]))
            return plain[i];
    return AV_CODEC_ID_NONE;
}

/* ---- styles: do two subtitles look the same, as lines of ASS, which decoders give? */

/* Bold, italic, underlined, struck out. */
static const char simple[] = "bius";

/* Reads the tags between braces, such as \\i1. Returns the simple styles that are on after them,
 * and copies other tags. */
static unsigned read_tags(AVBPrint *to, const char *p, const char *end, unsigned on)
{
    while (p < end) {
        const char *tag = memchr(p, '\\', (size_t)(end - p));
        if (!tag)
            break;
        p = memchr(tag + 1, '\\', (size_t)(end - tag - 1));
        p = p ? p : end;
        const char *which = tag + 1 < end ? strchr(simple, tag[1]) : NULL;
        unsigned bit = which && *which ? 1u << (which - simple) : 0;
        if (bit && p - tag == 3 && (tag[2] == '0' || tag[2] == '1'))
            on = tag[2] == '1' ? on | bit : on & ~bit;
        else if (p - tag == 2 && tag[1] == 'r')
            on = 0;
        else
            av_bprint_append_data(to, tag, (unsigned)(p - tag));
    }
    return on;
}

/* Lists every character with the styles in which it is shown. */
static void describe(AVBPrint *to, const AVSubtitle *text)
{
    for (unsigned i = 0; i < text->num_rects; i++) {
        const char *p = text->rects[i]->ass ? text->rects[i]->ass : "";
        unsigned on = 0;
        for (int comma = 0; comma < 8 && strchr(p, ','); comma++)
            p = strchr(p, ',') + 1;
        for (; *p; p++) {
            const char *end = *p == '{' && p[1] == '\\' ? strchr(p, '}') : NULL;
            if (end)
                on = read_tags(to, p, end, on);
            else
                av_bprintf(to, "%c%c", 'a' + (int)on, *p);
            p = end ? end : p;
        }
        av_bprint_chars(to, '\n', 1);
    }
}

/* Do both have the same text in the same styles, however they are ended? False when out of memory.
 */
static bool same_style(const AVSubtitle *a, const AVSubtitle *b)
{
    RN_IO_TEXT(one);
    RN_IO_TEXT(other);
    describe(&one, a);
    describe(&other, b);
    return av_bprint_is_complete(&one) && av_bprint_is_complete(&other) &&
           !strcmp(one.str, other.str);
}

/* Finds the line of the default style in the header of an ASS file. Returns its length. */
static size_t default_of(const AVCodecContext *dec, const char **line)
{
    static const char key[] = "\nStyle: Default,";
    const char *header = (const char *)dec->subtitle_header;
    *line = header ? strstr(header, key) : NULL;
    return *line ? strcspn(*line + 1, "\r\n") + 1 : 0;
}

/* ---- conversion */

void rn_write_subtitle_close(struct rn_write_subtitle *s)
{
    avcodec_free_context(&s->dec);
    avcodec_free_context(&s->enc);
    avcodec_free_context(&s->reader);
    av_freep(&s->buf);
}

static int open_decoder(struct rn_write_subtitle *s, AVCodecContext **ctx,
                        const AVCodecParameters *par)
{
    const AVCodec *codec = avcodec_find_decoder(par->codec_id);
    *ctx = rn_io_codec_context(codec, par);
    if (!*ctx)
        return AVERROR(ENOMEM);
    (*ctx)->pkt_timebase = s->time_base;
    return avcodec_open2(*ctx, codec, NULL);
}

/* Opens the decoder of the input, the encoder and, if there is one, the decoder of the output. out
 * gets the parameters of the result. Returns 0 or a libav error. */
static int open_codecs(struct rn_write_subtitle *s, const AVCodecParameters *in, enum AVCodecID to,
                       AVCodecParameters *out)
{
    const AVCodec *enc = avcodec_find_encoder(to);
    s->enc = rn_io_codec_context(enc, NULL);
    s->buf = av_malloc(MAX_TEXT);
    int ret = s->enc && s->buf ? open_decoder(s, &s->dec, in) : AVERROR(ENOMEM);
    if (ret < 0)
        return ret;
    s->enc->time_base = AV_TIME_BASE_Q;
    if (s->dec->subtitle_header_size > 0) {
        size_t size = (size_t)s->dec->subtitle_header_size;
        s->enc->subtitle_header = av_mallocz(size + 1);
        if (!s->enc->subtitle_header)
            return AVERROR(ENOMEM);
        memcpy(s->enc->subtitle_header, s->dec->subtitle_header, size);
        s->enc->subtitle_header_size = s->dec->subtitle_header_size;
    }
    ret = avcodec_open2(s->enc, enc, NULL);
    ret = ret < 0 ? ret : avcodec_parameters_from_context(out, s->enc);
    if (ret < 0 || !avcodec_find_decoder(to))
        return ret;
    ret = open_decoder(s, &s->reader, out);
    const char *written, *read;
    size_t n = default_of(s->dec, &written);
    s->same = ret >= 0 && n == default_of(s->reader, &read) && (!n || !memcmp(written, read, n));
    return ret;
}

int rn_write_subtitle_open(struct rn_write_subtitle *s, const AVCodecParameters *in,
                           AVRational time_base, enum AVCodecID to, AVCodecParameters *out)
{
    s->time_base = time_base;
    rn_io_capture_begin();
    int ret = open_codecs(s, in, to, out);
    rn_io_capture_end();
    return ret < 0 ? rn_fail(RN_EOUTPUT, "cannot convert subtitles from %s to %s: %s",
                             avcodec_get_name(in->codec_id), avcodec_get_name(to), rn_io_cause(ret))
                   : 0;
}

int rn_write_subtitle_convert(struct rn_write_subtitle *s, AVPacket *pkt)
{
    RN_OWNED(avsubtitle_free) AVSubtitle text = {0};
    int got = 0, size = 0;
    int ret = pkt->size ? avcodec_decode_subtitle2(s->dec, &text, &got, pkt) : 0;
    if (ret >= 0 && got && text.num_rects) {
        text.pts = rn_io_to_us(pkt->pts, s->time_base);
        text.start_display_time = 0;
        if (pkt->duration > 0)
            text.end_display_time =
                (uint32_t)av_rescale_q(pkt->duration, s->time_base, (AVRational){1, 1000});
        size = ret = avcodec_encode_subtitle(s->enc, s->buf, MAX_TEXT, &text);
    }
    RN_OWNED(av_packet_free) AVPacket *out = ret >= 0 && size > 0 ? av_packet_alloc() : NULL;
    bool made = out && av_new_packet(out, size) >= 0;
    if (made) {
        RN_OWNED(avsubtitle_free) AVSubtitle written = {0};
        int read = 0;
        memcpy(out->data, s->buf, (size_t)size);
        s->same = s->same && avcodec_decode_subtitle2(s->reader, &written, &read, out) >= 0 &&
                  read && same_style(&text, &written);
        out->pts = pkt->pts;
        out->dts = pkt->dts;
        out->duration = pkt->duration;
        out->stream_index = pkt->stream_index;
        out->flags |= AV_PKT_FLAG_KEY;
        av_packet_unref(pkt);
        av_packet_move_ref(pkt, out);
    }
    if (made)
        return 0;
    double t = pkt->pts == AV_NOPTS_VALUE ? 0 : (double)pkt->pts * av_q2d(s->time_base);
    av_packet_unref(pkt);
    if (ret < 0)
        return rn_fail(RN_EOUTPUT, "cannot convert the subtitle at %.3f s from %s to %s: %s", t,
                       avcodec_get_name(s->dec->codec_id), avcodec_get_name(s->enc->codec_id),
                       rn_io_error(ret));
    return RN_END;
}
