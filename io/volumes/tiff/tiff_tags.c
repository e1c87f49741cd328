#include "io/volumes/tiff/tiff_tags.h"

#include <stdio.h>
#include <string.h>

#define TAG_IMAGEJ 50839 /* IJMetadata; the counts of its bytes are before it */

static const struct {
    unsigned tag;
    const char *name;
    unsigned needs;
} tags[] = {
    {TIFFTAG_IMAGEDESCRIPTION, "ImageDescription", RN_TIFF_LINES},
    {TIFFTAG_DOCUMENTNAME, "DocumentName", 0},
    {TIFFTAG_MAKE, "Make", 0},
    {TIFFTAG_MODEL, "Model", 0},
    {TIFFTAG_PAGENAME, "PageName", 0},
    {TIFFTAG_DATETIME, "DateTime", 0},
    {TIFFTAG_ARTIST, "Artist", 0},
    {TIFFTAG_HOSTCOMPUTER, "HostComputer", 0},
    {TIFFTAG_TARGETPRINTER, "TargetPrinter", 0},
    {TIFFTAG_COPYRIGHT, "Copyright", 0},
    {TIFFTAG_XMLPACKET, "XMP", 0},
    {TIFFTAG_RICHTIFFIPTC, "IPTC", 0},
    {TIFFTAG_PHOTOSHOP, "Photoshop", RN_CHANGED_GRID | RN_CHANGED_PICTURES | RN_CHANGED_VALUES},
    {33550, "ModelPixelScale", RN_CHANGED_GRID},
    {33922, "ModelTiepoint", RN_CHANGED_GRID},
    {34264, "ModelTransformation", RN_CHANGED_GRID},
    {34735, "GeoKeyDirectory", RN_CHANGED_GRID},
    {34736, "GeoDoubleParams", RN_CHANGED_GRID},
    {34737, "GeoAsciiParams", RN_CHANGED_GRID},
    {42112, "GDAL_METADATA", RN_CHANGED_GRID | RN_CHANGED_VALUES},
    {42113, "GDAL_NODATA", RN_CHANGED_VALUES},
    {TIFFTAG_EXIFIFD, "EXIF", RN_FIELD_LOST},
    {TIFFTAG_GPSIFD, "GPS", RN_FIELD_LOST},
    {TAG_IMAGEJ, "IJMetadata", RN_FIELD_LOST},
};
enum { TAGS = sizeof tags / sizeof tags[0] };

/* Tags of how samples are stored; an ICC profile goes with frames, Software is who made it. */
static bool is_formal(unsigned tag)
{
    static const unsigned ranges[][2] = {
        {254, 259}, {262, 266}, {273, 274},     {277, 284},     {288, 289},
        {292, 293}, {296, 297}, {305, 305},     {317, 320},     {322, 328},
        {332, 332}, {334, 334}, {338, 339},     {347, 347},     {512, 521},
        {529, 532}, {559, 559}, {34675, 34675}, {50838, 50838}, {50908, 50908},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (tag >= ranges[i][0] && tag <= ranges[i][1])
            return true;
    return false;
}

void rn_vol_tiff_tags_declare(TIFF *tif)
{
#define ARRAY(tag, type, name)                                                                     \
    {                                                                                              \
        tag, -3, -3, type, FIELD_CUSTOM, 1, 1, name                                                \
    }
#define LINE(tag, name)                                                                            \
    {                                                                                              \
        tag, -1, -1, TIFF_ASCII, FIELD_CUSTOM, 1, 0, name                                          \
    }
    static char names[][24] = {"ModelPixelScale", "ModelTiepoint",   "ModelTransformation",
                               "GeoKeyDirectory", "GeoDoubleParams", "GeoAsciiParams",
                               "GDAL_METADATA",   "GDAL_NODATA"};
    static const TIFFFieldInfo infos[] = {
        ARRAY(33550, TIFF_DOUBLE, names[0]),
        ARRAY(33922, TIFF_DOUBLE, names[1]),
        ARRAY(34264, TIFF_DOUBLE, names[2]),
        ARRAY(34735, TIFF_SHORT, names[3]),
        ARRAY(34736, TIFF_DOUBLE, names[4]),
        LINE(34737, names[5]),
        LINE(42112, names[6]),
        LINE(42113, names[7]),
    };
    TIFFMergeFieldInfo(tif, infos, sizeof infos / sizeof infos[0]);
}

/* Returns the value of a tag: a text, or `count` numbers; NULL: it has no such value. */
static const void *value_of(TIFF *tif, const TIFFField *field, uint32_t *count)
{
    uint16_t few = 0;
    const void *data = NULL;
    bool text = TIFFFieldDataType(field) == TIFF_ASCII, counted = TIFFFieldPassCount(field);
    uint32_t tag = TIFFFieldTag(field);
    bool ok = counted && TIFFFieldReadCount(field) == TIFF_VARIABLE2
                  ? TIFFGetField(tif, tag, count, &data)
              : counted ? TIFFGetField(tif, tag, &few, &data)
              : text    ? TIFFGetField(tif, tag, &data)
                        : 0;
    if (ok && data && !counted)
        *count = (uint32_t)strlen(data);
    else if (few)
        *count = few;
    return ok ? data : NULL;
}

static int add_tag(TIFF *tif, unsigned tag, bool is_xml, struct rn_vol *v)
{
    const TIFFField *field = TIFFFindField(tif, tag, TIFF_ANY);
    int k = 0;
    while (k < TAGS && tags[k].tag != tag)
        k++;
    char name[24];
    snprintf(name, sizeof name, "%s", k < TAGS ? tags[k].name : "");
    if (k == TAGS)
        snprintf(name, sizeof name, "tag %u", tag);
    bool lost = k == TAGS || tags[k].needs == RN_FIELD_LOST;
    uint32_t count = 0;
    const void *data = lost || !field ? NULL : value_of(tif, field, &count);
    if (tag == TIFFTAG_IMAGEDESCRIPTION && (is_xml || (data && !strncmp(data, "ImageJ=", 7))))
        return 0;
    size_t each = field ? (size_t)TIFFDataWidth(TIFFFieldDataType(field)) : 1;
    int err = rn_vol_fields_add(v, RN_TIFF_FORMAT, name, data, data ? count * each : 0,
                                data ? tags[k].needs : RN_FIELD_LOST);
    if (!err)
        v->fields->field[v->fields->n - 1].tag = tag;
    return err;
}

int rn_vol_tiff_tags_read(TIFF *tif, bool is_xml, struct rn_vol *v)
{
    int err = 0;
    const char *software = NULL;
    uint16_t n = 0;
    float at = 0;
    void *offsets = NULL;
    if (!*v->made_by && TIFFGetField(tif, TIFFTAG_SOFTWARE, &software) && software)
        rn_vol_add_step(v, software);
    for (int i = 0; !err && i < TIFFGetTagListCount(tif); i++)
        if (!is_formal(TIFFGetTagListEntry(tif, i)))
            err = add_tag(tif, TIFFGetTagListEntry(tif, i), is_xml, v);
    if (!err &&
        (TIFFGetField(tif, TIFFTAG_XPOSITION, &at) || TIFFGetField(tif, TIFFTAG_YPOSITION, &at)))
        err = rn_vol_fields_add(v, RN_TIFF_FORMAT, "XPosition", NULL, 0, RN_FIELD_LOST);
    if (!err && TIFFGetField(tif, TIFFTAG_SUBIFD, &n, &offsets))
        err = rn_vol_fields_add(v, RN_TIFF_FORMAT, "SubIFDs", NULL, 0, RN_FIELD_LOST);
    return err;
}

bool rn_vol_tiff_tags_set(TIFF *tif, const struct rn_vol *v)
{
    const struct rn_vol_field *f = NULL;
    bool ok = true;
    while (ok && (f = rn_vol_fields_next(v, RN_TIFF_FORMAT, f)) != NULL) {
        const TIFFField *field = f->tag ? TIFFFindField(tif, f->tag, TIFF_ANY) : NULL;
        size_t each = field ? (size_t)TIFFDataWidth(TIFFFieldDataType(field)) : 1;
        if (field && TIFFFieldDataType(field) == TIFF_ASCII)
            ok = TIFFSetField(tif, f->tag, (const char *)f->data);
        else if (field)
            ok = TIFFSetField(tif, f->tag, (uint32_t)(f->size / each), f->data);
    }
    return ok;
}
