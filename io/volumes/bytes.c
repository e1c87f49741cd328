/* SPDX-License-Identifier: MIT */
#include "io/volumes/bytes.h"

#include <ctype.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <bzlib.h>
#include <zlib.h>

#include "filters/base/text/number.h"
#include "io/common/read_at.h"
#include "io/volumes/mat/mat_worker.h"

#define INPUT         (1 << 16)
#define ROWS          64 /* read by one call */
#define BROKEN        "the compressed data is broken"
#define ENDS          "the file ends"
#define HEX_BROKEN    "its hexadecimal digits are broken"
#define MOST_UNPACKED (INT64_C(1) << 30) /* of a surplus: zeros are packed to a thousandth */

struct rn_vol_bytes {
    int fd;
    bool owned; /* the descriptor */
    int64_t offset;
    enum rn_vol_packing packing;
    const char *fault;
    struct rn_vol_mat_stream mat; /* without a path: it is none */
    char *const *paths;           /* of several files; NULL: one, as while one of them is read */
    int files, current;
    int64_t each, surplus;
    /* of packed bytes */
    z_stream z; /* its next_in and avail_in are those of every packing */
    bz_stream bz;
    enum rn_vol_sample_type type; /* of RN_PACKING_TEXT */
    uint8_t sample[8];            /* the last number of the text */
    size_t used;                  /* bytes of it that were given away */
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
    int cause = rn_vol_bytes_open(bytes, path, 0, RN_PACKING_MAT);
    if (cause)
        return cause;
    (*bytes)->fault = "libmatio cannot read it any further";
    (*bytes)->mat = (struct rn_vol_mat_stream){path, variable, picture, {.socket = -1}, -1};
    return 0;
}

void rn_vol_bytes_set(struct rn_vol_bytes *b, enum rn_vol_sample_type type, char *const *paths,
                      int n, int64_t each)
{
    b->type = type;
    b->paths = paths;
    b->files = n;
    b->each = each;
}

static bool is_deflated(const struct rn_vol_bytes *b)
{
    return b->packing >= RN_PACKING_GZIP && b->packing <= RN_PACKING_DEFLATE;
}

static void stop(struct rn_vol_bytes *b)
{
    if (b->begun && is_deflated(b))
        inflateEnd(&b->z);
    if (b->begun && b->packing == RN_PACKING_BZIP2)
        BZ2_bzDecompressEnd(&b->bz);
    b->begun = b->ended = false;
}

void rn_vol_bytes_close(struct rn_vol_bytes **bytes)
{
    struct rn_vol_bytes *b = rn_take_owned(bytes);
    if (!b)
        return;
    stop(b);
    if (b->mat.path)
        rn_io_child_end(&b->mat.child);
    if (b->owned)
        close(b->fd);
    free(b);
}

const char *rn_vol_bytes_fault(const struct rn_vol_bytes *b)
{
    return b->fault ? b->fault : ENDS;
}

bool rn_vol_bytes_broken(const struct rn_vol_bytes *b)
{
    return b->fault && !b->mat.path;
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
    static const int windows[] = {
        [RN_PACKING_GZIP] = 15 + 16, [RN_PACKING_ZLIB] = 15, [RN_PACKING_DEFLATE] = -15};
    stop(b);
    b->z = (z_stream){0};
    b->in = b->offset;
    b->out = 0;
    b->used = sizeof b->sample;
    b->begun = !is_deflated(b) || inflateInit2(&b->z, windows[b->packing]) == Z_OK;
    b->bz = (bz_stream){0};
    if (b->packing == RN_PACKING_BZIP2)
        b->begun = BZ2_bzDecompressInit(&b->bz, 0, 0) == BZ_OK;
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
        if (!refill(b)) {
            b->fault = ENDS;
            break;
        }
        int ret = inflate(&b->z, Z_NO_FLUSH);
        if (ret == Z_STREAM_END) { /* behind a gzip member: another one, or padding to ignore */
            bool more = b->packing == RN_PACKING_GZIP && refill(b) && *b->z.next_in == 0x1f;
            b->ended = !more || inflateReset(&b->z) != Z_OK;
        } else if (ret != Z_OK) {
            b->fault = BROKEN;
            b->ended = true;
        }
    }
    return n - b->z.avail_out;
}

static size_t bunzip_next(struct rn_vol_bytes *b, uint8_t *to, size_t n)
{
    b->bz.next_out = (char *)to;
    b->bz.avail_out = (unsigned)n;
    while (b->bz.avail_out && !b->ended) {
        unsigned before = b->bz.avail_out;
        bool more = refill(b); /* without: what is left of the last block */
        b->bz.next_in = (char *)(uintptr_t)b->z.next_in;
        b->bz.avail_in = b->z.avail_in;
        int ret = BZ2_bzDecompress(&b->bz);
        b->z.next_in += b->z.avail_in - b->bz.avail_in;
        b->z.avail_in = b->bz.avail_in;
        if (ret == BZ_STREAM_END) { /* as behind a gzip member */
            BZ2_bzDecompressEnd(&b->bz);
            b->begun =
                refill(b) && *b->z.next_in == 'B' && BZ2_bzDecompressInit(&b->bz, 0, 0) == BZ_OK;
            b->ended = !b->begun;
        } else if (ret != BZ_OK) {
            b->fault = BROKEN;
            b->ended = true;
        } else if (!more && before == b->bz.avail_out) {
            b->fault = ENDS;
            break;
        }
    }
    return n - b->bz.avail_out;
}

/* Returns the next character that `blank` does not skip; -1: the end. */
static int next_character(struct rn_vol_bytes *b, bool blank(int c))
{
    while (refill(b)) {
        int c = *b->z.next_in++;
        b->z.avail_in--;
        if (!blank || !blank(c))
            return c;
    }
    b->ended = true;
    return -1;
}

static bool is_blank(int c)
{
    return isspace(c) || c == ',';
}

static int hex_digit(struct rn_vol_bytes *b)
{
    int c = next_character(b, is_blank);
    if (c >= 0 && !isxdigit(c)) {
        b->fault = HEX_BROKEN;
        b->ended = true;
    }
    return b->ended ? -1 : isdigit(c) ? c - '0' : tolower(c) - 'a' + 10;
}

static size_t hex_next(struct rn_vol_bytes *b, uint8_t *to, size_t n)
{
    size_t done = 0;
    while (done < n && !b->ended) {
        int high = hex_digit(b), low = b->ended ? -1 : hex_digit(b);
        if (low >= 0)
            to[done++] = (uint8_t)(high << 4 | low);
        else if (high >= 0)
            b->fault = HEX_BROKEN; /* half a byte: a digit is lost, or one too many */
    }
    return done;
}

/* Takes a number of a text. Returns false at its end, and where there is none that the type has. */
static bool take_number(struct rn_vol_bytes *b)
{
    char word[512], *end; /* %f of the largest double has 317 */
    size_t n = 0;
    int c = next_character(b, is_blank);
    for (; c >= 0 && !is_blank(c) && n < sizeof word - 1; c = next_character(b, NULL))
        word[n++] = (char)c;
    word[n] = '\0';
    if (!n)
        return false;
    b->ended = n == sizeof word - 1 ||
               !rn_vol_sample_store(b->type, rn_number_parse(word, &end), b->sample) || *end;
    if (b->ended)
        b->fault = "its text is no number that its type holds";
    b->used = 0;
    return !b->ended;
}

static size_t text_next(struct rn_vol_bytes *b, uint8_t *to, size_t n)
{
    size_t size = (size_t)rn_vol_sample_types[b->type].bytes, done = 0;
    while (done < n && (b->used < size || (!b->ended && take_number(b))))
        to[done++] = b->sample[b->used++];
    return done;
}

static size_t unpack_next(struct rn_vol_bytes *b, uint8_t *to, size_t n)
{
    size_t got = b->packing == RN_PACKING_TEXT    ? text_next(b, to, n)
                 : b->packing == RN_PACKING_HEX   ? hex_next(b, to, n)
                 : b->packing == RN_PACKING_BZIP2 ? bunzip_next(b, to, n)
                                                  : inflate_next(b, to, n);
    b->out += (int64_t)got;
    return got;
}

static bool skip_to(struct rn_vol_bytes *b, int64_t at)
{
    uint8_t buf[1 << 14];
    if (((!b->begun && !b->ended) || at < b->out) && !start(b))
        return false;
    while (b->out < at) {
        int64_t left = at - b->out;
        if (!unpack_next(b, buf, left < (int64_t)sizeof buf ? (size_t)left : sizeof buf))
            return false;
    }
    return true;
}

/* Goes to one of several files, and counts what the one before it has too much. */
static bool go(struct rn_vol_bytes *b, char *const *paths, int file)
{
    if (b->current == file)
        return true;
    b->surplus += rn_vol_bytes_surplus(b, b->each, -1, 1, b->each);
    int fd = file < b->files ? open(paths[file], O_RDONLY | O_CLOEXEC | O_NOCTTY) : -1;
    if (fd < 0)
        return false;
    stop(b);
    close(b->fd);
    b->z.avail_in = 0;
    b->fd = fd;
    b->current = file;
    return true;
}

static size_t read_files(struct rn_vol_bytes *b, int64_t at, uint8_t *to, size_t n)
{
    char *const *paths = b->paths;
    size_t done = 0, got = 0, part = 0;
    b->paths = NULL;
    for (; done < n && got == part && go(b, paths, (int)(at / b->each)); at += (int64_t)got) {
        int64_t left = b->each - at % b->each;
        part = left < (int64_t)(n - done) ? (size_t)left : n - done;
        got = rn_vol_bytes_read(b, at % b->each, to + done, part);
        done += got;
    }
    b->paths = paths;
    return done;
}

size_t rn_vol_bytes_read(struct rn_vol_bytes *b, int64_t at, void *to, size_t n)
{
    if (b->paths)
        return read_files(b, at, to, n);
    if (b->packing == RN_PACKING_NONE)
        return read_file(b, b->offset + at, to, n);
    if (b->mat.path)
        return rn_vol_mat_read(&b->mat, at, to, n);
    if (!skip_to(b, at))
        return 0;
    size_t done = 0;
    while (done < n) { /* zlib and libbz2 count with 32 bits */
        size_t part = n - done < (1u << 30) ? n - done : 1u << 30;
        size_t got = unpack_next(b, (uint8_t *)to + done, part);
        done += got;
        if (got < part)
            break;
    }
    return done;
}

bool rn_vol_bytes_read_rows(const struct rn_vol_bytes *b, int64_t at, size_t row, int h,
                            uint8_t *to, ptrdiff_t stride)
{
    off_t from = b->offset + at;
    if (stride == (ptrdiff_t)row)
        return rn_io_read_all(b->fd, to, row * (size_t)h, from) == (ssize_t)row * h;
    for (int y = 0, n; y < h; y += n, from += (off_t)row * n) {
        struct iovec part[ROWS];
        for (n = 0; n < ROWS && y + n < h; n++)
            part[n] = (struct iovec){to + (y + n) * stride, row};
        rn_stall_beat();
        if (preadv(b->fd, part, n, from) != (ssize_t)row * n)
            return false;
    }
    return true;
}

int64_t rn_vol_bytes_behind_lines(const char *path, int64_t offset, int64_t lines)
{
    RN_OWNED(rn_vol_bytes_close) struct rn_vol_bytes *b = NULL;
    if (rn_vol_bytes_open(&b, path, offset, RN_PACKING_NONE))
        return -1;
    start(b);
    for (int c = 0; lines > 0 && c >= 0; lines -= c == '\n')
        c = next_character(b, NULL);
    return lines > 0 ? -1 : b->in - b->z.avail_in;
}

int64_t rn_vol_bytes_surplus(struct rn_vol_bytes *b, int64_t at, int64_t end, int64_t row,
                             int64_t picture)
{
    uint8_t buf[1 << 14];
    if (b->paths) /* behind the last file */
        return read_files(b, b->files * b->each, buf, 1) ? 0 : b->surplus;
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
