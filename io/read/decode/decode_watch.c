/* SPDX-License-Identifier: MIT */
#include "io/read/decode/decode_watch.h"

#include "filters/base/log.h"
#include "io/common/av_versions.h"
#include "io/read/demux/coded_picture.h"

#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>

/* All pictures of packets that the window has passed have come, or never will. */
static bool has_passed(const struct rn_read_decode_audit *a, int64_t number)
{
    return number + RN_DECODE_AUDIT_WINDOW <= a->sent;
}

bool rn_read_decode_audit_has(const struct rn_read_decode_audit *a, int64_t number)
{
    return number > 0 && number <= a->sent &&
           (has_passed(a, number) || a->packet[number % RN_DECODE_AUDIT_WINDOW].decoded);
}

static struct rn_read_audited_packet *at(struct rn_read_decode_audit *a, int64_t number)
{
    return &a->packet[number % RN_DECODE_AUDIT_WINDOW];
}

/* Decoders begin where they can: what refers to pictures before that is left out. */
static bool is_leading(const struct rn_read_decode_audit *a,
                       const struct rn_read_audited_packet *packet, int64_t number)
{
    if (packet->sure || packet->leads)
        return packet->leads;
    if (a->sure)
        return packet->ts != AV_NOPTS_VALUE && packet->ts < a->sure_ts;
    return !a->first || number < a->first ||
           (packet->ts != AV_NOPTS_VALUE && a->first_ts != AV_NOPTS_VALUE &&
            packet->ts < a->first_ts);
}

/* Where times do not tell the order (AVI), pictures that refer to what lies before the first one
 * follow right behind it. */
static bool is_in_run(struct rn_read_decode_audit *a, int64_t number)
{
    bool next = a->first && !a->first_timed && number == a->first + 1 + a->run;
    a->run += next;
    return next;
}

/* Pictures come in the order in which they are shown: behind the last one. */
static bool is_awaited(const struct rn_read_decode_audit *a, int64_t number)
{
    if (number < 1 || has_passed(a, number))
        return false;
    const struct rn_read_audited_packet *packet = &a->packet[number % RN_DECODE_AUDIT_WINDOW];
    const struct rn_read_audited_packet *shown = &a->packet[a->shown % RN_DECODE_AUDIT_WINDOW];
    bool overtaken = a->shown && !has_passed(a, a->shown) && packet->timed && shown->timed &&
                     packet->ts < shown->ts;
    return packet->pending && packet->due && !packet->decoded && !overtaken &&
           !is_leading(a, packet, number);
}

int64_t rn_read_decode_audit_oldest(const struct rn_read_decode_audit *a)
{
    int64_t number = a->sent - RN_DECODE_AUDIT_WINDOW / 2;
    while (number <= a->sent && !is_awaited(a, number))
        number++;
    return number;
}

static void judge(struct rn_read_decode_audit *a, int64_t number)
{
    struct rn_read_audited_packet *packet = at(a, number);
    if (!packet->pending)
        return;
    packet->pending = false;
    if (packet->decoded || (packet->ts != AV_NOPTS_VALUE && packet->ts < a->from))
        return;
    const struct rn_read_audited_packet *before = at(a, number + RN_DECODE_AUDIT_WINDOW - 1);
    if (!packet->due)
        a->hidden++;
    else if (before->decoded && before->interlaced)
        a->fields++;
    else if (is_in_run(a, number) || is_leading(a, packet, number))
        a->leading++;
    else if (!a->lost++)
        a->lost_ts = packet->ts;
}

int64_t rn_read_decode_audit_packet(struct rn_read_decode_audit *a, const AVCodecParameters *par,
                                    const AVPacket *pkt)
{
    int64_t number = ++a->sent;
    struct rn_read_coded_picture picture = rn_read_coded_picture(par, pkt);
    if (number > RN_DECODE_AUDIT_WINDOW / 2)
        judge(a, number - RN_DECODE_AUDIT_WINDOW / 2);
    int64_t ts = pkt->pts != AV_NOPTS_VALUE ? pkt->pts : pkt->dts;
    bool sure = picture.entry && picture.due;
    a->again |= sure && a->sure;
    if (sure && !a->sure) {
        a->sure = true;
        a->sure_ts = ts;
    }
    *at(a, number) = (struct rn_read_audited_packet){.ts = ts,
                                                     .timed = pkt->pts != AV_NOPTS_VALUE,
                                                     .pending = true,
                                                     .due = picture.due,
                                                     .leads = picture.leads && a->sure && !a->again,
                                                     .sure = sure};
    return number;
}

void rn_read_decode_audit_picture(struct rn_read_decode_audit *a, int64_t number, bool interlaced)
{
    a->interlaced += interlaced;
    bool known = number > 0 && number <= a->sent && !has_passed(a, number);
    struct rn_read_audited_packet *packet = known ? at(a, number) : NULL;
    if (!known || packet->decoded || !packet->pending) {
        a->extra++;
        return;
    }
    a->shown = number;
    packet->decoded = true;
    packet->interlaced = interlaced;
    if (!a->first) {
        a->first = number;
        a->first_ts = packet->ts;
        a->first_timed = packet->timed;
    }
}

void rn_read_decode_audit_finish(struct rn_read_decode_audit *a, int64_t until)
{
    int64_t number = a->sent - RN_DECODE_AUDIT_WINDOW + 1;
    for (number = number < 1 ? 1 : number; number <= a->sent; number++) {
        const struct rn_read_audited_packet *packet = at(a, number);
        if (until == INT64_MAX || (packet->timed && packet->ts < until))
            judge(a, number);
    }
}

/* Where pictures are coded as fields most have two packets. A few that seem to are lost. */
static int64_t lost_fields(const struct rn_read_decode_audit *a)
{
    return 4 * a->fields < a->interlaced ? a->fields : 0;
}

int64_t rn_read_decode_audit_lost(const struct rn_read_decode_audit *a)
{
    int64_t lost = a->lost + lost_fields(a) - a->extra;
    return lost > 0 ? lost : 0;
}

int64_t rn_read_decode_audit_hidden(const struct rn_read_decode_audit *a)
{
    return a->hidden + a->fields - lost_fields(a);
}

/* ---- packets to be decoded again */

static bool is_key(const struct rn_read_past_packet *p)
{
    return p->entry || p->pkt->flags & AV_PKT_FLAG_KEY;
}

static void drop(struct rn_read_packet_history *h, int n)
{
    if (!n)
        return;
    for (int i = 0; i < n; i++) {
        h->bytes -= h->packet[i].pkt->size;
        av_packet_free(&h->packet[i].pkt);
    }
    h->n -= n;
    memmove(h->packet, h->packet + n, (size_t)h->n * sizeof *h->packet);
    h->next = h->n;
}

/* The last keyframe among the first n packets; 0: none. */
static int keyframe_in(const struct rn_read_packet_history *h, int n)
{
    while (n > 1 && !is_key(&h->packet[n - 1]))
        n--;
    return n > 0 ? n - 1 : 0;
}

int rn_read_packet_history_add(struct rn_read_packet_history *h, AVPacket *pkt, int64_t number,
                               bool entry, int delay)
{
    void *more = av_fast_realloc(h->packet, &h->size, (size_t)(h->n + 1) * sizeof *h->packet);
    if (!more)
        return rn_fail_memory();
    h->packet = more;
    /* Demuxers may hand out packets whose memory is their own until the next read. */
    AVPacket *own = av_packet_make_refcounted(pkt) < 0 ? NULL : av_packet_clone(pkt);
    if (!own)
        return rn_fail_memory();
    h->packet[h->n++] = (struct rn_read_past_packet){own, number, entry};
    h->bytes += own->size;
    h->next = h->n;
    if (is_key(&h->packet[h->n - 1])) {
        int previous = keyframe_in(h, h->n - 1), pending = keyframe_in(h, h->n - delay);
        drop(h, keyframe_in(h, previous < pending ? previous : pending));
    }
    return 0;
}

static int entry_of(const struct rn_read_packet_history *h, int64_t number)
{
    int i = h->n - 1;
    while (i >= 0 && h->packet[i].number > number)
        i--;
    return i >= 0 && h->packet[i].number == number && h->packet[i].entry ? i : -1;
}

bool rn_read_packet_history_has_entry(const struct rn_read_packet_history *h, int64_t number)
{
    return entry_of(h, number) >= 0;
}

bool rn_read_packet_history_go_to(struct rn_read_packet_history *h, int64_t number)
{
    int i = entry_of(h, number);
    h->next = i >= 0 ? i : h->next;
    return i >= 0;
}

void rn_read_packet_history_go_before(struct rn_read_packet_history *h, int64_t number)
{
    int end = h->n, start;
    while (end > 0 && h->packet[end - 1].number > number)
        end--;
    start = keyframe_in(h, keyframe_in(h, end));
    for (int i = start; i < end - 1; i++)
        start = h->packet[i].entry ? i : start;
    h->next = start;
}

void rn_read_packet_history_clear(struct rn_read_packet_history *h)
{
    drop(h, h->n);
    av_freep(&h->packet);
    h->size = 0;
}

/* ---- samples that were never written */

#define SQUARE 16
#define ROW    4 /* of a mark in its square: 4 samples lie before it and behind, as at its sides */
#define SIDE   4

/* Random values below 256: where samples have more bits, decoders look others up in tables. */
#define MARK 201, 54, 167, 18, 236, 91, 122, 5

static const uint8_t mark8[] = {MARK};
static const uint16_t mark16[] = {MARK};

/* Returns bytes a sample of the first plane; 0: it takes no marks. */
static int sample_bytes(const AVFrame *f)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(f->format);
    const uint64_t others = AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM;
    if (!desc || desc->flags & others || !f->buf[0] || f->data[0] != f->buf[0]->data)
        return 0;
    int step = desc->comp[0].step;
    return f->linesize[0] > 0 && step == (desc->comp[0].depth + 7) / 8 ? step : 0;
}

/* Returns true if the picture has a mark; write: puts marks everywhere, and returns false. */
static bool walk(const struct rn_read_marked *p, bool write)
{
    const void *mark = p->bytes == 1 ? (const void *)mark8 : mark16;
    size_t length = sizeof mark8 * (size_t)p->bytes;
    for (int y = ROW; y < p->height; y += SQUARE)
        for (int x = SIDE; x + (int)sizeof mark8 <= p->width; x += SQUARE) {
            uint8_t *at = p->buffer->data + (size_t)y * p->linesize + (size_t)x * p->bytes;
            if (write)
                memcpy(at, mark, length);
            else if (memcmp(at, mark, length) == 0)
                return true;
        }
    return false;
}

static void forget(struct rn_read_unwritten *u, int i)
{
    av_buffer_unref(&u->picture[i].buffer);
    u->n--;
    memmove(u->picture + i, u->picture + i + 1, (size_t)(u->n - i) * sizeof *u->picture);
}

void rn_read_unwritten_clear(struct rn_read_unwritten *u)
{
    while (u->n)
        forget(u, u->n - 1);
}

void rn_read_unwritten_mark(struct rn_read_unwritten *u, const AVFrame *f)
{
    struct rn_read_marked p = {NULL,           false,    rn_io_number(f), sample_bytes(f),
                               f->linesize[0], f->width, f->height};
    if (!p.bytes || !(p.buffer = av_buffer_ref(f->buf[0])))
        return;
    walk(&p, true);
    RN_LOCKED(&u->lock);
    if (u->n == RN_READ_MARKED)
        forget(u, 0);
    u->picture[u->n++] = p;
}

int64_t rn_read_unwritten_find(struct rn_read_unwritten *u, int64_t number, bool *own)
{
    int64_t found = -1;
    *own = false;
    RN_LOCKED(&u->lock);
    for (int i = u->n - 1; i >= 0; i--) {
        struct rn_read_marked *p = &u->picture[i];
        if (p->number > number)
            continue;
        if (p->buffer)
            p->left = walk(p, false);
        av_buffer_unref(&p->buffer);
        if (p->left && p->number > found)
            found = p->number;
        if (p->number == number) {
            *own = p->left;
            forget(u, i);
        }
    }
    return found;
}
