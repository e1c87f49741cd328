#include "io/volumes/tiff/tiff_list.h"

#include "filters/base/err.h"
#include "filters/base/log.h"
#include "filters/base/text/number.h"
#include "filters/base/text/plural.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include <libavutil/bprint.h>
#include <libavutil/eval.h>
#include <libavutil/mem.h>
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

/* Returns an attribute to free with xmlFree; NULL: none. */
static char *text_of(const xmlNode *node, const char *name)
{
    return (char *)xmlGetProp((xmlNode *)node, (const xmlChar *)name);
}

static double number_of(const xmlNode *node, const char *name, double otherwise)
{
    char *text = text_of(node, name), *end;
    double v = text ? av_strtod(text, &end) : otherwise;
    bool ok = text && end != text && isfinite(v);
    xmlFree(text);
    return ok ? v : otherwise;
}

static int64_t whole_of(const xmlNode *node, const char *name, int64_t otherwise)
{
    double v = number_of(node, name, (double)otherwise);
    return v >= 0 && v <= INT_MAX ? (int64_t)v : otherwise;
}

static bool attribute_is(const xmlNode *node, const char *name, const char *text)
{
    char *own = node ? text_of(node, name) : NULL;
    bool same = own && !strcmp(own, text);
    xmlFree(own);
    return same;
}

/* ---- axes */

static const char *const sizes[RN_AXES] = {"SizeZ", "SizeC", "SizeT"};

static void read_order(struct rn_vol_ome *o, const xmlNode *pixels)
{
    static const char letters[] = "ZCT";
    char *text = text_of(pixels, "DimensionOrder");
    for (int i = 0; text && strlen(text) == 5 && i < RN_AXES; i++) {
        const char *at = strchr(letters, text[2 + i]);
        if (at)
            o->axis_order[i] = (enum rn_vol_axis)(at - letters);
    }
    bool all = (1 << o->axis_order[0] | 1 << o->axis_order[1] | 1 << o->axis_order[2]) == 7;
    for (int i = 0; !all && i < RN_AXES; i++)
        o->axis_order[i] = (enum rn_vol_axis)i;
    xmlFree(text);
}

static int read_sizes(struct rn_vol_ome *o, const xmlNode *pixels, const char *path)
{
    static const char *const spacing[][2] = {{"PhysicalSizeX", "PhysicalSizeXUnit"},
                                             {"PhysicalSizeY", "PhysicalSizeYUnit"},
                                             {"PhysicalSizeZ", "PhysicalSizeZUnit"}};
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
        char *unit = text_of(pixels, spacing[i][1]);
        double size = number_of(pixels, spacing[i][0], 0) * (unit ? rn_vol_unit_mm(unit) : 1e-3);
        xmlFree(unit);
        o->spacing[i] = size > 0 && isfinite(size) ? size : 0;
    }
    double interval = number_of(pixels, "TimeIncrement", 0);
    o->interval = interval > 0 ? interval : 0;
    return 0;
}

/* ---- files and pages of planes */

/* Returns the index + 1 of a file, which is added if it is new; -1 on failure. */
static int add_file(struct rn_vol_ome *o, const char *name)
{
    for (int i = 0; i < o->nfiles; i++)
        if (!strcmp(o->file[i], name))
            return i + 1;
    char *copy = o->nfiles < MAX_FILES ? av_strdup(name) : NULL;
    if (copy && av_dynarray_add_nofree(&o->file, &o->nfiles, copy) >= 0)
        return o->nfiles;
    av_free(copy);
    return -1;
}

/* Returns the file of a block of planes: 0 (this one) if it has this UUID, or names no file. -1: it
 * has another UUID and no name. */
static int find_file(struct rn_vol_ome *o, const xmlNode *root, const xmlNode *data)
{
    const xmlNode *uuid = find(data, "UUID", NULL);
    if (!uuid)
        return 0;
    char *id = (char *)xmlNodeGetContent((xmlNode *)uuid), *name = text_of(uuid, "FileName");
    bool own = id && attribute_is(root, "UUID", id);
    int file = own ? 0 : name ? add_file(o, name) : -1;
    xmlFree(id);
    xmlFree(name);
    return file;
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
    for (const xmlNode *image = find(root, "Image", NULL); image;
         image = find(root, "Image", image))
        if (attribute_is(image, "ID", series) || attribute_is(image, "Name", series))
            return image;
    return rn_number_whole(series, 1, o->images, &number) ? find_nth_image(root, number) : NULL;
}

static int refuse_images(const xmlNode *root, const char *path, const char *series)
{
    static const char *const kinds[RN_AXES] = {"slice", "channel", "time"};
    AVBPrint text;
    int n = 0, err = series ? RN_EUSAGE : RN_EINPUT;
    av_bprint_init(&text, 0, AV_BPRINT_SIZE_UNLIMITED);
    for (const xmlNode *image = find(root, "Image", NULL); image;
         image = find(root, "Image", image)) {
        const xmlNode *pixels = find(image, "Pixels", NULL);
        char *name = text_of(image, "Name"), *id = text_of(image, "ID");
        av_bprintf(&text, "%s  %d: %.60s", n ? "\n" : "", n + 1, name ? name : id ? id : "");
        if (pixels)
            av_bprintf(&text, ", %" PRId64 "x%" PRId64, whole_of(pixels, "SizeX", 0),
                       whole_of(pixels, "SizeY", 0));
        for (int axis = 0; pixels && axis < RN_AXES; axis++) {
            int64_t count = whole_of(pixels, sizes[axis], 1);
            av_bprintf(&text, ", %" PRId64 " %s%s", count, kinds[axis], rn_plural(count));
        }
        n++;
        xmlFree(name);
        xmlFree(id);
    }
    rn_fail_lines(err, text.str, "'%s' holds %s: choose with --series N, or its name", path,
                  series ? "no such image" : "several images");
    av_bprint_finalize(&text, NULL);
    return err;
}

static int read_image(struct rn_vol_ome *o, const xmlNode *root, const char *path,
                      const char *series)
{
    for (const xmlNode *image = find(root, "Image", NULL); image;
         image = find(root, "Image", image))
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
    return err ? err : place_planes(o, root, pixels);
}

int rn_vol_ome_read(struct rn_vol_ome *o, const char *text, size_t size, const char *path,
                    const char *series)
{
    *o = (struct rn_vol_ome){.known = false};
    if (!size || size > MAX_TEXT || *text != '<')
        return 0;
    xmlDoc *doc = xmlReadMemory(text, (int)size, NULL, NULL,
                                XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    const xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    int err = 0;
    if (root && is_named(root, "OME")) {
        const xmlNode *elsewhere = find(root, "BinaryOnly", NULL);
        char *name = elsewhere ? text_of(elsewhere, "MetadataFile") : NULL;
        if (name)
            err = (o->metadata = av_strdup(name)) ? 0 : rn_fail_memory();
        else
            err = read_image(o, root, path, series);
        xmlFree(name);
    }
    xmlFreeDoc(doc);
    return err;
}

void rn_vol_ome_free(struct rn_vol_ome *o)
{
    for (int i = 0; i < o->nfiles; i++)
        av_free(o->file[i]);
    av_freep(&o->file);
    av_freep(&o->plane);
    av_freep(&o->metadata);
    o->nfiles = 0;
}
