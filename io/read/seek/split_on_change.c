/* SPDX-License-Identifier: MIT */
/* --on-change split: the source ends at pictures of another size or shape, and goes on with them.
 */
#include "filters/base/log.h"
#include "io/read/source.h"
#include "io/read/source_internal.h"

#include <inttypes.h>

/* ---- packets of the pictures, read while those of other streams were looked for */

int rn_read_ahead_push(struct rn_read_source *src, AVPacket *pkt)
{
    if (src->packets_ahead && src->packets_ahead->taken == src->packets_ahead->n)
        rn_io_frame_data_destroy(&src->packets_ahead);
    if (!src->packets_ahead)
        src->packets_ahead = rn_io_frame_data_create();
    if (src->packets_ahead)
        return rn_io_frame_data_push(src->packets_ahead, pkt);
    av_packet_unref(pkt);
    return rn_fail_memory();
}

/* ---- the next part */

int rn_read_resume(struct rn_read_source *src)
{
    const AVFrame *f = src->frame;
    if (!src->changed)
        return RN_END;
    src->changed = false;
    src->resumed = true;
    src->start += (double)(f->pts - src->offset) * av_q2d(src->time_base);
    src->offset = f->pts;
    src->media.cut = true;
    src->media.offset_us = av_rescale_q(f->pts, src->time_base, AV_TIME_BASE_Q);
    src->range.end_us = src->media.end_us = src->range.requested_end_us;
    rn_pix_import_destroy(&src->import);
    return rn_read_describe_pictures(src);
}

void rn_read_report_late(const struct rn_read_source *src)
{
    if (src->late_packets)
        rn_losses_add(src->opts.losses, "late",
                      "'%.120s': %" PRId64 " packet%s of other streams stand%s too far behind the "
                      "pictures of their time, whose file was complete",
                      src->name, src->late_packets, src->late_packets == 1 ? "" : "s",
                      src->late_packets == 1 ? "s" : "");
}
