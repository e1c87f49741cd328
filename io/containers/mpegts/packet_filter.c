/* SPDX-License-Identifier: MIT */
#include "io/containers/mpegts/packet_filter.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/error.h>
#include <libavutil/mem.h>

#include "io/common/read_at.h"
#include "io/containers/checks/checks.h"

#define BUFFER (1 << 16)

struct transport {
    AVIOContext *inner;
    struct rn_container_program_change *change;
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
    int known_as = rn_container_program_change_pass(t->change, packet, pos);
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
    rn_container_program_change_seek(t->change, pos);
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

AVIOContext *rn_container_transport_open(AVIOContext *io)
{
    uint8_t head[3 * RN_TRANSPORT_LARGEST];
    int n = avio_read(io, head, sizeof head);
    int stride = avio_seek(io, 0, SEEK_SET) >= 0 && n == sizeof head ? stride_of(head, 3) : 0;
    struct transport *t = stride ? av_mallocz(sizeof *t) : NULL;
    uint8_t *buf = t ? av_malloc(BUFFER) : NULL;
    AVIOContext *outer = NULL;
    if (!buf)
        goto fail;
    t->inner = io;
    t->stride = stride;
    t->change = rn_container_program_change_create();
    t->continuity = rn_container_continuity_create();
    if (t->change && t->continuity)
        outer =
            avio_alloc_context(buf, BUFFER, 0, t, read_packets, NULL, io->seekable ? seek : NULL);
    if (!outer)
        goto fail;
    outer->seekable = io->seekable;
    return outer;
fail:
    av_free(buf);
    if (t) {
        rn_container_program_change_destroy(&t->change);
        rn_container_continuity_destroy(&t->continuity);
    }
    av_free(t);
    return NULL;
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
    rn_container_program_change_destroy(&t->change);
    rn_container_continuity_destroy(&t->continuity);
    av_free(t);
    av_freep(&(*transport)->buffer);
    avio_context_free(transport);
}
