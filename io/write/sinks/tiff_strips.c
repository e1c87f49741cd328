/* SPDX-License-Identifier: MIT */
#include "io/write/sinks/tiff_pages.h"

#include "filters/base/log.h"
#include "filters/base/threads/workers.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/mem.h>

/* A file in memory, for libtiff. */
struct memory {
    uint8_t *data;
    size_t size, capacity, at;
};

struct job {
    struct rn_write_tiff_strip strip;
    const struct rn_write_tiff_strips_setup *setup;
    AVFrame *page; /* a reference */
    struct memory file;
};

struct rn_write_tiff_strips {
    struct rn_write_tiff_strips_setup setup;
    struct rn_workers *workers;
    int njobs;
    int64_t pushed;
    struct job job[];
};

/* ---- a TIFF in memory */

static tmsize_t memory_write(thandle_t handle, void *data, tmsize_t size)
{
    struct memory *m = handle;
    size_t end = m->at + (size_t)size;
    if (end > m->capacity) {
        uint8_t *more = av_realloc(m->data, end + end / 4);
        if (!more) {
            errno = ENOMEM;
            return -1;
        }
        m->data = more;
        m->capacity = end + end / 4;
    }
    if (m->at > m->size)
        memset(m->data + m->size, 0, m->at - m->size);
    memcpy(m->data + m->at, data, (size_t)size);
    m->at = end;
    m->size = end > m->size ? end : m->size;
    return size;
}

static tmsize_t memory_read(thandle_t handle, void *data, tmsize_t size)
{
    struct memory *m = handle;
    size_t rest = m->at < m->size ? m->size - m->at : 0;
    size_t n = rest < (size_t)size ? rest : (size_t)size;
    if (n)
        memcpy(data, m->data + m->at, n);
    m->at += n;
    return (tmsize_t)n;
}

static toff_t memory_seek(thandle_t handle, toff_t offset, int whence)
{
    struct memory *m = handle;
    size_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? m->at : m->size;
    m->at = from + (size_t)offset;
    return m->at;
}

static int memory_close(thandle_t handle)
{
    return 0;
}

static toff_t memory_size(thandle_t handle)
{
    return ((const struct memory *)handle)->size;
}

static TIFF *open_memory(struct memory *m, struct rn_vol_tiff_log *log)
{
    TIFFOpenOptions *opts = TIFFOpenOptionsAlloc();
    if (!opts)
        return NULL;
    rn_vol_tiff_listen(opts, log);
    m->size = m->at = 0;
    TIFF *tif = TIFFClientOpenExt("memory", "wm", m, memory_read, memory_write, memory_seek,
                                  memory_close, memory_size, NULL, NULL, opts);
    TIFFOpenOptionsFree(opts);
    return tif;
}

void rn_write_tiff_withdraw(TIFF *tif)
{
    TIFFSetField(tif, TIFFTAG_COMPRESSION, COMPRESSION_NONE); /* frees the codec's memory */
    TIFFFreeDirectory(tif);
    TIFFCreateDirectory(tif);
}

/* ---- one strip */

static void compress_strip(void *piece)
{
    struct job *job = piece;
    struct rn_write_tiff_strip *strip = &job->strip;
    const AVFrame *f = job->page;
    size_t row = job->setup->row, size = row * (size_t)strip->rows;
    errno = 0;
    TIFF *tif = open_memory(&job->file, &strip->log);
    uint8_t *rows = tif ? av_malloc(size) : NULL; /* a copy, because libtiff changes its input */
    bool ok = rows && job->setup->tags(job->setup->opaque, tif, f->width, strip->rows);
    for (int i = 0; ok && i < strip->rows; i++)
        memcpy(rows + (size_t)i * row, f->data[0] + (ptrdiff_t)(strip->y + i) * f->linesize[0],
               row);
    ok = ok && TIFFWriteEncodedStrip(tif, 0, rows, (tmsize_t)size) >= 0;
    av_free(rows);
    size_t offset = ok ? TIFFGetStrileOffset(tif, 0) : 0;
    strip->size = ok ? TIFFGetStrileByteCount(tif, 0) : 0;
    if (tif) { /* after failing to get memory libtiff would stumble over a directory */
        rn_write_tiff_withdraw(tif);
        TIFFClose(tif);
    }
    strip->data = ok ? job->file.data + offset : NULL;
}

/* ---- pages */

struct rn_write_tiff_strips *
rn_write_tiff_strips_create(const struct rn_write_tiff_strips_setup *setup)
{
    int n = setup->threads > 1 ? 2 * setup->threads + 2 : 1;
    struct rn_write_tiff_strips *s = av_mallocz(sizeof *s + (size_t)n * sizeof s->job[0]);
    if (!s)
        return NULL;
    s->setup = *setup;
    s->njobs = n;
    s->workers = rn_workers_create(setup->threads, n, compress_strip);
    bool ok = s->workers != NULL;
    for (int i = 0; i < n && ok; i++) {
        s->job[i].setup = &s->setup;
        ok = (s->job[i].page = av_frame_alloc()) != NULL;
    }
    if (!ok)
        rn_write_tiff_strips_destroy(&s);
    return s;
}

void rn_write_tiff_strips_destroy(struct rn_write_tiff_strips **strips)
{
    struct rn_write_tiff_strips *s = *strips;
    if (!s)
        return;
    rn_workers_destroy(&s->workers);
    for (int i = 0; i < s->njobs; i++) {
        av_frame_free(&s->job[i].page);
        av_free(s->job[i].file.data);
    }
    av_freep(strips);
}

/* Puts the oldest strip. */
static int put_strip(struct rn_write_tiff_strips *s, const struct job *job)
{
    int err = s->setup.put(s->setup.opaque, &job->strip);
    av_frame_unref(job->page);
    return err;
}

/* Puts the strips that are compressed; with wait, all. */
static int put_ready(struct rn_write_tiff_strips *s, bool wait)
{
    const struct job *job;
    int err = 0;
    while (!err && (job = rn_workers_pop(s->workers, wait)) != NULL)
        err = put_strip(s, job);
    return err;
}

int rn_write_tiff_strips_write(struct rn_write_tiff_strips *s, const AVFrame *page)
{
    int err = 0;
    assert(page->width > 0 && (size_t)abs(page->linesize[0]) >= s->setup.row);
    for (int y = 0; !err && y < page->height; y += s->setup.rows) {
        if (rn_workers_are_full(s->workers) &&
            (err = put_strip(s, rn_workers_pop(s->workers, true))) != 0)
            break;
        struct job *job = &s->job[s->pushed % s->njobs];
        int unwritten = page->height - y;
        int rows = unwritten < s->setup.rows ? unwritten : s->setup.rows;
        if (av_frame_ref(job->page, page) < 0)
            return rn_fail_memory();
        job->strip = (struct rn_write_tiff_strip){
            .page = job->page, .y = y, .rows = rows, .last = rows == unwritten};
        rn_workers_push(s->workers, job);
        s->pushed++;
        err = put_ready(s, false);
    }
    return err;
}

int rn_write_tiff_strips_flush(struct rn_write_tiff_strips *s)
{
    return put_ready(s, true);
}
