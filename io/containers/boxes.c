#include "io/containers/boxes.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>

/* 0: there is none, or it reaches to the end of the file, which *last says. */
static int64_t size_of(int fd, int64_t pos, uint8_t head[16], bool *last)
{
    memset(head, 0, 16);
    ssize_t n = pread(fd, head, 16, pos);
    *last = n == 0 || (n >= 8 && !AV_RB32(head) && AV_RB32(head + 4));
    if (n < 8)
        return 0;
    return AV_RB32(head) == 1 && n == 16 ? (int64_t)AV_RB64(head + 8) : AV_RB32(head);
}

static bool give(int fd, int64_t pos, size_t size, rn_container_box_fn *each, void *arg)
{
    uint8_t *box = av_malloc(size);
    bool whole = box && pread(fd, box, size, pos) == (ssize_t)size;
    bool more = !whole || each(arg, box, size);
    av_free(box);
    return more;
}

bool rn_container_boxes_each(const char *path, const char *type, int64_t most,
                             rn_container_box_fn *each, void *arg)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    uint8_t head[16];
    int64_t size;
    bool more = fd >= 0, last = false;
    for (int64_t pos = 0; more && (size = size_of(fd, pos, head, &last)) >= 8; pos += size)
        if (rn_container_box_is(head, type) && size <= most)
            more = give(fd, pos, (size_t)size, each, arg);
    if (fd >= 0)
        close(fd);
    return !more || last;
}

int64_t rn_container_boxes_size(const char *path, const char *type)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    uint8_t head[16];
    int64_t size, sum = 0, most = INT64_MAX / 2;
    bool last = false;
    for (int64_t pos = 0;
         fd >= 0 && (size = size_of(fd, pos, head, &last)) >= 8 && size < most - pos; pos += size)
        sum += rn_container_box_is(head, type) ? size : 0;
    if (last && rn_container_box_is(head, type))
        sum = 0;
    if (fd >= 0)
        close(fd);
    return sum;
}
