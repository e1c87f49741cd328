#include "io/read/demux/shown.h"

#include <libavutil/mem.h>

#include "io/read/demux/coded_picture.h"

struct rn_read_shown {
    enum AVCodecID codec;
    /* H.264 whose fields may be packets of their own; NULL otherwise. */
    AVCodecParserContext *parser;
    AVCodecContext *context;
    enum AVPictureStructure half; /* the field that waits for its other; unknown: none */
};

static bool may_have_fields(const AVCodecParameters *par)
{
    return par->codec_id == AV_CODEC_ID_H264 && par->field_order != AV_FIELD_PROGRESSIVE;
}

bool rn_read_shown_all(const AVCodecParameters *par)
{
    return !may_have_fields(par) && par->codec_id != AV_CODEC_ID_VP8 &&
           par->codec_id != AV_CODEC_ID_VP9;
}

struct rn_read_shown *rn_read_shown_create(const AVCodecParameters *par)
{
    struct rn_read_shown *s = av_mallocz(sizeof *s);
    if (!s)
        return NULL;
    s->codec = par->codec_id;
    if (!may_have_fields(par))
        return s;
    s->parser = av_parser_init(par->codec_id);
    s->context = avcodec_alloc_context3(NULL);
    if (!s->parser || !s->context || avcodec_parameters_to_context(s->context, par) < 0) {
        rn_read_shown_destroy(&s);
        return NULL;
    }
    s->parser->flags |= PARSER_FLAG_COMPLETE_FRAMES;
    return s;
}

void rn_read_shown_destroy(struct rn_read_shown **shown)
{
    if (!*shown)
        return;
    av_parser_close((*shown)->parser);
    avcodec_free_context(&(*shown)->context);
    av_freep(shown);
}

void rn_read_shown_restart(struct rn_read_shown *s)
{
    s->half = AV_PICTURE_STRUCTURE_UNKNOWN;
}

static bool is_second_field(struct rn_read_shown *s, const AVPacket *pkt)
{
    uint8_t *out;
    int size;
    s->parser->picture_structure = AV_PICTURE_STRUCTURE_UNKNOWN;
    av_parser_parse2(s->parser, s->context, &out, &size, pkt->data, pkt->size, pkt->pts, pkt->dts,
                     pkt->pos);
    enum AVPictureStructure now = s->parser->picture_structure;
    bool field = now == AV_PICTURE_STRUCTURE_TOP_FIELD || now == AV_PICTURE_STRUCTURE_BOTTOM_FIELD;
    bool second = field && s->half != AV_PICTURE_STRUCTURE_UNKNOWN && s->half != now;
    s->half = field && !second ? now : AV_PICTURE_STRUCTURE_UNKNOWN;
    return second;
}

bool rn_read_shown_take(struct rn_read_shown *s, const AVPacket *pkt)
{
    if (pkt->size <= 0)
        return false;
    bool second = s->parser && is_second_field(s, pkt);
    return !second && rn_read_coded_picture_shows(s->codec, pkt);
}
