/* SPDX-License-Identifier: MIT */
/* NUT: it ends with an index, whose last 12 bytes are its length and a checksum. */
#include "io/containers/checks/checks.h"

#include <string.h>

#include <libavutil/intreadwrite.h>

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
