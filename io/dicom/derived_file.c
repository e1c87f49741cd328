#define _GNU_SOURCE /* getrandom */
#include "io/dicom/derived_file.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "io/dicom/source_attributes.h"
#include "io/dicom/gdcm/gdcm.h"
#include "io/volumes/volume.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#ifndef RN_HAVE_GDCM

bool rn_dicom_derived_file_can(const struct rn_vol *volume, char *why, size_t size)
{
    (void)volume;
    snprintf(why, size,
             "DICOM is what this runnel was built without: install the packages "
             "libgdcm-dev and g++, then build it again");
    return false;
}

int rn_dicom_derived_file_begin(struct rn_dicom_derived_file **derived, const struct rn_vol *volume,
                                int64_t first)
{
    (void)derived, (void)volume, (void)first;
    return rn_fail(RN_EINTERNAL, "this runnel was built without DICOM");
}

void rn_dicom_derived_file_end(struct rn_dicom_derived_file **derived)
{
    (void)derived;
}

size_t rn_dicom_derived_file_size(const struct rn_dicom_derived_file *derived)
{
    (void)derived;
    return 0;
}

const uint8_t *rn_dicom_derived_file_make(struct rn_dicom_derived_file *derived, int64_t index,
                                          int64_t number, const uint8_t *pixels, size_t *size)
{
    (void)derived, (void)index, (void)number, (void)pixels, (void)size;
    return NULL;
}

#else

#define CT                "1.2.840.10008.5.1.4.1.1.2"
#define MR                "1.2.840.10008.5.1.4.1.1.4"
#define SECONDARY_CAPTURE "1.2.840.10008.5.1.4.1.1.7"

#define SERIES_STEP 100L /* a derived series is number 100 * source + 1: sorted behind its source */

enum { UID = 65, ELEMENTS = 160, TEXTS = 98304 };

struct rn_dicom_derived_file {
    struct rn_vol volume;
    int64_t first;
    const char *class;
    char study[UID], series[UID], frame[UID];
    int bytes, colours; /* of a sample; of a pixel */
    /* of the current picture */
    const struct rn_dicom_gdcm_module *gdcm;
    struct rn_dicom_gdcm_element element[ELEMENTS];
    int n, depth;
    char text[TEXTS]; /* values of elements */
    size_t used;      /* bytes of text */
    bool full;        /* elements or text did not suffice: a bug */
    uint8_t *file;
    size_t file_size; /* allocated bytes of file */
};

/* ---- elements */

static void add_bytes(struct rn_dicom_derived_file *d, unsigned group, unsigned element,
                      const char *vr, const void *value, size_t size)
{
    d->full |= d->n == ELEMENTS;
    if (d->full)
        return;
    struct rn_dicom_gdcm_element *e = &d->element[d->n++];
    *e = (struct rn_dicom_gdcm_element){
        (uint16_t)group, (uint16_t)element, {vr[0], vr[1]}, d->depth, value, (uint32_t)size};
}

/* Pads the value to an even length. */
static void add(struct rn_dicom_derived_file *d, unsigned group, unsigned element, const char *vr,
                const char *value)
{
    size_t size = strlen(value);
    d->full |= d->used + size + 2 > sizeof d->text;
    if (d->full)
        return;
    char *to = d->text + d->used;
    memcpy(to, value, size + 1);
    if (size % 2)
        to[size++] = !strcmp(vr, "UI") ? '\0' : ' ';
    d->used += size;
    add_bytes(d, group, element, vr, to, size);
}

static void add_whole(struct rn_dicom_derived_file *d, unsigned group, unsigned element,
                      int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value);
    add(d, group, element, "IS", text);
}

static void add_word(struct rn_dicom_derived_file *d, unsigned group, unsigned element, int value)
{
    const char bytes[2] = {(char)(value & 0xFF), (char)(value >> 8 & 0xFF)};
    d->full |= d->used + 2 > sizeof d->text;
    if (d->full)
        return;
    memcpy(d->text + d->used, bytes, 2);
    add_bytes(d, group, element, "US", d->text + d->used, 2);
    d->used += 2;
}

/* A decimal string has up to 16 characters: uses as many digits as fit. */
static void add_numbers(struct rn_dicom_derived_file *d, unsigned group, unsigned element,
                        const double *value, int n)
{
    char text[6 * 17 + 1] = "", one[40];
    for (int i = 0; i < n; i++) {
        int digits = 17;
        do
            snprintf(one, sizeof one, "%.*g", digits, value[i] + 0.); /* turns -0 into 0 */
        while (strlen(one) > 16 && --digits > 0);
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i ? "\\" : "", one);
    }
    add(d, group, element, "DS", text);
}

/* Begins a sequence of one item: elements go to the item until end_item. */
static void begin_item(struct rn_dicom_derived_file *d, unsigned group, unsigned element)
{
    add_bytes(d, group, element, "SQ", NULL, 0);
    d->depth++;
}

static void end_item(struct rn_dicom_derived_file *d)
{
    d->depth--;
}

/* Adds a code of the DICOM Controlled Terminology as a sequence. */
static void add_code(struct rn_dicom_derived_file *d, unsigned group, unsigned element,
                     const char *code, const char *meaning)
{
    begin_item(d, group, element);
    add(d, 0x0008, 0x0100, "SH", code);
    add(d, 0x0008, 0x0102, "SH", "DCM");
    add(d, 0x0008, 0x0104, "LO", meaning);
    end_item(d);
}

/* Adds a text of this program as one value, in ASCII: the file has the source's character set. */
static void add_own(struct rn_dicom_derived_file *d, unsigned group, unsigned element,
                    const char *vr, const char *value, size_t most)
{
    char text[RN_MADE_BY_SIZE + 1];
    snprintf(text, sizeof text, "%.*s", (int)most, value);
    for (char *c = text; *c; c++)
        *c = (char)((unsigned char)*c < ' ' || (unsigned char)*c > '~' ? '?' : *c);
    for (char *c = text; !strcmp(vr, "LO") && (c = strchr(c, '\\'));)
        *c = '/'; /* a backslash separates values */
    add(d, group, element, vr, text);
}

/* ---- identity */

/* A UUID as a number (PS3.5 B.2). */
static int make_uid(char uid[UID])
{
    uint8_t r[16];
    char digits[UID];
    int n = 0, left = 1;
    if (getrandom(r, sizeof r, 0) != (ssize_t)sizeof r)
        return rn_fail(RN_EINTERNAL, "cannot get random numbers: %s", strerror(errno));
    r[6] = (uint8_t)((r[6] & 0x0F) | 0x40); /* version 4, of */
    r[8] = (uint8_t)((r[8] & 0x3F) | 0x80); /* the common variant */
    while (left) {
        int rest = left = 0;
        for (int i = 0; i < 16; i++) {
            int v = rest << 8 | r[i];
            r[i] = (uint8_t)(v / 10);
            rest = v % 10;
            left |= r[i];
        }
        digits[n++] = (char)('0' + rest);
    }
    int length = snprintf(uid, UID, "2.25.");
    while (n > 0)
        uid[length++] = digits[--n];
    uid[length] = '\0';
    return 0;
}

/* Copies the UID of the source, or makes a new one. */
static int keep_uid(char uid[UID], const char *known)
{
    if (!*known)
        return make_uid(uid);
    snprintf(uid, UID, "%s", known);
    return 0;
}

static const struct rn_dicom_picture *source_of(const struct rn_dicom_derived_file *d,
                                                int64_t index)
{
    const struct rn_dicom_source_attributes *c = d->volume.source_attributes;
    return c && index >= 0 && index < c->pictures->n ? &c->pictures->list[index] : NULL;
}

/* Returns true if the pictures have positions; those of a DICOM source have their own. */
static bool is_placed(const struct rn_dicom_derived_file *d)
{
    const struct rn_vol *v = &d->volume;
    return v->source_attributes
               ? !v->moved && rn_dicom_source_attributes_is_placed(v->source_attributes)
               : v->placed;
}

bool rn_dicom_derived_file_can(const struct rn_vol *v, char *why, size_t size)
{
    const char *reason = NULL;
    if (v->fmt.number == RN_NUMBER_FLOAT)
        reason = "DICOM holds whole numbers here, and these are floats: .nii, .nrrd and .mha "
                 "hold them";
    else if (v->fmt.number == RN_NUMBER_SIGNED && v->fmt.model == RN_RGB)
        reason = "DICOM holds colours without a sign: .nrrd and .mha hold these";
    else if (v->fmt.model == RN_YUV)
        reason = "DICOM holds gray or RGB here: the filter format=gray or format=gbrp makes it of "
                 "Y'CbCr";
    else if (v->fmt.alpha)
        reason = "DICOM has no place for transparency: the filter format=gray or format=gbrp takes "
                 "it away";
    else if (v->n[RN_AXIS_CHANNEL] > 1)
        reason = "DICOM has no place for channels: .tif, .nii and .nrrd have";
    else if (v->w > 0xFFFF || v->h > 0xFFFF)
        reason = "pictures of DICOM have up to 65535 rows and columns";
    if (reason)
        snprintf(why, size, "%s", reason);
    return !reason;
}

int rn_dicom_derived_file_begin(struct rn_dicom_derived_file **derived, const struct rn_vol *volume,
                                int64_t first)
{
    const char *why;
    const struct rn_dicom_gdcm_module *gdcm = rn_gdcm_load(&why);
    if (!gdcm)
        return rn_fail(RN_EINTERNAL, "%s", why);
    struct rn_dicom_derived_file *d = calloc(1, sizeof *d);
    if (!d)
        return rn_fail_memory();
    const struct rn_dicom_source_attributes *c = volume->source_attributes;
    d->gdcm = gdcm;
    d->volume = *volume;
    d->first = first;
    d->bytes = rn_format_bytes(&volume->fmt);
    d->colours = rn_format_planes(&volume->fmt);
    const char *source_class = rn_dicom_source_attributes_get(c, 0x0008, 0x0016);
    bool fits = d->colours == 1 && d->bytes == 2 && is_placed(d);
    d->class = fits && !strcmp(source_class, CT)   ? CT
               : fits && !strcmp(source_class, MR) ? MR
                                                   : SECONDARY_CAPTURE;
    int err = keep_uid(d->study, rn_dicom_source_attributes_get(c, 0x0020, 0x000D));
    if (!err)
        err = keep_uid(d->frame, rn_dicom_source_attributes_get(c, 0x0020, 0x0052));
    if (!err)
        err = make_uid(d->series);
    if (err)
        free(d);
    else
        *derived = d;
    return err;
}

void rn_dicom_derived_file_end(struct rn_dicom_derived_file **derived)
{
    if (*derived)
        free((*derived)->file);
    free(*derived);
    *derived = NULL;
}

size_t rn_dicom_derived_file_size(const struct rn_dicom_derived_file *d)
{
    size_t size = (size_t)d->volume.w * (size_t)d->volume.h * (size_t)(d->bytes * d->colours);
    return size + size % 2;
}

/* ---- modules */

static void copy_attributes(struct rn_dicom_derived_file *d)
{
    for (int i = 0; i < rn_dicom_keys_n; i++) {
        const struct rn_dicom_key *key = &rn_dicom_keys[i];
        const char *value =
            rn_dicom_source_attributes_get(d->volume.source_attributes, key->group, key->element);
        bool own = key->group == 0x0008 && key->element == 0x0016;
        bool number = key->group == 0x0020 && key->element == 0x0011;
        bool place = key->group == 0x0020 && (key->element == 0x0052 || key->element == 0x1040);
        if ((*value || key->always) && !own && !number && !place)
            add(d, key->group, key->element, key->vr, value);
    }
}

/* Adds attributes that CT or MR require, if the source has none. */
static void add_required(struct rn_dicom_derived_file *d)
{
    static const struct {
        const char *class;
        uint16_t group, element;
        const char *vr, *value;
    } required[] = {
        {CT, 0x0018, 0x0060, "DS", ""},   {CT, 0x0018, 0x5100, "CS", ""},
        {MR, 0x0018, 0x0020, "CS", "RM"}, {MR, 0x0018, 0x0021, "CS", "NONE"},
        {MR, 0x0018, 0x0022, "CS", ""},   {MR, 0x0018, 0x0023, "CS", ""},
        {MR, 0x0018, 0x0080, "DS", ""},   {MR, 0x0018, 0x0081, "DS", ""},
        {MR, 0x0018, 0x0091, "IS", ""},   {MR, 0x0018, 0x5100, "CS", ""},
        {CT, 0x0020, 0x0012, "IS", ""},   {SECONDARY_CAPTURE, 0x0008, 0x0064, "CS", "WSD"},
    };
    for (size_t i = 0; i < sizeof required / sizeof *required; i++)
        if (!strcmp(required[i].class, d->class) &&
            !*rn_dicom_source_attributes_get(d->volume.source_attributes, required[i].group,
                                             required[i].element))
            add(d, required[i].group, required[i].element, required[i].vr, required[i].value);
    const struct rn_dicom_source_attributes *c = d->volume.source_attributes;
    if (!*rn_dicom_source_attributes_get(c, 0x0008, 0x0060))
        add(d, 0x0008, 0x0060, "CS", "OT");
    if (!*rn_dicom_source_attributes_get(c, 0x0020, 0x0060) &&
        !*rn_dicom_source_attributes_get(c, 0x0018, 0x0015))
        add(d, 0x0020, 0x0060, "CS", ""); /* required while the body part is unknown */
    if (!strcmp(rn_dicom_source_attributes_get(c, 0x0012, 0x0062), "YES") &&
        !*rn_dicom_source_attributes_get(c, 0x0012, 0x0063)) /* the source has a coded method */
        add(d, 0x0012, 0x0063, "LO", "As the source was");
}

/* Keeps values of the source behind ORIGINAL\PRIMARY: AXIAL, LOCALIZER... */
static void add_image_type(struct rn_dicom_derived_file *d, const struct rn_dicom_picture *source)
{
    char text[RN_DICOM_TEXT + 32];
    const char *rest = source ? strchr(source->file->head.type, '\\') : NULL;
    rest = rest ? strchr(rest + 1, '\\') : NULL;
    if (rest && rest[strspn(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ \\")])
        rest = NULL;
    if (!rest || !rest[1])
        rest = !strcmp(d->class, CT) ? "\\AXIAL" : !strcmp(d->class, MR) ? "\\OTHER" : "";
    snprintf(text, sizeof text, "DERIVED\\SECONDARY%s", rest);
    add(d, 0x0008, 0x0008, "CS", text);
}

/* Adds the time of creation. */
static void add_creation_time(struct rn_dicom_derived_file *d)
{
    char text[16];
    time_t seconds = time(NULL);
    struct tm at;
    if (!localtime_r(&seconds, &at))
        return;
    strftime(text, sizeof text, "%Y%m%d", &at);
    add(d, 0x0008, 0x0012, "DA", text);
    strftime(text, sizeof text, "%H%M%S", &at);
    add(d, 0x0008, 0x0013, "TM", text);
}

/* Adds the program's version and its filters, also to the name of the series. */
static void add_provenance(struct rn_dicom_derived_file *d)
{
    const char *made_by = d->volume.made_by;
    char name[RN_DICOM_ATTRIBUTE + RN_MADE_BY_SIZE];
    const char *source =
                   rn_dicom_source_attributes_get(d->volume.source_attributes, 0x0008, 0x103E),
               *last = made_by;
    for (const char *c = made_by; (c = strstr(c, "; ")) != NULL; c += 2)
        last = c + 2;
    snprintf(name, sizeof name, "%s%s", *source ? " | " : "", last);
    for (char *c = name; *c; c++)
        *c = (char)((unsigned char)*c < ' ' || (unsigned char)*c > '~' || *c == '\\' ? '/' : *c);
    char text[RN_DICOM_ATTRIBUTE + 65];
    snprintf(text, sizeof text, "%s%.*s", source,
             strlen(source) < 64 ? 64 - (int)strlen(source) : 0, name);
    add(d, 0x0008, 0x103E, "LO", text);
    add_own(d, 0x0008, 0x2111, "ST", made_by, 1024);
    begin_item(d, 0x0018, 0xA001); /* Contributing Equipment */
    add(d, 0x0008, 0x0070, "LO", "runnel");
    add_own(d, 0x0018, 0xA003, "ST", last, 1024);
    add_code(d, 0x0040, 0xA170, "109102", "Processing Equipment");
    end_item(d);
}

static void add_source(struct rn_dicom_derived_file *d, const struct rn_dicom_picture *source)
{
    const char *class = rn_dicom_source_attributes_get(d->volume.source_attributes, 0x0008, 0x0016);
    const char *uid = source ? source->file->head.instance : "";
    if (!*class || !*uid || strlen(uid) >= UID || uid[strspn(uid, "0123456789.")])
        return;
    begin_item(d, 0x0008, 0x2112);
    add(d, 0x0008, 0x1150, "UI", class);
    add(d, 0x0008, 0x1155, "UI", uid);
    if (source->file->head.frames > 1)
        add_whole(d, 0x0008, 0x1160, source->frame + 1);
    add_code(d, 0x0040, 0xA170, "121322", "Source image for image processing operation");
    end_item(d);
}

static void add_place(struct rn_dicom_derived_file *d, const struct rn_dicom_picture *source,
                      int64_t slice)
{
    const struct rn_vol *v = &d->volume;
    double origin[3], sides[6];
    if (!strcmp(d->class, SECONDARY_CAPTURE))
        add(d, 0x0020, 0x0020, "CS", ""); /* Patient Orientation */
    if (!is_placed(d))
        return;
    for (int i = 0; i < 3; i++) {
        double step = (double)slice * v->spacing[2] * v->direction[2][i];
        origin[i] = source ? source->place->origin[i] : v->origin[i] + step;
        sides[i] = source ? source->place->row[i] : v->direction[0][i];
        sides[3 + i] = source ? source->place->column[i] : v->direction[1][i];
    }
    add_numbers(d, 0x0020, 0x0032, origin, 3);
    add_numbers(d, 0x0020, 0x0037, sides, 6);
    add(d, 0x0020, 0x0052, "UI", d->frame);
    add(d, 0x0020, 0x1040, "LO",
        rn_dicom_source_attributes_get(v->source_attributes, 0x0020, 0x1040));
}

static void add_spacing(struct rn_dicom_derived_file *d, const struct rn_dicom_picture *source)
{
    const struct rn_vol *v = &d->volume;
    const double spacing[2] = {v->spacing[1], v->spacing[0]}; /* DICOM has the row spacing first */
    double thick = source && !v->moved ? source->file->head.thickness : v->spacing[2];
    bool capture = !strcmp(d->class, SECONDARY_CAPTURE);
    if (thick > 0)
        add_numbers(d, 0x0018, 0x0050, &thick, 1);
    else if (!capture)
        add(d, 0x0018, 0x0050, "DS", "");
    if (v->spacing[2] > 0)
        add_numbers(d, 0x0018, 0x0088, &v->spacing[2], 1);
    if (!(spacing[0] > 0 && spacing[1] > 0))
        return;
    add_numbers(d, 0x0028, 0x0030, spacing, 2);
    if (capture)
        add_numbers(d, 0x0018, 0x2010, spacing, 2); /* Nominal Scanned Pixel Spacing */
}

static void add_time(struct rn_dicom_derived_file *d, int64_t time)
{
    const struct rn_vol *v = &d->volume;
    if (v->n[RN_AXIS_TIME] < 2)
        return;
    add_whole(d, 0x0020, 0x0100, time + 1);
    const double interval = 1000 * v->interval;
    if (interval > 0)
        add_numbers(d, 0x0020, 0x0110, &interval, 1);
}

static void add_scale(struct rn_dicom_derived_file *d)
{
    const struct rn_rescale *r = &d->volume.rescale;
    bool known = r->slope < 0 || r->slope > 0, needed = !strcmp(d->class, CT);
    if (d->colours > 1 || !(known || needed))
        return;
    const double intercept = known ? r->intercept : 0, slope = known ? r->slope : 1;
    add_numbers(d, 0x0028, 0x1052, &intercept, 1);
    add_numbers(d, 0x0028, 0x1053, &slope, 1);
    add_own(d, 0x0028, 0x1054, "LO", *r->unit ? r->unit : "US", sizeof r->unit);
}

static void add_window(struct rn_dicom_derived_file *d)
{
    const struct rn_vol *v = &d->volume;
    const double width = v->window[1] - v->window[0] + 1; /* see series.c */
    const double middle = (v->window[0] + v->window[1] + 1) / 2;
    if (!v->windowed || d->colours > 1 || !(width > 1))
        return;
    add_numbers(d, 0x0028, 0x1050, &middle, 1);
    add_numbers(d, 0x0028, 0x1051, &width, 1);
}

static void add_samples(struct rn_dicom_derived_file *d, const uint8_t *pixels)
{
    const struct rn_vol *v = &d->volume;
    const struct rn_dicom_picture *source = source_of(d, 0);
    bool gray = d->colours == 1, inverted = gray && source && source->file->head.is_inverted;
    int depth =
        v->fmt.depth < 12 && d->bytes == 2 ? 12 : v->fmt.depth; /* CT asks for 12 at least */
    add_word(d, 0x0028, 0x0002, d->colours);
    add(d, 0x0028, 0x0004, "CS", inverted ? "MONOCHROME1" : gray ? "MONOCHROME2" : "RGB");
    if (!gray)
        add_word(d, 0x0028, 0x0006, 0);
    add_word(d, 0x0028, 0x0010, v->h);
    add_word(d, 0x0028, 0x0011, v->w);
    add_word(d, 0x0028, 0x0100, 8 * d->bytes);
    add_word(d, 0x0028, 0x0101, depth);
    add_word(d, 0x0028, 0x0102, depth - 1);
    add_word(d, 0x0028, 0x0103, v->fmt.number == RN_NUMBER_SIGNED);
    add_bytes(d, 0x7FE0, 0x0010, d->bytes > 1 ? "OW" : "OB", pixels, rn_dicom_derived_file_size(d));
}

static void list_elements(struct rn_dicom_derived_file *d, int64_t index, int64_t number,
                          const char *instance, const uint8_t *pixels)
{
    const struct rn_dicom_picture *source = source_of(d, index);
    const char *series =
        rn_dicom_source_attributes_get(d->volume.source_attributes, 0x0020, 0x0011);
    int64_t at[RN_AXES];
    d->n = d->depth = 0;
    d->used = 0;
    index -= d->first;
    for (int k = 0; k < RN_AXES; k++) { /* the slowest axis may grow beyond the volume */
        int64_t n = d->volume.n[d->volume.axis_order[k]];
        at[d->volume.axis_order[k]] = k < RN_AXES - 1 ? index % n : index;
        index /= n;
    }
    copy_attributes(d);
    add_required(d);
    add_image_type(d, source);
    add_creation_time(d);
    add(d, 0x0008, 0x0016, "UI", d->class);
    add(d, 0x0008, 0x0018, "UI", instance);
    add_provenance(d);
    add_source(d, source);
    add(d, 0x0020, 0x000D, "UI", d->study);
    add(d, 0x0020, 0x000E, "UI", d->series);
    add_whole(d, 0x0020, 0x0011,
              1 + SERIES_STEP * (*series ? strtol(series, NULL, 10) % 1000000 : 0));
    add_whole(d, 0x0020, 0x0013, number + 1);
    add_place(d, source, at[RN_AXIS_SLICE]);
    add_spacing(d, source);
    add_time(d, at[RN_AXIS_TIME]);
    add_scale(d);
    add_window(d);
    add_samples(d, pixels);
}

const uint8_t *rn_dicom_derived_file_make(struct rn_dicom_derived_file *d, int64_t index,
                                          int64_t number, const uint8_t *pixels, size_t *size)
{
    char instance[UID];
    if (make_uid(instance))
        return NULL;
    list_elements(d, index, number, instance, pixels);
    size_t max = d->gdcm->max_size(d->element, d->n);
    if (max > d->file_size) {
        free(d->file);
        d->file = malloc(max);
        d->file_size = d->file ? max : 0;
    }
    *size = d->file && !d->full ? d->gdcm->write(d->element, d->n, d->file) : 0;
    if (d->full)
        rn_fail(RN_EINTERNAL, "a derived DICOM file says more than there is room for");
    else if (!*size)
        rn_fail_memory();
    return *size ? d->file : NULL;
}

#endif
