#include "io/read/pauses.h"

#include <libavutil/avutil.h>

/* What containers put before a packet, and now and then between some: clusters, an index. */
#define PER_PACKET   24
#define NOW_AND_THEN 256

bool rn_pauses_unheld(const struct rn_pauses *all, const struct rn_pause *own)
{
    return all->unheld - own->unheld > all->spent - own->spent + NOW_AND_THEN;
}

static double pause_before(const struct rn_pauses *all, const struct rn_pause *own,
                           const AVPacket *pkt, AVRational time_base)
{
    if (!own->begun || pkt->pts == AV_NOPTS_VALUE)
        return 0;
    double pause = (double)(pkt->pts - own->next) * av_q2d(time_base);
    double usual = 2 * (double)pkt->duration * av_q2d(time_base);
    bool longer = pause > 0.05 && pause > usual;
    return longer && rn_pauses_unheld(all, own) ? pause : 0;
}

double rn_pauses_add(struct rn_pauses *all, struct rn_pause *own, const AVPacket *pkt,
                     AVRational time_base)
{
    if (pkt->pos < 0)
        return 0;
    if (pkt->pos < all->end) /* parsers keep packets back until the next of their stream comes */
        all->unheld -= pkt->size;
    else if (all->end)
        all->unheld += pkt->pos - all->end;
    all->spent += PER_PACKET;
    all->end = pkt->pos + pkt->size > all->end ? pkt->pos + pkt->size : all->end;
    if (!own)
        return 0;
    double pause = pause_before(all, own, pkt, time_base);
    *own = (struct rn_pause){own->begun, own->next, all->unheld, all->spent};
    if (pkt->pts != AV_NOPTS_VALUE) {
        own->begun = true;
        own->next = pkt->pts + pkt->duration;
    }
    return pause;
}
