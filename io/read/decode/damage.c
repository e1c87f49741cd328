/* SPDX-License-Identifier: MIT */
#include "io/read/source_internal.h"

#include "filters/base/text/plural.h"

bool rn_read_decode_errors_since(struct rn_read_source *src)
{
    int errors = atomic_load(&src->in->watch.errors);
    bool more = errors != src->faults.watched;
    src->faults.watched = errors;
    return more;
}

void rn_read_decode_flag(struct rn_read_source *src, const char *what)
{
    const char *said = atomic_load(&src->in->watch.errors) ? src->in->watch.first : "";
    src->faults.flagged++;
    if (rn_read_is_stills(src->in))
        return; /* image files name themselves */
    AVRational tb = src->in->time_base;
    double t = src->last_pts == AV_NOPTS_VALUE ? 0 : (double)src->last_pts * av_q2d(tb);
    rn_io_damage_note(&src->in->damage, "frame %" PRId64 " (near %.3f s) %s%s%s", src->decoded, t,
                      what, *said ? ": " : "", said);
}

/* ---- gaps in time */

void rn_read_cadence_add(struct rn_read_cadence *c, int64_t pts, int64_t duration, int64_t behind)
{
    if (c->begun) {
        int64_t step = pts - c->pts, excess = step - c->duration;
        /* Timestamps are rounded, to a millisecond at worst: far less than a quarter picture. */
        bool regular = llabs(step - c->duration) <= c->duration / 4 + 1;
        c->regular += regular;
        c->irregular += !regular;
        c->excess += regular ? 0 : excess; /* roundings would add up */
        bool gap = !regular && excess > 0;
        c->gaps += gap;
        c->gap += gap ? excess : 0;
        c->tail[c->steps++ % RN_CADENCE_TAIL] = gap ? excess : 0;
        if (llabs(excess) > llabs(c->worst)) {
            c->worst = excess;
            c->worst_at = c->pts;
        }
        c->crowded += behind > 0;
        c->crowded_by += behind > 0 ? c->duration - step : 0;
    }
    c->begun = true;
    c->pts = pts;
    c->duration = duration;
}

/* Takes back the gaps among the last n steps: a stream that was cut where it is decoded ends with
 * pictures shown behind some that were cut off. n: how many pictures may be decoded before another
 * and shown behind it. */
static void forget_tail(struct rn_read_cadence *c, int n)
{
    for (int i = 0; i < n && i < RN_CADENCE_TAIL && i < c->steps; i++) {
        int64_t excess = c->tail[(c->steps - 1 - i) % RN_CADENCE_TAIL];
        c->gaps -= excess > 0;
        c->irregular -= excess > 0;
        c->gap -= excess;
        c->excess -= excess;
    }
}

/* Pictures that the gaps would hold (> 0) or that stand on the time of others (< 0), as far as the
 * steps tell; 0 for less than two, and at a variable rate. */
static int64_t excess_of(const struct rn_read_cadence *c)
{
    /* Where frames that repeat the one before were left out, gaps come again and again. */
    bool constant = c->regular >= (c->irregular > 1 ? 16 : 3) * c->irregular;
    /* Half a picture more than one: a stream may end with a short one. */
    if (c->duration <= 0 || !constant || 2 * llabs(c->excess) < 3 * c->duration)
        return 0;
    int64_t n = (llabs(c->excess) + c->duration / 2) / c->duration;
    return c->excess > 0 ? n : -n;
}

/* ---- what is lost */

/* Pictures known to be lost or damaged; not the other streams that are. */
static int64_t known_of(const struct rn_io_damage *damage)
{
    return damage->damaged + damage->missing - damage->other_streams;
}

/* Known only at the end: until then a gap may be one of many. Pictures that are known to be lost
 * already are those that the time lacks. */
static void add_loss_of_time(const struct rn_read_source *src, struct rn_io_intake *l)
{
    struct rn_read_cadence tailless = src->cadence, *c = &tailless;
    AVRational tb = src->time_base;
    /* In MOV and MP4 every picture lasts until the next one by construction, in AVI empty chunks
     * stand where it does (the ledger knows the others), in Theora empty packets, and generators
     * mean what they give: there are no gaps. */
    bool may_have_gaps = !rn_read_is_stills(src->in) &&
                         src->in->par->codec_id != AV_CODEC_ID_THEORA &&
                         !src->in->container->pictures_abut;
    if (!src->finished || !may_have_gaps)
        return;
    forget_tail(c, src->dec->has_b_frames * src->prepare.factor);
    struct rn_io_damage *d = &l->damage;
    int64_t n = excess_of(c);
    int64_t second = av_rescale_q(1, (AVRational){1, 1}, tb);
    int64_t crowded = c->crowded_by > second ? c->crowded : 0;
    double at = (double)c->worst_at * av_q2d(tb);
    l->gaps = n > 0 ? c->gaps : 0;
    l->gap_seconds = n > 0 ? (double)c->gap * av_q2d(tb) : 0;
    /* A recording may pause without a clock, and where the packets are counted. */
    if (src->in->unbroken || !(src->in->container->losses & RN_GAP_OF_CLOCK))
        n = 0;
    crowded = crowded ? crowded : -n;
    int64_t known = known_of(&l->damage);
    if (crowded > known) {
        rn_io_damage_note(d, "pictures stand on the time of others, at %.3f s", at);
        d->damaged += crowded - known;
    } else if (n > known) {
        rn_io_damage_note(d, "no picture for %.3f s, at %.3f s", (double)c->worst * av_q2d(tb), at);
        d->missing += n - known;
    }
}

/* Packets that the container lists and that were not read. Of pictures coded as fields it may list
 * two where one packet is read. */
static void add_unread(const struct rn_read_source *src, struct rn_io_intake *l)
{
    const struct rn_read_input *p = src->in;
    int64_t n = l->announced - p->read;
    bool fields = llabs(l->announced - 2 * p->read) <= 1 && p->read > 1;
    if (l->announced < 0 || rn_read_is_stills(p) || fields || n <= l->damage.missing)
        return;
    rn_io_damage_note(&l->damage,
                      "the container lists %" PRId64 " packet%s of the pictures, %" PRId64
                      " %s there",
                      l->announced, rn_plural(l->announced), p->read, rn_is_or_are(p->read));
    l->damage.missing = n;
}

static void count_packets(const struct rn_read_source *src, struct rn_io_intake *l)
{
    const struct rn_read_input *p = src->in;
    l->announced = rn_read_is_stills(p) ? p->frames
                   : p->ops->announced  ? p->ops->announced(src->in, src->finished)
                                        : -1;
    l->packets = p->read;
    l->decoded = src->pictures_out;
    l->hidden = rn_read_decode_audit_hidden(&src->audit);
    l->leading = src->audit.leading;
    l->sound_short = p->sound_short;
    l->unanswered = p->ops->decoded ? 0 : rn_read_decode_audit_lost(&src->audit);
    l->short_range = src->finished && rn_read_range_is_short(src);
}

/* Which samples an edit list of MOV and MP4 hides is known by their times: in disorder those of the
 * pictures are wrong, and what is hidden may be any. */
static void add_hidden(const struct rn_read_source *src, struct rn_io_intake *l)
{
    if (src->in->container->index != RN_INDEX_SAMPLES || !src->cadence.crowded || l->hidden <= 0)
        return;
    rn_io_damage_note(&l->damage,
                      "%" PRId64 " picture%s hidden by an edit list, and the times of the others "
                      "go back: the times of the movie (ctts) are damaged",
                      l->hidden, l->hidden == 1 ? " is" : "s are");
    l->damage.missing += l->hidden;
}

void rn_read_decode_publish(struct rn_read_source *src)
{
    const struct rn_read_input *p = src->in;
    struct rn_io_intake l = {.damage = p->damage};
    count_packets(src, &l);
    if (src->ended)
        add_unread(src, &l);
    /* The same damage shows in several places (a broken packet, a picture with errors, a packet
     * without a picture, libav's messages), so the largest count is taken, not their sum. */
    int64_t damaged = FFMAX3(p->corrupt, src->faults.flagged, l.unanswered);
    bool noted = damaged || l.damage.damaged || l.damage.missing;
    l.damage.damaged += noted ? damaged : src->faults.logged;
    int64_t ts = src->audit.lost_ts;
    if (l.unanswered)
        rn_io_damage_note(
            &l.damage, "the decoder gives no picture for %" PRId64 " packet%s, first near %.3f s",
            l.unanswered, rn_plural(l.unanswered),
            ts == AV_NOPTS_VALUE ? 0 : (double)ts * av_q2d(p->time_base));
    /* Pictures that are gone with their packets; a torn one before them may be counted already. */
    int64_t known = known_of(&l.damage);
    if (p->breaks > known) {
        rn_io_damage_note(&l.damage, "packets of the pictures are missing, by their counters");
        l.damage.missing += p->breaks - known;
    }
    add_hidden(src, &l);
    if ((l.damage.damaged || l.damage.missing) && !*l.damage.what)
        snprintf(l.damage.what, sizeof l.damage.what, "%s", p->watch.first);
    add_loss_of_time(src, &l);
    RN_LOCKED(&src->lock);
    src->intake = l;
}

struct rn_read_tally rn_read_decode_tally(const struct rn_read_source *src)
{
    return (struct rn_read_tally){src->faults.flagged, src->faults.logged, src->in->corrupt,
                                  src->audit.lost, src->in->damage};
}

void rn_read_decode_set_tally(struct rn_read_source *src, const struct rn_read_tally *tally)
{
    rn_read_decode_errors_since(src);
    src->faults.flagged = tally->flagged;
    src->faults.logged = tally->logged;
    src->in->corrupt = tally->corrupt;
    src->audit.lost = tally->lost;
    src->in->damage = tally->damage;
}
