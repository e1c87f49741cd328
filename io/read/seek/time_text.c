/* SPDX-License-Identifier: MIT */
#include "io/read/source.h"

#include "io/common/av.h"

#include <ctype.h>

#include <libavutil/parseutils.h>

bool rn_read_time_parse(const char *text, struct rn_io_time *time)
{
    *time = (struct rn_io_time){.kind = RN_TIME_NONE};
    char *end;
    if (isdigit((unsigned char)*text)) {
        long long frame = strtoll(text, &end, 10);
        if (*end == 'f' && !end[1] && frame < INT64_MAX) {
            *time = (struct rn_io_time){.kind = RN_TIME_FRAME, .frame = frame};
            return true;
        }
    }
    int64_t us;
    if (av_parse_time(&us, text, 1) < 0 || us < 0)
        return false;
    *time = (struct rn_io_time){.kind = RN_TIME_SECONDS, .seconds = (double)us / 1e6};
    return true;
}

bool rn_read_size_parse(const char *text, int64_t *bytes)
{
    static const char units[] = "kMG";
    char *end;
    errno = 0;
    long long n = isdigit((unsigned char)*text) ? strtoll(text, &end, 10) : -1;
    if (n < 0 || errno)
        return false;
    const char *unit = *end ? strchr(units, *end) : NULL;
    if (*end && (!unit || end[1]))
        return false;
    for (int i = 0; unit && i <= unit - units && n <= INT64_MAX / 1000; i++)
        n *= 1000;
    *bytes = n;
    return n >= 32 && n <= INT64_C(1) << 40;
}

bool rn_read_rate_parse(const char *text, struct rn_io_rational *rate)
{
    AVRational r;
    if (av_parse_video_rate(&r, text) < 0 || r.num <= 0 || r.den <= 0)
        return false;
    *rate = rn_io_from_av(r);
    return true;
}
