/* SPDX-License-Identifier: MIT */
/* GIF: blocks. Browsers and editors accept files at which libav's parser and decoder fail: without
 * a trailer, with bytes behind it, or with a comment between it and the last picture. */
#include "io/common/read_at.h"
#include "io/containers/checks/checks.h"
#include "io/containers/file.h"

#include <libavutil/intreadwrite.h>

#define EXTENSION 0x21
#define IMAGE     0x2c
#define TRAILER   0x3b
#define HEADER    13 /* bytes of signature and screen, without colours */

/* Bytes of a file or of memory at any position. */
struct bytes {
    int fd; /* < 0: data is all there is */
    const uint8_t *data;
    int64_t base, n; /* data holds the n bytes from base on */
    uint8_t buf[1 << 14];
};

/* < 0: behind the end. */
static int byte_at(struct bytes *b, int64_t pos)
{
    if (b->fd >= 0 && (pos < b->base || pos >= b->base + b->n)) {
        b->base = pos;
        b->n = rn_io_read_at(b->fd, b->buf, sizeof b->buf, pos);
    }
    return pos >= b->base && pos < b->base + b->n ? b->data[pos - b->base] : -1;
}

/* Bytes of the colours that these flags announce. */
static int colours(int flags)
{
    return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
}

/* Behind the chain of sub-blocks at pos; < 0: it has no end. */
static int64_t behind_chain(struct bytes *b, int64_t pos)
{
    int n;
    while ((n = byte_at(b, pos)) > 0)
        pos += 1 + n;
    return n < 0 ? -1 : pos + 1;
}

/* Behind the block at pos; < 0: it has no end. */
static int64_t behind_block(struct bytes *b, int64_t pos)
{
    if (byte_at(b, pos) == EXTENSION)
        return behind_chain(b, pos + 2);
    int flags = byte_at(b, pos + 9);
    return flags < 0 ? -1 : behind_chain(b, pos + 11 + colours(flags));
}

static bool is_block(int label)
{
    return label == EXTENSION || label == IMAGE;
}

/* Behind the header at pos, and its colours; < 0: there is none. */
static int64_t behind_header(struct bytes *b, int64_t pos)
{
    int flags = byte_at(b, pos) == 'G' ? byte_at(b, pos + HEADER - 3) : -1;
    return flags < 0 ? -1 : pos + HEADER + colours(flags);
}

/* Checks that whole blocks reach to the trailer, or to the end. */
bool rn_container_gif_is_complete(int fd, int64_t size)
{
    struct bytes b = {.fd = fd};
    b.data = b.buf;
    int64_t pos = behind_header(&b, 0);
    while (pos >= 0 && is_block(byte_at(&b, pos)))
        pos = behind_block(&b, pos);
    int label = pos < 0 ? 0 : byte_at(&b, pos);
    return label == TRAILER || label < 0;
}

/* Counts the images of the GIF and of those that follow in the file, up to the first other byte.
 * How much libav reads of GIFs joined with cat depends on where they meet. */
static int64_t count_images(int fd)
{
    struct bytes b = {.fd = fd};
    int64_t n = 0;
    b.data = b.buf;
    int64_t pos = behind_header(&b, 0);
    while (pos >= 0) {
        int label = byte_at(&b, pos);
        if (!is_block(label) && label != TRAILER)
            break;
        pos = label == TRAILER ? behind_header(&b, pos + 1) : behind_block(&b, pos);
        n += label == IMAGE && pos >= 0;
    }
    return n;
}

void rn_container_gif_find_missing(const struct rn_container_input *in, struct rn_io_damage *damage)
{
    if (in->from_start)
        rn_container_add_missing(damage, count_images(in->fd) - in->read, RN_CONTAINER_LOST_IMAGES);
}

/* Netscape's extension counts repeats; without it the pictures are shown once. */
int rn_container_gif_loop_count(const uint8_t *head, int n)
{
    static const char mark[] = "\x21\xff\x0bNETSCAPE2.0\x03\x01";
    const size_t size = sizeof mark - 1;
    const uint8_t *found = rn_container_find(head, n - 2, mark, size);
    int repeats = found ? AV_RL16(found + size) : 0;
    return !found ? 1 : repeats ? repeats + 1 : RN_LOOP_FOREVER;
}

bool rn_container_gif_holds_picture(const uint8_t *data, size_t size)
{
    struct bytes b = {.fd = -1, .data = data, .n = (int64_t)size};
    int64_t pos = byte_at(&b, 0) == 'G' ? behind_header(&b, 0) : 0;
    while (pos >= 0 && byte_at(&b, pos) == EXTENSION)
        pos = behind_block(&b, pos);
    int label = pos < 0 ? -1 : byte_at(&b, pos);
    return label >= 0 && label != TRAILER;
}
