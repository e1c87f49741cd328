/* SPDX-License-Identifier: MIT */
/* ASF: objects of 16 bytes of identity and 8 of size, among them one with packets that all have the
 * size that the header says. */
#include "io/containers/checks/checks.h"

#include "io/common/read_at.h"

#include <string.h>
#include <unistd.h>

#include <libavutil/intreadwrite.h>

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
