/* SPDX-License-Identifier: MIT */
#include "io/volumes/tiff/tiff_list.h"

#include "filters/base/log.h"
#include "filters/base/output/path.h"
#include "filters/base/text/plural.h"
#include "io/common/read_at.h"
#include "io/volumes/layout.h"

#define MAX_TEXT     (64 << 20) /* bytes of OME-XML */
#define MAX_PICTURES 100000000
#define MAX_LEAVES   10000000
#define MAX_TAGS     (32 << 20) /* bytes of fields that pages have */
#define MAX_TAGGED   20000      /* pages that have some */
#define MAX_ENTRIES  4096       /* of a directory; libtiff takes no more */

/* A file that cannot be read goes by its name: its reader reports the error. */
static bool is_tiff(const char *path)
{
    struct stat st;
    char magic[4] = "";
    int found = rn_path_look(path, &st);
    if (!found || (found > 0 && !S_ISREG(st.st_mode)))
        return false;
    ssize_t got = found > 0 ? rn_io_read_head(path, magic, sizeof magic) : -1;
    if (got < 0)
        return av_match_ext(path, "tif,tiff");
    return got == sizeof magic && (!memcmp(magic, "II+", 4) || !memcmp(magic, "MM\0+", 4) ||
                                   !memcmp(magic, "II*", 4) || !memcmp(magic, "MM\0*", 4));
}

bool rn_vol_tiff_match(const char *input)
{
    struct stat st;
    int found = rn_path_look(input, &st);
    bool there = found != 0;
    if (found < 0 || (there && !S_ISDIR(st.st_mode)))
        return is_tiff(input);
    if (!there && (strstr(input, "://") || !av_match_ext(input, "tif,tiff") ||
                   !(rn_read_is_pattern(input) || strpbrk(input, "*?["))))
        return false;
    RN_OWNED(rn_read_names_free) struct rn_read_names names = {0};
    bool named = !rn_read_names_of_input(input, RN_FOLDER_IMAGES, NULL, &names), match = false;
    for (int i = 0; i < names.n && named; i++) {
        named = av_match_ext(names.path[i], "tif,tiff");
        match = match || (named && is_tiff(names.path[i]));
    }
    return named && match;
}

/* ---- files */

/* Opens a file unless it is open. False: list->log has the reason. */
static bool open_file(struct rn_vol_tiff_list *l, int file)
{
    if (l->open == file)
        return true;
    rn_vol_tiff_close(&l->tif);
    l->current = -1;
    l->log = (struct rn_vol_tiff_log){0};
    l->tif = rn_vol_tiff_open(l->names.path[file], "rm", &l->log);
    l->open = l->tif ? file : -1;
    return l->tif != NULL;
}

bool rn_vol_tiff_list_go(struct rn_vol_tiff_list *l, int i)
{
    const struct rn_vol_tiff_leaf *leaf = &l->leaf[i];
    if (!open_file(l, leaf->file))
        return false;
    l->log = (struct rn_vol_tiff_log){0};
    if (!leaf->offset)
        return false;
    bool same = l->current >= 0 && rn_vol_tiff_same_page(&l->leaf[l->current], leaf);
    bool ok = same || TIFFSetSubDirectory(l->tif, (uint64_t)leaf->offset);
    l->current = ok ? i : -1;
    return ok;
}

const char *rn_vol_tiff_list_name(const struct rn_vol_tiff_list *l, int i, char text[300])
{
    const struct rn_vol_tiff_leaf *leaf = &l->leaf[i];
    const char *path = l->names.path[leaf->file];
    bool alone =
        (i == 0 || leaf[-1].file != leaf->file) && (i == l->n - 1 || leaf[1].file != leaf->file);
    if (alone && l->names.n > 1)
        snprintf(text, 300, "'%.250s'", path);
    else
        snprintf(text, 300, "page %d of '%.250s'", leaf->number + 1, path);
    return text;
}

/* ---- pages */

static int add_leaf(struct rn_vol_tiff_list *l, const struct rn_vol_tiff_leaf *leaf)
{
    return av_dynarray2_add((void **)&l->leaf, &l->n, sizeof *leaf, (const uint8_t *)leaf)
               ? 0
               : rn_fail_memory();
}

/* Replaces all leaves by n others (av_malloc); none may be added after that. */
static void replace_leaves(struct rn_vol_tiff_list *l, struct rn_vol_tiff_leaf *leaf, int n)
{
    av_free(l->leaf);
    l->leaf = leaf;
    l->n = n;
    l->current = -1;
}

/* Reads of the directory at an offset what kind of page it is, whether it has tags that are fields,
 * and the offset of the next; 0: it is the last. False: it is not whole. */
static bool read_directory(TIFF *tif, struct rn_vol_bytes *f, uint64_t at, uint32_t *kind,
                           bool *tagged, uint64_t *next)
{
    bool big = TIFFIsBigTIFF(tif), swapped = TIFFIsBigEndian(tif);
    size_t head = big ? 8 : 2, width = big ? 8 : 4, size = big ? 20 : 12;
    uint8_t buf[8 + MAX_ENTRIES * 20 + 8];
    size_t got = rn_vol_bytes_read(f, (int64_t)at, buf, 512);
    uint64_t n = got < head ? 0 : rn_vol_number(buf, head, swapped);
    size_t end = n <= MAX_ENTRIES ? head + n * size : 0;
    *kind = 0;
    if (!n || !end)
        return false;
    if (got < end + width)
        got += rn_vol_bytes_read(f, (int64_t)(at + got), buf + got, end + width - got);
    if (got < end + width)
        return false;
    for (const uint8_t *p = buf + head; p < buf + end; p += size) {
        uint64_t tag = rn_vol_number(p, 2, swapped), type = rn_vol_number(p + 2, 2, swapped);
        uint64_t value = rn_vol_number(p + 4 + width, type == TIFF_SHORT ? 2 : 4, swapped);
        if (tag == TIFFTAG_SUBFILETYPE)
            *kind = (uint32_t)value;
        else if (tag == TIFFTAG_OSUBFILETYPE && value == OFILETYPE_REDUCEDIMAGE)
            *kind |= FILETYPE_REDUCEDIMAGE;
        *tagged = *tagged || rn_vol_tiff_tags_is_field((unsigned)tag);
    }
    *next = rn_vol_number(buf + end, width, swapped);
    return true;
}

/* Returns true if the chain ends with the current directory. libtiff also ends it where the next
 * directory is unreadable, or its offset is missing. */
static bool chain_ends(const struct rn_vol_tiff_list *l)
{
    RN_OWNED(rn_vol_bytes_close) struct rn_vol_bytes *f = NULL;
    uint32_t kind;
    uint64_t next;
    bool tagged = false;
    if (rn_vol_bytes_open(&f, l->names.path[l->open], 0, RN_PACKING_NONE))
        return false;
    return read_directory(l->tif, f, TIFFCurrentDirOffset(l->tif), &kind, &tagged, &next) && !next;
}

static bool is_page(uint32_t kind)
{
    return !(kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK));
}

/* Appends the pages of a file whose chain of directories is whole; what is in them is read with the
 * page. *whole: false where the chain breaks off or is a circle, and nothing was appended. libtiff
 * takes ten times as long, and no more than a million. */
static int add_whole_chain(struct rn_vol_tiff_list *l, bool *whole)
{
    RN_OWNED(rn_vol_bytes_close) struct rn_vol_bytes *f = NULL;
    uint64_t at = TIFFCurrentDirOffset(l->tif), mark = 0, next = 0;
    int err = 0, first = l->n;
    *whole = !rn_vol_bytes_open(&f, l->names.path[l->open], 0, RN_PACKING_NONE);
    if (!*whole)
        return 0;
    for (int64_t steps = 0, lap = 1; at && *whole && !err; at = next) {
        uint32_t kind;
        struct rn_vol_tiff_leaf leaf = {.file = l->open, .number = l->n - first};
        leaf.offset = (int64_t)at;
        *whole = at != mark && at <= INT64_MAX &&
                 read_directory(l->tif, f, at, &kind, &leaf.tagged, &next);
        if (*whole && is_page(kind))
            err = add_leaf(l, &leaf);
        if (++steps == lap) { /* Brent: it comes back to some mark if it is a circle */
            mark = at;
            steps = 0;
            lap *= 2;
        }
    }
    l->n = *whole ? l->n : first;
    return err;
}

/* Appends the pages of the open file. Reduced copies of pages, and masks, are not pages. */
static int add_pages(struct rn_vol_tiff_list *l)
{
    bool ok = true, previous = true, broken = false, whole;
    int err = add_whole_chain(l, &whole), first = l->n;
    if (err || whole)
        return err;
    for (;;) {
        uint32_t kind = 0;
        if (ok)
            TIFFGetFieldDefaulted(l->tif, TIFFTAG_SUBFILETYPE, &kind);
        struct rn_vol_tiff_leaf leaf = {.file = l->open, .number = l->n - first, .tagged = true};
        leaf.offset = ok ? (int64_t)TIFFCurrentDirOffset(l->tif) : 0;
        if (is_page(kind))
            err = add_leaf(l, &leaf);
        if (err || TIFFLastDirectory(l->tif))
            break;
        previous = ok;
        ok = TIFFReadDirectory(l->tif);
        /* A readable directory may follow an unreadable one; not where the chain has ended, or is a
         * circle. */
        broken = !ok && (!previous || TIFFLastDirectory(l->tif));
        if (broken)
            break;
    }
    if (!err && (broken || (ok && !chain_ends(l)))) {
        rn_io_damage_note(&l->damage, "'%.200s' breaks off behind page %d", l->names.path[l->open],
                          l->n - first);
        l->damage.missing++;
    }
    l->current = -1;
    return err;
}

/* ---- the planes of an OME-TIFF: pages of one file, or of several in one folder */

/* Reads the XML from the companion file that the first page names. */
static int read_companion(struct rn_vol_tiff_list *l, const char *input, const char *series)
{
    RN_OWNED(av_freep) char *path = rn_vol_sibling(l->names.path[0], l->ome.metadata);
    if (!path)
        return RN_EINPUT;
    struct stat st;
    size_t size = 0;
    bool fits = !stat(path, &st) && S_ISREG(st.st_mode) && st.st_size <= MAX_TEXT, packed;
    RN_OWNED(av_freep)
    uint8_t *text = fits ? rn_vol_head(path, (size_t)st.st_size, &size, &packed) : NULL;
    rn_vol_ome_free(&l->ome);
    int err = text ? rn_vol_ome_read(&l->ome, (char *)text, size, input, series)
                   : rn_fail(RN_EINPUT, "'%s': its description is in '%s', which cannot be read",
                             input, path);
    if (!err && !l->ome.known)
        err = rn_fail(RN_EINPUT, "'%s': '%s' does not describe it", input, path);
    return err;
}

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
    return open_file(l, n - 1) && add_pages(l) ? -1 : n - 1;
}

/* Returns true if the XML names all given files. */
static bool is_whole_set(const struct rn_vol_tiff_list *l)
{
    for (int i = 1; i < l->names.n; i++) {
        bool found = false;
        for (int k = 0; k < l->ome.files.n && !found; k++)
            found = !strcmp(av_basename(l->names.path[i]), l->ome.files.path[k]);
        if (!found)
            return false;
    }
    return true;
}

/* Of the planes, whatever that of the file, so that every format can keep it. */
static const enum rn_vol_axis ome_order[RN_AXES] = {RN_AXIS_CHANNEL, RN_AXIS_SLICE, RN_AXIS_TIME};

/* Converts an index in ome_order to one in the file's axis order. */
static int64_t file_plane(const struct rn_vol_ome *o, int64_t i)
{
    int64_t at[RN_AXES], index = 0;
    for (int k = 0; k < RN_AXES; k++) {
        at[ome_order[k]] = i % o->n[ome_order[k]];
        i /= o->n[ome_order[k]];
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
    replace_leaves(l, rn_take_owned(&leaf), n);
    if (missing) {
        l->damage = (struct rn_io_damage){.missing = missing}; /* counts them once */
        rn_io_damage_note(&l->damage, "'%.180s' counts %d picture%s, of which %d %s not there",
                          input, n, rn_plural(n), missing, rn_is_or_are(missing));
    }
    return 0;
}

/* Replaces the leaves by the planes of an image if the first page has OME-XML. */
static int take_ome(struct rn_vol_tiff_list *l, const char *input, const char *series)
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
    RN_OWNED(av_freep) int *file = av_calloc((size_t)l->ome.files.n + 1, sizeof *file);
    if (!file)
        return rn_fail_memory();
    for (int i = 1; i <= l->ome.files.n && !err; i++) {
        file[i] = add_file(l, l->ome.files.path[i - 1]);
        err = file[i] < 0 ? RN_EINPUT : 0;
    }
    return err ? err : take_planes(l, input, file);
}

/* ---- the volume */

/* ImageJ's stacks of more than 4 GB have one directory, and all pictures behind it. */
static int add_plain_leaves(struct rn_vol_tiff_list *l, const struct rn_vol_tiff_page *page,
                            int64_t wanted)
{
    int64_t offset = 0, bytes = rn_vol_tiff_plain(l->tif, page, &offset);
    struct stat st;
    int64_t have =
        bytes && !stat(l->names.path[0], &st) ? ((int64_t)st.st_size - offset) / bytes : 0;
    int err = 0;
    have = have < 1 ? 1 : have < wanted ? have : wanted;
    for (int64_t k = 1; k < have && !err; k++) {
        struct rn_vol_tiff_leaf leaf = {.number = (int)k, .offset = l->leaf[0].offset};
        leaf.plain = offset + k * bytes;
        err = add_leaf(l, &leaf);
    }
    return err;
}

/* Adds a field that is neither a line nor a tag. */
static int add_other(struct rn_vol *v, const char *name, const void *data, size_t size,
                     unsigned needs)
{
    return rn_vol_fields_add(v, RN_TIFF_FORMAT,
                             (struct rn_vol_field){name, data, size, needs, RN_TIFF_TAG_NONE, 0});
}

static int take_imagej(struct rn_vol_tiff_list *l, const struct rn_vol_tiff_page *page)
{
    struct rn_vol *v = &l->volume;
    struct rn_vol_tiff_text t = {.known = false};
    bool one = l->names.n == 1;
    char *text = NULL;
    if (rn_vol_tiff_list_go(l, 0)) {
        TIFFGetField(l->tif, TIFFTAG_IMAGEDESCRIPTION, &text);
        int err = rn_vol_tiff_text_read(&t, text ? text : "", page->xres, page->yres, v);
        if (err)
            return err;
    }
    /* A resolution per inch is for printers, not the size of a scan. */
    if (!(t.unit > 0) && !rn_vol_fields_find(v, RN_TIFF_FORMAT, "unit", 0) &&
        page->unit == RESUNIT_CENTIMETER && !(v->spacing[0] > 0) && page->xres > 0) {
        strcpy(v->length_unit, "cm");
        v->spacing[0] = 10 / page->xres;
        v->spacing[1] = 10 / page->yres;
    }
    l->described = t.known;
    bool dots = page->unit == RESUNIT_INCH && !(v->spacing[0] > 0);
    unsigned turn = page->xres != page->yres ? RN_CHANGED_TURN : 0;
    int err = dots ? add_other(v, RN_TIFF_RESOLUTION, &page->xres, 2 * sizeof page->xres,
                               RN_CHANGED_SCALE | turn)
                   : 0;
    err = err ? err
          : one && t.known && l->n == 1 && t.pictures > 1 && t.pictures <= MAX_PICTURES
              ? add_plain_leaves(l, page, t.pictures)
              : 0;
    if (err)
        return err;
    if (one && t.known && t.pictures > l->n) {
        rn_io_damage_note(&l->damage, "'%.180s' counts %lld pictures and has %d", l->names.path[0],
                          (long long)t.pictures, l->n);
        l->damage.missing = t.pictures - l->n; /* counts them once */
    }
    if (!one || rn_vol_pictures(v) != l->n) {
        v->n[RN_AXIS_SLICE] = l->n;
        v->n[RN_AXIS_CHANNEL] = v->n[RN_AXIS_TIME] = 1;
    }
    return 0;
}

/* Interleaved channels become leaves of their own; the channel is the fastest axis then. */
static int add_channel_leaves(struct rn_vol_tiff_list *l, int channels)
{
    struct rn_vol *v = &l->volume;
    int64_t n = (int64_t)l->n * channels;
    bool fastest = v->n[RN_AXIS_CHANNEL] == 1 || v->axis_order[0] == RN_AXIS_CHANNEL;
    if (channels == 1)
        return 0;
    if (!fastest || n > MAX_LEAVES)
        return rn_fail(RN_EINPUT, "'%s': %d channels in each pixel of %d page%s cannot be read",
                       l->names.path[0], channels, l->n, rn_plural(l->n));
    struct rn_vol_tiff_leaf *leaf = av_malloc_array((size_t)n, sizeof *leaf);
    if (!leaf)
        return rn_fail_memory();
    for (int64_t i = 0; i < n; i++) {
        leaf[i] = l->leaf[i / channels];
        leaf[i].sample = (int)(i % channels);
    }
    replace_leaves(l, leaf, (int)n);
    for (int k = 0; v->axis_order[0] != RN_AXIS_CHANNEL; k++) {
        if (v->axis_order[k + 1] != RN_AXIS_CHANNEL)
            continue;
        memmove(v->axis_order + 1, v->axis_order, (size_t)(k + 1) * sizeof *v->axis_order);
        v->axis_order[0] = RN_AXIS_CHANNEL;
    }
    v->n[RN_AXIS_CHANNEL] *= channels;
    return 0;
}

/* The tags of the first page hold for a file; each of several files has its own. */
static bool owns_tags(const struct rn_vol_tiff_list *l)
{
    return l->names.n > 1 && !l->ome.known;
}

/* The XML is kept, the names of what is in it, and lines of this program. */
static int take_ome_fields(struct rn_vol_tiff_list *l)
{
    struct rn_vol *v = &l->volume;
    struct rn_vol_tiff_text t;
    const struct rn_vol_ome *o = &l->ome;
    int err = o->lines ? rn_vol_tiff_text_read(&t, o->lines, 0, 0, v) : 0;
    if (!err && o->xml)
        err = add_other(v, RN_TIFF_XML, o->xml, strlen(o->xml), RN_FIELD_FORMAL);
    char *rest = NULL, *name = av_strtok(o->others, "\n", &rest);
    for (; name && !err; name = av_strtok(NULL, "\n", &rest))
        err = add_other(v, name, NULL, 0,
                        RN_TIFF_NO_XML | (!strncmp(name, "Channel ", 8) ? RN_CHANGED_CHANNELS
                                          : !strncmp(name, "Plane ", 6) ? RN_CHANGED_PICTURES
                                          : !strncmp(name, "ROI", 3)    ? RN_CHANGED_GRID
                                                                        : 0));
    return err;
}

int rn_vol_tiff_list_describe(struct rn_vol_tiff_list *l, const struct rn_vol_tiff_page *page)
{
    struct rn_vol *v = &l->volume;
    struct rn_geom geom = {RN_SIZED(struct rn_geom), .fmt = page->format, .w = page->w,
                           .h = page->h};
    rn_vol_init(v, &geom, l->n);
    v->stored_bits = page->convert ? 0 : page->bits;
    v->stored_number = page->number;
    v->white_is_zero = page->is_inverted && v->fmt.number == RN_NUMBER_UNSIGNED;
    int err = 0;
    bool few = v->fmt.depth > 8 && v->fmt.depth < 16; /* bits, as of film scanners */
    v->scan =
        (v->fmt.model == RN_GRAY && !v->fmt.alpha) || v->fmt.number == RN_NUMBER_SIGNED || few;
    if (l->ome.known) {
        err = take_ome_fields(l);
        memcpy(v->n, l->ome.n, sizeof v->n);
        memcpy(v->axis_order, ome_order, sizeof v->axis_order);
        memcpy(v->spacing, l->ome.spacing, sizeof v->spacing);
        snprintf(v->length_unit, sizeof v->length_unit, "%s", l->ome.unit);
        v->interval = l->ome.interval;
        l->described = true;
    } else {
        err = take_imagej(l, page);
    }
    l->depth = v->fmt.depth != page->format.depth ? v->fmt.depth : 0;
    v->rescale.slope = v->fmt.model == RN_GRAY ? v->rescale.slope : 0;
    if (v->fmt.number == RN_NUMBER_FLOAT && v->fmt.model == RN_RGB && !v->ranged) {
        v->ranged = true;
        v->low = 0;
        v->high = 1;
    }
    if (!err && !owns_tags(l) && open_file(l, l->head.file) && l->head.offset &&
        TIFFSetSubDirectory(l->tif, (uint64_t)l->head.offset))
        err = rn_vol_tiff_tags_read(l->tif, l->ome.known, 0, true, v);
    l->current = -1;
    return err ? err : add_channel_leaves(l, page->channels);
}

/* ---- opening */

static void count_gaps(struct rn_vol_tiff_list *l)
{
    for (int i = 1; l->pattern.prefix && i < l->names.n; i++) {
        int64_t before = l->names.number[i - 1], gap = l->names.number[i] - before - 1;
        RN_OWNED(av_freep) char *name = gap ? rn_read_pattern_name(&l->pattern, before + 1) : NULL;
        if (gap)
            rn_io_damage_note(&l->damage, "'%.200s'%s missing", name ? name : "",
                              gap > 1 ? " and those behind it are" : " is");
        l->damage.missing += gap;
    }
}

int rn_vol_tiff_list_open(struct rn_vol_tiff_list *l, const char *input, const char *series)
{
    *l = (struct rn_vol_tiff_list){.open = -1, .current = -1};
    int err = rn_read_names_of_input(input, RN_FOLDER_IMAGES, &l->pattern, &l->names);
    if (!err && !l->names.n)
        err = rn_fail(RN_EINPUT, "no TIFF is named '%s'", input);
    for (int i = 0; i < l->names.n && !err; i++) {
        if (open_file(l, i))
            err = add_pages(l);
        else if (l->names.n == 1)
            err = rn_fail(RN_EINPUT, "cannot open '%s': %s", input, l->log.first);
        else
            err = add_leaf(l, &(struct rn_vol_tiff_leaf){.file = i});
    }
    if (!err && l->n)
        l->head = l->leaf[0];
    err = err ? err : take_ome(l, input, series);
    if (!err && !l->ome.known)
        count_gaps(l);
    return err;
}

int rn_vol_tiff_list_read_tags(struct rn_vol_tiff_list *l, int first)
{
    struct rn_vol *v = &l->volume;
    const struct rn_vol_tiff_leaf *before = &l->head;
    size_t bytes = 0;
    int err = 0, tagged = 0;
    for (int i = 0, added; i < l->n && !err; before = &l->leaf[i++]) {
        const struct rn_vol_tiff_leaf *leaf = &l->leaf[i];
        bool same = rn_vol_tiff_same_page(leaf, before),
             head = rn_vol_tiff_same_page(leaf, &l->head);
        if (head ? !owns_tags(l) || (i && same) : same || !leaf->tagged)
            continue;
        if (bytes > MAX_TAGS || ++tagged > MAX_TAGGED)
            return rn_vol_fields_add(v, RN_TIFF_FORMAT,
                                     (struct rn_vol_field){"tags of further pages", NULL, 0,
                                                           RN_FIELD_LOST, 0, INT64_MAX});
        added = v->fields ? v->fields->n : 0;
        if (rn_vol_tiff_list_go(l, i))
            err = rn_vol_tiff_tags_read(l->tif, l->ome.known, i + 1, i == first, v);
        for (; v->fields && added < v->fields->n; added++)
            bytes += v->fields->field[added].size;
    }
    return err;
}

int rn_vol_tiff_list_choose(struct rn_vol_tiff_list *l, const char *input,
                            const struct rn_io_read_opts *opts)
{
    bool some = opts->channel || opts->time;
    int err = some ? rn_vol_selection_make(&l->selection, &l->volume, input, opts) : 0;
    l->n = err || !some ? l->n : (int)rn_vol_pictures(&l->volume);
    for (int i = 0; !err && some && i < l->n; i++) /* of the same order as in the file */
        l->leaf[i] = l->leaf[rn_vol_selection_picture(&l->selection, &l->volume, i)];
    l->volume.changed |= some ? RN_TIFF_CHOSEN : 0;
    l->current = -1;
    return err;
}

void rn_vol_tiff_list_close(struct rn_vol_tiff_list *l)
{
    rn_vol_tiff_close(&l->tif);
    rn_read_pattern_free(&l->pattern);
    rn_read_names_free(&l->names);
    rn_vol_ome_free(&l->ome);
    rn_vol_selection_free(&l->selection);
    rn_vol_fields_free(&l->volume);
    av_freep(&l->leaf);
}
