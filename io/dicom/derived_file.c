/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* getrandom */
#include "io/dicom/derived_file.h"

#include "filters/base/log.h"
#include "io/common/av.h"
#include "io/dicom/series_internal.h"
#include "io/dicom/gdcm/gdcm.h"
#include "io/dicom/worker.h"
#include "io/volumes/fields.h"

#include <sys/random.h>
#include <time.h>

#define CT                "1.2.840.10008.5.1.4.1.1.2"
#define MR                "1.2.840.10008.5.1.4.1.1.4"
#define SECONDARY_CAPTURE "1.2.840.10008.5.1.4.1.1.7"

#define SERIES_STEP 100L /* a derived series is number 100 * source + 1: sorted behind its source */

enum { UID = RN_DICOM_UID, OWN_ELEMENTS = 96, MAX_LOST = RN_DICOM_MAX_LOST };

#define MAX_COPIED (1 << 22) /* bytes of elements of a source */

/* ---- elements */

static void add_bytes(struct rn_dicom_derived_file *d, uint32_t tag, const char *vr,
                      const void *value, size_t size)
{
    d->full |= d->n == d->allocated;
    if (d->full)
        return;
    d->element[d->n++] =
        (struct rn_dicom_element){tag, {vr[0], vr[1]}, d->depth, value, (uint32_t)size};
}

/* Copies a value and pads it to an even length. */
static void add_copy(struct rn_dicom_derived_file *d, uint32_t tag, const char *vr,
                     const void *value, size_t size)
{
    d->full |= d->used + size + 1 > sizeof d->text;
    if (d->full)
        return;
    char *to = d->text + d->used;
    memcpy(to, value, size);
    if (size % 2)
        to[size++] = !strcmp(vr, "UI") ? '\0' : ' ';
    d->used += size;
    add_bytes(d, tag, vr, to, size);
}

static void add(struct rn_dicom_derived_file *d, uint32_t tag, const char *vr, const char *value)
{
    add_copy(d, tag, vr, value, strlen(value));
}

static void add_whole(struct rn_dicom_derived_file *d, uint32_t tag, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value);
    add(d, tag, "IS", text);
}

static void add_word(struct rn_dicom_derived_file *d, uint32_t tag, int value)
{
    add_copy(d, tag, "US", (uint8_t[]){(uint8_t)value, (uint8_t)(value >> 8)}, 2);
}

/* A decimal string has up to 16 characters: uses as many digits as fit. */
static void add_numbers(struct rn_dicom_derived_file *d, uint32_t tag, const double *value, int n)
{
    char text[6 * 17 + 1] = "", one[40];
    for (int i = 0; i < n; i++) {
        double plain = value[i] + 0.; /* turns -0 into 0 */
        int digits = 17;
        while (snprintf(one, sizeof one, "%.*g", digits, plain) > 16 && digits > 1)
            digits--;
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i ? "\\" : "", one);
    }
    add(d, tag, "DS", text);
}

/* Finds an element of the main data set; NULL: there is none yet. */
static const struct rn_dicom_element *find(const struct rn_dicom_derived_file *d, uint32_t tag)
{
    for (int i = 0; i < d->n; i++)
        if (d->element[i].tag == tag && !d->element[i].depth)
            return &d->element[i];
    return NULL;
}

static bool has(const struct rn_dicom_derived_file *d, uint32_t tag)
{
    const struct rn_dicom_element *e = find(d, tag);
    return e && e->size > 0;
}

/* Begins a new item of a sequence: elements go to the item until end_item. */
static void begin_item(struct rn_dicom_derived_file *d, uint32_t tag)
{
    const struct rn_dicom_element *e = d->depth ? NULL : find(d, tag);
    add_bytes(d, tag, "SQ", e ? e->value : NULL, e ? e->size : 0);
    d->depth++;
}

static void end_item(struct rn_dicom_derived_file *d)
{
    d->depth--;
}

/* Adds a code of the DICOM Controlled Terminology as a sequence. */
static void add_code(struct rn_dicom_derived_file *d, uint32_t tag, const char *code,
                     const char *meaning)
{
    begin_item(d, tag);
    add(d, 0x00080100, "SH", code);
    add(d, 0x00080102, "SH", "DCM");
    add(d, 0x00080104, "LO", meaning);
    end_item(d);
}

/* Adds a text of this program as one value, in ASCII: the file has the source's character set. */
static void add_own(struct rn_dicom_derived_file *d, uint32_t tag, const char *vr,
                    const char *value, size_t most)
{
    char text[RN_MADE_BY_SIZE + 1];
    snprintf(text, sizeof text, "%.*s", (int)most, value);
    for (char *c = text; *c; c++)
        *c = (char)((unsigned char)*c < ' ' || (unsigned char)*c > '~' ? '?' : *c);
    for (char *c = text; !strcmp(vr, "LO") && (c = strchr(c, '\\'));)
        *c = '/'; /* a backslash separates values */
    add(d, tag, vr, text);
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

static int keep_uid(char uid[UID], const char *known)
{
    if (!*known)
        return make_uid(uid);
    snprintf(uid, UID, "%.64s", known);
    return 0;
}

/* "" = none. */
static const char *source_text(const struct rn_dicom_derived_file *d,
                               enum rn_dicom_source_text which)
{
    return d->volume.source_attributes ? d->volume.source_attributes->text[which] : "";
}

static const struct rn_dicom_picture *source_of(const struct rn_dicom_derived_file *d,
                                                int64_t index)
{
    const struct rn_dicom_source_attributes *c = d->volume.source_attributes;
    if (!c || index < 0)
        return NULL;
    int64_t slices = c->pictures->n / c->pictures->times, time = index / slices;
    const int64_t *times = d->volume.file_index[RN_AXIS_TIME];
    index = (times ? times[time] : time) * slices + index % slices;
    return index < c->pictures->n ? &c->pictures->list[index] : NULL;
}

/* Returns true if the pictures have positions; those of a DICOM source have their own. DICOM's rows
 * and columns are at right angles. */
static bool is_placed(const struct rn_dicom_derived_file *d)
{
    const struct rn_vol *v = &d->volume;
    if (v->source_attributes && !(v->changed & RN_CHANGED_GRID))
        return rn_dicom_has_place(&v->source_attributes->pictures->list[0]);
    return (v->placed || v->origins) && fabs(rn_vol_dot(v->direction[0], v->direction[1])) < 1e-3;
}

const char *rn_dicom_derived_file_obstacle(const struct rn_vol *v)
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
#ifndef RN_HAVE_GDCM
    reason = "DICOM is what this runnel was built without: install the packages libgdcm-dev and "
             "g++, then build it again";
#endif
    return reason;
}

int rn_dicom_derived_file_begin(struct rn_dicom_derived_file *d, int64_t first)
{
    const struct rn_vol *volume = &d->volume;
    d->first = first;
    d->bytes = rn_format_bytes(&volume->fmt);
    d->colours = rn_format_planes(&volume->fmt);
    const char *source_class = source_text(d, RN_DICOM_CLASS);
    bool fits = d->colours == 1 && d->bytes == 2 && is_placed(d);
    d->class = fits && !strcmp(source_class, CT)   ? CT
               : fits && !strcmp(source_class, MR) ? MR
                                                   : SECONDARY_CAPTURE;
    int err = keep_uid(d->study, source_text(d, RN_DICOM_STUDY));
    if (!err && volume->source_attributes)
        err = rn_dicom_worker_start(&d->worker);
    if (!err && d->worker)
        err = rn_dicom_worker_reserve(d->worker, MAX_COPIED);
    err = err ? err : keep_uid(d->frame, source_text(d, RN_DICOM_FRAME));
    return err ? err : make_uid(d->series);
}

void rn_dicom_derived_file_end(struct rn_dicom_derived_file *d)
{
    rn_dicom_worker_stop(&d->worker);
    free(d->element);
    free(d->file);
}

size_t rn_dicom_derived_file_size(const struct rn_dicom_derived_file *d)
{
    size_t size = (size_t)d->volume.w * (size_t)d->volume.h * (size_t)(d->bytes * d->colours);
    return size + size % 2;
}

/* ---- modules */

static void note_lost(struct rn_dicom_derived_file *d, const char *name, size_t size)
{
    char text[sizeof *d->lost];
    snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : sizeof text - 1), name);
    for (int i = 0; i < d->nlost; i++)
        if (!strcmp(d->lost[i], text))
            return;
    if (d->nlost < MAX_LOST)
        memcpy(d->lost[d->nlost++], text, sizeof text);
}

int rn_dicom_derived_file_lost(const struct rn_dicom_derived_file *d, char *text, size_t size)
{
    *text = '\0';
    for (int i = 0; i < d->nlost; i++)
        av_strlcatf(text, size, "%s%s", i ? ", " : "", d->lost[i]);
    return d->nlost;
}

/* Returns the next copied element and sets *value; false: there is none. */
static bool next_copied(const struct rn_dicom_derived_file *d, size_t *at,
                        struct rn_dicom_copied *head, const uint8_t **value)
{
    if (d->copied_size - *at < sizeof *head)
        return false;
    memcpy(head, d->copied + *at, sizeof *head);
    *value = d->copied + *at + sizeof *head;
    *at += sizeof *head;
    if (head->size > d->copied_size - *at)
        return false;
    *at += head->size;
    return true;
}

/* Makes room for the elements of the source and our own. */
static void reserve(struct rn_dicom_derived_file *d)
{
    struct rn_dicom_copied head;
    const uint8_t *value;
    int n = OWN_ELEMENTS;
    for (size_t at = 0; next_copied(d, &at, &head, &value);)
        n++;
    if (n <= d->allocated)
        return;
    free(d->element);
    d->element = malloc((size_t)n * sizeof *d->element);
    d->allocated = d->element ? n : 0;
}

/* Reads the elements of the source, whose bytes nothing here looks into. */
static void read_source(struct rn_dicom_derived_file *d, const struct rn_dicom_picture *source)
{
    const struct rn_vol *v = &d->volume;
    if (!source || source->file == d->source)
        return;
    const struct rn_dicom_header *head = &source->file->head;
    bool changed = v->changed & RN_CHANGED_VALUES || head->is_tabled;
    d->source = source->file;
    d->copied = rn_dicom_copy(d->worker, source->file->path,
                              (v->changed & RN_CHANGED_GRID ? RN_DICOM_NEEDS_GRID : 0U) |
                                  (changed ? RN_DICOM_NEEDS_VALUES : 0U) |
                                  (v->changed & RN_CHANGED_TURN ? RN_DICOM_NEEDS_SIDES : 0U) |
                                  (head->frames > 1 ? RN_DICOM_NEEDS_SINGLE : 0U),
                              &d->copied_size);
    if (!d->copied)
        note_lost(d, "all of a file", sizeof d->lost);
}

static void copy_elements(struct rn_dicom_derived_file *d)
{
    struct rn_dicom_copied head;
    const uint8_t *value;
    for (size_t at = 0; next_copied(d, &at, &head, &value);) {
        bool is_vr = head.vr[0] >= 'A' && head.vr[0] <= 'Z' && head.vr[1] >= 'A' &&
                     head.vr[1] <= 'Z' && head.size % 2 == 0;
        if (head.lost)
            note_lost(d, (const char *)value, head.size);
        else if (is_vr)
            add_bytes(d, head.tag, head.vr, value, head.size);
    }
}

/* Adds attributes that all images, CT or MR have to have, if the source has none. */
static void add_required(struct rn_dicom_derived_file *d)
{
    static const struct {
        const char *class; /* NULL: any */
        uint32_t tag;
        const char *vr, *value;
    } required[] = {
        {NULL, 0x00080020, "DA", ""},
        {NULL, 0x00080030, "TM", ""},
        {NULL, 0x00080050, "SH", ""},
        {NULL, 0x00080060, "CS", "OT"},
        {NULL, 0x00080070, "LO", ""},
        {NULL, 0x00080090, "PN", ""},
        {NULL, 0x00100010, "PN", ""},
        {NULL, 0x00100020, "LO", ""},
        {NULL, 0x00100030, "DA", ""},
        {NULL, 0x00100040, "CS", ""},
        {NULL, 0x00200010, "SH", ""},
        {CT, 0x00180060, "DS", ""},
        {CT, 0x00185100, "CS", ""},
        {MR, 0x00180020, "CS", "RM"},
        {MR, 0x00180021, "CS", "NONE"},
        {MR, 0x00180022, "CS", ""},
        {MR, 0x00180023, "CS", ""},
        {MR, 0x00180080, "DS", ""},
        {MR, 0x00180081, "DS", ""},
        {MR, 0x00180091, "IS", ""},
        {MR, 0x00185100, "CS", ""},
        {CT, 0x00200012, "IS", ""},
        {SECONDARY_CAPTURE, 0x00080064, "CS", "WSD"},
    };
    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        bool asked = !required[i].class || !strcmp(required[i].class, d->class);
        if (asked && !has(d, required[i].tag))
            add(d, required[i].tag, required[i].vr, required[i].value);
    }
    if (!has(d, 0x00200060) && !has(d, 0x00180015))
        add(d, 0x00200060, "CS", ""); /* required while the body part is unknown */
    const struct rn_dicom_element *anonymous = find(d, 0x00120062);
    if (anonymous && anonymous->size >= 3 && !memcmp(anonymous->value, "YES", 3) &&
        !has(d, 0x00120063)) /* the source has a coded method */
        add(d, 0x00120063, "LO", "As the source was");
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
    add(d, 0x00080008, "CS", text);
}

static void add_creation_time(struct rn_dicom_derived_file *d)
{
    char text[16];
    time_t seconds = time(NULL);
    struct tm at;
    if (!localtime_r(&seconds, &at))
        return;
    strftime(text, sizeof text, "%Y%m%d", &at);
    add(d, 0x00080012, "DA", text);
    strftime(text, sizeof text, "%H%M%S", &at);
    add(d, 0x00080013, "TM", text);
}

/* Adds the program's version and its filters, also to the name of the series. */
static void add_provenance(struct rn_dicom_derived_file *d)
{
    const char *made_by = d->volume.made_by;
    char name[RN_MADE_BY_SIZE + 4];
    const char *source = source_text(d, RN_DICOM_SERIES_DESCRIPTION), *last = made_by;
    for (const char *c = made_by; (c = strstr(c, "; ")) != NULL; c += 2)
        last = c + 2;
    snprintf(name, sizeof name, "%s%s", *source ? " | " : "", last);
    for (char *c = name; *c; c++)
        *c = (char)((unsigned char)*c < ' ' || (unsigned char)*c > '~' || *c == '\\' ? '/' : *c);
    char text[RN_DICOM_SOURCE_TEXT + 65];
    snprintf(text, sizeof text, "%.*s%.*s", RN_DICOM_SOURCE_TEXT - 1, source,
             strlen(source) < 64 ? 64 - (int)strlen(source) : 0, name);
    add(d, 0x0008103e, "LO", text);
    add_own(d, 0x00082111, "ST", made_by, 1024);
    begin_item(d, 0x0018a001); /* Contributing Equipment */
    add(d, 0x00080070, "LO", "runnel");
    add_own(d, 0x0018a003, "ST", last, 1024);
    add_code(d, 0x0040a170, "109102", "Processing Equipment");
    end_item(d);
}

static void add_source(struct rn_dicom_derived_file *d, const struct rn_dicom_picture *source)
{
    const char *class = source_text(d, RN_DICOM_CLASS);
    const char *uid = source ? source->file->head.instance : "";
    if (!*class || !*uid || strlen(uid) >= UID || uid[strspn(uid, "0123456789.")])
        return;
    begin_item(d, 0x00082112);
    add(d, 0x00081150, "UI", class);
    add(d, 0x00081155, "UI", uid);
    if (source->file->head.frames > 1)
        add_whole(d, 0x00081160, source->frame + 1);
    add_code(d, 0x0040a170, "121322", "Source image for image processing operation");
    end_item(d);
}

static void add_place(struct rn_dicom_derived_file *d, const struct rn_dicom_picture *source,
                      int64_t slice)
{
    const struct rn_vol *v = &d->volume;
    double origin[3], sides[6];
    if (!strcmp(d->class, SECONDARY_CAPTURE))
        add(d, 0x00200020, "CS", ""); /* Patient Orientation */
    if (!is_placed(d))
        return;
    for (int i = 0; i < 3; i++) {
        double step = (double)slice * v->spacing[2] * v->direction[2][i];
        bool turned = !source || v->changed & RN_CHANGED_TURN;
        origin[i] = source ? source->place->origin[i] + v->shift[i] : v->origin[i] + step;
        sides[i] = turned ? v->direction[0][i] : source->place->row[i];
        sides[3 + i] = turned ? v->direction[1][i] : source->place->column[i];
    }
    add_numbers(d, 0x00200032, origin, 3);
    add_numbers(d, 0x00200037, sides, 6);
    add(d, 0x00200052, "UI", d->frame);
    if (!find(d, 0x00201040))
        add(d, 0x00201040, "LO", "");
}

static void add_spacing(struct rn_dicom_derived_file *d, const struct rn_dicom_picture *source)
{
    const struct rn_vol *v = &d->volume;
    const double spacing[2] = {v->spacing[1], v->spacing[0]}; /* DICOM has the row spacing first */
    double thick = source ? source->file->head.thickness : v->spacing[2];
    bool capture = !strcmp(d->class, SECONDARY_CAPTURE);
    if (thick > 0)
        add_numbers(d, 0x00180050, &thick, 1);
    else if (!capture)
        add(d, 0x00180050, "DS", "");
    if (v->spacing[2] > 0)
        add_numbers(d, 0x00180088, &v->spacing[2], 1);
    if (!(spacing[0] > 0 && spacing[1] > 0))
        return;
    add_numbers(d, 0x00280030, spacing, 2);
    if (capture)
        add_numbers(d, 0x00182010, spacing, 2); /* Nominal Scanned Pixel Spacing */
}

static void add_values(struct rn_dicom_derived_file *d, int64_t time)
{
    const struct rn_vol *v = &d->volume;
    const struct rn_rescale *r = &v->rescale;
    bool rescaled = r->slope < 0 || r->slope > 0, gray = d->colours == 1;
    const double width = v->window[1] - v->window[0] + 1; /* see series.c */
    if (v->n[RN_AXIS_TIME] > 1) {
        add_whole(d, 0x00200100, time + 1);
        if (v->interval > 0)
            add_numbers(d, 0x00200110, (double[]){1000 * v->interval}, 1);
    }
    if (gray && (rescaled || !strcmp(d->class, CT))) {
        add_numbers(d, 0x00281052, (double[]){rescaled ? r->intercept : 0}, 1);
        add_numbers(d, 0x00281053, (double[]){rescaled ? r->slope : 1}, 1);
        add_own(d, 0x00281054, "LO", *r->unit ? r->unit : "US", sizeof r->unit);
    }
    if (gray && v->windowed && width > 1 && !find(d, 0x00281050)) { /* several, of the source */
        add_numbers(d, 0x00281050, (double[]){(v->window[0] + v->window[1] + 1) / 2}, 1);
        add_numbers(d, 0x00281051, &width, 1);
    }
}

static void add_samples(struct rn_dicom_derived_file *d, const uint8_t *pixels)
{
    const struct rn_vol *v = &d->volume;
    const struct rn_dicom_picture *source = source_of(d, 0);
    bool gray = d->colours == 1, inverted = gray && source && source->file->head.is_inverted;
    int depth =
        v->fmt.depth < 12 && d->bytes == 2 ? 12 : v->fmt.depth; /* CT asks for 12 at least */
    add_word(d, 0x00280002, d->colours);
    add(d, 0x00280004, "CS", inverted ? "MONOCHROME1" : gray ? "MONOCHROME2" : "RGB");
    if (!gray)
        add_word(d, 0x00280006, 0);
    add_word(d, 0x00280010, v->h);
    add_word(d, 0x00280011, v->w);
    add_word(d, 0x00280100, 8 * d->bytes);
    add_word(d, 0x00280101, depth);
    add_word(d, 0x00280102, depth - 1);
    add_word(d, 0x00280103, v->fmt.number == RN_NUMBER_SIGNED);
    add_bytes(d, 0x7fe00010, d->bytes > 1 ? "OW" : "OB", pixels, rn_dicom_derived_file_size(d));
}

static void list_elements(struct rn_dicom_derived_file *d, int64_t index, int64_t number,
                          const char *instance, const uint8_t *pixels)
{
    const struct rn_dicom_picture *source = source_of(d, index);
    const char *series = source_text(d, RN_DICOM_SERIES_NUMBER);
    int64_t at[RN_AXES];
    d->n = d->depth = 0;
    d->used = 0;
    index -= d->first;
    for (int k = 0; k < RN_AXES; k++) { /* the slowest axis may grow beyond the volume */
        int64_t n = d->volume.n[d->volume.axis_order[k]];
        at[d->volume.axis_order[k]] = k < RN_AXES - 1 ? index % n : index;
        index /= n;
    }
    read_source(d, source);
    reserve(d);
    copy_elements(d);
    add_required(d);
    add_image_type(d, source);
    add_creation_time(d);
    add(d, 0x00080016, "UI", d->class);
    add(d, 0x00080018, "UI", instance);
    add_provenance(d);
    add_source(d, source);
    add(d, 0x0020000d, "UI", d->study);
    add(d, 0x0020000e, "UI", d->series);
    add_whole(d, 0x00200011, 1 + SERIES_STEP * (*series ? strtol(series, NULL, 10) % 1000000 : 0));
    add_whole(d, 0x00200013, number + 1);
    add_place(d, source, at[RN_AXIS_SLICE]);
    add_spacing(d, source);
    add_values(d, at[RN_AXIS_TIME]);
    add_samples(d, pixels);
}

const uint8_t *rn_dicom_derived_file_make(struct rn_dicom_derived_file *d, int64_t index,
                                          int64_t number, const uint8_t *pixels, size_t *size)
{
    char instance[UID];
    if (make_uid(instance))
        return NULL;
    list_elements(d, index, number, instance, pixels);
    size_t max = rn_dicom_elements_max_size(d->element, d->n);
    if (max > d->file_size) {
        free(d->file);
        d->file = malloc(max);
        d->file_size = d->file ? max : 0;
    }
    *size = d->file && !d->full
                ? rn_dicom_elements_write(d->element, d->n, d->class, instance, d->file)
                : 0;
    if (d->full)
        rn_fail(RN_EINTERNAL, "no memory for a derived DICOM file");
    else if (!*size)
        rn_fail_memory();
    return *size ? d->file : NULL;
}
