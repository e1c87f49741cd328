#include "io/containers/plays.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include <libavutil/intreadwrite.h>

#define LOOKED_AT 4096 /* the counts stand before the first picture */

/* Netscape's extension counts repeats; without it the pictures are shown once. */
static int plays_of_gif(const uint8_t *data, int n)
{
    static const char mark[] = "\x21\xff\x0bNETSCAPE2.0\x03\x01";
    const int size = (int)sizeof mark - 1;
    for (int i = 0; i + size + 2 <= n; i++) {
        if (memcmp(data + i, mark, (size_t)size) != 0)
            continue;
        int repeats = AV_RL16(data + i + size);
        return repeats ? repeats + 1 : RN_PLAYS_FOREVER;
    }
    return 1;
}

static int plays_of_apng(const uint8_t *data, int n)
{
    for (int i = 8; i + 16 <= n;) { /* behind the signature: size, name, data, CRC */
        uint32_t size = AV_RB32(data + i);
        if (AV_RL32(data + i + 4) == MKTAG('a', 'c', 'T', 'L')) {
            uint32_t plays = AV_RB32(data + i + 12);
            return !plays || plays > INT_MAX ? RN_PLAYS_FOREVER : (int)plays;
        }
        if (size > (uint32_t)(n - i))
            break;
        i += 12 + (int)size;
    }
    return 0;
}

int rn_container_plays_read(const AVFormatContext *fmt)
{
    bool gif = !strcmp(fmt->iformat->name, "gif"), apng = !strcmp(fmt->iformat->name, "apng");
    AVIOContext *pb = fmt->pb;
    uint8_t data[LOOKED_AT];
    if (!pb || !(gif || apng))
        return 0;
    int64_t here = avio_tell(pb), buffered = pb->buf_end - pb->buffer;
    bool again = pb->seekable & AVIO_SEEKABLE_NORMAL;
    if (!again && buffered > pb->pos)
        buffered = pb->pos;
    int n = again || buffered > LOOKED_AT ? LOOKED_AT : (int)buffered;
    if (avio_seek(pb, 0, SEEK_SET) != 0)
        return 0;
    n = avio_read(pb, data, n);
    if (avio_seek(pb, here, SEEK_SET) != here || n <= 0)
        return 0;
    return gif ? plays_of_gif(data, n) : plays_of_apng(data, n);
}
