/* SPDX-License-Identifier: MIT */
#include "io/read/demux/demux_internal.h"

#include "filters/base/text/plural.h"
#include "io/containers/checks/checks.h"
#include "io/containers/file.h"
#include "io/read/demux/select.h"

/* Bytes of containers between packets: headers of clusters, blocks, tags; sometimes an index. */
#define MAX_BETWEEN 256
#define PER_PACKET  24

/* Decoding times that are made of presentation times show a gap later, by as many pictures as are
 * reordered. */
#define MAX_REORDERED 17

/* Seconds by which muxers are wrong about sound: less than the shortest packets of MPEG-PS. */
#define JITTER 0.004

/* ---- holes */

/* Returns true if bytes in front of a picture at pos belong to nothing, as far as the container's
 * elements tell that: of a pipe they do not. Of sound parsers also drop what stands in elements. */
static bool has_hole(struct demux *d, int64_t pos)
{
    const struct rn_container *container = d->base.container;
    if (!d->in.is_file || !container->first_hole)
        return true;
    if (!d->looked)
        d->first_hole = rn_container_file_first_hole(container, d->input);
    d->looked = true;
    return d->first_hole < pos;
}

/* Learns of the next picture: holes in front of it hold as many as its time has room for. */
static void look_for_gap(struct demux *d, const AVPacket *pkt)
{
    struct rn_read_holes *h = &d->holes;
    double frame = d->base.rate.num > 0 ? 1 / av_q2d(d->base.rate) : 0,
           tb = av_q2d(d->base.time_base);
    if (pkt->dts == AV_NOPTS_VALUE)
        return;
    double step = h->dts == AV_NOPTS_VALUE ? 0 : (double)(pkt->dts - h->dts) * tb;
    if (h->fresh && frame > 0 && step > 1.5 * frame && has_hole(d, pkt->pos)) {
        if (!h->pictures) {
            h->bytes = h->fresh;
            h->at = (double)h->dts * tb;
            h->seconds = step - frame;
        }
        /* Broken times are far off. */
        double max = (double)h->fresh / FFMAX(d->base.container->packet_header, 1);
        h->pictures += llrint(fmin(step / frame - 1, max));
        h->fresh = 0;
    }
    if (h->fresh && --h->wait <= 0)
        h->fresh = 0;
    h->dts = pkt->dts;
}

void rn_read_demux_add_hole(struct demux *d, const AVPacket *pkt)
{
    struct rn_read_holes *h = &d->holes;
    int header = d->base.container->packet_header;
    if (!h->begun)
        h->dts = AV_NOPTS_VALUE;
    if (pkt->pos >= 0 && h->begun && pkt->pos - h->end > (header ? header : MAX_BETWEEN)) {
        h->fresh = pkt->pos - h->end;
        h->wait = MAX_REORDERED;
    }
    if (pkt->pos >= 0) {
        int64_t end = (pkt->pos == h->pos && h->begun ? h->end : pkt->pos) + pkt->size;
        for (int i = 0; i < pkt->side_data_elems; i++)
            if (pkt->side_data[i].type == AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL)
                end += (int64_t)pkt->side_data[i].size;
        h->end = h->begun && h->end > end ? h->end : end;
        h->begun = true;
        h->pos = pkt->pos;
    }
    if (pkt->stream_index == d->base.video)
        look_for_gap(d, pkt);
}

/* Makes the pictures of the holes the missing ones, if they are more than so far. */
static void count_holes(struct demux *d)
{
    const struct rn_read_holes *h = &d->holes;
    struct rn_read_input *p = &d->base;
    if (!(p->container->losses & RN_GAP_AT_HOLE) || h->pictures <= p->damage.missing)
        return;
    if (!atomic_load(&p->watch.errors)) /* else it was said, by those whose text says more */
        rn_io_damage_note(&p->damage,
                          "%" PRId64
                          " bytes are no pictures where %.3f s of them are missing, at %.3f s",
                          h->bytes, h->seconds, h->at);
    p->damage.missing = h->pictures;
}

/* ---- pauses */

/* Returns true if the file has bytes that no packet holds behind the last packet of a stream. */
static bool has_unheld(const struct rn_read_pauses *all, const struct rn_read_pause *own)
{
    return all->unheld - own->unheld > all->spent - own->spent + MAX_BETWEEN;
}

static void follow(struct rn_read_pause *own, const AVPacket *pkt)
{
    if (pkt->pts == AV_NOPTS_VALUE)
        return;
    own->begun = true;
    own->next = pkt->pts + pkt->duration;
}

/* Learns of the next packet in the file, of any stream. own: of its stream; may be NULL. Returns
 * the seconds that are missing before it; 0: none. */
static double add_pause(struct rn_read_pauses *all, struct rn_read_pause *own, const AVPacket *pkt,
                        AVRational time_base)
{
    if (pkt->pos < 0)
        return 0;
    bool same = all->end && pkt->pos == all->pos; /* in one block, where nothing pauses */
    if (!same && pkt->pos < all->end) /* parsers keep packets back until the next one comes */
        all->unheld -= pkt->size;
    else if (!same && all->end)
        all->unheld += pkt->pos - all->end;
    all->spent += PER_PACKET;
    all->end = same ? all->end + pkt->size : FFMAX(all->end, pkt->pos + pkt->size);
    all->pos = pkt->pos;
    if (!own)
        return 0;
    double pause = 0;
    if (own->begun && pkt->pts != AV_NOPTS_VALUE)
        pause = (double)(pkt->pts - own->next) * av_q2d(time_base);
    double usual = 2 * (double)pkt->duration * av_q2d(time_base);
    if (pause <= 0.05 || pause <= usual || !(same || has_unheld(all, own)))
        pause = 0;
    own->unheld = all->unheld;
    own->spent = all->spent;
    follow(own, pkt);
    return pause;
}

/* Returns true if most packets of the stream follow each other as their durations say. */
static bool is_steady(const struct rn_read_pause *own)
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

/* In a container that carries a clock: learns of the next packet of a stream of sound and returns
 * the seconds that are missing at own->at, two packets ago; 0: none. Nothing but time counts, so
 * coders of which libav gets the durations wrong are not judged. pcm: muxers cut it up as they
 * like, and their clocks are wrong by a packet now and then. */
static double add_clocked(struct rn_read_pause *own, const AVPacket *pkt, bool pcm,
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
    return is_steady(own) ? missing : 0;
}

/* ---- packets */

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

static bool is_sound(const struct demux *d, int stream)
{
    return d->base.fmt->streams[stream]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
}

/* Counters that go round after 16 packets miss one loss in 16, and MPEG-PS has none: of sound time
 * tells, which has no variable rate. */
static void note_clocked(struct demux *d, const AVPacket *pkt, enum rn_container_break found)
{
    int i = pkt->stream_index;
    struct rn_read_pause *pause = &d->track[i].pause;
    const AVStream *st = d->base.fmt->streams[i];
    bool pcm = rn_io_is_pcm(st->codecpar->codec_id);
    if (i == d->base.video) {
        /* Where segments were joined counters begin anew, and time tells what is gone. */
        int64_t previous = d->track[i].last_dts;
        bool known = pkt->dts != AV_NOPTS_VALUE && previous != AV_NOPTS_VALUE && pkt->duration > 0;
        bool late = !known || 2 * (pkt->dts - previous) > 3 * pkt->duration;
        d->base.breaks += found == RN_BREAK_LOST;
        if (found == RN_BREAK_LOST || (found == RN_BREAK_SAID && late))
            d->base.unbroken = false;
        return;
    }
    if (!rn_read_stream_is_copied(d->base.fmt, d->base.video, i))
        return;
    if (is_sound(d, i)) {
        double missing = add_clocked(pause, pkt, pcm, st->time_base);
        note_sound(d, i, missing, pause->at);
    }
    if (found == RN_BREAK_LOST && !(is_sound(d, i) && is_steady(pause))) {
        const char *kind = av_get_media_type_string(st->codecpar->codec_type);
        rn_read_demux_count_other(d, i);
        rn_io_damage_note(&d->base.damage, "stream %d (%s) has lost packets before %.3f s", i,
                          kind ? kind : "unknown", time_of(d, pkt));
    }
}

void rn_read_demux_note_lost(struct demux *d, const AVPacket *pkt, bool jumped)
{
    const AVStream *st = d->base.fmt->streams[pkt->stream_index];
    unsigned losses = d->base.container->losses;
    struct track *t = pkt->stream_index < d->ntracks ? &d->track[pkt->stream_index] : NULL;
    enum rn_container_break found = RN_BREAK_NONE;
    if (losses & RN_GAP_OF_SOUND_AT_HOLE) { /* bytes that no packet holds */
        double s = add_pause(&d->pauses, t ? &t->pause : NULL, pkt, st->time_base);
        if (t && is_sound(d, pkt->stream_index) && rn_read_select_has(st))
            note_sound(d, pkt->stream_index, s, time_of(d, pkt) - s);
    }
    if (!t || !(losses & RN_GAP_OF_SOUND_CLOCK))
        return;
    if (d->in.transport && pkt->pos >= 0)
        found = rn_container_transport_take(d->in.transport, st->id, pkt->pos);
    if (!t->follows || jumped) {
        found = RN_BREAK_NONE;
        t->pause.begun = false;
        t->pause.missing = 0;
    }
    t->follows = true;
    note_clocked(d, pkt, found);
}

/* ---- once all was read */

static bool begins(const struct demux *d)
{
    return !d->sought && d->opts->from.kind != RN_TIME_SECONDS;
}

static void check_index(struct demux *d)
{
    struct rn_read_input *p = &d->base;
    for (int i = 0; i < d->ntracks; i++) {
        AVStream *st = p->fmt->streams[i];
        if (!rn_read_select_has(st) || st->disposition & AV_DISPOSITION_ATTACHED_PIC)
            continue;
        if (d->sought && i != p->video)
            continue;  /* the last of its packets may be among those left out */
        int64_t n = 0; /* samples that the index has behind the last one */
        for (int k = avformat_index_get_entries_count(st) - 1; k >= 0; k--, n++)
            if (avformat_index_get_entry(st, k)->timestamp <= d->track[i].last_dts)
                break;
        if (n && i == p->video) /* the ledger counts all that were not read */
            p->damage.missing += n;
        else if (n)
            rn_read_demux_count_other(d, i);
        if (n)
            rn_io_damage_note(&p->damage,
                              "the file ends early: %" PRId64 " packet%s of stream %d %s missing",
                              n, rn_plural(n), i, rn_is_or_are(n));
    }
}

/* Overwritten packets of sound, which reach nobody as such. */
static void check_sound(struct demux *d)
{
    for (int i = 0; i < d->ntracks && begins(d); i++) {
        const AVFormatContext *fmt = d->base.fmt;
        const struct track *t = &d->track[i];
        if (!rn_read_stream_is_copied(fmt, d->base.video, i) || t->damaged)
            continue;
        bool all = d->base.container->index == RN_INDEX_SAMPLES;
        struct rn_read_listed_sound grown = rn_read_announced_sound(fmt, fmt->streams[i]);
        const struct rn_read_listed_sound *listed = all ? &grown : &t->listed;
        if (t->n >= listed->packets && t->bytes >= listed->bytes)
            continue;
        rn_read_demux_count_other(d, i);
        rn_io_damage_note(
            &d->base.damage,
            "packets of stream %d (audio) are damaged or missing: the index lists more", i);
    }
}

/* Seconds between the end that the container announces and the end of what was read. One that
 * leaves its duration to be guessed from the file's end gives no bound. */
static double short_by(const struct demux *d)
{
    const AVFormatContext *fmt = d->base.fmt;
    if (d->sought || !d->base.container->total_bounds ||
        rn_read_announced_is_unfinished(fmt, fmt->streams[d->base.video]) ||
        fmt->duration_estimation_method != AVFMT_DURATION_FROM_STREAM || fmt->duration <= 0 ||
        d->end_us == INT64_MIN)
        return 0;
    int64_t start = fmt->start_time != AV_NOPTS_VALUE && fmt->start_time < 0 ? fmt->start_time : 0;
    double gap = (double)(fmt->duration - (d->end_us - start)) / AV_TIME_BASE;
    /* The last picture may be shown for long, or sound was announced and never came. */
    bool filled = gap >= 1 && d->in.is_file &&
                  rn_container_file_is_filled(d->base.container, d->input, d->holes.end);
    return filled ? 0 : gap;
}

static bool is_apart(const struct track *own, const struct track *other)
{
    return other->n && (other->first_pos > own->last_pos || other->last_pos < own->first_pos);
}

/* Counts pictures of another stream that begin where those that were read end, or end where they
 * begin: recordings that were joined. */
static void check_other_pictures(struct demux *d)
{
    struct rn_read_input *p = &d->base;
    const struct track *own = &d->track[p->video];
    int64_t n = is_apart(own, &d->late) && !d->opts->map.n ? d->late.n : 0;
    if (!begins(d) || !(p->fmt->iformat->flags & AVFMT_TS_DISCONT))
        return;
    for (int i = 0; i < d->ntracks; i++) {
        const AVStream *st = p->fmt->streams[i];
        bool pictures = st->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
                        !(st->disposition & AV_DISPOSITION_ATTACHED_PIC);
        n += i != p->video && pictures && is_apart(own, &d->track[i]) ? d->track[i].n : 0;
    }
    p->damage.missing += n;
    if (n)
        rn_io_damage_note(&p->damage, "the pictures go on in another stream, which is not read: "
                                      "join such files with ffmpeg -f concat");
}

/* Returns true if nothing lies between the last packet and the end of the file, so nothing was cut
 * out: the duration of the last picture in Matroska is that of the whole file, and AVI and ASF may
 * announce sound that never came. */
static bool is_filled(const struct demux *d, int i)
{
    const AVFormatContext *fmt = d->base.fmt;
    const struct track *t = &d->track[i];
    bool sound = i != d->base.video;
    if ((d->base.container->totals == RN_TOTALS_TAGS) == sound ||
        !rn_container_file_is_filled(d->base.container, d->input, d->holes.end))
        return false;
    return sound ? t->n >= avformat_index_get_entries_count(fmt->streams[i])
                 : !has_unheld(&d->pauses, &t->pause);
}

/* Returns by how many seconds containers may be wrong about the end of sound: MXF, which counts
 * samples, by less than a packet. */
static double sound_slack(const struct demux *d, int i)
{
    const AVFormatContext *fmt = d->base.fmt;
    const AVStream *st = fmt->streams[i];
    const struct track *t = &d->track[i];
    bool counts = d->base.container->totals == RN_TOTALS_PACKETS && t->duration > 0 &&
                  av_get_exact_bits_per_sample(st->codecpar->codec_id) > 0;
    double packet = counts ? (double)t->duration / (double)t->n * av_q2d(st->time_base) : 0.25;
    return counts ? fmin(0.75 * packet, 0.25) : packet;
}

static double stream_short_by(const struct demux *d, int i)
{
    const struct rn_read_input *p = &d->base;
    const struct track *t = &d->track[i];
    const AVStream *st = p->fmt->streams[i];
    bool sound = st->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
    if (!t->n || t->end_us == INT64_MIN || !rn_read_select_has(st) || (!sound && i != p->video))
        return 0;
    double first = (double)t->first_us / AV_TIME_BASE;
    bool counts = p->container->totals == RN_TOTALS_PACKETS && t->duration > 0;
    double end = counts ? first + (double)t->duration * av_q2d(st->time_base)
                        : (double)(t->end_us + t->untold_us) / AV_TIME_BASE;
    double gap = rn_read_announced_end(p->fmt, st, first) - end;
    double least = sound             ? sound_slack(d, i)
                   : p->rate.num > 0 ? fmax(1.5 / av_q2d(p->rate), 0.1)
                                     : 1;
    return gap > least && !is_filled(d, i) ? gap : 0;
}

static void check_streams(struct demux *d)
{
    struct rn_read_input *p = &d->base;
    bool judged = d->in.is_file && begins(d);
    for (int i = 0; i < d->ntracks && judged; i++) {
        double gap = stream_short_by(d, i);
        if (gap <= 0)
            continue;
        int64_t frames = rn_read_demux_frames_in(gap, av_q2d(p->rate));
        if (i != p->video)
            rn_read_demux_count_other(d, i);
        else if (!p->damage.missing)
            p->damage.missing += frames > 0 ? frames : 1;
        rn_io_damage_note(&p->damage, "stream %d ends %.3f s before the time that the file says", i,
                          gap);
    }
}

/* A recording that was cut off also ends with less sound, which comes later than its pictures. */
static void look_at_sound(struct demux *d)
{
    struct rn_read_input *p = &d->base;
    int64_t end_us = d->track[p->video].end_us;
    for (int i = 0; i < d->ntracks && p->container->losses & RN_GAP_OF_SOUND_CLOCK; i++) {
        const struct track *t = &d->track[i];
        bool sound = p->fmt->streams[i]->codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
        double s = sound && t->n && t->end_us != INT64_MIN && end_us != INT64_MIN
                       ? (double)(end_us - t->end_us) / AV_TIME_BASE
                       : 0;
        if (s > 0.1 && s > p->sound_short)
            p->sound_short = s;
    }
}

static void check_end(struct demux *d)
{
    struct rn_read_input *p = &d->base;
    double gap = short_by(d);
    bool cut = d->in.is_file && !rn_container_file_is_complete(p->container, d->input);
    if (p->damage.missing || (!cut && gap < 1))
        return;
    int64_t frames = rn_read_demux_frames_in(gap, av_q2d(p->rate));
    p->damage.missing += frames > 0 ? frames : 1;
    if (gap > 0.1)
        rn_io_damage_note(&p->damage, "the file ends early: %.1f of %.1f s",
                          (double)d->end_us / 1e6, (double)p->fmt->duration / 1e6);
    else
        rn_io_damage_note(&p->damage, "the file is cut off at its end");
}

void rn_read_demux_finish(struct rn_read_input *p)
{
    struct demux *d = (struct demux *)p;
    for (int i = 0; i < d->ntracks; i++)
        rn_read_demux_settle_corrupt(d, i);
    if (p->container->bare_frames) {
        if (d->end_pos >= 0 && avio_tell(p->fmt->pb) > d->end_pos) {
            p->damage.missing++;
            rn_io_damage_note(&p->damage, "the input ends inside a frame");
        }
        return;
    }
    if (!d->in.is_file && !d->in.is_pipe)
        return;
    if (p->container->index == RN_INDEX_SAMPLES)
        check_index(d);
    check_sound(d);
    count_holes(d);
    check_other_pictures(d);
    struct rn_container_input input = {.fmt = p->fmt,
                                       .video = p->video,
                                       .end = d->holes.end,
                                       .from_start = begins(d),
                                       .read = p->read,
                                       .frames = p->frames};
    if (d->in.is_file)
        rn_container_file_find_missing(p->container, d->input, &input, &p->damage);
    check_streams(d);
    look_at_sound(d);
    check_end(d);
}
