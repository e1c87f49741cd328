/* SPDX-License-Identifier: MIT */
#include "io/containers/file.h"

#include "filters/base/owned.h"
#include "io/common/ledger.h"
#include "io/common/read_at.h"
#include "io/containers/checks/checks.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libavutil/common.h>
#include <libavutil/intfloat.h>
#include <libavutil/intreadwrite.h>

#define LOOP_HEAD 4096 /* bytes; loops are counted in front of the first picture */

/* Returns < 0 for all but regular files that can be read. */
static int open_regular(const char *path, int64_t *size)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fd;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
        *size = st.st_size;
        return fd;
    }
    close(fd);
    return -1;
}

bool rn_container_file_is_complete(const struct rn_container *container, const char *path)
{
    int64_t size;
    RN_OWNED(rn_close_owned) int fd = container->is_complete ? open_regular(path, &size) : -1;
    return fd < 0 || container->is_complete(fd, size);
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

bool rn_container_file_is_filled(const struct rn_container *container, const char *path,
                                 int64_t end)
{
    int64_t size;
    RN_OWNED(rn_close_owned) int fd = container->end_marks ? open_regular(path, &size) : -1;
    return fd >= 0 && rn_container_is_filled(container, fd, end);
}

int64_t rn_container_file_first_hole(const struct rn_container *container, const char *path)
{
    int64_t size;
    RN_OWNED(rn_close_owned) int fd = open_regular(path, &size);
    return fd >= 0 ? container->first_hole(fd, size) : INT64_MAX;
}

void rn_container_file_find_missing(const struct rn_container *container, const char *path,
                                    struct rn_container_input *in, struct rn_io_damage *damage)
{
    in->fd = container->is_joined || container->find_missing ? open_regular(path, &in->size) : -1;
    if (in->fd < 0)
        return;
    if (container->is_joined && container->is_joined(in))
        rn_container_add_joined(damage);
    if (container->find_missing)
        container->find_missing(in, damage);
    close(in->fd);
}

int rn_container_loop_count(const AVFormatContext *fmt)
{
    const struct rn_container *container = rn_container_of_input(fmt);
    AVIOContext *pb = fmt->pb;
    uint8_t head[LOOP_HEAD];
    if (!pb || !container->loop_count)
        return 0;
    int64_t here = avio_tell(pb), buffered = pb->buf_end - pb->buffer;
    bool again = pb->seekable & AVIO_SEEKABLE_NORMAL;
    if (!again && buffered > pb->pos)
        buffered = pb->pos;
    int n = again || buffered > LOOP_HEAD ? LOOP_HEAD : (int)buffered;
    if (avio_seek(pb, 0, SEEK_SET) != 0)
        return 0;
    n = avio_read(pb, head, n);
    if (avio_seek(pb, here, SEEK_SET) != here || n <= 0)
        return 0;
    return container->loop_count(head, n);
}

/* Segments have lengths up to the first scan; behind it an end marker has to follow. Thumbnails,
 * with end markers of their own, lie inside segments. */
static bool jpeg_is_complete(const uint8_t *p, size_t size)
{
    size_t pos = 2;
    while (pos + 4 <= size && p[pos] == 0xff && p[pos + 1] != 0xda) {
        bool alone = p[pos + 1] == 0xff || p[pos + 1] == 0x01; /* fill byte, TEM */
        pos += alone ? 1 + (p[pos + 1] == 0x01) : 2u + AV_RB16(p + pos + 2);
    }
    for (size_t i = size; i > pos + 2; i--)
        if (p[i - 2] == 0xff && p[i - 1] == 0xd9)
            return true;
    return false;
}

bool rn_container_image_is_complete(enum AVCodecID codec, const uint8_t *data, size_t size)
{
    if (codec == AV_CODEC_ID_PNG && size > 8)
        return rn_container_png_is_complete(data, size);
    if (codec == AV_CODEC_ID_MJPEG && size > 4)
        return jpeg_is_complete(data, size);
    return true;
}

/* ---- shared by the checks, and those of a few lines */

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

static int64_t roq_size(const uint8_t *head, int n, int64_t rest)
{
    if (n < 8 || head[1] != 0x10)
        return -1;
    return AV_RL32(head + 2) == UINT32_MAX ? 8 : 8 + (int64_t)AV_RL32(head + 2); /* the first one */
}

bool rn_container_roq_is_complete(int fd, int64_t size)
{
    struct rn_container_chunks chunk = {.fd = fd, .size = size, .size_of = roq_size};
    while (rn_container_next_chunk(&chunk))
        ;
    return chunk.end == RN_CHUNKS_WHOLE;
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
