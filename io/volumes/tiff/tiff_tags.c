#include "io/volumes/tiff/tiff_tags.h"

#include <stdio.h>
#include <string.h>

#define TAG_IMAGEJ 50839 /* IJMetadata; the counts of its bytes are before it */

static const struct {
    unsigned tag;
    const char *name;
    unsigned needs;
    TIFFDataType type; /* where libtiff does not know it */
} tags[] = {
    {TIFFTAG_IMAGEDESCRIPTION, "ImageDescription", RN_TIFF_LINES, 0},
    {TIFFTAG_DOCUMENTNAME, "DocumentName", 0, 0},
    {TIFFTAG_MAKE, "Make", 0, 0},
    {TIFFTAG_MODEL, "Model", 0, 0},
    {TIFFTAG_PAGENAME, "PageName", 0, 0},
    {TIFFTAG_DATETIME, "DateTime", 0, 0},
    {TIFFTAG_ARTIST, "Artist", 0, 0},
    {TIFFTAG_HOSTCOMPUTER, "HostComputer", 0, 0},
    {TIFFTAG_TARGETPRINTER, "TargetPrinter", 0, 0},
    {TIFFTAG_COPYRIGHT, "Copyright", 0, 0},
    {TIFFTAG_XMLPACKET, "XMP", 0, 0},
    {TIFFTAG_RICHTIFFIPTC, "IPTC", 0, 0},
    {TIFFTAG_PHOTOSHOP, "Photoshop", RN_CHANGED_GRID | RN_CHANGED_PICTURES | RN_CHANGED_VALUES, 0},
    {33550, "ModelPixelScale", RN_CHANGED_GRID, TIFF_DOUBLE},
    {33922, "ModelTiepoint", RN_CHANGED_GRID, TIFF_DOUBLE},
    {34264, "ModelTransformation", RN_CHANGED_GRID, TIFF_DOUBLE},
    {34735, "GeoKeyDirectory", RN_CHANGED_GRID, TIFF_SHORT},
    {34736, "GeoDoubleParams", RN_CHANGED_GRID, TIFF_DOUBLE},
    {34737, "GeoAsciiParams", RN_CHANGED_GRID, TIFF_ASCII},
    {42112, "GDAL_METADATA", RN_CHANGED_GRID | RN_CHANGED_VALUES, TIFF_ASCII},
    {42113, "GDAL_NODATA", RN_CHANGED_VALUES, TIFF_ASCII},
    {TIFFTAG_INKNAMES, "InkNames", RN_FIELD_LOST, 0},
    {TIFFTAG_SMINSAMPLEVALUE, "SMinSampleValue", RN_FIELD_LOST, 0},
    {TIFFTAG_SMAXSAMPLEVALUE, "SMaxSampleValue", RN_FIELD_LOST, 0},
    {TIFFTAG_EXIFIFD, "EXIF", RN_FIELD_LOST, 0},
    {TIFFTAG_GPSIFD, "GPS", RN_FIELD_LOST, 0},
    {TAG_IMAGEJ, "IJMetadata", RN_FIELD_LOST, 0},
};
enum { TAGS = sizeof tags / sizeof tags[0] };

/* Tags below 700 say how samples are stored, but those of the table. Software is who made it, an
 * ICC profile goes with frames. */
static bool is_formal(unsigned tag, int k)
{
    return (k == TAGS && tag < 700) || tag == TIFFTAG_ICCPROFILE || tag == 50838 || tag == 50908;
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

/* Returns the value of a tag: a text, or `count` numbers; NULL: it has no such value. */
static const void *value_of(TIFF *tif, const TIFFField *field, uint32_t *count)
{
    const void *data = NULL;
    uint32_t tag = TIFFFieldTag(field);
    bool text = TIFFFieldDataType(field) == TIFF_ASCII && !TIFFFieldPassCount(field);
    if (TIFFFieldPassCount(field) && TIFFFieldReadCount(field) == TIFF_VARIABLE2)
        return TIFFGetField(tif, tag, count, &data) ? data : NULL;
    *count = text && TIFFGetField(tif, tag, &data) && data ? (uint32_t)strlen(data) : 0;
    return data;
}

static int add_tag(TIFF *tif, unsigned tag, bool is_xml, struct rn_vol *v)
{
    const TIFFField *field = TIFFFindField(tif, tag, TIFF_ANY);
    int k = 0;
    while (k < TAGS && tags[k].tag != tag)
        k++;
    if (is_formal(tag, k))
        return 0;
    char name[24];
    snprintf(name, sizeof name, "tag %u", tag);
    uint32_t count = 0;
    bool known = field && k < TAGS && tags[k].needs != RN_FIELD_LOST &&
                 (!tags[k].type || tags[k].type == TIFFFieldDataType(field));
    const void *data = known ? value_of(tif, field, &count) : NULL;
    if (tag == TIFFTAG_IMAGEDESCRIPTION && (is_xml || (data && !strncmp(data, "ImageJ=", 7))))
        return 0;
    size_t each = field ? (size_t)TIFFDataWidth(TIFFFieldDataType(field)) : 1;
    int err = rn_vol_fields_add(v, RN_TIFF_FORMAT, k < TAGS ? tags[k].name : name, data,
                                data ? count * each : 0, data ? tags[k].needs : RN_FIELD_LOST);
    if (!err)
        v->fields->field[v->fields->n - 1].tag = tag;
    return err;
}

int rn_vol_tiff_tags_read(TIFF *tif, bool is_xml, struct rn_vol *v)
{
    int err = 0;
    uint16_t n = 0;
    float at = 0;
    void *offsets = NULL, *software = NULL;
    if (!*v->made_by && TIFFGetField(tif, TIFFTAG_SOFTWARE, &software) && software)
        rn_vol_add_step(v, software);
    for (int i = 0; !err && i < TIFFGetTagListCount(tif); i++)
        err = add_tag(tif, TIFFGetTagListEntry(tif, i), is_xml, v);
    if (!err && TIFFGetField(tif, TIFFTAG_XPOSITION, &at))
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
