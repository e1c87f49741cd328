/* SPDX-License-Identifier: MIT */
#include "io/read/input.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"

#include <libavutil/mem.h>

struct rn_read_file {
    char *path;
    dev_t dev;
    ino_t ino;
    off_t size;
    struct timespec written;
};

int rn_read_note_file(struct rn_read_input *in, const char *path, const struct stat *st)
{
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

const char *rn_read_changed_file(const struct rn_read_input *in)
{
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

bool rn_read_has_shrunk(const struct rn_read_input *in)
{
    struct stat st;
    bool shrunk = false;
    for (int i = 0; i < in->files && !shrunk; i++)
        shrunk = rn_path_look(in->file[i].path, &st) > 0 && is_same(&in->file[i], &st) &&
                 st.st_size < in->file[i].size;
    return shrunk;
}
