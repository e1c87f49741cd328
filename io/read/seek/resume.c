/* --on-change split: the source ends at pictures of another size or shape, and goes on with them.
 */
#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/read/source.h"
#include "io/read/source_internal.h"

#include <inttypes.h>
#include <string.h>

/* ---- packets of the pictures, read while those of other streams were looked for */

int rn_read_ahead_push(struct rn_read_source *src, AVPacket *pkt)
{
    if (!src->packets_ahead)
        src->packets_ahead = rn_io_frame_data_create();
    if (src->packets_ahead)
        return rn_io_frame_data_push(src->packets_ahead, pkt);
    av_packet_unref(pkt);
    return rn_fail_memory();
}

bool rn_read_ahead_take(struct rn_read_source *src, AVPacket *pkt)
{
    struct rn_io_frame_data *list = src->packets_ahead;
    if (!list || !list->n)
        return false;
    av_packet_move_ref(pkt, list->packet[0]);
    av_packet_free(&list->packet[0]);
    list->n--;
    memmove(list->packet, list->packet + 1, (size_t)list->n * sizeof(AVPacket *));
    return true;
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
