/* SPDX-License-Identifier: MIT */
#include "io/read/inventory.h"

#include "filters/base/log.h"
#include "io/common/av.h"
#include "io/common/media.h"
#include "io/common/tags.h"

#include <libavutil/channel_layout.h>
#include <libavutil/pixdesc.h>

static const char *text_of(const AVDictionary *dict, const char *key)
{
    const char *value = rn_io_tag(dict, key);
    return value && *value ? value : NULL;
}

static double seconds(int64_t ts, AVRational unit)
{
    return ts == AV_NOPTS_VALUE ? NAN : (double)ts * av_q2d(unit);
}

static void take_stream(struct rn_read_inventory_stream *s, const AVStream *st, bool pictures)
{
    const AVCodecParameters *par = st->codecpar;
    const char *kind = av_get_media_type_string(par->codec_type);
    const char *language = text_of(st->metadata, "language");
    *s = (struct rn_read_inventory_stream){
        .index = st->index,
        .kind = kind ? kind : "data",
        .codec = par->codec_id == AV_CODEC_ID_NONE ? "unknown" : avcodec_get_name(par->codec_id),
        .profile = avcodec_profile_name(par->codec_id, par->profile),
        .language = language && strcmp(language, "und") != 0 ? language : NULL,
        .title = text_of(st->metadata, "title"),
        .file = text_of(st->metadata, "filename"),
        .start = seconds(st->start_time, st->time_base),
        .duration = seconds(st->duration, st->time_base),
        .frames = st->nb_frames,
        .bit_rate = par->bit_rate,
        .bits = par->bits_per_raw_sample ? par->bits_per_raw_sample
                                         : av_get_bits_per_sample(par->codec_id),
        .pictures = pictures,
        .is_default = st->disposition & AV_DISPOSITION_DEFAULT,
        .is_forced = st->disposition & AV_DISPOSITION_FORCED,
        .is_attached = st->disposition & AV_DISPOSITION_ATTACHED_PIC,
    };
    if (par->codec_type == AVMEDIA_TYPE_AUDIO) {
        s->sample_rate = par->sample_rate;
        s->channels = par->ch_layout.nb_channels;
        if (av_channel_layout_describe(&par->ch_layout, s->layout, sizeof s->layout) < 0)
            *s->layout = '\0';
    } else if (par->codec_type == AVMEDIA_TYPE_VIDEO) {
        s->w = par->width;
        s->h = par->height;
        s->rate = st->avg_frame_rate.den ? av_q2d(st->avg_frame_rate) : 0;
    }
}

static int take_format(struct rn_read_inventory *v, const struct rn_io_media *media)
{
    const AVFormatContext *fmt = media->fmt;
    v->format = fmt->iformat->name;
    v->bit_rate = fmt->bit_rate;
    v->start = seconds(fmt->start_time, AV_TIME_BASE_Q);
    v->chapters = (int)fmt->nb_chapters;
    v->programs = (int)fmt->nb_programs;
    const struct rn_io_watch *watch = fmt->opaque;
    v->stream = calloc(fmt->nb_streams + 1, sizeof *v->stream);
    v->tag = calloc((size_t)av_dict_count(fmt->metadata) + 1, sizeof *v->tag);
    if (atomic_load(&watch->lacked) || !v->stream || !v->tag)
        return rn_fail_memory();
    for (unsigned i = 0; i < fmt->nb_streams; i++)
        take_stream(&v->stream[v->nstreams++], fmt->streams[i], (int)i == media->video);
    for (const AVDictionaryEntry *e = NULL;
         (e = av_dict_get(fmt->metadata, "", e, AV_DICT_IGNORE_SUFFIX)) != NULL;)
        v->tag[v->ntags++] = (struct rn_read_inventory_tag){e->key, e->value};
    return 0;
}

/* Says nothing where FFmpeg's name says that nothing is known. */
static const char *known(const char *name)
{
    return name && strcmp(name, "unknown") != 0 && strcmp(name, "unspecified") != 0 &&
                   strcmp(name, "reserved") != 0
               ? name
               : "";
}

static void take_pictures(struct rn_read_inventory_pictures *p, const struct rn_io_media *media)
{
    static const char *const orders[] = {[RN_FIELD_ORDER_UNKNOWN] = "",
                                         [RN_FIELD_ORDER_NONE] = "progressive",
                                         [RN_FIELD_ORDER_TOP] = "top first",
                                         [RN_FIELD_ORDER_BOTTOM] = "bottom first"};
    struct rn_io_traits t = rn_io_media_traits(media);
    rn_io_traits_set_matrix(&t, media->matrix);
    p->range = t.range == AVCOL_RANGE_MPEG ? "limited" : t.range == AVCOL_RANGE_JPEG ? "full" : "";
    p->primaries = known(av_color_primaries_name(t.primaries));
    p->transfer = known(av_color_transfer_name(t.transfer));
    p->matrix = known(av_color_space_name(t.matrix));
    p->chroma = known(av_chroma_location_name(t.chroma));
    p->max_light = (int)t.light.MaxCLL;
    p->average_light = (int)t.light.MaxFALL;
    if (t.mastering.has_luminance) {
        p->least_luminance = av_q2d(t.mastering.min_luminance);
        p->max_luminance = av_q2d(t.mastering.max_luminance);
    }
    p->dolby_vision = t.dolby_vision;
    p->hdr10_plus = t.hdr10_plus;
    p->captions = t.captions;
    p->icc = t.icc;
    p->stored = known(av_get_pix_fmt_name(media->first->format));
    p->fields = orders[t.fields];
    p->rotation = ((int)lrint(-t.rotation) % 360 + 360) % 360;
    p->alpha = media->transparent;
    p->loop_count = media->loop_count;
}

int rn_read_inventory_take(struct rn_read_inventory *v, const struct rn_read_source *source)
{
    const struct rn_io_media *media = rn_read_media(source);
    double duration = media->stream.duration;
    *v = (struct rn_read_inventory){
        .start = NAN, .duration = duration < 0 ? NAN : duration, .volume = media->volume};
    int err = media->fmt ? take_format(v, media) : 0;
    take_pictures(&v->pictures, media);
    return err;
}

void rn_read_inventory_free(struct rn_read_inventory *v)
{
    free(v->stream);
    free(v->tag);
    v->stream = NULL;
    v->tag = NULL;
}
