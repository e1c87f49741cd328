/* SPDX-License-Identifier: MIT */
#include "io/containers/mpegts/packet_filter.h"

#include <stdlib.h>
#include <string.h>

#include <libavutil/intreadwrite.h>

/* The tables with which muxers begin: of programs, of a program, of services. */
#define PAT 0x00
#define PMT 0x02
#define SDT 0x42

/* Half of them are more than libav reads ahead; those of PIDs without a reader are never taken. */
#define MAX_BREAKS 4096

/* libav's position of a packet includes the bytes that recorders add to it. */
#define ADDED (RN_TRANSPORT_LARGEST - RN_TRANSPORT_PACKET)

struct counted {
    unsigned life;                         /* of the scan, when this was last reset */
    bool begun;                            /* there was a packet */
    bool stream;                           /* one of a stream, not of a table */
    bool said;                             /* a discontinuity since then */
    bool twice;                            /* it came for the second time */
    uint8_t added;                         /* to its counters, for those who read on */
    int64_t pos;                           /* of the last packet */
    uint8_t previous[RN_TRANSPORT_PACKET]; /* as it stands in the file */
};

/* A stretch of the file, read without a gap. */
struct scan {
    unsigned life;       /* how often it began anew */
    int64_t first, last; /* packets; -1: none */
    int64_t joined;      /* where another muxer's work begins, the last time; -1: nowhere */
    struct counted pid[RN_TRANSPORT_PIDS];
};

struct found {
    int64_t pos;
    int pid;
    enum rn_container_break kind;
};

/* While opening a file, libav also reads its end, and then continues where it was. */
struct rn_container_continuity {
    struct scan scan[2]; /* from the beginning; behind a seek */
    struct scan *current;
    struct found found[MAX_BREAKS];
    int n;
};

static uint8_t counter(const uint8_t *packet)
{
    return packet[3] & 0xf;
}

static void begin(struct scan *s)
{
    s->life++;
    s->first = s->last = s->joined = -1;
}

/* Most pages of these tables are never touched, so they take no memory. */
struct rn_container_continuity *rn_container_continuity_create(void)
{
    struct rn_container_continuity *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->current = &c->scan[0];
    begin(c->current);
    return c;
}

void rn_container_continuity_seek(struct rn_container_continuity *c)
{
    c->current = &c->scan[1];
    begin(c->current);
}

/* Continues the first scan when the second one has reached its end. */
static struct scan *scan_at(struct rn_container_continuity *c, int64_t pos)
{
    struct scan *front = &c->scan[0], *s = c->current;
    if (s->first < 0)
        s->first = pos;
    if (s != front && pos > front->last && s->first <= front->last + RN_TRANSPORT_LARGEST)
        c->current = s = front;
    s->last = pos;
    return s;
}

static struct counted *counted_in(struct scan *s, int pid)
{
    struct counted *p = &s->pid[pid];
    if (p->life != s->life) {
        p->life = s->life;
        p->begun = p->stream = p->said = p->twice = false;
        p->added = 0;
    }
    return p;
}

/* Adds a break unless it is known, as when it is read again after a seek. */
static void enter(struct rn_container_continuity *c, const struct found *found)
{
    enum { HALF = MAX_BREAKS / 2 };
    if (c->n == MAX_BREAKS) {
        memmove(c->found, c->found + HALF, HALF * sizeof *c->found);
        c->n = HALF;
    }
    int at = c->n;
    while (at > 0 && c->found[at - 1].pos > found->pos)
        at--;
    if (at > 0 && c->found[at - 1].pos == found->pos)
        return;
    memmove(c->found + at + 1, c->found + at, (size_t)(c->n++ - at) * sizeof *c->found);
    c->found[at] = *found;
}

/* A repeated packet may have another clock in front of its payload. */
static bool is_same(const uint8_t *a, const uint8_t *b)
{
    int at = rn_container_transport_payload(a);
    return counter(a) == counter(b) && at == rn_container_transport_payload(b) &&
           !memcmp(a + at, b + at, RN_TRANSPORT_PACKET - (size_t)at);
}

/* A unit of a stream begins with 0 0 1. */
static bool begins_with_stream(const uint8_t *packet)
{
    int at = rn_container_transport_payload(packet);
    return at + 2 < RN_TRANSPORT_PACKET && AV_RB24(packet + at) == 1;
}

/* A table begins with the length of what stands before it; those sought here have the long form,
 * which a bit tells (ISO/IEC 13818-1, 2.4.4). */
static bool is_table(const uint8_t *packet)
{
    int at = rn_container_transport_payload(packet) + 1;
    if (!rn_container_transport_begins(packet) || at + 1 >= RN_TRANSPORT_PACKET || packet[at - 1] ||
        begins_with_stream(packet) || !(packet[at + 1] & 0x80))
        return false;
    return packet[at] == PAT || packet[at] == PMT || packet[at] == SDT;
}

/* Returns true if a unit of a stream should begin in this packet and its beginning is destroyed:
 * libav passes over the unit without a word. */
static bool has_lost_beginning(struct counted *p, const uint8_t *packet)
{
    int at = rn_container_transport_payload(packet);
    bool clear = !(packet[3] & 0xc0); /* not scrambled */
    if (!clear || !rn_container_transport_begins(packet) || at + 2 >= RN_TRANSPORT_PACKET)
        return false;
    bool stream = begins_with_stream(packet), lost = p->stream && !stream && !is_table(packet);
    p->stream |= stream;
    return lost;
}

/* Judges the counter of this packet, and sets what is added to the counters from here on. */
static enum rn_container_break step_to(struct scan *s, const uint8_t *packet, int pid, int64_t pos)
{
    struct counted *p = counted_in(s, pid);
    uint8_t due = (counter(p->previous) + 1) & 0xf;
    if (!p->begun || counter(packet) == due)
        return RN_BREAK_NONE;
    /* What begins with tables that count anew: every PID behind them does so, with a whole packet.
     */
    if (s->joined <= p->pos && is_table(packet))
        s->joined = pos;
    bool joined = s->joined > p->pos && rn_container_transport_begins(packet);
    if (joined)
        p->added = (uint8_t)((due + p->added - counter(packet)) & 0xf);
    return joined || p->said ? RN_BREAK_SAID : RN_BREAK_LOST;
}

void rn_container_continuity_pass(struct rn_container_continuity *c, uint8_t *packet, int pid,
                                  int known_as, int64_t pos)
{
    struct scan *s = scan_at(c, pos);
    struct counted *p = counted_in(s, pid);
    if (pid == RN_TRANSPORT_NULL)
        return;
    p->said |= rn_container_transport_is_discontinuous(packet);
    if (rn_container_transport_has_payload(packet)) {
        p->twice = p->begun && !p->twice && is_same(packet, p->previous);
        struct found found = {pos, known_as,
                              p->twice ? RN_BREAK_NONE : step_to(s, packet, pid, pos)};
        if (has_lost_beginning(p, packet))
            found.kind = RN_BREAK_LOST;
        if (found.kind != RN_BREAK_NONE)
            enter(c, &found);
        memcpy(p->previous, packet, sizeof p->previous);
        p->pos = pos;
        p->begun = true;
        p->said = false;
        if (p->twice)
            AV_WB16(packet + 1, RN_TRANSPORT_NULL);
    }
    packet[3] = (uint8_t)((packet[3] & 0xf0) | ((packet[3] + p->added) & 0xf));
}

enum rn_container_break rn_container_continuity_take(struct rn_container_continuity *c, int pid,
                                                     int64_t pos)
{
    enum rn_container_break worst = RN_BREAK_NONE;
    int kept = 0;
    for (int i = 0; i < c->n; i++) {
        bool take = c->found[i].pid == pid && c->found[i].pos <= pos + ADDED;
        if (take && c->found[i].kind > worst)
            worst = c->found[i].kind;
        if (!take)
            c->found[kept++] = c->found[i];
    }
    c->n = kept;
    return worst;
}
