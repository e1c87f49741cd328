/* SPDX-License-Identifier: MIT */
#include "io/read/images/folder.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "io/read/images/names.h"
#include "io/read/input.h"

#include <stdlib.h>
#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/mem.h>

static int add(struct rn_read_folder *f, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    char name[16] = "";
    int i = 0;
    for (size_t k = 0; dot && dot != base && dot[1 + k] && k < sizeof name - 1; k++)
        name[k] = (char)av_tolower(dot[1 + k]);
    while (i < f->n && strcmp(f->kind[i].name, name) != 0)
        i++;
    if (i == f->n) {
        struct rn_read_folder_kind *more = av_realloc_array(f->kind, (size_t)i + 1, sizeof *more);
        if (!more)
            return rn_fail_memory();
        f->kind = more;
        f->kind[f->n++] = (struct rn_read_folder_kind){.images = rn_read_name_is_image(path)};
        memcpy(f->kind[i].name, name, sizeof name);
    }
    struct rn_read_folder_kind *k = &f->kind[i];
    av_freep(&k->last);
    k->last = av_strdup(path);
    if (!k->first)
        k->first = av_strdup(path);
    k->files++;
    return k->first && k->last ? 0 : rn_fail_memory();
}

static int most_first(const void *pa, const void *pb)
{
    const struct rn_read_folder_kind *a = pa, *b = pb;
    return a->files != b->files ? b->files - a->files : strcmp(a->name, b->name);
}

/* One decoder reads all images of a run. */
static bool is_one_sequence(const struct rn_read_folder *f)
{
    int id = AV_CODEC_ID_NONE;
    for (int i = 0; i < f->n; i++) {
        if (!f->kind[i].images)
            continue;
        int own = rn_read_name_codec(f->kind[i].first);
        if (id != AV_CODEC_ID_NONE && own != id)
            return false;
        id = own;
    }
    return id != AV_CODEC_ID_NONE;
}

int rn_read_folder_take(struct rn_read_folder *f, const char *input)
{
    struct stat st;
    struct rn_read_names names = {0};
    *f = (struct rn_read_folder){0};
    if (rn_path_look(input, &st) <= 0 || !S_ISDIR(st.st_mode) || rn_vol_array_match(input) ||
        rn_dicom_match(input) || rn_vol_tiff_match(input))
        return 0;
    int err = rn_read_names_of_input(input, RN_FOLDER_ALL, NULL, &names);
    for (int i = 0; i < names.n && !err; i++)
        err = add(f, names.path[i]);
    rn_read_names_free(&names);
    if (f->n > 1)
        qsort(f->kind, (size_t)f->n, sizeof *f->kind, most_first);
    return err ? err : f->n && !is_one_sequence(f);
}

void rn_read_folder_free(struct rn_read_folder *f)
{
    for (int i = 0; i < f->n; i++) {
        av_free(f->kind[i].first);
        av_free(f->kind[i].last);
    }
    av_freep(&f->kind);
    f->n = 0;
}
