/* SPDX-License-Identifier: MIT */
#include "io/containers/mpegts/packet_filter.h"

#include <string.h>

#include <libavutil/bswap.h>
#include <libavutil/crc.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>

#define MAX_STREAMS  32 /* of a program */
#define MAX_PROGRAMS 64

/* A stream of a program as its table (PMT) lists it. */
struct listed {
    int pid, type, tag; /* tag: of the first descriptor, which tells private streams apart */
};

struct table {
    int number; /* of the program */
    int n;
    struct listed stream[MAX_STREAMS];
};

/* From a place in the file on the streams of a program have other PIDs than at its beginning. */
struct change {
    int64_t pos;
    int number, n;
    uint16_t from[MAX_STREAMS], to[MAX_STREAMS];
};

struct rn_container_program_change {
    bool is_table[RN_TRANSPORT_PIDS];
    uint16_t map[RN_TRANSPORT_PIDS]; /* in effect; 0: unchanged */
    struct table first[MAX_PROGRAMS];
    int nfirst;
    struct change *changes; /* in the order of the file */
    int n;
};

/* ---- what is in effect */

static const struct change *last_of(const struct rn_container_program_change *c, int number,
                                    int64_t pos)
{
    const struct change *last = NULL;
    for (int i = 0; i < c->n && c->changes[i].pos <= pos; i++)
        if (c->changes[i].number == number)
            last = &c->changes[i];
    return last;
}

static void apply(struct rn_container_program_change *c, int64_t pos)
{
    memset(c->map, 0, sizeof c->map);
    for (int i = 0; i < c->nfirst; i++) {
        const struct change *last = last_of(c, c->first[i].number, pos);
        for (int k = 0; last && k < last->n; k++)
            c->map[last->from[k]] = last->to[k];
    }
}

static bool same(const struct change *a, const struct change *b)
{
    size_t size = (size_t)a->n * sizeof *a->from;
    if (!b)
        return a->n == 0;
    return a->n == b->n && !memcmp(a->from, b->from, size) && !memcmp(a->to, b->to, size);
}

static bool insert(struct rn_container_program_change *c, const struct change *change)
{
    struct change *list = av_realloc_array(c->changes, (size_t)c->n + 1, sizeof *list);
    if (!list)
        return false;
    c->changes = list;
    int at = c->n++;
    for (; at > 0 && list[at - 1].pos > change->pos; at--)
        list[at] = list[at - 1];
    list[at] = *change;
    return true;
}

/* ---- tables */

/* The section in a packet, with its length, where it lies in this one alone; NULL: it does not. */
static uint8_t *section_in(uint8_t *p, int table_id, int *length)
{
    int at = rn_container_transport_payload(p);
    if (!rn_container_transport_begins(p) || at >= RN_TRANSPORT_PACKET - 4)
        return NULL;
    at += 1 + p[at];
    if (at > RN_TRANSPORT_PACKET - 12 || p[at] != table_id)
        return NULL;
    *length = 3 + (AV_RB16(p + at + 1) & 0xfff);
    bool current = p[at + 5] & 1;
    return current && *length >= 12 && at + *length <= RN_TRANSPORT_PACKET ? p + at : NULL;
}

static bool read_table(struct table *t, const uint8_t *s, int length)
{
    *t = (struct table){.number = AV_RB16(s + 3)};
    for (int i = 12 + (AV_RB16(s + 10) & 0xfff); i + 5 <= length - 4;) {
        int info = AV_RB16(s + i + 3) & 0xfff;
        if (t->n == MAX_STREAMS || i + 5 + info > length - 4)
            return false;
        t->stream[t->n++] = (struct listed){.pid = AV_RB16(s + i + 1) & 0x1fff,
                                            .type = s[i],
                                            .tag = s[i] == 6 && info > 0 ? s[i + 5] : 0};
        i += 5 + info;
    }
    return true;
}

static bool same_type(const struct listed *a, const struct listed *b)
{
    return a->type == b->type && a->tag == b->tag;
}

static bool is_in(const struct table *t, const struct listed *stream)
{
    for (int i = 0; i < t->n; i++)
        if (t->stream[i].pid == stream->pid && same_type(&t->stream[i], stream))
            return true;
    return false;
}

static bool is_taken(const struct change *change, int pid)
{
    for (int i = 0; i < change->n; i++)
        if (change->to[i] == pid)
            return true;
    return false;
}

/* Each new stream takes the place of the first of its type that is gone. */
static void compare(struct change *change, const struct table *first, const struct table *current)
{
    for (int i = 0; i < current->n; i++)
        for (int k = 0; k < first->n && !is_in(first, &current->stream[i]); k++) {
            const struct listed *old = &first->stream[k];
            if (!same_type(old, &current->stream[i]) || is_in(current, old) ||
                is_taken(change, old->pid))
                continue;
            change->from[change->n] = (uint16_t)current->stream[i].pid;
            change->to[change->n++] = (uint16_t)old->pid;
            break;
        }
}

static void write_pid(const struct rn_container_program_change *c, uint8_t *at)
{
    int pid = AV_RB16(at) & 0x1fff;
    if (c->map[pid])
        AV_WB16(at, (AV_RB16(at) & 0xe000) | c->map[pid]);
}

/* The table lists the PIDs that the streams get. */
static void rewrite(const struct rn_container_program_change *c, uint8_t *s, int length)
{
    write_pid(c, s + 8); /* of the clock */
    for (int i = 12 + (AV_RB16(s + 10) & 0xfff); i + 5 <= length - 4;) {
        write_pid(c, s + i + 1);
        i += 5 + (AV_RB16(s + i + 3) & 0xfff);
    }
    const AVCRC *crc = av_crc_get_table(AV_CRC_32_IEEE);
    AV_WL32(s + length - 4, av_crc(crc, UINT32_MAX, s, (size_t)length - 4));
}

static void read_streams(struct rn_container_program_change *c, uint8_t *packet, int64_t pos)
{
    int length, i = 0;
    uint8_t *s = section_in(packet, 2, &length);
    struct table current;
    if (!s || !read_table(&current, s, length))
        return;
    while (i < c->nfirst && c->first[i].number != current.number)
        i++;
    if (i == MAX_PROGRAMS)
        return;
    if (i == c->nfirst) {
        c->first[c->nfirst++] = current;
        return;
    }
    struct change change = {.pos = pos, .number = current.number};
    compare(&change, &c->first[i], &current);
    /* Without memory the streams stay apart, which the ledger notices. */
    bool known = same(&change, last_of(c, change.number, pos));
    if ((known || insert(c, &change)) && c->n)
        apply(c, pos);
    if (change.n)
        rewrite(c, s, length);
}

/* ---- packets */

struct rn_container_program_change *rn_container_program_change_create(void)
{
    return av_mallocz(sizeof(struct rn_container_program_change));
}

int rn_container_program_change_pass(struct rn_container_program_change *c, uint8_t *packet,
                                     int64_t pos)
{
    int pid = rn_container_transport_pid(packet), length;
    const uint8_t *programs = pid == 0 ? section_in(packet, 0, &length) : NULL;
    for (int i = 8; programs && i + 4 <= length - 4; i += 4)
        if (AV_RB16(programs + i)) /* 0: the network */
            c->is_table[AV_RB16(programs + i + 2) & 0x1fff] = true;
    if (pid == 0)
        return pid;
    if (c->is_table[pid])
        read_streams(c, packet, pos);
    else
        write_pid(c, packet + 1);
    return rn_container_transport_pid(packet);
}

void rn_container_program_change_seek(struct rn_container_program_change *c, int64_t pos)
{
    apply(c, pos);
}

void rn_container_program_change_destroy(struct rn_container_program_change **change)
{
    if (*change)
        av_free((*change)->changes);
    av_freep(change);
}
