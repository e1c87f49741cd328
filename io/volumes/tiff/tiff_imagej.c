/* SPDX-License-Identifier: MIT */
#include "io/volumes/tiff/tiff_list.h"

#include <string.h>

#include <libavutil/bprint.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>

#define MAGIC MKBETAG('I', 'J', 'I', 'J')

/* The data of a field: the number of items, the size of each, all items. */
static const struct {
    uint32_t type;
    const char *name;
    unsigned needs;
    size_t word; /* bytes of what has a byte order */
} kinds[] = {
    {MKBETAG('i', 'n', 'f', 'o'), "Info", 0, 2},
    {MKBETAG('l', 'a', 'b', 'l'), "Labels", RN_TIFF_CHOSEN, 2},
    {MKBETAG('r', 'a', 'n', 'g'), "Ranges", RN_CHANGED_CHANNELS | RN_CHANGED_VALUES, 8},
    {MKBETAG('l', 'u', 't', 's'), "LUTs", RN_CHANGED_CHANNELS, 1},
    {MKBETAG('r', 'o', 'i', ' '), "ROI", RN_CHANGED_GRID, 1},
    {MKBETAG('o', 'v', 'e', 'r'), "Overlays", RN_CHANGED_GRID | RN_CHANGED_PICTURES, 1},
    {MKBETAG('p', 'r', 'o', 'p'), "Properties", 0, 2},
};
enum { KINDS = sizeof kinds / sizeof *kinds, LABELS = 1 };

static void put_number(AVBPrint *b, uint32_t n)
{
    av_bprint_append_data(b, (const char *)&n, sizeof n);
}

/* ---- reading */

/* b: NULL, or what there is of the kind. */
static int add(struct rn_vol *v, int kind, const AVBPrint *b)
{
    const char *name = kind < KINDS ? kinds[kind].name : "IJMetadata";
    struct rn_vol_field field = {name, NULL, 0, RN_FIELD_LOST, RN_TIFF_TAG_IMAGEJ, 0};
    if (kind < KINDS && b && av_bprint_is_complete(b))
        field = (struct rn_vol_field){
            name, b->str, b->len, kinds[kind].needs | RN_TIFF_NO_LINES, RN_TIFF_TAG_IMAGEJ, 0};
    return rn_vol_fields_add(v, RN_TIFF_FORMAT, field);
}

static uint32_t number_at(const uint8_t *p, bool swapped)
{
    return swapped ? av_bswap32(AV_RN32(p)) : AV_RN32(p);
}

int rn_vol_tiff_imagej_read(TIFF *tif, struct rn_vol *v)
{
    uint32_t n = 0, bytes = 0, *size = NULL;
    const uint8_t *data = NULL;
    bool swapped = TIFFIsByteSwapped(tif);
    const TIFFField *field = TIFFFindField(tif, RN_TIFF_TAG_IMAGEJ, TIFF_BYTE);
    const TIFFField *sizes = TIFFFindField(tif, RN_TIFF_TAG_IMAGEJ_SIZES, TIFF_LONG);
    bool ok = field && TIFFFieldPassCount(field) && sizes && TIFFFieldPassCount(sizes) &&
              TIFFGetField(tif, RN_TIFF_TAG_IMAGEJ, &bytes, &data) &&
              TIFFGetField(tif, RN_TIFF_TAG_IMAGEJ_SIZES, &n, &size) && n;
    uint64_t sum = 0;
    for (uint32_t i = 0; ok && i < n; i++)
        sum += size[i];
    ok = ok && sum == bytes && size[0] >= 4 && number_at(data, swapped) == MAGIC;
    int err = ok ? 0 : add(v, KINDS, NULL);
    const uint8_t *item = ok ? data + size[0] : NULL;
    for (uint32_t head = 4, i = 1; ok && head + 8 <= size[0] && !err; head += 8) {
        uint32_t count = FFMIN(number_at(data + head + 4, swapped), n - i);
        AVBPrint b;
        int kind = 0;
        while (kind < KINDS && kinds[kind].type != number_at(data + head, swapped))
            kind++;
        av_bprint_init(&b, 0, AV_BPRINT_SIZE_UNLIMITED);
        put_number(&b, count);
        av_bprint_append_data(&b, (const char *)(size + i), count * 4);
        size_t word = swapped && kind < KINDS ? kinds[kind].word : 1;
        for (; count--; item += size[i++])
            for (size_t k = 0, whole = size[i] - size[i] % word; k < size[i]; k++)
                av_bprint_chars(&b, (char)item[k < whole ? k ^ (word - 1) : k], 1);
        err = add(v, kind, &b);
        av_bprint_finalize(&b, NULL);
    }
    return err;
}

/* ---- writing */

bool rn_vol_tiff_imagej_set(TIFF *tif, const struct rn_vol *v, const int64_t *owner, int n)
{
    AVBPrint head, sizes, items;
    av_bprint_init(&head, 0, AV_BPRINT_SIZE_UNLIMITED);
    av_bprint_init(&sizes, 0, AV_BPRINT_SIZE_UNLIMITED);
    av_bprint_init(&items, 0, AV_BPRINT_SIZE_UNLIMITED);
    put_number(&head, MAGIC);
    put_number(&sizes, 0);
    for (int k = 0; k < KINDS; k++) {
        const struct rn_vol_field *f =
            rn_vol_fields_find(v, RN_TIFF_FORMAT, kinds[k].name, RN_TIFF_TAG_IMAGEJ);
        if (!f)
            continue;
        const uint32_t *size = f->data;
        uint32_t count = *size++, had = sizes.len;
        const char *item = (const char *)(size + count);
        for (int64_t i = 0, page = 0; i < count; item += size[i++]) {
            int64_t own = page < n ? owner[page] : owner[n - 1] + page - n + 1;
            if (k == LABELS && (page == rn_vol_pictures(v) || own != i + 1))
                continue;
            page++;
            put_number(&sizes, size[i]);
            av_bprint_append_data(&items, item, size[i]);
        }
        put_number(&head, kinds[k].type);
        put_number(&head, (sizes.len - had) / 4);
    }
    uint32_t begin = head.len;
    memcpy(sizes.str, &begin, sizeof begin);
    av_bprint_append_data(&head, items.str, items.len);
    bool ok = av_bprint_is_complete(&head) && av_bprint_is_complete(&sizes) &&
              av_bprint_is_complete(&items);
    if (ok && sizes.len > sizeof begin)
        ok = TIFFSetField(tif, RN_TIFF_TAG_IMAGEJ_SIZES, sizes.len / 4, sizes.str) &&
             TIFFSetField(tif, RN_TIFF_TAG_IMAGEJ, head.len, head.str);
    av_bprint_finalize(&head, NULL);
    av_bprint_finalize(&sizes, NULL);
    av_bprint_finalize(&items, NULL);
    return ok;
}
