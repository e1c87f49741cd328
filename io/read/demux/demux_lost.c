#include "io/read/demux/demux_internal.h"

#include "io/read/demux/select.h"

static double time_of(const struct demux *d, const AVPacket *pkt)
{
    int64_t ts = pkt->pts != AV_NOPTS_VALUE ? pkt->pts : pkt->dts;
    AVRational tb = d->base.fmt->streams[pkt->stream_index]->time_base;
    return ts == AV_NOPTS_VALUE ? 0 : (double)ts * av_q2d(tb);
}

static void note_sound(struct demux *d, int stream, double seconds, double at)
{
    if (seconds <= 0)
        return;
    rn_read_demux_count_other(d, stream);
    rn_io_damage_note(&d->base.damage, "stream %d (audio) has lost %.3f s, at %.3f s", stream,
                      seconds, at);
}

static void note_packets(struct demux *d, const AVPacket *pkt)
{
    const AVStream *st = d->base.fmt->streams[pkt->stream_index];
    const char *kind = av_get_media_type_string(st->codecpar->codec_type);
    rn_read_demux_count_other(d, pkt->stream_index);
    rn_io_damage_note(&d->base.damage, "stream %d (%s) has lost packets before %.3f s",
                      pkt->stream_index, kind ? kind : "unknown", time_of(d, pkt));
}

static bool is_sound(const struct demux *d, int stream)
{
    return d->base.fmt->streams[stream]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
}

/* Where the file has bytes that no packet holds. */
static void note_unheld(struct demux *d, const AVPacket *pkt)
{
    int i = pkt->stream_index;
    const AVStream *st = d->base.fmt->streams[i];
    double s = rn_read_pauses_add(&d->pauses, i < d->ntracks ? &d->track[i].pause : NULL, pkt,
                                  st->time_base);
    if (i < d->ntracks && is_sound(d, i) && rn_read_select_has(st))
        note_sound(d, i, s, time_of(d, pkt) - s);
}

/* Where segments were joined the counters begin anew, and time tells whether something is gone. */
static bool is_late(const struct demux *d, const AVPacket *pkt)
{
    const struct track *t = &d->track[pkt->stream_index];
    bool known = pkt->dts != AV_NOPTS_VALUE && t->last_dts != AV_NOPTS_VALUE && pkt->duration > 0;
    return !known || 2 * (pkt->dts - t->last_dts) > 3 * pkt->duration;
}

static void note_pictures(struct demux *d, const AVPacket *pkt, enum rn_container_break found)
{
    d->base.breaks += found == RN_BREAK_LOST;
    if (found == RN_BREAK_LOST || (found == RN_BREAK_SAID && is_late(d, pkt)))
        d->base.unbroken = false;
}

/* Counters that go round after 16 packets miss one loss in 16, and MPEG-PS has none: of sound time
 * tells, which has no variable rate. */
static void note_clocked(struct demux *d, const AVPacket *pkt, enum rn_container_break found)
{
    int i = pkt->stream_index;
    struct rn_read_pause *pause = &d->track[i].pause;
    const AVStream *st = d->base.fmt->streams[i];
    bool pcm = rn_io_is_pcm(st->codecpar->codec_id);
    if (i == d->base.video)
        note_pictures(d, pkt, found);
    else if (!rn_read_stream_is_copied(d->base.fmt, d->base.video, i))
        return;
    else if (is_sound(d, i))
        note_sound(d, i, rn_read_pause_clocked(pause, pkt, pcm, st->time_base), pause->at);
    if (i != d->base.video && found == RN_BREAK_LOST &&
        !(is_sound(d, i) && rn_read_pause_is_steady(pause)))
        note_packets(d, pkt);
}

void rn_read_demux_note_lost(struct demux *d, const AVPacket *pkt, bool jumped)
{
    const AVStream *st = d->base.fmt->streams[pkt->stream_index];
    unsigned losses = d->base.container->losses;
    struct track *t = pkt->stream_index < d->ntracks ? &d->track[pkt->stream_index] : NULL;
    enum rn_container_break found = RN_BREAK_NONE;
    if (losses & RN_CONTAINER_GAP_OF_SOUND_AT_HOLE)
        note_unheld(d, pkt);
    if (!t || !(losses & RN_CONTAINER_GAP_OF_SOUND_CLOCK))
        return;
    if (d->in.transport && pkt->pos >= 0)
        found = rn_container_continuity_take(rn_container_transport_continuity(d->in.transport),
                                             st->id, pkt->pos);
    if (!t->follows || jumped) {
        found = RN_BREAK_NONE;
        t->pause.begun = false;
        t->pause.missing = 0;
    }
    t->follows = true;
    note_clocked(d, pkt, found);
}
