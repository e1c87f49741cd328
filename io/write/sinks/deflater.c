/* SPDX-License-Identifier: MIT */
#include "io/write/sinks/deflater.h"

#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "filters/base/threads/workers.h"

#include <zlib.h>

#define PIECE  ((size_t)1 << 18) /* bytes that are compressed at once */
#define WINDOW ((size_t)1 << 15) /* how far back deflate looks */

/* For scans zlib's own level, 6, takes more than twice as long as 4 for files 1 to 5 % smaller. */
#define LEVEL 4

struct piece {
    const struct rn_write_deflater_setup *setup;
    z_stream z;
    bool begun, last;
    uint8_t *in; /* `before` bytes that precede the piece, at the end of WINDOW bytes; then PIECE */
    size_t before, n;
    uint8_t *out;
    size_t out_size, size; /* of out, and of its content; 0: zlib failed */
    uLong check;           /* of the n bytes */
};

struct rn_write_deflater {
    struct rn_write_deflater_setup setup;
    struct rn_workers *workers;
    int npieces;
    int64_t pushed;
    bool headed; /* the header was put */
    uLong check;
    uint64_t taken; /* bytes */
    struct piece piece[];
};

/* ---- one piece, in any thread */

/* data NULL: of no bytes. */
static uLong check_of(const struct rn_write_deflater_setup *s, const uint8_t *data, size_t n)
{
    bool is_gzip = s->packing == RN_PACKING_GZIP;
    return is_gzip ? crc32(0, data, (uInt)n) : adler32(data != NULL, data, (uInt)n);
}

/* Compressed pieces can be joined: all but the last end at a whole byte. */
static void compress_piece(void *work)
{
    struct piece *p = work;
    const uint8_t *data = p->in + WINDOW;
    int level = p->setup->level ? p->setup->level : LEVEL;
    int ret = p->begun ? deflateReset(&p->z)
                       : deflateInit2(&p->z, level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
    p->size = 0;
    p->begun |= ret == Z_OK;
    if (ret != Z_OK ||
        (p->before && deflateSetDictionary(&p->z, data - p->before, (uInt)p->before) != Z_OK))
        return;
    p->z.next_in = (Bytef *)(uintptr_t)data;
    p->z.avail_in = (uInt)p->n;
    p->z.next_out = p->out;
    p->z.avail_out = (uInt)p->out_size;
    ret = deflate(&p->z, p->last ? Z_FINISH : Z_SYNC_FLUSH);
    p->check = check_of(p->setup, data, p->n);
    if (ret == (p->last ? Z_STREAM_END : Z_OK) && (p->last || p->z.avail_out))
        p->size = p->out_size - p->z.avail_out;
}

/* ---- the stream */

struct rn_write_deflater *rn_write_deflater_create(const struct rn_write_deflater_setup *setup)
{
    int n = setup->threads > 1 ? 2 * setup->threads + 2 : 2; /* one is being filled */
    struct rn_write_deflater *d = calloc(1, sizeof *d + (size_t)n * sizeof d->piece[0]);
    if (!d)
        return NULL;
    d->setup = *setup;
    d->npieces = n;
    d->check = check_of(setup, NULL, 0);
    d->workers = rn_workers_create(setup->threads, n - 1, compress_piece);
    bool ok = d->workers != NULL;
    for (int i = 0; i < n && ok; i++) {
        struct piece *p = &d->piece[i];
        p->setup = &d->setup;
        p->out_size = PIECE + PIECE / 8 + 1024; /* deflate stores what it cannot compress */
        p->in = malloc(WINDOW + PIECE);
        p->out = malloc(p->out_size);
        ok = p->in && p->out;
    }
    if (!ok)
        rn_write_deflater_destroy(&d);
    return d;
}

void rn_write_deflater_destroy(struct rn_write_deflater **deflater)
{
    struct rn_write_deflater *d = rn_take_owned(deflater);
    if (!d)
        return;
    rn_workers_destroy(&d->workers);
    for (int i = 0; i < d->npieces; i++) {
        if (d->piece[i].begun)
            deflateEnd(&d->piece[i].z);
        free(d->piece[i].in);
        free(d->piece[i].out);
    }
    free(d);
}

static int put_piece(struct rn_write_deflater *d, const struct piece *p)
{
    static const uint8_t gzip[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3}, zlib[] = {0x78, 0x9c};
    if (!p->size)
        return rn_fail_memory(); /* zlib has no other reason to fail */
    bool is_gzip = d->setup.packing == RN_PACKING_GZIP;
    d->check = is_gzip ? crc32_combine(d->check, p->check, (z_off_t)p->n)
                       : adler32_combine(d->check, p->check, (z_off_t)p->n);
    d->taken += p->n;
    int err = d->headed ? 0
                        : d->setup.put(d->setup.opaque, is_gzip ? gzip : zlib,
                                       is_gzip ? sizeof gzip : sizeof zlib);
    d->headed = true;
    return err ? err : d->setup.put(d->setup.opaque, p->out, p->size);
}

/* Pushes the piece that is being filled; its end is the dictionary of the next one. Puts those that
 * are done, and makes room for the next one. */
static int push(struct rn_write_deflater *d, bool last)
{
    int err = 0;
    struct piece *p = &d->piece[d->pushed % d->npieces];
    struct piece *next = &d->piece[(d->pushed + 1) % d->npieces];
    next->before = p->before + p->n < WINDOW ? p->before + p->n : WINDOW;
    next->n = 0;
    memcpy(next->in + WINDOW - next->before, p->in + WINDOW + p->n - next->before, next->before);
    p->last = last;
    rn_workers_push(d->workers, p);
    d->pushed++;
    while (!err && (p = rn_workers_pop(d->workers, last || rn_workers_are_full(d->workers))))
        err = put_piece(d, p);
    return err;
}

int rn_write_deflater_write(struct rn_write_deflater *d, const void *data, size_t n)
{
    const uint8_t *from = data;
    int err = 0;
    while (n && !err) {
        struct piece *p = &d->piece[d->pushed % d->npieces];
        size_t part = PIECE - p->n < n ? PIECE - p->n : n;
        memcpy(p->in + WINDOW + p->n, from, part);
        p->n += part;
        from += part;
        n -= part;
        if (p->n == PIECE)
            err = push(d, false);
    }
    return err;
}

int rn_write_deflater_finish(struct rn_write_deflater *d)
{
    uint8_t trailer[8];
    bool is_gzip = d->setup.packing == RN_PACKING_GZIP;
    int err = push(d, true);
    for (int i = 0; i < 4; i++) {
        trailer[i] = (uint8_t)(d->check >> 8 * (is_gzip ? i : 3 - i));
        trailer[4 + i] = (uint8_t)(d->taken >> 8 * i);
    }
    return err ? err : d->setup.put(d->setup.opaque, trailer, is_gzip ? 8 : 4);
}
