/* SPDX-License-Identifier: MIT */
#include "io/containers/file.h"

#include "io/common/read_at.h"
#include "io/containers/checks/checks.h"

#include <sys/stat.h>

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
    return codec == AV_CODEC_ID_PNG && size > 8     ? rn_container_png_is_complete(data, size)
           : codec == AV_CODEC_ID_MJPEG && size > 4 ? jpeg_is_complete(data, size)
                                                    : true;
}
