#include "io/write/mux/describe.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/common/av_versions.h"
#include "io/write/mux/timecode.h"

#include <string.h>

#include <libavutil/avstring.h>

int rn_write_copy_side_data(AVStream *to, const AVStream *from, const struct rn_io_media *recoded)
{
    static const enum AVPacketSideDataType lasting[] = {
        AV_PKT_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_CONTENT_LIGHT_LEVEL,
        AV_PKT_DATA_STEREO3D, AV_PKT_DATA_SPHERICAL, /* of places */
    };
    size_t nlasting = sizeof lasting / sizeof lasting[0] - (recoded && recoded->moved ? 2 : 0);
    int n;
    const AVPacketSideData *all = rn_io_side_data(from, &n);
    for (int i = 0; i < n; i++) {
        const AVPacketSideData *sd = &all[i];
        bool take = !recoded;
        for (size_t k = 0; k < nlasting; k++)
            take |= sd->type == lasting[k];
        uint8_t *data = take ? rn_io_add_side_data(to, sd->type, sd->size) : NULL;
        if (take && !data)
            return rn_fail_memory();
        if (take)
            memcpy(data, sd->data, sd->size);
    }
    return 0;
}

/* What only the first picture says of its light, and the container has a place for. */
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
        if (!sd || rn_io_find_side_data(to, kinds[i].to))
            continue;
        uint8_t *data = rn_io_add_side_data(to, kinds[i].to, sd->size);
        if (!data)
            return rn_fail_memory();
        memcpy(data, sd->data, sd->size);
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

static int add_matrix(AVStream *video, const int32_t *matrix)
{
    size_t size = 9 * sizeof *matrix;
    uint8_t *data = matrix ? rn_io_add_side_data(video, AV_PKT_DATA_DISPLAYMATRIX, size) : NULL;
    if (data)
        memcpy(data, matrix, size);
    return data || !matrix ? 0 : rn_fail_memory();
}

int rn_write_describe_video(const struct rn_io_media *media, const struct rn_container *container,
                            const char *name, AVStream *video)
{
    int err = add_matrix(video, media->matrix);
    if (err || !media->fmt)
        return err;
    const AVStream *in = media->fmt->streams[media->video];
    video->disposition = in->disposition;
    if (!rn_container_has_fixed_ids(container, name))
        video->id = in->id;
    const AVDictionaryEntry *e = NULL;
    while ((e = av_dict_get(in->metadata, "", e, AV_DICT_IGNORE_SUFFIX)))
        if (!is_stale(e->key) && !(media->moved && !strcmp(e->key, "stereo_mode")) &&
            av_dict_set(&video->metadata, e->key, e->value, 0) < 0)
            return rn_fail_memory();
    err = rn_write_timecode_shift(media, &video->metadata);
    err = err ? err : rn_write_copy_side_data(video, in, media);
    return err ? err : promote_light(video, media->first);
}
