/* SPDX-License-Identifier: MIT */
#include "io/read/decode/decode_watch.h"

#include "io/read/demux/coded_picture.h"

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

void rn_read_decode_audit_restart(struct rn_read_decode_audit *a)
{
    for (int i = 0; i < RN_DECODE_AUDIT_WINDOW; i++)
        a->packet[i] = (struct rn_read_audited_packet){0};
    a->first = a->run = a->shown = 0;
    a->sure = a->again = false;
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
