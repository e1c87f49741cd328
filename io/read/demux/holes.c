#include "io/read/demux/holes.h"

#include <inttypes.h>

#include <math.h>

#include <libavutil/avutil.h>

/* What containers put between packets: headers of clusters, blocks, tags; an index now and then. */
#define MAX_BETWEEN 256

/* Decoding times that are made of presentation times show a gap later, by as many pictures as are
 * reordered. */
#define MOST_REORDERED 17

static int64_t bytes_of(const AVPacket *pkt)
{
    int64_t n = pkt->size;
    for (int i = 0; i < pkt->side_data_elems; i++)
        if (pkt->side_data[i].type == AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL)
            n += (int64_t)pkt->side_data[i].size;
    return n;
}

static void look_for_gap(struct rn_read_holes *h, const AVPacket *pkt, AVRational rate,
                         AVRational tb)
{
    if (pkt->dts == AV_NOPTS_VALUE)
        return;
    double frame = rate.num > 0 ? 1 / av_q2d(rate) : 0;
    double step = h->dts == AV_NOPTS_VALUE ? 0 : (double)(pkt->dts - h->dts) * av_q2d(tb);
    if (h->fresh && frame > 0 && step > 1.5 * frame) {
        if (!h->pictures) {
            h->bytes = h->fresh;
            h->at = (double)h->dts * av_q2d(tb);
            h->seconds = step - frame;
        }
        double most = (double)h->fresh /
                      (h->packet_header ? h->packet_header : 1); /* broken times are far off */
        h->pictures += llrint(fmin(step / frame - 1, most));
        h->fresh = 0;
    }
    if (h->fresh && --h->wait <= 0)
        h->fresh = 0;
    h->dts = pkt->dts;
}

void rn_read_holes_add(struct rn_read_holes *h, const AVPacket *pkt, bool video, AVRational rate,
                       AVRational time_base)
{
    if (!h->begun)
        h->dts = AV_NOPTS_VALUE;
    int most = h->packet_header ? h->packet_header : MAX_BETWEEN;
    if (pkt->pos >= 0 && h->begun && pkt->pos - h->end > most) {
        h->fresh = pkt->pos - h->end;
        h->wait = MOST_REORDERED;
    }
    if (pkt->pos >= 0) {
        int64_t end = pkt->pos + bytes_of(pkt);
        h->end = h->begun && h->end > end ? h->end : end;
        h->begun = true;
    }
    if (video)
        look_for_gap(h, pkt, rate, time_base);
}

void rn_read_holes_report(const struct rn_read_holes *h, struct rn_io_damage *damage, bool said)
{
    if (!said)
        rn_io_damage_note(
            damage, "%" PRId64 " bytes are no pictures where %.3f s of them are missing, at %.3f s",
            h->bytes, h->seconds, h->at);
    damage->missing = h->pictures;
}
