#include "io/write/mux/timecode.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/common/av.h"

#include <libavutil/timecode.h>

/* Pictures that the output leaves out at the start, at the timecode's rate. */
static int64_t skipped(const struct rn_io_media *media, const AVStream *video, AVRational rate)
{
    int64_t start = video->start_time == AV_NOPTS_VALUE ? 0 : video->start_time;
    int64_t us = media->offset_us - av_rescale_q(start, video->time_base, AV_TIME_BASE_Q);
    return us > 0 ? av_rescale_q(us, AV_TIME_BASE_Q, av_inv_q(rate)) : 0;
}

int rn_write_timecode_shift(const struct rn_io_media *media, AVDictionary **metadata)
{
    const AVDictionaryEntry *e = av_dict_get(*metadata, "timecode", NULL, 0);
    const AVStream *video = media->fmt->streams[media->video];
    AVRational rate = video->avg_frame_rate;
    if (!e || !media->cut || rate.num <= 0 || rate.den <= 0)
        return 0;
    AVTimecode first;
    rn_io_capture_begin(); /* rates that no timecode is defined for make a warning */
    int ret = av_timecode_init_from_string(&first, rate, e->value, NULL);
    rn_io_capture_end();
    char text[AV_TIMECODE_STR_SIZE];
    if (ret < 0)
        return 0;
    first.flags |= AV_TIMECODE_FLAG_24HOURSMAX; /* behind 23:59:59 comes 0 */
    av_timecode_make_string(&first, text, (int)skipped(media, video, rate));
    return av_dict_set(metadata, e->key, text, 0) < 0 ? rn_fail_memory() : 0;
}
