#include "io/read/demux/packets.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/text/plural.h"

#include <math.h>

void rn_read_indexed_begin(struct rn_read_packets *p, const struct rn_read_packets_ops *ops,
                           const struct rn_read_opts *opts)
{
    p->ops = ops;
    p->video = -1;
    p->ranged = p->seekable = true;
    p->data = rn_io_frame_data_create();
    p->rate = opts->fps.den ? rn_io_to_av(opts->fps) : (AVRational){25, 1};
    p->time_base = av_inv_q(p->rate);
}

static int index_of(const struct rn_read_packets *p, const struct rn_read_time *at, int n,
                    int fallback)
{
    if (at->kind == RN_TIME_NONE)
        return fallback;
    double index =
        at->kind == RN_TIME_FRAME ? (double)at->frame : ceil(at->seconds * av_q2d(p->rate) - 1e-6);
    return index < n ? (int)index : n;
}

int rn_read_indexed_range(struct rn_read_packets *p, const struct rn_read_opts *opts, int n,
                          const char *what, int *begin, int *end)
{
    double to = opts->to.kind == RN_TIME_FRAME ? (double)opts->to.frame
                                               : opts->to.seconds * av_q2d(p->rate);
    p->short_range = opts->to.kind != RN_TIME_NONE && to > n + 0.5;
    *begin = index_of(p, &opts->from, n, 0);
    *end = index_of(p, &opts->to, n, n);
    p->short_range |= opts->frames > *end - *begin && *end == n;
    if (opts->frames >= 0 && opts->frames < *end - *begin)
        *end = *begin + (int)opts->frames;
    if (*begin >= *end)
        return rn_fail(RN_EUSAGE,
                       "--from, --to and --frames leave nothing of the %s, of which there %s %d",
                       what, rn_is_or_are(n), n);
    p->frames = *end - *begin;
    p->duration = (double)p->frames / av_q2d(p->rate);
    return 0;
}

int rn_read_indexed_place(int64_t target, int begin, int end)
{
    return target >= end ? end : target < begin ? begin : (int)target;
}

int64_t rn_read_indexed_index(const struct rn_read_packets *packets, int64_t pts)
{
    (void)packets;
    return pts;
}
