#include "io/write/encode/light.h"

#include "io/common/av_versions.h"
#include "io/write/encode/codec_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/mastering_display_metadata.h>

static const struct encoder {
    const char *name, *params, *display, *content;
} encoders[] = {
    {"libx264", "x264-params", "mastering-display", "cll"},
    {"libx265", "x265-params", "master-display", "max-cll"},
};

static const void *find(const struct rn_io_media *media, enum AVFrameSideDataType frame,
                        enum AVPacketSideDataType stream)
{
    const AVFrameSideData *sd = av_frame_get_side_data(media->first, frame);
    if (sd)
        return sd->data;
    const AVPacketSideData *own =
        media->fmt ? rn_io_find_side_data(media->fmt->streams[media->video], stream) : NULL;
    return own ? own->data : NULL;
}

static long in_units(AVRational value, double per_unit)
{
    return value.den ? lround(av_q2d(value) * per_unit) : 0;
}

/* Chromaticities in 1/50000, luminances in 1/10000 cd/m2, as the standards code them. */
static void print_display(const AVMasteringDisplayMetadata *m, char *text, size_t size)
{
    static const char names[3] = {'R', 'G', 'B'};
    static const int order[3] = {1, 2, 0};
    for (int i = 0; i < 3; i++) {
        int c = order[i];
        av_strlcatf(text, size, "%c(%ld,%ld)", names[c],
                    in_units(m->display_primaries[c][0], 50000),
                    in_units(m->display_primaries[c][1], 50000));
    }
    av_strlcatf(text, size, "WP(%ld,%ld)L(%ld,%ld)", in_units(m->white_point[0], 50000),
                in_units(m->white_point[1], 50000), in_units(m->max_luminance, 10000),
                in_units(m->min_luminance, 10000));
}

int rn_write_light_tell(const AVCodec *codec, const struct rn_io_media *media,
                        AVDictionary **options)
{
    const AVMasteringDisplayMetadata *display = find(
        media, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_MASTERING_DISPLAY_METADATA);
    const AVContentLightMetadata *content =
        find(media, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_CONTENT_LIGHT_LEVEL);
    int ret = 0;
    for (size_t i = 0; i < sizeof encoders / sizeof encoders[0]; i++) {
        const struct encoder *e = &encoders[i];
        char text[200] = "";
        if (strcmp(codec->name, e->name) != 0)
            continue;
        if (display && display->has_primaries && display->has_luminance) {
            print_display(display, text, sizeof text);
            ret = rn_write_codec_options_add(options, e->params, e->display, text);
        }
        if (ret >= 0 && content) {
            snprintf(text, sizeof text, "%u,%u", content->MaxCLL, content->MaxFALL);
            ret = rn_write_codec_options_add(options, e->params, e->content, text);
        }
    }
    return ret < 0 ? ret : 0;
}
