/* SPDX-License-Identifier: MIT */
/* FLV: tags, and behind each its length. */
#include "io/containers/checks/checks.h"

#include "io/common/read_at.h"

#include <string.h>
#include <unistd.h>

#include <libavutil/intfloat.h>
#include <libavutil/intreadwrite.h>

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
