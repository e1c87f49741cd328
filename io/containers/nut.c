/* NUT: it ends with an index, whose last 12 bytes are its length and a checksum. */
#include "io/containers/checks.h"

#include <string.h>

#include <libavutil/intreadwrite.h>

#define INDEX "NX\xdd\x67\x2f\x23\xe6\x4e"
/* Bytes: more than a packet may leave out at its beginning, as others have them. */
#define ELIDED 16

bool rn_container_nut_is_complete(int fd, int64_t size)
{
    uint8_t buf[8];
    if (!rn_container_read_tail(fd, size, 12, buf, 8))
        return false;
    uint64_t length = AV_RB64(buf);
    return length >= 12 && length <= (uint64_t)size &&
           rn_container_read_tail(fd, size, (int64_t)length, buf, 8) && !memcmp(buf, INDEX, 8);
}

bool rn_container_nut_is_filled(int fd, int64_t end)
{
    static const char *const index[] = {INDEX, NULL};
    return rn_container_ends_or_marks(fd, end - ELIDED, index);
}

void rn_container_nut_find_missing(const struct rn_container_input *in, struct rn_io_damage *damage)
{
    if (rn_container_nut_is_complete(in->fd, in->size) &&
        !rn_container_nut_is_filled(in->fd, in->end))
        rn_container_add_missing(damage, 1,
                                 "what stands between the last packet and the index is none");
}
