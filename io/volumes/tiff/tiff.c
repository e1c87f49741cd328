/* SPDX-License-Identifier: MIT */
#include "io/volumes/tiff/tiff.h"

#include "filters/base/log.h"
#include "io/volumes/bytes.h"
#include "io/volumes/tiff/tiff_list.h"

struct stack {
    struct rn_vol_reader reader;
    struct rn_vol_tiff_list list;
    struct rn_vol_tiff_page page;              /* the first one; all others must match it */
    struct rn_vol_bytes *plain;                /* pages without directories */
    uint8_t *buf;                              /* such a page */
    int64_t in_buf;                            /* offset of buf in the file; 0: none */
    size_t got;                                /* valid bytes in buf */
    struct rn_vol_tiff_cache cache;            /* a decoded page, shared by its channels */
    const struct rn_vol_tiff_leaf *cached;     /* a leaf of that page; NULL: none */
    const struct rn_vol_tiff_leaf *unreadable; /* one of a page without any sample; NULL: none */
    bool looked; /* is_apart went to the current page, and libtiff's first words on it are gone */
};

/* ---- opening */

/* Describes the page of tif. ImageJ text of the first page may reduce 16 bits to fewer for all. */
static bool describe(const struct stack *s, TIFF *tif, struct rn_vol_tiff_page *page, char *why,
                     size_t size)
{
    bool ok = rn_vol_tiff_describe(tif, page, why, size);
    if (ok && s->list.depth && page->bits == 16)
        page->format.depth = s->list.depth;
    return ok;
}

/* Takes the format of the first readable page for all. */
static int choose_format(struct stack *s)
{
    char why[200] = "";
    bool ok = false;
    for (int i = s->reader.base.begin; i < s->reader.base.end && !ok; i++) {
        char text[sizeof why] = "";
        ok = rn_vol_tiff_list_go(&s->list, i) &&
             describe(s, s->list.tif, &s->page, text, sizeof text);
        if (!ok && !*why)
            snprintf(why, sizeof why, "%.199s", *text ? text : s->list.log.first);
    }
    if (!ok)
        return rn_fail(RN_EINPUT, "'%s': no page can be read: %s", s->reader.input, why);
    if (!s->page.convert && s->page.channels == 1 && s->page.stored_comps > s->page.comps)
        rn_losses_add(s->reader.losses, "format",
                      "'%s': of %d samples per pixel %d are used, the others left out",
                      s->reader.input, s->page.stored_comps, s->page.comps);
    s->list.volume.fmt = s->page.format; /* the first page of the file may differ */
    s->list.volume.w = s->page.w;
    s->list.volume.h = s->page.h;
    rn_vol_reader_format(&s->reader, s->page.fmt, s->page.w, s->page.h);
    return 0;
}

/* Looks at all pages, whatever the range. */
static int describe_volume(struct stack *s)
{
    struct rn_vol_tiff_page page;
    char why[200];
    for (int i = 0; i < s->list.n; i++) {
        if (!rn_vol_tiff_list_go(&s->list, i) ||
            !rn_vol_tiff_describe(s->list.tif, &page, why, sizeof why))
            continue;
        if (page.xres > 0)
            s->reader.base.aspect = av_d2q(page.yres / page.xres, 1 << 16);
        return rn_vol_tiff_list_describe(&s->list, &page);
    }
    return 0;
}

/* ---- reading */

static void mark_bad(struct stack *s, int i, const char *why)
{
    char text[300];
    if (s->list.leaf[i].bad)
        return;
    s->list.leaf[i].bad = true;
    s->reader.base.corrupt++;
    rn_io_damage_note(&s->reader.base.damage, "%s %s", rn_vol_tiff_list_name(&s->list, i, text),
                      why);
}

/* Reads a page that has no directory. */
static enum rn_vol_tiff_result read_plain(struct stack *s, int i, uint8_t *pixels, unsigned *found)
{
    const struct rn_vol_tiff_leaf *leaf = &s->list.leaf[i];
    int64_t offset, size = rn_vol_tiff_plain(s->list.tif, &s->page, &offset);
    if (!s->plain &&
        rn_vol_bytes_open(&s->plain, s->list.names.path[leaf->file], 0, RN_PACKING_NONE))
        return RN_TIFF_NOTHING;
    if (!s->buf && !(s->buf = av_malloc((size_t)size)))
        return RN_TIFF_NOTHING;
    bool again = s->in_buf == leaf->plain;
    if (!again) {
        s->got = rn_vol_bytes_read(s->plain, leaf->plain, s->buf, (size_t)size);
        memset(s->buf + s->got, 0, (size_t)size - s->got);
        s->in_buf = leaf->plain;
    }
    struct rn_vol_tiff_page page = s->page;
    page.first = leaf->sample;
    rn_vol_tiff_convert(&page, s->buf, !again && TIFFIsByteSwapped(s->list.tif), pixels, found);
    return s->got == (size_t)size ? RN_TIFF_WHOLE : s->got ? RN_TIFF_PART : RN_TIFF_NOTHING;
}

/* Clips samples to the declared bits. Returns true if any was larger. */
static bool clip_samples(const struct rn_vol_tiff_page *page, uint8_t *pixels)
{
    if (page->format.number != RN_NUMBER_UNSIGNED || page->bits != 16 || page->convert)
        return false;
    uint16_t *v = (uint16_t *)(void *)pixels, max = (uint16_t)((1u << page->format.depth) - 1);
    bool clipped = false;
    for (size_t i = 0; i < page->size / 2; i++) {
        clipped = clipped || v[i] > max;
        v[i] = v[i] > max ? max : v[i];
    }
    return clipped;
}

static int add_profile(struct stack *s, AVFrame *frame)
{
    uint32_t size = 0;
    void *data = NULL;
    if (!TIFFGetField(s->list.tif, TIFFTAG_ICCPROFILE, &size, &data) || !size || size > 1u << 26)
        return 0;
    AVFrameSideData *profile = av_frame_new_side_data(frame, AV_FRAME_DATA_ICC_PROFILE, size);
    if (!profile)
        return rn_fail_memory();
    memcpy(profile->data, data, size);
    return 0;
}

/* Each channel reads the whole page: only the first channel tries a page that cannot be read. */
static enum rn_vol_tiff_result read_samples(struct stack *s, const struct rn_vol_tiff_leaf *leaf,
                                            const struct rn_vol_tiff_page *page, uint8_t *to,
                                            unsigned *found)
{
    if (leaf->sample && s->unreadable && rn_vol_tiff_same_page(leaf, s->unreadable))
        return RN_TIFF_NOTHING;
    s->cache.is_full &= s->cached && rn_vol_tiff_same_page(leaf, s->cached);
    s->cached = leaf;
    enum rn_vol_tiff_result result = rn_vol_tiff_read(s->list.tif, page, &s->cache, to, found);
    if (result == RN_TIFF_NOTHING)
        s->unreadable = leaf;
    return result;
}

static bool matches(const struct stack *s, const struct rn_vol_tiff_page *page)
{
    return page->w == s->page.w && page->h == s->page.h && page->fmt == s->page.fmt &&
           page->channels == s->page.channels && rn_format_equal(&page->format, &s->page.format);
}

/* A picture of one plane that is a page, and for all that its directory says can be read. */
static bool is_apart(struct rn_vol_reader *r, int i)
{
    struct stack *s = (struct stack *)r;
    const struct rn_vol *v = &s->list.volume;
    struct rn_vol_tiff_page page;
    char why[200];
    uint32_t size;
    void *data;
    bool alone = s->page.channels == 1 && s->page.comps == 1 && !s->list.leaf[i].plain &&
                 v->n[RN_AXIS_CHANNEL] * v->n[RN_AXIS_TIME] == 1;
    s->looked |= alone;
    return alone && rn_vol_tiff_list_go(&s->list, i) &&
           describe(s, s->list.tif, &page, why, sizeof why) && matches(s, &page) &&
           !TIFFGetField(s->list.tif, TIFFTAG_ICCPROFILE, &size, &data);
}

static bool samples(const struct rn_read_input *p, int64_t pts, struct rn_image *img, bool *copied)
{
    const struct stack *s = (const struct stack *)p;
    const struct rn_vol_tiff_leaf *leaf = &s->list.leaf[pts];
    struct rn_plane *to = &img->plane[0];
    struct rn_vol_tiff_log log = {0};
    struct rn_vol_tiff_page page;
    char why[200], path[32];
    if (s->list.names.n == 1) /* it stays open; another file may have its name by now */
        snprintf(path, sizeof path, "/proc/self/fd/%d", TIFFFileno(s->list.tif));
    RN_OWNED(rn_vol_tiff_close)
    TIFF *tif =
        rn_vol_tiff_open(s->list.names.n == 1 ? path : s->list.names.path[leaf->file], "rhm", &log);
    *copied = true;
    if (!tif || !TIFFSetSubDirectory(tif, (uint64_t)leaf->offset) ||
        !describe(s, tif, &page, why, sizeof why) || !matches(s, &page))
        return false;
    bool direct = to->stride == (ptrdiff_t)page.stride;
    RN_OWNED(av_freep) uint8_t *own = direct ? NULL : av_malloc(page.size);
    struct rn_plane from = {direct ? to->data : own, (ptrdiff_t)page.stride, page.w, page.h};
    if (!from.data)
        return false;
    unsigned found = 0, known = atomic_load(&s->reader.rounded) ? RN_LOAD_ROUNDED : 0;
    memset(from.data, 0, page.size);
    if (rn_vol_tiff_read(tif, &page, NULL, from.data, &found) != RN_TIFF_WHOLE || found & ~known ||
        (page.format.depth != page.bits && clip_samples(&page, from.data)))
        return false;
    if (!direct)
        rn_plane_copy(&from, to, rn_format_bytes(&page.format));
    return true;
}

static int fill(struct rn_vol_reader *r, int i, AVFrame *frame)
{
    struct stack *s = (struct stack *)r;
    struct rn_vol_tiff_page page;
    uint8_t *pixels = frame->data[0];
    char why[200] = "", text[300];
    if (s->looked)
        s->list.current = -1;
    s->looked = false;
    if (!rn_vol_tiff_list_go(&s->list, i) || !describe(s, s->list.tif, &page, why, sizeof why)) {
        snprintf(text, sizeof text, "cannot be read: %s", *why ? why : s->list.log.first);
        mark_bad(s, i, text);
        return RN_END;
    }
    page.first = s->list.leaf[i].sample;
    if (!matches(s, &page)) {
        char name[24], first[24];
        rn_format_name(&page.format, name);
        rn_format_name(&s->page.format, first);
        snprintf(text, sizeof text, "is left out: it is %dx%d %s, the pages before it are %dx%d %s",
                 page.w, page.h, name, s->page.w, s->page.h, first);
        mark_bad(s, i, text);
        return RN_END;
    }
    if (!r->fresh)
        memset(pixels, 0, page.size);
    unsigned found = 0;
    enum rn_vol_tiff_result result = s->list.leaf[i].plain
                                         ? read_plain(s, i, pixels, &found)
                                         : read_samples(s, &s->list.leaf[i], &page, pixels, &found);
    if (result != RN_TIFF_WHOLE) {
        snprintf(text, sizeof text, "%s: %s",
                 result == RN_TIFF_PART ? "is damaged" : "cannot be read", s->list.log.first);
        mark_bad(s, i, text);
    }
    if (page.format.depth != page.bits && clip_samples(&page, pixels)) {
        snprintf(text, sizeof text, "has samples of more than the %d bits that it counts",
                 page.format.depth);
        mark_bad(s, i, text);
    }
    int err = !found ? 0
                     : rn_vol_reader_judge(r, found, s->page.type,
                                           rn_vol_tiff_list_name(&s->list, i, text));
    err = err ? err : result == RN_TIFF_NOTHING ? RN_END : 0;
    return err ? err : add_profile(s, frame);
}

static void stack_finish(struct rn_read_input *p)
{
    struct stack *s = (struct stack *)p;
    if (!s->list.damage.missing || s->reader.base.end < s->list.n)
        return;
    p->damage.missing += s->list.damage.missing;
    rn_io_damage_note(&p->damage, "%s", s->list.damage.what);
}

static const char *stack_name(const struct rn_read_input *p, int64_t pts, int64_t *number)
{
    const struct stack *s = (const struct stack *)p;
    int file = pts >= 0 && pts < s->list.n ? s->list.leaf[pts].file : 0;
    *number = s->list.pattern.prefix ? s->list.names.number[file] : -1;
    return s->list.names.path[file];
}

static void stack_close(struct rn_vol_reader *r)
{
    struct stack *s = (struct stack *)r;
    rn_vol_tiff_list_close(&s->list);
    rn_vol_bytes_close(&s->plain);
    av_free(s->buf);
    free(s->cache.data);
}

static int stack_open(struct rn_vol_reader *r, const struct rn_io_read_opts *opts)
{
    struct stack *s = (struct stack *)r;
    struct rn_vol_tiff_list *list = &s->list;
    int err = rn_vol_tiff_list_open(list, r->input, opts->series);
    for (int i = 0; !err && i < list->names.n; i++)
        err = rn_read_note_file(&r->base, list->names.path[i], NULL);
    err = err ? err : describe_volume(s);
    err = err ? err : rn_vol_tiff_list_choose(list, r->input, opts);
    const char *what = list->names.n > 1 ? "images" : "pages";
    err = err ? err : rn_read_stills_range(&r->base, opts, list->n, NULL, what);
    err = err ? err : rn_vol_tiff_list_read_tags(list, r->base.begin);
    err = err ? err : choose_format(s);
    if (err)
        return err;
    rn_vol_reader_note_surplus(r, r->input, list->surplus * (int64_t)s->page.size,
                               rn_vol_pictures(&list->volume), (int64_t)s->page.size);
    struct rn_vol_tiff_leaf *middle = &list->leaf[list->n / 2];
    bool bad = middle->bad;
    err = rn_vol_reader_find_range(r, &list->volume, list->n);
    if (err)
        return err;
    middle->bad = bad;
    r->base.volume = &list->volume;
    return 0;
}

int rn_vol_tiff_open_stack(struct rn_read_input **in, const char *input,
                           const struct rn_io_read_opts *opts, atomic_bool *stop)
{
    static const struct rn_vol_reader_ops ops = {
        .size = sizeof(struct stack),
        .open = stack_open,
        .fill = fill,
        .is_apart = is_apart,
        .close = stack_close,
        .input = {.samples = samples, .name = stack_name, .finish = stack_finish},
    };
    return rn_vol_reader_open(in, &ops, input, opts, stop);
}
