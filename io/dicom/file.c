#include "io/dicom/file.h"

#include <stdio.h>
#include <string.h>

#ifdef RN_HAVE_GDCM

size_t rn_dicom_frame_size(const struct rn_dicom_header *h)
{
    return (size_t)h->w * (size_t)h->h * (size_t)h->colours * (size_t)h->bytes;
}

size_t rn_dicom_size(const struct rn_dicom_header *h)
{
    return rn_dicom_frame_size(h) * (size_t)h->frames;
}

#define UNDEFINED 0xFFFFFFFFu
#define MAX_DEPTH 32

enum { ITEM = 0xE000, ITEM_END = 0xE00D, SEQUENCE_END = 0xE0DD }; /* of group 0xFFFE */

struct walk {
    FILE *f;
    int64_t size;
    bool is_explicit, is_big;
    char syntax[65]; /* Transfer Syntax UID, from the group of meta elements */
    int64_t pixels;  /* bytes of Pixel Data as its length says; 0: none or compressed */
    int64_t at;      /* where they begin */
};

struct element {
    unsigned group, number;
    char vr[2];
    uint32_t length;
};

static uint32_t load(const struct walk *w, const uint8_t *p, int bytes)
{
    uint32_t v = 0;
    for (int i = 0; i < bytes; i++)
        v = v << 8 | p[w->is_big ? i : bytes - 1 - i];
    return v;
}

static bool has_long_length(const char *vr)
{
    static const char names[] = "OBOWOFODOLOVSQUCURUTUNSVUV";
    for (const char *p = names; *p; p += 2)
        if (vr[0] == p[0] && vr[1] == p[1])
            return true;
    return false;
}

static bool is_vr(const char *vr)
{
    return vr[0] >= 'A' && vr[0] <= 'Z' && vr[1] >= 'A' && vr[1] <= 'Z';
}

static bool read_element(struct walk *w, struct element *e)
{
    uint8_t p[12];
    if (fread(p, 1, 8, w->f) != 8)
        return false;
    e->group = load(w, p, 2);
    e->number = load(w, p + 2, 2);
    e->length = load(w, p + 4, 4);
    memcpy(e->vr, p + 4, 2);
    /* Some writers fall back to the other way in between. */
    if (!w->is_explicit || e->group == 0xFFFE || !is_vr(e->vr))
        return true;
    e->length = load(w, p + 6, 2);
    if (!has_long_length(e->vr))
        return true;
    if (fread(p + 8, 1, 4, w->f) != 4)
        return false;
    e->length = load(w, p + 8, 4);
    return true;
}

static bool skip(struct walk *w, uint32_t length)
{
    return ftello(w->f) + (int64_t)length <= w->size && !fseeko(w->f, (off_t)length, SEEK_CUR);
}

static bool walk_elements(struct walk *w, bool in_item, int depth);

/* The items of a sequence or of compressed pixels, up to their end. */
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

static bool walk_elements(struct walk *w, bool in_item, int depth)
{
    struct element e;
    if (depth > MAX_DEPTH)
        return false;
    while (in_item || ftello(w->f) < w->size) {
        if (!read_element(w, &e))
            return false;
        if (in_item && e.group == 0xFFFE && e.number == ITEM_END)
            return true;
        if (e.length != UNDEFINED) {
            if (!in_item && e.group == 0x7FE0 && e.number == 0x10)
                w->pixels = e.length, w->at = ftello(w->f);
            if (!skip(w, e.length))
                return false;
            continue;
        }
        /* what is inside of an unknown thing is written as if nothing were explicit */
        bool outer = w->is_explicit, unknown = outer && !memcmp(e.vr, "UN", 2);
        w->is_explicit = outer && !unknown;
        bool whole = walk_items(w, depth);
        w->is_explicit = outer;
        if (!whole)
            return false;
    }
    return true;
}

/* Group 2 stands first and says how the rest is written. */
static bool walk_meta(struct walk *w)
{
    struct element e;
    w->is_explicit = true;
    for (;;) {
        int64_t at = ftello(w->f);
        if (!read_element(w, &e))
            return false;
        if (e.group != 2)
            return !fseeko(w->f, (off_t)at, SEEK_SET);
        if (e.number == 0x10 && e.length < sizeof w->syntax) {
            if (fread(w->syntax, 1, e.length, w->f) != e.length)
                return false;
        } else if (!skip(w, e.length)) {
            return false;
        }
    }
}

static bool walk_file(struct walk *w)
{
    char magic[4];
    if (fseeko(w->f, 0, SEEK_END) || (w->size = ftello(w->f)) < 132 ||
        fseeko(w->f, 128, SEEK_SET) || fread(magic, 1, 4, w->f) != 4 ||
        memcmp(magic, "DICM", 4) != 0)
        return true;
    if (!walk_meta(w))
        return false;
    /* Deflated, or a manufacturer's own syntax. */
    if (!strcmp(w->syntax, "1.2.840.10008.1.2.1.99") ||
        strncmp(w->syntax, "1.2.840.10008.", 14) != 0)
        return true;
    w->is_explicit = strcmp(w->syntax, "1.2.840.10008.1.2") != 0;
    w->is_big = !strcmp(w->syntax, "1.2.840.10008.1.2.2");
    return walk_elements(w, false, 0);
}

bool rn_dicom_is_complete(const char *path)
{
    struct walk w = {.f = fopen(path, "rb")};
    bool whole = !w.f || walk_file(&w);
    if (w.f)
        fclose(w.f);
    return whole;
}

bool rn_dicom_can_hold(const char *path, const struct rn_dicom_header *h)
{
    struct walk w = {.f = h->frames > 1 ? fopen(path, "rb") : NULL};
    if (!w.f)
        return true;
    walk_file(&w);
    fclose(w.f);
    int64_t bits = (int64_t)h->w * h->h * h->stored;
    if (w.pixels || !*w.syntax)
        return (double)h->frames * (double)bits / 8 <= (double)(w.pixels ? w.pixels : w.size);
    /* Each frame has a fragment of its own, with 8 bytes before it; but nothing of that can be seen
     * where all is deflated, which makes a thousandth of it at best. */
    bool deflated = !strcmp(w.syntax, "1.2.840.10008.1.2.1.99");
    return (double)h->frames <= (double)w.size * (deflated ? 8800. / (double)bits : 1. / 8);
}

int64_t rn_dicom_frames_at(const char *path, const struct rn_dicom_header *h)
{
    const uint16_t one = 1;
    struct walk w = {.f = h->frames > 1 && h->is_plain ? fopen(path, "rb") : NULL};
    if (!w.f)
        return 0;
    bool whole = walk_file(&w);
    fclose(w.f);
    bool native =
        !strcmp(w.syntax, "1.2.840.10008.1.2") || !strcmp(w.syntax, "1.2.840.10008.1.2.1");
    bool is_little = *(const uint8_t *)&one == 1;
    return whole && native && is_little && (uint64_t)w.pixels >= rn_dicom_size(h) ? w.at : 0;
}

#endif
