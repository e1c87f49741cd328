/* SPDX-License-Identifier: MIT */
#include "io/dicom/file.h"

#include "filters/base/owned.h"
#include "io/dicom/pixels.h"
#include "io/volumes/bytes.h"

#include <fcntl.h>

#define UNDEFINED 0xFFFFFFFFu
#define MAX_DEPTH 32

enum { ITEM = 0xE000, ITEM_END = 0xE00D, SEQUENCE_END = 0xE0DD }; /* of group 0xFFFE */

struct walk {
    struct rn_vol_bytes *bytes; /* the file; or its inflated bytes behind the meta elements */
    int64_t at, size;           /* size: INT64_MAX: the end of the bytes decides */
    uint8_t window[4096];       /* read bytes, from window_at on */
    int64_t window_at;
    size_t window_n;
    bool is_explicit, is_big;
    char syntax[65]; /* Transfer Syntax UID, from the group of meta elements */
    bool searches;   /* ends at the Pixel Data */
    bool found;
    struct rn_dicom_pixel_data pixels;
};

/* Copies the next n bytes, at most the window's size. Deflated bytes can only be read forward. */
static bool take(struct walk *w, void *to, size_t n)
{
    int64_t end = w->window_at + (int64_t)w->window_n;
    if (w->at < w->window_at || w->at + (int64_t)n > end) {
        size_t kept = w->at >= w->window_at && w->at < end ? (size_t)(end - w->at) : 0;
        memmove(w->window, w->window + w->window_n - kept, kept);
        w->window_at = w->at;
        w->window_n = kept + rn_vol_bytes_read(w->bytes, w->at + (int64_t)kept, w->window + kept,
                                               sizeof w->window - kept);
    }
    size_t skipped = (size_t)(w->at - w->window_at);
    if (skipped + n > w->window_n)
        return false;
    memcpy(to, w->window + skipped, n);
    w->at += (int64_t)n;
    return true;
}

struct element {
    unsigned group, number;
    char vr[3];
    uint32_t length;
};

static bool read_element(struct walk *w, struct element *e)
{
    uint8_t p[12];
    if (!take(w, p, 8))
        return false;
    e->group = (unsigned)rn_vol_number(p, 2, w->is_big);
    e->number = (unsigned)rn_vol_number(p + 2, 2, w->is_big);
    e->length = (uint32_t)rn_vol_number(p + 4, 4, w->is_big);
    memcpy(e->vr, (char[]){(char)p[4], (char)p[5], 0}, sizeof e->vr);
    /* Some writers omit the VR of single elements in explicit files. */
    bool has_vr = strspn(e->vr, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 2;
    if (!w->is_explicit || e->group == 0xFFFE || !has_vr)
        return true;
    bool is_long = strstr("OB OW OF OD OL OV SQ UC UR UT UN SV UV", e->vr);
    if (is_long && !take(w, p + 8, 4))
        return false;
    e->length = (uint32_t)rn_vol_number(p + (is_long ? 8 : 6), is_long ? 4 : 2, w->is_big);
    return true;
}

static bool skip(struct walk *w, uint32_t length)
{
    w->at += length;
    return w->at <= w->size;
}

static bool walk_elements(struct walk *w, bool in_item, int depth);

/* Walks the items of a sequence or of compressed pixels, up to their end. */
static bool walk_items(struct walk *w, int depth)
{
    struct element e;
    while (read_element(w, &e)) {
        if (e.group != 0xFFFE)
            return false;
        if (e.number == SEQUENCE_END)
            return true;
        if (!(e.length == UNDEFINED ? walk_elements(w, true, depth + 1) : skip(w, e.length)))
            return false;
    }
    return false;
}

static void note_pixels(struct walk *w, const struct element *e)
{
    if (e->group != 0x7FE0)
        return;
    if (e->number == 1) {
        w->pixels.table = w->at;
        w->pixels.table_size = e->length == UNDEFINED ? 0 : e->length;
    } else if (e->number == 0x10) {
        w->found = true;
        w->pixels.at = w->at;
        w->pixels.is_compressed = e->length == UNDEFINED;
        w->pixels.size = e->length == UNDEFINED ? 0 : e->length;
    }
}

static bool walk_elements(struct walk *w, bool in_item, int depth)
{
    struct element e;
    if (depth > MAX_DEPTH)
        return false;
    while (in_item || w->at < w->size) {
        if (!read_element(w, &e))
            return false;
        if (in_item && e.group == 0xFFFE && e.number == ITEM_END)
            return true;
        if (!in_item)
            note_pixels(w, &e);
        if (w->found && w->searches)
            return true;
        if (e.length != UNDEFINED) {
            if (!skip(w, e.length))
                return false;
            continue;
        }
        /* the items of an element of unknown VR are implicit */
        bool outer = w->is_explicit, unknown = outer && !memcmp(e.vr, "UN", 2);
        w->is_explicit = outer && !unknown;
        bool whole = walk_items(w, depth);
        w->is_explicit = outer;
        if (!whole)
            return false;
    }
    return true;
}

/* Walks group 2, which stands first and names the transfer syntax of the rest. */
static bool walk_meta(struct walk *w)
{
    struct element e;
    w->is_explicit = true;
    for (;;) {
        int64_t at = w->at;
        if (!read_element(w, &e))
            return false;
        if (e.group != 2) {
            w->at = at;
            return true;
        }
        if (e.number == 0x10 && e.length < sizeof w->syntax) {
            if (!take(w, w->syntax, e.length))
                return false;
        } else if (!skip(w, e.length)) {
            return false;
        }
    }
}

#define DEFLATED "1.2.840.10008.1.2.1.99"

static bool walk_file(struct walk *w, int fd)
{
    char magic[4];
    if (rn_vol_bytes_borrow(&w->bytes, fd, 0, RN_PACKING_NONE))
        return true;
    w->size = w->searches ? INT64_MAX : rn_vol_bytes_size(w->bytes);
    w->at = 128;
    if (!take(w, magic, 4) || memcmp(magic, "DICM", 4) != 0)
        return true;
    if (!walk_meta(w))
        return false;
    w->is_explicit = strcmp(w->syntax, "1.2.840.10008.1.2") != 0;
    w->is_big = !strcmp(w->syntax, "1.2.840.10008.1.2.2");
    bool deflated = !strcmp(w->syntax, DEFLATED);
    if (deflated && !w->searches) /* only its end says how much there is */
        return true;
    if (deflated) { /* from here on, offsets count inflated bytes */
        int64_t at = w->at;
        rn_vol_bytes_close(&w->bytes);
        w->at = w->window_at = 0;
        w->window_n = 0;
        return !rn_vol_bytes_borrow(&w->bytes, fd, at, RN_PACKING_DEFLATE) &&
               walk_elements(w, false, 0);
    }
    if (strncmp(w->syntax, "1.2.840.10008.", 14) != 0) /* a private syntax */
        return true;
    return walk_elements(w, false, 0);
}

/* Rows of less than two bytes end in padding, too: Pixel Data have an even length. */
static struct rn_dicom_surplus find_surplus(struct walk *w, const struct rn_dicom_header *h)
{
    int64_t row = ((int64_t)h->w * h->pixel_bits + 7) / 8, frame = row * h->h;
    int64_t bits = (int64_t)h->w * h->h * h->pixel_bits;
    struct rn_dicom_surplus surplus = {.frame = (bits + 7) / 8};
    if ((double)bits / 8 * h->frames >= (double)w->pixels.size)
        return surplus;
    int64_t all = (bits * h->frames + 7) / 8;
    surplus.bytes = rn_vol_bytes_surplus(w->bytes, w->pixels.at + all,
                                         w->pixels.at + w->pixels.size, row > 2 ? row : 2, frame);
    return surplus;
}

/* h, surplus: as in rn_dicom_is_complete; or NULL. */
static bool walk_path(struct walk *w, const char *path, const struct rn_dicom_header *h,
                      struct rn_dicom_surplus *surplus)
{
    RN_OWNED(rn_close_owned) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    bool whole = fd < 0 || walk_file(w, fd);
    RN_OWNED(rn_dicom_pixels_close) struct rn_dicom_pixels pixels = {.bytes = NULL};
    const char *why;
    if (h)
        *surplus = whole && w->pixels.size ? find_surplus(w, h) : (struct rn_dicom_surplus){0};
    if (h && whole && w->pixels.is_compressed &&
        rn_dicom_pixels_open(&pixels, fd, h, &why) == RN_DICOM_OK)
        *surplus = rn_dicom_pixels_surplus(&pixels);
    rn_vol_bytes_close(&w->bytes);
    return whole;
}

bool rn_dicom_is_complete(const char *path, const struct rn_dicom_header *header,
                          struct rn_dicom_surplus *surplus)
{
    struct walk w = {0};
    return walk_path(&w, path, header, surplus);
}

bool rn_dicom_can_hold(const char *path, const struct rn_dicom_header *h)
{
    struct walk w = {0};
    if (h->frames <= 1)
        return true;
    walk_path(&w, path, NULL, NULL);
    int64_t bits = (int64_t)h->w * h->h * h->pixel_bits;
    if (w.pixels.size || !*w.syntax)
        return (double)h->frames * (double)bits / 8 <=
               (double)(w.pixels.size ? w.pixels.size : w.size);
    /* Each compressed frame needs a fragment, whose head has 8 bytes. In a deflated file only its
     * ratio is known: 1000 at best. */
    bool deflated = !strcmp(w.syntax, DEFLATED);
    return (double)h->frames <= (double)w.size * (deflated ? 8800. / (double)bits : 1. / 8);
}

bool rn_dicom_find_pixels(int fd, struct rn_dicom_pixel_data *pixels, struct rn_vol_bytes **bytes)
{
    struct walk w = {.searches = true};
    bool found = walk_file(&w, fd) && w.found;
    *pixels = w.pixels;
    pixels->is_big = w.is_big;
    if (!found)
        rn_vol_bytes_close(&w.bytes);
    *bytes = w.bytes;
    return found;
}
