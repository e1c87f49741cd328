#include "io/volumes/tiff.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/path.h"
#include "io/read/packets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>

/* The pages of one file. Each becomes a packet of raw video, so that what comes after is the same
 * as for every other input. */

struct leaf {
    uint64_t offset; /* of the page's directory; 0: it cannot be read */
    bool bad;        /* counted already */
};

struct stack {
    struct rn_packets base;
    const char *input;
    struct rn_losses *losses;
    TIFF *tif;
    struct rn_tiff_log log;
    struct leaf *leaf;
    int n, room;
    int begin, end, next;     /* the range to read */
    bool broken;              /* the chain of directories does not end as it should */
    struct rn_tiff_page page; /* what the first one is, and all others have to be */
    AVCodecParameters *par;
    atomic_bool *stop;
    dev_t dev;
    ino_t ino;
    bool warned;
};

/* Files with one page go through libav's decoder like other images, except for kinds that it does
 * not know. */
bool rn_tiff_match(const char *input)
{
    struct stat st;
    char magic[4] = "";
    int found = rn_path_look(input, &st);
    bool other = !found || (found > 0 && !S_ISREG(st.st_mode));
    FILE *f = other ? NULL : fopen(input, "rb");
    if (!f) /* one that cannot be opened is for the reader of its name to say so */
        return !other && av_match_ext(input, "tif,tiff");
    bool whole = fread(magic, 1, sizeof magic, f) == sizeof magic;
    fclose(f);
    bool big = !memcmp(magic, "II+", 4) || !memcmp(magic, "MM\0+", 4);
    if (!whole || (!big && memcmp(magic, "II*", 4) != 0 && memcmp(magic, "MM\0*", 4) != 0))
        return false;
    struct rn_tiff_log log = {0};
    TIFF *tif = rn_tiff_open(input, "rm", &log);
    bool match = tif && (big || TIFFIsTiled(tif) || !TIFFLastDirectory(tif));
    if (tif)
        TIFFClose(tif);
    return match;
}

/* ---- opening */

static int add_leaf(struct stack *s, uint64_t offset)
{
    if (s->n == s->room) {
        int room = s->room ? 2 * s->room : 64;
        struct leaf *list = av_realloc_array(s->leaf, (size_t)room, sizeof *list);
        if (!list)
            return rn_fail_memory();
        s->leaf = list;
        s->room = room;
    }
    s->leaf[s->n++] = (struct leaf){.offset = offset};
    return 0;
}

/* Does the chain end with the current directory? libtiff takes a next one that cannot be read, or
 * whose place is missing, for the end. */
static bool is_last(const struct stack *s)
{
    bool big = TIFFIsBigTIFF(s->tif), swapped = TIFFIsBigEndian(s->tif);
    uint64_t offset = TIFFCurrentDirOffset(s->tif), n = 0;
    uint8_t count[8], next[8] = {0};
    size_t bytes = big ? 8 : 2, width = big ? 8 : 4;
    FILE *f = fopen(s->input, "rb");
    bool ok = f && !fseeko(f, (off_t)offset, SEEK_SET) && fread(count, 1, bytes, f) == bytes;
    for (size_t i = 0; ok && i < bytes; i++)
        n = n << 8 | count[swapped ? i : bytes - 1 - i];
    uint64_t end = offset + bytes + (big ? 20 : 12) * n;
    static const uint8_t none[8];
    ok = ok && !fseeko(f, (off_t)end, SEEK_SET) && fread(next, 1, width, f) == width &&
         !memcmp(next, none, width);
    if (f)
        fclose(f);
    return ok;
}

/* Goes through all directories. Thumbnails and masks are no pages. */
static int list_pages(struct stack *s)
{
    bool ok = true, before = true;
    int err = 0;
    for (;;) {
        uint32_t kind = 0;
        if (ok)
            TIFFGetFieldDefaulted(s->tif, TIFFTAG_SUBFILETYPE, &kind);
        if (!(kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)))
            err = add_leaf(s, ok ? TIFFCurrentDirOffset(s->tif) : 0);
        if (err || TIFFLastDirectory(s->tif))
            break;
        before = ok;
        ok = TIFFReadDirectory(s->tif);
        /* One unreadable directory may have a readable one behind it; where none is, or the chain
         * runs in circles, it ends here. */
        s->broken = !ok && (!before || TIFFLastDirectory(s->tif));
        if (s->broken)
            break;
    }
    s->broken |= !err && ok && !is_last(s);
    return err;
}

static bool go_to(struct stack *s, int i)
{
    s->log = (struct rn_tiff_log){0};
    return s->leaf[i].offset && TIFFSetSubDirectory(s->tif, s->leaf[i].offset);
}

/* The first page that can be read says what all are. */
static int choose_format(struct stack *s)
{
    char why[200] = "";
    bool ok = false;
    for (int i = s->begin; i < s->end && !ok; i++) {
        char text[sizeof why] = "";
        ok = go_to(s, i) && rn_tiff_describe(s->tif, &s->page, text, sizeof text);
        if (!ok && !*why)
            snprintf(why, sizeof why, "%.199s", *text ? text : s->log.first);
    }
    if (!ok)
        return rn_fail(RN_EINPUT, "'%s': no page can be read: %s", s->input, why);
    if (!s->page.convert && s->page.stored_comps > s->page.comps)
        rn_losses_add(s->losses, "format",
                      "'%s': of %d samples per pixel %d are used, the others left out", s->input,
                      s->page.stored_comps, s->page.comps);
    if (s->page.is_signed)
        rn_log(RN_LOG_WARNING, "'%s' has signed samples: %d is added to them", s->input,
               1 << (s->page.bits - 1));
    s->par = avcodec_parameters_alloc();
    if (!s->par)
        return rn_fail_memory();
    s->par->codec_type = AVMEDIA_TYPE_VIDEO;
    s->par->codec_id = AV_CODEC_ID_RAWVIDEO;
    s->par->format = s->page.fmt;
    s->par->width = s->page.w;
    s->par->height = s->page.h;
    s->base.par = s->par;
    if (s->page.xres)
        av_reduce(&s->base.aspect.num, &s->base.aspect.den, s->page.yres, s->page.xres, 1 << 16);
    return 0;
}

/* ---- reading */

static void mark_bad(struct stack *s, int i, const char *why)
{
    if (s->leaf[i].bad)
        return;
    s->leaf[i].bad = true;
    s->base.corrupt++;
    rn_damage_note(&s->base.damage, "page %d of '%s' %s", i + 1, s->input, why);
}

static void mark_unlike(struct stack *s, int i, const struct rn_tiff_page *page)
{
    char why[160];
    const char *name = av_get_pix_fmt_name(page->fmt), *first = av_get_pix_fmt_name(s->page.fmt);
    snprintf(why, sizeof why, "is left out: it is %dx%d %s, the pages before it are %dx%d %s",
             page->w, page->h, name, s->page.w, s->page.h, first);
    mark_bad(s, i, why);
}

/* Reads page i into pkt. Returns 0, RN_END if nothing of it can be shown, or an error. */
static int read_page(struct stack *s, int i, AVPacket *pkt)
{
    struct rn_tiff_page page;
    char why[200] = "", text[256];
    if (!go_to(s, i) || !rn_tiff_describe(s->tif, &page, why, sizeof why)) {
        snprintf(text, sizeof text, "cannot be read: %s", *why ? why : s->log.first);
        mark_bad(s, i, text);
        return RN_END;
    }
    if (page.w != s->page.w || page.h != s->page.h || page.fmt != s->page.fmt) {
        mark_unlike(s, i, &page);
        return RN_END;
    }
    if (av_new_packet(pkt, (int)page.size) < 0)
        return rn_fail_memory();
    memset(pkt->data, 0, page.size);
    bool clipped = false;
    enum rn_tiff_result result = rn_tiff_read(s->tif, &page, pkt->data, &clipped);
    if (result != RN_TIFF_WHOLE) {
        snprintf(text, sizeof text, "%s: %s",
                 result == RN_TIFF_PART ? "is damaged" : "cannot be read", s->log.first);
        mark_bad(s, i, text);
    }
    if (clipped && !s->warned)
        rn_losses_add(s->losses, "format",
                      "page %d of '%s' has samples outside 0..1, which are clipped", i + 1,
                      s->input);
    s->warned |= clipped;
    if (result == RN_TIFF_NOTHING)
        av_packet_unref(pkt);
    return result == RN_TIFF_NOTHING ? RN_END : 0;
}

static int stack_next(struct rn_packets *p, AVPacket *pkt)
{
    struct stack *s = (struct stack *)p;
    while (s->next < s->end && !atomic_load(s->stop)) {
        int i = s->next++, err = read_page(s, i, pkt);
        if (err < 0)
            return err;
        if (err)
            continue;
        pkt->pts = pkt->dts = i;
        pkt->duration = 1;
        pkt->flags |= AV_PKT_FLAG_KEY;
        return 0;
    }
    return RN_END;
}

static int stack_seek(struct rn_packets *p, int64_t target, bool again)
{
    struct stack *s = (struct stack *)p;
    if (again)
        return RN_END;
    s->next = target >= s->end ? s->end : target < s->begin ? s->begin : (int)target;
    return 0;
}

static void stack_finish(struct rn_packets *p)
{
    struct stack *s = (struct stack *)p;
    if (!s->broken || s->end < s->n)
        return;
    p->damage.missing++;
    rn_damage_note(&p->damage, "'%s' breaks off behind page %d", s->input, s->n);
}

static const char *stack_name(const struct rn_packets *p, int64_t pts, int64_t *number)
{
    (void)pts;
    *number = -1;
    return ((const struct stack *)p)->input;
}

static int64_t stack_index(const struct rn_packets *p, int64_t pts)
{
    (void)p;
    return pts;
}

static bool stack_is_file(const struct rn_packets *p, const struct stat *st)
{
    const struct stack *s = (const struct stack *)p;
    return s->dev == st->st_dev && s->ino == st->st_ino;
}

static void stack_close(struct rn_packets *p)
{
    struct stack *s = (struct stack *)p;
    if (s->tif)
        TIFFClose(s->tif);
    av_freep(&s->leaf);
    avcodec_parameters_free(&s->par);
    rn_frame_data_destroy(&p->data);
    av_free(s);
}

static const struct rn_packets_ops stack_ops = {
    .next = stack_next,
    .finish = stack_finish,
    .name = stack_name,
    .seek = stack_seek,
    .index = stack_index,
    .is_file = stack_is_file,
    .close = stack_close,
};

int rn_tiff_open_stack(struct rn_packets **packets, const char *input,
                       const struct rn_source_opts *opts, atomic_bool *stop)
{
    struct stack *s = av_mallocz(sizeof *s);
    if (!s)
        return rn_fail_memory();
    s->input = input;
    s->losses = opts->losses;
    s->stop = stop;
    rn_indexed_begin(&s->base, &stack_ops, opts);
    struct stat st;
    int err = s->base.data ? 0 : rn_fail_memory();
    if (!err)
        s->tif = rn_tiff_open(input, "rm", &s->log); /* a mapped file that shrinks would kill us */
    if (!err && !s->tif)
        err = rn_fail(RN_EINPUT, "cannot open '%s': %s", input, s->log.first);
    if (!err && fstat(TIFFFileno(s->tif), &st))
        err = rn_fail(RN_EINPUT, "cannot look at '%s': %s", input, strerror(errno));
    if (!err) {
        s->dev = st.st_dev;
        s->ino = st.st_ino;
    }
    if (err || (err = list_pages(s)) != 0 ||
        (err = rn_indexed_range(&s->base, opts, s->n, "pages", &s->begin, &s->end)) != 0 ||
        (err = choose_format(s)) != 0) {
        stack_close(&s->base);
        return err;
    }
    s->next = s->begin;
    *packets = &s->base;
    return 0;
}
