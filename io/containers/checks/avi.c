/* SPDX-License-Identifier: MIT */
/* AVI: chunks of RIFF. */
#include "io/containers/checks/checks.h"

#include "filters/base/owned.h"
#include "io/common/read_at.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>

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
    struct rn_container_chunks riff = {.fd = fd, .size = size, .size_of = riff_size};
    while (rn_container_next_chunk(&riff))
        ;
    return riff.end != RN_CHUNKS_CUT;
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
    struct rn_container_chunks chunk = {.fd = in->fd, .size = in->size, .size_of = chunk_size};
    while (rn_container_next_chunk(&chunk))
        ;
    if (chunk.end != RN_CHUNKS_WHOLE && chunk.n >= 8 && chunk.pos > 0 &&
        has_index(in->fd, chunk.pos))
        rn_container_add_missing(damage, 1,
                                 "there are bytes in the file that its chunks do not count");
}
