#include "io/volumes/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "io/common/read_at.h"
#include "io/volumes/mat/mat_worker.h"

#define INPUT         (1 << 16)
#define MOST_UNPACKED (INT64_C(1) << 30) /* of a surplus: zeros are packed to a thousandth */

struct rn_vol_bytes {
    int fd;
    bool owned; /* the descriptor */
    int64_t offset;
    enum rn_vol_packing packing;
    const char *fault;
    struct rn_vol_mat_stream *mat;
    /* of packed bytes */
    z_stream z;
    bool begun, ended;
    int64_t in, out; /* offsets in the file and in unpacked bytes */
    uint8_t buf[INPUT];
};

int rn_vol_bytes_borrow(struct rn_vol_bytes **bytes, int fd, int64_t offset,
                        enum rn_vol_packing packing)
{
    struct rn_vol_bytes *b = calloc(1, sizeof *b);
    if (!b)
        return ENOMEM;
    b->fd = fd;
    b->offset = b->in = offset;
    b->packing = packing;
    *bytes = b;
    return 0;
}

int rn_vol_bytes_open(struct rn_vol_bytes **bytes, const char *path, int64_t offset,
                      enum rn_vol_packing packing)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    int cause = fd < 0 ? errno : rn_vol_bytes_borrow(bytes, fd, offset, packing);
    if (!cause)
        (*bytes)->owned = true;
    else if (fd >= 0)
        close(fd);
    return cause;
}

int rn_vol_bytes_open_mat(struct rn_vol_bytes **bytes, const char *path, int variable,
                          int64_t picture)
{
    struct rn_vol_bytes *b;
    int cause = rn_vol_bytes_open(&b, path, 0, RN_PACKING_MAT);
    if (cause)
        return cause;
    b->fault = "libmatio cannot read it any further";
    cause = rn_vol_mat_open(&b->mat, path, variable, picture);
    if (cause)
        rn_vol_bytes_close(&b);
    else
        *bytes = b;
    return cause;
}

void rn_vol_bytes_close(struct rn_vol_bytes **bytes)
{
    struct rn_vol_bytes *b = *bytes;
    if (!b)
        return;
    if (b->begun)
        inflateEnd(&b->z);
    rn_vol_mat_close(&b->mat);
    if (b->owned)
        close(b->fd);
    free(b);
    *bytes = NULL;
}

const char *rn_vol_bytes_fault(const struct rn_vol_bytes *b)
{
    return b->fault ? b->fault : "the file ends";
}

int64_t rn_vol_bytes_size(const struct rn_vol_bytes *b)
{
    struct stat st;
    return fstat(b->fd, &st) || !S_ISREG(st.st_mode) ? -1 : (int64_t)st.st_size - b->offset;
}

static size_t read_file(struct rn_vol_bytes *b, int64_t at, uint8_t *to, size_t n)
{
    size_t done = 0;
    while (done < n) {
        ssize_t got = rn_io_read_at(b->fd, to + done, n - done, (off_t)(at + (int64_t)done));
        if (got < 0)
            b->fault = "it cannot be read";
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done;
}

static bool start(struct rn_vol_bytes *b)
{
    if (b->begun)
        inflateEnd(&b->z);
    b->z = (z_stream){0};
    b->in = b->offset;
    b->out = 0;
    b->ended = false;
    static const int windows[] = {
        [RN_PACKING_GZIP] = 15 + 16, [RN_PACKING_ZLIB] = 15, [RN_PACKING_DEFLATE] = -15};
    b->begun = inflateInit2(&b->z, windows[b->packing]) == Z_OK;
    return b->begun;
}

static bool refill(struct rn_vol_bytes *b)
{
    if (b->z.avail_in)
        return true;
    b->z.next_in = b->buf;
    b->z.avail_in = (uInt)read_file(b, b->in, b->buf, sizeof b->buf);
    b->in += b->z.avail_in;
    return b->z.avail_in > 0;
}

static size_t inflate_next(struct rn_vol_bytes *b, uint8_t *to, size_t n)
{
    b->z.next_out = to;
    b->z.avail_out = (uInt)n;
    while (b->z.avail_out && !b->ended) {
        if (!refill(b))
            break;
        int ret = inflate(&b->z, Z_NO_FLUSH);
        if (ret == Z_STREAM_END) { /* behind a gzip member: another one, or padding to ignore */
            bool more = b->packing == RN_PACKING_GZIP && refill(b) && *b->z.next_in == 0x1f;
            b->ended = !more || inflateReset(&b->z) != Z_OK;
        } else if (ret != Z_OK) {
            b->fault = "the compressed data is broken";
            b->ended = true;
        }
    }
    n -= b->z.avail_out;
    b->out += (int64_t)n;
    return n;
}

static bool skip_to(struct rn_vol_bytes *b, int64_t at)
{
    uint8_t buf[1 << 14];
    if ((!b->begun || at < b->out) && !start(b))
        return false;
    while (b->out < at) {
        int64_t left = at - b->out;
        if (!inflate_next(b, buf, left < (int64_t)sizeof buf ? (size_t)left : sizeof buf))
            return false;
    }
    return true;
}

size_t rn_vol_bytes_read(struct rn_vol_bytes *b, int64_t at, void *to, size_t n)
{
    if (b->packing == RN_PACKING_NONE)
        return read_file(b, b->offset + at, to, n);
    if (b->mat)
        return rn_vol_mat_read(b->mat, at, to, n);
    if (!skip_to(b, at))
        return 0;
    size_t done = 0;
    while (done < n) { /* zlib counts with 32 bits */
        size_t part = n - done < (1u << 30) ? n - done : 1u << 30;
        size_t got = inflate_next(b, (uint8_t *)to + done, part);
        done += got;
        if (got < part)
            break;
    }
    return done;
}

int64_t rn_vol_bytes_surplus(struct rn_vol_bytes *b, int64_t at, int64_t end, int64_t row,
                             int64_t picture)
{
    uint8_t buf[1 << 14];
    int64_t size = b->packing == RN_PACKING_NONE ? rn_vol_bytes_size(b) : at + MOST_UNPACKED, n = 0;
    bool zeros = true;
    end = end < 0 || (size >= 0 && end > size) ? size : end;
    if (b->packing == RN_PACKING_NONE && end - at >= picture && end - at >= row)
        return end - at;
    for (size_t got = sizeof buf; got == sizeof buf; n += (int64_t)got) {
        int64_t left = end - at - n;
        got = left <= 0 ? 0
                        : rn_vol_bytes_read(b, at + n, buf,
                                            left < (int64_t)sizeof buf ? (size_t)left : sizeof buf);
        for (size_t i = 0; i < got; i++)
            zeros = zeros && !buf[i];
    }
    return n < row || (zeros && n < picture) ? 0 : n;
}
