/* SPDX-License-Identifier: MIT */
#include "io/read/source.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "io/read/source_internal.h"

#include <fcntl.h>

#include <libavutil/intreadwrite.h>
#include <libavutil/md5.h>

#define MIB   (1 << 20)
#define PIECE 4096 /* bytes of each of many files */

struct rn_read_file {
    char *path;
    dev_t dev;
    ino_t ino;
    off_t size;
    struct timespec written;
};

int rn_read_note_file(struct rn_read_input *in, const char *path, const struct stat *st)
{
    struct stat now;
    if (!st && stat(path, &now))
        return 0;
    st = st ? st : &now;
    const struct rn_read_file file = {av_strdup(path), st->st_dev, st->st_ino, st->st_size,
                                      st->st_mtim};
    if (file.path &&
        av_dynarray2_add((void **)&in->file, &in->files, sizeof file, (const uint8_t *)&file))
        return 0;
    av_free(file.path);
    return rn_fail_memory();
}

void rn_read_forget_files(struct rn_read_input *in)
{
    for (int i = 0; i < in->files; i++)
        av_free(in->file[i].path);
    av_freep(&in->file);
    in->files = 0;
}

static bool is_same(const struct rn_read_file *f, const struct stat *st)
{
    return f->dev == st->st_dev && f->ino == st->st_ino;
}

bool rn_read_has_file(const struct rn_read_input *in, const struct stat *st)
{
    for (int i = 0; i < in->files; i++)
        if (is_same(&in->file[i], st))
            return true;
    return false;
}

const char *rn_read_changed(const struct rn_read_source *source)
{
    const struct rn_read_input *in = source->in;
    struct stat st;
    for (int i = 0; i < in->files; i++) {
        const struct rn_read_file *f = &in->file[i];
        if (rn_path_look(f->path, &st) <= 0)
            continue;
        bool other = !is_same(f, &st) && in->files > RN_HELD_FILES;
        if (other ||
            (is_same(f, &st) && (st.st_size != f->size || st.st_mtim.tv_sec != f->written.tv_sec ||
                                 st.st_mtim.tv_nsec != f->written.tv_nsec)))
            return f->path;
    }
    return NULL;
}

/* Adds three pieces of a file. */
static int sign_file(const struct rn_read_file *f, size_t piece, struct AVMD5 *md5, uint8_t *buf)
{
    RN_OWNED(rn_close_owned) int fd = open(f->path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : 0;
    for (int i = 0; i < 3 && n >= 0; i++) {
        off_t at = (f->size - (off_t)piece) / 2 * i;
        n = pread(fd, buf, piece, at > 0 ? at : 0);
        av_md5_update(md5, buf, n > 0 ? (size_t)n : 0);
    }
    return n < 0 ? rn_fail(RN_EINPUT, "cannot read '%s': %s", f->path, strerror(errno)) : 0;
}

int rn_read_sign(const struct rn_read_source *source, char text[RN_DIGEST])
{
    const struct rn_read_input *in = source->in;
    RN_OWNED(av_freep) struct AVMD5 *md5 = av_md5_alloc();
    RN_OWNED(av_freep) uint8_t *buf = av_malloc(MIB);
    uint8_t sum[16];
    if (!in->files)
        return rn_fail(RN_EUSAGE, "INPUT is no file: nothing tells later whether it is the same");
    if (!md5 || !buf)
        return rn_fail_memory();
    int err = 0;
    av_md5_init(md5);
    for (int i = 0; i < in->files && !err; i++) {
        AV_WL64(sum, (uint64_t)in->file[i].size);
        AV_WL64(sum + 8, (uint64_t)in->file[i].written.tv_sec); /* copies may keep no more */
        av_md5_update(md5, sum, 16);
        bool few = i == 0 || i == in->files / 2 || i == in->files - 1;
        err = sign_file(&in->file[i], few ? MIB : PIECE, md5, buf);
    }
    av_md5_final(md5, sum);
    rn_io_digest_text(sum, text);
    return err;
}

bool rn_read_has_shrunk(const struct rn_read_input *in)
{
    struct stat st;
    bool shrunk = false;
    for (int i = 0; i < in->files && !shrunk; i++)
        shrunk = rn_path_look(in->file[i].path, &st) > 0 && is_same(&in->file[i], &st) &&
                 st.st_size < in->file[i].size;
    return shrunk;
}
