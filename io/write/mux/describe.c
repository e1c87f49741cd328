/* SPDX-License-Identifier: MIT */
#include "io/write/mux/container.h"

#include "filters/base/log.h"
#include "io/common/av_versions.h"
#include "io/common/av.h"

#include <libavutil/timecode.h>

int rn_write_copy_side_data(AVStream *to, const AVStream *from, const struct rn_io_media *recoded)
{
    static const enum AVPacketSideDataType lasting[] = {
        AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
        AV_PKT_DATA_STEREO3D, AV_PKT_DATA_SPHERICAL, /* of positions */
    };
    size_t nlasting = sizeof lasting / sizeof lasting[0] - (recoded && recoded->moved ? 2 : 0);
    int n;
    const AVPacketSideData *all = rn_io_side_data(from, &n);
    for (int i = 0; i < n; i++) {
        const AVPacketSideData *sd = &all[i];
        bool take = !recoded;
        for (size_t k = 0; k < nlasting; k++)
            take |= sd->type == lasting[k];
        if (take && !rn_io_add_side_data(to, sd->type, sd->data, sd->size))
            return rn_fail_memory();
    }
    return 0;
}

int rn_write_timecode_shift(const struct rn_io_media *media, AVDictionary **metadata)
{
    const AVDictionaryEntry *e = av_dict_get(*metadata, "timecode", NULL, 0);
    const AVStream *video = media->fmt->streams[media->video];
    AVRational rate = video->avg_frame_rate;
    if (!e || !media->cut || rate.num <= 0 || rate.den <= 0)
        return 0;
    AVTimecode first;
    rn_io_capture_begin(); /* libav warns about rates without a timecode */
    int ret = av_timecode_init_from_string(&first, rate, e->value, NULL);
    rn_io_capture_end();
    char text[AV_TIMECODE_STR_SIZE];
    if (ret < 0)
        return 0;
    int64_t start = video->start_time == AV_NOPTS_VALUE ? 0 : video->start_time;
    int64_t us = media->offset_us - rn_io_to_us(start, video->time_base);
    int64_t skipped = us > 0 ? rn_io_from_us(us, av_inv_q(rate)) : 0;
    first.flags |= AV_TIMECODE_FLAG_24HOURSMAX; /* 0 follows 23:59:59 */
    av_timecode_make_string(&first, text, (int)skipped);
    return av_dict_set(metadata, e->key, text, 0) < 0 ? rn_fail_memory() : 0;
}

/* Copies HDR metadata that only the first picture has to the stream. */
static int promote_light(AVStream *to, const AVFrame *first)
{
    static const struct {
        enum AVFrameSideDataType from;
        enum AVPacketSideDataType to;
    } kinds[] = {
        {AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_MASTERING_DISPLAY_METADATA},
        {AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_CONTENT_LIGHT_LEVEL},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const AVFrameSideData *sd = av_frame_get_side_data(first, kinds[i].from);
        if (sd && !rn_io_find_side_data(to, kinds[i].to) &&
            !rn_io_add_side_data(to, kinds[i].to, sd->data, sd->size))
            return rn_fail_memory();
    }
    return 0;
}

static bool is_stale(const char *key)
{
    static const char *const stale[] = {"encoder",  "BPS",        "NUMBER_OF_", "_STATISTICS_",
                                        "DURATION", "alpha_mode", "rotate"};
    for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++)
        if (av_stristart(key, stale[i], NULL))
            return true;
    return false;
}

int rn_write_describe_video(const struct rn_io_media *media, const struct rn_container *container,
                            const char *name, AVStream *video)
{
    if (media->matrix && !rn_io_add_side_data(video, AV_PKT_DATA_DISPLAYMATRIX, media->matrix,
                                              9 * sizeof *media->matrix))
        return rn_fail_memory();
    if (!media->fmt)
        return 0;
    const AVStream *in = media->fmt->streams[media->video];
    video->disposition = in->disposition;
    if (!rn_container_has_fixed_ids(container, name))
        video->id = in->id;
    const AVDictionaryEntry *e = NULL;
    while ((e = av_dict_get(in->metadata, "", e, AV_DICT_IGNORE_SUFFIX)))
        if (!is_stale(e->key) && !(media->moved && !strcmp(e->key, "stereo_mode")) &&
            av_dict_set(&video->metadata, e->key, e->value, 0) < 0)
            return rn_fail_memory();
    int err = rn_write_timecode_shift(media, &video->metadata);
    err = err ? err : rn_write_copy_side_data(video, in, media);
    return err ? err : promote_light(video, media->first);
}

const char *rn_write_stream_name(const AVStream *st, char name[RN_STREAM_NAME])
{
    const char *type = av_get_media_type_string(st->codecpar->codec_type);
    snprintf(name, RN_STREAM_NAME, "stream %d of the input (%s, %s)", st->index,
             st->disposition & AV_DISPOSITION_ATTACHED_PIC ? "attached picture"
             : type                                        ? type
                                                           : "unknown",
             avcodec_get_name(st->codecpar->codec_id));
    return name;
}

void rn_write_lose_stream(struct rn_losses *losses, const char *output, const AVStream *st,
                          const char *why)
{
    char stream[RN_STREAM_NAME];
    rn_losses_add(losses, "missing", "'%s': %s is not copied: %s", output,
                  rn_write_stream_name(st, stream), why);
}

/* The end of what is read, in the chapter's time base. */
static int64_t end_of(const struct rn_io_media *media, const AVChapter *chapter)
{
    return media->end_us == INT64_MAX ? INT64_MAX
                                      : rn_io_from_us(media->end_us, chapter->time_base);
}

bool rn_write_chapter_is_read(const struct rn_io_media *media, const AVChapter *chapter)
{
    int64_t begin = rn_io_from_us(media->offset_us, chapter->time_base);
    return (!media->cut || chapter->end > begin) && chapter->start < end_of(media, chapter);
}

int rn_write_add_chapters(const struct rn_io_media *media, AVFormatContext *out)
{
    const AVFormatContext *in = media->fmt;
    for (unsigned i = 0; i < in->nb_chapters; i++) {
        const AVChapter *from = in->chapters[i];
        int64_t off = rn_io_from_us(media->offset_us, from->time_base);
        int64_t end = end_of(media, from);
        if (!rn_write_chapter_is_read(media, from))
            continue;
        AVChapter *to = av_mallocz(sizeof *to);
        if (!to)
            return rn_fail_memory();
        to->id = from->id;
        to->time_base = from->time_base;
        to->start = media->cut && from->start < off ? 0 : from->start - off;
        to->end = (from->end < end ? from->end : end) - off;
        if (av_dict_copy(&to->metadata, from->metadata, 0) < 0 ||
            av_dynarray_add_nofree(&out->chapters, (int *)(void *)&out->nb_chapters, to) < 0) {
            av_dict_free(&to->metadata);
            av_free(to);
            return rn_fail_memory();
        }
    }
    return 0;
}
