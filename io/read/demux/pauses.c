#include "io/read/demux/pauses.h"

#include <libavutil/avutil.h>

/* What containers put before a packet, and now and then between some: clusters, an index. */
#define PER_PACKET   24
#define NOW_AND_THEN 256

/* Seconds by which muxers are wrong about sound: less than the shortest packets of MPEG-PS. */
#define JITTER 0.004

bool rn_read_pauses_unheld(const struct rn_read_pauses *all, const struct rn_read_pause *own)
{
    return all->unheld - own->unheld > all->spent - own->spent + NOW_AND_THEN;
}

static double pause_before(const struct rn_read_pauses *all, const struct rn_read_pause *own,
                           const AVPacket *pkt, AVRational time_base)
{
    if (!own->begun || pkt->pts == AV_NOPTS_VALUE)
        return 0;
    double pause = (double)(pkt->pts - own->next) * av_q2d(time_base);
    double usual = 2 * (double)pkt->duration * av_q2d(time_base);
    bool longer = pause > 0.05 && pause > usual;
    return longer && rn_read_pauses_unheld(all, own) ? pause : 0;
}

static void follow(struct rn_read_pause *own, const AVPacket *pkt)
{
    if (pkt->pts == AV_NOPTS_VALUE)
        return;
    own->begun = true;
    own->next = pkt->pts + pkt->duration;
}

double rn_read_pauses_add(struct rn_read_pauses *all, struct rn_read_pause *own,
                          const AVPacket *pkt, AVRational time_base)
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
    own->unheld = all->unheld;
    own->spent = all->spent;
    follow(own, pkt);
    return pause;
}

bool rn_read_pause_is_steady(const struct rn_read_pause *own)
{
    return own->steady >= own->late;
}

/* Parsers may give a packet the time of the next one; then that one comes too early. */
static void note_step(struct rn_read_pause *own, double step, double least, double at)
{
    bool late = step > least;
    own->late += late;
    own->steady += own->begun && !late;
    if (late && !own->missing)
        own->at = at - step;
    if (late)
        own->wait = 3;
    if (late || (own->missing > 0 && step < -least))
        own->missing += step;
    if (own->missing < least)
        own->missing = 0;
}

double rn_read_pause_clocked(struct rn_read_pause *own, const AVPacket *pkt, bool pcm,
                             AVRational time_base)
{
    if (pkt->pts == AV_NOPTS_VALUE)
        return 0;
    double at = (double)pkt->pts * av_q2d(time_base), missing = 0;
    double step = own->begun ? (double)(pkt->pts - own->next) * av_q2d(time_base) : 0;
    double least = (pcm ? 1.9 : 0.9) * (double)pkt->duration * av_q2d(time_base);
    note_step(own, step, least > JITTER ? least : JITTER, at);
    follow(own, pkt);
    if (own->missing > 0 && --own->wait == 0) {
        missing = own->missing;
        own->missing = 0;
    }
    return rn_read_pause_is_steady(own) ? missing : 0;
}
