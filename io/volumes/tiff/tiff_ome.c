/* SPDX-License-Identifier: MIT */
/* Finds the planes of an OME-TIFF: pages of one file, or of several in one folder. */
#include "filters/base/log.h"
#include "filters/base/owned.h"
#include "filters/base/text/plural.h"
#include "io/volumes/layout.h"
#include "io/volumes/tiff/tiff_list.h"

#include <stdio.h>
#include <string.h>

#include <libavutil/avstring.h>
#include <libavutil/mem.h>

#define MAX_TEXT (64 << 20)

/* ---- the XML, here or in another file */

static char *read_text(const char *path, size_t *size)
{
    struct stat st;
    RN_OWNED(rn_vol_bytes_close) struct rn_vol_bytes *bytes = NULL;
    if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_size > MAX_TEXT ||
        rn_vol_bytes_open(&bytes, path, 0, RN_PACKING_NONE))
        return NULL;
    char *text = av_malloc((size_t)st.st_size + 1);
    *size = text ? rn_vol_bytes_read(bytes, 0, text, (size_t)st.st_size) : 0;
    return text;
}

/* Reads the XML from the companion file that the first page names. */
static int read_companion(struct rn_vol_tiff_list *l, const char *input, const char *series)
{
    RN_OWNED(av_freep) char *path = rn_vol_sibling(l->names.path[0], l->ome.metadata);
    if (!path)
        return RN_EINPUT;
    size_t size = 0;
    RN_OWNED(av_freep) char *text = read_text(path, &size);
    rn_vol_ome_free(&l->ome);
    int err = text ? rn_vol_ome_read(&l->ome, text, size, input, series)
                   : rn_fail(RN_EINPUT, "'%s': its description is in '%s', which cannot be read",
                             input, path);
    if (!err && !l->ome.known)
        err = rn_fail(RN_EINPUT, "'%s': '%s' does not describe it", input, path);
    return err;
}

/* ---- files */

/* Returns the index of a named file, which is added if it is new; -1 on failure (logged). */
static int add_file(struct rn_vol_tiff_list *l, const char *name)
{
    RN_OWNED(av_freep) char *path = rn_vol_sibling(l->names.path[0], name);
    if (!path)
        return -1;
    for (int i = 0; i < l->names.n; i++)
        if (!strcmp(l->names.path[i], path))
            return i;
    if (rn_read_names_append(&l->names, rn_take_owned(&path)))
        return -1;
    rn_read_pattern_free(&l->pattern); /* which this file is not of */
    int n = l->names.n;
    if (rn_vol_tiff_list_open_file(l, n - 1) && rn_vol_tiff_list_add_pages(l))
        return -1;
    return n - 1;
}

/* Returns true if the XML names all given files. */
static bool is_whole_set(const struct rn_vol_tiff_list *l)
{
    for (int i = 1; i < l->names.n; i++) {
        bool found = false;
        for (int k = 0; k < l->ome.nfiles && !found; k++)
            found = !strcmp(av_basename(l->names.path[i]), l->ome.file[k]);
        if (!found)
            return false;
    }
    return true;
}

/* ---- planes */

const enum rn_vol_axis rn_vol_ome_order[RN_AXES] = {RN_AXIS_CHANNEL, RN_AXIS_SLICE, RN_AXIS_TIME};

/* Converts an index in rn_vol_ome_order to one in the file's axis order. */
static int64_t file_plane(const struct rn_vol_ome *o, int64_t i)
{
    int64_t at[RN_AXES], index = 0;
    for (int k = 0; k < RN_AXES; k++) {
        at[rn_vol_ome_order[k]] = i % o->n[rn_vol_ome_order[k]];
        i /= o->n[rn_vol_ome_order[k]];
    }
    for (int k = RN_AXES - 1; k >= 0; k--)
        index = index * o->n[o->axis_order[k]] + at[o->axis_order[k]];
    return index;
}

static int take_planes(struct rn_vol_tiff_list *l, const char *input, const int *file)
{
    int n = (int)(l->ome.n[0] * l->ome.n[1] * l->ome.n[2]), missing = 0;
    RN_OWNED(av_freep) struct rn_vol_tiff_leaf *leaf = av_calloc((size_t)n, sizeof *leaf);
    RN_OWNED(av_freep) int *begin = av_malloc_array((size_t)l->names.n, sizeof *begin);
    if (!leaf || !begin)
        return rn_fail_memory();
    for (int i = 0; i < l->names.n; i++)
        begin[i] = -1;
    for (int i = l->n - 1; i >= 0; i--)
        begin[l->leaf[i].file] = i;
    for (int i = 0; i < n; i++) {
        const struct rn_vol_ome_plane *p = &l->ome.plane[file_plane(&l->ome, i)];
        int from = p->file < 0 ? -1 : file[p->file];
        int at = from < 0 || begin[from] < 0 || p->page >= l->n - begin[from]
                     ? -1
                     : begin[from] + p->page;
        bool found = at >= 0 && l->leaf[at].file == from;
        leaf[i] = found ? l->leaf[at]
                        : (struct rn_vol_tiff_leaf){
                              .file = from < 0 ? 0 : from, .number = p->page, .bad = true};
        missing += !found;
    }
    if (l->ome.images == 1 && l->n > n - missing)
        l->surplus = l->n - (n - missing);
    rn_vol_tiff_list_replace(l, rn_take_owned(&leaf), n);
    if (missing) {
        char what[300];
        snprintf(what, sizeof what, "'%.180s' counts %d picture%s, of which %d %s not there", input,
                 n, rn_plural(n), missing, rn_is_or_are(missing));
        l->missing = 0; /* count them once */
        *l->what = '\0';
        rn_vol_tiff_list_note_missing(l, missing, what);
    }
    return 0;
}

int rn_vol_tiff_list_take_ome(struct rn_vol_tiff_list *l, const char *input, const char *series)
{
    char *text = NULL;
    int err = 0;
    if (l->n && rn_vol_tiff_list_go(l, 0) &&
        TIFFGetField(l->tif, TIFFTAG_IMAGEDESCRIPTION, &text) && text)
        err = rn_vol_ome_read(&l->ome, text, strlen(text), input, series);
    if (!err && l->ome.metadata)
        err = read_companion(l, input, series);
    if (!err && l->ome.known && !is_whole_set(l))
        l->ome.known = false; /* the files belong to several sets */
    if (!err && series && !l->ome.known)
        err = rn_fail(RN_EUSAGE,
                      "--series %s: '%s' holds one image: there is nothing to choose with it",
                      series, input);
    if (err || !l->ome.known)
        return err;
    RN_OWNED(av_freep) int *file = av_calloc((size_t)l->ome.nfiles + 1, sizeof *file);
    if (!file)
        return rn_fail_memory();
    for (int i = 1; i <= l->ome.nfiles && !err; i++) {
        file[i] = add_file(l, l->ome.file[i - 1]);
        err = file[i] < 0 ? RN_EINPUT : 0;
    }
    return err ? err : take_planes(l, input, file);
}
