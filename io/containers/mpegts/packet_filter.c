/* SPDX-License-Identifier: MIT */
#include "io/containers/mpegts/packet_filter.h"

#include "io/common/read_at.h"
#include "io/containers/checks/checks.h"

#include <libavutil/crc.h>
#include <libavutil/error.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>

#define BUFFER       (1 << 16)
#define MAX_STREAMS  32 /* of a program */
#define MAX_PROGRAMS 64

/* ---- a program that goes on under other PIDs: recordings that were joined with cat, and what
 * broadcasters do between two shows. To libav the pictures and the sound would end, and new
 * streams begin. Here the packets get the PIDs back under which the program began, before libav
 * sees them: each takes the place of a stream of its type that is no longer listed. */

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

struct program_change {
    bool is_table[RN_TRANSPORT_PIDS];
    uint16_t map[RN_TRANSPORT_PIDS]; /* in effect; 0: unchanged */
    struct table first[MAX_PROGRAMS];
    int nfirst;
    struct change *changes; /* in the order of the file */
    int n;
};

/* ---- what is in effect */

static const struct change *last_of(const struct program_change *c, int number, int64_t pos)
{
    const struct change *last = NULL;
    for (int i = 0; i < c->n && c->changes[i].pos <= pos; i++)
        if (c->changes[i].number == number)
            last = &c->changes[i];
    return last;
}

static void apply(struct program_change *c, int64_t pos)
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

static bool insert(struct program_change *c, const struct change *change)
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

static void write_pid(const struct program_change *c, uint8_t *at)
{
    int pid = AV_RB16(at) & 0x1fff;
    if (c->map[pid])
        AV_WB16(at, (AV_RB16(at) & 0xe000) | c->map[pid]);
}

/* The table lists the PIDs that the streams get. */
static void rewrite(const struct program_change *c, uint8_t *s, int length)
{
    write_pid(c, s + 8); /* of the clock */
    for (int i = 12 + (AV_RB16(s + 10) & 0xfff); i + 5 <= length - 4;) {
        write_pid(c, s + i + 1);
        i += 5 + (AV_RB16(s + i + 3) & 0xfff);
    }
    const AVCRC *crc = av_crc_get_table(AV_CRC_32_IEEE);
    AV_WL32(s + length - 4, av_crc(crc, UINT32_MAX, s, (size_t)length - 4));
}

static void read_streams(struct program_change *c, uint8_t *packet, int64_t pos)
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

/* Learns of the next packet (188 bytes), which stands at pos in the file, and gives it the PID that
 * libav is to see, which is returned. */
static int change_pass(struct program_change *c, uint8_t *packet, int64_t pos)
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

/* ---- the transport */

struct transport {
    AVIOContext *inner;
    struct program_change change;
    struct rn_container_continuity *continuity;
    int stride;  /* from packet to packet */
    int64_t pos; /* in the file, of what is read next */
    uint8_t rest[2 * RN_TRANSPORT_LARGEST];
    int nrest;                    /* bytes read behind the last whole packet */
    bool held[RN_TRANSPORT_PIDS]; /* packets of it with a payload were read */
};

static void pass(struct transport *t, uint8_t *packet, int64_t pos)
{
    int pid = rn_container_transport_pid(packet);
    int known_as = change_pass(&t->change, packet, pos);
    rn_container_continuity_pass(t->continuity, packet, pid, known_as, pos);
    t->held[known_as] |= rn_container_transport_has_payload(packet);
}

/* Passes the packets in n bytes and returns how many bytes are done. Cut packets wait for more, and
 * so does a packet without a next one, which would prove where it begins. */
static int pass_all(struct transport *t, uint8_t *buf, int n)
{
    int i = 0;
    while (i + t->stride < n)
        if (buf[i] == RN_TRANSPORT_SYNC && buf[i + t->stride] == RN_TRANSPORT_SYNC) {
            pass(t, buf + i, t->pos + i);
            i += t->stride;
        } else {
            i++;
        }
    return i;
}

/* Keeps the rest for the next call: no more than a packet, see pass_all. */
static void keep(struct transport *t, const uint8_t *buf, int n)
{
    memcpy(t->rest, buf, (size_t)n);
    t->nrest = n;
}

/* Does not wait for a full buffer: a recording may be live. */
static int read_packets(void *opaque, uint8_t *buf, int size)
{
    struct transport *t = opaque;
    int n = t->nrest, got = 0, done = 0;
    memcpy(buf, t->rest, (size_t)n);
    while (!done && n < size) {
        got = avio_read_partial(t->inner, buf + n, size - n);
        if (got <= 0)
            break;
        n += got;
        done = pass_all(t, buf, n);
    }
    if (!done && (!n || got == AVERROR(EAGAIN))) {
        keep(t, buf, n);
        return got < 0 ? got : AVERROR_EOF;
    }
    if (!done) { /* the end */
        if (n >= RN_TRANSPORT_PACKET && buf[0] == RN_TRANSPORT_SYNC)
            pass(t, buf, t->pos);
        done = n;
    }
    keep(t, buf + done, n - done);
    t->pos += done;
    return done;
}

static int64_t seek(void *opaque, int64_t offset, int whence)
{
    struct transport *t = opaque;
    if (whence & AVSEEK_SIZE)
        return avio_size(t->inner);
    if (whence != SEEK_SET)
        return AVERROR(EINVAL);
    int64_t pos = avio_seek(t->inner, offset, SEEK_SET);
    if (pos < 0)
        return pos;
    t->pos = pos;
    t->nrest = 0;
    apply(&t->change, pos);
    rn_container_continuity_seek(t->continuity);
    return pos;
}

/* Returns the stride of packets in a file that begins with head, by `packets` of them; 0: none. */
static int stride_of(const uint8_t *head, int packets)
{
    static const int strides[] = {RN_TRANSPORT_PACKET, 192, RN_TRANSPORT_LARGEST};
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        const uint8_t *first = head + (strides[i] == 192 ? 4 : 0);
        int n = 0;
        while (n < packets && first[n * strides[i]] == RN_TRANSPORT_SYNC)
            n++;
        if (n == packets)
            return strides[i];
    }
    return 0;
}

/* Returns true if the file is whole packets. */
bool rn_container_mpegts_is_complete(int fd, int64_t size)
{
    uint8_t head[4 + 2 * RN_TRANSPORT_LARGEST];
    bool begins = rn_io_read_at(fd, head, sizeof head, 0) == (ssize_t)sizeof head;
    int stride = begins ? stride_of(head, 2) : 0;
    return !stride || size % stride == 0;
}

static void destroy(struct transport **t)
{
    if (!*t)
        return;
    av_free((*t)->change.changes);
    free((*t)->continuity);
    av_freep(t);
}

AVIOContext *rn_container_transport_open(AVIOContext *io)
{
    uint8_t head[3 * RN_TRANSPORT_LARGEST];
    int n = avio_read(io, head, sizeof head);
    int stride = avio_seek(io, 0, SEEK_SET) >= 0 && n == sizeof head ? stride_of(head, 3) : 0;
    RN_OWNED(destroy) struct transport *t = stride ? av_mallocz(sizeof *t) : NULL;
    RN_OWNED(av_freep) uint8_t *buf = t ? av_malloc(BUFFER) : NULL;
    AVIOContext *outer = NULL;
    if (!buf)
        return NULL;
    t->inner = io;
    t->stride = stride;
    t->continuity = rn_container_continuity_create();
    if (t->continuity)
        outer =
            avio_alloc_context(buf, BUFFER, 0, t, read_packets, NULL, io->seekable ? seek : NULL);
    if (!outer)
        return NULL;
    outer->seekable = io->seekable;
    buf = NULL; /* the context holds both */
    t = NULL;
    return outer;
}

enum rn_container_break rn_container_transport_take(AVIOContext *transport, int pid, int64_t pos)
{
    const struct transport *t = transport->opaque;
    return rn_container_continuity_take(t->continuity, pid, pos);
}

bool rn_container_transport_holds(AVIOContext *transport, int pid)
{
    const struct transport *t = transport->opaque;
    int64_t here = avio_tell(transport);
    uint8_t passed[4096];
    if (pid < 0 || pid >= RN_TRANSPORT_PIDS || !transport->seekable)
        return true;
    while (!t->held[pid] && avio_read(transport, passed, sizeof passed) > 0)
        ;
    return avio_seek(transport, here, SEEK_SET) != here || t->held[pid];
}

void rn_container_transport_close(AVIOContext **transport)
{
    struct transport *t = *transport ? (*transport)->opaque : NULL;
    if (!t)
        return;
    destroy(&t);
    av_freep(&(*transport)->buffer);
    avio_context_free(transport);
}
