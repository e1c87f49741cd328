/* SPDX-License-Identifier: MIT */
#include "io/containers/checks/checks.h"

#include "io/common/ledger.h"
#include "io/common/read_at.h"

#include <ctype.h>

#include <libavutil/common.h>
#include <libavutil/intfloat.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>

/* ---- shared by the checks */

void rn_container_add_missing(struct rn_io_damage *damage, int64_t n, const char *text)
{
    if (n <= damage->missing)
        return;
    damage->missing = n;
    rn_io_damage_note(damage, "%s", text);
}

void rn_container_add_joined(struct rn_io_damage *damage)
{
    damage->missing++;
    rn_io_damage_note(damage, "another file follows in it, which is not read: join such files "
                              "with ffmpeg -f concat");
}

const uint8_t *rn_container_find(const void *bytes, ssize_t n, const void *mark, size_t size)
{
    const uint8_t *p = bytes;
    for (; n >= (ssize_t)size; n--, p++)
        if (!memcmp(p, mark, size))
            return p;
    return NULL;
}

bool rn_container_read_tail(int fd, int64_t size, int64_t back, void *buf, size_t n)
{
    return back <= size && rn_io_read_at(fd, buf, n, size - back) == (ssize_t)n;
}

/* Packets may have a few bytes of their own before and behind what libav calls their end. */
bool rn_container_is_filled(const struct rn_container *container, int fd, int64_t end)
{
    char bytes[64];
    int64_t packet = container->packet_size ? container->packet_size(fd) : 0;
    ssize_t n = rn_io_read_at(fd, bytes, sizeof bytes, end + packet - container->elided_bytes);
    bool found = n >= 0 && n < (ssize_t)sizeof bytes;
    for (const char *const *mark = container->end_marks; *mark && !found; mark++)
        found = rn_container_find(bytes, n, *mark, strlen(*mark));
    return found;
}

bool rn_container_has_second_head(const struct rn_container_input *in)
{
    enum { HEAD = 16 };
    uint8_t head[HEAD], buf[1 << 16];
    ssize_t n = HEAD;
    bool found = false;
    /* The demuxer of RealMedia finds packets of the second file as well, but not all. */
    int64_t pos = rn_container_of_input(in->fmt)->reads_joined ? HEAD : FFMAX(in->end, HEAD);
    if (rn_io_read_at(in->fd, head, HEAD, 0) != HEAD)
        return false;
    for (; pos < in->size && n >= HEAD && !found; pos += n - HEAD + 1) {
        n = rn_io_read_at(in->fd, buf, sizeof buf, pos);
        found = rn_container_find(buf, n, head, HEAD);
    }
    return found;
}

bool rn_container_next_chunk(struct rn_container_chunks *c)
{
    if (c->end != RN_CHUNKS_WHOLE)
        return false;
    c->pos += c->length;
    c->length = 0;
    if (c->pos >= c->size)
        return false;
    memset(c->head, 0, sizeof c->head);
    c->n = (int)rn_io_read_at(c->fd, c->head, sizeof c->head, c->pos);
    if (c->n > 0)
        c->length = c->size_of(c->head, c->n, c->size - c->pos);
    if (c->length <= 0)
        c->end = RN_CHUNKS_GARBAGE;
    else if (c->length > c->size - c->pos)
        c->end = RN_CHUNKS_CUT;
    return c->n > 0;
}

struct rn_container_chunks rn_container_last_chunk(int fd, int64_t size,
                                                   rn_container_chunk_size_fn *size_of)
{
    struct rn_container_chunks c = {.fd = fd, .size = size, .size_of = size_of};
    while (rn_container_next_chunk(&c))
        continue;
    return c;
}

/* ---- RoQ, IVF, NUT */

static int64_t roq_size(const uint8_t *head, int n, int64_t rest)
{
    if (n < 8 || head[1] != 0x10)
        return -1;
    return AV_RL32(head + 2) == UINT32_MAX ? 8 : 8 + (int64_t)AV_RL32(head + 2); /* the first one */
}

bool rn_container_roq_is_complete(int fd, int64_t size)
{
    return rn_container_last_chunk(fd, size, roq_size).end == RN_CHUNKS_WHOLE;
}

/* Frames follow each other to the end of the file. */
void rn_container_ivf_find_missing(const struct rn_container_input *in, struct rn_io_damage *damage)
{
    int64_t unread = in->frames - in->read;
    if (in->end > 0 && in->size > in->end + RN_CONTAINER_IVF_HEADER)
        rn_container_add_missing(damage, in->from_start && unread > 0 ? unread : 1,
                                 "what stands behind the last frame is none");
}

/* NUT ends with an index, whose last 12 bytes are its length and a checksum. */
bool rn_container_nut_is_complete(int fd, int64_t size)
{
    uint8_t buf[8];
    if (!rn_container_read_tail(fd, size, 12, buf, 8))
        return false;
    uint64_t length = AV_RB64(buf);
    return length >= 12 && length <= (uint64_t)size &&
           rn_container_read_tail(fd, size, (int64_t)length, buf, 8) &&
           !memcmp(buf, RN_CONTAINER_NUT_INDEX, 8);
}

void rn_container_nut_find_missing(const struct rn_container_input *in, struct rn_io_damage *damage)
{
    if (rn_container_nut_is_complete(in->fd, in->size) &&
        !rn_container_is_filled(rn_container_of_input(in->fmt), in->fd, in->end))
        rn_container_add_missing(damage, 1,
                                 "what stands between the last packet and the index is none");
}

/* ---- FLV: tags, and behind each its length */

/* The size of the file as the first tag may say it, a number of AMF; 0: it does not. */
static double announced_size(int fd)
{
    static const uint8_t key[] = "\0\x8"
                                 "filesize";
    uint8_t head[4096];
    ssize_t n = rn_io_read_at(fd, head, sizeof head, 0);
    const uint8_t *found = rn_container_find(head, n - 9, key, sizeof key); /* and its type, 0 */
    return found ? av_int2double(AV_RB64(found + sizeof key)) : 0;
}

bool rn_container_flv_is_complete(int fd, int64_t size)
{
    uint8_t buf[4];
    if (announced_size(fd) > (double)size || !rn_container_read_tail(fd, size, 4, buf, 4))
        return false;
    int64_t length = AV_RB32(buf);
    return rn_container_read_tail(fd, size, 4 + length, buf, 4) &&
           (buf[0] == 8 || buf[0] == 9 || buf[0] == 18) && 11 + (int64_t)AV_RB24(buf + 1) == length;
}

/* A header of 9 bytes and the length of no tag; its fifth byte says which streams there are. */
bool rn_container_flv_is_joined(const struct rn_container_input *in)
{
    uint8_t buf[1 << 16];
    ssize_t n = rn_io_read_at(in->fd, buf, sizeof buf, in->end > 0 ? in->end : 9);
    for (ssize_t i = 0; i + 13 <= n; i++)
        if (!memcmp(buf + i, "FLV\1", 4) && !memcmp(buf + i + 5, "\0\0\0\11\0\0\0", 8))
            return true;
    return false;
}

/* ---- AVI: chunks of RIFF */

#define MAX_SEARCHED (1 << 20) /* bytes, for the index */

/* A file written to a pipe has the largest size, which means nothing. 0: never finished. */
static int64_t riff_size(const uint8_t *head, int n, int64_t rest)
{
    int64_t size = AV_RL32(head + 4);
    if (n < 8 || memcmp(head, "RIFF", 4) != 0)
        return -1;
    if (size == UINT32_MAX)
        return rest;
    if (!size || size > rest - 8)
        return rest + 1;
    return FFMIN(8 + size + (size & 1), rest);
}

/* RIFF and, beyond 1 GiB, more chunks RIFF/AVIX behind it. */
bool rn_container_avi_is_complete(int fd, int64_t size)
{
    return rn_container_last_chunk(fd, size, riff_size).end != RN_CHUNKS_CUT;
}

static int64_t chunk_size(const uint8_t *head, int n, int64_t rest)
{
    int64_t size = AV_RL32(head + 4);
    for (int i = 0; i < 4; i++)
        if (n < 8 || (!isalnum(head[i]) && head[i] != ' ' && head[i] != '_'))
            return -1;
    if (!memcmp(head, "RIFF", 4))
        return FFMIN(12, rest);
    return size > rest - 8 ? -1 : FFMIN(8 + size + (size & 1), rest);
}

static bool has_index(int fd, int64_t pos)
{
    RN_OWNED(av_freep) uint8_t *buf = av_malloc(MAX_SEARCHED);
    ssize_t n = buf ? rn_io_read_at(fd, buf, MAX_SEARCHED, pos) : 0;
    bool found = false;
    for (ssize_t i = 0; i + 8 <= n && !found; i++)
        found = !memcmp(buf + i, "idx1", 4) && AV_RL32(buf + i + 4) % 16 == 0;
    return found;
}

/* An index behind its place by the sizes of the chunks means that bytes were inserted. libav does
 * not find such an index, and skips what it cannot read. */
void rn_container_avi_find_missing(const struct rn_container_input *in, struct rn_io_damage *damage)
{
    struct rn_container_chunks chunk = rn_container_last_chunk(in->fd, in->size, chunk_size);
    if (chunk.end != RN_CHUNKS_WHOLE && chunk.n >= 8 && chunk.pos > 0 &&
        has_index(in->fd, chunk.pos))
        rn_container_add_missing(damage, 1,
                                 "there are bytes in the file that its chunks do not count");
}

/* ---- ASF: objects of 16 bytes of identity and 8 of size, among them one with packets that all
 * have the size that the header says */

#define DATA_HEAD 50 /* bytes of the object that holds the packets, before them */

static const uint8_t header_id[] = {0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11,
                                    0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C};
static const uint8_t properties_id[] = {0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11,
                                        0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65};

struct properties {
    uint64_t file_size;
    bool found, broadcast;
    int64_t packet; /* bytes */
};

static struct properties read_properties(int fd)
{
    uint8_t buf[4096];
    ssize_t n = rn_io_read_at(fd, buf, sizeof buf, 0) - (104 - (ssize_t)sizeof properties_id);
    const uint8_t *p = rn_container_find(buf, n, properties_id, sizeof properties_id);
    return p ? (struct properties){AV_RL64(p + 40), true, AV_RL32(p + 88) & 1, AV_RL32(p + 92)}
             : (struct properties){0};
}

/* A broadcast has no valid size. */
bool rn_container_asf_is_complete(int fd, int64_t size)
{
    struct properties p = read_properties(fd);
    return !p.found || p.broadcast || p.file_size <= (uint64_t)size;
}

int64_t rn_container_asf_packet_size(int fd)
{
    return read_properties(fd).packet;
}

/* Live recordings have no sizes. */
static int64_t object_size(const uint8_t *head, int n, int64_t rest)
{
    uint64_t size = n < 24 ? 0 : AV_RL64(head + 16);
    return size < 24 || size > (uint64_t)rest ? -1 : (int64_t)size;
}

/* libav passes over packets that begin with zeros, as where a disk lost blocks. */
void rn_container_asf_find_missing(const struct rn_container_input *in, struct rn_io_damage *damage)
{
    static const uint8_t none[8];
    struct rn_container_chunks object = {.fd = in->fd, .size = in->size, .size_of = object_size};
    int headers = 0;
    while (rn_container_next_chunk(&object))
        headers += object.n >= 24 && !memcmp(object.head, header_id, sizeof header_id);
    if (headers > 1)
        rn_container_add_joined(damage);
    uint8_t head[24], start[8];
    int64_t packet = read_properties(in->fd).packet, zeroed = 0;
    bool known = packet > 0 && rn_io_read_at(in->fd, head, sizeof head, 0) == (ssize_t)sizeof head;
    int64_t pos = known ? (int64_t)(AV_RL64(head + 16) & INT32_MAX) + DATA_HEAD : -1;
    for (; pos > 0 && rn_io_read_at(in->fd, start, sizeof start, pos) == (ssize_t)sizeof start;
         pos += packet)
        zeroed += !memcmp(start, none, sizeof none);
    rn_container_add_missing(damage, zeroed, "packets of the file are overwritten");
}
