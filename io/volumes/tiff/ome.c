/* SPDX-License-Identifier: MIT */
#include "io/volumes/tiff/tiff_list.h"

#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "filters/base/text/plural.h"

#include <limits.h>

#include <libavutil/eval.h>
#include <libxml/parser.h>

#define MAX_TEXT   (64u << 20)
#define MAX_PLANES 1000000
#define MAX_FILES  100000

/* ---- XML */

static bool is_named(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && !strcmp((const char *)node->name, name);
}

/* Returns the first child of this name behind `after`; NULL: the first of all. */
static const xmlNode *find(const xmlNode *node, const char *name, const xmlNode *after)
{
    const xmlNode *child = after ? after->next : node ? node->children : NULL;
    while (child && !is_named(child, name))
        child = child->next;
    return child;
}

static void free_text(void *text)
{
    xmlFree(rn_take_owned(text));
}

/* Returns an attribute to free with xmlFree; NULL: none. */
static char *text_of(const xmlNode *node, const char *name)
{
    return (char *)xmlGetProp((xmlNode *)node, (const xmlChar *)name);
}

static double number_of(const xmlNode *node, const char *name, double otherwise)
{
    RN_OWNED(free_text) char *text = text_of(node, name);
    char *end;
    double v = text ? av_strtod(text, &end) : otherwise;
    return text && end != text && isfinite(v) ? v : otherwise;
}

static int64_t whole_of(const xmlNode *node, const char *name, int64_t otherwise)
{
    double v = number_of(node, name, (double)otherwise);
    return v >= 0 && v <= INT_MAX ? (int64_t)v : otherwise;
}

static bool attribute_is(const xmlNode *node, const char *name, const char *text)
{
    RN_OWNED(free_text) char *own = node ? text_of(node, name) : NULL;
    return own && !strcmp(own, text);
}

/* ---- axes */

static const char *const sizes[RN_AXES] = {"SizeZ", "SizeC", "SizeT"};

static void read_order(struct rn_vol_ome *o, const xmlNode *pixels)
{
    static const char letters[] = "ZCT";
    RN_OWNED(free_text) char *text = text_of(pixels, "DimensionOrder");
    for (int i = 0; text && strlen(text) == 5 && i < RN_AXES; i++) {
        const char *at = strchr(letters, text[2 + i]);
        if (at)
            o->axis_order[i] = (enum rn_vol_axis)(at - letters);
    }
    bool all = (1 << o->axis_order[0] | 1 << o->axis_order[1] | 1 << o->axis_order[2]) == 7;
    for (int i = 0; !all && i < RN_AXES; i++)
        o->axis_order[i] = (enum rn_vol_axis)i;
}

static const char *const spacings[][2] = {{"PhysicalSizeX", "PhysicalSizeXUnit"},
                                          {"PhysicalSizeY", "PhysicalSizeYUnit"},
                                          {"PhysicalSizeZ", "PhysicalSizeZUnit"}};

static int read_sizes(struct rn_vol_ome *o, const xmlNode *pixels, const char *path)
{
    const xmlNode *channel = find(pixels, "Channel", NULL);
    int64_t product = 1, samples = channel ? whole_of(channel, "SamplesPerPixel", 1) : 1;
    for (int a = 0; a < RN_AXES; a++) {
        o->n[a] = whole_of(pixels, sizes[a], 1);
        if (a == RN_AXIS_CHANNEL && samples > 1)
            o->n[a] /= samples;
        o->n[a] = o->n[a] < 1 ? 1 : o->n[a];
        product *= o->n[a];
        if (product > MAX_PLANES)
            return rn_fail(RN_EINPUT, "'%s': its OME-XML counts more than %d pictures", path,
                           MAX_PLANES);
    }
    for (int i = 0; i < 3; i++) {
        RN_OWNED(free_text) char *unit = text_of(pixels, spacings[i][1]);
        double size = number_of(pixels, spacings[i][0], 0) * (unit ? rn_vol_unit_mm(unit) : 1e-3);
        o->spacing[i] = size > 0 && isfinite(size) ? size : 0;
    }
    RN_OWNED(free_text) char *length = text_of(pixels, spacings[0][1]);
    RN_OWNED(free_text) char *time = text_of(pixels, "TimeIncrementUnit");
    bool micron = !length || rn_vol_unit_mm(length) == 1e-3; /* not in ASCII */
    snprintf(o->unit, sizeof o->unit, "%s", micron ? "micron" : length);
    double interval =
        number_of(pixels, "TimeIncrement", 0) * (time ? rn_vol_unit_seconds(time) : 1);
    o->interval = interval > 0 ? interval : 0;
    return 0;
}

/* ---- files and pages of planes */

/* Returns the index + 1 of a file, which is added if it is new; -1 on failure. */
static int add_file(struct rn_vol_ome *o, const char *name)
{
    for (int i = 0; i < o->files.n; i++)
        if (!strcmp(o->files.path[i], name))
            return i + 1;
    if (o->files.n == MAX_FILES || rn_read_names_append(&o->files, av_strdup(name)))
        return -1;
    return o->files.n;
}

/* Returns the file of a block of planes: 0 (this one) if it has this UUID, or names no file. -1: it
 * has another UUID and no name. */
static int find_file(struct rn_vol_ome *o, const xmlNode *root, const xmlNode *data)
{
    const xmlNode *uuid = find(data, "UUID", NULL);
    if (!uuid)
        return 0;
    RN_OWNED(free_text) char *id = (char *)xmlNodeGetContent((xmlNode *)uuid);
    RN_OWNED(free_text) char *name = text_of(uuid, "FileName");
    bool own = id && attribute_is(root, "UUID", id);
    return own ? 0 : name ? add_file(o, name) : -1;
}

/* Places a block: `count` planes from the first one on, in consecutive pages. */
static void place_block(struct rn_vol_ome *o, const xmlNode *root, const xmlNode *data)
{
    static const char *const firsts[RN_AXES] = {"FirstZ", "FirstC", "FirstT"};
    bool paged = xmlHasProp((xmlNode *)data, (const xmlChar *)"IFD") != NULL;
    int64_t all = o->n[0] * o->n[1] * o->n[2], place = 0, page = whole_of(data, "IFD", 0);
    int64_t count = whole_of(data, "PlaneCount", paged ? 1 : all);
    int file = find_file(o, root, data);
    for (int k = RN_AXES - 1; k >= 0; k--) {
        enum rn_vol_axis a = o->axis_order[k];
        int64_t first = whole_of(data, firsts[a], 0);
        if (first >= o->n[a])
            return;
        place = place * o->n[a] + first;
    }
    for (int64_t i = 0; i < count && place + i < all && page + i <= INT_MAX; i++)
        o->plane[place + i] = (struct rn_vol_ome_plane){file, (int)(page + i)};
}

static int place_planes(struct rn_vol_ome *o, const xmlNode *root, const xmlNode *pixels)
{
    int64_t all = o->n[0] * o->n[1] * o->n[2];
    const xmlNode *data = find(pixels, "TiffData", NULL);
    o->plane = av_malloc_array((size_t)all, sizeof *o->plane);
    if (!o->plane)
        return rn_fail_memory();
    for (int64_t i = 0; i < all; i++)
        o->plane[i] = (struct rn_vol_ome_plane){data ? -1 : 0, (int)i};
    for (; data; data = find(pixels, "TiffData", data))
        place_block(o, root, data);
    return 0;
}

/* ---- what else it says */

/* Adds a name, once. */
static void note(AVBPrint *names, const char *prefix, const char *name)
{
    char line[80];
    snprintf(line, sizeof line, "%s%.50s\n", prefix, name);
    if (names->len < 4096 && !strstr(names->str, line))
        av_bprintf(names, "%s", line);
}

/* Notes attributes and elements of a node that are neither known nor empty. */
static void note_all(AVBPrint *names, const xmlNode *node, const char *prefix, const char *known)
{
    for (const xmlAttr *a = node->properties; a; a = a->next)
        if (!av_match_name((const char *)a->name, known))
            note(names, prefix, (const char *)a->name);
    for (const xmlNode *e = node->children; e; e = e->next)
        if (e->type == XML_ELEMENT_NODE && (e->children || e->properties) &&
            !av_match_name((const char *)e->name, known))
            note(names, prefix, (const char *)e->name);
}

static void drop(const xmlNode *node)
{
    xmlUnlinkNode((xmlNode *)node);
    xmlFreeNode((xmlNode *)node);
}

/* Drops the children of a name, but one. */
static void drop_all(const xmlNode *parent, const char *name, const xmlNode *but)
{
    for (const xmlNode *node = find(parent, name, NULL), *next; node; node = next) {
        next = find(parent, name, node);
        if (node != but)
            drop(node);
    }
}

/* Keeps what of the XML does not tell which pages there are; changes it. */
static int keep_xml(struct rn_vol_ome *o, xmlNode *root, const xmlNode *image,
                    const xmlNode *pixels)
{
    static const char *const places[] = {"TiffData", "BinData", "MetadataOnly"};
    RN_OWNED(free_text) xmlChar *text = NULL;
    int size = 0;
    drop_all(root, "Image", image);
    for (int i = 0; i < 3; i++)
        drop_all(pixels, places[i], NULL);
    xmlUnsetProp(root, (const xmlChar *)"UUID");
    xmlDocDumpMemory(root->doc, &text, &size);
    o->xml = text ? av_strdup((const char *)text) : NULL;
    return o->xml ? 0 : rn_fail_memory();
}

static int read_others(struct rn_vol_ome *o, const xmlNode *root, const xmlNode *image,
                       const xmlNode *pixels)
{
    AVBPrint names;
    const xmlNode *all = find(root, "StructuredAnnotations", NULL);
    const xmlNode *own = find(all, "CommentAnnotation", NULL);
    while (own && !attribute_is(own, "Namespace", "runnel"))
        own = find(all, "CommentAnnotation", own);
    RN_OWNED(free_text)
    char *lines = own ? (char *)xmlNodeGetContent((xmlNode *)find(own, "Value", NULL)) : NULL;
    bool lost = lines && !(o->lines = av_strdup(lines));
    if (own)
        drop(own);
    av_bprint_init(&names, 0, AV_BPRINT_SIZE_UNLIMITED);
    note_all(&names, root, "", "Image,UUID,Creator,schemaLocation");
    note_all(&names, image, "",
             attribute_is(image, "Name", "Image0") ? "ID,Pixels,Name" : "ID,Pixels");
    for (const xmlNode *c = NULL; (c = find(pixels, "Channel", c));)
        note_all(&names, c, "Channel ", "ID,SamplesPerPixel");
    for (const xmlNode *p = NULL; (p = find(pixels, "Plane", p));)
        note_all(&names, p, "Plane ", "TheZ,TheC,TheT");
    return av_bprint_finalize(&names, &o->others) >= 0 && !lost ? 0 : rn_fail_memory();
}

/* ---- writing */

/* Returns a text to free as XML holds it: where it is no UTF-8 it is Latin-1, as old files have it.
 */
static xmlChar *to_xml(const char *text)
{
    int in = (int)strlen(text), out = 2 * in;
    bool latin = !xmlCheckUTF8((const xmlChar *)text);
    xmlChar *to = latin ? xmlMalloc((size_t)out + 1) : xmlStrdup((const xmlChar *)text);
    if (to && latin)
        to[isolat1ToUTF8(to, &out, (const uint8_t *)text, &in) < 0 ? 0 : out] = '\0';
    for (xmlChar *c = to; c && *c; c++)
        *c = *c < ' ' && !strchr("\t\r\n", *c) ? '?' : *c;
    return to;
}

/* Sets an attribute; fmt NULL: removes it. */
static void set(xmlNode *node, const char *name, const char *fmt, ...)
{
    char text[RN_MADE_BY_SIZE];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt ? fmt : "", args);
    va_end(args);
    RN_OWNED(free_text) xmlChar *value = fmt ? to_xml(text) : NULL;
    if (value)
        xmlSetProp(node, (const xmlChar *)name, value);
    else
        xmlUnsetProp(node, (const xmlChar *)name);
}

/* Adds an element in front of another one; NULL: at the end. */
static xmlNode *insert(xmlNode *parent, const xmlNode *before, const char *name)
{
    xmlNode *node = xmlNewDocNode(parent->doc, parent->ns, (const xmlChar *)name, NULL);
    return before ? xmlAddPrevSibling((xmlNode *)before, node) : xmlAddChild(parent, node);
}

static void set_sizes(const struct rn_vol *v, xmlNode *pixels, const char *type, int samples)
{
    /* Before 2015 sizes were micrometres and seconds. */
    const char *ns = pixels->ns && pixels->ns->href ? (const char *)pixels->ns->href : "";
    bool old = !strstr(ns, "2016-") && !strstr(ns, "2015-");
    double mm = rn_vol_tiff_text_unit(v);
    const char *unit = old || mm == 1e-3 ? "\xc2\xb5m" : mm == 1e-6 ? "nm" : mm == 10 ? "cm" : "mm";
    mm = old ? 1e-3 : rn_vol_unit_mm(unit);
    if (!attribute_is(pixels, "Type", type))
        set(pixels, "SignificantBits", NULL);
    set(pixels, "DimensionOrder", "XY%c%c%c", sizes[v->axis_order[0]][4],
        sizes[v->axis_order[1]][4], sizes[v->axis_order[2]][4]);
    set(pixels, "Type", "%s", type);
    set(pixels, "SizeX", "%d", v->w);
    set(pixels, "SizeY", "%d", v->h);
    for (int a = 0; a < RN_AXES; a++)
        set(pixels, sizes[a], "%" PRId64, v->n[a] * (a == RN_AXIS_CHANNEL ? samples : 1));
    for (int i = 0; i < 3; i++) {
        bool known = v->spacing[i] > 0;
        set(pixels, spacings[i][0], known ? "%.15g" : NULL, v->spacing[i] / mm);
        set(pixels, spacings[i][1], known && !old ? "%s" : NULL, unit);
    }
    set(pixels, "TimeIncrement", v->interval > 0 ? "%.15g" : NULL, v->interval);
    set(pixels, "TimeIncrementUnit", v->interval > 0 && !old ? "s" : NULL);
}

static void describe(const struct rn_vol *v, xmlNode *root, const char *lines, const char *type,
                     int samples)
{
    const xmlNode *image = find(root, "Image", NULL), *channel = NULL;
    xmlNode *pixels = (xmlNode *)find(image, "Pixels", NULL);
    if (v->changed & RN_CHANGED_CHANNELS)
        drop_all(pixels, "Channel", NULL);
    if (v->changed & RN_CHANGED_PICTURES)
        drop_all(pixels, "Plane", NULL);
    if (v->changed & RN_CHANGED_GRID) {
        drop_all(root, "ROI", NULL);
        drop_all(image, "ROIRef", NULL);
    }
    set(root, "Creator", "%s", v->made_by);
    set_sizes(v, pixels, type, samples);
    const xmlNode *plane = find(pixels, "Plane", NULL);
    for (int64_t i = 0; i < v->n[RN_AXIS_CHANNEL]; i++) {
        const xmlNode *next = find(pixels, "Channel", channel);
        channel = next ? next : insert(pixels, plane, "Channel");
        if (!next)
            set((xmlNode *)channel, "ID", "Channel:0:%" PRId64, i);
        set((xmlNode *)channel, "SamplesPerPixel", "%d", samples);
    }
    xmlNode *data = insert(pixels, plane, "TiffData");
    set(data, "IFD", "0");
    set(data, "PlaneCount", "%" PRId64, rn_vol_pictures(v));
    xmlNode *all = (xmlNode *)find(root, "StructuredAnnotations", NULL);
    all = all ? all : insert(root, find(root, "ROI", NULL), "StructuredAnnotations");
    xmlNode *own = insert(all, NULL, "CommentAnnotation");
    set(own, "ID", "Annotation:runnel");
    set(own, "Namespace", "runnel");
    RN_OWNED(free_text) xmlChar *value = to_xml(lines);
    xmlNewTextChild(own, root->ns, (const xmlChar *)"Value", value);
}

char *rn_vol_ome_write(const struct rn_vol *v, const char *type, int samples)
{
    static const char bare[] =
        "<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image ID=\"Image:0\" "
        "Name=\"Image0\"><Pixels ID=\"Pixels:0\"/></Image></OME>";
    const struct rn_vol_field *kept =
        rn_vol_fields_find(v, RN_TIFF_FORMAT, RN_TIFF_XML, RN_TIFF_TAG_NONE);
    const char *text = kept ? (const char *)kept->data : bare;
    xmlDoc *doc =
        xmlReadMemory(text, (int)strlen(text), NULL, "UTF-8", XML_PARSE_NONET | XML_PARSE_HUGE);
    RN_OWNED(rn_free_owned) char *lines = doc ? rn_vol_tiff_text_write(v) : NULL;
    xmlChar *made = NULL;
    int size = 0;
    if (lines) {
        describe(v, xmlDocGetRootElement(doc), lines, type, samples);
        xmlDocDumpMemory(doc, &made, &size);
    }
    xmlFreeDoc(doc);
    return (char *)made; /* of malloc */
}

/* ---- selecting an image */

static const xmlNode *find_nth_image(const xmlNode *root, int64_t number)
{
    const xmlNode *image = find(root, "Image", NULL);
    while (image && --number > 0)
        image = find(root, "Image", image);
    return image;
}

static const xmlNode *find_image(const struct rn_vol_ome *o, const xmlNode *root,
                                 const char *series)
{
    long long number;
    if (!series)
        return o->images == 1 ? find_nth_image(root, 1) : NULL;
    for (const xmlNode *image = NULL; (image = find(root, "Image", image));)
        if (attribute_is(image, "ID", series) || attribute_is(image, "Name", series))
            return image;
    return rn_number_whole(series, 1, o->images, &number) ? find_nth_image(root, number) : NULL;
}

static int refuse_images(const xmlNode *root, const char *path, const char *series)
{
    static const char *const kinds[RN_AXES] = {"slice", "channel", "time"};
    RN_IO_TEXT(text);
    int n = 0, err = series ? RN_EUSAGE : RN_EINPUT;
    for (const xmlNode *image = NULL; (image = find(root, "Image", image));) {
        const xmlNode *pixels = find(image, "Pixels", NULL);
        RN_OWNED(free_text) char *name = text_of(image, "Name");
        RN_OWNED(free_text) char *id = text_of(image, "ID");
        av_bprintf(&text, "%s  %d: %.60s", n ? "\n" : "", n + 1, name ? name : id ? id : "");
        if (pixels)
            av_bprintf(&text, ", %" PRId64 "x%" PRId64, whole_of(pixels, "SizeX", 0),
                       whole_of(pixels, "SizeY", 0));
        for (int axis = 0; pixels && axis < RN_AXES; axis++) {
            int64_t count = whole_of(pixels, sizes[axis], 1);
            av_bprintf(&text, ", %" PRId64 " %s%s", count, kinds[axis], rn_plural(count));
        }
        n++;
    }
    return rn_fail_lines(err, text.str, "'%s' holds %s: choose with --series N, or its name", path,
                         series ? "no such image" : "several images");
}

static int read_image(struct rn_vol_ome *o, xmlNode *root, const char *path, const char *series)
{
    for (const xmlNode *node = NULL; (node = find(root, "Image", node));)
        o->images++;
    const xmlNode *image = find_image(o, root, series);
    const xmlNode *pixels = find(image, "Pixels", NULL);
    if (!o->images)
        return 0;
    if (!image)
        return refuse_images(root, path, series);
    if (!pixels)
        return 0;
    o->known = true;
    read_order(o, pixels);
    int err = read_sizes(o, pixels, path);
    err = err ? err : read_others(o, root, image, pixels);
    err = err ? err : place_planes(o, root, pixels);
    return err || !*o->others ? err : keep_xml(o, root, image, pixels);
}

int rn_vol_ome_read(struct rn_vol_ome *o, const char *text, size_t size, const char *path,
                    const char *series)
{
    *o = (struct rn_vol_ome){.known = false};
    if (!size || size > MAX_TEXT || *text != '<')
        return 0;
    xmlDoc *doc = xmlReadMemory(text, (int)size, NULL, NULL,
                                XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    int err = 0;
    if (root && is_named(root, "OME")) {
        const xmlNode *elsewhere = find(root, "BinaryOnly", NULL);
        RN_OWNED(free_text) char *name = elsewhere ? text_of(elsewhere, "MetadataFile") : NULL;
        if (name)
            err = (o->metadata = av_strdup(name)) ? 0 : rn_fail_memory();
        else
            err = read_image(o, root, path, series);
    }
    xmlFreeDoc(doc);
    return err;
}

void rn_vol_ome_free(struct rn_vol_ome *o)
{
    rn_read_names_free(&o->files);
    av_freep(&o->plane);
    av_freep(&o->metadata);
    av_freep(&o->others);
    av_freep(&o->xml);
    av_freep(&o->lines);
}
