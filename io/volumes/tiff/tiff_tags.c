/* SPDX-License-Identifier: MIT */
#include "io/volumes/tiff/tiff_list.h"

#include <libavutil/intreadwrite.h>

/* ---- what ImageJ stores in a private tag of the first page, as fields: Info, labels of slices,
 * ranges and lookup tables of channels, regions, overlays, properties. The tag is a header, "IJIJ"
 * and a type and a number of items for each kind, then all items; another tag has the bytes of the
 * header and of each item. Texts are UTF-16; numbers and texts have the byte order of the file. */

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

/* b: NULL, or what there is of the kind. */
static int add_kind(struct rn_vol *v, int kind, const AVBPrint *b)
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

/* Adds the fields of the current page. Returns 0 or an error (logged). */
static int read_imagej(TIFF *tif, struct rn_vol *v)
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
    int err = ok ? 0 : add_kind(v, KINDS, NULL);
    const uint8_t *item = ok ? data + size[0] : NULL;
    for (uint32_t head = 4, i = 1; ok && head + 8 <= size[0] && !err; head += 8) {
        uint32_t count = FFMIN(number_at(data + head + 4, swapped), n - i);
        RN_OWNED(rn_io_text_free) AVBPrint b;
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
        err = add_kind(v, kind, &b);
    }
    return err;
}

bool rn_vol_tiff_imagej_set(TIFF *tif, const struct rn_vol *v, const int64_t *owner, int n)
{
    RN_IO_TEXT(head);
    RN_IO_TEXT(sizes);
    RN_IO_TEXT(items);
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
    return ok;
}

/* ---- other tags */

static const struct {
    unsigned tag; /* sorted */
    const char *name;
    unsigned needs;
    TIFFDataType type; /* where libtiff does not know it */
} tags[] = {
    {TIFFTAG_DOCUMENTNAME, "DocumentName", 0, 0},
    {TIFFTAG_IMAGEDESCRIPTION, "ImageDescription", RN_TIFF_LINES, 0},
    {TIFFTAG_MAKE, "Make", 0, 0},
    {TIFFTAG_MODEL, "Model", 0, 0},
    {TIFFTAG_ORIENTATION, "Orientation", RN_CHANGED_TURN, 0},
    {TIFFTAG_PAGENAME, "PageName", 0, 0},
    {TIFFTAG_XPOSITION, "XPosition", RN_FIELD_LOST, 0},
    {TIFFTAG_TRANSFERFUNCTION, "TransferFunction", RN_FIELD_LOST, 0},
    {TIFFTAG_DATETIME, "DateTime", 0, 0},
    {TIFFTAG_ARTIST, "Artist", 0, 0},
    {TIFFTAG_HOSTCOMPUTER, "HostComputer", 0, 0},
    {TIFFTAG_WHITEPOINT, "WhitePoint", 0, 0},
    {TIFFTAG_PRIMARYCHROMATICITIES, "PrimaryChromaticities", 0, 0},
    {TIFFTAG_SUBIFD, "SubIFDs", RN_FIELD_LOST, 0},
    {TIFFTAG_INKNAMES, "InkNames", RN_FIELD_LOST, 0},
    {TIFFTAG_TARGETPRINTER, "TargetPrinter", 0, 0},
    {TIFFTAG_SMINSAMPLEVALUE, "SMinSampleValue", RN_FIELD_LOST, 0},
    {TIFFTAG_SMAXSAMPLEVALUE, "SMaxSampleValue", RN_FIELD_LOST, 0},
    {TIFFTAG_XMLPACKET, "XMP", 0, 0},
    {TIFFTAG_COPYRIGHT, "Copyright", 0, 0},
    {33550, "ModelPixelScale", RN_CHANGED_GRID, TIFF_DOUBLE},
    {TIFFTAG_RICHTIFFIPTC, "IPTC", 0, 0},
    {33922, "ModelTiepoint", RN_CHANGED_GRID, TIFF_DOUBLE},
    {34264, "ModelTransformation", RN_CHANGED_GRID, TIFF_DOUBLE},
    {TIFFTAG_PHOTOSHOP, "Photoshop", RN_CHANGED_GRID | RN_CHANGED_PICTURES | RN_CHANGED_VALUES, 0},
    {TIFFTAG_EXIFIFD, "EXIF", RN_FIELD_LOST, 0},
    {34735, "GeoKeyDirectory", RN_CHANGED_GRID, TIFF_SHORT},
    {34736, "GeoDoubleParams", RN_CHANGED_GRID, TIFF_DOUBLE},
    {34737, "GeoAsciiParams", RN_CHANGED_GRID, TIFF_ASCII},
    {TIFFTAG_GPSIFD, "GPS", RN_FIELD_LOST, 0},
    {42112, "GDAL_METADATA", RN_CHANGED_GRID | RN_CHANGED_VALUES, TIFF_ASCII},
    {42113, "GDAL_NODATA", RN_CHANGED_VALUES, TIFF_ASCII},
    {RN_TIFF_TAG_IMAGEJ_SIZES, "IJMetadataByteCounts", 0, TIFF_LONG},
    {RN_TIFF_TAG_IMAGEJ, "IJMetadata", RN_FIELD_LOST, TIFF_BYTE},
};
enum { TAGS = sizeof tags / sizeof tags[0] };

/* Libtiff lists those that it has no member for; these it has. */
static const unsigned unlisted[] = {TIFFTAG_ORIENTATION, TIFFTAG_XPOSITION, TIFFTAG_SUBIFD,
                                    TIFFTAG_TRANSFERFUNCTION};

static int find(unsigned tag)
{
    int k = 0;
    while (k < TAGS && tags[k].tag < tag)
        k++;
    return k < TAGS && tags[k].tag == tag ? k : TAGS;
}

/* Tags below 700 say how samples are stored, but those of the table. Software is who made it, an
 * ICC profile goes with frames. */
bool rn_vol_tiff_tags_is_field(unsigned tag)
{
    return (tag >= 700 || find(tag) < TAGS) && tag != TIFFTAG_ICCPROFILE &&
           tag != RN_TIFF_TAG_IMAGEJ_SIZES && tag != 50908;
}

void rn_vol_tiff_tags_declare(TIFF *tif)
{
    for (int k = 0; k < TAGS; k++) {
        bool text = tags[k].type == TIFF_ASCII; /* of any length; numbers come with their count */
        const TIFFFieldInfo info = {tags[k].tag,    text ? -1 : -3,
                                    text ? -1 : -3, tags[k].type,
                                    FIELD_CUSTOM,   1,
                                    !text,          (char *)(uintptr_t)tags[k].name};
        if (tags[k].type)
            TIFFMergeFieldInfo(tif, &info, 1);
    }
}

/* Bytes of a number, as libtiff passes it. */
static size_t bytes_of(const TIFFField *field)
{
    TIFFDataType type = TIFFFieldDataType(field);
    return type == TIFF_RATIONAL ? sizeof(float) : (size_t)TIFFDataWidth(type);
}

/* Returns the value of a tag: a text, or `count` numbers; NULL: it has no such value. The only
 * number is in *one. */
static const void *value_of(TIFF *tif, const TIFFField *field, uint32_t *count, uint16_t *one)
{
    const void *data = NULL;
    uint32_t tag = TIFFFieldTag(field);
    bool text = TIFFFieldDataType(field) == TIFF_ASCII && !TIFFFieldPassCount(field);
    if (TIFFFieldPassCount(field) && TIFFFieldReadCount(field) == TIFF_VARIABLE2)
        return TIFFGetField(tif, tag, count, &data) ? data : NULL;
    *count = text ? 0 : (uint32_t)TIFFFieldReadCount(field);
    if (*count == 1)
        return TIFFGetField(tif, tag, one) ? one : NULL;
    if (TIFFGetField(tif, tag, &data) && data && text)
        *count = (uint32_t)strlen(data);
    return data;
}

static int add_tag(TIFF *tif, unsigned tag, bool is_xml, int64_t owner, bool is_first,
                   struct rn_vol *v)
{
    const TIFFField *field = TIFFFindField(tif, tag, TIFF_ANY);
    int k = find(tag);
    if (!rn_vol_tiff_tags_is_field(tag))
        return 0;
    if (tag == RN_TIFF_TAG_IMAGEJ && !owner)
        return read_imagej(tif, v);
    char name[24];
    snprintf(name, sizeof name, "tag %u", tag);
    uint32_t count = 0;
    uint16_t one;
    bool known = field && k < TAGS && tags[k].needs != RN_FIELD_LOST &&
                 (!tags[k].type || tags[k].type == TIFFFieldDataType(field));
    const void *data = known ? value_of(tif, field, &count, &one) : NULL;
    bool described = tag == TIFFTAG_IMAGEDESCRIPTION && data;
    if (described && (is_xml ? *(const char *)data == '<' : !strncmp(data, "ImageJ=", 7)))
        return 0;
    if (data == &one && one == ORIENTATION_TOPLEFT)
        return 0;
    unsigned needs = data ? tags[k].needs : RN_FIELD_LOST;
    if (!is_first && needs & RN_TIFF_LINES)
        needs = RN_TIFF_PAGE_LINES;
    return rn_vol_fields_add(v, RN_TIFF_FORMAT,
                             (struct rn_vol_field){k < TAGS ? tags[k].name : name, data,
                                                   data ? count * bytes_of(field) : 0, needs, tag,
                                                   owner});
}

int rn_vol_tiff_tags_read(TIFF *tif, bool is_xml, int64_t owner, bool is_first, struct rn_vol *v)
{
    int err = 0;
    void *software = NULL, *value[3]; /* larger than what libtiff stores there */
    if (!*v->made_by && TIFFGetField(tif, TIFFTAG_SOFTWARE, &software) && software)
        rn_vol_add_step(v, software);
    for (int i = 0; !err && i < TIFFGetTagListCount(tif); i++)
        err = add_tag(tif, TIFFGetTagListEntry(tif, i), is_xml, owner, is_first, v);
    for (size_t i = 0; !err && i < sizeof unlisted / sizeof *unlisted; i++)
        if (TIFFGetField(tif, unlisted[i], &value[0], &value[1], &value[2]))
            err = add_tag(tif, unlisted[i], is_xml, owner, is_first, v);
    return err;
}

static bool set_tag(TIFF *tif, const struct rn_vol_field *f)
{
    bool own = f->tag && f->tag != RN_TIFF_TAG_IMAGEJ;
    const TIFFField *field = own ? TIFFFindField(tif, f->tag, TIFF_ANY) : NULL;
    if (!field)
        return true;
    if (TIFFFieldPassCount(field))
        return TIFFSetField(tif, f->tag, (uint32_t)(f->size / bytes_of(field)), f->data);
    if (TIFFFieldReadCount(field) == 1)
        return TIFFSetField(tif, f->tag, AV_RN16(f->data));
    return TIFFSetField(tif, f->tag, f->data);
}

/* Returns the first field of an owner, or of those behind it, that a header of `format` holds for
 * v; NULL: none. */
static const struct rn_vol_field *first_field(const struct rn_vol *v, const char *format,
                                              int64_t owner)
{
    int first = 0, end = v->fields ? v->fields->n : 0;
    while (first < end) {
        int middle = first + (end - first) / 2;
        if (v->fields->field[middle].owner < owner)
            first = middle + 1;
        else
            end = middle;
    }
    return rn_vol_fields_next(v, format, first ? &v->fields->field[first - 1] : NULL);
}

bool rn_vol_tiff_tags_set(TIFF *tif, const struct rn_vol *v, int64_t owner)
{
    const struct rn_vol_field *f = first_field(v, RN_TIFF_FORMAT, owner);
    bool ok = true;
    for (; ok && f && f->owner == owner; f = rn_vol_fields_next(v, RN_TIFF_FORMAT, f))
        ok = set_tag(tif, f);
    return ok;
}
